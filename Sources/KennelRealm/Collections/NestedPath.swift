import KennelCore

/// The way from the value of a property to a list or map inside it, which goes with its collection when
/// others are inserted or removed beside it.
///
/// The file names no collection inside a value; where it is now is found by comparing what the realm shows
/// with what it showed before.
internal final class NestedPath {
  /// Whether it leads to a list or a map.
  let kind: CollectionKind
  private(set) var steps: [NestedStep]
  /// Whether what it led to is gone.
  private var isGone = false
  /// What the realm showed when the steps were right; `nil` for a way through maps only, whose keys stay
  /// what they are.
  private var seen: (stamp: UInt64, whole: KennelCore.Value)?

  init(_ steps: [NestedStep], _ kind: CollectionKind, in place: ManagedPlace) {
    self.steps = steps
    self.kind = kind
    if steps.contains(where: { if case .index = $0 { true } else { false } }) {
      seen = (place.context.stamp, place.wholeValue)
    }
  }

  private init(_ other: NestedPath) {
    kind = other.kind
    steps = other.steps
    isGone = other.isGone
    seen = other.seen.map { (0, $0.whole) }
  }

  /// The same way, for another thread.
  func detached() -> NestedPath { NestedPath(self) }

  /// The same way for another realm of the file.
  func copy(in place: ManagedPlace) -> NestedPath {
    let copy = NestedPath(self)
    _ = copy.current(in: place)
    return copy
  }

  /// The steps as the realm is now; `nil` if what they led to is gone.
  func current(in place: ManagedPlace) -> [NestedStep]? {
    guard let seen, seen.stamp != place.context.stamp, !isGone else { return isGone ? nil : steps }
    let whole = place.wholeValue
    if let moved = Self.moved(steps, from: seen.whole, to: whole) {
      steps = moved
    } else {
      isGone = true
    }
    self.seen = (place.context.stamp, whole)
    return isGone ? nil : steps
  }

  /// Notes a change that was made by this way, which therefore stays.
  func saw(in place: ManagedPlace) {
    if seen != nil { seen = (place.context.stamp, place.wholeValue) }
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
