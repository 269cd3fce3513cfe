// swift-format-ignore-file: NoLeadingUnderscores

import Foundation
@_spi(Faces) public import KennelCore

/// The objects that link to an object through a property; live.
///
/// ```swift
/// class Captain: Object {
///   @Persisted var name = ""
///   @Persisted(originProperty: "captain") var ships: LinkingObjects<Ship>
/// }
/// ```
///
/// An object that links twice occurs twice. The collection cannot be changed; change the links.
public struct LinkingObjects<Element: ObjectBase & RealmCollectionValue>: RealmCollection,
  LinkingObjectsProtocol
{
  /// The name of the property that objects link with.
  @usableFromInline internal let originName: String
  /// The connection to the object; `nil` for a declaration that was not read.
  @usableFromInline internal let connection: InverseConnection?
  /// Tells it from others with the connection.
  @usableFromInline internal let number: Int

  @inlinable
  internal init(_ originName: String, _ connection: InverseConnection?) {
    self.originName = originName
    self.connection = connection
    number = connection?.nextNumber() ?? 0
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public init(_declared property: String) { self.init(property, nil) }

  /// Declares the inverse of a link.
  ///
  /// - Parameters:
  ///   - type: The class of the linking objects.
  ///   - propertyName: The name of the link property.
  public init(fromType type: Element.Type, property propertyName: String) {
    self.init(propertyName, InverseConnection())
  }

  /// The object whose links these are, while it is managed.
  internal var target: InverseTarget? { connection?.target }

  /// The source of queries.
  public var _source: ResultsSource {
    guard let target else {
      throwRealmException("This method may only be called on LinkingObjects of a managed object")
    }
    return ResultsSource(
      target.context,
      .origins(target.origin, to: target.identity, age: target.age)
    )
  }

  /// The realm; `nil` while the object is unmanaged.
  public var realm: Realm? { target.map { Realm($0.context) } }

  /// Whether the object was deleted or the realm was invalidated.
  public var isInvalidated: Bool { target == nil ? false : _source.isInvalidated }

  /// How many links there are; none to an unmanaged object.
  public var count: Int { target?.count ?? 0 }

  /// The object at a position.
  public subscript(position: Int) -> Element {
    connection?.prepare(for: Element.self)
    if let object = connection?.element(at: position) { return known(object, as: Element.self) }
    if let recorder = connection?.recorder { return Element._record(recorder) }
    requirePosition(position, below: .max)
    guard let target, let key = target.keys(position..<position + 1).first else {
      requirePosition(position, below: count)
      throwRealmException("Index \(position) is out of bounds (must be less than \(count)).")
    }
    return Element._decode(.link(ObjectIdentity(target.origin.classKey, key)), target.context)
  }

  /// Returns the position of an object; `nil` if it does not link here.
  ///
  /// - Parameter element: The object.
  /// - Returns: The position.
  public func index(of element: Element) -> Int? {
    target == nil ? nil : _source.position(of: element)
  }

  /// Returns an iterator over the current objects.
  @inlinable
  @inline(__always)
  public consuming func makeIterator() -> RealmIterator<Element> {
    let others = isWalkable ? [] : others()
    return RealmIterator(connection ?? .unconnected(), others)
  }

  /// Whether the objects are handed out one after the other.
  @inlinable internal var isWalkable: Bool { connection?.isWalkable ?? false }

  /// The objects, unless they are handed out one after the other.
  @usableFromInline
  internal func others() -> [RealmIterator<Element>.Others] {
    guard let connection, let target = connection.target else { return RealmIterator.others([]) }
    connection.prepare(for: Element.self)
    if connection.isWalkable { return [] }
    return RealmIterator.others(
      target.context,
      .objects(target.origin.classKey, target.keys(0..<Int.max))
    )
  }

  /// Returns whether both are copies of one value.
  ///
  /// As in Realm, what a property returns is equal to nothing else that it returns.
  public static func == (left: LinkingObjects, right: LinkingObjects) -> Bool {
    left.connection === right.connection && left.number == right.number
  }
}

extension LinkingObjects: InverseRelationship, AttachableCollection {
  var identity: ObjectIdentifier? { connection.map { ObjectIdentifier($0) } }

  static var attachedShape: PropertyShape { _shape }

  static var adoption: CollectionAdoption? {
    { _, place, key in
      // All inverse relationships lie in memory alike. Where nobody looked at it, there will be another
      // when somebody does.
      guard case .declared = place[as: Persisted<LinkingObjects<Object>>.self].storage else {
        return false
      }
      place[as: Persisted<LinkingObjects<Object>>.self].storage = .managed(key)
      return true
    }
  }

  func attach(_ object: ObjectBase, _ key: PropertyKey) { attach(stored: object, key) }

  func attach(stored object: ObjectBase, _ key: PropertyKey) {
    guard let context = object.context,
      let binding = context.file.bindings.byClass[ObjectIdentifier(type(of: object))]
        ?? context.file.bindings.binding(object.identity.classKey),
      let origin = binding.origins[Int(key.rawValue)]
    else { return }
    connection?.target = InverseTarget(
      context: context,
      identity: object.identity,
      age: object.age,
      origin: origin
    )
  }

  func keep(by object: ObjectBase, _ key: PropertyKey) {
    if let connection { object.keep(connection, -1 - Int(key.rawValue)) }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension LinkingObjects: _Persistable {
  public typealias PersistedType = LinkingObjects
  public static var _shape: PropertyShape {
    PropertyShape(.linkingObjects, objectClass: Element.self)
  }
  @inlinable
  public static var _isCached: Bool { true }

  public static func _makeDefault() -> LinkingObjects {
    throwRealmException(
      "LinkingObjects<\(Element.className())> property must set the origin property name with "
        + "@Persisted(originProperty: \"name\")."
    )
  }

  @inlinable
  public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> LinkingObjects {
    if let kept = object.collection(-1 - Int(key.rawValue)) {
      return LinkingObjects("", known(kept, as: InverseConnection.self))
    }
    return made(object, key)
  }

  @usableFromInline
  internal static func made(_ object: ObjectBase, _ key: PropertyKey) -> LinkingObjects {
    let inverse = LinkingObjects("", InverseConnection())
    inverse.attach(stored: object, key)
    inverse.keep(by: object, key)
    return inverse
  }

  public static func _read(declared: LinkingObjects) -> LinkingObjects {
    LinkingObjects(declared.originName, InverseConnection())
  }

  public static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: LinkingObjects) {
    throwReadOnly()
  }

  public static func _record(_ recorder: PathRecorder) -> LinkingObjects {
    let connection = InverseConnection()
    connection.recorder = recorder
    return LinkingObjects("", connection)
  }

  internal static func throwReadOnly() -> Never {
    throwRealmException(
      "Linking objects properties are read-only: an inverse relationship follows the links of "
        + "'\(Element.className())'. Set those instead"
    )
  }
}

/// The connection of an inverse relationship to its object; made later where it is declared with
/// `let`.
@usableFromInline
internal final class InverseConnection: AccessorHost {
  /// The target rather than its accessor, which may be gone while this is used.
  ///
  /// Safe to use without checks for exclusive access, as the properties of ``AccessorHost``.
  @safe @exclusivity(unchecked) var target: InverseTarget?
  /// The number of the last inverse relationship that was made with it, on the thread of ``target``.
  @safe @exclusivity(unchecked) private var last = 0
  var recorder: PathRecorder?

  /// A connection to nothing, for code that is inlined into programs.
  @usableFromInline
  static func unconnected() -> InverseConnection { InverseConnection() }

  @usableFromInline
  func nextNumber() -> Int {
    last &+= 1
    return last
  }

  override func renew(_ key: ObjectKey, _ age: UInt64) { target?.renew(key, age) }

  // MARK: - Handing objects out

  /// Gets ready to hand out objects, where they are of exactly the wanted class.
  func prepare(for type: Any.Type) {
    guard !isWalkable, let target, !target.context.isFrozen else { return }
    prepare(target.context, target.origin.classKey, for: type)
  }

  override func begin(
    _ keys: inout ObjectWalk.Keys,
    _ rest: inout [ObjectWalk.Rest]
  ) -> Int {
    beginWalk()
    guard let realm = elementRealm.map(Borrowed.init), let object = target?.identity,
      let age = target?.age, let links = target?.origin.links
    else { return 0 }
    let count = realm.use { realm in
      realm.requireConfinement()
      if !realm.isCurrent(object, age) { realm.throwDeleted() }
      return Borrowed(realm.shown).use { $0.copyOrigins(of: object, through: links, into: &keys) }
    }
    if let count, count <= 8 { return count }
    return ObjectWalk.begin(target?.keys(0..<Int.max) ?? [], &keys, &rest)
  }

  /// The object at a position; `nil` where there is none.
  func element(at position: Int) -> ObjectBase? {
    guard isWalkable, position >= 0, position < Int.max else { return nil }
    return target?.keys(position..<position + 1).first.map { object($0) }
  }
}

/// A managed object seen as the target of links.
internal struct InverseTarget {
  let context: RealmContext
  private(set) var identity: ObjectIdentity
  private(set) var age: UInt64
  let origin: LinkOrigin

  /// Goes on as another object of the same class.
  mutating func renew(_ key: ObjectKey, _ age: UInt64) {
    identity = ObjectIdentity(identity.classKey, key)
    self.age = age
  }

  /// Stops the program where the object is not there.
  func requireValid() {
    context.requireConfinement()
    if !context.isCurrent(identity, age) { context.throwDeleted() }
  }

  var count: Int {
    requireValid()
    return context.attempt {
      try context.view.backlinkCount(of: origin.classKey, property: origin.property, to: identity)
    }
  }

  func keys(_ range: Range<Int>) -> [ObjectKey] {
    requireValid()
    return context.attempt {
      try context.view.origins(
        of: origin.classKey,
        property: origin.property,
        to: identity,
        in: range
      ).keys
    }
  }
}
