internal import KennelCore

/// What every pane is drawn with.
struct PaneFrame {
  let browser: Browser
  let rectangle: Rectangle
  let hasFocus: Bool
  /// The key that goes to the pane, before its title.
  var key: String?
  /// What a search looks for, which is marked where it is shown.
  var matches: SearchPattern?

  var model: BrowserModel { browser.model }
  var theme: Theme { browser.theme }

  /// The rows below the title.
  var rows: Int { max(0, rectangle.rows - (hasTitle ? 1 : 0)) }

  /// A pane that is too low shows its lines rather than its name.
  var hasTitle: Bool { rectangle.rows >= 3 }

  /// The rows of the names of columns: a pane that is too low shows its lines rather than those.
  var headerRows: Int { rows >= 2 ? 1 : 0 }

  var firstRow: Int { rectangle.row + (hasTitle ? 1 : 0) }

  /// Draws the title.
  ///
  /// - Parameters:
  ///   - title: What is shown, which is cut where there is no room.
  ///   - counts: What follows it and is never cut for it.
  ///   - trailing: What stands at the right end, where there is room.
  ///   - screen: The screen.
  func drawTitle(
    _ title: String,
    counts: String = "",
    trailing: String = "",
    on screen: inout Screen
  ) {
    guard hasTitle else { return }
    let style = hasFocus ? theme.focusedPaneTitle : theme.paneTitle
    let countWidth = min(
      rectangle.columns,
      TextWidth.width(of: counts, upTo: rectangle.columns, in: screen.charset)
    )
    let used = screen.put(
      (hasFocus ? "▸" : " ") + (key.map { $0.hasPrefix(":") ? "" : "\($0) " } ?? "") + title,
      row: rectangle.row,
      column: rectangle.column,
      width: max(0, rectangle.columns - countWidth),
      style: style
    )
    screen.put(
      counts,
      row: rectangle.row,
      column: rectangle.column + used,
      width: max(0, rectangle.columns - used),
      style: style
    )
    let width = TextWidth.width(of: trailing, in: screen.charset)
    guard width > 0, used + countWidth + width + 2 <= rectangle.columns else { return }
    let column = rectangle.column + rectangle.columns - width - 1
    screen.put(trailing, row: rectangle.row, column: column, style: style)
  }

  /// A line with the sign of the cursor before it.
  func drawLine(
    _ text: String,
    at index: Int,
    isCursor: Bool,
    style: Style,
    on screen: inout Screen
  ) {
    let cursorStyle = hasFocus ? style.adding(theme.cursor) : style.adding(theme.restingCursor)
    screen.put(
      (isCursor ? ">" : " ") + text,
      row: firstRow + index,
      column: rectangle.column,
      width: rectangle.columns,
      style: isCursor ? cursorStyle : style
    )
  }

  /// More scalars of a text than any screen is wide are not looked at.
  private static let mostMarked = 256

  /// Marks what a search finds in a text that was put on the screen.
  func markMatches(
    in text: String,
    row: Int,
    column: Int,
    width: Int,
    on screen: inout Screen
  ) {
    guard let matches, width > 0 else { return }
    let shown = String(text.unicodeScalars.prefix(Self.mostMarked))
    let found = matches.ranges(in: shown)
    if found.isEmpty { return }
    let characters = Array(shown)
    func columns(of range: Range<Int>) -> Int {
      TextWidth.width(of: String(characters[range]), in: screen.charset)
    }
    for match in found {
      let start = columns(of: 0..<match.lowerBound)
      guard start < width else { break }
      let marked = min(columns(of: match), width - start)
      let cells = Rectangle(row: row, column: column + start, rows: 1, columns: marked)
      screen.restyle(cells) { $0.adding(theme.match) }
    }
  }

  /// Where one is among more lines than there is room for, as in `  31 of 66 ↑↓`; the arrows say where
  /// there are more.
  func place(of cursor: Int?, count: Int, top: Int) -> String {
    guard count > rows else { return "" }
    let number = cursor.map { "\($0 + 1) of " } ?? ""
    return "  \(number)\(count) \(top > 0 ? "↑" : "")\(top + rows < count ? "↓" : "")"
  }

  /// The first line to show so that the cursor is seen.
  static func scroll(_ top: Int, cursor: Int?, count: Int, rows: Int) -> Int {
    var top = top
    if let cursor {
      if cursor < top { top = cursor }
      if cursor >= top + rows { top = cursor - rows + 1 }
    }
    return max(0, min(top, count - rows))
  }
}
