// swift-format-ignore-file: NoLeadingUnderscores

import Foundation
public import KennelCore

/// The objects that link to an object by a property: the inverse of a link, live.
///
/// An object that links twice stands there twice. It cannot be set: set the links instead.
public struct LinkingObjects<Element: ObjectBase & RealmCollectionValue>: RealmCollection,
  LinkingObjectsProtocol
{
  /// What `let dogs = LinkingObjects(…)` is connected to later, when its object is managed.
  internal final class Connection {
    /// The target rather than its accessor, which may be gone while this is used.
    var source: ResultsSource?
    var recorder: PathRecorder?
  }

  internal let originName: String
  internal let connection = Connection()

  /// Declares the inverse of a link.
  ///
  /// - Parameters:
  ///   - type: The class of the objects that link.
  ///   - propertyName: The name of the property that they link with.
  public init(fromType type: Element.Type, property propertyName: String) {
    originName = propertyName
  }

  /// What queries start from.
  public var _source: ResultsSource {
    guard let source = connection.source else {
      throwRealmException("This method may only be called on LinkingObjects of a managed object")
    }
    return source
  }

  /// The realm; `nil` while the object is unmanaged.
  public var realm: Realm? { connection.source.map { Realm($0.context) } }

  /// Whether the object was deleted.
  public var isInvalidated: Bool { connection.source?.isInvalidated ?? false }

  /// How many links there are; none to an unmanaged object.
  public var count: Int { connection.source?.count ?? 0 }

  /// The object at a position.
  public subscript(position: Int) -> Element {
    if let recorder = connection.recorder { return Element._record(recorder) }
    return Element._decode(_source.value(position), _source.context)
  }

  /// The position of an object; `nil` where it does not link here.
  ///
  /// - Parameter element: The object.
  /// - Returns: The position.
  public func index(of element: Element) -> Int? { connection.source?.position(of: element) }

  /// The objects as they are now, one after the other.
  public func makeIterator() -> RealmIterator<Element> {
    guard let source = connection.source else { return RealmIterator([]) }
    return RealmIterator(source.context, source.elements())
  }

  /// Whether both are the same relationship of the same object.
  public static func == (left: LinkingObjects, right: LinkingObjects) -> Bool {
    left.connection === right.connection || left.elementsEqual(right)
  }
}

extension LinkingObjects: InverseRelationship, AttachableCollection {
  static var attachedShape: PropertyShape { _shape }

  func attach(_ object: ObjectBase, _ key: PropertyKey) { attach(stored: object, key) }

  func attach(stored object: ObjectBase, _ key: PropertyKey) {
    guard let context = object.context,
      let origin = context.file.byKey[object.identity.classKey]?.origins[Int(key.rawValue)]
    else { return }
    connection.source = ResultsSource(
      context,
      .origins(origin, to: object.identity, age: object.age)
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
    let model = ModelClass.of(type(of: object))
    let name = model.properties[Int(key.rawValue)].originName ?? ""
    let inverse = LinkingObjects(fromType: Element.self, property: name)
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
