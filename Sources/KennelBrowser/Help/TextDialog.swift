/// A text to read, in rows as wide as the screen.
struct TextDialog: Dialog {
  static let title = "Reading a text"
  static let keys = [
    Hint("j", "down"), Hint("k", "up"), Hint("Space", "page"), Hint("g", "start"),
    Hint("G", "end"), Hint("/", "find"), Hint("n", "next"), Hint("N", "previous"),
    Hint("Esc", "back"),
  ]

  /// Keeps the rows for as long as the screen has one width.
  private final class Rows {
    var width = 0
    var wrapped = WrappedText("", width: 1, in: .unicode)
  }

  private let heading: String
  private let text: String
  private let rows = Rows()
  /// The first byte on the screen, which stays there when the width changes.
  private var top = 0
  /// Where the search has led.
  private var match: Range<Int>?
  /// The search that is being typed.
  private var typed: LineEditor?
  private var isExpression = false

  init(heading: String, text: String) {
    self.heading = heading
    self.text = text
  }

  private func wrapped(for layout: Layout, _ charset: Charset) -> WrappedText {
    let width = layout.body.columns
    if rows.width != width {
      rows.width = width
      rows.wrapped = WrappedText(text, width: width, in: charset)
    }
    return rows.wrapped
  }

  // MARK: - Keys

  func hints(in browser: Browser) -> [Hint] {
    if typed != nil {
      let other = isExpression ? "as a text" : "as an expression"
      return [Hint("Enter", "find"), Hint("^T", other), Hint("Esc", "back to the text")]
    }
    let canGoOn = browser.search.pattern != nil
    return canGoOn ? Self.keys : Self.keys.filter { $0.key.lowercased() != "n" }
  }

  mutating func handle(_ key: Key, in browser: Browser) -> DialogState {
    if typed != nil {
      type(key, in: browser)
      return .open
    }
    let frame = DialogFrame(browser: browser, layout: browser.layout, cell: nil)
    switch key.typed {
    case "q": return .closed
    case "/": typed = LineEditor(history: browser.kept.histories[PromptKind.find.history] ?? [])
    case "n": find(isForward: true, frame)
    case "N": find(isForward: false, frame)
    case " ": scroll(by: frame.rows, frame)
    default:
      guard let distance = Self.distance(of: key, in: browser) else {
        browser.showError("j and k move, / finds, Esc goes back")
        return .open
      }
      scroll(by: distance, frame)
    }
    return .open
  }

  mutating func cancel(in browser: Browser) -> DialogState {
    if typed == nil { return .closed }
    typed = nil
    return .open
  }

  private mutating func scroll(by distance: Int, _ frame: DialogFrame) {
    let wrapped = wrapped(for: frame.layout, frame.browser.settings.charset)
    show(row: wrapped.row(ofByte: top) + distance, of: wrapped, frame)
  }

  /// Puts a row on the first line, unless it is one of the last page.
  private mutating func show(row: Int, of wrapped: WrappedText, _ frame: DialogFrame) {
    let last = max(0, wrapped.rows.count - frame.rows)
    top = wrapped.rows[min(max(0, row), last)].lowerBound
  }

  // MARK: - Searching

  private mutating func type(_ key: Key, in browser: Browser) {
    guard var line = typed else { return }
    defer { typed = key.code == .enter ? nil : line }
    switch key {
    case Key(.enter): look(for: line.text, in: browser)
    case Key(.character("t"), isControl: true): isExpression.toggle()
    case Key(.up): _ = line.recall(older: true)
    case Key(.down): _ = line.recall(older: false)
    default:
      if line.handle(key) { return }
      browser.showError("\(key) does nothing while a text is searched; Enter finds it")
    }
  }

  private mutating func look(for text: String, in browser: Browser) {
    if text.isEmpty { return }
    do throws(ValidationError) {
      browser.search.pattern =
        try isExpression ? SearchPattern(expression: text) : SearchPattern(text)
    } catch {
      return browser.showError(error.message)
    }
    let kind = isExpression ? PromptKind.findExpression : .find
    browser.kept.remember(text, in: kind.history)
    match = nil
    find(isForward: true, DialogFrame(browser: browser, layout: browser.layout, cell: nil))
  }

  private mutating func find(isForward: Bool, _ frame: DialogFrame) {
    let browser = frame.browser
    guard let pattern = browser.search.pattern else {
      return browser.say("Nothing has been searched for yet; / finds text")
    }
    browser.search.isShown = true
    let wrapped = wrapped(for: frame.layout, browser.settings.charset)
    // What stands at the beginning of the screen is found first.
    let place = match?.lowerBound ?? top - 1
    guard let found = wrapped.match(of: pattern, after: place, isForward: isForward) else {
      return browser.showError(pattern.notFound)
    }
    if found.hasWrapped { browser.say("The search wrapped around") }
    match = found.bytes
    let (row, first) = (wrapped.row(ofByte: found.bytes.lowerBound), wrapped.row(ofByte: top))
    // A few rows before a match tell what it is about.
    if row < first || row >= first + frame.rows {
      show(row: row - frame.rows / 3, of: wrapped, frame)
    }
  }

  // MARK: - Drawing

  func draw(_ frame: DialogFrame, on screen: inout Screen) {
    let wrapped = wrapped(for: frame.layout, screen.charset)
    let count = wrapped.rows.count
    let first = min(wrapped.row(ofByte: top), max(0, count - frame.rows))
    let shown = first..<min(count, first + frame.rows)
    let place = count > frame.rows ? "  \(first + 1)–\(shown.upperBound) of \(count)" : ""
    let lines = wrapped.rows[shown].map { (String(wrapped.text(in: $0)), Style.standard) }
    let box = frame.drawBox(heading + place, lines, on: &screen)
    if frame.browser.search.isShown, let pattern = frame.browser.search.pattern {
      let matches = wrapped.matches(of: pattern, inRows: shown)
      for row in shown {
        mark(matches, wrapped, row, in: box.line(1 + row - first), frame.theme, on: &screen)
      }
    }
    guard let typed, let status = frame.layout.status else { return }
    let label = isExpression ? "find expression: " : "find: "
    let used = screen.put(label, in: status, style: frame.theme.header)
    typed.draw(on: &screen, in: status.dropping(used))
  }

  /// Marks the parts of matches that stand in a row.
  private func mark(
    _ matches: [Range<Int>],
    _ wrapped: WrappedText,
    _ row: Int,
    in line: Rectangle,
    _ theme: Theme,
    on screen: inout Screen
  ) {
    let bytes = wrapped.rows[row]
    for match in matches {
      let part = match.clamped(to: bytes)
      guard !part.isEmpty else { continue }
      let before = wrapped.text(in: bytes.lowerBound..<part.lowerBound)
      let start = TextWidth.width(of: before, in: screen.charset)
      let width = TextWidth.width(of: wrapped.text(in: part), in: screen.charset)
      let style = match == self.match ? theme.match.adding(.reversed) : theme.match
      screen.restyle(line.dropping(start).prefix(width)) { $0.adding(style) }
    }
  }
}
