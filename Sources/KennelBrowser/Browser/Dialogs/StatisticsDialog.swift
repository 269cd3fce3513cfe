internal import KennelCore

/// What the values of a column are like; Enter shows the objects that have one of them.
struct StatisticsDialog: Dialog {
  static let title = "Reading the statistics of a property"
  static let keys = [
    Hint("Enter", "show the objects"), Hint("j", "down"), Hint("k", "up"), Hint("Esc", "back"),
  ]

  /// A line, and the filter of the objects that it is about.
  struct Line {
    var text: String
    var filter: String?
  }

  let heading: String
  let lines: [Line]
  private var index = 0

  init(_ heading: String, _ lines: [Line]) {
    self.heading = heading
    self.lines = lines
  }

  mutating func handle(_ key: Key, in browser: Browser) -> DialogState {
    if key.code == .enter {
      guard lines.indices.contains(index), let filter = lines[index].filter else {
        browser.showError("No filter says this line; j goes to the values below")
        return .open
      }
      browser.tables.addFilter(filter)
      return .closed
    }
    guard let distance = distance(of: key, in: browser) else { return .closed }
    index = min(max(0, index + distance), lines.count - 1)
    return .open
  }

  func draw(_ frame: DialogFrame, on screen: inout Screen) {
    frame.drawList(heading, lines.map(\.text), cursor: index, on: &screen)
  }
}
