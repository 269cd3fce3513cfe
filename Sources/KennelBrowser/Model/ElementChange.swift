internal import KennelCore

/// A difference between what a list or set was and what it is.
enum ElementChange: Hashable {
  /// An element that is new; without a place in a set.
  case inserted(at: Int?, Value)
  /// An element that is gone, and where it was.
  case removed(at: Int?, Value)
  case moved(from: Int, to: Int, Value)
  case replaced(at: Int, Value, Value)

  /// Of more elements, the edits are told one by one: finding the fewest differences takes time in
  /// proportion to the square of their number.
  fileprivate static let mostElements = 2_000

  /// Finds the differences of two lists, in the order of their places.
  static func between(_ old: [Value], _ new: [Value]) -> [ElementChange] {
    if old.count == new.count {
      let places = old.indices.filter { old[$0] != new[$0] }
      // As many as before: elements were set, not moved.
      if places.allSatisfy({ !old.contains(new[$0]) }) {
        return places.map { .replaced(at: $0, old[$0], new[$0]) }
      }
    }
    var differences: [(place: Int, difference: ElementChange)] = []
    for edit in new.difference(from: old).inferringMoves() {
      switch edit {
      case .insert(let place, let value, nil):
        differences.append((place, .inserted(at: place, value)))
      case .remove(let place, let value, nil):
        differences.append((place, .removed(at: place, value)))
      case .insert(let place, let value, let origin?):
        differences.append((place, .moved(from: origin, to: place, value)))
      case .remove: break
      }
    }
    return differences.sorted { $0.place < $1.place }.map(\.difference)
  }

  /// Finds the differences of two sets: what is gone, and what is new.
  static func betweenSets(_ old: [Value], _ new: [Value]) -> [ElementChange] {
    let (before, after) = (Set(old), Set(new))
    return old.filter { !after.contains($0) }.map { .removed(at: nil, $0) }
      + new.filter { !before.contains($0) }.map { .inserted(at: nil, $0) }
  }

  /// The edit that made each difference; `nil` unless each made one and each was made by one.
  static func owners(
    of differences: [ElementChange],
    among items: [DraftItem]
  ) -> [DraftItem.ID]? {
    guard differences.count == items.count else { return nil }
    var rest = items
    var owners: [DraftItem.ID] = []
    for difference in differences {
      guard let index = rest.firstIndex(where: { difference.isMade(by: $0) }) else { return nil }
      owners.append(rest.remove(at: index).id)
    }
    return owners
  }

  private func isMade(by item: DraftItem) -> Bool {
    switch (self, item.kind) {
    case (.inserted(_, let new), .inserted), (.inserted(_, let new), .memberInserted):
      item.new == new
    case (.removed(_, let old), .removed), (.removed(_, let old), .memberRemoved): item.old == old
    case (.moved(_, _, let value), .moved): item.new == value
    case (.replaced(_, let old, let new), .replaced): item.old == old && item.new == new
    case (.inserted, _), (.removed, _), (.moved, _), (.replaced, _): false
    }
  }
}

extension BrowserModel {
  /// What the draft changes in a list or set; `nil` for other properties and where it is very long.
  func differences(
    of object: ObjectIdentity,
    _ property: PropertySchema
  ) -> [ElementChange]? {
    let collection = property.type.collection
    guard collection == .list || collection == .set, let base = draft.base else { return nil }
    return attempt { () throws(DatabaseError) -> [ElementChange]? in
      let limit = 0..<ElementChange.mostElements + 1
      guard let reader, try base.contains(object) else { return nil }
      let old = try base.elements(of: object, property.key, in: limit)
      let new = try reader.elements(of: object, property.key, in: limit)
      guard max(old.count, new.count) < limit.upperBound else { return nil }
      return collection == .set
        ? ElementChange.betweenSets(old, new) : ElementChange.between(old, new)
    } ?? nil
  }
}
