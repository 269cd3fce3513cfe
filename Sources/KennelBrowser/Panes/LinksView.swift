internal import KennelCore

/// Who points at the object of the main pane, and where it points; or one of the two.
struct LinksView {
  let pane: PaneView
  let subject: ObjectIdentity?
  let title: String
  let lines: [LinkLine]

  func draw(_ links: inout LinksState, on screen: inout Screen) {
    guard let subject else {
      pane.drawTitle(title, on: &screen)
      return
    }
    pane.drawTitle("\(title) \(pane.model.label(subject))", on: &screen)
    let cursor = links.cursorIndex(in: lines)
    // The heading above the first line that can be chosen stays in sight.
    let top = cursor.map { $0 <= 2 ? 0 : links.top } ?? 0
    // The last row says how many lines there are below, where there are any.
    links.top = PaneView.scroll(
      top,
      cursor: cursor,
      count: lines.count,
      rows: max(1, pane.rows - 1)
    )
    links.top = min(links.top, max(0, lines.count - pane.rows))
    let isCut = links.top + pane.rows < lines.count && pane.rows > 1
    let rows = isCut ? pane.rows - 1 : pane.rows
    if isCut {
      let text = "… \(lines.count - links.top - rows) more"
      pane.drawLine(text, at: rows, isCursor: false, style: pane.theme.note, on: &screen)
    }
    for (offset, line) in lines.dropFirst(links.top).prefix(rows).enumerated() {
      let isCursor = pane.hasFocus && links.top + offset == cursor
      pane.drawLine(line.text, at: offset, isCursor: isCursor, style: line.style, on: &screen)
      pane.markMatches(
        in: line.text,
        row: pane.firstRow + offset,
        column: pane.rectangle.column + 1,
        width: pane.rectangle.columns - 1,
        on: &screen
      )
      if let target = line.target {
        drawSummary(of: target, line, at: offset, isCursor, on: &screen)
      }
    }
  }

  /// From so many columns on, objects show what they hold.
  private static let wide = 70

  private func drawSummary(
    of target: ObjectIdentity,
    _ line: LinkLine,
    at offset: Int,
    _ isCursor: Bool,
    on screen: inout Screen
  ) {
    let width = pane.rectangle.columns
    let used = TextWidth.width(of: line.text, upTo: width, in: screen.charset) + 3
    guard width >= Self.wide, used < width else { return }
    screen.put(
      ValueView(model: pane.model, theme: pane.theme).summary(of: target),
      row: pane.firstRow + offset,
      column: pane.rectangle.column + used,
      width: width - used,
      style: isCursor ? pane.theme.note.adding(pane.theme.cursor) : pane.theme.note
    )
  }
}
