// swift-format-ignore-file: NoLeadingUnderscores

import Foundation
public import KennelCore

/// A collection that holds each object or value once.
public final class MutableSet<Element: RealmCollectionValue>: CollectionHost, RealmCollection {
  /// The members while the set is unmanaged, in the order in which they came.
  @exclusivity(unchecked) internal var unmanaged: [Element] = []

  /// Makes an empty, unmanaged set.
  public override init() { super.init() }

  internal init(_ place: ManagedPlace) {
    super.init()
    self.place = place
  }

  // MARK: - Reading

  /// What queries start from.
  public var _source: ResultsSource {
    guard let place else {
      throwRealmException(
        "This method may only be called on MutableSet instances of objects of a Realm: add the object "
          + "first"
      )
    }
    return ResultsSource(place.context, .elements(place))
  }

  /// The realm; `nil` while the set is unmanaged.
  public var realm: Realm? { place.map { Realm($0.context) } }

  /// Whether the object of the set was deleted.
  public var isInvalidated: Bool { place.map { !$0.isValid } ?? false }

  /// How many members there are.
  public var count: Int { place?.count ?? unmanaged.count }

  /// The member at a position; positions are in no order that means anything.
  public subscript(position: Int) -> Element {
    if let recorder { return Element._record(recorder) }
    requirePosition(position, below: count)
    guard let place else { return unmanaged[position] }
    return Element._decode(place.element(position) ?? .null, place.context)
  }

  /// The position of a member; `nil` where it is none.
  ///
  /// - Parameter element: The member.
  /// - Returns: The position.
  public func index(of element: Element) -> Int? {
    place == nil ? unmanaged.firstIndex(of: element) : _source.position(of: element)
  }

  /// Whether something is a member.
  ///
  /// - Parameter element: What may be one.
  /// - Returns: Whether it is.
  public func contains(_ element: Element) -> Bool {
    if let object = element as? ObjectBase, place != nil, object.context == nil { return false }
    return index(of: element) != nil
  }

  /// Whether every member is one of another set.
  ///
  /// - Parameter possibleSuperset: The other set.
  /// - Returns: Whether it has them all.
  public func isSubset(of possibleSuperset: MutableSet<Element>) -> Bool {
    allSatisfy(possibleSuperset.contains)
  }

  /// Whether a member is one of another set.
  ///
  /// - Parameter otherSet: The other set.
  /// - Returns: Whether they have one in common.
  public func intersects(_ otherSet: MutableSet<Element>) -> Bool {
    contains(where: otherSet.contains)
  }

  /// The members as they are now, one after the other.
  @inlinable
  public func makeIterator() -> RealmIterator<Element> {
    isWalkable ? RealmIterator(self) : anyIterator()
  }

  @usableFromInline
  internal func anyIterator() -> RealmIterator<Element> {
    guard let place else { return RealmIterator(unmanaged) }
    prepare(for: Element.self)
    if isWalkable { return RealmIterator(self) }
    return RealmIterator(place.context, place.found)
  }

  /// Whether both are the set of the same object, or unmanaged and have the same members.
  public static func == (left: MutableSet, right: MutableSet) -> Bool {
    left === right
      || ManagedPlace.areSame(left.place, right.place)
        ?? (left.count == right.count && left.isSubset(of: right))
  }

  // MARK: - Writing

  internal func writable() -> ManagedPlace? {
    place?.requireWritable("MutableSet")
    return place
  }

  /// Puts a member in; nothing happens if it is one already.
  ///
  /// - Parameter object: The member; an unmanaged object is added to the realm of the set.
  public func insert(_ object: Element) {
    guard let place = writable() else {
      if !unmanaged.contains(object) { unmanaged.append(object) }
      return
    }
    let value = object._encode(place.context)
    place.context.change { try $0.insertMember(value, of: place.identity, place.key) }
  }

  /// Puts members in.
  ///
  /// - Parameter objects: The members.
  public func insert<S: Sequence>(objectsIn objects: S) where S.Iterator.Element == Element {
    for object in Array(objects) { insert(object) }
  }

  /// Takes a member out; the object lives on.
  ///
  /// - Parameter object: The member; nothing happens if it is none.
  public func remove(_ object: Element) {
    guard let place = writable() else {
      unmanaged.removeAll { $0 == object }
      return
    }
    if let object = object as? ObjectBase, object.context == nil { return }
    if case .object(let object)? = object as? AnyRealmValue, object.context == nil { return }
    let value = object._encode(place.context)
    place.context.change { try $0.removeMember(value, of: place.identity, place.key) }
  }

  /// Takes every member out.
  public func removeAll() {
    guard let place = writable() else {
      unmanaged.removeAll()
      return
    }
    place.context.change { try $0.set(place.identity, place.key, .set([])) }
  }

  /// Keeps the members that are in another set, too.
  ///
  /// - Parameter other: The other set.
  public func formIntersection(_ other: MutableSet<Element>) {
    _ = writable()
    for member in Array(self) where !other.contains(member) { remove(member) }
  }

  /// Puts the members of another set in.
  ///
  /// - Parameter other: The other set.
  public func formUnion(_ other: MutableSet<Element>) {
    _ = writable()
    insert(objectsIn: Array(other))
  }

  /// Takes the members of another set out.
  ///
  /// - Parameter other: The other set.
  public func subtract(_ other: MutableSet<Element>) {
    _ = writable()
    for member in Array(other) { remove(member) }
  }
}

extension MutableSet: ExpressibleByArrayLiteral {
  /// Makes an unmanaged set of members.
  public convenience init(arrayLiteral elements: Element...) {
    self.init()
    insert(objectsIn: elements)
  }
}

extension MutableSet: AssignableCollection, AttachableCollection, DescribedCollection {
  func text(_ description: ObjectDescription) -> String {
    description.text("MutableSet", self, ObjectIdentifier(self))
  }

  func assign(_ value: Any) {
    guard let other = value as? MutableSet<Element>, other !== self else { return }
    if let place, let otherPlace = other.place, place.isSame(as: otherPlace) { return }
    _ = writable()
    let members = Array(other)
    removeAll()
    insert(objectsIn: members)
  }

  func assign(converting value: Any?, _ filler: ObjectFiller) -> Bool {
    _ = writable()
    guard let value = value.flatMap(unwrapped), !(value is NSNull) else {
      removeAll()
      return true
    }
    guard let given = ObjectFiller.elements(value) else { return false }
    if let place, let raw = ObjectFiller.raw(given, Element._shape) {
      removeAll()
      for member in raw {
        place.context.change { try $0.insertMember(member, of: place.identity, place.key) }
      }
      return true
    }
    guard let members: [Element] = filler.elements(given) else { return false }
    removeAll()
    insert(objectsIn: members)
    return true
  }

  static var attachedShape: PropertyShape { _shape }

  func attach(_ object: ObjectBase, _ key: PropertyKey) {
    let members = Array(self)
    attach(stored: object, key)
    unmanaged = []
    guard let place else { return }
    if !place.context.isAdoptingNew, place.count > 0 { removeAll() }
    insert(objectsIn: members)
  }

  func attach(stored object: ObjectBase, _ key: PropertyKey) {
    place = object.context.map { ManagedPlace(object, $0, key) }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension MutableSet: _Persistable {
  public typealias PersistedType = MutableSet
  public static var _shape: PropertyShape { Element._shape.collected(as: .set) }
  @inlinable
  public static var _isCached: Bool { true }
  public static func _makeDefault() -> MutableSet { MutableSet() }

  public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> MutableSet {
    if let kept = object.collection(Int(key.rawValue)) { return known(kept, as: MutableSet.self) }
    let set = MutableSet()
    set.attach(stored: object, key)
    set.keep(by: object, key)
    return set
  }

  public static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: MutableSet) {
    _get(object, key).assign(value)
  }

  public static func _record(_ recorder: PathRecorder) -> MutableSet {
    let set = MutableSet()
    set.recorder = recorder
    return set
  }
}

extension MutableSet: DeleteRuleProperty where Element: Object {}
