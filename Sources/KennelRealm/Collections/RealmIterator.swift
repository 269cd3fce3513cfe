public import KennelCore

/// The elements of a collection, one after the other, as they were when the first was asked for.
///
/// ```swift
/// var ships = realm.objects(Ship.self).makeIterator()
/// while let ship = ships.next() { names.append(ship.name) }
/// ```
public struct RealmIterator<Element: RealmCollectionValue>: IteratorProtocol {
  /// The elements, if they are objects whose class in Swift is exactly `Element`; else without a host.
  @usableFromInline internal var objects: ObjectCursor
  /// Any other elements by position.
  @usableFromInline internal var values: ((Int) -> Element?)?
  @usableFromInline internal var position = 0

  @inlinable
  @inline(__always)
  internal init(_ host: AccessorHost) {
    objects = ObjectCursor(host)
  }

  internal init(_ context: RealmContext, _ found: ResultsSource.Found) {
    objects = ObjectCursor(nil)
    values = { position in
      position < found.count ? Element._decode(found.value(position), context) : nil
    }
  }

  /// The elements of a list or set that are no objects of exactly the class.
  internal init(_ place: ManagedPlace) {
    objects = ObjectCursor(nil)
    let found = place.found
    // The elements stay those of now, also where the loop changes the collection.
    let place = place.path.map { place.following($0.copied()) } ?? place
    values = { position in
      position < found.count ? place.decode(found.value(position), at: .index(position)) : nil
    }
  }

  internal init(_ elements: [Element]) {
    objects = ObjectCursor(nil)
    values = { $0 < elements.count ? elements[$0] : nil }
  }

  /// Returns the next element.
  @inlinable
  public mutating func next() -> Element? {
    if let object = objects.next() { return known(object, as: Element.self) }
    return values == nil ? nil : nextValue()
  }

  @inline(never)
  @usableFromInline
  internal mutating func nextValue() -> Element? {
    guard let values else { return nil }
    defer { position += 1 }
    return values(position)
  }
}

/// The name of ``RealmIterator`` in generic code for Realm.
public typealias RLMIterator = RealmIterator

/// Objects that a host hands out one after the other, whose keys it knows eight at a time.
@usableFromInline
internal struct ObjectCursor {
  /// Up to eight keys.
  @usableFromInline typealias Keys = [8 of ObjectKey]
  /// Replaces eight keys by those that follow so many, and says how many there are; less than eight
  /// only at the end.
  @usableFromInline typealias Rest = (inout Keys, Int) -> Int

  /// `nil` without objects, and after the last one.
  @usableFromInline internal var host: AccessorHost?
  /// The objects from `position` up to `limit`, each at its position modulo 8.
  @usableFromInline internal var keys: Keys
  @usableFromInline internal var position = 0
  @usableFromInline internal var limit = 0
  @usableFromInline internal var rest: Rest?

  @inlinable
  @inline(__always)
  internal init(_ host: AccessorHost?) {
    self.host = host
    keys = Keys(repeating: ObjectKey(rawValue: 0))
  }

  @inlinable
  @inline(__always)
  internal mutating func next() -> ObjectBase? {
    if position == limit, !advance() { return nil }
    let key = keys[position & 7]
    position &+= 1
    return host.map(Borrowed.init)?.use { $0.object(key) }
  }

  /// Gets the next keys; false where there are none.
  @inline(never)
  @usableFromInline
  internal mutating func advance() -> Bool {
    if position == 0 {
      limit = host?.begin(&keys, &rest) ?? 0
    } else if let rest, position & 7 == 0 {
      limit &+= rest(&keys, position)
    }
    if position < limit { return true }
    host = nil
    rest = nil
    return false
  }

  /// Begins a walk over objects that are known.
  static func begin(_ all: [ObjectKey], _ keys: inout Keys, _ rest: inout Rest?) -> Int {
    func copy(_ keys: inout Keys, _ taken: Int) -> Int {
      let count = min(all.count - taken, 8)
      for index in 0..<count { keys[index] = all[taken + index] }
      return count
    }
    rest = copy
    return copy(&keys, 0)
  }
}
