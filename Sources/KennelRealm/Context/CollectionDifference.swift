@_spi(Faces) import KennelCore

/// The differences between two states of a collection, as positions.
internal struct CollectionChanges {
  /// Positions in the state before.
  var deletions: [Int] = []
  /// Positions in the state after.
  var insertions: [Int] = []
  /// Positions in the state after.
  var modifications: [Int] = []

  var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }

  /// Compares the objects of a collection.
  ///
  /// - Parameters:
  ///   - old: The keys before.
  ///   - new: The keys after.
  ///   - isModified: Whether an object that is in both has other values.
  init(_ old: [ObjectKey], _ new: [ObjectKey], isModified: (ObjectKey) -> Bool) {
    if Self.isAscending(old), Self.isAscending(new) {
      merge(old, new)
    } else {
      compare(old, new)
    }
    let inserted = Set(insertions)
    modifications = new.indices.filter { !inserted.contains($0) && isModified(new[$0]) }
  }

  /// Compares the values of a collection: one that took the place of another counts as modified.
  init(_ old: [StoredValue], _ new: [StoredValue]) {
    compare(old, new)
    // As many went as came, at the same places: they were set.
    if deletions == insertions {
      modifications = insertions
      deletions = []
      insertions = []
    }
  }

  /// Compares the elements of a collection: one that took the place of another went and came.
  init(exact old: [StoredValue], _ new: [StoredValue]) {
    compare(old, new)
  }

  private static func isAscending(_ keys: [ObjectKey]) -> Bool {
    zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 }
  }

  private mutating func merge(_ old: [ObjectKey], _ new: [ObjectKey]) {
    var (left, right) = (0, 0)
    while left < old.count || right < new.count {
      if right == new.count || left < old.count && old[left] < new[right] {
        deletions.append(left)
        left += 1
      } else if left == old.count || new[right] < old[left] {
        insertions.append(right)
        right += 1
      } else {
        left += 1
        right += 1
      }
    }
  }

  private mutating func compare<Element: Hashable>(_ old: [Element], _ new: [Element]) {
    let (start, end) = old.sharedEnds(with: new)
    let difference = new[start..<(new.count - end)]
      .difference(from: old[start..<(old.count - end)])
    for change in difference {
      switch change {
      case .remove(let offset, _, _): deletions.append(offset + start)
      case .insert(let offset, _, _): insertions.append(offset + start)
      }
    }
    deletions.sort()
    insertions.sort()
  }
}
