// swift-format-ignore-file: NoLeadingUnderscores

import Foundation
import KennelCore

/// The objects or values that match a query; live.
///
/// ```swift
/// let large = realm.objects(Ship.self).where { $0.tons > 300 }
/// print(large.count, large.first?.name ?? "")
/// ```
///
/// Results are lazy and always show the current state of the realm, even inside a write
/// transaction.
public struct Results<Element: RealmCollectionValue>: RealmCollection {
  @usableFromInline internal let source: ResultsSource

  internal init(_ source: ResultsSource) {
    self.source = source
  }

  /// The source of queries.
  public var _source: ResultsSource { source }

  /// The realm.
  public var realm: Realm? { Realm(source.context) }

  /// Whether the realm was invalidated, or the object of the queried collection was deleted.
  public var isInvalidated: Bool { source.isInvalidated }

  /// The number of elements.
  public var count: Int { source.count }

  /// Returns the element at a position.
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

  /// Returns the position of an element; `nil` if it is not in the results.
  ///
  /// - Parameter element: The element.
  /// - Returns: The position.
  public func index(of element: Element) -> Int? {
    source.position(of: element)
  }

  /// The elements as they are now, one after the other.
  public func makeIterator() -> RealmIterator<Element> {
    source.prepare(for: Element.self)
    return RealmIterator(
      source,
      source.isWalkable ? [] : RealmIterator.others(source.context, source.elements())
    )
  }

  /// Returns whether both are the same results.
  ///
  /// Results of two queries are never equal.
  public static func == (left: Results, right: Results) -> Bool { left.source === right.source }
}

extension Results: IdentifiedCollection {
  var identity: ObjectIdentifier? { ObjectIdentifier(source) }
}

extension ResultsSource {
  internal func position(of element: some RealmCollectionValue) -> Int? {
    if let object = (element as? any KeypathSortable)?._object {
      guard let other = object.context else { return nil }
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
