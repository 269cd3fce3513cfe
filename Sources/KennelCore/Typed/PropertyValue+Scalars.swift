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
}

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
}

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
}
