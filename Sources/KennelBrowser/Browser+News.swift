internal import KennelCore

// What other processes commit appears without a key.

extension Browser {
  func takeNews() {
    lookAtFile()
    guard model.isStale else { return }
    let problem = model.problem
    let before = view.subject.map { ($0, model.contains($0)) }
    if let draft = model.draft, draft.deletionCount > Self.mostAtOnce {
      // A commit that waits takes the news in itself.
      if !isCommitting { takeNewsOfMany(before) }
      return
    }
    model.refresh()
    if model.problem != nil, problem == nil { return }
    finishNews(before)
  }

  /// Tells of a commit that the model has.
  func finishNews(_ before: (ObjectIdentity, Bool)?) {
    let said = message
    message = nil
    settle()
    let complaint = message
    renewResult()
    self.changes.settle(in: model)
    if let complaint {
      message = complaint
    } else if let said {
      message = said
    } else {
      say("Another program committed")
    }
    if let (object, existed) = before, existed, !model.contains(object) { ask(.bell) }
    if let conflicts = model.draft?.conflicts, !conflicts.isEmpty {
      showError(
        "\(count(conflicts.count, "conflict")) with another program's commit; 4 shows them"
      )
    }
  }

  // MARK: - Mouse

  /// So many lines a turn of the wheel moves.
  private static let wheelLines = 3

  func receive(_ event: MouseEvent) {
    guard overlay == nil else { return }
    let panes = layout(size).panes
    guard
      let (pane, rectangle) = panes.first(where: {
        $0.value.contains(row: event.row, column: event.column)
      })
    else { return }
    switch event.kind {
    case .wheelDown, .wheelUp:
      let focus = view.focus
      view.focus = pane
      move(.lines(event.kind == .wheelDown ? Self.wheelLines : -Self.wheelLines))
      view.focus = focus
    case .press:
      view.focus = pane
      hasClicked = click(row: event.row, column: event.column - rectangle.column, rectangle, pane)
    case .doublePress:
      // The first press put the cursor there; the panes may have changed their sizes since.
      if hasClicked { open() }
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
      guard classes.indices.contains(collectionTop + row) else { return false }
      collection = classes[collectionTop + row].key
    case .main:
      return clickInMain(row: row, column: column, pane.view)
    case .links:
      guard let subject = view.subject else { return false }
      let lines = LinksState.lines(of: subject, in: model, theme: theme)
      let index = view.links.top + row
      guard lines.indices.contains(index), lines[index].isSelectable else { return false }
      view.links.cursor = lines[index].id
    case .changes:
      let lines = changeLines()
      let index = changes.top + row
      guard lines.indices.contains(index), lines[index].isSelectable else { return false }
      changes.cursor = lines[index].id
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
      table.column = table.shownColumns.last { $0.start <= column }?.property
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
    }
    view.links = LinksState()
    return true
  }
}
