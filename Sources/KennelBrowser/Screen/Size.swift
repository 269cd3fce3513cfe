/// How many columns and rows a screen has.
package struct Size: Hashable, Sendable {
  package var columns: Int
  package var rows: Int

  package init(columns: Int, rows: Int) {
    self.columns = max(0, columns)
    self.rows = max(0, rows)
  }

  /// The whole screen.
  var bounds: Rectangle { Rectangle(row: 0, column: 0, rows: rows, columns: columns) }
}

extension Size: CustomStringConvertible, LosslessStringConvertible {
  package var description: String { "\(columns)x\(rows)" }

  /// The size of a text such as `80x24`, from 1x1 to 1000x1000.
  package init?(_ text: String) {
    let numbers = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let columns = numbers[0], let rows = numbers[1],
      (1...1_000).contains(columns), (1...1_000).contains(rows)
    else { return nil }
    self.init(columns: columns, rows: rows)
  }
}

/// A part of a screen; rows and columns count from 0 at the top left.
package struct Rectangle: Hashable, Sendable {
  package var row: Int
  package var column: Int
  package var rows: Int
  package var columns: Int

  package init(row: Int, column: Int, rows: Int, columns: Int) {
    self.row = row
    self.column = column
    self.rows = max(0, rows)
    self.columns = max(0, columns)
  }

  /// The first row below the rectangle.
  package var endRow: Int { row + rows }

  /// The first column to the right of the rectangle.
  package var endColumn: Int { column + columns }

  /// One row of it, counted from 0.
  func line(_ index: Int) -> Rectangle {
    Rectangle(row: row + index, column: column, rows: 1, columns: columns)
  }

  /// The rest without some columns on the left.
  func dropping(_ count: Int) -> Rectangle {
    Rectangle(row: row, column: column + count, rows: rows, columns: columns - count)
  }

  /// Its first columns, as far as there are so many.
  func prefix(_ count: Int) -> Rectangle {
    Rectangle(row: row, column: column, rows: rows, columns: min(columns, count))
  }

  package func contains(row: Int, column: Int) -> Bool {
    row >= self.row && row < endRow && column >= self.column && column < endColumn
  }
}
