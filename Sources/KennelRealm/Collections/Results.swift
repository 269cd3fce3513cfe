// swift-format-ignore-file: NoLeadingUnderscores

import Foundation
import KennelCore

/// Objects or values of a realm that were asked for: all of a class, those that a query found, in an
/// order.
///
/// They are live: what changes in the realm changes them, in a write transaction too.
public struct Results<Element: RealmCollectionValue>: RealmCollection {
  @usableFromInline internal let source: ResultsSource

  internal init(_ source: ResultsSource) {
    self.source = source
  }

  /// What queries start from.
  public var _source: ResultsSource { source }

  /// The realm.
  public var realm: Realm? { Realm(source.context) }

  /// Whether the realm was invalidated, or the object whose collection was asked deleted.
  public var isInvalidated: Bool { source.isInvalidated }

  /// How many there are.
  public var count: Int { source.count }

  /// The element at a position.
  @inlinable
  public subscript(position: Int) -> Element {
    if source.isWalkable, let object = source.element(at: position) {
      return known(object, as: Element.self)
    }
    return anyElement(position)
  }

  @inline(never)
  @usableFromInline
  internal func anyElement(_ position: Int) -> Element {
    source.prepare(for: Element.self)
    if source.isWalkable, let object = source.element(at: position) {
      return known(object, as: Element.self)
    }
    return Element._decode(source.value(position), source.context)
  }

  /// The position of an element; `nil` where it was not found.
  ///
  /// - Parameter element: The element.
  /// - Returns: The position.
  public func index(of element: Element) -> Int? {
    source.position(of: element)
  }

  /// The elements as they are now, one after the other.
  public func makeIterator() -> RealmIterator<Element> {
    source.prepare(for: Element.self)
    return source.isWalkable
      ? RealmIterator(source) : RealmIterator(source.context, source.elements())
  }

  /// Whether both are the same results, asked for once; others are not equal, even if they have the same
  /// elements.
  public static func == (left: Results, right: Results) -> Bool { left.source === right.source }
}

extension Results: DescribedCollection {
  func text(_ description: ObjectDescription) -> String {
    description.text("Results", self, ObjectIdentifier(source))
  }
}

extension ResultsSource {
  internal func position(of element: some RealmCollectionValue) -> Int? {
    if let object = element as? ObjectBase {
      guard let other = object.context else {
        if object is EmbeddedObject { return nil }
        return nil
      }
      guard other.sharesFile(with: context) else {
        throwRealmException("Object does not belong to the Realm of the collection")
      }
      if object.isInvalidated { context.throwDeleted() }
      guard case .objects(let classKey, let keys) = elements(),
        classKey == object.identity.classKey
      else { return nil }
      return keys.firstIndex(of: object.identity.key)
    }
    guard case .values(let values) = elements() else { return nil }
    var wanted = element._encode(nil)
    if case .object(let object)? = element as? AnyRealmValue {
      guard object.context?.sharesFile(with: context) == true else { return nil }
      wanted = .link(object.identity)
    }
    return values.firstIndex { $0.isEquivalent(to: wanted) }
  }
}
