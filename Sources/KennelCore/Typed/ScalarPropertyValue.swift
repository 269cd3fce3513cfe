// swift-format-ignore-file: NoLeadingUnderscores

public import KennelStorage

extension Bool: ScalarPropertyValue {}
extension Int64: ScalarPropertyValue {}
extension Float: ScalarPropertyValue {}
extension Double: ScalarPropertyValue {}
extension String: ScalarPropertyValue {}
extension Array: NullablePropertyValue, ScalarPropertyValue where Element == UInt8 {}
extension Timestamp: ScalarPropertyValue {}
extension ObjectId: ScalarPropertyValue {}
extension UUIDValue: ScalarPropertyValue {}
extension Decimal128: ScalarPropertyValue {}

extension ValueKind {
  /// The type of properties that hold scalars of this kind; `nil` for mixed values and links.
  public var propertyType: (any ScalarPropertyValue.Type)? {
    scalar as? any ScalarPropertyValue.Type
  }
}

/// A scalar type of property values.
///
/// ```swift
/// func set<V: ScalarPropertyValue>(_ property: TypedProperty<V>, to value: V) throws {
///   try database.write { transaction in try transaction.set(rex, property: property, to: value) }
/// }
/// try set(snapshot.schema.property("age", of: "Dog"), to: Int64(4))
/// ```
///
/// A scalar is stored as one word, two words or bytes; reading and setting are implemented once for
/// each of these storage forms.
public protocol ScalarPropertyValue: ScalarValue, PropertyValue, NullablePropertyValue {
  /// Creates a value from a stored one; `nil` if its kind differs.
  init?(_ value: Value)

  /// Returns whether the stored value equals the given one bit by bit; `nil` is null.
  static func _isStored(
    _ value: Self?,
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    in reader: DatabaseReader
  ) throws(DatabaseError) -> Bool
}

extension ScalarPropertyValue {
  /// Returns whether a property of the given type is required and holds values of this Swift type.
  public static func fits(_ type: PropertyType) -> Bool {
    type.collection == .none && type.kind == kind && !type.isOptional
  }

  /// Returns the value to store in a property of a type.
  @inlinable
  public func value(for type: PropertyType) -> Value { value }

  /// Reads a property of an object.
  @inlinable
  @inline(__always)
  public static func _read(
    _ object: ObjectIdentity,
    _ property: TypedProperty<Self>,
    in reader: DatabaseReader
  ) throws(DatabaseError) -> Self {
    guard
      let value = try _readNullable(object, property.key, property.target, in: reader)
    else { throw reader.wrongType(object.classKey, property.key, Self.self) }
    return value
  }

  /// Sets a property of an object.
  @inlinable
  @inline(__always)
  public static func _set(
    _ value: Self,
    _ object: ObjectIdentity,
    _ property: TypedProperty<Self>,
    in transaction: WriteTransaction
  ) throws(DatabaseError) {
    try _setNullable(value, object, property.key, in: transaction)
  }
}

extension NullablePropertyValue where Self: WordValue {
  /// Reads one word.
  @inlinable
  @inline(__always)
  public static func _readNullable(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ target: ClassKey,
    in reader: DatabaseReader
  ) throws(DatabaseError) -> Self? {
    try _readWord(object, property, in: reader)
  }

  /// Sets one word.
  @inlinable
  @inline(__always)
  public static func _setNullable(
    _ value: Self?,
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    in transaction: WriteTransaction
  ) throws(DatabaseError) {
    try _setWord(value, object, property, in: transaction)
  }

  /// Reads one word, statically dispatched.
  @inlinable
  @inline(__always)
  public static func _readWord(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    in reader: DatabaseReader
  ) throws(DatabaseError) -> Self? {
    var word: UInt64 = 0
    switch reader.points.readWord(object, property, kind, &word) {
    case .value: return fromStored(word)
    case .null: return nil
    case .unknown: return try reader.loaded(object, property)
    }
  }

  /// Returns whether the stored value equals the given one bit by bit; `nil` is null.
  @inlinable
  @inline(__always)
  public static func _isStored(
    _ value: Self?,
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    in reader: DatabaseReader
  ) throws(DatabaseError) -> Bool {
    try _readWord(object, property, in: reader)?.storedWord == value?.storedWord
  }

  /// Sets one word, statically dispatched.
  @inlinable
  @inline(__always)
  public static func _setWord(
    _ value: Self?,
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    in transaction: WriteTransaction
  ) throws(DatabaseError) {
    if let value, transaction.pointWriter.setWord(object, property, kind, value.storedWord) {
      return
    }
    try transaction.setLoaded(object, property, value)
  }
}

extension NullablePropertyValue where Self: PairValue {
  /// Reads two words.
  @inlinable
  @inline(__always)
  public static func _readNullable(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ target: ClassKey,
    in reader: DatabaseReader
  ) throws(DatabaseError) -> Self? {
    var pair: (UInt64, UInt64) = (0, 0)
    switch reader.points.readPair(object, property, kind, &pair) {
    case .value:
      guard let value = fromStored(pair) else { return try reader.loaded(object, property) }
      return value
    case .null: return nil
    case .unknown: return try reader.loaded(object, property)
    }
  }

  /// Sets two words.
  @inlinable
  @inline(__always)
  public static func _setNullable(
    _ value: Self?,
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    in transaction: WriteTransaction
  ) throws(DatabaseError) {
    if let value, transaction.pointWriter.setPair(object, property, kind, value.storedPair) {
      return
    }
    try transaction.setLoaded(object, property, value)
  }

  /// Returns whether the stored value equals the given one bit by bit; `nil` is null.
  @inlinable
  public static func _isStored(
    _ value: Self?,
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    in reader: DatabaseReader
  ) throws(DatabaseError) -> Bool {
    let stored = try _readNullable(object, property, ClassKey(rawValue: 0), in: reader)
    guard let value = value?.storedPair, let stored = stored?.storedPair else {
      return value == nil && stored == nil
    }
    return value == stored
  }
}

extension NullablePropertyValue where Self: BytesValue {
  /// Reads bytes.
  @inlinable
  public static func _readNullable(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ target: ClassKey,
    in reader: DatabaseReader
  ) throws(DatabaseError) -> Self? {
    try _readBytes(object, property, in: reader)
  }

  /// Sets bytes.
  @inlinable
  public static func _setNullable(
    _ value: Self?,
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    in transaction: WriteTransaction
  ) throws(DatabaseError) {
    try _setBytes(value, object, property, in: transaction)
  }

  /// Reads bytes, statically dispatched.
  @inlinable
  public static func _readBytes(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    in reader: DatabaseReader
  ) throws(DatabaseError) -> Self? {
    var value: Self?
    switch reader.points.readBytes(object, property, &value) {
    case .value: return value
    case .null: return nil
    case .unknown: return try reader.loaded(object, property)
    }
  }

  /// Returns whether the stored value equals the given one bit by bit; `nil` is null.
  @inlinable
  public static func _isStored(
    _ value: Self?,
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    in reader: DatabaseReader
  ) throws(DatabaseError) -> Bool {
    guard let value else { return try _readBytes(object, property, in: reader) == nil }
    let known = value.withStoredBytes { reader.points.hasBytes(object, property, kind, $0) }
    if let known { return known }
    guard let stored = try _readBytes(object, property, in: reader) else { return false }
    return stored.withStoredBytes { stored in
      value.withStoredBytes { stored.hasSameBytes(as: $0) }
    }
  }

  /// Sets bytes, statically dispatched.
  @inlinable
  public static func _setBytes(
    _ value: Self?,
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    in transaction: WriteTransaction
  ) throws(DatabaseError) {
    if let value,
      value.withStoredBytes({ transaction.pointWriter.setBytes(object, property, kind, $0) })
    {
      return
    }
    try transaction.setLoaded(object, property, value)
  }
}
