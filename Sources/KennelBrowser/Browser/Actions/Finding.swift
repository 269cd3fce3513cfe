internal import KennelCore

/// Finds text in the view: in a table as a job, since the table may have millions of rows.
struct Finding: BrowserPart {
  let browser: Browser

  func openPrompt() {
    open(PromptDialog(.find, label: "find", in: browser))
  }

  func findAgain(forward isForward: Bool) {
    guard let text = browser.searchText else {
      say("Nothing has been searched for yet; / finds text")
      return
    }
    switch (view.focus, view.main) {
    case (.main, .table(let table)): find(text, in: table, isForward)
    case (.main, .object(let object)): find(text, in: object, isForward)
    case (.main, .elements(let elements)): find(text, in: elements, isForward)
    case (.main, .summary):
      if !browser.summaries.find(TextSearch.folded(text), isForward) { sayNotFound(text) }
    case (.main, .diagram):
      if !browser.diagrams.find(TextSearch.folded(text), isForward) { sayNotFound(text) }
    case (.collections, _): findClass(text, isForward)
    case (.links, _), (.referrers, _), (.changes, _):
      say("Find works in the main pane; 2 goes there")
    }
  }

  private func find(_ text: String, in table: TableState, _ isForward: Bool) {
    let search = TextSearch(
      text: text,
      classKey: table.classKey,
      properties: table.columns(in: model).compactMap {
        $0.property(of: table.classKey, in: model.schema)
      },
      keys: table.definition.isPlain ? nil : table.result,
      start: table.cursor,
      isForward: isForward
    )
    find(text, in: .table(table.id)) { snapshot, context throws(DatabaseError) in
      try search.run(in: snapshot, context)
    }
  }

  private func find(
    _ text: String,
    in searched: SearchedView,
    _ work: @escaping @Sendable (Snapshot, JobContext) throws(DatabaseError) -> FoundPlace?
  ) {
    browser.launch("Finding “\(text)”", .find, reading: work) { browser, place in
      if SearchedView(browser.view.main) == searched { browser.finding.show(place, text) }
    }
  }

  private func sayNotFound(_ text: String) { showError("“\(text)” is not found") }

  /// Goes where a job found the text.
  private func show(_ place: FoundPlace?, _ text: String) {
    guard let place else { return sayNotFound(text) }
    if place.hasWrapped { say("The search wrapped around") }
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

  private func find(_ text: String, in object: ObjectState, _ isForward: Bool) {
    let lines = object.lines(in: model, theme: theme)
    let needle = TextSearch.folded(text)
    let matches = lines.indices.filter {
      TextSearch.contains(lines[$0].value.text, needle)
        || TextSearch.contains(lines[$0].name, needle)
    }
    guard let next = Self.next(in: matches, after: object.cursorIndex(in: lines), isForward) else {
      return sayNotFound(text)
    }
    var object = object
    object.cursor = lines[next].id
    view.main = .object(object)
  }

  private func find(_ text: String, in elements: ElementsState, _ isForward: Bool) {
    guard let property = elements.schema(in: model) else { return }
    let search = ElementSearch(
      text: text,
      object: elements.object,
      property: property,
      start: elements.cursor?.index ?? 0,
      isForward: isForward
    )
    find(text, in: .elements(elements.object, elements.property)) {
      snapshot,
      context throws(DatabaseError) in
      try search.run(in: snapshot, context)
    }
  }

  private func findClass(_ text: String, _ isForward: Bool) {
    let classes = model.schema.classes
    let needle = TextSearch.folded(text)
    let matches = classes.indices.filter { TextSearch.contains(classes[$0].name, needle) }
    let current = classes.firstIndex { $0.key == browser.collections.cursor } ?? 0
    guard let next = Self.next(in: matches, after: current, isForward) else {
      showError("No class is named “\(text)”")
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

  init?(_ main: View.Main) {
    switch main {
    case .table(let table): self = .table(table.id)
    case .elements(let elements): self = .elements(elements.object, elements.property)
    case .object, .summary, .diagram: return nil
    }
  }
}
