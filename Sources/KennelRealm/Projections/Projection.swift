// swift-format-ignore-file: NoLeadingUnderscores

public import KennelCore

/// The protocol of all projections, for generic code.
///
/// ```swift
/// func isStored(_ card: some ProjectionObservable) -> Bool { card.rootObject.realm != nil }
/// print(isStored(ShipCard(projecting: ship)))
/// ```
public protocol ProjectionObservable: AnyObject, ThreadConfined, KeypathSortable {
  /// The class of the projected object.
  associatedtype Root: ObjectBase
  /// The projected object.
  var rootObject: Root { get }
  /// Creates a projection of an object.
  init(projecting object: Root)
}

/// The base class of projections: a live view of some properties of an object, under other names.
///
/// ```swift
/// class ShipCard: Projection<Ship> {
///   @Projected(\Ship.name) var title
///   @Projected(\Ship.captain?.name) var captainName
///   @Projected(\Ship.voyages.projectTo.port) var ports: ProjectedCollection<String>
/// }
/// ```
///
/// A projection stores nothing. It reads and writes the properties of its object, and is confined to
/// the thread, queue or actor of the object's realm.
///
/// ```swift
/// for card in realm.objects(ShipCard.self).where({ $0.tons > 300 }).sorted(by: \.title) {
///   print(card.title, card.captainName ?? "-", card.ports.joined(separator: ", "))
/// }
/// ```
///
/// Results create a projection when it is asked for. Queries name the properties of the object's
/// class; sorting, `distinct`, aggregates, sections and `observe` also take key paths of the
/// projection. Such a key path stands for the path of stored properties that the projected property
/// reads: `\.captainName` for `captain.name`.
open class Projection<Root: ObjectBase & RealmCollectionValue>: ProjectionObservable,
  RealmCollectionValue, RealmFetchable, CustomStringConvertible
{
  /// The projected object.
  public final let rootObject: Root

  /// Creates a projection of an object, which may be unmanaged.
  ///
  /// - Parameter object: The object.
  public required init(projecting object: Root) {
    rootObject = object
    // A wrong declaration is told here rather than where a property is read.
    ProjectionClass.of(self).prepare(self)
  }

  /// Returns the name of the object's class.
  public static func className() -> String { Root.className() }

  // MARK: - State

  /// The realm of the object; `nil` if it is unmanaged.
  public var realm: Realm? { rootObject.realm }

  /// Whether the object was deleted from its realm, or the realm was invalidated.
  public var isInvalidated: Bool { rootObject.isInvalidated }

  /// Returns a projection of the frozen object, for any thread.
  ///
  /// - Returns: The frozen projection.
  public func freeze() -> Self { Self(projecting: rootObject.freeze()) }

  /// Returns the projection of the live object, on this thread.
  ///
  /// - Returns: The projection; `nil` if the object was deleted.
  public func thaw() -> Self? { rootObject.thaw().map { Self(projecting: $0) } }

  /// Returns whether both project the same object of the same realm.
  public static func == (left: Projection, right: Projection) -> Bool {
    left.rootObject.isSameObject(as: right.rootObject)
  }

  /// Hashes the identity of the object.
  public final func hash(into hasher: inout Hasher) {
    if rootObject.context == nil {
      hasher.combine(ObjectIdentifier(rootObject))
    } else {
      hasher.combine(rootObject.identity)
    }
  }

  /// The projection, and each property with the path that it stands for and its value.
  open var description: String {
    if isInvalidated { return "[invalid object]" }
    let lines = ProjectionClass.of(self).properties.map { property in
      let value = rootObject[keyPath: property.keyPath].map { "\($0)" } ?? "nil"
      return "\t\(property.name)(\\.\(property.path)) = \(value);"
    }
    let address = String(UInt(bitPattern: ObjectIdentifier(rootObject)), radix: 16)
    return "\(type(of: self))<\(type(of: rootObject))> <0x\(address)> {\n\t"
      + lines.joined(separator: "\n") + "\n}"
  }

  // MARK: - As an element of results

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public typealias PersistedType = Root.PersistedType
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public typealias _NonNull = Projection
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public static var _shape: PropertyShape { Root._shape }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public static func _makeDefault() -> Self { Self(projecting: Root._makeDefault()) }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public static func _recording(_ recorder: PathRecorder) -> Self {
    Self(projecting: Root._recording(recorder))
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public static func _record(_ recorder: PathRecorder) -> Self { _recording(recorder) }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public static func _decode(_ value: StoredValue, _ context: RealmContext?) -> Self {
    Self(projecting: Root._decode(value, context))
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public func _encode(_ context: RealmContext?) -> StoredValue { rootObject._encode(context) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension KeypathSortable where Self: ProjectionObservable {
  public var _object: ObjectBase { rootObject }
}

@available(*, unavailable, message: "Projections belong to the thread or actor of their realm")
extension Projection: Sendable {}

extension Projection: ReferableConfined {
  func recipe() -> (RealmContext) -> Any? {
    let (root, projection) = (rootObject.recipe(), type(of: self))
    return { context in (root(context) as? Root).map { projection.init(projecting: $0) } }
  }
}

extension Query where T: ProjectionObservable {
  /// A property of the projected object.
  public subscript<V>(dynamicMember member: KeyPath<T.Root, V>) -> Query<V> {
    Query<V>(adding(_name(for: member), isCollection: V.self is any _QueryCollection.Type))
  }
}
