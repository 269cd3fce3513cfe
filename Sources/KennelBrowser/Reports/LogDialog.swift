/// The messages of this run, the newest last; Enter shows a line whole.
struct LogDialog: Dialog {
  static let title = "The log of actions"
  static let keys = [
    Hint("Enter", "read the whole line"), Hint("j", "down"), Hint("k", "up"), Hint("Esc", "back"),
  ]

  private let entries: [ActionLog.Entry]
  private var index: Int

  init(_ log: ActionLog) {
    entries = log.entries
    index = max(0, entries.count - 1)
  }

  mutating func handle(_ key: Key, in browser: Browser) -> DialogState {
    if let distance = distance(of: key, in: browser) {
      index = min(max(0, index + distance), max(0, entries.count - 1))
      return .open
    }
    guard key.code == .enter, entries.indices.contains(index) else {
      return key.typed == "@" || key.typed == "q" ? .closed : .open
    }
    let entry = entries[index]
    let lines = Self.lines(of: entry.text, width: max(20, browser.size.columns - 2))
    browser.dialog = TextDialog(heading: "Said at \(entry.time)", lines: lines)
    return .closed
  }

  /// A text in lines of a width, cut between words where there are some.
  private static func lines(of text: String, width: Int) -> [String] {
    var lines: [String] = [""]
    var used = 0
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      let needed = TextWidth.width(of: word)
      if used > 0, used + 1 + needed > width {
        lines.append("")
        used = 0
      }
      for character in (used > 0 ? " " : "") + word {
        let columns = TextWidth.width(of: character)
        if used + columns > width {
          lines.append("")
          used = 0
        }
        lines[lines.count - 1].append(character)
        used += columns
      }
    }
    return lines
  }

  func draw(_ frame: DialogFrame, on screen: inout Screen) {
    guard !entries.isEmpty else {
      return frame.drawBox("The log", [("  nothing was done yet", frame.theme.null)], on: &screen)
    }
    let lines = entries.map { "\($0.time)  \($0.isError ? "! " : "")\($0.text)" }
    frame.drawList("What was done in this run", lines, cursor: index, on: &screen)
  }
}
