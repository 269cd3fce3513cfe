// swift-format-ignore-file: NoLeadingUnderscores

import Foundation
public import KennelCore

/// The objects that link to an object by a property: the inverse of a link, live.
///
/// An object that links twice stands there twice. It cannot be set: set the links instead.
public struct LinkingObjects<Element: ObjectBase & RealmCollectionValue>: RealmCollection,
  LinkingObjectsProtocol
{
  internal let originName: String
  internal let connection = InverseConnection()

  /// Declares the inverse of a link.
  ///
  /// - Parameters:
  ///   - type: The class of the objects that link.
  ///   - propertyName: The name of the property that they link with.
  public init(fromType type: Element.Type, property propertyName: String) {
    originName = propertyName
  }

  /// What queries start from.
  public var _source: ResultsSource { connection.source }

  /// The realm; `nil` while the object is unmanaged.
  public var realm: Realm? { connection.target.map { Realm($0.context) } }

  /// Whether the object was deleted.
  public var isInvalidated: Bool {
    connection.target == nil ? false : connection.source.isInvalidated
  }

  /// How many links there are; none to an unmanaged object.
  public var count: Int { connection.target?.count ?? 0 }

  /// The object at a position.
  public subscript(position: Int) -> Element {
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

  /// The position of an object; `nil` where it does not link here.
  ///
  /// - Parameter element: The object.
  /// - Returns: The position.
  public func index(of element: Element) -> Int? {
    connection.target == nil ? nil : connection.source.position(of: element)
  }

  /// The objects as they are now, one after the other.
  public func makeIterator() -> RealmIterator<Element> {
    guard let target = connection.target else { return RealmIterator([]) }
    return RealmIterator(
      target.context,
      .objects(target.origin.classKey, target.keys(0..<Int.max))
    )
  }

  /// Whether both are the same relationship of the same object.
  public static func == (left: LinkingObjects, right: LinkingObjects) -> Bool {
    left.connection === right.connection || left.elementsEqual(right)
  }
}

extension LinkingObjects: DescribedCollection {
  func text(_ description: ObjectDescription) -> String {
    description.text("LinkingObjects", self, ObjectIdentifier(connection))
  }
}

extension LinkingObjects: InverseRelationship, AttachableCollection {
  static var attachedShape: PropertyShape { _shape }

  func attach(_ object: ObjectBase, _ key: PropertyKey) { attach(stored: object, key) }

  func attach(stored object: ObjectBase, _ key: PropertyKey) {
    guard let context = object.context,
      let origin = context.file.binding(object.identity.classKey)?.origins[Int(key.rawValue)]
    else { return }
    connection.target = InverseTarget(
      context: context,
      identity: object.identity,
      age: object.age,
      origin: origin
    )
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension LinkingObjects: _Persistable {
  public typealias PersistedType = LinkingObjects
  public static var _shape: PropertyShape {
    PropertyShape(.linkingObjects, objectClass: Element.self)
  }
  public static var _isCached: Bool { true }

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
internal final class InverseConnection {
  /// The target rather than its accessor, which may be gone while this is used.
  var target: InverseTarget?
  var recorder: PathRecorder?

  /// What queries start from.
  var source: ResultsSource {
    guard let target else {
      throwRealmException("This method may only be called on LinkingObjects of a managed object")
    }
    return ResultsSource(
      target.context,
      .origins(target.origin, to: target.identity, age: target.age)
    )
  }
}

/// A managed object seen as the target of links.
internal struct InverseTarget {
  let context: RealmContext
  let identity: ObjectIdentity
  let age: UInt64
  let origin: LinkOrigin

  /// Stops the program where the object is not there.
  private func requireValid() {
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
