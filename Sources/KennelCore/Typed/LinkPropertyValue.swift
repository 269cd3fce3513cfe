// swift-format-ignore-file: NoLeadingUnderscores

public import KennelStorage

extension ObjectIdentity: NullablePropertyValue, ElementPropertyValue {
  /// Reads a to-one link.
  @inlinable
  @inline(__always)
  public static func _readNullable(
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
  public static func _setNullable(
    _ value: Self?,
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    in transaction: WriteTransaction
  ) throws(DatabaseError) {
    if transaction.pointWriter.setLink(object, property, value) { return }
    try transaction.setLoaded(object, property, value)
  }

  /// Returns whether a property of a type is a list or set of links.
  public static func fits(_ type: PropertyType) -> Bool {
    type.kind == .link && (type.collection == .list || type.collection == .set)
  }

  /// Returns the targets of a list or set of links; `nil` if the type of the value differs.
  public static func array(_ value: Value) -> [ObjectIdentity]? {
    value.listed?.compactMap(ObjectIdentity.init)
  }

  /// Returns the value to store in a property of a type.
  public static func value(_ array: [ObjectIdentity], for type: PropertyType) -> Value {
    let links = array.map(Value.link)
    return type.collection == .set ? .set(links) : .list(links)
  }
}

/// An element type of list and set properties.
///
/// ```swift
/// func elements<V: ElementPropertyValue>(of value: Value, as type: V.Type) -> [V] {
///   V.array(value) ?? []
/// }
/// print(elements(of: .list([.link(rex)]), as: ObjectIdentity.self).count)
/// ```
public protocol ElementPropertyValue: Sendable {
  /// Returns whether a property of the given type holds arrays of this type.
  static func fits(_ type: PropertyType) -> Bool

  /// Creates an array from a stored value; `nil` if its type differs.
  static func array(_ value: Value) -> [Self]?

  /// Returns the value to store in a property of a type.
  static func value(_ array: [Self], for type: PropertyType) -> Value
}

extension Array: PropertyValue where Element: ElementPropertyValue {
  /// Returns whether a property of the given type holds arrays of this type.
  public static func fits(_ type: PropertyType) -> Bool { Element.fits(type) }

  /// Creates a value from a stored one; `nil` if its type differs.
  public init?(_ value: Value) {
    guard let array = Element.array(value) else { return nil }
    self = array
  }

  /// Returns the value to store in a property of a type.
  public func value(for type: PropertyType) -> Value { Element.value(self, for: type) }
}

/// An array of bytes is one `data` value, not a list.
extension UInt8: ElementPropertyValue {
  /// Returns whether a property of a type holds data.
  public static func fits(_ type: PropertyType) -> Bool {
    type.collection == .none && type.kind == .data && !type.isOptional
  }

  /// Returns the bytes of a value; `nil` if its type differs.
  public static func array(_ value: Value) -> [UInt8]? {
    if case .data(let bytes) = value { bytes } else { nil }
  }

  /// The value to store.
  public static func value(_ array: [UInt8], for type: PropertyType) -> Value { .data(array) }
}
