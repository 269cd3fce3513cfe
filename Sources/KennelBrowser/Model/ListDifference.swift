@_spi(Faces) internal import KennelCore

/// The fewest removals and insertions that make one list of another, by Myers' greedy algorithm.
///
/// The time grows with the length of the lists times the number of edits, the memory with the square of
/// that number; so the edits are bounded, and not the lists.
enum ListDifference {
  /// Lists that differ in more are not compared: the ways to 2,000 edits take 8 MB.
  static let mostEdits = 2_000

  /// Finds the edits from `old` to `new`; `nil` where they are more than `mostEdits`.
  static func between<Element: Hashable>(
    _ old: [Element],
    _ new: [Element]
  ) -> CollectionDifference<Element>? {
    let (start, end) = old.sharedEnds(with: new)
    // Numbers are compared faster than the values that they stand for.
    var numbers: [Element: Int32] = [:]
    func number(_ value: Element) -> Int32 {
      let next = Int32(numbers.count)
      let number = numbers[value, default: next]
      if number == next { numbers[value] = next }
      return number
    }
    let before = old[start..<old.count - end].map(number)
    let after = new[start..<new.count - end].map(number)
    guard let rows = rows(before, after) else { return nil }
    var changes: [CollectionDifference<Element>.Change] = []
    var (x, y) = (before.count, after.count)
    for count in stride(from: rows.count - 1, to: 0, by: -1) {
      let row = rows[count - 1]
      let diagonal = x - y
      if isInsertion(diagonal, count, row) {
        x = reach(diagonal + 1, count - 1, row)
        y = x - diagonal - 1
        changes.append(.insert(offset: start + y, element: new[start + y], associatedWith: nil))
      } else {
        x = reach(diagonal - 1, count - 1, row)
        y = x - diagonal + 1
        changes.append(.remove(offset: start + x, element: old[start + x], associatedWith: nil))
      }
    }
    return CollectionDifference(changes)
  }

  /// For each number of edits, how far into `old` they lead on each diagonal that they can end on; the
  /// last row reaches the end of both.
  private static func rows(_ old: [Int32], _ new: [Int32]) -> [[Int32]]? {
    var rows: [[Int32]] = []
    for count in 0...min(mostEdits, old.count + new.count) {
      var row: [Int32] = []
      row.reserveCapacity(count + 1)
      for diagonal in stride(from: -count, through: count, by: 2) {
        var x = 0
        if let last = rows.last {
          x =
            isInsertion(diagonal, count, last)
            ? reach(diagonal + 1, count - 1, last) : reach(diagonal - 1, count - 1, last) + 1
        }
        while x < old.count, x - diagonal < new.count, old[x] == new[x - diagonal] { x += 1 }
        row.append(Int32(x))
        if x >= old.count, x - diagonal >= new.count { return rows + [row] }
      }
      rows.append(row)
    }
    return nil
  }

  /// Whether the last of `count` edits that end on a diagonal is an insertion, by the row before.
  private static func isInsertion(_ diagonal: Int, _ count: Int, _ row: [Int32]) -> Bool {
    guard diagonal != -count else { return true }
    guard diagonal != count else { return false }
    return reach(diagonal - 1, count - 1, row) < reach(diagonal + 1, count - 1, row)
  }

  /// How far `count` edits lead on a diagonal.
  private static func reach(_ diagonal: Int, _ count: Int, _ row: [Int32]) -> Int {
    Int(row[(diagonal + count) / 2])
  }
}
