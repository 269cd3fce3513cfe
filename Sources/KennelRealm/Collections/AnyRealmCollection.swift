// swift-format-ignore-file: NoLeadingUnderscores

import Foundation

/// A type-erased collection: a list, set, results or linking objects.
///
/// ```swift
/// let ships = AnyRealmCollection(realm.objects(Ship.self))
/// print(ships.count)
/// ```
public struct AnyRealmCollection<Element: RealmCollectionValue>: RealmCollection {
  internal let base: any RealmCollection<Element>

  /// Wraps a collection.
  public init<C: RealmCollection>(_ base: C) where C.Element == Element { self.base = base }

  /// The source of queries.
  public var _source: ResultsSource { base._source }

  /// The realm; `nil` while the collection is unmanaged.
  public var realm: Realm? { base.realm }

  /// Whether the collection can no longer be used.
  public var isInvalidated: Bool { base.isInvalidated }

  /// The number of elements.
  public var count: Int { base.count }

  /// Returns the element at a position.
  public subscript(position: Int) -> Element { base[position] }

  /// Returns the position of an element; `nil` if it is not in the collection.
  ///
  /// - Parameter element: The element.
  /// - Returns: The position.
  public func index(of element: Element) -> Int? { base.index(of: element) }

  /// Returns an iterator over the current elements.
  public func makeIterator() -> RealmIterator<Element> {
    guard base.realm != nil else {
      return RealmIterator(AccessorHost(), RealmIterator.others(base._queryElements))
    }
    return Results(base._source).makeIterator()
  }

  /// Returns whether both wrap equal collections of the same type.
  public static func == (left: AnyRealmCollection, right: AnyRealmCollection) -> Bool {
    left.base.isEqual(right.base)
  }
}

extension AnyRealmCollection: IdentifiedCollection {
  var identity: ObjectIdentifier? { KennelRealm.identity(of: base) }
}
