internal import KennelCore

// What other processes commit appears without a key.

extension Browser {
  func takeNews() {
    guard world.isStale else { return }
    let problem = world.problem
    let before = view.subject.map { ($0, world.contains($0)) }
    world.refresh()
    if world.problem != nil, problem == nil { return }
    let said = message
    message = nil
    settle()
    let complaint = message
    renewResult()
    self.changes.settle(in: world)
    if let complaint {
      message = complaint
    } else if let said {
      message = said
    } else {
      say("Another program committed")
    }
    if let (object, existed) = before, existed, !world.contains(object) { ask(.bell) }
    if let conflicts = world.draft?.conflicts, !conflicts.isEmpty {
      complain(
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
    case .press, .doublePress:
      view.focus = pane
      click(row: event.row - rectangle.row, in: pane)
      if event.kind == .doublePress { open() }
    case .release:
      break
    }
  }

  private func click(row: Int, in pane: Pane) {
    guard pane == .collections, row > 0 else { return }
    let classes = world.schema.classes
    let index = collectionTop + row - 1
    if classes.indices.contains(index) { collection = classes[index].key }
  }
}
