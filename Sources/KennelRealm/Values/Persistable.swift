// swift-format-ignore-file: NoLeadingUnderscores
//
// Requirements that types of the standard library fulfil begin with an underscore, as the names of
// Realm's own protocols do, so that completion does not offer `Int._shape` to everybody.

public import KennelCore

/// A type with a stored type, such as an enumeration with its raw value.
public protocol _HasPersistedType {
  /// The type that is stored.
  associatedtype PersistedType = Self
}

/// A type of properties declared with ``Persisted``.
public protocol _Persistable: _HasPersistedType {
  /// The type of a value that is not null.
  associatedtype _NonNull = Self
  /// The kind of property that it makes.
  static var _shape: PropertyShape { get }
  /// Whether each object makes one value and keeps it, as for collections.
  static var _isCached: Bool { get }
  /// The initial value of a property that is declared without a default.
  static func _makeDefault() -> Self
  /// Reads a property of a managed object.
  static func _get(_ object: ObjectBase, _ key: PropertyKey) -> Self
  /// Writes a property of a managed object.
  static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: Self)
  /// The declared value, when the property of an unmanaged object is first read.
  static func _read(declared: Self) -> Self
  /// A value that notes what is read of it.
  static func _record(_ recorder: PathRecorder) -> Self
  /// Whether it is an optional without a value.
  var _isNil: Bool { get }
  /// Whether it is a to-one link: an optional of a model class.
  static var _isLink: Bool { get }
}

extension _Persistable {
  /// False: most values are not links.
  @inlinable
  public static var _isLink: Bool { false }

  /// False: most values are not optionals.
  @inlinable
  public var _isNil: Bool { false }

  /// False: most values are read anew each time.
  @inlinable
  public static var _isCached: Bool { false }

  /// Returns the declared value itself, which most types can use as it is.
  public static func _read(declared: Self) -> Self { declared }

  /// The default: single values have nothing to note.
  @inlinable
  public static func _record(_ recorder: PathRecorder) -> Self { _makeDefault() }
}

/// A type of elements of lists, sets and maps.
///
/// ```swift
/// func last<T: RealmCollectionValue>(of list: List<T>) -> T? { list.last }
/// print(last(of: fleet.ships)?.name ?? "")
/// ```
///
/// ``PersistedType`` may itself be stored as another type, its own `PersistedType`; that second
/// type must be stored as itself.
public protocol RealmCollectionValue: _Persistable, Hashable
where
  PersistedType: RealmCollectionValue,
  PersistedType.PersistedType.PersistedType == PersistedType.PersistedType
{
  /// Creates a value from a stored one.
  static func _decode(_ value: StoredValue, _ context: RealmContext?) -> Self
  /// The value to store; an unmanaged object is added to the realm first.
  func _encode(_ context: RealmContext?) -> StoredValue
  /// The value as an embedded object; `nil` if it is not one. An embedded object is created in the
  /// property or element that owns it.
  var _embedded: EmbeddedObject? { get }
  /// Whether the type is a model class.
  static var _isObject: Bool { get }
}

extension RealmCollectionValue {
  /// False: most types are no model classes.
  @inlinable
  public static var _isObject: Bool { false }

  /// Nil: most values are not embedded objects.
  @inlinable
  public var _embedded: EmbeddedObject? { nil }

  /// Reads a property of a managed object.
  @inlinable
  public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> Self {
    _decode(object.stored(key), object.context)
  }

  /// Writes a property of a managed object.
  @inlinable
  public static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: Self) {
    object.requireWritable(key)
    if let embedded = value._embedded {
      object.place(embedded, key)
    } else {
      object.store(key, value._encode(object.context))
    }
  }
}

/// A type that an optional property can hold.
public protocol _PersistableInsideOptional: RealmCollectionValue
where PersistedType: _PersistableInsideOptional {
  /// Creates a value of a stored one that is not null; `nil` if the type has no such value.
  static func _decodeIfValid(
    _ value: StoredValue,
    _ context: RealmContext?
  ) -> Self?
  /// Reads an optional property of a managed object.
  static func _getOptional(_ object: ObjectBase, _ key: PropertyKey) -> Self?
  /// Writes an optional property of a managed object.
  static func _setOptional(_ object: ObjectBase, _ key: PropertyKey, _ value: Self?)
}

extension _PersistableInsideOptional {
  /// Reads an optional property of a managed object.
  @inlinable
  public static func _getOptional(_ object: ObjectBase, _ key: PropertyKey) -> Self? {
    let value = object.stored(key)
    return value.isNull ? .none : _decodeIfValid(value, object.context)
  }

  /// Writes an optional property of a managed object.
  @inlinable
  public static func _setOptional(_ object: ObjectBase, _ key: PropertyKey, _ value: Self?) {
    object.requireWritable(key)
    if let embedded = value?._embedded {
      object.place(embedded, key)
    } else {
      object.store(key, value?._encode(object.context) ?? .null)
    }
  }

  /// The decoded value: most types can represent every stored value.
  @inlinable
  public static func _decodeIfValid(
    _ value: StoredValue,
    _ context: RealmContext?
  ) -> Self? {
    _decode(value, context)
  }
}

/// A type that can be an optional element of collections.
public typealias _RealmCollectionValueInsideOptional = _PersistableInsideOptional
/// Realm Swift's name for ``_Persistable``.
public typealias _RealmSchemaDiscoverable = _Persistable
/// A type that `RealmOptional` can hold, in older models.
public typealias RealmOptionalType = _PersistableInsideOptional

/// A type that an indexed property can have.
public protocol _Indexable {}
/// A type that a primary key can have.
public protocol _PrimaryKey {}
/// A type that queries compare by order.
public protocol _QueryOrdered {}
/// A type that queries calculate with.
public protocol _QueryNumeric: _QueryOrdered {}
/// A type that queries search as bytes.
public protocol _QueryBinary {}
/// A type that queries search as text.
public protocol _QueryString: _QueryBinary, _QueryOrdered {}

/// A type whose values have a smallest and a largest one.
///
/// ```swift
/// let longest = ship.voyages.max(of: \.days)
/// print(longest ?? 0)
/// ```
public protocol MinMaxType {}
/// A type whose values can be summed and averaged.
///
/// ```swift
/// let days: Int = ship.voyages.sum(of: \.days)
/// print(days)
/// ```
public protocol AddableType {}
/// A type that collections can be sorted by.
///
/// ```swift
/// let ships = realm.objects(Ship.self).sorted(by: \.tons, ascending: false)
/// print(ships.first?.name ?? "")
/// ```
public protocol SortableType {}

/// A protocol of optionals, for generic types.
///
/// ```swift
/// func count(_ values: [some OptionalProtocol]) -> Int {
///   values.filter { $0._rlmInferWrappedType() != nil }.count
/// }
/// print(count([1, nil, 3]))
/// ```
public protocol OptionalProtocol {
  /// The type of the value that may be there.
  associatedtype Wrapped
  /// The value as a Swift `Optional`.
  func _rlmInferWrappedType() -> Wrapped?
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Optional: OptionalProtocol {
  public func _rlmInferWrappedType() -> Wrapped? { self }
}

extension Optional: _HasPersistedType where Wrapped: _PersistableInsideOptional {
  /// The type that is stored.
  public typealias PersistedType = Wrapped.PersistedType?
}

extension Optional: _Persistable where Wrapped: _PersistableInsideOptional {}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Optional: RealmCollectionValue where Wrapped: _PersistableInsideOptional {
  public typealias _NonNull = Wrapped
  @inlinable
  public static var _shape: PropertyShape {
    var shape = Wrapped._shape
    shape.isOptional = true
    return shape
  }
  @inlinable
  @inline(__always)
  public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> Wrapped? {
    Wrapped._getOptional(object, key)
  }
  @inlinable
  @inline(__always)
  public static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: Wrapped?) {
    Wrapped._setOptional(object, key, value)
  }
  @inlinable
  public static func _makeDefault() -> Wrapped? { .none }
  @inlinable
  public var _isNil: Bool { self == nil }
  @inlinable
  public static var _isLink: Bool { Wrapped._isObject }
  @inlinable
  public static func _record(_ recorder: PathRecorder) -> Wrapped? {
    Wrapped._isObject ? Wrapped._record(recorder) : .none
  }
  @inlinable
  public static func _decode(
    _ value: StoredValue,
    _ context: RealmContext?
  ) -> Wrapped? {
    value.isNull ? .none : Wrapped._decodeIfValid(value, context)
  }
  @inlinable
  public func _encode(_ context: RealmContext?) -> StoredValue {
    self?._encode(context) ?? .null
  }
  @inlinable
  public var _embedded: EmbeddedObject? { self?._embedded }
}

extension Optional: _PrimaryKey where Wrapped: _PrimaryKey {}
extension Optional: _Indexable where Wrapped: _Indexable {}
extension Optional: _QueryOrdered where Wrapped: _QueryOrdered {}
extension Optional: _QueryNumeric where Wrapped: _QueryNumeric {}
extension Optional: _QueryString where Wrapped: _QueryString {}
extension Optional: _QueryBinary where Wrapped: _QueryBinary {}
extension Optional: MinMaxType where Wrapped: MinMaxType {}
extension Optional: AddableType where Wrapped: AddableType {}
extension Optional: SortableType where Wrapped: SortableType {}
