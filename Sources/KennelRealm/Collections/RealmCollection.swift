// swift-format-ignore-file: NoLeadingUnderscores

public import Foundation
import KennelCore

/// A value that is confined to the thread, queue or actor of a realm.
///
/// ```swift
/// func describe(_ value: some ThreadConfined) -> String { value.isFrozen ? "frozen" : "live" }
/// print(describe(ship), describe(ship.freeze()))
/// ```
public protocol ThreadConfined {
  /// The realm; `nil` if it is unmanaged.
  var realm: Realm? { get }
  /// Whether it can no longer be used, because it was deleted or the realm was invalidated.
  var isInvalidated: Bool { get }
  /// Whether it is frozen: it never changes and may be used on any thread.
  var isFrozen: Bool { get }
  /// Returns a frozen copy, for any thread.
  func freeze() -> Self
  /// Returns the live value of a frozen one, on this thread.
  ///
  /// It returns itself if it is not frozen, and `nil` if it was deleted.
  func thaw() -> Self?
}

extension ThreadConfined {
  /// Whether it is frozen.
  public var isFrozen: Bool { realm?.isFrozen ?? false }
}

extension ObjectBase: ThreadConfined {}

/// A collection whose elements a query asks for: those of a list or set, the values of a map.
public protocol _QueryCollection: ThreadConfined, _Observable {
  /// The type of the elements.
  associatedtype _QueryElement: RealmCollectionValue

  /// The elements.
  var _queryElements: [_QueryElement] { get }

  /// The source of queries, sorting and notifications; stops the program if the collection is
  /// unmanaged.
  var _source: ResultsSource { get }
}

/// A collection of objects or values: a list, set, results or linking objects.
///
/// ```swift
/// func tons<C: RealmCollection>(of ships: C) -> Int where C.Element == Ship {
///   ships.sum(of: \.tons)
/// }
/// print(tons(of: realm.objects(Ship.self)), tons(of: List<Ship>()))
/// ```
///
/// It is live: it always shows the current state of the realm, even inside a write transaction.
public protocol RealmCollection<Element>: RandomAccessCollection, LazyCollectionProtocol, Equatable,
  CustomStringConvertible, _QueryCollection
where
  Element: RealmCollectionValue,
  Index == Int,
  _Change == RealmCollectionChange<Self>,
  _Observed == Element,
  _QueryElement == Element
{
  /// Returns the position of an element; `nil` if it is not in the collection.
  func index(of element: Element) -> Int?
}

extension RealmCollection {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public var _queryElements: [Element] { Array(self) }

  /// The first position.
  public var startIndex: Int { 0 }

  /// The position after the last.
  public var endIndex: Int { count }

  /// Returns the position after another.
  public func index(after position: Int) -> Int { position + 1 }

  /// Returns the position before another.
  public func index(before position: Int) -> Int { position - 1 }

  /// Returns the elements at positions.
  ///
  /// - Parameter indexes: The positions.
  /// - Returns: The elements, in the order of their positions.
  public func objects(at indexes: IndexSet) -> [Element] {
    if let last = indexes.last, last >= count {
      throwRealmException("Indexes for collection are out of bounds.")
    }
    return indexes.map { self[$0] }
  }

  /// The first element; `nil` if there is none.
  public var first: Element? { isEmpty ? nil : self[0] }

  /// The last element; `nil` if there is none.
  public var last: Element? { isEmpty ? nil : self[count - 1] }

  /// Whether the collection is empty.
  public var isEmpty: Bool { count == 0 }

  /// Returns the result of `==`.
  ///
  /// - Parameter object: Another collection of the same type. Anything else is unequal.
  /// - Returns: Whether they are equal.
  public func isEqual(_ object: Any?) -> Bool { (object as? Self).map { self == $0 } ?? false }
}

/// Realm Swift's name for ``RealmCollection``.
public typealias RealmCollectionBase = RealmCollection

/// Stops the program where a position is not in a collection.
internal func requirePosition(_ position: Int, below limit: Int) {
  if position < 0 { throwRealmException("Cannot pass a negative value") }
  if position >= limit {
    throwRealmException("Index \(position) is out of bounds (must be less than \(limit)).")
  }
}
