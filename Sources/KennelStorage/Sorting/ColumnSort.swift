/// Sorts positions by columns, digit by digit; what is alike stays in the order of the positions.
package struct ColumnSort {
  /// A number to sort by, and whose it is.
  private struct Entry {
    var digit: UInt64
    var index: UInt32
  }

  /// Positions that are alike in everything before a column and a digit of it.
  private struct Group {
    var range: Range<Int>
    var column: Int
    /// Which digit of the column is next; of text, which eight bytes.
    var level: Int
  }

  /// The positions; in order after ``run(isCancelled:)``.
  package private(set) var order: [UInt32]
  private let columns: [(column: SortColumn, isAscending: Bool)]
  private var entries: [Entry]
  private var scratch: [Entry]
  private var groups: [Group] = []

  /// Groups up to this size are compared in full instead of digit by digit.
  private static let small = 24
  /// Groups up to this size are sorted by comparing digits; counting takes longer to set up.
  private static let medium = 512

  /// Takes columns of `count` values each, the most significant first, and whether each ascends.
  package init(_ columns: [(SortColumn, Bool)], count: Int) {
    self.columns = columns.map { (column: $0.0, isAscending: $0.1) }
    order = (0..<UInt32(count)).map(\.self)
    entries = Array(repeating: Entry(digit: 0, index: 0), count: count)
    scratch = entries
  }

  /// Sorts; false where it was cancelled.
  package mutating func run(isCancelled: (@Sendable () -> Bool)?) -> Bool {
    groups = [Group(range: order.indices, column: 0, level: 0)]
    var worked = 0
    while let group = groups.popLast() {
      if group.range.count <= Self.small {
        sortSmall(group)
      } else {
        refine(group)
      }
      worked += group.range.count
      if worked > 50_000 {
        worked = 0
        if isCancelled?() == true { return false }
      }
    }
    return true
  }

  // MARK: - Small groups

  private mutating func sortSmall(_ group: Group) {
    guard group.column < columns.count else { return }
    let columns = columns[group.column...]
    let start = group.range.lowerBound
    for next in group.range.dropFirst() {
      let moving = order[next]
      var place = next
      while place > start, Self.isOrdered(moving, before: order[place - 1], columns) {
        order[place] = order[place - 1]
        place -= 1
      }
      order[place] = moving
    }
  }

  private static func isOrdered(
    _ left: UInt32,
    before right: UInt32,
    _ columns: ArraySlice<(column: SortColumn, isAscending: Bool)>
  ) -> Bool {
    for (column, isAscending) in columns {
      let order = column.compare(Int(left), Int(right))
      if order != 0 { return (order < 0) == isAscending }
    }
    return left < right
  }

  // MARK: - Large groups

  private mutating func refine(_ group: Group) {
    guard group.column < columns.count else { return }
    let (column, isAscending) = columns[group.column]
    var group = group
    if group.level == 0, column.hasNulls {
      group.range = splitNulls(group, column, isAscending)
      guard group.range.count > 1 else { return }
    }
    if case .values = column { return sortValues(group) }
    let mask: UInt64 = isAscending ? 0 : .max
    fill(group, column, mask)
    sortEntries(group.range)
    for position in group.range { order[position] = entries[position].index }
    splitRuns(group, column)
  }

  /// Puts the nulls first, or last where the order descends; returns where the others are.
  private mutating func splitNulls(
    _ group: Group,
    _ column: SortColumn,
    _ isAscending: Bool
  ) -> Range<Int> {
    var nulls: [UInt32] = []
    var others: [UInt32] = []
    for position in group.range {
      if column.isNull(Int(order[position])) {
        nulls.append(order[position])
      } else {
        others.append(order[position])
      }
    }
    guard !nulls.isEmpty else { return group.range }
    let both = isAscending ? nulls + others : others + nulls
    order.replaceSubrange(group.range, with: both)
    let start = group.range.lowerBound
    let end = group.range.upperBound
    let nullRange =
      isAscending ? start..<start + nulls.count : end - nulls.count..<end
    let otherRange =
      isAscending ? start + nulls.count..<end : start..<end - nulls.count
    groups.append(Group(range: nullRange, column: group.column + 1, level: 0))
    return otherRange
  }

  /// Writes the digits that the group is sorted by.
  private mutating func fill(_ group: Group, _ column: SortColumn, _ mask: UInt64) {
    switch column {
    case .words(let words):
      for position in group.range {
        let index = order[position]
        entries[position] = Entry(digit: words.words[Int(index)] ^ mask, index: index)
      }
    case .pairs(let pairs):
      let digits = group.level == 0 ? pairs.firsts : pairs.seconds
      for position in group.range {
        let index = order[position]
        entries[position] = Entry(digit: digits[Int(index)] ^ mask, index: index)
      }
    case .text(let text):
      let offset = 8 * group.level
      for position in group.range {
        let index = order[position]
        // Past the end of every text, their lengths are all that is left to tell them apart.
        let digit =
          group.level < 0 ? UInt64(text.count(Int(index))) : text.digit(Int(index), offset)
        entries[position] = Entry(digit: digit ^ mask, index: index)
      }
    case .values: break
    }
  }

  private mutating func sortEntries(_ range: Range<Int>) {
    if range.count <= Self.medium {
      entries[range].sort {
        $0.digit == $1.digit ? $0.index < $1.index : $0.digit < $1.digit
      }
      return
    }
    entries.withUnsafeMutableBufferPointer { entries in
      scratch.withUnsafeMutableBufferPointer { scratch in
        guard let source = entries.baseAddress, let other = scratch.baseAddress else { return }
        Self.sortByCounting(
          source + range.lowerBound,
          other + range.lowerBound,
          count: range.count
        )
      }
    }
  }

  /// Sorts by one byte after the other, the last first, and skips bytes that are all alike.
  private static func sortByCounting(
    _ entries: UnsafeMutablePointer<Entry>,
    _ scratch: UnsafeMutablePointer<Entry>,
    count: Int
  ) {
    withUnsafeTemporaryAllocation(of: Int.self, capacity: 8 * 256) { counts in
      counts.initialize(repeating: 0)
      for index in 0..<count {
        var digit = entries[index].digit
        for byte in 0..<8 {
          counts[byte &* 256 &+ Int(truncatingIfNeeded: digit & 255)] &+= 1
          digit &>>= 8
        }
      }
      var source = entries
      var target = scratch
      for byte in 0..<8 {
        let shift = UInt64(8 * byte)
        let base = 256 * byte
        let first = Int(truncatingIfNeeded: source[0].digit &>> shift & 255)
        if counts[base + first] == count { continue }
        var start = 0
        for value in 0..<256 {
          let number = counts[base + value]
          counts[base + value] = start
          start += number
        }
        for index in 0..<count {
          let entry = source[index]
          let slot = base &+ Int(truncatingIfNeeded: entry.digit &>> shift & 255)
          target[counts[slot]] = entry
          counts[slot] &+= 1
        }
        swap(&source, &target)
      }
      if source != entries { entries.update(from: source, count: count) }
    }
  }

  /// Makes a group of each run of entries with the same digit, to be sorted further.
  private mutating func splitRuns(_ group: Group, _ column: SortColumn) {
    var start = group.range.lowerBound
    let end = group.range.upperBound
    while start < end {
      var next = start + 1
      while next < end, entries[next].digit == entries[start].digit { next += 1 }
      if next - start > 1 { groups.append(following(group, start..<next, column)) }
      start = next
    }
  }

  /// What a run that is alike in one digit has to be sorted by next.
  private func following(_ group: Group, _ range: Range<Int>, _ column: SortColumn) -> Group {
    var level: Int?
    switch column {
    case .pairs where group.level == 0: level = 1
    case .text(let text) where group.level >= 0:
      let reached = 8 * (group.level + 1)
      let counts = range.lazy.map { text.count(Int(order[$0])) }
      if counts.contains(where: { $0 > reached }) {
        level = group.level + 1
      } else if counts.contains(where: { $0 != counts.first }) {
        level = -1
      }
    default: break
    }
    if let level { return Group(range: range, column: group.column, level: level) }
    return Group(range: range, column: group.column + 1, level: 0)
  }

  // MARK: - Values

  private mutating func sortValues(_ group: Group) {
    let (column, isAscending) = columns[group.column]
    order[group.range].sort { left, right in
      let order = column.compare(Int(left), Int(right))
      return order == 0 ? left < right : (order < 0) == isAscending
    }
    var start = group.range.lowerBound
    while start < group.range.upperBound {
      var next = start + 1
      while next < group.range.upperBound,
        column.compare(Int(order[start]), Int(order[next])) == 0
      {
        next += 1
      }
      if next - start > 1 {
        groups.append(Group(range: start..<next, column: group.column + 1, level: 0))
      }
      start = next
    }
  }
}
