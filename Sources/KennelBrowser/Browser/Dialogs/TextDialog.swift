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
    guard let distance = distance(of: key, in: browser) else { return .closed }
    top = min(max(0, top + distance), max(0, lines.count - 1))
    return .open
  }

  func draw(_ frame: DialogFrame, on screen: inout Screen) {
    frame.drawBox(heading, lines.dropFirst(top).map { ($0, .standard) }, on: &screen)
  }
}
