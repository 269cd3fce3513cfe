internal import KennelCore

/// A line that is typed on the status line, and above it what may be put into it.
struct PromptDialog: Dialog {
  static let title = "Typing on the status line"
  static let keys = [
    Hint("Enter", "do it, or take what is chosen in the list"),
    Hint("Esc", "close the list, then the line"),
    Hint("Down", "choose in the list"), Hint("Up", "what was typed before"),
    Hint("Tab", "take what is chosen, or the first"),
    Hint("^R", "list what was typed before"),
    Hint("^T", "find a regular expression, or text again"),
  ]

  private(set) var kind: PromptKind
  /// Where a search that is typed began.
  private var origin: SearchOrigin?
  var line: LineEditor
  var list = CandidateList()
  /// Whether the list has what was typed before instead of completions.
  private var listsHistory = false
  /// Whether anything was typed or chosen since the line was opened.
  private var hasTyped = false
  /// The mistake in the line so far, and its character, from 1.
  var problem: (message: String, column: Int)?
  /// A remark on a line without a mistake.
  var note: String?
  /// The frequent values that were found, or are being looked for.
  var values: [ValuedProperty: [FrequentValue]] = [:]

  /// Opens the line with a text.
  ///
  /// - Parameters:
  ///   - kind: The purpose of the line.
  ///   - text: The text.
  ///   - isProposal: Whether nobody has written the text, so that typing replaces it.
  ///   - browser: The browser.
  init(_ kind: PromptKind, text: String = "", isProposal: Bool = false, in browser: Browser) {
    self.kind = kind
    let history = Self.history(of: kind, in: browser)
    line = LineEditor(text, history: history, isSelected: isProposal)
    if otherSearch != nil { origin = Searching(browser).origin }
    showList(in: browser)
  }

  private static func history(of kind: PromptKind, in browser: Browser) -> [String] {
    browser.kept.histories[kind.history] ?? []
  }

  func hints(in browser: Browser) -> [Hint] {
    if list.chosen != nil {
      return [
        Hint("Enter", "take"), Hint("Down", "next"), Hint("Up", "previous"),
        Hint("Esc", "close the list"),
      ]
    }
    var hints = [Hint("Enter", kind.verb(isEmpty: line.text.trimmed.isEmpty))]
    if list.isShown { hints += [Hint("Tab", "take the first"), Hint("Down", "choose")] }
    hints.append(Hint("Esc", closesList ? "close the list" : "back"))
    if !Self.history(of: kind, in: browser).isEmpty { hints.append(Hint("^R", "earlier ones")) }
    if let other = otherSearch { hints.append(Hint("^T", other.name)) }
    return hints
  }

  // MARK: - Keys

  mutating func handle(_ key: Key, in browser: Browser) -> DialogState {
    switch key {
    case Key(.enter):
      if case .queryName = kind.syntax { return openQuery(in: browser) }
      guard let chosen = list.chosen else { return finish(in: browser) }
      accept(chosen, in: browser)
    case Key(.tab): complete(in: browser)
    case Key(.down): goDown(in: browser)
    case Key(.up): goUp(in: browser)
    case Key(.character("r"), isControl: true): openHistory(in: browser)
    case Key(.character("t"), isControl: true): toggleExpression(in: browser)
    default: edit(key, in: browser)
    }
    return .open
  }

  /// Enter opens the query that is chosen or named, else the first in the list.
  private mutating func openQuery(in browser: Browser) -> DialogState {
    let isNamed = browser.kept.session.queries[line.text] != nil
    if let candidate = list.chosen ?? (isNamed ? nil : list.candidates.first) {
      accept(candidate, in: browser)
    }
    return finish(in: browser)
  }

  private mutating func edit(_ key: Key, in browser: Browser) {
    let before = line.text
    guard line.handle(key) else { return }
    hasTyped = true
    if line.text != before { check(in: browser) }
    showList(in: browser)
  }

  mutating func cancel(in browser: Browser) -> DialogState {
    if listsHistory {
      listsHistory = false
      showList(in: browser)
      return .open
    }
    if closesList {
      list.isClosed = true
      return .open
    }
    cancelJobs(in: browser)
    if let origin { Searching(browser).goBack(to: origin) }
    return .closed
  }

  /// Whether Esc closes the list only: nobody has looked at one that was never used.
  private var closesList: Bool {
    listsHistory || list.isShown && (hasTyped || list.choice != nil)
  }

  private mutating func finish(in browser: Browser) -> DialogState {
    let text = line.text
    if let problem {
      browser.showError(problem.message)
      return .open
    }
    cancelJobs(in: browser)
    do throws(PredicateError) {
      try kind.perform(text, in: browser)
    } catch {
      problem = (error.sentence, error.column)
      return .open
    }
    browser.kept.remember(text, in: kind.history)
    return .closed
  }

  /// Takes the line as it is; false where something is wrong with it.
  mutating func isFinished(in browser: Browser) -> Bool { finish(in: browser) == .closed }

  /// Finds a regular expression instead of a text, or the other way round.
  private mutating func toggleExpression(in browser: Browser) {
    guard let other = otherSearch else {
      return browser.showError("Only \(browser.key(of: "find")) finds regular expressions")
    }
    let origin = origin
    self = PromptDialog(other.kind, text: line.text, in: browser)
    self.origin = origin
    check(in: browser)
  }

  /// The kind that `^T` changes to: a text becomes a regular expression, and back.
  private var otherSearch: (kind: PromptKind, name: String)? {
    if case .search = kind.syntax { return (.findExpression, "regular expression") }
    if case .regularExpression = kind.syntax { return (.find, "plain text") }
    return nil
  }

  // MARK: - The list

  private mutating func goDown(in browser: Browser) {
    if list.isShown, !line.isRecalled {
      list.move(by: 1)
    } else if line.recall(older: false) {
      check(in: browser)
      showList(in: browser)
    } else {
      list.isClosed = false
    }
  }

  private mutating func goUp(in browser: Browser) {
    if list.chosen != nil {
      list.move(by: -1)
    } else if line.recall(older: true) {
      hasTyped = true
      check(in: browser)
      showList(in: browser)
    }
  }

  private mutating func complete(in browser: Browser) {
    guard !list.isClosed else {
      list.isClosed = false
      return
    }
    guard let candidate = list.chosen ?? list.candidates.first else {
      return browser.say("Nothing can be completed here")
    }
    accept(candidate, in: browser)
  }

  private mutating func accept(_ candidate: Candidate, in browser: Browser) {
    hasTyped = true
    listsHistory = false
    line.replace(candidate.range, with: candidate.text)
    check(in: browser)
    showList(in: browser)
  }

  private mutating func openHistory(in browser: Browser) {
    guard !Self.history(of: kind, in: browser).isEmpty else {
      return browser.say("Nothing was typed here before")
    }
    listsHistory = true
    list.isClosed = false
    showList(in: browser)
    list.move(by: 1)
  }

  mutating func showList(in browser: Browser) {
    guard listsHistory else { return list.show(completions(in: browser)) }
    let text = line.text.lowercased()
    let whole = 0..<line.characters.count
    let earlier = Self.history(of: kind, in: browser).reversed()
      .filter { text.isEmpty || $0.lowercased().contains(text) }
    list.show(earlier.map { Candidate(.line, $0, "").placed(at: whole) })
  }

  // MARK: - Checking

  /// Says what is wrong with the line, or what it finds.
  mutating func check(in browser: Browser) {
    problem = nil
    note = nil
    switch kind.syntax {
    case .filter(let classKey): checkFilter(classKey, in: browser)
    case .path(let classKey): checkPath(classKey, in: browser)
    case .assignment(let classKey): checkAssignment(classKey, in: browser)
    case .regularExpression:
      do throws(ValidationError) {
        try find(SearchPattern(expression: line.text), in: browser)
      } catch {
        find(nil, in: browser)
        problem = (error.message, line.characters.count + 1)
      }
    case .search: find(SearchPattern(line.text), in: browser)
    case .text, .paths, .queryName: break
    }
  }

  /// Finds what is typed so far.
  private func find(_ pattern: SearchPattern?, in browser: Browser) {
    guard let origin else { return }
    Searching(browser).preview(line.text.isEmpty ? nil : pattern, from: origin)
  }

  // MARK: - Drawing

  func draw(_ frame: DialogFrame, on screen: inout Screen) {
    guard let status = frame.layout.status else { return }
    let prefix = "\(kind.label): "
    let width = TextWidth.width(of: prefix, upTo: status.columns / 2, in: screen.charset)
    screen.put(prefix, in: status.prefix(width), style: frame.theme.key)
    line.draw(on: &screen, in: status.dropping(width), styles: styles(frame.theme))
    guard status.row > 0 else { return }
    let range = list.candidates.first?.range ?? 0..<0
    let before = String(line.characters.prefix(range.lowerBound))
    let place = width + TextWidth.width(of: before, upTo: status.columns, in: screen.charset)
    let problem = shownProblem
    let said = frame.browser.message?.text ?? note
    let isBeside = said.map { draw($0, beside: width, in: status, frame.theme, on: &screen) }
    let hasSentence = problem != nil || isBeside == false
    list.draw(frame, above: status.row - (hasSentence ? 1 : 0), column: place, on: &screen)
    if let problem {
      draw(problem, above: status, indent: width, frame.theme, on: &screen)
    } else if let said, hasSentence {
      screen.put(said, in: status.line(-1), style: frame.theme.note)
    }
  }

  /// Draws what a search says beside its line, since the row above may be that of what it has found;
  /// false where there is no room, or the line is none of a search.
  private func draw(
    _ text: String,
    beside indent: Int,
    in status: Rectangle,
    _ theme: Theme,
    on screen: inout Screen
  ) -> Bool {
    guard origin != nil, problem == nil else { return false }
    let width = TextWidth.width(of: text, upTo: status.columns, in: screen.charset)
    let used = TextWidth.width(of: line.text, upTo: status.columns, in: screen.charset)
    let column = status.columns - width
    guard indent + used + 2 <= column else { return false }
    screen.put(text, row: status.row, column: column, style: theme.note)
    return true
  }

  /// The mistake, but for a name that is not typed to its end yet.
  private var shownProblem: (message: String, column: Int)? {
    guard let problem, list.isShown, let first = list.candidates.first, first.kind != .value,
      first.range.upperBound == line.cursor, first.range.contains(problem.column - 1)
    else { return problem }
    return nil
  }

  private func styles(_ theme: Theme) -> [Style] {
    switch kind.syntax {
    case .filter, .path, .paths:
      theme.styles(ofFilter: line.text, mistake: shownProblem.map { $0.column - 1 })
    case .text, .search, .regularExpression, .assignment, .queryName: []
    }
  }

  /// Says what is wrong above the character where it is; calmly, where the line is only not complete.
  private func draw(
    _ problem: (message: String, column: Int),
    above status: Rectangle,
    indent: Int,
    _ theme: Theme,
    on screen: inout Screen
  ) {
    let row = status.row - 1
    let style = problem.column > line.characters.count ? theme.note : theme.error
    let before = String(line.text.prefix(max(0, problem.column - 1)))
    let place = indent + TextWidth.width(of: before, upTo: status.columns, in: screen.charset)
    let text = "↓ \(problem.message)"
    let needed = TextWidth.width(of: text, upTo: status.columns, in: screen.charset)
    let fits = place + needed <= status.columns
    let column = fits ? place : max(0, status.columns - needed)
    screen.put("", in: status.line(-1))
    screen.put(text, row: row, column: column, style: style)
    if !fits { screen.put("↓", row: row, column: min(place, column), style: style) }
  }
}
