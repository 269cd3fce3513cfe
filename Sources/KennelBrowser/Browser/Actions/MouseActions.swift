internal import KennelCore

/// What the mouse does.
struct MouseActions: BrowserPart {
  let browser: Browser

  /// So many lines a turn of the wheel moves.
  private static let wheelLines = 3

  func receive(_ event: MouseEvent) {
    guard browser.dialog == nil else { return }
    let panes = browser.layout(browser.size).panes
    guard
      let (pane, rectangle) = panes.first(where: {
        $0.value.contains(row: event.row, column: event.column)
      })
    else { return }
    switch event.kind {
    case .wheelDown, .wheelUp:
      let focus = view.focus
      view.focus = pane
      browser.navigation.move(.lines(event.kind == .wheelDown ? Self.wheelLines : -Self.wheelLines))
      view.focus = focus
    case .press:
      browser.navigation.focus(on: pane)
      browser.hasClicked = click(
        row: event.row,
        column: event.column - rectangle.column,
        rectangle,
        pane
      )
    case .doublePress:
      // The first press put the cursor there; the panes may have changed their sizes since.
      if browser.hasClicked { browser.navigation.open() }
    case .release:
      break
    }
  }

  /// Puts the cursor on what was clicked; whether there was anything.
  private func click(row: Int, column: Int, _ rectangle: Rectangle, _ pane: Pane) -> Bool {
    let pane = (
      kind: pane, view: PaneView(model: model, theme: theme, rectangle: rectangle, hasFocus: true)
    )
    let row = row - pane.view.firstRow
    guard row >= 0 else { return false }
    switch pane.kind {
    case .collections:
      let classes = model.schema.classes
      guard classes.indices.contains(browser.collections.top + row) else { return false }
      browser.navigation.select(classes[browser.collections.top + row].key)
    case .main:
      return clickInMain(row: row, column: column, pane.view)
    case .links, .referrers:
      let top = view.linkCursors(of: pane.kind).top
      return browser.linkWalking.select(top + row, in: pane.kind)
    case .changes:
      let lines = browser.reviewing.lines()
      let index = browser.changes.top + row
      guard lines.indices.contains(index), lines[index].isSelectable else { return false }
      browser.changes.cursor = lines[index].id
    }
    return true
  }

  private func clickInMain(row: Int, column: Int, _ pane: PaneView) -> Bool {
    switch view.main {
    case .table(var table):
      let header = TableView.headerRows(in: pane)
      let keys = table.visibleKeys(in: model, count: pane.rows - header)
      guard keys.indices.contains(row - header) else { return false }
      table.cursor = keys[row - header]
      let hint = table.topHint + row - header
      table.cursorHint = table.rows(in: model).position(of: keys[row - header], hint: hint) ?? hint
      table.column = table.shownColumns.last { $0.start <= column }?.column ?? .key
      view.main = .table(table)
    case .object(var object):
      let lines = object.lines(in: model, theme: theme)
      guard lines.indices.contains(object.top + row) else { return false }
      object.cursor = lines[object.top + row].id
      view.main = .object(object)
    case .elements(var elements):
      guard elements.top + row < elements.count(in: model) else { return false }
      elements.move(to: elements.top + row, in: model)
      view.main = .elements(elements)
    case .summary:
      let header = TableView.headerRows(in: pane)
      return browser.summaries.click(row: row, column: column, header: header)
    case .diagram:
      return browser.diagrams.click(row: row)
    }
    view.resetLinks()
    return true
  }
}
