public import KennelStorage

/// A type of values that a property may hold or have none of.
public protocol NullablePropertyValue: Sendable {
  /// The kind of the properties that hold it.
  static var kind: ValueKind { get }

  /// Makes it from a stored value; `nil` for one of another type.
  init?(_ value: Value)

  /// The value to store.
  var value: Value { get }
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
