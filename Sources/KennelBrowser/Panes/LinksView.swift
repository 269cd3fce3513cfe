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
    links.top = PaneView.scroll(top, cursor: cursor, count: lines.count, rows: pane.rows)
    for (offset, line) in lines.dropFirst(links.top).prefix(pane.rows).enumerated() {
      pane.drawLine(
        line.text,
        at: offset,
        isCursor: pane.hasFocus && links.top + offset == cursor,
        style: line.style,
        on: &screen
      )
    }
  }
}
