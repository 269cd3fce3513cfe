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
  @usableFromInline internal let connection: InverseConnection

  /// Declares the inverse of a link.
  ///
  /// - Parameters:
  ///   - type: The class of the linking objects.
  ///   - propertyName: The name of the link property.
  public init(fromType type: Element.Type, property propertyName: String) {
    connection = InverseConnection(propertyName)
  }

  /// The name of the property that objects link with.
  internal var originName: String { connection.originName }

  /// The source of queries.
  public var _source: ResultsSource { connection.source }

  /// The realm; `nil` while the object is unmanaged.
  public var realm: Realm? { connection.target.map { Realm($0.context) } }

  /// Whether the object was deleted.
  public var isInvalidated: Bool {
    connection.target == nil ? false : connection.source.isInvalidated
  }

  /// The number of links; 0 for an unmanaged object.
  public var count: Int { connection.target?.count ?? 0 }

  /// Returns the object at a position.
  @inlinable
  public subscript(position: Int) -> Element {
    if connection.isWalkable, let object = connection.element(at: position) {
      return unsafeDowncast(object, to: Element.self)
    }
    return anyElement(position)
  }

  @inline(never)
  @usableFromInline
  internal func anyElement(_ position: Int) -> Element {
    connection.prepare(for: Element.self)
    if connection.isWalkable, let object = connection.element(at: position) {
      return unsafeDowncast(object, to: Element.self)
    }
    if let recorder = connection.recorder { return Element._record(recorder) }
    requirePosition(position, below: .max)
    guard let target = connection.target,
      let key = target.keys(position..<position + 1).first
    else {
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
    connection.target == nil ? nil : connection.source.position(of: element)
  }

  /// Returns an iterator over the current objects.
  @inlinable
  @inline(__always)
  public __consuming func makeIterator() -> ElementIterator<Element> {
    if connection.isWalkable { return ElementIterator(connection, nil) }
    return anyIterator()
  }

  @inline(never)
  @usableFromInline
  internal func anyIterator() -> ElementIterator<Element> {
    guard let target = connection.target else { return ElementIterator([]) }
    target.requireValid()
    connection.prepare(for: Element.self)
    if connection.isWalkable { return makeIterator() }
    return ElementIterator(
      target.context,
      .objects(target.origin.classKey, target.keys(0..<Int.max))
    )
  }

  /// Returns whether both are the same relationship of the same object.
  public static func == (left: LinkingObjects, right: LinkingObjects) -> Bool {
    if left.connection === right.connection { return true }
    guard let first = left.connection.target, let second = right.connection.target else {
      return false
    }
    return first.identity == second.identity && first.origin.classKey == second.origin.classKey
      && first.origin.property == second.origin.property
      && first.context.sharesFile(with: second.context)
  }
}

extension LinkingObjects: DescribedCollection {
  func text(_ description: ObjectDescription) -> String {
    description.text("LinkingObjects", self, ObjectIdentifier(connection))
  }
}

extension LinkingObjects: InverseRelationship, AttachableCollection {
  var identity: AnyObject { connection }

  static var attachedShape: PropertyShape { _shape }

  func attach(_ object: ObjectBase, _ key: PropertyKey) { attach(stored: object, key) }

  func attach(stored object: ObjectBase, _ key: PropertyKey) {
    guard let context = object.context,
      let binding = context.file.bindings.byClass[ObjectIdentifier(type(of: object))]
        ?? context.file.bindings.binding(object.identity.classKey),
      let origin = binding.origins[Int(key.rawValue)]
    else { return }
    connection.target = InverseTarget(
      context: context,
      identity: object.identity,
      age: object.age,
      origin: origin
    )
    connection.level = object.level
  }
}

extension LinkingObjects: KeptCollection {
  static var sample: LinkingObjects { LinkingObjects(fromType: Element.self, property: "") }
  var keptHost: AccessorHost? { connection }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension LinkingObjects: _Persistable {
  public typealias PersistedType = LinkingObjects
  public static var _shape: PropertyShape {
    PropertyShape(.linkingObjects, objectClass: Element.self)
  }
  @inlinable
  public static var _isCached: Bool { true }
  @inlinable
  public static var _isLent: Bool { true }

  public static func _makeDefault() -> LinkingObjects {
    throwRealmException(
      "LinkingObjects<\(Element.className())> property must set the origin property name with "
        + "@Persisted(originProperty: \"name\")."
    )
  }

  public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> LinkingObjects {
    let inverse = LinkingObjects(fromType: Element.self, property: "")
    inverse.attach(stored: object, key)
    return inverse
  }

  public static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: LinkingObjects) {
    throwReadOnly()
  }

  public static func _record(_ recorder: PathRecorder) -> LinkingObjects {
    let inverse = LinkingObjects(fromType: Element.self, property: "")
    inverse.connection.recorder = recorder
    return inverse
  }

  internal static func throwReadOnly() -> Never {
    throwRealmException(
      "Linking objects properties are read-only: an inverse relationship follows the links of "
        + "'\(Element.className())'. Set those instead"
    )
  }
}

/// What an inverse relationship is connected to; later than it is made where it is declared with
/// `let`.
@usableFromInline
internal final class InverseConnection: AccessorHost {
  let originName: String
  /// The target rather than its accessor, which may be gone while this is used.
  var target: InverseTarget? {
    get {
      guard var target = stored else { return nil }
      target.renew(owner.key, ownerAge)
      return target
    }
    set {
      stored = newValue
      isWalkable = false
      guard let newValue else { return }
      owner = newValue.identity
      ownerAge = newValue.age
      property = newValue.origin.links
    }
  }
  /// The same, but of the first object that the host served.
  @exclusivity(unchecked) private var stored: InverseTarget?
  /// What ``target`` says of links, without its references.
  @exclusivity(unchecked) private var property: KennelCore.Property<KennelCore.Value>?
  var recorder: PathRecorder?

  init(_ originName: String) {
    self.originName = originName
    super.init(level: 0)
  }

  /// The source of queries.
  var source: ResultsSource {
    guard let target else {
      throwRealmException("This method may only be called on LinkingObjects of a managed object")
    }
    return ResultsSource(
      target.context,
      .origins(target.origin, to: target.identity, age: target.age)
    )
  }

  // MARK: - Handing objects out

  /// Gets ready to hand out objects, where they are of exactly the wanted class.
  func prepare(for type: Any.Type) {
    guard !isWalkable, let target, !target.context.isFrozen else { return }
    prepare(target.context, target.origin.classKey, for: type)
  }

  @usableFromInline
  override func begin(_ keys: inout KeyBatch, _ rest: inout IteratorRest?) -> Int {
    beginWalk()
    guard let realm = elementRealm, let property else { return 0 }
    let count = realm._withUnsafeGuaranteedRef { context -> Int? in
      context.requireConfinement()
      guard context.isCurrent(owner, ownerAge) else { return nil }
      return context.sight._withUnsafeGuaranteedRef { snapshot in
        keys.fill { snapshot.copyOrigins(of: owner, through: property, into: &$0) }
      }
    }
    if let count, count <= 8 { return count }
    return KeyWalk.begin(target?.keys(0..<Int.max) ?? [], &keys, &rest)
  }

  /// The object at a position; `nil` if there is none.
  @usableFromInline
  func element(at position: Int) -> ObjectBase? {
    guard position >= 0, position < Int.max else { return nil }
    return target?.keys(position..<position + 1).first.map { object($0) }
  }
}

/// A managed object seen as the target of links.
internal struct InverseTarget {
  let context: RealmContext
  private(set) var identity: ObjectIdentity
  private(set) var age: UInt64
  let origin: LinkOrigin

  init(context: RealmContext, identity: ObjectIdentity, age: UInt64, origin: LinkOrigin) {
    self.context = context
    self.identity = identity
    self.age = age
    self.origin = origin
  }

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
      try context.view.backlinkCount(origin.classKey, origin.property, to: identity)
    }
  }

  func keys(_ range: Range<Int>) -> [ObjectKey] {
    requireValid()
    return context.attempt {
      try context.view.origins(origin.classKey, origin.property, to: identity, in: range)
    }
  }
}
