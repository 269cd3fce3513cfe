internal import KennelCore

/// What a dialog is drawn with: the rest of the screen, and boxes at the bottom of the body.
struct DialogFrame {
  typealias Line = (text: String, style: Style)

  let browser: Browser
  let layout: Layout
  /// Where the cell of the cursor is.
  let cell: Rectangle?

  var theme: Theme { browser.theme }

  private var hasBorder: Bool { layout.body.rows >= 4 && layout.body.columns >= 8 }

  /// How many lines a box has inside.
  var rows: Int { max(1, layout.body.rows - (hasBorder ? 2 : 1)) }

  private func height(of count: Int) -> Int { min(layout.body.rows, count + (hasBorder ? 2 : 1)) }

  /// Draws lines in a frame, as high as they need.
  func drawBox(_ title: String, _ lines: [Line], on screen: inout Screen) {
    let body = layout.body
    let height = height(of: lines.count)
    let top = body.endRow - height
    screen.fill(Rectangle(row: top, column: 0, rows: height, columns: body.columns))
    let titleText = hasBorder ? "── \(title) " : title
    screen.put(titleText, row: top, column: 0, width: body.columns, style: theme.header)
    if hasBorder {
      let used = TextWidth.width(of: titleText, upTo: body.columns, in: screen.charset)
      screen.fill(
        Rectangle(row: top, column: used, rows: 1, columns: max(0, body.columns - used)),
        with: "─",
        style: theme.separator
      )
      screen.fill(
        Rectangle(row: body.endRow - 1, column: 0, rows: 1, columns: body.columns),
        with: "─",
        style: theme.separator
      )
    }
    let inner = height - (hasBorder ? 2 : 1)
    for (offset, line) in lines.prefix(max(0, inner)).enumerated() {
      screen.put(
        line.text,
        row: top + 1 + offset,
        column: 0,
        width: body.columns,
        style: line.style
      )
    }
  }

  /// Draws a list with a cursor.
  func drawList(_ title: String, _ lines: [String], cursor: Int, on screen: inout Screen) {
    let marked = lines.enumerated().map { line($0.element, isCursor: $0.offset == cursor) }
    let top = PaneFrame.scroll(0, cursor: cursor, count: lines.count, rows: rows)
    drawBox(title, Array(marked.dropFirst(top)), on: &screen)
    let count = min(lines.count - top, rows)
    addTargets(from: top, count: count, cursor: cursor, head: 0, on: &screen) { _ in true }
  }

  /// Lets the lines of a list be clicked.
  ///
  /// - Parameters:
  ///   - top: The first line on the screen.
  ///   - count: So many lines of the list are on the screen.
  ///   - cursor: The line of the cursor.
  ///   - head: So many lines stand above the list in its box.
  ///   - screen: The screen.
  ///   - isSelectable: Whether the cursor stops at a line.
  private func addTargets(
    from top: Int,
    count: Int,
    cursor: Int,
    head: Int,
    on screen: inout Screen,
    _ isSelectable: (Int) -> Bool
  ) {
    let first = layout.body.endRow - height(of: count + head) + 1 + head
    for index in top..<max(top, top + count) where isSelectable(index) {
      let between = index < cursor ? index..<cursor : cursor..<index
      let lines = between.count(where: isSelectable)
      screen.addTarget(
        row: first + index - top,
        columns: 0..<layout.body.columns,
        .line(index < cursor ? -lines : lines)
      )
    }
  }

  /// A line with the sign of the cursor before it.
  func line(_ text: String, style: Style = .standard, isCursor: Bool) -> Line {
    ((isCursor ? "> " : "  ") + text, isCursor ? style.adding(theme.cursor) : style)
  }

  /// Draws a line that is typed, and below it as much as there is room for of what it leaves.
  ///
  /// - Parameters:
  ///   - title: The title of the box.
  ///   - editor: The line that is typed.
  ///   - count: How many entries there are.
  ///   - cursor: The entry that the cursor is on.
  ///   - nothing: What is said where there are none.
  ///   - screen: The screen.
  ///   - isSelectable: Whether the cursor stops at an entry.
  ///   - text: The text of an entry; asked only for those on the screen.
  func drawSearch(
    _ title: String,
    _ editor: LineEditor,
    _ count: Int,
    cursor: Int,
    nothing: String,
    on screen: inout Screen,
    isSelectable: (Int) -> Bool = { _ in true },
    _ text: (Int) -> String
  ) {
    let body = layout.body
    let room = max(1, min(rows, max(4, body.rows * 2 / 3)) - 1)
    let top = PaneFrame.scroll(0, cursor: cursor, count: count, rows: room)
    var lines: [Line] = [(": \(editor.text)", theme.standard)]
    for index in top..<max(top, min(count, top + room)) {
      lines.append(line(text(index), isCursor: index == cursor))
    }
    if count == 0 { lines.append(("  \(nothing)", theme.null)) }
    drawBox(title, lines, on: &screen)
    let shown = min(room, count - top)
    addTargets(from: top, count: shown, cursor: cursor, head: 1, on: &screen, isSelectable)
    editor.draw(
      on: &screen,
      row: body.endRow - height(of: lines.count) + 1,
      column: 2,
      width: max(0, body.columns - 2),
      style: .standard
    )
  }
}
