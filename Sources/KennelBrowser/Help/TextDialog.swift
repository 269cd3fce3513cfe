/// Lines to read.
struct TextDialog: Dialog {
  static let title = "Reading a text"
  static let keys = [Hint("j", "down"), Hint("k", "up"), Hint("Esc", "back")]

  let heading: String
  let lines: [String]
  private var top = 0

  init(heading: String, lines: [String]) {
    self.heading = heading
    self.lines = lines
  }

  mutating func handle(_ key: Key, in browser: Browser) -> DialogState {
    if key.typed == "q" { return .closed }
    guard let distance = distance(of: key, in: browser) else {
      browser.showError("j and k move, Esc goes back")
      return .open
    }
    top = min(max(0, top + distance), max(0, lines.count - pageSize(in: browser)))
    return .open
  }

  func draw(_ frame: DialogFrame, on screen: inout Screen) {
    let end = min(lines.count, top + frame.rows)
    let place = lines.count > frame.rows ? "  \(top + 1)–\(end) of \(lines.count)" : ""
    frame.drawBox(heading + place, lines.dropFirst(top).map { ($0, .standard) }, on: &screen)
  }
}
