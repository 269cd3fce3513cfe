internal import KennelCore

/// Clicks and scrolls with the mouse.
struct MouseActions: BrowserPart {
  let browser: Browser

  /// So many lines a turn of the wheel moves.
  private static let wheelLines = 3

  func receive(_ event: MouseEvent) {
    if event.kind == .press { explainSelecting() }
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
  private func explainSelecting() {
    guard !browser.kept.knowsMouse else { return }
    browser.kept.knowsMouse = true
    guard browser.settings.takesMouse else { return }
    say("The mouse works here: \(ProgramActions.selecting); \(key(of: "mouse")) turns it off")
  }

  private func click(_ action: ClickTarget.Action, isDouble: Bool) {
    switch action {
    case .press(let keys): keys.forEach(KeyReading(browser).press)
    case .back(let count):
      guard browser.dialog == nil else { return }
      for _ in 0..<count { Navigation(browser).goBack() }
    case .line(let distance):
      for _ in 0..<abs(distance) { KeyReading(browser).press(Key(distance > 0 ? .down : .up)) }
      if isDouble { KeyReading(browser).press(Key(.enter)) }
    }
  }

  private func scrollDialog(_ kind: MouseEvent.Kind) {
    guard kind == .wheelDown || kind == .wheelUp else { return }
    for _ in 0..<Self.wheelLines {
      KeyReading(browser).press(Key(kind == .wheelDown ? .down : .up))
    }
  }

  private func receiveInPanes(_ event: MouseEvent) {
    let panes = browser.layout.panes
    guard
      let (pane, rectangle) = panes.first(where: {
        $0.value.contains(row: event.row, column: event.column)
      })
    else { return }
    switch event.kind {
    case .wheelDown, .wheelUp:
      let focus = entry.focus
      entry.focus = pane
      Navigation(browser).move(
        .lines(event.kind == .wheelDown ? Self.wheelLines : -Self.wheelLines)
      )
      entry.focus = focus
    case .press:
      Navigation(browser).focus(on: pane)
      browser.hasClicked = click(event, pane, rectangle)
    case .doublePress:
      // The first press put the cursor there; the panes may have changed their sizes since.
      if browser.hasClicked { Navigation(browser).open() }
    case .release:
      break
    }
  }

  /// Puts the cursor on what was clicked; whether there is anything for a double click to open.
  private func click(_ event: MouseEvent, _ pane: Pane, _ rectangle: Rectangle) -> Bool {
    let frame = PaneFrame(browser: browser, rectangle: rectangle, hasFocus: true)
    guard event.row >= frame.firstRow else { return false }
    let row = event.row - frame.firstRow
    let column = event.column - rectangle.column
    let clicked = browser.update(pane) { $0.click(row: row, column: column, in: frame) }
    switch clicked {
    case .nothing: return false
    case .header:
      entry.main.sort(in: browser)
      return false
    case .line:
      if pane == .main { entry.resetLinks() }
      return true
    }
  }
}
