internal import KennelCore

/// The screen below a dialog, and the boxes that dialogs draw at the bottom of its body.
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

  /// Draws lines in a frame, as high as they need, and returns where that is.
  @discardableResult
  func drawBox(_ title: String, _ lines: [Line], on screen: inout Screen) -> Rectangle {
    let body = layout.body
    let height = height(of: lines.count)
    let top = body.endRow - height
    let box = Rectangle(row: top, column: 0, rows: height, columns: body.columns)
    screen.fill(box)
    let titleText = hasBorder ? "── \(title) " : title
    let used = screen.put(titleText, in: box, style: theme.header)
    if hasBorder {
      screen.fill(box.line(0).dropping(used), with: "─", style: theme.separator)
      screen.fill(box.line(height - 1), with: "─", style: theme.separator)
    }
    let inner = height - (hasBorder ? 2 : 1)
    for (offset, line) in lines.prefix(max(0, inner)).enumerated() {
      screen.put(line.text, in: box.line(1 + offset), style: line.style)
    }
    return box
  }

  /// Draws a list with a cursor.
  func drawList(_ title: String, _ lines: [String], cursor: Int, on screen: inout Screen) {
    let marked = lines.enumerated().map { line($0.element, isCursor: $0.offset == cursor) }
    let top = PaneFrame.scroll(0, cursor: cursor, count: lines.count, rows: rows)
    drawBox(title, Array(marked.dropFirst(top)), on: &screen)
    let count = min(lines.count - top, rows)
    addTargets(from: top, count: count, cursor: cursor, on: &screen) { _ in true }
  }

  /// Lets the lines of a list be clicked.
  ///
  /// - Parameters:
  ///   - top: The first line on the screen.
  ///   - count: So many lines of the list are on the screen.
  ///   - cursor: The line of the cursor.
  ///   - head: So many lines stand above the list in its box.
  ///   - tail: So many lines stand below it.
  ///   - screen: The screen.
  ///   - isSelectable: Whether the cursor stops at a line.
  private func addTargets(
    from top: Int,
    count: Int,
    cursor: Int,
    head: Int = 0,
    tail: Int = 0,
    on screen: inout Screen,
    _ isSelectable: (Int) -> Bool
  ) {
    let first = layout.body.endRow - height(of: head + count + tail) + 1 + head
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

  /// Draws the line that is typed, and below it as much as there is room for of what it leaves.
  func draw(_ search: some SearchList, on screen: inout Screen) {
    let (count, cursor, charset) = (search.count, search.index, screen.charset)
    let body = layout.body
    let rest = rest(of: search, charset)
    let room = max(1, min(rows, max(4, body.rows * 2 / 3)) - 1 - rest.count)
    let top = PaneFrame.scroll(0, cursor: cursor, count: count, rows: room)
    var lines: [Line] = [(": \(search.line.text)", theme.standard)]
    for index in top..<max(top, min(count, top + room)) {
      // The sign of the cursor stands before a line.
      let text = search.text(at: index, width: body.columns - 2, charset, in: browser)
      lines.append(line(text, isCursor: index == cursor))
    }
    if count == 0 { lines.append(("  \(search.nothing)", theme.null)) }
    lines += rest.map { ("      \($0)", theme.note) }
    drawBox(search.heading, lines, on: &screen)
    let shown = min(room, count - top)
    addTargets(
      from: top,
      count: shown,
      cursor: cursor,
      head: 1,
      tail: rest.count,
      on: &screen,
      search.isSelectable
    )
    let row = body.line(body.rows - height(of: lines.count) + 1)
    search.line.draw(on: &screen, in: row.dropping(2))
  }

  /// So much of the entry of the cursor is shown below the list, where its line has no room for it.
  private static let mostRest = 2

  /// What the line of the cursor's entry has no room for.
  private func rest(of search: some SearchList, _ charset: Charset) -> [String] {
    let width = layout.body.columns - 6
    guard rows >= 8, (0..<search.count).contains(search.index) else { return [] }
    let text = search.text(at: search.index, width: Self.longestEntry, charset, in: browser)
    let wrapped = WrappedText(text, width: width, upTo: Self.mostRest + 1, in: charset)
    guard TextWidth.width(of: text, in: charset) > layout.body.columns - 2 else { return [] }
    return wrapped.rows.dropFirst().map { String(wrapped.text(in: $0)) }
  }

  /// More columns than any entry needs.
  private static let longestEntry = 10_000
}
