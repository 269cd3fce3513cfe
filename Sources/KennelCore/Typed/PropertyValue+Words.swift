public import KennelStorage

extension Bool: ScalarPropertyValue {
  /// The kind of the properties that hold it.
  public static var kind: ValueKind { .bool }

  /// Makes it from a stored value; `nil` for one of another type.
  public init?(_ value: Value) {
    guard case .bool(let stored) = value else { return nil }
    self = stored
  }

  /// The value to store.
  public var value: Value { .bool(self) }

  /// Reads a property; `nil` where it is null.
  @inlinable
  @inline(__always)
  public static func readNullable(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ target: ClassKey,
    in reader: DatabaseReader
  ) throws(DatabaseError) -> Self? {
    var word: UInt64 = 0
    switch reader.points.readWord(object, property, .bool, &word) {
    case .value: return word != 0
    case .null: return nil
    case .unknown: return try reader.loaded(object, property)
    }
  }

  /// Sets a property, to null without a value.
  @inlinable
  @inline(__always)
  public static func setNullable(
    _ value: Self?,
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    in transaction: WriteTransaction
  ) throws(DatabaseError) {
    if let value, transaction.pointWriter.setWord(object, property, .bool, value ? 1 : 0) { return }
    try transaction.setWord(object, property, .bool, value.map { value in value ? 1 : 0 })
  }
}

extension Int64: ScalarPropertyValue {
  /// The kind of the properties that hold it.
  public static var kind: ValueKind { .int }

  /// Makes it from a stored value; `nil` for one of another type.
  public init?(_ value: Value) {
    guard case .int(let stored) = value else { return nil }
    self = stored
  }

  /// The value to store.
  public var value: Value { .int(self) }

  /// Reads a property; `nil` where it is null.
  @inlinable
  @inline(__always)
  public static func readNullable(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ target: ClassKey,
    in reader: DatabaseReader
  ) throws(DatabaseError) -> Self? {
    var word: UInt64 = 0
    switch reader.points.readWord(object, property, .int, &word) {
    case .value: return Int64(bitPattern: word)
    case .null: return nil
    case .unknown: return try reader.loaded(object, property)
    }
  }

  /// Sets a property, to null without a value.
  @inlinable
  @inline(__always)
  public static func setNullable(
    _ value: Self?,
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    in transaction: WriteTransaction
  ) throws(DatabaseError) {
    if let value, transaction.pointWriter.setWord(object, property, .int, UInt64(bitPattern: value))
    {
      return
    }
    try transaction.setWord(
      object,
      property,
      .int,
      value.map { value in UInt64(bitPattern: value) }
    )
  }
}

extension Float: ScalarPropertyValue {
  /// The kind of the properties that hold it.
  public static var kind: ValueKind { .float }

  /// Makes it from a stored value; `nil` for one of another type.
  public init?(_ value: Value) {
    guard case .float(let stored) = value else { return nil }
    self = stored
  }

  /// The value to store.
  public var value: Value { .float(self) }

  /// Reads a property; `nil` where it is null.
  @inlinable
  @inline(__always)
  public static func readNullable(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ target: ClassKey,
    in reader: DatabaseReader
  ) throws(DatabaseError) -> Self? {
    var word: UInt64 = 0
    switch reader.points.readWord(object, property, .float, &word) {
    case .value: return Float(bitPattern: UInt32(truncatingIfNeeded: word))
    case .null: return nil
    case .unknown: return try reader.loaded(object, property)
    }
  }

  /// Sets a property, to null without a value.
  @inlinable
  @inline(__always)
  public static func setNullable(
    _ value: Self?,
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    in transaction: WriteTransaction
  ) throws(DatabaseError) {
    if let value,
      transaction.pointWriter.setWord(object, property, .float, UInt64(value.bitPattern))
    {
      return
    }
    try transaction.setWord(
      object,
      property,
      .float,
      value.map { value in UInt64(value.bitPattern) }
    )
  }
}

extension Double: ScalarPropertyValue {
  /// The kind of the properties that hold it.
  public static var kind: ValueKind { .double }

  /// Makes it from a stored value; `nil` for one of another type.
  public init?(_ value: Value) {
    guard case .double(let stored) = value else { return nil }
    self = stored
  }

  /// The value to store.
  public var value: Value { .double(self) }

  /// Reads a property; `nil` where it is null.
  @inlinable
  @inline(__always)
  public static func readNullable(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ target: ClassKey,
    in reader: DatabaseReader
  ) throws(DatabaseError) -> Self? {
    var word: UInt64 = 0
    switch reader.points.readWord(object, property, .double, &word) {
    case .value: return Double(bitPattern: word)
    case .null: return nil
    case .unknown: return try reader.loaded(object, property)
    }
  }

  /// Sets a property, to null without a value.
  @inlinable
  @inline(__always)
  public static func setNullable(
    _ value: Self?,
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    in transaction: WriteTransaction
  ) throws(DatabaseError) {
    if let value, transaction.pointWriter.setWord(object, property, .double, value.bitPattern) {
      return
    }
    try transaction.setWord(object, property, .double, value.map { value in value.bitPattern })
  }
}
