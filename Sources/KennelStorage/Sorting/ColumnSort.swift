/// Sorts positions by columns, digit by digit; what is alike stays in the order of the positions.
package struct ColumnSort {
  /// A number to sort by, and whose it is.
  private struct Entry {
    var digit: UInt64
    var index: UInt32
  }

  /// The memory of a sort: the entries, as many again to move them to, and the counts of the
  /// values of each of a digit's eight bytes.
  private final class Memory {
    let entries: UnsafeMutablePointer<Entry>
    let scratch: UnsafeMutablePointer<Entry>
    let counts: UnsafeMutablePointer<Int>

    init(count: Int) {
      entries = .allocate(capacity: count)
      entries.initialize(repeating: Entry(digit: 0, index: 0), count: count)
      scratch = .allocate(capacity: count)
      scratch.initialize(repeating: Entry(digit: 0, index: 0), count: count)
      counts = .allocate(capacity: 8 * 256)
      counts.initialize(repeating: 0, count: 8 * 256)
    }

    deinit {
      entries.deallocate()
      scratch.deallocate()
      counts.deallocate()
    }
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
  private let memory: Memory
  private var groups: [Group] = []

  /// Groups up to this size are sorted by insertion.
  private static let small = 16
  /// Groups up to this size are sorted by comparing digits; counting takes longer to set up.
  private static let medium = 512

  /// Takes columns of `count` values each, the most significant first, and whether each ascends.
  package init(_ columns: [(SortColumn, Bool)], count: Int) {
    self.columns = columns.map { (column: $0.0, isAscending: $0.1) }
    order = (0..<UInt32(count)).map(\.self)
    memory = Memory(count: count)
  }

  /// Sorts; false where it was cancelled.
  package mutating func run(isCancelled: (@Sendable () -> Bool)?) -> Bool {
    groups = [Group(range: order.indices, column: 0, level: 0)]
    var worked = 0
    while let group = groups.popLast() {
      refine(group)
      worked += group.range.count
      if worked > 50_000 {
        worked = 0
        if isCancelled?() == true { return false }
      }
    }
    return true
  }

  // MARK: - One digit

  private mutating func refine(_ group: Group) {
    guard group.column < columns.count, group.range.count > 1 else { return }
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
    for position in group.range { order[position] = memory.entries[position].index }
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
  private func fill(_ group: Group, _ column: SortColumn, _ mask: UInt64) {
    let entries = memory.entries
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
    case .text(let text) where group.level == 0 && !text.prefixes.isEmpty:
      for position in group.range {
        let index = order[position]
        entries[position] = Entry(digit: text.prefixes[Int(index)] ^ mask, index: index)
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

  private func sortEntries(_ range: Range<Int>) {
    let entries = memory.entries + range.lowerBound
    if range.count <= Self.small {
      for next in 1..<range.count {
        let moving = entries[next]
        var place = next
        // What is alike stays where it was: the entries come in the order of their positions.
        while place > 0, moving.digit < entries[place - 1].digit {
          entries[place] = entries[place - 1]
          place -= 1
        }
        entries[place] = moving
      }
      return
    }
    if range.count <= Self.medium {
      var group = UnsafeMutableBufferPointer(start: entries, count: range.count)
      group.sort {
        $0.digit == $1.digit ? $0.index < $1.index : $0.digit < $1.digit
      }
      return
    }
    let scratch = memory.scratch + range.lowerBound
    Self.sortByCounting(entries, scratch, count: range.count, memory.counts)
  }

  /// Sorts by one byte after the other, the last first, and skips bytes that are all alike.
  private static func sortByCounting(
    _ entries: UnsafeMutablePointer<Entry>,
    _ scratch: UnsafeMutablePointer<Entry>,
    count: Int,
    _ counts: UnsafeMutablePointer<Int>
  ) {
    counts.update(repeating: 0, count: 8 * 256)
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
      let starts = counts + 256 * byte
      let first = Int(truncatingIfNeeded: source[0].digit &>> shift & 255)
      if starts[first] == count { continue }
      var start = 0
      for value in 0..<256 {
        let number = starts[value]
        starts[value] = start
        start += number
      }
      for index in 0..<count {
        let entry = source[index]
        let value = Int(truncatingIfNeeded: entry.digit &>> shift & 255)
        target[starts[value]] = entry
        starts[value] &+= 1
      }
      swap(&source, &target)
    }
    if source != entries { entries.update(from: source, count: count) }
  }

  /// Makes a group of each run of entries with the same digit, to be sorted further.
  private mutating func splitRuns(_ group: Group, _ column: SortColumn) {
    let entries = memory.entries
    // Most texts that share eight bytes share them with few others: too few for a group.
    var text: GatheredText?
    if case .text(let gathered) = column, group.level >= 0 { text = gathered }
    var start = group.range.lowerBound
    let end = group.range.upperBound
    while start < end {
      var next = start + 1
      while next < end, entries[next].digit == entries[start].digit { next += 1 }
      if next - start > 1 {
        if let text, next - start <= Self.small {
          sortFew(start..<next, of: group, text)
        } else {
          groups.append(following(group, start..<next, column))
        }
      }
      start = next
    }
  }

  /// Sorts a few texts that are alike so far by comparing what is left of them.
  private mutating func sortFew(_ range: Range<Int>, of group: Group, _ text: GatheredText) {
    let isAscending = columns[group.column].isAscending
    let alike = 8 * (group.level + 1)
    for next in range.dropFirst() {
      let moving = order[next]
      var place = next
      while place > range.lowerBound {
        let comparison = text.compare(Int(moving), Int(order[place - 1]), from: alike)
        guard isAscending ? comparison < 0 : comparison > 0 else { break }
        order[place] = order[place - 1]
        place -= 1
      }
      order[place] = moving
    }
    guard group.column + 1 < columns.count else { return }
    var start = range.lowerBound
    while start < range.upperBound {
      var next = start + 1
      while next < range.upperBound,
        text.compare(Int(order[start]), Int(order[next]), from: alike) == 0
      {
        next += 1
      }
      if next - start > 1 {
        groups.append(Group(range: start..<next, column: group.column + 1, level: 0))
      }
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
