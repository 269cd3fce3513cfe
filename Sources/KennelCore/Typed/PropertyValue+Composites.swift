public import KennelStorage

/// A type of values that a property may hold or have none of.
public protocol NullablePropertyValue: Sendable {
  /// The kind of the properties that hold it.
  static var kind: ValueKind { get }

  /// Makes it from a stored value; `nil` for one of another type.
  init?(_ value: Value)

  /// The value to store.
  var value: Value { get }

  /// Reads a property; `nil` where it is null. Links point to objects of the class `target`.
  static func readNullable(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ target: ClassKey,
    in reader: DatabaseReader
  ) throws(DatabaseError) -> Self?

  /// Sets a property, to null without a value.
  static func setNullable(
    _ value: Self?,
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    in transaction: WriteTransaction
  ) throws(DatabaseError)
}

/// A type of single values that can be there always.
public protocol ScalarPropertyValue: PropertyValue, NullablePropertyValue {}

extension ScalarPropertyValue {
  /// Whether a property of a type holds values of this one and is never null.
  public static func fits(_ type: PropertyType) -> Bool {
    type.collection == .none && type.kind == kind && !type.isOptional
  }

  /// The value to store in a property of a type.
  public func value(for type: PropertyType) -> Value { value }

  /// Reads a property of an object.
  @inlinable
  @inline(__always)
  public static func read(
    _ object: ObjectIdentity,
    _ property: Property<Self>,
    in reader: DatabaseReader
  ) throws(DatabaseError) -> Self {
    guard
      let value = try readNullable(object, property.key, property.target, in: reader)
    else { throw reader.wrongType(object.classKey, property.key, Self.self) }
    return value
  }

  /// Sets a property of an object.
  @inlinable
  @inline(__always)
  public static func set(
    _ value: Self,
    _ object: ObjectIdentity,
    _ property: Property<Self>,
    in transaction: WriteTransaction
  ) throws(DatabaseError) {
    try setNullable(value, object, property.key, in: transaction)
  }
}

extension NullablePropertyValue {
  /// Reads a property by way of a ``Value``.
  public static func readNullable(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ target: ClassKey,
    in reader: DatabaseReader
  ) throws(DatabaseError) -> Self? {
    try reader.loaded(object, property)
  }

  /// Sets a property by way of a ``Value``.
  public static func setNullable(
    _ value: Self?,
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    in transaction: WriteTransaction
  ) throws(DatabaseError) {
    try transaction.set(object, property, value?.value ?? .null)
  }
}

extension Optional: PropertyValue where Wrapped: NullablePropertyValue {
  /// Whether a property of a type holds values of this one or null.
  public static func fits(_ type: PropertyType) -> Bool {
    type.collection == .none && type.kind == Wrapped.kind
  }

  /// Makes it from a stored value; `nil` for one of another type.
  public init?(_ value: Value) {
    if value.isNull {
      self = .none
      return
    }
    guard let wrapped = Wrapped(value) else { return nil }
    self = .some(wrapped)
  }

  /// The value to store in a property of a type.
  public func value(for type: PropertyType) -> Value { self?.value ?? .null }

  /// Reads a property of an object.
  @inlinable
  @inline(__always)
  public static func read(
    _ object: ObjectIdentity,
    _ property: Property<Self>,
    in reader: DatabaseReader
  ) throws(DatabaseError) -> Self {
    try Wrapped.readNullable(object, property.key, property.target, in: reader)
  }

  /// Sets a property of an object.
  @inlinable
  @inline(__always)
  public static func set(
    _ value: Self,
    _ object: ObjectIdentity,
    _ property: Property<Self>,
    in transaction: WriteTransaction
  ) throws(DatabaseError) {
    try Wrapped.setNullable(value, object, property.key, in: transaction)
  }
}

/// A type of elements that lists as a whole are made of.
public protocol ElementPropertyValue: Sendable {
  /// Whether a property of a type holds arrays of these.
  static func fits(_ type: PropertyType) -> Bool

  /// Makes an array of a stored value; `nil` for one of another type.
  static func array(_ value: Value) -> [Self]?

  /// The value to store in a property of a type.
  static func value(_ array: [Self], for type: PropertyType) -> Value
}

extension Array: PropertyValue where Element: ElementPropertyValue {
  /// Whether a property of a type holds arrays of these.
  public static func fits(_ type: PropertyType) -> Bool { Element.fits(type) }

  /// Makes it from a stored value; `nil` for one of another type.
  public init?(_ value: Value) {
    guard let array = Element.array(value) else { return nil }
    self = array
  }

  /// The value to store in a property of a type.
  public func value(for type: PropertyType) -> Value { Element.value(self, for: type) }
}

extension Array: NullablePropertyValue where Element == UInt8 {
  /// The kind of the properties that hold bytes.
  public static var kind: ValueKind { .data }

  /// The value to store.
  public var value: Value { .data(self) }
}

extension UInt8: ElementPropertyValue {
  /// Whether a property of a type holds data.
  public static func fits(_ type: PropertyType) -> Bool {
    type.collection == .none && type.kind == .data && !type.isOptional
  }

  /// The bytes of data; `nil` for a value of another type.
  public static func array(_ value: Value) -> [UInt8]? {
    if case .data(let bytes) = value { bytes } else { nil }
  }

  /// The value to store.
  public static func value(_ array: [UInt8], for type: PropertyType) -> Value { .data(array) }
}

extension ObjectIdentity: NullablePropertyValue, ElementPropertyValue {
  /// The kind of the properties that hold links.
  public static var kind: ValueKind { .link }

  /// Makes it from a link; `nil` for a value of another type.
  public init?(_ value: Value) {
    guard case .link(let link) = value else { return nil }
    self = link
  }

  /// The value to store.
  public var value: Value { .link(self) }

  /// Whether a property of a type is a list or set of links.
  public static func fits(_ type: PropertyType) -> Bool {
    type.kind == .link && (type.collection == .list || type.collection == .set)
  }

  /// Reads a to-one link.
  @inlinable
  @inline(__always)
  public static func readNullable(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ target: ClassKey,
    in reader: DatabaseReader
  ) throws(DatabaseError) -> Self? {
    var word: UInt64 = 0
    switch reader.points.readWord(object, property, .link, &word) {
    case .value: return ObjectIdentity(target, ObjectKey(rawValue: word))
    case .null: return nil
    case .unknown: return try reader.loaded(object, property)
    }
  }

  /// Sets a to-one link.
  public static func setNullable(
    _ value: Self?,
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    in transaction: WriteTransaction
  ) throws(DatabaseError) {
    try transaction.setLink(object, property, value)
  }

  /// The targets of a list or set of links; `nil` for a value of another type.
  public static func array(_ value: Value) -> [ObjectIdentity]? {
    switch value {
    case .list(let elements), .set(let elements): elements.compactMap(ObjectIdentity.init)
    default: nil
    }
  }

  /// The value to store in a property of a type.
  public static func value(_ array: [ObjectIdentity], for type: PropertyType) -> Value {
    let links = array.map(Value.link)
    return type.collection == .set ? .set(links) : .list(links)
  }
}

extension Value: PropertyValue {
  /// True: every property holds values.
  public static func fits(_ type: PropertyType) -> Bool { true }

  /// The value itself.
  public init?(_ value: Value) { self = value }

  /// The value itself.
  public func value(for type: PropertyType) -> Value { self }
}
