// swift-format-ignore-file: NoLeadingUnderscores

import Foundation

/// A type-erased collection: a list, set, results or linking objects.
///
/// ```swift
/// let ships = AnyRealmCollection(realm.objects(Ship.self))
/// print(ships.count)
/// ```
public struct AnyRealmCollection<Element: RealmCollectionValue>: RealmCollection {
  internal let base: any RealmCollection
  private let element: (Int) -> Element
  private let position: (Element) -> Int?
  private let iterator: () -> RealmIterator<Element>
  private let equals: (any RealmCollection) -> Bool
  /// The same collection in another realm of its file.
  internal let transfer: (RealmContext) -> AnyRealmCollection?
  /// Creates the collection again elsewhere; see ``ThreadSafeReference``.
  internal let reference: () -> (RealmContext) -> Any?

  /// Wraps a collection.
  public init<C: RealmCollection>(_ base: C) where C.Element == Element {
    self.base = base
    element = { base[$0] }
    position = { base.index(of: $0) }
    equals = { ($0 as? C) == base }
    iterator = {
      guard base.realm != nil else {
        return RealmIterator(AccessorHost(), RealmIterator.others(Array(base)))
      }
      return Results(base._source).makeIterator()
    }
    transfer = { context in
      ((base as? any _TransferableCollection)?._transferred(to: context) as? C)
        .map { AnyRealmCollection($0) }
    }
    reference = {
      let recipe = (base as? any ReferableConfined)?.recipe()
      return { (recipe?($0) as? C).map { AnyRealmCollection($0) } }
    }
  }

  /// The source of queries.
  public var _source: ResultsSource { base._source }

  /// The realm; `nil` while the collection is unmanaged.
  public var realm: Realm? { base.realm }

  /// Whether the collection can no longer be used.
  public var isInvalidated: Bool { base.isInvalidated }

  /// The number of elements.
  public var count: Int { base.count }

  /// Returns the element at a position.
  public subscript(position: Int) -> Element { element(position) }

  /// Returns the position of an element; `nil` if it is not in the collection.
  ///
  /// - Parameter element: The element.
  /// - Returns: The position.
  public func index(of element: Element) -> Int? { position(element) }

  /// Returns an iterator over the current elements.
  public func makeIterator() -> RealmIterator<Element> { iterator() }

  /// Returns whether both wrap equal collections of the same type.
  public static func == (left: AnyRealmCollection, right: AnyRealmCollection) -> Bool {
    left.equals(right.base)
  }
}
