internal import KennelCore

/// Every command that works where the help was asked for, under headings; typing narrows them.
struct HelpDialog: SearchList {
  static let title = "The help"
  static let keys = [
    Hint("Enter", "run the line"), Hint("type", "search"), Hint("Down", "next"),
    Hint("Up", "previous"), Hint("Esc", "back"),
  ]

  private enum Line {
    case heading(String)
    case command(Command)
  }

  let heading: String
  let nothing: String
  private let bindings: KeyBindings
  private let context: Context
  private var lines: [Line] = []
  var line = LineEditor()
  /// The line of the cursor, which is one of a command.
  var index = 0

  var count: Int { lines.count }

  func isSelectable(_ index: Int) -> Bool { command(at: index) != nil }

  init(in browser: Browser) {
    context = browser.context
    bindings = browser.bindings
    heading = "Keys that work in \(context.place)"
    nothing = "no key does this here; \(browser.key(of: "palette")) finds what works elsewhere"
    narrow(in: browser)
  }

  /// Shows the commands that have what was typed, and the headings of those.
  mutating func narrow(in browser: Browser) {
    let text = line.text.trimmed.lowercased()
    lines = []
    for (title, commands) in bindings.groups {
      let found = commands.filter { command in
        command.places.contains(context)
          && (text.isEmpty || command.summary.lowercased().contains(text)
            || command.names.contains { $0.contains(text) }
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

  mutating func choose(in browser: Browser) -> DialogState {
    guard let command = command(at: index) else {
      browser.showError("No key does “\(line.text)” here")
      return .open
    }
    browser.perform(command)
    return .closed
  }

  func text(at index: Int, width: Int, _ charset: Charset, in browser: Browser) -> String {
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
