internal import KennelCore

/// Finds text in the view: in a table as a job, since the table may have millions of rows.
struct Finding: BrowserPart {
  let browser: Browser

  func openPrompt(isExpression: Bool = false) {
    let kind: PromptKind = isExpression ? .findExpression : .find
    open(PromptDialog(kind, label: isExpression ? "find expression" : "find", in: browser))
  }

  /// Looks for what was typed, from the cursor on.
  func find(_ pattern: SearchPattern) {
    browser.search = pattern
    findAgain(forward: true)
  }

  func findAgain(forward isForward: Bool) {
    guard let pattern = browser.search else {
      say("Nothing has been searched for yet; \(browser.key(of: "find")) finds text")
      return
    }
    browser.showsMatches = true
    switch (view.focus, view.main) {
    case (.main, .table(let table)): find(pattern, in: table, isForward)
    case (.main, .object(let object)): find(pattern, in: object, isForward)
    case (.main, .elements(let elements)): find(pattern, in: elements, isForward)
    case (.main, .summary(let summary)): find(pattern, in: summary, isForward)
    case (.main, .diagram):
      if !browser.diagrams.find(pattern, isForward) { sayNotFound(pattern) }
    case (.collections, _): findClass(pattern, isForward)
    case (.links, _), (.referrers, _):
      if !browser.linkWalking.find(pattern, isForward, in: view.focus) { sayNotFound(pattern) }
    case (.changes, _):
      say("Find works in the other panes; 2 goes to the main one")
    }
  }

  private func find(_ pattern: SearchPattern, in table: TableState, _ isForward: Bool) {
    let search = TextSearch(
      pattern: pattern,
      classKey: table.classKey,
      properties: table.columns(in: model).compactMap {
        $0.property(of: table.classKey, in: model.schema)
      },
      keys: table.definition.isPlain ? nil : table.result,
      start: table.cursor,
      isForward: isForward
    )
    find(pattern, in: .table(table.id)) { snapshot, context throws(DatabaseError) in
      try search.run(in: snapshot, context)
    }
  }

  private func find(
    _ pattern: SearchPattern,
    in searched: SearchedView,
    _ work: @escaping @Sendable (Snapshot, JobContext) throws(DatabaseError) -> FoundPlace?
  ) {
    browser.launch("Finding \(pattern.name)", .find, reading: work) { browser, place in
      if SearchedView(browser.view.main) == searched { browser.finding.show(place, pattern) }
    }
  }

  private func sayNotFound(_ pattern: SearchPattern) { showError("\(pattern.name) is not found") }

  /// Goes where a job found the text.
  private func show(_ place: FoundPlace?, _ pattern: SearchPattern) {
    guard let place else { return sayNotFound(pattern) }
    if place.hasWrapped { say("The search wrapped around") }
    if let index = place.index, case .summary = view.main {
      return browser.summaries.move(to: index)
    }
    if let index = place.index, case .elements(var elements) = view.main {
      elements.move(to: index, in: model)
      view.main = .elements(elements)
      return
    }
    updateTable { table in
      table.cursor = place.key
      table.column = place.property.map { .property($0) } ?? .key
      if let hint = table.rows(in: model).position(of: place.key) { table.cursorHint = hint }
    }
  }

  private func find(_ pattern: SearchPattern, in object: ObjectState, _ isForward: Bool) {
    let lines = object.lines(in: model, theme: theme)
    let matches = lines.indices.filter {
      pattern.isFound(in: lines[$0].value.text) || pattern.isFound(in: lines[$0].name)
    }
    guard let next = Self.next(in: matches, after: object.cursorIndex(in: lines), isForward) else {
      return sayNotFound(pattern)
    }
    var object = object
    object.cursor = lines[next].id
    view.main = .object(object)
  }

  private func find(_ pattern: SearchPattern, in elements: ElementsState, _ isForward: Bool) {
    guard let property = elements.schema(in: model) else { return }
    let search = ElementSearch(
      pattern: pattern,
      object: elements.object,
      property: property,
      start: elements.cursor?.index ?? 0,
      isForward: isForward
    )
    find(pattern, in: .elements(elements.object, elements.property)) {
      snapshot,
      context throws(DatabaseError) in
      try search.run(in: snapshot, context)
    }
  }

  private func find(_ pattern: SearchPattern, in summary: SummaryState, _ isForward: Bool) {
    guard let table = summary.table else { return sayNotFound(pattern) }
    let cursor = summary.cursor
    find(pattern, in: .summary(summary.id)) { _, context throws(DatabaseError) in
      guard let row = table.row(with: pattern, after: cursor, isForward, context) else {
        return nil
      }
      let hasWrapped = isForward ? row <= cursor : row >= cursor
      return FoundPlace(key: ObjectKey(rawValue: 0), index: row, hasWrapped: hasWrapped)
    }
  }

  private func findClass(_ pattern: SearchPattern, _ isForward: Bool) {
    let classes = model.schema.classes
    let matches = classes.indices.filter { pattern.isFound(in: classes[$0].name) }
    let current = classes.firstIndex { $0.key == browser.collections.cursor } ?? 0
    guard let next = Self.next(in: matches, after: current, isForward) else {
      showError("No class is named \(pattern.name)")
      return
    }
    browser.navigation.select(classes[next].key)
  }

  /// The match after (or before) a place, around the end.
  static func next(in matches: [Int], after place: Int, _ isForward: Bool) -> Int? {
    isForward
      ? matches.first { $0 > place } ?? matches.first
      : matches.last { $0 < place } ?? matches.last
  }
}

/// Where a text is looked for; what was found is of no use in another view.
private enum SearchedView: Hashable {
  case table(Int)
  case elements(ObjectIdentity, PropertyKey)
  case summary(Int)

  init?(_ main: View.Main) {
    switch main {
    case .table(let table): self = .table(table.id)
    case .elements(let elements): self = .elements(elements.object, elements.property)
    case .summary(let summary): self = .summary(summary.id)
    case .object, .diagram: return nil
    }
  }
}
