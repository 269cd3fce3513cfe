internal import KennelCore

/// Every command that works where the help was asked for, under headings; typing narrows them.
struct HelpDialog: Dialog {
  static let title = "The help"
  static let keys = [
    Hint("Enter", "run the line"), Hint("type", "search"), Hint("Down", "next"),
    Hint("Up", "previous"), Hint("Esc", "back"),
  ]

  private enum Line {
    case heading(String)
    case command(Command)
  }

  private let heading: String
  private let bindings: Bindings
  private let context: Context
  private var lines: [Line] = []
  private var line = LineEditor()
  /// The line of the cursor, which is one of a command.
  private var index = 0

  init(in browser: Browser) {
    context = browser.context
    bindings = browser.bindings
    heading = "Keys that work in \(context.place)"
    narrow()
  }

  /// Shows the commands that have what was typed, and the headings of those.
  private mutating func narrow() {
    let text = line.text.trimmed.lowercased()
    lines = []
    for (title, commands) in bindings.groups {
      let found = commands.filter { command in
        command.places.contains(context)
          && (text.isEmpty || command.summary.lowercased().contains(text)
            || command.name.contains(text)
            || command.keys.contains { $0.lowercased() == text })
      }
      if !found.isEmpty { lines += [.heading(title)] + found.map { .command($0) } }
    }
    index = min(1, lines.count - 1)
  }

  private func command(at index: Int) -> Command? {
    guard lines.indices.contains(index), case .command(let command) = lines[index] else {
      return nil
    }
    return command
  }

  mutating func handle(_ key: Key, in browser: Browser) -> DialogState {
    if key.code == .enter {
      guard let command = command(at: index) else {
        browser.showError("No key does “\(line.text)” here")
        return .open
      }
      browser.perform(command)
      return .closed
    }
    if let distance = distance(of: key, in: browser, allowsLetters: false) {
      move(by: distance)
    } else if line.handle(key) {
      narrow()
    }
    return .open
  }

  /// Moves the cursor by lines of commands.
  private mutating func move(by distance: Int) {
    let commands = lines.indices.filter { command(at: $0) != nil }
    guard let place = commands.firstIndex(of: index) else { return }
    index = commands[min(max(0, place + distance), commands.count - 1)]
  }

  func draw(_ frame: DialogFrame, on screen: inout Screen) {
    let charset = screen.charset
    frame.drawSearch(
      heading,
      line,
      lines.count,
      cursor: index,
      nothing: "no key does this here",
      on: &screen,
      isSelectable: { command(at: $0) != nil },
      { text(at: $0, in: frame.browser, charset) }
    )
  }

  private func text(at index: Int, in browser: Browser, _ charset: Charset) -> String {
    switch lines[index] {
    case .heading(let title): return "── \(title)"
    case .command(let command):
      let keys = command.keys.isEmpty ? ":\(command.name)" : command.keys.joined(separator: " ")
      let reason = command.whyNot(browser).map { " (not now: \($0))" } ?? ""
      // No key is cut: where they are long, the rest is.
      let width = max(18, TextWidth.width(of: keys, in: charset))
      return "\(TextWidth.pad(keys, to: width, in: charset)) \(command.summary)\(reason)"
    }
  }
}
