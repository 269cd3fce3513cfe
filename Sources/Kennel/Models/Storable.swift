// swift-format-ignore-file: NoLeadingUnderscores
//
// Requirements that begin with an underscore are how properties reach what is stored; programs use
// the properties.

public import KennelCore

/// A type of values that a ``Property`` holds.
///
/// ```swift
/// func value<V: Storable>(_ path: KeyPath<Dog, Property<V>>) throws -> V.Loaded {
///   try rex[dynamicMember: path]
/// }
/// print(try value(\.name))
/// ```
///
/// These types are: scalars, bytes and documents, and their optionals; links (`Object<Dog>?`);
/// arrays, sets and dictionaries of scalars and their optionals, bytes, documents or objects; and
/// `Value`. An enum is storable if it conforms to ``ScalarEnum``, a `Codable` type if it conforms
/// to ``Document``.
public protocol Storable: Sendable {
  /// The type that the engine stores.
  associatedtype Stored: KennelCore.PropertyValue
  /// The type that reading a property returns: the value, or ``Results`` for links to many objects.
  associatedtype Loaded = Self
  /// The type of the property while it is edited.
  associatedtype Edited = Self

  /// The type in the file.
  static var propertyType: PropertyType { get }
  /// The initial value in a new object; `nil` for the default of the type in the file.
  static var startingValue: Self? { get }
  /// The models that the values link to.
  static var neighbors: [any Model.Type] { get }
  /// The value to store; throws if a document cannot be encoded.
  var stored: Stored { get throws(DatabaseError) }

  /// Whether all objects in the value are of the file of a session.
  func _belongs(to session: Session) -> Bool

  /// Makes a value from what is stored.
  static func _make(
    _ stored: Stored,
    _ property: Property<Self>,
    in session: Session
  ) throws(DatabaseError) -> Self

  /// Reads a property.
  static func _read(
    _ key: ObjectKey,
    _ property: Property<Self>,
    in session: Session
  ) throws(DatabaseError) -> Loaded

  /// Returns what an editor shows of a value; the argument is `nil` if the stored value does not fit.
  static func _edited(_ value: Self?) -> Edited

  /// Converts what an editor was given; `nil` if it cannot be stored.
  static func _value(_ edited: Edited) -> Self?
}

extension Storable {
  /// None.
  public static var startingValue: Self? { nil }
  /// None.
  public static var neighbors: [any Model.Type] { [] }

  /// True: there is no object in it.
  @inlinable
  public func _belongs(to session: Session) -> Bool { true }

  /// Reads the whole value.
  @inlinable
  @inline(__always)
  internal static func load(
    _ key: ObjectKey,
    _ property: Property<Self>,
    in session: Session
  ) throws(DatabaseError) -> Self {
    guard let column = property.column else { throw property.unbound() }
    let object = ObjectIdentity(column.classKey, key)
    // Not by a closure, which would count what it holds.
    guard session.isOwned else { return try loadElsewhere(object, column, property, in: session) }
    return try _make(session.reader[object, column], property, in: session)
  }

  @usableFromInline
  @inline(never)
  internal static func loadElsewhere(
    _ object: ObjectIdentity,
    _ column: TypedProperty<Stored>,
    _ property: Property<Self>,
    in session: Session
  ) throws(DatabaseError) -> Self {
    try session.read { (reader) throws(DatabaseError) in
      try _make(reader[object, column], property, in: session)
    }
  }
}

extension Storable where Loaded == Self {
  /// Reads a property.
  @inlinable
  @inline(__always)
  public static func _read(
    _ key: ObjectKey,
    _ property: Property<Self>,
    in session: Session
  ) throws(DatabaseError) -> Self {
    try load(key, property, in: session)
  }
}

extension Storable where Edited == Self {
  /// The value itself.
  @inlinable
  public static func _value(_ edited: Self) -> Self? { edited }
}

extension Storable where Edited == Self? {
  /// The value itself.
  @inlinable
  public static func _edited(_ value: Self?) -> Self? { value }

  /// The value itself.
  @inlinable
  public static func _value(_ edited: Self?) -> Self? { edited }
}

/// A type of values that optionals and collections hold.
///
/// ```swift
/// func names<E: CollectionElement>(of type: E.Type) -> String { "\(E.elementType)" }
/// print(names(of: Int.self), names(of: String?.self))
/// ```
public protocol CollectionElement: Sendable {
  /// The type in the file.
  static var elementType: PropertyType { get }
  /// The models that the values link to.
  static var elementNeighbors: [any Model.Type] { get }
  /// The value to store; throws if a document cannot be encoded.
  var elementValue: Value { get throws(DatabaseError) }

  /// Whether the value belongs to the session's file; an object of another file does not.
  func _elementBelongs(to session: Session) -> Bool

  /// Makes a value from what is stored; `nil` if it does not fit.
  static func _element(_ value: Value, in session: Session, _ member: ModelMember) -> Self?

  /// The stored form of an array of these.
  associatedtype StoredArray: KennelCore.PropertyValue = Value
  /// The type that reading a property with an array of these returns.
  associatedtype LoadedArray = [Self]

  /// The type in the file of an array of these.
  static var arrayType: PropertyType { get }
  /// Creates the stored form of an array.
  static func _stored(_ array: [Self]) throws(DatabaseError) -> StoredArray
  /// Makes an array from what is stored; `nil` if it does not fit.
  static func _array(_ stored: StoredArray, in session: Session, _ member: ModelMember) -> [Self]?
  /// Reads a property with an array.
  static func _readArray(
    _ key: ObjectKey,
    _ property: Property<[Self]>,
    in session: Session
  ) throws(DatabaseError) -> LoadedArray
}

extension CollectionElement {
  /// None.
  public static var elementNeighbors: [any Model.Type] { [] }
  /// A list.
  public static var arrayType: PropertyType { .list(elementType) }

  /// True: it is no object.
  @inlinable
  public func _elementBelongs(to session: Session) -> Bool { true }

  internal static func values(
    _ elements: some Collection<Self>
  ) throws(DatabaseError) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(elements.count)
    for element in elements { values.append(try element.elementValue) }
    return values
  }
}

extension CollectionElement where StoredArray == Value {
  /// A list.
  public static func _stored(_ array: [Self]) throws(DatabaseError) -> Value {
    .list(try values(array))
  }

  /// The elements of a list.
  public static func _array(
    _ stored: Value,
    in session: Session,
    _ member: ModelMember
  ) -> [Self]? {
    guard case .list(let values) = stored else { return nil }
    var elements: [Self] = []
    elements.reserveCapacity(values.count)
    for value in values {
      guard let element = _element(value, in: session, member) else { return nil }
      elements.append(element)
    }
    return elements
  }
}

extension CollectionElement where LoadedArray == [Self] {
  /// The array.
  public static func _readArray(
    _ key: ObjectKey,
    _ property: Property<[Self]>,
    in session: Session
  ) throws(DatabaseError) -> [Self] {
    try [Self].load(key, property, in: session)
  }
}

extension ModelMember {
  /// A value made from what is stored, or the error that it does not fit.
  @inlinable
  @inline(__always)
  internal func require<T>(_ value: T?) throws(DatabaseError) -> T {
    guard let value else { throw wrongType(T.self) }
    return value
  }

  /// The error of a value that is not of the type of the property.
  @usableFromInline
  @inline(never)
  internal func wrongType<T>(_ type: T.Type) -> DatabaseError {
    DatabaseError(
      .wrongType,
      "\(name) holds a value that is no \(T.self); declare it with the type of the file, or migrate it",
      propertyName: name
    )
  }
}
