// swift-format-ignore-file: NoLeadingUnderscores

public import KennelCore

/// A type that can be optional: a property holds one value or `nil`.
///
/// ```swift
/// func type<W: OptionalElement>(of wrapped: W.Type) -> String { "\(W?.propertyType)" }
/// print(type(of: Int.self), type(of: Object<Dog>.self))
/// ```
public protocol OptionalElement: CollectionElement {
  /// The stored form of an optional.
  associatedtype StoredOptional: KennelCore.PropertyValue
  /// Creates the stored form of a value or of none.
  static func _stored(_ optional: Self?) throws(DatabaseError) -> StoredOptional
  /// Makes a value from what is stored; throws if it does not fit.
  static func _optional(
    _ stored: StoredOptional,
    _ member: ModelMember,
    in session: Session
  ) throws(DatabaseError) -> Self?
}

extension Optional: Storable where Wrapped: OptionalElement {
  /// The type in the file.
  public static var propertyType: PropertyType { Wrapped.elementType.optional }
  /// The models that the values link to.
  public static var neighbors: [any Model.Type] { Wrapped.elementNeighbors }
  /// The value to store.
  @inlinable public var stored: Wrapped.StoredOptional {
    get throws(DatabaseError) { try Wrapped._stored(self) }
  }

  /// Whether the value, if it is an object, is of the session's file.
  @inlinable
  public func _belongs(to session: Session) -> Bool { self?._elementBelongs(to: session) ?? true }

  /// Makes a value from what is stored.
  @inlinable
  @inline(__always)
  public static func _make(
    _ stored: Wrapped.StoredOptional,
    _ property: Property<Self>,
    in session: Session
  ) throws(DatabaseError) -> Self {
    try Wrapped._optional(stored, property, in: session)
  }

  /// The value, or `nil`.
  @inlinable
  public static func _edited(_ value: Self?) -> Self { value ?? nil }
}

extension Optional: CollectionElement where Wrapped: Scalar {
  /// The type in the file.
  public static var elementType: PropertyType { Wrapped.elementType.optional }
  /// The value to store.
  public var elementValue: Value { self?._singleValue ?? .null }

  /// Makes a value from what is stored.
  public static func _element(
    _ value: Value,
    in session: Session,
    _ member: ModelMember
  ) -> Self? {
    if value.isNull { return .some(nil) }
    return Wrapped._element(value, in: session, member).map { .some($0) }
  }
}

/// A byte; an array of bytes, `Property<[UInt8]>`, is stored as one value.
extension UInt8: CollectionElement {
  /// The type in the file of a byte in a set or dictionary.
  public static var elementType: PropertyType { .int(bitWidth: 16) }
  /// Data.
  public static var arrayType: PropertyType { .data }
  /// The value to store.
  public var elementValue: Value { .int(Int64(self)) }

  /// Makes a byte from what is stored.
  public static func _element(
    _ value: Value,
    in session: Session,
    _ member: ModelMember
  ) -> UInt8? {
    if case .int(let number) = value { UInt8(exactly: number) } else { nil }
  }

  /// The bytes.
  public static func _stored(_ array: [UInt8]) -> [UInt8] { array }

  /// The bytes.
  public static func _array(
    _ stored: [UInt8],
    in session: Session,
    _ member: ModelMember
  ) -> [UInt8]? { stored }
}

extension Array: CollectionElement, OptionalElement where Element == UInt8 {
  /// Data.
  public static var elementType: PropertyType { .data }
  /// The value to store.
  public var elementValue: Value { .data(self) }

  /// Makes bytes from what is stored.
  public static func _element(
    _ value: Value,
    in session: Session,
    _ member: ModelMember
  ) -> [UInt8]? {
    if case .data(let bytes) = value { bytes } else { nil }
  }

  /// The bytes, or null.
  public static func _stored(_ optional: [UInt8]?) -> [UInt8]? { optional }

  /// The bytes, or null.
  public static func _optional(
    _ stored: [UInt8]?,
    _ member: ModelMember,
    in session: Session
  ) throws(DatabaseError) -> [UInt8]? { stored }
}

extension Array: Storable where Element: CollectionElement {
  /// A list, or data.
  public static var propertyType: PropertyType { Element.arrayType }
  /// The models that the elements link to.
  public static var neighbors: [any Model.Type] { Element.elementNeighbors }
  /// The value to store.
  public var stored: Element.StoredArray {
    get throws(DatabaseError) { try Element._stored(self) }
  }

  /// Whether all elements belong to the session's file.
  public func _belongs(to session: Session) -> Bool {
    allSatisfy { $0._elementBelongs(to: session) }
  }

  /// Makes an array from what is stored.
  public static func _make(
    _ stored: Element.StoredArray,
    _ property: Property<[Element]>,
    in session: Session
  ) throws(DatabaseError) -> [Element] {
    try property.require(Element._array(stored, in: session, property))
  }

  /// Reads a property.
  @inlinable
  @inline(__always)
  public static func _read(
    _ key: ObjectKey,
    _ property: Property<[Element]>,
    in session: Session
  ) throws(DatabaseError) -> Element.LoadedArray {
    try Element._readArray(key, property, in: session)
  }

  /// The array, or an empty one.
  public static func _edited(_ value: [Element]?) -> [Element] { value ?? [] }
}

extension Set: Storable where Element: CollectionElement {
  /// A set.
  public static var propertyType: PropertyType { .set(Element.elementType) }
  /// The models that the members link to.
  public static var neighbors: [any Model.Type] { Element.elementNeighbors }
  /// The value to store.
  public var stored: Value {
    get throws(DatabaseError) { .set(try Element.values(self)) }
  }

  /// Whether no member is an object of another file.
  public func _belongs(to session: Session) -> Bool {
    allSatisfy { $0._elementBelongs(to: session) }
  }

  /// Makes a set from what is stored.
  public static func _make(
    _ stored: Value,
    _ property: Property<Set<Element>>,
    in session: Session
  ) throws(DatabaseError) -> Set<Element> {
    guard case .set(let values) = stored else { throw property.wrongType(Self.self) }
    var members = Set(minimumCapacity: values.count)
    for value in values {
      members.insert(try property.require(Element._element(value, in: session, property)))
    }
    return members
  }

  /// The set, or an empty one.
  public static func _edited(_ value: Set<Element>?) -> Set<Element> { value ?? [] }
}

extension Dictionary: Storable where Key == String, Value: CollectionElement {
  /// A map.
  public static var propertyType: PropertyType { .map(Value.elementType) }
  /// The models that the values link to.
  public static var neighbors: [any Model.Type] { Value.elementNeighbors }
  /// The value to store.
  public var stored: KennelCore.Value {
    get throws(DatabaseError) {
      var entries: [MapEntry] = []
      for (key, value) in self { entries.append(MapEntry(key, try value.elementValue)) }
      return .map(entries)
    }
  }

  /// Whether no value is an object of another file.
  public func _belongs(to session: Session) -> Bool {
    values.allSatisfy { $0._elementBelongs(to: session) }
  }

  /// Makes a dictionary from what is stored; links that became null are left out.
  public static func _make(
    _ stored: KennelCore.Value,
    _ property: Property<[String: Value]>,
    in session: Session
  ) throws(DatabaseError) -> [String: Value] {
    guard case .map(let entries) = stored else { throw property.wrongType(Self.self) }
    let isLink = Value.elementType.kind == .link
    var values: [String: Value] = [:]
    for entry in entries where !(isLink && entry.value.isNull) {
      values[entry.key] = try property.require(Value._element(entry.value, in: session, property))
    }
    return values
  }

  /// The dictionary, or an empty one.
  public static func _edited(_ value: [String: Value]?) -> [String: Value] { value ?? [:] }
}

/// A value of any type.
extension Value: Storable, CollectionElement {
  /// Any type.
  public static var propertyType: PropertyType { .mixed }
  /// Any type.
  public static var elementType: PropertyType { .mixed }
  /// The value itself.
  public var stored: Value { self }
  /// The value itself.
  public var elementValue: Value { self }

  /// The value itself.
  public static func _make(
    _ stored: Value,
    _ property: Property<Value>,
    in session: Session
  ) throws(DatabaseError) -> Value { stored }

  /// The value itself.
  public static func _element(
    _ value: Value,
    in session: Session,
    _ member: ModelMember
  ) -> Value? { value }

  /// The value, or null.
  public static func _edited(_ value: Value?) -> Value { value ?? .null }
}
