internal import KennelCore

/// A difference between what a list or set was and what it is, or an edit that made it.
struct ElementChange: Hashable {
  /// The kind of change, and its place in a list.
  var kind: DraftItem.Kind
  /// The element that is gone.
  var old: Value?
  /// The element that is new, or was moved.
  var new: Value?

  /// Of more elements, the edits are told one by one: a key would wait for the lists to be read.
  fileprivate static let mostElements = 20_000

  /// Finds the differences of two lists, in the order of their places; `nil` where they are too many.
  static func between(_ old: [Value], _ new: [Value]) -> [ElementChange]? {
    if old.count == new.count {
      let places = old.indices.filter { old[$0] != new[$0] }
      let before = places.isEmpty ? [] : Set(old)
      // As many as before: elements were set, not moved.
      if places.allSatisfy({ !before.contains(new[$0]) }) {
        return places.map { ElementChange(kind: .replaced(at: $0), old: old[$0], new: new[$0]) }
      }
    }
    guard let edits = ListDifference.between(old, new) else { return nil }
    var differences: [(place: Int, difference: ElementChange)] = []
    for edit in edits.inferringMoves() {
      switch edit {
      case .insert(let place, let value, nil):
        differences.append((place, ElementChange(kind: .inserted(at: place), new: value)))
      case .remove(let place, let value, nil):
        differences.append((place, ElementChange(kind: .removed(at: place), old: value)))
      case .insert(let place, let value, let origin?):
        differences.append(
          (place, ElementChange(kind: .moved(from: origin, to: place), new: value))
        )
      case .remove: break
      }
    }
    return differences.sorted { $0.place < $1.place }.map(\.difference)
  }

  /// Finds the differences of two sets: what is gone, and what is new.
  static func betweenSets(_ old: [Value], _ new: [Value]) -> [ElementChange] {
    let (before, after) = (Set(old), Set(new))
    return old.filter { !after.contains($0) }.map { ElementChange(kind: .memberRemoved, old: $0) }
      + new.filter { !before.contains($0) }.map { ElementChange(kind: .memberInserted, new: $0) }
  }

  /// The edit that made each difference; `nil` unless each made one and each was made by one.
  static func owners(
    of differences: [ElementChange],
    among items: [DraftItem]
  ) -> [DraftItem.ID]? {
    guard differences.count == items.count else { return nil }
    // From the last to the first, so that the first of equal edits is taken first.
    var makers: [ElementChange: [DraftItem.ID]] = [:]
    for item in items.reversed() {
      guard let edit = ElementChange(kind: item.kind, old: item.old, new: item.new).anywhere else {
        return nil
      }
      makers[edit, default: []].append(item.id)
    }
    var owners: [DraftItem.ID] = []
    for difference in differences {
      guard let edit = difference.anywhere, let owner = makers[edit]?.popLast() else { return nil }
      owners.append(owner)
    }
    return owners
  }

  /// The same edit without its place; `nil` of what is no edit of a list or set.
  private var anywhere: ElementChange? {
    switch kind {
    case .inserted, .memberInserted: ElementChange(kind: .memberInserted, new: new)
    case .removed, .memberRemoved: ElementChange(kind: .memberRemoved, old: old)
    case .moved: ElementChange(kind: .moved(from: 0, to: 0), new: new)
    case .replaced: ElementChange(kind: .replaced(at: 0), old: old, new: new)
    case .created, .deleted, .value: nil
    }
  }
}

extension BrowserModel {
  /// Compares a list or set with that of the commit; `nil` for other properties, and where it or its
  /// differences are too many to be compared.
  func differences(
    of object: ObjectIdentity,
    _ property: PropertySchema
  ) -> [ElementChange]? {
    let collection = property.type.collection
    guard collection == .list || collection == .set, let base = draftOwner.base else { return nil }
    return attempt { () throws(DatabaseError) -> [ElementChange]? in
      let limit = 0..<ElementChange.mostElements + 1
      guard let reader, try base.contains(object) else { return nil }
      let old = try base.elements(of: object, property: property.key, in: limit)
      let new = try reader.elements(of: object, property: property.key, in: limit)
      guard max(old.count, new.count) < limit.upperBound else { return nil }
      return collection == .set
        ? ElementChange.betweenSets(old, new) : ElementChange.between(old, new)
    } ?? nil
  }
}
