import KennelCore

/// The way from the value of a property to a list or map inside it, which goes with its collection when
/// others are inserted or removed beside it.
///
/// The file names no collection inside a value; where it is now is found by comparing what the realm shows
/// with what it showed before.
internal final class NestedPath {
  private(set) var steps: [NestedStep]
  /// The value of the property, and the collection in it; `nil` once that is gone.
  private var whole: KennelCore.Value
  private var content: KennelCore.Value?
  /// What the realm showed then; 0 for another realm's.
  private var stamp: UInt64

  init(
    _ steps: [NestedStep],
    _ content: KennelCore.Value,
    in whole: KennelCore.Value,
    _ stamp: UInt64
  ) {
    self.steps = steps
    self.content = content
    self.whole = whole
    self.stamp = stamp
  }

  /// The same way.
  func copied() -> NestedPath {
    let copy = NestedPath(steps, .null, in: whole, stamp)
    copy.content = content
    return copy
  }

  /// The same way, for another thread or realm of the file.
  func detached() -> NestedPath {
    let copy = copied()
    copy.stamp = 0
    return copy
  }

  /// The way to an element that is a collection itself.
  func nested(_ step: NestedStep, _ element: KennelCore.Value) -> NestedPath {
    NestedPath(steps + [step], element, in: whole, stamp)
  }

  /// The collection as the realm shows it now; `nil` if it is gone.
  func value(in place: ManagedPlace) -> KennelCore.Value? {
    if stamp != place.context.stamp { look(in: place) }
    return content
  }

  /// Notes a change that was made by this way, which therefore stays.
  func stays(in place: ManagedPlace) {
    whole = place.wholeValue
    content = whole.element(at: steps)
    stamp = place.context.stamp
  }

  private func look(in place: ManagedPlace) {
    let (before, now) = (whole, place.wholeValue)
    whole = now
    stamp = place.context.stamp
    guard let old = content else { return }
    let moved = Self.moved(steps, from: before, to: now)
    content = moved.flatMap { now.element(at: $0) }
    if let moved { steps = moved }
    if let found = content, !Self.isAlike(old, found) { content = nil }
  }

  // MARK: - Finding it again

  private static func moved(
    _ steps: [NestedStep],
    from old: KennelCore.Value,
    to new: KennelCore.Value
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

  /// Where an element of a list stands now, whose own elements may have changed.
  private static func place(
    of index: Int,
    _ before: [KennelCore.Value],
    _ after: [KennelCore.Value]
  ) -> Int? {
    let changes = CollectionChanges(exact: before, after)
    let (deleted, inserted) = (Set(changes.deletions), Set(changes.insertions))
    let stayed = after.indices.filter { !inserted.contains($0) }
    let rank = (0..<index).count { !deleted.contains($0) }
    guard deleted.contains(index) else { return rank < stayed.count ? stayed[rank] : nil }
    // It moved as it is.
    let gone = before.indices.filter { deleted.contains($0) }
    let equal = after.indices.filter { inserted.contains($0) && after[$0] == before[index] }
    let offset = gone.filter { before[$0] == before[index] }.firstIndex(of: index) ?? 0
    if !equal.isEmpty { return equal[min(offset, equal.count - 1)] }
    // It changed: it is among those that came between the same neighbours.
    let start = rank > 0 ? stayed[rank - 1] + 1 : 0
    let end = rank < stayed.count ? stayed[rank] : after.count
    let here = gone.filter { old in (0..<old).count { !deleted.contains($0) } == rank }
    if here.count == end - start, let offset = here.firstIndex(of: index) { return start + offset }
    let alike = (start..<end).filter { isAlike(before[index], after[$0]) }
    return alike.count == 1 ? alike[0] : nil
  }

  private static func isAlike(_ one: KennelCore.Value, _ other: KennelCore.Value) -> Bool {
    switch (one, other) {
    case (.list, .list), (.map, .map): true
    default: false
    }
  }
}
