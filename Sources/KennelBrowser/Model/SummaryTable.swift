internal import KennelCore

/// Rows that a job computed, such as groups of objects, or what takes space in the file.
struct SummaryTable: Sendable {
  enum Format: Sendable {
    case value
    case number
    case share
  }

  struct Column: Sendable {
    let name: String
    let format: Format
  }

  struct Row: Sendable {
    /// A value for each column.
    let cells: [Value]
    /// Where Enter leads.
    var target: Target?
    /// Whether the row is a part of the last one above it that is not.
    var isPart = false
  }

  /// The column that rows are in the order of, and the direction.
  typealias Order = (column: Int, isAscending: Bool)

  enum Target: Sendable {
    /// The objects of a group.
    case group(Value)
    case table(ClassKey)
  }

  let columns: [Column]
  private(set) var rows: [Row]
  /// Counts the rows, behind the title.
  let counts: String
  /// Whether some rows are parts of others.
  let hasParts: Bool
  /// How wide the cells of each column are, up to a limit.
  let widths: [Int]
  /// The column that the rows are in the order of.
  private(set) var order: Order

  private static let widest = 60
  /// The label of an object is read only when it is shown.
  private static let linkWidth = 40

  /// A table in the order of one of its columns, the greatest first.
  init(columns: [Column], rows: [Row], counts: String, sortedBy column: Int) {
    self.columns = columns
    self.rows = rows
    self.counts = counts
    hasParts = rows.contains(where: \.isPart)
    order = (column, false)
    widths = columns.indices.map { column in
      let format = columns[column].format
      return rows.reduce(0) { width, row in
        if case .link = row.cells[column] { return max(width, Self.linkWidth) }
        let text = Self.text(row.cells[column], format)
        return max(width, TextWidth.width(of: text, upTo: Self.widest) + (row.isPart ? 2 : 0))
      }
    }
    sort(by: column, isAscending: false)
  }

  /// A cell as text; values of objects are shown by `ValueFormatter`.
  static func text(_ cell: Value, _ format: Format) -> String {
    switch (format, cell) {
    case (.share, .double(let share)):
      let tenths = Int((share * 1000).rounded())
      if tenths == 0, share > 0 { return "<0.1 %" }
      return "\(tenths / 10).\(tenths % 10) %"
    case (_, .null): return ""
    case (_, .link(let object)): return "→\(object.key.rawValue)"
    case (_, let value): return ScalarText.text(of: value)
    }
  }

  /// Finds the next row whose name shows what is looked for, around the end; linear in the rows.
  ///
  /// - Parameters:
  ///   - pattern: What is looked for.
  ///   - start: The row to begin after, or before.
  ///   - isForward: Whether to look below.
  ///   - context: Tells when to stop.
  /// - Returns: The row.
  func row(
    with pattern: SearchPattern,
    after start: Int,
    _ isForward: Bool,
    _ context: JobContext
  ) -> Int? {
    let distances = 1...max(1, rows.count)
    let found = distances.lazy.map { isForward ? start + $0 : start - $0 + rows.count }
      .map { $0 % max(1, rows.count) }
      .first { index in
        context.isCancelled
          || rows.indices.contains(index)
            && pattern.isFound(in: Self.text(rows[index].cells[0], .value))
      }
    return context.isCancelled ? nil : found
  }

  /// The table in an order, where one is asked for.
  func sorted(_ order: Order?) -> SummaryTable {
    guard let order, order != self.order else { return self }
    var table = self
    table.sort(by: order.column, isAscending: order.isAscending)
    return table
  }

  /// Sorts the rows by a column; parts stay below what they are a part of.
  private mutating func sort(by column: Int, isAscending: Bool) {
    order = (column, isAscending)
    var blocks: [[Row]] = []
    for row in rows {
      if row.isPart, !blocks.isEmpty {
        blocks[blocks.count - 1].append(row)
      } else {
        blocks.append([row])
      }
    }
    func isBefore(_ one: Row, _ other: Row) -> Bool {
      isAscending
        ? one.cells[column].isOrdered(before: other.cells[column])
        : other.cells[column].isOrdered(before: one.cells[column])
    }
    blocks = blocks.map { block in
      block.prefix(1) + block.dropFirst().sorted(by: isBefore)
    }
    rows = blocks.sorted { isBefore($0[0], $1[0]) }.flatMap { $0 }
  }
}
