internal import KennelCore

/// A difference between what a list or set was and what it is.
enum ElementChange: Hashable {
  /// An element that is new; without a place in a set.
  case inserted(at: Int?, Value)
  /// An element that is gone, and where it was.
  case removed(at: Int?, Value)
  case moved(from: Int, to: Int, Value)
  case replaced(at: Int, Value, Value)

  /// Of more elements, the edits are told one by one: a key would wait for the lists to be read.
  fileprivate static let mostElements = 20_000

  /// Finds the differences of two lists, in the order of their places; `nil` where they are too many.
  static func between(_ old: [Value], _ new: [Value]) -> [ElementChange]? {
    if old.count == new.count {
      let places = old.indices.filter { old[$0] != new[$0] }
      let before = places.isEmpty ? [] : Set(old)
      // As many as before: elements were set, not moved.
      if places.allSatisfy({ !before.contains(new[$0]) }) {
        return places.map { .replaced(at: $0, old[$0], new[$0]) }
      }
    }
    guard let edits = ListDifference.between(old, new) else { return nil }
    var differences: [(place: Int, difference: ElementChange)] = []
    for edit in edits.inferringMoves() {
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
    // From the last to the first, so that the first of equal edits is taken first.
    var makers: [Edit: [DraftItem.ID]] = [:]
    for item in items.reversed() {
      guard let edit = Edit(item) else { return nil }
      makers[edit, default: []].append(item.id)
    }
    var owners: [DraftItem.ID] = []
    for difference in differences {
      guard let owner = makers[Edit(difference)]?.popLast() else { return nil }
      owners.append(owner)
    }
    return owners
  }

  /// What an edit of a list or set does, wherever it does it.
  private enum Edit: Hashable {
    case inserted(Value?)
    case removed(Value?)
    case moved(Value?)
    case replaced(Value?, Value?)

    init(_ difference: ElementChange) {
      switch difference {
      case .inserted(_, let new): self = .inserted(new)
      case .removed(_, let old): self = .removed(old)
      case .moved(_, _, let value): self = .moved(value)
      case .replaced(_, let old, let new): self = .replaced(old, new)
      }
    }

    init?(_ item: DraftItem) {
      switch item.kind {
      case .inserted, .memberInserted: self = .inserted(item.new)
      case .removed, .memberRemoved: self = .removed(item.old)
      case .moved: self = .moved(item.new)
      case .replaced: self = .replaced(item.old, item.new)
      case .created, .deleted, .value: return nil
      }
    }
  }
}

extension BrowserModel {
  /// What the draft changes in a list or set; `nil` for other properties, and where it or its
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
