internal import KennelCore

/// What the mouse does.
struct MouseActions: BrowserPart {
  let browser: Browser

  /// So many lines a turn of the wheel moves.
  private static let wheelLines = 3

  func receive(_ event: MouseEvent) {
    if event.kind == .press { tellOnce() }
    let target = browser.clickTargets.last {
      $0.rectangle.contains(row: event.row, column: event.column)
    }
    if let target, event.kind == .press || event.kind == .doublePress {
      return click(target.action, isDouble: event.kind == .doublePress)
    }
    guard browser.dialog == nil else { return scrollDialog(event.kind) }
    receiveInPanes(event)
  }

  /// Says how text is selected, when the mouse is used for the first time.
  private func tellOnce() {
    guard !browser.kept.knowsMouse else { return }
    browser.kept.knowsMouse = true
    guard browser.settings.takesMouse else { return }
    say("The mouse works here: \(ProgramActions.selecting); % turns it off")
  }

  private func click(_ action: ClickTarget.Action, isDouble: Bool) {
    switch action {
    case .press(let keys): keys.forEach(browser.press)
    case .back(let count):
      guard browser.dialog == nil else { return }
      for _ in 0..<count { browser.navigation.goBack() }
    case .line(let distance):
      for _ in 0..<abs(distance) { browser.press(Key(distance > 0 ? .down : .up)) }
      if isDouble { browser.press(Key(.enter)) }
    }
  }

  private func scrollDialog(_ kind: MouseEvent.Kind) {
    guard kind == .wheelDown || kind == .wheelUp else { return }
    for _ in 0..<Self.wheelLines { browser.press(Key(kind == .wheelDown ? .down : .up)) }
  }

  private func receiveInPanes(_ event: MouseEvent) {
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

  /// Sorts by the column whose name was clicked; there is nothing for a double click to open.
  private func sort(_ table: TableState, byColumnAt place: Int) -> Bool {
    let column = table.shownColumns.last { $0.start - 1 <= place }?.column ?? .key
    updateTable { $0.column = column }
    browser.tables.sort(adding: false)
    return false
  }

  private func clickInMain(row: Int, column: Int, _ pane: PaneView) -> Bool {
    switch view.main {
    case .table(var table):
      let header = TableView.headerRows(in: pane)
      if row < header { return sort(table, byColumnAt: column) }
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
