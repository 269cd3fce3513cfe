internal import KennelCore

/// A value as a tree whose branches fold: JSON, or the fields of a protocol buffer.
struct TreeDialog: Dialog {
  static let title = "Reading a tree"
  static let keys = [
    Hint("Enter", "fold or open"), Hint("j", "down"), Hint("k", "up"),
    Hint("h", "fold, or go to what it is a part of"), Hint("l", "open"),
    Hint("-", "fold all"), Hint("+", "open all"), Hint("t", "as a text, or as bytes"),
    Hint("Esc", "back"),
  ]

  private let heading: String
  private let lines: [TreeLine]
  /// Shows the value as it is stored.
  private let showSource: (Browser) -> Void
  private let source: String
  /// The lines whose parts are hidden.
  private var folded: Set<Int> = []
  /// The line of the cursor.
  private var cursor = 0

  /// Shows lines.
  ///
  /// - Parameters:
  ///   - heading: What is shown.
  ///   - lines: The lines.
  ///   - source: What the value is as it is stored: a text, or bytes.
  ///   - showSource: Shows it so.
  init(
    _ heading: String,
    _ lines: [TreeLine],
    source: String,
    showSource: @escaping (Browser) -> Void
  ) {
    (self.heading, self.lines) = (heading, lines)
    (self.source, self.showSource) = (source, showSource)
  }

  // MARK: - Lines

  /// Whether a line has parts.
  private func hasParts(_ line: Int) -> Bool {
    line + 1 < lines.count && lines[line + 1].depth > lines[line].depth
  }

  /// The line after all parts of one.
  private func end(of line: Int) -> Int {
    lines[(line + 1)...].firstIndex { $0.depth <= lines[line].depth } ?? lines.count
  }

  /// The lines that no fold hides.
  private var shown: [Int] {
    var shown: [Int] = []
    var line = 0
    while line < lines.count {
      shown.append(line)
      line = folded.contains(line) ? end(of: line) : line + 1
    }
    return shown
  }

  private func parent(of line: Int) -> Int? {
    lines[..<line].lastIndex { $0.depth < lines[line].depth }
  }

  // MARK: - Keys

  func hints(in browser: Browser) -> [Hint] {
    let isFolded = folded.contains(cursor)
    let fold = hasParts(cursor) ? [Hint("Enter", isFolded ? "open" : "fold")] : []
    return fold + [
      Hint("j", "down"), Hint("k", "up"), Hint("h", "up and fold"), Hint("l", "open"),
      Hint("-", "fold all"), Hint("+", "open all"), Hint("t", source), Hint("Esc", "back"),
    ]
  }

  mutating func handle(_ key: Key, in browser: Browser) -> DialogState {
    switch key {
    case Key("q"): return .closed
    case Key("t"):
      showSource(browser)
      return .closed
    case Key(.enter), Key(" "):
      if hasParts(cursor) { folded.formSymmetricDifference([cursor]) }
    case Key("l"), Key(.right): folded.remove(cursor)
    case Key("h"), Key(.left):
      if hasParts(cursor), !folded.contains(cursor) {
        folded.insert(cursor)
      } else if let parent = parent(of: cursor) {
        cursor = parent
      }
    case Key("-"):
      folded = Set(lines.indices.filter { $0 > 0 && hasParts($0) })
      while let parent = parent(of: cursor), parent > 0 { cursor = parent }
    case Key("+"): folded = []
    default:
      guard let distance = Self.distance(of: key, in: browser) else {
        browser.showError("Enter folds, j and k move, t shows the \(source), Esc goes back")
        return .open
      }
      let shown = shown
      let place = shown.firstIndex(of: cursor) ?? 0
      cursor = shown[min(max(0, place + distance), shown.count - 1)]
    }
    return .open
  }

  // MARK: - Drawing

  func draw(_ frame: DialogFrame, on screen: inout Screen) {
    let shown = shown
    let texts = { (line: Int) -> String in
      let sign = !hasParts(line) ? "  " : folded.contains(line) ? "+ " : "- "
      return String(repeating: "  ", count: lines[line].depth) + sign + lines[line].text
    }
    let place = shown.firstIndex(of: cursor) ?? 0
    let counts = shown.count > frame.rows ? "  \(place + 1) of \(shown.count)" : ""
    let first = max(0, place - frame.rows + 1)
    let drawn = shown[first...].prefix(frame.rows).map { line in
      frame.line(texts(line), isCursor: line == cursor)
    }
    frame.drawBox(heading + counts, drawn, on: &screen)
  }
}
