// swift-format-ignore-file: NoLeadingUnderscores
//
// `_enclosingInstance` is the compiler's name.
//
// A managed property costs what it costs to read it because nothing of the wrapper is left when it
// is inlined: the key paths are literals in the accessor that the compiler makes, and a load at a
// fixed offset is what remains. A key path must never be handed to a function that is not inlined:
// that builds an object for it on each access.

public import KennelCore

/// Declares a stored property of a model class.
///
/// ```swift
/// class Fleet: Object {
///   @Persisted(primaryKey: true) var id: ObjectId
///   @Persisted var name = ""
///   @Persisted(indexed: true) var founded: Int?
///   @Persisted(deleteRule: .cascade) var ships: List<Ship>
///   @Persisted var ports: MutableSet<String>
///   @Persisted var crew: Map<String, Int>
/// }
/// ```
///
/// Without a default, a property is `nil` if optional, otherwise 0, `false`, empty, the current
/// date, a new identifier, or the first case.
@propertyWrapper
public struct Persisted<Value: _Persistable> {
  @usableFromInline
  internal enum Storage {
    /// Unmanaged, without a declared default, and not read yet.
    case unset
    /// The value of an unmanaged object.
    case value(Value)
    /// Stored in a realm.
    case managed(PropertyKey)
    /// Unmanaged, and not read yet: an inverse relationship.
    case declared(Value)
    /// Notes what is read: the position in the class's properties.
    case recording(PropertyKey)
    /// The same, with the declared default to be read: not every type has a value of its own.
    case recordingDefault(Value, PropertyKey)
  }

  @usableFromInline internal var storage: Storage
  @usableFromInline internal var traits: PropertyTraits

  /// Cannot be used: only an ``Object`` or ``EmbeddedObject`` may declare such a property.
  @available(
    *,
    unavailable,
    message: "@Persisted can only be used as a property on a Realm object"
  )
  public var wrappedValue: Value {
    get { throwRealmException("@Persisted can only be used as a property on a Realm object") }
    set { throwRealmException("@Persisted can only be used as a property on a Realm object") }
  }

  @inlinable
  internal init(_ storage: Storage, _ traits: PropertyTraits) {
    self.storage = storage
    self.traits = traits
  }

  /// Declares a property with the default of its type.
  @inlinable
  public init() {
    self.init(.unset, PropertyTraits())
  }

  /// Declares a property with a default.
  @inlinable
  public init(wrappedValue: Value) {
    self.init(.value(wrappedValue), PropertyTraits())
  }

  /// Reads and writes the property; called by the compiler.
  @inlinable
  public static subscript<Enclosing: ObjectBase>(
    _enclosingInstance object: Enclosing,
    wrapped wrapped: ReferenceWritableKeyPath<Enclosing, Value>,
    storage storage: ReferenceWritableKeyPath<Enclosing, Persisted<Value>>
  ) -> Value {
    // No access may last while something unknown runs: the compiler leaves the checks of exclusive
    // access out only where none does, and each costs as much as the rest.
    @inline(__always)
    get {
      // One case after the other: a switch over all makes the compiler copy what the others hold.
      if case .managed(let key) = object[keyPath: storage].storage { return stored(object, key) }
      if case .value(let value) = object[keyPath: storage].storage { return value }
      let (value, renewed) = read(object[keyPath: storage].storage, object)
      if let renewed { object[keyPath: storage].storage = renewed }
      return value
    }
    @inline(__always)
    set {
      if Value._isCached {
        let (collection, renewed) = read(object[keyPath: storage].storage, object)
        if let renewed { object[keyPath: storage].storage = renewed }
        assign(newValue, to: collection, object)
        return
      }
      if case .managed(let key) = object[keyPath: storage].storage {
        store(newValue, object, key)
      } else {
        object[keyPath: storage].storage = .value(newValue)
      }
    }
  }

  // The compiler does not look through the conformances of the standard library's types: the most
  // frequent ones are called by name. What is left of this in a program is one of the lines.

  @inlinable
  @inline(__always)
  internal static func stored(_ object: ObjectBase, _ key: PropertyKey) -> Value {
    if Value._isLink {
      let type = known(Value._NonNull.self as Any.Type, as: ObjectBase.Type.self)
      return known(object.target(key, as: type), as: Value.self)
    }
    if Value.self == Int.self { return known(Int._get(object, key), as: Value.self) }
    if Value.self == String.self {
      return known(String._get(object, key), as: Value.self)
    }
    if Value.self == Bool.self {
      return known(Bool._get(object, key), as: Value.self)
    }
    if Value.self == Double.self {
      return known(Double._get(object, key), as: Value.self)
    }
    if Value.self == Date.self {
      return known(Date._get(object, key), as: Value.self)
    }
    if Value.self == Int?.self {
      return known(Int._getOptional(object, key), as: Value.self)
    }
    if Value.self == String?.self {
      return known(String._getOptional(object, key), as: Value.self)
    }
    return Value._get(object, key)
  }

  @inlinable
  @inline(__always)
  internal static func store(_ value: Value, _ object: ObjectBase, _ key: PropertyKey) {
    if Value.self == Int.self {
      Int._set(object, key, known(value, as: Int.self))
    } else if Value.self == String.self {
      String._set(object, key, known(value, as: String.self))
    } else if Value.self == Bool.self {
      Bool._set(object, key, known(value, as: Bool.self))
    } else if Value.self == Double.self {
      Double._set(object, key, known(value, as: Double.self))
    } else if Value.self == Date.self {
      Date._set(object, key, known(value, as: Date.self))
    } else {
      Value._set(object, key, value)
    }
  }

  /// The value of a storage, and what the storage becomes, if it becomes something else.
  @inline(never)
  @usableFromInline
  internal static func read(_ storage: Storage, _ object: ObjectBase) -> (Value, Storage?) {
    switch storage {
    case .value(let value): return (value, nil)
    case .declared(let value):
      let value = Value._read(declared: value)
      return (value, .value(value))
    case .unset:
      let value = Value._makeDefault()
      return (value, .value(value))
    case .managed(let key): return (Value._get(object, key), nil)
    case .recording(let position): return (recorded(position, object) ?? Value._makeDefault(), nil)
    case .recordingDefault(let value, let position):
      _ = recorded(position, object, isValueNeeded: false)
      return (value, nil)
    }
  }

  @inline(never)
  @usableFromInline
  internal static func recorded(
    _ position: PropertyKey,
    _ object: ObjectBase,
    isValueNeeded: Bool = true
  ) -> Value? {
    guard let recorder = object.recorder else { return nil }
    recorder.note(position, of: object)
    return isValueNeeded ? Value._record(recorder) : nil
  }

  /// The value, which is kept where it is made here.
  internal mutating func value(of object: ObjectBase) -> Value {
    let (value, renewed) = Self.read(storage, object)
    if let renewed { storage = renewed }
    return value
  }

  /// Fills the collection that is there with the elements of another.
  @inline(never)
  @usableFromInline
  internal static func assign(_ value: Value, to collection: Value, _ object: ObjectBase) {
    guard let collection = collection as? any AssignableCollection else {
      Value._set(object, PropertyKey(rawValue: 0), value)
      return
    }
    collection.assign(value)
  }
}

extension Persisted where Value.PersistedType: _Indexable {
  /// Declares an indexed property with the default of its type.
  public init(indexed: Bool) {
    self.init(.unset, PropertyTraits(isIndexed: indexed))
  }

  /// Declares an indexed property with a default.
  public init(wrappedValue: Value, indexed: Bool) {
    self.init(.value(wrappedValue), PropertyTraits(isIndexed: indexed))
  }
}

extension Persisted where Value.PersistedType: _PrimaryKey {
  /// Declares the primary key with the default of its type.
  public init(primaryKey: Bool) {
    self.init(.unset, PropertyTraits(isPrimaryKey: primaryKey))
  }

  /// Declares the primary key with a default.
  public init(wrappedValue: Value, primaryKey: Bool) {
    self.init(.value(wrappedValue), PropertyTraits(isPrimaryKey: primaryKey))
  }
}

/// A type that a property with a delete rule can have.
///
/// ```swift
/// class Convoy: Object {
///   @Persisted(deleteRule: .deny) var flagship: Ship?
///   @Persisted(deleteRule: .cascade) var ships: List<Ship>
/// }
/// ```
public protocol DeleteRuleProperty: _Persistable {}

extension Optional: DeleteRuleProperty where Wrapped: Object {}

extension Persisted where Value: DeleteRuleProperty {
  /// Declares a link, or a collection of links, with a delete rule.
  public init(deleteRule: DeleteRule) {
    self.init(.unset, PropertyTraits(deleteRule))
  }
}

/// The type of an inverse relationship.
///
/// ```swift
/// class Buoy: Object {
///   @Persisted var name = ""
///   @Persisted(originProperty: "buoy") var moorings: LinkingObjects<Mooring>
/// }
/// ```
public protocol LinkingObjectsProtocol {
  /// The class of the objects that link.
  associatedtype Element
  /// Creates an inverse relationship from the class of the linking objects and the name of their
  /// link property.
  init(fromType: Element.Type, property: String)
  /// Makes one for a declaration.
  init(_declared property: String)
}

extension Persisted where Value: LinkingObjectsProtocol {
  /// Declares an inverse relationship: the objects that link here through the named property.
  public init(originProperty: String) {
    self.init(.declared(Value(_declared: originProperty)), PropertyTraits())
  }
}

// MARK: - Coding

extension Persisted: Decodable where Value: Decodable {
  /// Decodes the value of an unmanaged object.
  ///
  /// - Parameter decoder: The decoder to read from.
  /// - Throws: What the value's type throws.
  public init(from decoder: any Decoder) throws {
    self.init(wrappedValue: try decoder.singleValueContainer().decode(Value.self))
  }
}

extension Persisted: Encodable where Value: Encodable {
  /// Encodes the value of an unmanaged object.
  ///
  /// - Parameter encoder: The encoder to write to.
  /// - Throws: `EncodingError` for a managed object, whose class must define `encode(to:)` itself.
  public func encode(to encoder: any Encoder) throws {
    // Through a container, since encoders treat dates, data and the like as they are set to.
    var container = encoder.singleValueContainer()
    switch storage {
    case .value(let value), .declared(let value): try container.encode(value)
    case .unset: try container.encode(Value._makeDefault())
    case .managed, .recording, .recordingDefault:
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription: "Only unmanaged objects can be encoded by what the compiler makes; "
            + "define encode(to:) on the model class to encode managed ones."
        )
      )
    }
  }
}

/// A property wrapper whose value may be missing when decoding.
///
/// ```swift
/// class Lighthouse: Object, Codable {
///   @Persisted var name: String
///   @Persisted var height: Int?
/// }
/// ```
public protocol OptionalCodingWrapper {
  /// The type of the value.
  associatedtype WrappedType: ExpressibleByNilLiteral
  /// Creates a wrapper of a value.
  init(wrappedValue: WrappedType)
}

extension Persisted: OptionalCodingWrapper where Value: ExpressibleByNilLiteral {}

extension KeyedDecodingContainer {
  /// Decodes a wrapper; its value is `nil` if the key is missing.
  ///
  /// - Parameters:
  ///   - type: The wrapper's type.
  ///   - key: The key.
  /// - Returns: The wrapper.
  /// - Throws: What decoding the value throws.
  public func decode<T>(_ type: T.Type, forKey key: KeyedDecodingContainer<K>.Key) throws -> T
  where T: Decodable, T: OptionalCodingWrapper {
    try decodeIfPresent(T.self, forKey: key) ?? T(wrappedValue: nil)
  }
}
