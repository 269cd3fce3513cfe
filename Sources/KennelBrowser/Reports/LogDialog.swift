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
    if Self.move(&index, among: entries.count, by: key, in: browser) { return .open }
    guard key.code == .enter, entries.indices.contains(index) else {
      return key.typed == "@" || key.typed == "q" ? .closed : .open
    }
    let entry = entries[index]
    browser.dialog = TextDialog(heading: "Said at \(entry.time)", text: entry.text)
    return .closed
  }

  func draw(_ frame: DialogFrame, on screen: inout Screen) {
    guard !entries.isEmpty else {
      frame.drawBox("The log", [("  nothing was done yet", frame.theme.null)], on: &screen)
      return
    }
    let lines = entries.map { "\($0.time)  \($0.isError ? "! " : "")\($0.text)" }
    frame.drawList("What was done in this run", lines, cursor: index, on: &screen)
  }
}
