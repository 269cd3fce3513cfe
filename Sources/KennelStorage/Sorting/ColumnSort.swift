/// Sorts positions by columns, digit by digit; what is alike stays in the order of the positions.
package struct ColumnSort {
  /// Positions that are alike in everything before a column and a digit of it.
  private struct Group {
    var range: Range<Int>
    var column: Int
    /// Which digit of the column is next; of text, which eight bytes.
    var level: Int
  }

  /// The positions in order, after ``run(isCancelled:report:)``.
  ///
  /// They are not there while the first digits, of all objects, are sorted, which takes most memory.
  package private(set) var order: [UInt32] = []
  private let count: Int
  /// Those that lie in the first digits as a whole are empty once these are made.
  private var columns: [(column: SortColumn, isAscending: Bool)]
  private let memory: SortEntries
  private var groups: [Group] = []

  /// Takes columns of `count` values each, the most significant first, and whether each ascends.
  package init(_ columns: [(SortColumn, Bool)], count: Int) {
    self.columns = columns.map { (column: $0.0, isAscending: $0.1) }
    self.count = count
    memory = SortEntries(count: count)
  }

  /// The parts of the work that are done when the first digits are there, and when all is sorted
  /// by them; what is alike in them is what is left.
  private static let parts = (filled: 0.2, sorted: 0.9)

  /// Sorts; false where it was cancelled.
  ///
  /// `report` is called now and then with how much is done, from 0 to 1.
  package mutating func run(
    isCancelled: (@Sendable () -> Bool)?,
    report: (Double) -> Void = { _ in }
  ) -> Bool {
    if isCancelled?() == true { return false }
    let total = Double(max(count, 1))
    var done = 0.0
    if count > SortEntries.small, let first = sortWords(isCancelled, report) {
      guard first.isSorted else { return false }
      done = Self.parts.sorted
      report(done)
      order = (0..<count).map { unsafe memory.entries[$0].index }
      splitWords(first.column)
    } else {
      order = (0..<UInt32(count)).map(\.self)
      groups = [Group(range: 0..<count, column: 0, level: 0)]
    }
    var worked = 0
    while let group = groups.popLast() {
      guard refine(group, isCancelled) else { return false }
      worked += group.range.count
      if worked > 50_000 {
        worked = 0
        if isCancelled?() == true { return false }
        // The last groups come first: what is left lies before.
        report(1 - (1 - done) * Double(group.range.lowerBound) / total)
      }
    }
    return true
  }

  // MARK: - The first digits

  /// Sorts by as many columns as one number per object holds.
  ///
  /// Returns the first column that the numbers do not hold as a whole; `nil` if they hold nothing.
  private mutating func sortWords(
    _ isCancelled: (@Sendable () -> Bool)?,
    _ report: (Double) -> Void
  ) -> (column: Int, isSorted: Bool)? {
    let parts = Self.parts
    let total = Double(max(count, 1))
    let found = unsafe memory.sortAll { digits in
      let column = unsafe SortWords.fill(digits, columns, count: count)
      // Their memory is wanted for what is sorted.
      for whole in 0..<(column ?? 0) { columns[whole].column = .words(GatheredWords()) }
      return column
    } goesOn: { position in
      report(parts.filled + (parts.sorted - parts.filled) * Double(position) / total)
      return isCancelled?() != true
    }
    return found.map { ($0.result, $0.isSorted) }
  }

  // MARK: - One digit

  private mutating func refine(_ group: Group, _ isCancelled: (@Sendable () -> Bool)?) -> Bool {
    guard group.column < columns.count, group.range.count > 1 else { return true }
    let (column, isAscending) = columns[group.column]
    var group = group
    if group.level == 0, column.hasNulls {
      group.range = splitNulls(group, column, isAscending)
      guard group.range.count > 1 else { return true }
    }
    if case .values = column {
      sortValues(group)
      return true
    }
    let mask: UInt64 = isAscending ? 0 : .max
    fill(group, column, mask)
    guard memory.sort(group.range, goesOn: { _ in isCancelled?() != true }) else { return false }
    takeOrder(group.range)
    splitRuns(group, column)
    return true
  }

  private mutating func takeOrder(_ range: Range<Int>) {
    let entries = unsafe memory.entries
    unsafe order.withUnsafeMutableBufferPointer { order in
      for position in range { unsafe order[position] = unsafe entries[position].index }
    }
  }

  /// Makes a group of each run that is alike in all of the columns before one, and perhaps in a
  /// part of that.
  private mutating func splitWords(_ column: Int) {
    guard column < columns.count else { return }
    var text: GatheredText?
    if case .text(let gathered) = columns[column].column, !columns[column].column.hasNulls {
      text = gathered
    }
    let entries = unsafe memory.entries
    var start = 0
    while start < order.count {
      var next = start + 1
      while next < order.count, unsafe entries[next].digit == entries[start].digit { next += 1 }
      if next - start > 1 {
        let group = Group(range: start..<next, column: column, level: -1)
        if let text, next - start <= SortEntries.small {
          sortFew(group.range, of: group, text)
        } else {
          groups.append(Group(range: group.range, column: column, level: 0))
        }
      }
      start = next
    }
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
    let entries = unsafe memory.entries
    switch column {
    case .words(let words):
      for position in group.range {
        let index = order[position]
        unsafe entries[position] = SortEntry(digit: words.words[Int(index)] ^ mask, index: index)
      }
    case .pairs(let pairs):
      let digits = group.level == 0 ? pairs.firsts : pairs.seconds
      for position in group.range {
        let index = order[position]
        unsafe entries[position] = SortEntry(digit: digits[Int(index)] ^ mask, index: index)
      }
    case .text(let text):
      let offset = 8 * group.level
      for position in group.range {
        let index = order[position]
        // Past the end of every text, their lengths are all that is left to tell them apart.
        let digit =
          group.level < 0 ? UInt64(text.count(Int(index))) : text.digit(Int(index), offset)
        unsafe entries[position] = SortEntry(digit: digit ^ mask, index: index)
      }
    case .values: break
    }
  }

  /// Makes a group of each run of entries with the same digit, to be sorted further.
  private mutating func splitRuns(_ group: Group, _ column: SortColumn) {
    let entries = unsafe memory.entries
    // Most texts that share eight bytes share them with few others: too few for a group.
    var text: GatheredText?
    if case .text(let gathered) = column, group.level >= 0 { text = gathered }
    var start = group.range.lowerBound
    let end = group.range.upperBound
    while start < end {
      var next = start + 1
      while next < end, unsafe entries[next].digit == entries[start].digit { next += 1 }
      if next - start > 1 {
        if let text, next - start <= SortEntries.small {
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
    case .words, .pairs, .text, .values: break
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
