internal import KennelCore

/// The diagram of the schema.
struct Diagrams: BrowserPart {
  let browser: Browser

  private var state: DiagramState? {
    if case .diagram(let state) = view.main { state } else { nil }
  }

  private func update(_ change: (inout DiagramState, [SchemaGraph.Line]) -> Void) {
    guard var state else { return }
    let lines = DiagramState.lines(in: model)
    change(&state, lines)
    view.main = .diagram(state)
    if let line = line(of: state, lines) { browser.collections.show(line.classKey) }
  }

  private func line(of state: DiagramState, _ lines: [SchemaGraph.Line]) -> SchemaGraph.Line? {
    state.cursorIndex(in: lines).map { lines[$0] }
  }

  /// The line under the cursor.
  var line: SchemaGraph.Line? {
    state.flatMap { line(of: $0, DiagramState.lines(in: model)) }
  }

  /// `gs`: the diagram, at the class that is shown.
  func open() {
    if state != nil { return focusOnMain() }
    let shown = browser.preview?.classKey ?? view.classKey
    focusOnMain()
    browser.navigation.go(to: View(main: .diagram(DiagramState(classKey: shown)), step: nil))
  }

  private func focusOnMain() { view.focus = .main }

  func move(by distance: Int) {
    update { $0.move(by: distance, in: $1) }
  }

  /// `l`: to the class at the other end of the link.
  func follow() {
    var hasMoved = false
    update { hasMoved = $0.follow(in: $1) }
    if !hasMoved { say("This is a class: Enter shows its objects, j goes to its links") }
  }

  /// `h`: back along the link that was followed.
  func goBack() {
    update { $0.goBack(in: $1) }
  }

  /// Enter: the objects of a class, or the class at the other end of a link.
  func enter() {
    guard let line else { return }
    if line.other != nil { return follow() }
    browser.navigation.goToTable(TableDefinition(classKey: line.classKey))
  }

  /// Puts the cursor on a line that was clicked; whether there is one.
  func click(row: Int) -> Bool {
    guard var state else { return false }
    let lines = DiagramState.lines(in: model)
    guard lines.indices.contains(state.top + row), let id = lines[state.top + row].id else {
      return false
    }
    state.cursor = id
    view.main = .diagram(state)
    return true
  }

  func find(_ pattern: SearchPattern, _ isForward: Bool) -> Bool {
    guard var state else { return false }
    let lines = DiagramState.lines(in: model)
    let matches = lines.indices.filter {
      lines[$0].id != nil && pattern.isFound(in: lines[$0].text)
    }
    let cursor = state.cursorIndex(in: lines) ?? 0
    guard let next = Finding.next(in: matches, after: cursor, isForward) else { return false }
    state.cursor = lines[next].id
    view.main = .diagram(state)
    return true
  }
}
