internal import KennelCore

// Finding text in the view: in a table as a job, since the table may have millions of rows.

extension Browser {
  func openFind() {
    let line = LineEditor(history: typed[.find] ?? [])
    overlay = .prompt(Prompt(kind: .find, label: "find", line: line))
  }

  func handle(_ key: Key, in prompt: Prompt) {
    var prompt = prompt
    switch key.code {
    case .enter:
      finish(prompt)
      return
    case .up, .down:
      if prompt.line.recall(older: key.code == .up) { check(&prompt) }
    case .tab:
      complete(&prompt)
    default:
      guard prompt.line.handle(key) else { return }
      check(&prompt)
    }
    overlay = .prompt(prompt)
  }

  private func check(_ prompt: inout Prompt) {
    if case .filter(let classKey) = prompt.kind { check(&prompt, classKey) }
  }

  private func finish(_ prompt: Prompt) {
    let text = prompt.line.text
    if let problem = prompt.problem {
      showError(problem.message)
      return
    }
    overlay = nil
    cancelCount()
    if !text.isEmpty {
      typed[prompt.kind, default: []].removeAll { $0 == text }
      typed[prompt.kind, default: []].append(text)
    }
    switch prompt.kind {
    case .find:
      guard !text.isEmpty else { return }
      searchText = text
      findAgain(forward: true)
    case .filter:
      applyFilter(text)
    case .saveCopy:
      if !text.isEmpty { saveCopy(to: text) }
    }
  }

  /// Completes the name of the property before the cursor.
  private func complete(_ prompt: inout Prompt) {
    guard case .filter(let classKey) = prompt.kind else { return }
    let text = prompt.line.text
    let start =
      text.lastIndex { !$0.isLetter && !$0.isNumber && $0 != "_" }
      .map { text.index(after: $0) } ?? text.startIndex
    let word = text[start...].lowercased()
    guard !word.isEmpty else { return }
    let names = (model.schema[classKey]?.properties ?? []).map(\.name)
    let matches = names.filter { $0.lowercased().hasPrefix(word) }
    guard let first = matches.first else {
      showError("No property of this class begins with “\(word)”")
      return
    }
    prompt.line.text = text[..<start] + first
    check(&prompt)
    if matches.count > 1 { say(matches.joined(separator: "  ")) }
  }

  // MARK: - Finding

  func findAgain(forward isForward: Bool) {
    guard let text = searchText else {
      say("Nothing was looked for yet; / finds text")
      return
    }
    switch (view.focus, view.main) {
    case (.main, .table(let table)): find(text, in: table, isForward)
    case (.main, .object(let object)): find(text, in: object, isForward)
    case (.main, .elements(let elements)): find(text, in: elements, isForward)
    case (.collections, _): findClass(text, isForward)
    default: say("Find looks in the main pane; 2 goes there")
    }
  }

  private func find(_ text: String, in table: TableState, _ isForward: Bool) {
    cancelJobs { purpose in
      if case .find = purpose { true } else { false }
    }
    let searched = SearchedView.table(table.id)
    let search = TextSearch(
      text: text,
      classKey: table.classKey,
      properties: table.columns(in: model.schema),
      keys: table.definition.isPlain ? nil : table.result,
      start: table.cursor,
      isForward: isForward
    )
    let purpose = RunningJob.Purpose.find(text: text, in: searched)
    start("Finding “\(text)”", purpose) { snapshot, context throws(DatabaseError) in
      .place(try search.run(in: snapshot, context))
    }
  }

  /// Goes where a job found the text.
  func show(_ place: FoundPlace?, _ text: String) {
    guard let place else {
      showError("“\(text)” is not found")
      return
    }
    if place.hasWrapped { say("From the other end again") }
    if let index = place.index, case .elements(var elements) = view.main {
      elements.move(to: index, in: model)
      view.main = .elements(elements)
      return
    }
    updateTable { table in
      table.cursor = place.key
      table.column = place.property
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
      showError("“\(text)” is not found")
      return
    }
    var object = object
    object.cursor = lines[next].id
    view.main = .object(object)
  }

  private func find(_ text: String, in elements: ElementsState, _ isForward: Bool) {
    guard let property = elements.schema(in: model) else { return }
    let searched = SearchedView.elements(elements.object, elements.property)
    let search = ElementSearch(
      text: text,
      object: elements.object,
      property: property,
      start: elements.cursor?.index ?? 0,
      isForward: isForward
    )
    let purpose = RunningJob.Purpose.find(text: text, in: searched)
    start("Finding “\(text)”", purpose) { snapshot, context throws(DatabaseError) in
      .place(try search.run(in: snapshot, context))
    }
  }

  private func findClass(_ text: String, _ isForward: Bool) {
    let classes = model.schema.classes
    let needle = TextSearch.folded(text)
    let matches = classes.indices.filter { TextSearch.contains(classes[$0].name, needle) }
    let current = classes.firstIndex { $0.key == collection } ?? 0
    guard let next = Self.next(in: matches, after: current, isForward) else {
      showError("No class is named “\(text)”")
      return
    }
    collection = classes[next].key
  }

  /// The match after (or before) a place, around the end.
  private static func next(in matches: [Int], after place: Int, _ isForward: Bool) -> Int? {
    isForward
      ? matches.first { $0 > place } ?? matches.first
      : matches.last { $0 < place } ?? matches.last
  }
}

/// Looks for a text in the elements of a collection.
struct ElementSearch: Sendable {
  let text: String
  let object: ObjectIdentity
  let property: PropertySchema
  let start: Int
  let isForward: Bool

  private static let batch = 512

  func run(in snapshot: Snapshot, _ context: JobContext) throws(DatabaseError) -> FoundPlace? {
    let needle = TextSearch.folded(text)
    let count = try snapshot.elementCount(of: object, property.key)
    guard count > 0, !needle.isEmpty else { return nil }
    var seen = 0
    while seen < count, !context.isCancelled {
      let offset = isForward ? start + 1 + seen : start - 1 - seen
      let index = (offset % count + count) % count
      let length = isForward ? min(Self.batch, count - index) : min(Self.batch, index + 1)
      let first = isForward ? index : index - length + 1
      let texts = try texts(first..<first + length, in: snapshot)
      let order = isForward ? Array(texts.indices) : texts.indices.reversed()
      for place in order where TextSearch.contains(texts[place], needle) {
        let found = first + place
        return FoundPlace(
          key: object.key,
          index: found,
          hasWrapped: isForward ? found <= start : found >= start
        )
      }
      seen += length
      context.report(progress: Double(seen) / Double(count))
    }
    return nil
  }

  private func texts(
    _ range: Range<Int>,
    in snapshot: Snapshot
  ) throws(DatabaseError) -> [String] {
    if property.type.collection == .map {
      var texts: [String] = []
      for entry in try snapshot.entries(of: object, property.key, in: range) {
        texts.append("\(entry.key) \(try text(of: entry.value, in: snapshot))")
      }
      return texts
    }
    var texts: [String] = []
    for value in try snapshot.elements(of: object, property.key, in: range) {
      texts.append(try text(of: value, in: snapshot))
    }
    return texts
  }

  private func text(of value: Value, in snapshot: Snapshot) throws(DatabaseError) -> String {
    if case .link(let target) = value { return try snapshot.displayName(of: target, limit: 60) }
    return value.isNull ? "" : ScalarText.text(of: value)
  }
}
