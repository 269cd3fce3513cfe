// swift-format-ignore-file: NoLeadingUnderscores

public import KennelCore

/// The base class of model classes.
///
/// ```swift
/// class Ship: Object {
///   @Persisted(primaryKey: true) var name: String
///   @Persisted var tons = 0
///   @Persisted var captain: Captain?
///   @Persisted var voyages: List<Voyage>
/// }
/// ```
///
/// In a module with main-actor isolation by default, write `nonisolated class Dog: Object`.
open class Object: ObjectBase {
  /// Creates an unmanaged object with the defaults of its properties.
  public required init() {
    super.init()
  }

  /// Creates an unmanaged object from a dictionary, an array or another object.
  ///
  /// - Parameter value: A dictionary by property name, an array of all property values in order, or
  ///   an object with the same property names. Links take such values, too.
  public convenience init(value: Any) {
    self.init()
    ObjectFiller(.error).fill(self, with: value)
  }
}

/// The base class of embedded objects.
///
/// ```swift
/// class Voyage: EmbeddedObject {
///   @Persisted var port = ""
///   @Persisted var days = 1
/// }
/// ```
///
/// An embedded object has exactly one owner. It is deleted with its owner, or when it is replaced.
open class EmbeddedObject: ObjectBase {
  /// Creates an unmanaged object with the defaults of its properties.
  public required init() {
    super.init()
  }

  /// Creates an unmanaged object from a dictionary, an array or another object.
  ///
  /// - Parameter value: See ``Object/init(value:)``.
  public convenience init(value: Any) {
    self.init()
    ObjectFiller(.error).fill(self, with: value)
  }
}

/// The protocol of types that ``Realm/objects(_:)`` takes.
///
/// ```swift
/// func count<T: RealmFetchable>(_ type: T.Type) -> Int { realm.objects(type).count }
/// print(count(Ship.self), count(Captain.self))
/// ```
public protocol RealmFetchable: RealmCollectionValue {
  /// The name of the class.
  static func className() -> String
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Object: _PersistableInsideOptional, RealmFetchable {
  public typealias PersistedType = Object
  @inlinable
  public func _encode(_ context: RealmContext?) -> StoredValue {
    guard let context else { return .null }
    return .link(context.adder.managedIdentity(of: self))
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension EmbeddedObject: _PersistableInsideOptional {
  public typealias PersistedType = EmbeddedObject
  @inlinable
  public func _encode(_ context: RealmContext?) -> StoredValue {
    guard self.context != nil else { return .null }
    return .link(identity)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension _PersistableInsideOptional where Self: ObjectBase {
  @inlinable
  public static var _shape: PropertyShape { PropertyShape(.object, objectClass: self) }
  @inlinable
  public static var _isObject: Bool { true }
  @inlinable
  public static func _makeDefault() -> Self { Self() }
  @inlinable
  public static func _record(_ recorder: PathRecorder) -> Self { recording(recorder) }
  @inlinable
  public static func _decode(_ value: StoredValue, _ context: RealmContext?) -> Self {
    linked(value, context)
  }
  @inlinable
  public static func _getOptional(_ object: ObjectBase, _ key: PropertyKey) -> Self? {
    object.target(key, as: self).map { known($0, as: Self.self) }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension _PersistableInsideOptional where Self: Object {
  @inlinable
  public static func _setOptional(_ object: ObjectBase, _ key: PropertyKey, _ value: Self?) {
    object.context?.link(object, key, to: value)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension RealmCollectionValue where Self: EmbeddedObject {
  @inlinable
  public var _embedded: EmbeddedObject? { self }
}

extension ObjectBase {
  /// An accessor of the object that a link leads to.
  @usableFromInline
  internal static func linked(
    _ value: StoredValue,
    _ context: RealmContext?
  ) -> Self {
    guard case .link(let identity) = value, let context else {
      throwRealmException("There is no object of class '\(className())' here")
    }
    return known(context.accessors.make(identity, as: self), as: Self.self)
  }
}
