internal import KennelCore

/// A line that is typed on the status line.
struct PromptDialog: Dialog {
  static let title = "Typing on the status line"
  static let keys = [
    Hint("Enter", "do it"), Hint("Esc", "back"), Hint("Up", "what was typed before"),
    Hint("Tab", "complete"),
  ]

  /// What the line is for; each kind has a history of its own.
  enum Kind: Hashable {
    case find
    case filter(ClassKey)
    case column(ClassKey)
    case saveCopy
    case export
    /// What the objects of a class are grouped by.
    case group(ClassKey)
    case compare
    case openFile

    /// The name of its history.
    func history(in schema: Schema) -> String {
      switch self {
      case .find: "find"
      case .filter(let classKey): "filter \(schema[classKey]?.name ?? "")"
      case .column(let classKey): "column \(schema[classKey]?.name ?? "")"
      case .group(let classKey): "group \(schema[classKey]?.name ?? "")"
      case .saveCopy: "save-copy"
      case .export: "export"
      case .compare: "compare"
      case .openFile: "open-file"
      }
    }
  }

  let kind: Kind
  let label: String
  var line: LineEditor
  /// What is wrong with the line so far, and at which character, from 1.
  private var problem: (message: String, column: Int)?

  init(_ kind: Kind, label: String, in browser: Browser) {
    self.kind = kind
    self.label = label
    let history = kind.history(in: browser.model.schema)
    line = LineEditor(history: browser.kept.histories[history] ?? [])
  }

  mutating func handle(_ key: Key, in browser: Browser) -> DialogState {
    if key.code == .enter { return finish(in: browser) }
    if key.code == .tab {
      complete(in: browser)
    } else if key.code == .up || key.code == .down {
      if line.recall(older: key.code == .up) { check(in: browser) }
    } else if line.handle(key) {
      check(in: browser)
    }
    return .open
  }

  mutating func cancel(in browser: Browser) -> DialogState {
    cancelCount(in: browser)
    return .closed
  }

  private func finish(in browser: Browser) -> DialogState {
    let text = line.text
    if let problem {
      browser.showError(problem.message)
      return .open
    }
    cancelCount(in: browser)
    browser.kept.remember(text, in: kind.history(in: browser.model.schema))
    switch kind {
    case .find:
      if text.isEmpty { return .closed }
      browser.searchText = text
      browser.finding.findAgain(forward: true)
    case .filter:
      browser.tables.applyFilter(text)
    case .column:
      if !text.isEmpty { browser.tables.addColumn(text) }
    case .saveCopy:
      if !text.isEmpty { browser.files.save(to: text) }
    case .export:
      if !text.isEmpty { browser.files.export(to: text) }
    case .group:
      if !text.isEmpty { browser.summaries.group(by: text) }
    case .compare:
      if !text.isEmpty { browser.reports.compare(with: text) }
    case .openFile:
      if !text.isEmpty { browser.files.openFile(text) }
    }
    return .closed
  }

  // MARK: - Filters

  /// Checks what is being typed, and counts what a filter leaves.
  private mutating func check(in browser: Browser) {
    problem = nil
    let text = line.text
    cancelCount(in: browser)
    guard !text.trimmed.isEmpty else { return }
    do throws(PredicateError) {
      switch kind {
      case .filter(let classKey):
        let predicate = try Predicate.parse(text, for: classKey, in: browser.model.schema)
        countMatches(predicate, classKey, in: browser)
      case .column(let classKey):
        _ = try ValuePath(text, of: classKey, in: browser.model.schema)
      case .find, .saveCopy, .export, .group, .compare, .openFile: break
      }
    } catch {
      problem = (error.sentence, error.column)
    }
  }

  private func countMatches(_ predicate: Predicate, _ classKey: ClassKey, in browser: Browser) {
    let text = line.text
    browser.launch(
      "Counting",
      .count,
      reading: { snapshot, context throws(DatabaseError) in
        try snapshot.count(of: classKey, where: predicate, progress: QueryProgress(of: context))
      },
      finish: { browser, count in
        guard let prompt = browser.dialog as? PromptDialog, prompt.line.text == text else { return }
        browser.say("\(count) found; Enter shows them")
      }
    )
  }

  private func cancelCount(in browser: Browser) {
    browser.cancelJobs { if case .count = $0 { true } else { false } }
  }

  /// The class whose properties are completed.
  private var completedClass: ClassKey? {
    switch kind {
    case .filter(let classKey), .column(let classKey), .group(let classKey): classKey
    case .find, .saveCopy, .export, .compare, .openFile: nil
    }
  }

  /// Completes the name of the property before the cursor.
  private mutating func complete(in browser: Browser) {
    guard let classKey = completedClass else { return }
    let text = line.text
    let start =
      text.lastIndex { !$0.isLetter && !$0.isNumber && $0 != "_" }
      .map { text.index(after: $0) } ?? text.startIndex
    let word = text[start...].lowercased()
    let names = (browser.model.schema[classKey]?.properties ?? []).map(\.name)
    guard !word.isEmpty else { return browser.say(names.joined(separator: "  ")) }
    let matches = names.filter { $0.lowercased().hasPrefix(word) }
    guard let first = matches.first else {
      browser.showError("No property of this class begins with “\(word)”")
      return
    }
    line.text = text[..<start] + first
    check(in: browser)
    if matches.count > 1 { browser.say(matches.joined(separator: "  ")) }
  }

  // MARK: - Drawing

  func draw(_ frame: DialogFrame, on screen: inout Screen) {
    guard let status = frame.layout.status else { return }
    let prefix = "\(label): "
    let width = TextWidth.width(of: prefix, upTo: status.columns / 2, in: screen.charset)
    screen.put(prefix, row: status.row, column: 0, width: width, style: frame.theme.key)
    line.draw(
      on: &screen,
      row: status.row,
      column: width,
      width: status.columns - width,
      style: .standard
    )
    guard status.row > 0 else { return }
    if let problem {
      draw(problem, above: status, indent: width, frame.theme.error, on: &screen)
    } else if let message = frame.browser.message {
      let above = status.row - 1
      screen.put(
        message.text,
        row: above,
        column: 0,
        width: status.columns,
        style: frame.theme.note
      )
    }
  }

  /// Says what is wrong above the character where it is.
  private func draw(
    _ problem: (message: String, column: Int),
    above status: Rectangle,
    indent: Int,
    _ style: Style,
    on screen: inout Screen
  ) {
    let row = status.row - 1
    let before = String(line.text.prefix(max(0, problem.column - 1)))
    let place = indent + TextWidth.width(of: before, upTo: status.columns, in: screen.charset)
    let text = "↓ \(problem.message)"
    let needed = TextWidth.width(of: text, upTo: status.columns, in: screen.charset)
    let fits = place + needed <= status.columns
    let column = fits ? place : max(0, status.columns - needed)
    screen.put("", row: row, column: 0, width: status.columns)
    screen.put(text, row: row, column: column, style: style)
    if !fits { screen.put("↓", row: row, column: min(place, column), style: style) }
  }
}
