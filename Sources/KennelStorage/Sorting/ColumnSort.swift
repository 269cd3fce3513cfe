/// Sorts positions by columns; what is alike stays in the order of the positions.
///
/// As much of the columns as fits 64 bits becomes one number for each position (``SortWords``). Only
/// positions that are alike in it are compared by what is left of the columns.
package struct ColumnSort {
  /// The positions in order, after ``run(isCancelled:report:)``.
  package private(set) var order: [UInt32]
  /// Those that lie in the numbers as a whole are empty once these are made.
  private var columns: [(column: SortColumn, isAscending: Bool)]

  /// Takes columns of `count` values each, the most significant first, and whether each ascends.
  package init(_ columns: [(SortColumn, Bool)], count: Int) {
    self.columns = columns.map { (column: $0.0, isAscending: $0.1) }
    order = Array(0..<UInt32(count))
  }

  /// So few positions are compared at once.
  private static let few = 64
  /// The parts of the work that are done when the numbers are there, and when all is sorted by them.
  private static let (filled, sorted) = (0.2, 0.9)

  /// Sorts; false where it was cancelled.
  ///
  /// `report` is called now and then with how much is done, from 0 to 1.
  package mutating func run(
    isCancelled: (@Sendable () -> Bool)?,
    report: (Double) -> Void = { _ in }
  ) -> Bool {
    if isCancelled?() == true { return false }
    guard order.count > Self.few else {
      return compare(order.indices, from: 0, isCancelled)
    }
    var words = SortWords(count: order.count)
    let whole = words.fill(columns)
    // Their memory is wanted for what is sorted.
    for number in 0..<whole { columns[number].column = .words(GatheredWords()) }
    let isSorted = words.sort(&order) { part in
      report(Self.filled + (Self.sorted - Self.filled) * part)
      return isCancelled?() != true
    }
    guard isSorted else { return false }
    report(Self.sorted)
    guard whole < columns.count else { return true }
    var start = 0
    while start < order.count {
      var end = start + 1
      while end < order.count, words.digits[end] == words.digits[start] { end += 1 }
      if end - start > 1, !compare(start..<end, from: whole, isCancelled) { return false }
      start = end
    }
    return true
  }

  /// Sorts a range of the order by some of the columns; false where it was cancelled.
  private mutating func compare(
    _ range: Range<Int>,
    from first: Int,
    _ isCancelled: (@Sendable () -> Bool)?
  ) -> Bool {
    let columns = columns[first...]
    var steps = 0
    do {
      try order[range].sort { left, right in
        steps += 1
        if steps & 0xFFFF == 0, isCancelled?() == true { throw CancellationError() }
        for (column, isAscending) in columns {
          let order = column.compare(Int(left), Int(right))
          if order != 0 { return (order < 0) == isAscending }
        }
        return left < right
      }
      return true
    } catch {
      return false
    }
  }
}
