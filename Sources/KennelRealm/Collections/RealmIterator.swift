public import KennelCore

/// Iterates over the elements of a collection.
///
/// Changes made to the collection after the first element was requested do not affect the
/// iteration.
///
/// ```swift
/// var ships = realm.objects(Ship.self).makeIterator()
/// while let ship = ships.next() { names.append(ship.name) }
/// ```
public struct RealmIterator<Element: RealmCollectionValue>: IteratorProtocol {
  // No part is an optional reference: with one, the compiler would copy the iterator for each loop and
  // retain its parts once more.

  /// Hands the elements out, if they are objects whose class in Swift is exactly `Element`.
  @usableFromInline internal let host: AccessorHost
  /// The objects from `position` up to `limit`, each at its position modulo 8; none of other elements.
  @usableFromInline internal var keys: ObjectWalk.Keys
  @usableFromInline internal var limit: Int
  /// Gives the keys after the first, if there are more: one or none.
  @usableFromInline internal var rest: [ObjectWalk.Rest]
  /// Any other elements by position: one function or none.
  @usableFromInline internal let others: [Others]
  @usableFromInline internal var position: Int

  /// The element at a position; `nil` past the end.
  @usableFromInline internal typealias Others = (Int) -> Element?

  /// Iterates over what a host hands out, unless there are other elements.
  @inlinable
  @inline(__always)
  internal init(_ host: consuming AccessorHost, _ others: consuming [Others]) {
    self.host = host
    keys = ObjectWalk.Keys(repeating: ObjectKey(rawValue: 0))
    limit = 0
    rest = []
    self.others = others
    position = 0
  }

  internal static func others(_ elements: [Element]) -> [Others] {
    [{ $0 < elements.count ? elements[$0] : nil }]
  }

  internal static func others(_ context: RealmContext, _ found: ResultsSource.Found) -> [Others] {
    [{ $0 < found.count ? Element._decode(found.value($0), context) : nil }]
  }

  /// The elements of a list or set that are no objects of exactly the class.
  internal static func others(_ place: ManagedPlace) -> [Others] {
    let found = place.found
    // The elements stay those of now, also where the loop changes the collection.
    let place = place.path.map { place.following($0.copied()) } ?? place
    return [{ $0 < found.count ? place.decode(found.value($0), at: .index($0)) : nil }]
  }

  /// Returns the next element.
  @inlinable
  public mutating func next() -> Element? {
    if position == limit {
      if let others = others.first { return nextOther(others) }
      guard ObjectWalk.advance(host, &keys, &position, &limit, &rest) else { return nil }
    }
    let key = keys[position & 7]
    position &+= 1
    return known(host.object(key), as: Element.self)
  }

  @inline(never)
  @usableFromInline
  internal mutating func nextOther(_ others: Others) -> Element? {
    defer {
      position += 1
      limit += 1
    }
    return others(position)
  }
}

/// Realm Swift's name for ``RealmIterator``.
public typealias RLMIterator = RealmIterator

/// A walk over objects that a host hands out one after the other, whose keys it knows eight at a time.
@usableFromInline
internal enum ObjectWalk {
  /// Up to eight keys.
  @usableFromInline typealias Keys = [8 of ObjectKey]
  /// Replaces eight keys by those that follow so many, and says how many there are; less than eight
  /// only at the end.
  @usableFromInline typealias Rest = (inout Keys, Int) -> Int

  /// Gets the next keys; false if there are none, and then at each later call.
  @inline(never)
  @usableFromInline
  static func advance(
    _ host: AccessorHost,
    _ keys: inout Keys,
    _ position: inout Int,
    _ limit: inout Int,
    _ rest: inout [Rest]
  ) -> Bool {
    if position == 0 {
      limit = host.begin(&keys, &rest)
    } else if position & 7 == 0, let rest = rest.first {
      limit &+= rest(&keys, position)
    }
    if position < limit { return true }
    rest = []
    (position, limit) = (1, 1)
    return false
  }

  /// Begins a walk over objects that are known.
  static func begin(_ all: [ObjectKey], _ keys: inout Keys, _ rest: inout [Rest]) -> Int {
    func copy(_ keys: inout Keys, _ start: Int) -> Int {
      let count = min(all.count - start, 8)
      for index in 0..<count { keys[index] = all[start + index] }
      return count
    }
    rest = [copy]
    return copy(&keys, 0)
  }
}
