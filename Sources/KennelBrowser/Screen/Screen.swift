/// A picture of a terminal's screen: a grid of cells and, perhaps, a cursor.
///
/// Everything that is put on it is made safe first (see `SafeText`), and nothing that lies outside
/// of it does any harm, so that views need not know how small a terminal may become.
///
/// Invariants: a cell of width 2 has a cell of width 0 to its right, and a cell of width 0 has a
/// cell of width 2 to its left; no cell's text is wider than the cell says.
package struct Screen: Hashable, Sendable {
  package let size: Size

  /// The characters of the terminal.
  package let charset: Charset

  /// Where the cursor is shown, or nil where it is hidden.
  package private(set) var cursor: Position?

  private var cells: [Cell]

  var targets: [ClickTarget] = []

  /// The picture that is drawn over the cells, where the terminal draws pictures.
  package var drawing: PlacedPicture?

  /// A row and a column, counted from 0 at the top left.
  package struct Position: Hashable, Sendable {
    package var row: Int
    package var column: Int

    package init(row: Int, column: Int) {
      self.row = row
      self.column = column
    }
  }

  package init(size: Size, charset: Charset = .unicode) {
    self.size = size
    self.charset = charset
    cells = Array(repeating: .blank, count: size.columns * size.rows)
  }

  /// The cell at a place; blank outside of the screen.
  package subscript(row: Int, column: Int) -> Cell {
    guard contains(row: row, column: column) else { return .blank }
    return cells[row * size.columns + column]
  }

  /// The cells of a row from left to right; none outside of the screen.
  package func cells(ofRow row: Int) -> ArraySlice<Cell> {
    guard row >= 0, row < size.rows else { return [] }
    return cells[row * size.columns..<(row + 1) * size.columns]
  }

  /// The rows as plain lines without the blanks at their ends.
  package var text: [String] {
    (0..<size.rows).map { row in
      var line = ""
      for cell in cells(ofRow: row) { line += cell.text }
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  private func contains(row: Int, column: Int) -> Bool {
    row >= 0 && row < size.rows && column >= 0 && column < size.columns
  }
}

// MARK: - What has changed

extension Screen {
  /// A cell that a terminal is to show.
  package struct Change: Sendable {
    package let row: Int
    package let column: Int
    package let cell: Cell
  }

  /// The cells that a terminal with an earlier picture has to show anew, row by row.
  ///
  /// - Parameter before: The picture, of the same size; `nil` where the terminal is blank.
  /// - Returns: The cells that differ, but for the right halves of wide glyphs.
  package func changes(since before: Screen?) -> [Change] {
    var changes: [Change] = []
    for index in cells.indices {
      let cell = cells[index]
      guard cell != before?.cells[index] ?? .blank, cell.width > 0 else { continue }
      let (row, column) = index.quotientAndRemainder(dividingBy: size.columns)
      changes.append(Change(row: row, column: column, cell: cell))
    }
    return changes
  }
}

// MARK: - Drawing

extension Screen {
  /// Puts a text on a row and returns the columns it takes.
  ///
  /// Escapes what a terminal must not see. A text that does not fit ends in an ellipsis. With a
  /// width, the rest of the width is filled with blanks of the same style; the answer counts the
  /// text alone. The cost is that of the columns shown, however long the text is.
  @discardableResult
  package mutating func put<Text: StringProtocol>(
    _ text: Text,
    row: Int,
    column: Int,
    width: Int? = nil,
    style: Style = .standard
  ) -> Int where Text.SubSequence == Substring {
    let room = max(0, size.columns - column)
    let limit = min(max(0, width ?? room), room)
    guard row >= 0, row < size.rows, limit > 0 else { return 0 }
    let clipped = TextWidth.clipped(text[...], to: limit, in: charset)
    var end = column
    for glyph in clipped.glyphs {
      set(glyph, row: row, column: end, style: style)
      end += glyph.width
    }
    if width != nil {
      for blank in end..<max(end, column + limit) {
        set(.space, row: row, column: blank, style: style)
      }
    }
    return clipped.width
  }

  /// Puts a text on the first row of a rectangle, with blanks behind it.
  @discardableResult
  package mutating func put<Text: StringProtocol>(
    _ text: Text,
    in line: Rectangle,
    style: Style = .standard
  ) -> Int where Text.SubSequence == Substring {
    put(text, row: line.row, column: line.column, width: line.columns, style: style)
  }

  /// Fills a part of the screen with a character that is one column wide.
  package mutating func fill(
    _ rectangle: Rectangle,
    with character: Character = " ",
    style: Style = .standard
  ) {
    var glyphs = SafeText(String(character)[...], in: charset)
    let glyph = glyphs.next() ?? .space
    for row in max(0, rectangle.row)..<max(0, rectangle.row, min(size.rows, rectangle.endRow)) {
      let first = max(0, rectangle.column)
      for column in first..<max(first, min(size.columns, rectangle.endColumn)) {
        set(glyph.width == 1 ? glyph : .space, row: row, column: column, style: style)
      }
    }
  }

  /// Changes the style of a part of the screen and leaves what is written there.
  package mutating func restyle(_ rectangle: Rectangle, _ change: (Style) -> Style) {
    for row in max(0, rectangle.row)..<max(0, rectangle.row, min(size.rows, rectangle.endRow)) {
      let first = max(0, rectangle.column)
      for column in first..<max(first, min(size.columns, rectangle.endColumn)) {
        let index = row * size.columns + column
        cells[index].style = change(cells[index].style)
      }
    }
  }

  /// Shows the cursor at a place; hides it when the place is outside of the screen.
  package mutating func showCursor(row: Int, column: Int) {
    cursor = contains(row: row, column: column) ? Position(row: row, column: column) : nil
  }

  /// Writes a glyph and blanks what is left of the wide glyphs that it covers by half.
  private mutating func set(_ glyph: Glyph, row: Int, column: Int, style: Style) {
    guard contains(row: row, column: column) else {
      // A wide glyph that begins left of the screen shows nothing.
      if glyph.width == 2, contains(row: row, column: column + 1) {
        set(.space, row: row, column: column + 1, style: style)
      }
      return
    }
    let start = row * size.columns
    let index = start + column
    let width = column + glyph.width > size.columns ? 1 : glyph.width
    if cells[index].width == 0 {
      cells[index - 1] = Cell(.space, cells[index - 1].style)
    }
    let last = index + width - 1
    if cells[last].width == 2 {
      cells[last + 1] = Cell(.space, cells[last + 1].style)
    }
    cells[index] = Cell(width == glyph.width ? glyph : .space, style)
    if width == 2 { cells[index + 1] = Cell(.rightHalf, style) }
  }
}
