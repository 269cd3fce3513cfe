// swift-format-ignore-file: NoLeadingUnderscores

import Foundation
import KennelCore

/// A collection of distinct objects or values.
///
/// ```swift
/// let fleet = Fleet()
/// fleet.ports.insert(objectsIn: ["Oslo", "Hobart", "Oslo"])
/// fleet.crew["cook"] = 2
/// print(fleet.ports.count, fleet.crew["cook"] ?? 0)
/// ```
public final class MutableSet<Element: RealmCollectionValue>: CollectionHost, RealmCollection {
  /// The members while the set is unmanaged, in the order in which they came.
  @MadeLater internal var unmanaged: [Element] = []

  /// Makes an empty, unmanaged set.
  public required override init() { super.init() }

  // MARK: - Reading

  /// The number of members.
  public var count: Int { place?.count ?? unmanaged.count }

  /// Returns the member at a position.
  ///
  /// The order is unspecified.
  public subscript(position: Int) -> Element {
    if let recorder { return Element._record(recorder) }
    requirePosition(position, below: count)
    guard let place else { return unmanaged[position] }
    return Element._decode(place.element(position) ?? .null, place.context)
  }

  /// Returns the position of a member; `nil` if it is not a member.
  ///
  /// - Parameter element: The member.
  /// - Returns: The position.
  public func index(of element: Element) -> Int? {
    place == nil ? unmanaged.firstIndex(of: element) : _source.position(of: element)
  }

  /// Returns whether an element is a member.
  ///
  /// - Parameter element: The element.
  /// - Returns: Whether it is a member.
  public func contains(_ element: Element) -> Bool {
    if let object = element as? ObjectBase, place != nil, object.context == nil { return false }
    return index(of: element) != nil
  }

  /// Returns whether all members are in another set.
  ///
  /// - Parameter possibleSuperset: The other set.
  /// - Returns: Whether the other set contains them all.
  public func isSubset(of possibleSuperset: MutableSet<Element>) -> Bool {
    allSatisfy(possibleSuperset.contains)
  }

  /// Returns whether two sets have a member in common.
  ///
  /// - Parameter otherSet: The other set.
  /// - Returns: Whether they have one in common.
  public func intersects(_ otherSet: MutableSet<Element>) -> Bool {
    contains(where: otherSet.contains)
  }

  /// Returns an iterator over the current members.
  @inlinable
  public func makeIterator() -> RealmIterator<Element> {
    RealmIterator(self, isWalkable ? [] : others())
  }

  /// The elements, unless they are handed out one after the other.
  @usableFromInline
  internal func others() -> [RealmIterator<Element>.Others] {
    guard let place else { return RealmIterator.others(unmanaged) }
    prepare(for: Element.self)
    return isWalkable ? [] : RealmIterator.others(place.context, place.found)
  }

  /// Returns whether both are the same set of the same object, or unmanaged with equal members.
  public static func == (left: MutableSet, right: MutableSet) -> Bool {
    left === right
      || ManagedPlace.areSame(left.place, right.place)
        ?? (left.count == right.count && left.isSubset(of: right))
  }

  // MARK: - Writing

  /// Inserts a member, unless it is one already.
  ///
  /// - Parameter object: The member. An unmanaged object is added to the realm of the set.
  public func insert(_ object: Element) {
    guard let place = writable() else {
      if !unmanaged.contains(object) { unmanaged.append(object) }
      return
    }
    let value = object._encode(place.context)
    place.context.change { try $0.insertMember(value, of: place.identity, property: place.key) }
  }

  /// Inserts members.
  ///
  /// - Parameter objects: The members.
  public func insert<S: Sequence>(objectsIn objects: S) where S.Iterator.Element == Element {
    for object in Array(objects) { insert(object) }
  }

  /// Removes a member.
  ///
  /// - Parameter object: The member.
  public func remove(_ object: Element) {
    guard let place = writable() else {
      unmanaged.removeAll { $0 == object }
      return
    }
    if let object = object as? ObjectBase, object.context == nil { return }
    if case .object(let object)? = object as? AnyRealmValue, object.context == nil { return }
    let value = object._encode(place.context)
    place.context.change { try $0.removeMember(value, of: place.identity, property: place.key) }
  }

  /// Removes all members.
  public func removeAll() {
    guard let place = writable() else {
      unmanaged.removeAll()
      return
    }
    place.note(.assign)
    place.context.change { try $0.set(place.identity, property: place.key, to: .set([])) }
  }

  /// Removes the members that are not in another set.
  ///
  /// - Parameter other: The other set.
  public func formIntersection(_ other: MutableSet<Element>) {
    _ = writable()
    for member in Array(self) where !other.contains(member) { remove(member) }
  }

  /// Inserts the members of another set.
  ///
  /// - Parameter other: The other set.
  public func formUnion(_ other: MutableSet<Element>) {
    _ = writable()
    insert(objectsIn: Array(other))
  }

  /// Removes the members of another set.
  ///
  /// - Parameter other: The other set.
  public func subtract(_ other: MutableSet<Element>) {
    _ = writable()
    for member in Array(other) { remove(member) }
  }
}

extension MutableSet: ExpressibleByArrayLiteral {
  /// Creates an unmanaged set of members.
  public convenience init(arrayLiteral elements: Element...) {
    self.init()
    insert(objectsIn: elements)
  }
}

extension MutableSet: ExchangeableCollection {
  var contents: [Element] { Array(self) }
  func removeUnmanaged() { unmanaged = [] }

  func makeLater(_ contents: @escaping () -> [Element]) {
    _unmanaged.make = { contents().reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
  }

  func add(_ contents: [Element]) { insert(objectsIn: contents) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension MutableSet: _StoredCollection {
  public typealias PersistedType = MutableSet
  public static var _shape: PropertyShape { Element._shape.collected(as: .set) }
}

extension MutableSet: DeleteRuleProperty where Element: Object {}
