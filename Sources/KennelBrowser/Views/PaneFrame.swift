internal import KennelCore

/// A name and what it stands for, as a line of a pane.
struct PaneEntry {
  var name: String
  var nameStyle = Style.standard
  var note = ""
  var value: ShownValue
  /// Follows the value; no search looks here.
  var summary = ""
  /// Whether the draft changes it.
  var isChanged = false
}

/// A pane on the screen, and how all panes draw their lines.
struct PaneFrame {
  let browser: Browser
  let rectangle: Rectangle
  let hasFocus: Bool
  /// The key that goes to the pane, before its title.
  var key: String?
  /// The search whose matches are marked.
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
    let line = rectangle.line(0)
    let countWidth = TextWidth.width(of: counts, upTo: line.columns, in: screen.charset)
    let prefix = (hasFocus ? "▸" : " ") + (key.map { $0.hasPrefix(":") ? "" : "\($0) " } ?? "")
    let used = screen.put(
      prefix + title,
      in: line.prefix(max(0, line.columns - countWidth)),
      style: style
    )
    screen.put(counts, in: line.dropping(used), style: style)
    let width = TextWidth.width(of: trailing, in: screen.charset)
    guard width > 0, used + countWidth + width + 2 <= line.columns else { return }
    screen.put(trailing, row: line.row, column: line.endColumn - width - 1, style: style)
  }

  /// A row below the title.
  func line(at index: Int) -> Rectangle {
    rectangle.line(firstRow - rectangle.row + index)
  }

  var cursorStyle: Style { hasFocus ? theme.cursor : theme.restingCursor }

  /// A line with the sign of the cursor before it.
  func drawLine(
    _ text: String,
    at index: Int,
    isCursor: Bool,
    style: Style,
    on screen: inout Screen
  ) {
    let style = isCursor ? style.adding(cursorStyle) : style
    screen.put((isCursor ? ">" : " ") + text, in: line(at: index), style: style)
  }

  /// More scalars of a text than any screen is wide are not looked at.
  private static let mostMarked = 256

  /// Marks what a search finds in a text that was put on the screen.
  func markMatches(in text: String, at line: Rectangle, on screen: inout Screen) {
    guard let matches, line.columns > 0 else { return }
    let shown = String(text.unicodeScalars.prefix(Self.mostMarked))
    let found = matches.ranges(in: shown)
    if found.isEmpty { return }
    let characters = Array(shown)
    func columns(of range: Range<Int>) -> Int {
      TextWidth.width(of: String(characters[range]), in: screen.charset)
    }
    for match in found {
      let start = columns(of: 0..<match.lowerBound)
      guard start < line.columns else { break }
      let cells = line.dropping(start).prefix(columns(of: match))
      screen.restyle(cells) { $0.adding(theme.match) }
    }
  }

  /// Draws the name of a column, in brackets where the cursor is; that of numbers on the right.
  func drawColumnName(
    _ name: String,
    order mark: String,
    isCursor: Bool,
    isRight: Bool,
    in cell: Rectangle,
    on screen: inout Screen
  ) {
    // The name is cut, not what follows it.
    let room = max(1, cell.columns - mark.count - 2)
    let shown = TextWidth.clip(name, to: room, in: screen.charset) + mark
    let text = isCursor ? "[\(shown)]" : " \(shown) "
    let width = TextWidth.width(of: text, in: screen.charset)
    let blanks = isRight ? max(0, cell.columns - width) : 0
    screen.put(text, in: cell.dropping(blanks), style: theme.header)
  }

  /// Draws a property or an element: its name, a note on it, and what it is; where the value is.
  ///
  /// - Parameters:
  ///   - entry: What is drawn.
  ///   - index: The row below the title.
  ///   - isCursor: Whether the cursor is there.
  ///   - widths: The widths of the names and of the notes, 0 without notes.
  ///   - screen: The screen.
  /// - Returns: Where the value is.
  func draw(
    _ entry: PaneEntry,
    at index: Int,
    isCursor: Bool,
    widths: (name: Int, note: Int),
    on screen: inout Screen
  ) -> Rectangle {
    let line = line(at: index)
    let style = isCursor ? cursorStyle : .standard
    screen.put(isCursor ? ">" : " ", in: line, style: style)
    if entry.isChanged {
      screen.put("~", row: line.row, column: line.column + 1, style: theme.changed.adding(style))
    }
    let name = line.dropping(2).prefix(widths.name)
    screen.put(entry.name, in: name, style: entry.nameStyle.adding(style))
    var rest = line.dropping(widths.name + 4)
    if widths.note > 0 {
      screen.put(entry.note, in: rest.prefix(widths.note), style: theme.note.adding(style))
      rest = rest.dropping(widths.note + 2)
    }
    let value = entry.value
    screen.put(value.text + entry.summary, in: rest, style: value.style.adding(style))
    markMatches(in: entry.name, at: name, on: &screen)
    markMatches(in: value.text, at: rest, on: &screen)
    return rest
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
