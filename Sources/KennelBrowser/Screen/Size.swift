/// How many columns and rows a screen has.
package struct Size: Hashable, Sendable {
  package var columns: Int
  package var rows: Int

  package init(columns: Int, rows: Int) {
    self.columns = max(0, columns)
    self.rows = max(0, rows)
  }
}

extension Size: CustomStringConvertible {
  package var description: String { "\(columns)x\(rows)" }
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

  package func contains(row: Int, column: Int) -> Bool {
    row >= self.row && row < endRow && column >= self.column && column < endColumn
  }
}
