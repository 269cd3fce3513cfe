internal import KennelCore
internal import KennelReports

/// The diagram of the schema: each class with its links and with those that lead to it.
struct DiagramView {
  let pane: PaneView

  func draw(_ state: inout DiagramState, on screen: inout Screen) {
    let lines = DiagramState.lines(in: pane.model)
    let classes = pane.model.schema.classes.count
    let links = lines.count { $0.kind == .backlink }
    let counts = "  \(classes) classes, \(counted(links, "link"))"
    pane.drawTitle("2 Diagram of the schema", counts: counts, on: &screen)
    let cursor = state.cursorIndex(in: lines)
    state.top = scroll(state.top, cursor, lines)
    for (offset, line) in lines.dropFirst(state.top).prefix(pane.rows).enumerated() {
      pane.drawLine(
        line.text,
        at: offset,
        isCursor: state.top + offset == cursor,
        style: style(of: line),
        on: &screen
      )
    }
  }

  /// A class that the cursor comes to is shown with as many of its links as there is room for.
  private func scroll(_ top: Int, _ cursor: Int?, _ lines: [SchemaGraph.Line]) -> Int {
    guard let cursor, lines[cursor].kind == .title else {
      return PaneView.scroll(top, cursor: cursor, count: lines.count, rows: pane.rows)
    }
    let classKey = lines[cursor].classKey
    let end = lines[cursor...].prefix { $0.classKey == classKey }.endIndex - 1
    let last = min(end, cursor + pane.rows - 1)
    let shown = PaneView.scroll(top, cursor: last, count: lines.count, rows: pane.rows)
    return PaneView.scroll(shown, cursor: cursor, count: lines.count, rows: pane.rows)
  }

  private func style(of line: SchemaGraph.Line) -> Style {
    switch line.kind {
    case .title: pane.theme.header
    case .values: pane.theme.note
    case .link: pane.theme.link
    case .backlink: pane.theme.standard
    }
  }
}
