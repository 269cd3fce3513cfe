// swift-format-ignore-file: NoLeadingUnderscores

import Foundation
import KennelCore

/// An ordered collection of objects or values, with duplicates.
///
/// ```swift
/// let fram = Ship(value: ["name": "Fram"])
/// fram.voyages.append(Voyage(value: ["port": "Oslo", "days": 12]))
/// for voyage in fram.voyages { print(voyage.port) }
/// ```
///
/// It is the type of to-many links. The list of an unmanaged object holds its elements; the list of
/// a managed object reads and writes the file.
public final class List<Element: RealmCollectionValue>: CollectionHost, RealmCollection {
  /// The elements while the list is unmanaged.
  @MadeLater @usableFromInline internal var unmanaged: [Element] = []

  /// Makes an empty, unmanaged list.
  public required override init() { super.init() }

  // MARK: - Reading

  /// The number of elements.
  public var count: Int { place?.count ?? unmanaged.count }

  /// Returns the element at a position.
  public subscript(position: Int) -> Element {
    @inlinable
    get {
      if isWalkable, let object = element(at: position) { return known(object, as: Element.self) }
      return anyElement(position)
    }
    set {
      guard let place = writable(position, below: count) else {
        unmanaged[position] = newValue
        return
      }
      if let embedded = newValue._embedded {
        let slot = place.slot(.index(position))
        // Before the element goes, which it may be.
        if embedded.context != nil { place.context.adder.throwOwned(embedded, slot) }
        place.removeElement(at: position)
        place.context.adder.place(embedded, at: slot)
        place.note(.set(position))
        return
      }
      let value = newValue._encode(place.context)
      place.note(.set(position))
      place.replace(at: position, with: value)
    }
  }

  @inline(never)
  @usableFromInline
  internal func anyElement(_ position: Int) -> Element {
    if let recorder { return Element._record(recorder) }
    guard let place else {
      requirePosition(position, below: unmanaged.count)
      return unmanaged[position]
    }
    requirePosition(position, below: .max)
    prepare(for: Element.self)
    if isWalkable, let object = element(at: position) { return known(object, as: Element.self) }
    guard let value = place.element(position) else {
      requirePosition(position, below: place.count)
      throwRealmException(
        "Index \(position) is out of bounds (must be less than \(place.count))."
      )
    }
    return place.decode(value, at: .index(position))
  }

  /// Returns the position of an element; `nil` if it is not in the list.
  ///
  /// - Parameter element: The element.
  /// - Returns: The position of its first occurrence.
  public func index(of element: Element) -> Int? {
    place == nil ? unmanaged.firstIndex(of: element) : _source.position(of: element)
  }

  /// Returns an iterator over the current elements.
  @inlinable
  public func makeIterator() -> RealmIterator<Element> {
    RealmIterator(self, isWalkable ? [] : others())
  }

  /// The elements, unless they are handed out one after the other.
  @usableFromInline
  internal func others() -> [RealmIterator<Element>.Others] {
    guard let place else { return RealmIterator.others(unmanaged) }
    prepare(for: Element.self)
    return isWalkable ? [] : RealmIterator.others(place)
  }

  /// Returns whether both are the same list of the same object, or unmanaged with equal elements.
  public static func == (left: List, right: List) -> Bool {
    left === right || ManagedPlace.areSame(left.place, right.place) ?? left.elementsEqual(right)
  }

  // MARK: - Writing

  private func writable(_ position: Int, below limit: Int) -> ManagedPlace? {
    let place = writable()
    requirePosition(position, below: limit)
    return place
  }

  /// Appends an element.
  ///
  /// - Parameter object: The element. An unmanaged object is added to the realm of the list.
  @inlinable
  public func append(_ object: Element) {
    if isElsewhere { insert(object, at: count) } else { unmanaged.append(object) }
  }

  /// Appends elements.
  ///
  /// - Parameter objects: The elements.
  public func append<S: Sequence>(objectsIn objects: S) where S.Iterator.Element == Element {
    insert(contentsOf: Array(objects), at: count)
  }

  /// Inserts an element.
  ///
  /// - Parameters:
  ///   - object: The element.
  ///   - index: The position, from 0 to the number of elements.
  public func insert(_ object: Element, at index: Int) {
    guard let place = writable(index, below: count + 1) else {
      unmanaged.insert(object, at: index)
      return
    }
    if let embedded = object._embedded {
      place.context.adder.place(embedded, at: place.slot(.index(index)))
      place.note(.insert(index..<index + 1))
      return
    }
    let value = object._encode(place.context)
    place.note(.insert(index..<index + 1))
    place.insert(value, at: index)
  }

  /// Inserts elements.
  ///
  /// - Parameters:
  ///   - newElements: The elements.
  ///   - index: The position of the first, from 0 to the number of elements.
  public func insert<C: Collection>(contentsOf newElements: C, at index: Int)
  where C.Iterator.Element == Element {
    // They may be a part of this list, which changes meanwhile.
    let newElements = Array(newElements)
    guard let place = writable(index, below: count + 1) else {
      unmanaged.insert(contentsOf: newElements, at: index)
      return
    }
    if Element._shape.type == .object {
      if let links = place.links, index == place.count {
        append(newElements, to: place, links)
      } else {
        for (offset, element) in newElements.enumerated() { insert(element, at: index + offset) }
      }
      return
    }
    guard !newElements.isEmpty, case .list(var values) = place.value else { return }
    values.insert(contentsOf: newElements.map { $0._encode(place.context) }, at: index)
    place.note(.insert(index..<index + newElements.count))
    place.setAll(.list(values))
  }

  /// Links to objects at the end.
  private func append(
    _ elements: some Collection<Element>,
    to place: ManagedPlace,
    _ links: TypedProperty<[ObjectIdentity]>
  ) {
    let objects = elements.compactMap { $0 as? Object }
    if place.context.writes != nil {
      let count = place.count
      place.note(.insert(count..<count + objects.count))
    }
    place.context.append(objects, to: place.identity, links)
  }

  /// Removes an element and deletes it if it is embedded.
  ///
  /// - Parameter index: The position.
  public func remove(at index: Int) {
    guard let place = writable(index, below: count) else {
      unmanaged.remove(at: index)
      return
    }
    place.note(.remove(index))
    place.removeElement(at: index)
  }

  /// Removes all elements and deletes embedded ones.
  public func removeAll() {
    guard let place = writable() else {
      unmanaged.removeAll()
      return
    }
    place.note(.removeAll)
    place.setAll(.list([]))
  }

  /// Replaces an element.
  ///
  /// - Parameters:
  ///   - index: The position.
  ///   - object: The new element.
  public func replace(index: Int, object: Element) {
    self[index] = object
  }

  /// Moves an element.
  ///
  /// - Parameters:
  ///   - from: The old position.
  ///   - to: The new position.
  public func move(from: Int, to: Int) {
    guard let place = writable(from, below: count) else {
      requirePosition(to, below: unmanaged.count)
      unmanaged.insert(unmanaged.remove(at: from), at: to)
      return
    }
    requirePosition(to, below: count)
    place.note(.move(from: from, to: to))
    place.moveElement(from: from, to: to)
  }

  /// Swaps two elements.
  ///
  /// - Parameters:
  ///   - index1: The first position.
  ///   - index2: The second position.
  public func swapAt(_ index1: Int, _ index2: Int) {
    guard writable(index1, below: count) != nil else {
      requirePosition(index2, below: unmanaged.count)
      unmanaged.swapAt(index1, index2)
      return
    }
    requirePosition(index2, below: count)
    if index1 == index2 { return }
    let (first, second) = (Swift.min(index1, index2), Swift.max(index1, index2))
    move(from: second, to: first)
    if second - first > 1 { move(from: first + 1, to: second) }
  }
}

extension List: MutableCollection {
  /// A slice of a list.
  public typealias SubSequence = Slice<List>

  /// Accesses the elements in a range of positions.
  public subscript(bounds: Range<Int>) -> Slice<List> {
    get { Slice(base: self, bounds: bounds) }
    set { replaceSubrange(bounds, with: Array(newValue)) }
  }
}

extension List: RangeReplaceableCollection {
  /// Replaces elements.
  ///
  /// - Parameters:
  ///   - subrange: The positions.
  ///   - newElements: The new elements.
  public func replaceSubrange<C: Collection>(_ subrange: Range<Int>, with newElements: C)
  where C.Iterator.Element == Element {
    let elements = Array(newElements)
    for position in subrange.reversed() { remove(at: position) }
    insert(contentsOf: elements, at: subrange.lowerBound)
  }

  /// Replaces elements.
  ///
  /// - Parameters:
  ///   - subrange: The positions.
  ///   - newElements: The new elements.
  public func replaceSubrange<C: Collection, R: RangeExpression>(
    _ subrange: R,
    with newElements: C
  ) where C.Iterator.Element == Element, R.Bound == Int {
    replaceSubrange(subrange.relative(to: self), with: newElements)
  }

  /// Removes elements.
  ///
  /// - Parameter bounds: The positions.
  public func removeSubrange<R: RangeExpression>(_ bounds: R) where R.Bound == Int {
    for position in bounds.relative(to: self).reversed() { remove(at: position) }
  }

  /// Removes elements.
  ///
  /// - Parameter bounds: The positions.
  public func removeSubrange(_ bounds: Range<Int>) {
    for position in bounds.reversed() { remove(at: position) }
  }

  /// Removes the first elements.
  ///
  /// - Parameter number: The number of elements.
  public func removeFirst(_ number: Int = 1) {
    requireCount(number)
    removeSubrange(0..<number)
  }

  /// Removes the last elements.
  ///
  /// - Parameter number: The number of elements.
  public func removeLast(_ number: Int = 1) {
    requireCount(number)
    removeSubrange(count - number..<count)
  }

  private func requireCount(_ number: Int) {
    _ = writable()
    if number < 0 { throwRealmException("Cannot remove a negative number of elements") }
    if number > count {
      throwRealmException("Cannot remove \(number) elements: there are \(count)")
    }
  }

  /// Removes the elements at positions.
  ///
  /// - Parameter offsets: The positions.
  public func remove(atOffsets offsets: IndexSet) {
    for position in offsets.reversed() { remove(at: position) }
  }

  /// Moves the elements at positions, in the convention of SwiftUI's lists.
  ///
  /// - Parameters:
  ///   - offsets: The old positions.
  ///   - destination: The position in front of which they are placed, counted before the move.
  public func move(fromOffsets offsets: IndexSet, toOffset destination: Int) {
    for position in offsets { requirePosition(position, below: count) }
    requirePosition(destination, below: count + 1)
    let before = offsets.filter { $0 < destination }
    for (done, position) in before.enumerated() { move(from: position - done, to: destination - 1) }
    let after = offsets.filter { $0 >= destination }
    for (done, position) in after.enumerated() { move(from: position, to: destination + done) }
  }
}

extension List: ExpressibleByArrayLiteral {
  /// Creates an unmanaged list of elements.
  public convenience init(arrayLiteral elements: Element...) {
    self.init()
    unmanaged = elements
  }
}

extension List: ExchangeableCollection {
  static var adoption: CollectionAdoption? {
    guard Element.self is Object.Type else { return nil }
    return { object, place, key in
      // All lists of objects lie in memory alike.
      if case .value(let list) = place[as: Persisted<List<Object>>.self].storage {
        guard list.adopt(object, key) else { return false }
      }
      place[as: Persisted<List<Object>>.self].storage = .managed(key)
      return true
    }
  }

  var contents: [Element] { Array(self) }
  func removeUnmanaged() { unmanaged = [] }
  func makeLater(_ contents: @escaping () -> [Element]) { _unmanaged.make = contents }
  func add(_ contents: [Element]) { append(objectsIn: contents) }

  func update(_ place: ManagedPlace, _ elements: [Element]) -> Bool {
    guard place.context.adder.updatesEmbedded, Element._shape.objectClass is EmbeddedObject.Type
    else { return false }
    for (index, element) in elements.enumerated() {
      guard let embedded = element._embedded else { continue }
      place.context.adder.place(embedded, at: place.slot(.index(index)))
    }
    while place.count > elements.count { remove(at: place.count - 1) }
    return true
  }
}

extension List<Object> {
  /// Stores the elements as those of a new object; false where they are no links.
  fileprivate func adopt(_ object: ObjectBase, _ key: PropertyKey) -> Bool {
    guard let context = object.context else { return false }
    let place = ManagedPlace(object, context, key)
    guard let links = place.links else { return false }
    let elements = unmanaged
    self.place = consume place
    keep(by: object, key)
    unmanaged = []
    context.append(elements, to: object.identity, links)
    return true
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension List: _StoredCollection {
  public typealias PersistedType = List
  public static var _shape: PropertyShape { Element._shape.collected(as: .list) }
}

extension List: DeleteRuleProperty where Element: Object {}
