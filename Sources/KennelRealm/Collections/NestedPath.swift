@_spi(Faces) import KennelCore

/// The way from the value of a property to a list or map inside it, which goes with its collection when
/// others are inserted or removed beside it.
///
/// The file names no collection inside a value; where it is now is found by comparing what the realm shows
/// with what it showed before.
internal final class NestedPath {
  private(set) var steps: [NestedStep]
  /// The value of the property when the collection was last found in it; see ``unread``.
  private var whole = StoredValue.null
  /// The collection; `nil` while it is gone; see ``unread``.
  private var content: StoredValue?
  /// The value of the property, which is the collection, until more than its entries is asked for: then
  /// it becomes ``whole`` and ``content``.
  private var unread: StoredCollection?
  /// When it was looked at; 0 for another realm's.
  private var stamp: UInt64

  init(
    _ steps: [NestedStep],
    _ content: StoredValue?,
    in whole: StoredValue,
    _ stamp: UInt64
  ) {
    self.steps = steps
    self.content = content
    self.whole = whole
    self.stamp = stamp
  }

  /// The way to a list or map that the value of a property is.
  init(_ unread: StoredCollection, _ context: RealmContext) {
    steps = []
    stamp = context.stamp
    if context.isFrozen {
      // Several threads may read it at once, and none of them may change it.
      whole = context.attempt { try unread.value() }
      content = whole
    } else {
      self.unread = unread
    }
  }

  /// Reads the whole value.
  private func readAll(in place: ManagedPlace) {
    guard let unread else { return }
    whole = place.context.attempt { try unread.value() }
    content = whole
    self.unread = nil
  }

  /// The same way.
  func copied() -> NestedPath {
    let copy = NestedPath(steps, content, in: whole, stamp)
    copy.unread = unread
    return copy
  }

  /// The same way, for another thread or realm of the file.
  func detached() -> NestedPath {
    let copy = copied()
    copy.stamp = 0
    return copy
  }

  /// The way to an element that is a collection itself.
  func nested(
    _ step: NestedStep,
    _ element: StoredValue,
    in place: ManagedPlace
  ) -> NestedPath {
    readAll(in: place)
    return NestedPath(steps + [step], element, in: whole, stamp)
  }

  /// The collection as the realm shows it now; `nil` if it is gone.
  func value(in place: ManagedPlace) -> StoredValue? {
    readAll(in: place)
    if stamp != place.context.stamp { locate(in: place) }
    return content
  }

  /// The bytes of the collection, as long as nothing has changed since it was asked for.
  @inline(__always)
  func unchanged(_ context: RealmContext) -> StoredCollection? {
    stamp == context.stamp ? unread : nil
  }

  /// The value of the property with another collection in the place of this one; `nil` if it is gone.
  func replacing(
    in place: ManagedPlace,
    _ change: (StoredValue) -> StoredValue?
  ) -> StoredValue? {
    value(in: place) == nil ? nil : whole.replacing(at: steps[...], change)
  }

  /// Notes a change that was made by this way, which therefore stays.
  func stays(in place: ManagedPlace) {
    unread = nil
    whole = place.wholeValue
    content = whole.element(at: steps)
    stamp = place.context.stamp
  }

  /// Looks where the collection is now.
  ///
  /// Where it is gone, the way stays what it was last: a transaction that is cancelled leads back to it.
  private func locate(in place: ManagedPlace) {
    stamp = place.context.stamp
    content = nil
    let now = place.wholeValue
    guard let old = whole.element(at: steps),
      let moved = Self.moved(steps, from: whole, to: now),
      let found = now.element(at: moved), Self.isAlike(old, found)
    else { return }
    (steps, whole, content) = (moved, now, found)
  }

  // MARK: - Finding it again

  private static func moved(
    _ steps: [NestedStep],
    from old: StoredValue,
    to new: StoredValue
  ) -> [NestedStep]? {
    var (old, new) = (old, new)
    var moved: [NestedStep] = []
    for (position, step) in steps.enumerated() {
      if old == new { return moved + steps[position...] }
      var next = step
      if case .index(let index) = step, case .list(let before) = old {
        guard case .list(let after) = new, let found = place(of: index, before, after) else {
          return nil
        }
        next = .index(found)
      }
      guard let oldElement = old.element(step), let newElement = new.element(next) else {
        return nil
      }
      moved.append(next)
      (old, new) = (oldElement, newElement)
    }
    return moved
  }

  /// More elements that may be others are not compared one by one: it takes time in proportion to the
  /// square of their number.
  private static let mostCompared = 1_000

  /// Where an element of a list stands now, whose own elements may have changed.
  private static func place(
    of index: Int,
    _ before: [StoredValue],
    _ after: [StoredValue]
  ) -> Int? {
    let shared = min(before.count, after.count)
    let start = (0..<shared).first { before[$0] != after[$0] } ?? shared
    if index < start { return index }
    let end =
      (0..<shared - start).first { before[before.count - 1 - $0] != after[after.count - 1 - $0] }
      ?? shared - start
    if index >= before.count - end { return index + after.count - before.count }
    let (old, new) = (before[start..<before.count - end], after[start..<after.count - end])
    if let moved = movedPlace(of: index, old, new) { return moved }
    guard old.count + new.count <= mostCompared else { return nil }
    return changedPlace(of: index, old, new)
  }

  /// Where an element stands that moved as it is; of equal ones, the one with as many before it.
  private static func movedPlace(
    of index: Int,
    _ old: ArraySlice<StoredValue>,
    _ new: ArraySlice<StoredValue>
  ) -> Int? {
    let places = new.indices.filter { new[$0] == old[index] }
    let rank = old[..<index].count { $0 == old[index] }
    return places.isEmpty ? nil : places[min(rank, places.count - 1)]
  }

  /// Where an element stands that changed itself: among those that came between the same neighbours.
  private static func changedPlace(
    of index: Int,
    _ old: ArraySlice<StoredValue>,
    _ new: ArraySlice<StoredValue>
  ) -> Int? {
    let changes = CollectionChanges(exact: Array(old), Array(new))
    let (gone, came) = (Set(changes.deletions), Set(changes.insertions))
    let position = index - old.startIndex
    let rank = (0..<position).count { !gone.contains($0) }
    let stayed = new.indices.filter { !came.contains($0 - new.startIndex) }
    let start = rank > 0 ? stayed[rank - 1] + 1 : new.startIndex
    let end = rank < stayed.count ? stayed[rank] : new.endIndex
    // As many as before between these neighbours: they were set, not moved.
    var first = position
    while first > 0, gone.contains(first - 1) { first -= 1 }
    var last = position
    while gone.contains(last + 1) { last += 1 }
    if last - first + 1 == end - start { return start + position - first }
    let alike = (start..<end).filter { isAlike(old[index], new[$0]) }
    return alike.count == 1 ? alike[0] : nil
  }

  private static func isAlike(_ one: StoredValue, _ other: StoredValue) -> Bool {
    switch (one.shape, other.shape) {
    case (.list, .list), (.map, .map): true
    case (.null, _), (.scalar, _), (.link, _), (.list, _), (.set, _), (.map, _): false
    }
  }
}
