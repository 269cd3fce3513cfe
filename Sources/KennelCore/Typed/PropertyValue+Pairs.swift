public import KennelStorage

extension Timestamp: ScalarPropertyValue {
  /// The kind of the properties that hold it.
  public static var kind: ValueKind { .date }

  /// Makes it from a stored value; `nil` for one of another type.
  public init?(_ value: Value) {
    guard case .date(let stored) = value else { return nil }
    self = stored
  }

  /// The value to store.
  public var value: Value { .date(self) }

  /// Reads a property; `nil` where it is null.
  @inlinable
  @inline(__always)
  public static func readNullable(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ target: ClassKey,
    in reader: DatabaseReader
  ) throws(DatabaseError) -> Self? {
    var pair: (UInt64, UInt64) = (0, 0)
    switch reader.points.readPair(object, property, .date, &pair) {
    case .value:
      guard pair.1 < 1_000_000_000,
        let date = Timestamp(
          seconds: Int64(bitPattern: pair.0),
          nanoseconds: UInt32(truncatingIfNeeded: pair.1)
        )
      else { return try reader.loaded(object, property) }
      return date
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
      transaction.pointWriter.setPair(
        object,
        property,
        .date,
        (UInt64(bitPattern: value.seconds), UInt64(value.nanoseconds))
      )
    {
      return
    }
    try transaction.setPair(
      object,
      property,
      .date,
      value.map { value in (UInt64(bitPattern: value.seconds), UInt64(value.nanoseconds)) }
    )
  }
}

extension ObjectId: ScalarPropertyValue {
  /// The kind of the properties that hold it.
  public static var kind: ValueKind { .objectId }

  /// Makes it from a stored value; `nil` for one of another type.
  public init?(_ value: Value) {
    guard case .objectId(let stored) = value else { return nil }
    self = stored
  }

  /// The value to store.
  public var value: Value { .objectId(self) }

  /// Reads a property; `nil` where it is null.
  @inlinable
  @inline(__always)
  public static func readNullable(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ target: ClassKey,
    in reader: DatabaseReader
  ) throws(DatabaseError) -> Self? {
    var pair: (UInt64, UInt64) = (0, 0)
    switch reader.points.readPair(object, property, .objectId, &pair) {
    case .value: return ObjectId(high: pair.0, low: UInt32(truncatingIfNeeded: pair.1))
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
      transaction.pointWriter.setPair(object, property, .objectId, (value.high, UInt64(value.low)))
    {
      return
    }
    try transaction.setPair(
      object,
      property,
      .objectId,
      value.map { value in (value.high, UInt64(value.low)) }
    )
  }
}

extension UUIDValue: ScalarPropertyValue {
  /// The kind of the properties that hold it.
  public static var kind: ValueKind { .uuid }

  /// Makes it from a stored value; `nil` for one of another type.
  public init?(_ value: Value) {
    guard case .uuid(let stored) = value else { return nil }
    self = stored
  }

  /// The value to store.
  public var value: Value { .uuid(self) }

  /// Reads a property; `nil` where it is null.
  @inlinable
  @inline(__always)
  public static func readNullable(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ target: ClassKey,
    in reader: DatabaseReader
  ) throws(DatabaseError) -> Self? {
    var pair: (UInt64, UInt64) = (0, 0)
    switch reader.points.readPair(object, property, .uuid, &pair) {
    case .value: return UUIDValue(high: pair.0, low: pair.1)
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
    if let value, transaction.pointWriter.setPair(object, property, .uuid, (value.high, value.low))
    {
      return
    }
    try transaction.setPair(object, property, .uuid, value.map { value in (value.high, value.low) })
  }
}

extension Decimal128: ScalarPropertyValue {
  /// The kind of the properties that hold it.
  public static var kind: ValueKind { .decimal128 }

  /// Makes it from a stored value; `nil` for one of another type.
  public init?(_ value: Value) {
    guard case .decimal128(let stored) = value else { return nil }
    self = stored
  }

  /// The value to store.
  public var value: Value { .decimal128(self) }

  /// Reads a property; `nil` where it is null.
  @inlinable
  @inline(__always)
  public static func readNullable(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ target: ClassKey,
    in reader: DatabaseReader
  ) throws(DatabaseError) -> Self? {
    var pair: (UInt64, UInt64) = (0, 0)
    switch reader.points.readPair(object, property, .decimal128, &pair) {
    case .value: return Decimal128(high: pair.0, low: pair.1)
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
      transaction.pointWriter.setPair(object, property, .decimal128, (value.high, value.low))
    {
      return
    }
    try transaction.setPair(
      object,
      property,
      .decimal128,
      value.map { value in (value.high, value.low) }
    )
  }
}
