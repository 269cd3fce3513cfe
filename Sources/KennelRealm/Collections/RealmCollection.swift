// swift-format-ignore-file: NoLeadingUnderscores

public import Foundation
import KennelCore

/// What belongs to the thread, queue or actor of a realm.
public protocol ThreadConfined {
  /// The realm; `nil` while it is unmanaged.
  var realm: Realm? { get }
  /// Whether it can no longer be used: it was deleted, or the realm was invalidated.
  var isInvalidated: Bool { get }
  /// Whether it never changes, and may be used on any thread.
  var isFrozen: Bool { get }
  /// The same as it is now, for ever and on any thread.
  func freeze() -> Self
  /// What it was frozen of, on this thread; itself where it is not frozen, `nil` where it was deleted.
  func thaw() -> Self?
}

extension ObjectBase: ThreadConfined {}

/// A collection of objects or values of a realm: a list, a set, results, linking objects.
///
/// It is live: it shows what the realm shows, in a write transaction too.
public protocol RealmCollection: RandomAccessCollection, LazyCollectionProtocol, Equatable,
  CustomStringConvertible, ThreadConfined
where Element: RealmCollectionValue, Index == Int {
  /// What queries, sorting and notifications start from; stops the program where the collection is
  /// unmanaged.
  var _source: ResultsSource { get }

  /// The position of an element; `nil` where it is not in the collection.
  func index(of element: Element) -> Int?
}

extension RealmCollection {
  /// Whether it never changes.
  public var isFrozen: Bool { realm?.isFrozen ?? false }

  /// The first position.
  public var startIndex: Int { 0 }

  /// The position after the last.
  public var endIndex: Int { count }

  /// The position after another.
  public func index(after position: Int) -> Int { position + 1 }

  /// The position before another.
  public func index(before position: Int) -> Int { position - 1 }

  /// The elements at positions.
  ///
  /// - Parameter indexes: The positions.
  /// - Returns: The elements, in the order of their positions.
  public func objects(at indexes: IndexSet) -> [Element] {
    if let last = indexes.last, last >= count {
      throwRealmException("Indexes for collection are out of bounds.")
    }
    return indexes.map { self[$0] }
  }

  /// The first element; `nil` where there is none.
  public var first: Element? { isEmpty ? nil : self[0] }

  /// The last element; `nil` where there is none.
  public var last: Element? { isEmpty ? nil : self[count - 1] }

  /// Whether there is no element.
  public var isEmpty: Bool { count == 0 }

  /// The collection and its first hundred elements.
  public var description: String {
    let text = (self as? any DescribedCollection)?.text(ObjectDescription(depth: 5))
    return text ?? "\(Self.self)"
  }

  /// What `==` says.
  ///
  /// - Parameter object: Another collection of the type; anything else is not equal.
  /// - Returns: Whether they are equal.
  public func isEqual(_ object: Any?) -> Bool { (object as? Self).map { self == $0 } ?? false }
}

/// A collection of a realm, as generic code written for Realm names it.
public typealias RealmCollectionBase = RealmCollection

/// Stops the program where a position is not in a collection.
internal func requirePosition(_ position: Int, below limit: Int) {
  if position < 0 { throwRealmException("Cannot pass a negative value") }
  if position >= limit {
    throwRealmException("Index \(position) is out of bounds (must be less than \(limit)).")
  }
}
