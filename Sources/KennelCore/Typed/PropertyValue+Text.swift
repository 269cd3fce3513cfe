public import KennelStorage

extension String: ScalarPropertyValue {
  /// The kind of the properties that hold it.
  public static var kind: ValueKind { .string }

  /// Makes it from a stored value; `nil` for one of another type.
  public init?(_ value: Value) {
    guard case .string(let stored) = value else { return nil }
    self = stored
  }

  /// The value to store.
  public var value: Value { .string(self) }

  /// Reads a property; `nil` where it is null.
  @inlinable
  public static func readNullable(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ target: ClassKey,
    in reader: DatabaseReader
  ) throws(DatabaseError) -> Self? {
    if let text = reader.points.text(object, property) { return text }
    return try reader.loaded(object, property)
  }

  /// Sets a property, to null without a value.
  public static func setNullable(
    _ value: Self?,
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    in transaction: WriteTransaction
  ) throws(DatabaseError) {
    try transaction.setText(object, property, value)
  }
}
