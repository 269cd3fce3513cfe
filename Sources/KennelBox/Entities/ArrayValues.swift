// swift-format-ignore-file: NoLeadingUnderscores

public import KennelCore

/// A type whose arrays a property of an entity can hold.
///
/// ```swift
/// func type<Element: EntityArrayElement>(of: [Element].Type) -> PropertyType {
///   Element._arrayType
/// }
/// print(type(of: [UInt8].self))
/// ```
public protocol EntityArrayElement: Sendable {
  /// The type of the property in the database.
  static var _arrayType: PropertyType { get }
  /// The type of an optional property in the database.
  static var _optionalArrayType: PropertyType { get }
  /// Returns the elements of a stored value; `nil` for a value of another type.
  static func _array(_ value: Value) -> [Self]?
  /// Returns the value to store, which is not the same for `nil` and for an empty array.
  static func _value(_ array: [Self]?) -> Value
}

extension UInt8: EntityArrayElement {
  /// Bytes are stored as data.
  public static var _arrayType: PropertyType { .data }
  /// Bytes are stored as data.
  public static var _optionalArrayType: PropertyType { .data.optional }

  /// Returns the bytes of a stored value; `nil` for a value of another type.
  public static func _array(_ value: Value) -> [UInt8]? {
    if case .data(let bytes) = value { bytes } else { nil }
  }

  /// Returns the value to store.
  public static func _value(_ array: [UInt8]?) -> Value { array.map(Value.data) ?? .null }
}

extension EntityArrayElement where Self: EntityScalar {
  /// The elements are stored as a list.
  public static var _arrayType: PropertyType { .list(propertyType) }
  /// A list is never null; `nil` is stored as a list with one element, null.
  public static var _optionalArrayType: PropertyType { .list(_optionalType) }

  /// Returns the elements of a stored value; `nil` for a value of another type.
  public static func _array(_ value: Value) -> [Self]? {
    guard case .list(let elements) = value, elements != [.null] else { return nil }
    let scalars = elements.compactMap { Self(_storedValue: $0) }
    return scalars.count == elements.count ? scalars : nil
  }

  /// Returns the value to store.
  public static func _value(_ array: [Self]?) -> Value {
    .list(array?.map(\._storedValue) ?? [.null])
  }
}

extension String: EntityArrayElement {}
extension Float: EntityArrayElement {}
extension Int32: EntityArrayElement {}
extension Int64: EntityArrayElement {}

extension Array: EntityPropertyValue, EntityValue where Element: EntityArrayElement {
  /// The type of a value that is not `nil`.
  public typealias NonNull = Self

  /// The type of the property in the database.
  public static var propertyType: PropertyType { Element._arrayType }
  /// The type of an optional property in the database.
  public static var _optionalType: PropertyType { Element._optionalArrayType }

  /// Creates an array from a stored value; `nil` for null and for a value of another type.
  public init?(_storedValue value: Value) {
    guard let array = Element._array(value) else { return nil }
    self = array
  }

  /// The stored value of an optional array.
  public static func _storedValue(_ value: Self?) -> Value { Element._value(value) }

  /// Reads an optional property of an object.
  public static func _readOptional(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    in reader: DatabaseReader
  ) throws(DatabaseError) -> Self? {
    let value = try reader.value(of: object, property: property)
    if value == Element._value(nil) { return nil }
    guard let array = Element._array(value) else {
      throw unreadable(object, property, Self.self, reader)
    }
    return array
  }

  /// Writes an optional property of an object if the value differs from the stored one.
  public static func _writeOptional(
    _ value: Self?,
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    isBlank: Bool,
    in transaction: WriteTransaction
  ) throws(DatabaseError) {
    try transaction.set(object, property: property, to: Element._value(value))
  }
}
