internal import KennelCore
internal import KennelReports

/// Shows the values that many objects would get, before they are set.
struct AssignmentDialog: Dialog {
  static let title = "Before values are set"
  static let keys = [
    Hint("y", "set them"), Hint("Esc", "leave everything as it is"), Hint("j", "down"),
    Hint("k", "up"),
  ]

  /// A line of the list.
  typealias Change = (object: ObjectIdentity, old: String, new: String)

  private static let widestValue = 32

  private let heading: String
  /// How many values are set.
  private let count: Int
  /// So many of them can be listed.
  private let listedCount: Int
  /// How many objects have the value already.
  private let unchangedCount: Int
  private let change: (Browser, Int) -> Change
  private let action: (Browser) -> Void
  private var top = 0

  /// Asks before values are set.
  ///
  /// - Parameters:
  ///   - heading: What is asked.
  ///   - count: How many values are set.
  ///   - listedCount: So many of them can be listed; all where it is `nil`.
  ///   - unchangedCount: How many objects have the value already.
  ///   - change: A value that is set, by its place in the list.
  ///   - action: What `y` does.
  init(
    _ heading: String,
    count: Int,
    listedCount: Int? = nil,
    unchangedCount: Int = 0,
    change: @escaping (Browser, Int) -> Change,
    action: @escaping (Browser) -> Void
  ) {
    self.heading = heading
    self.count = count
    self.listedCount = listedCount ?? count
    self.unchangedCount = unchangedCount
    self.change = change
    self.action = action
  }

  mutating func handle(_ key: Key, in browser: Browser) -> DialogState {
    if key.typed == "y" {
      action(browser)
      return .closed
    }
    if !Self.move(&top, among: listedCount, by: key, in: browser) {
      browser.showError("y sets them, Esc leaves everything as it is")
    }
    return .open
  }

  func draw(_ frame: DialogFrame, on screen: inout Screen) {
    let room = max(1, frame.rows - 3)
    let range = top..<min(listedCount, top + room)
    var lines = range.map { (line($0, frame.browser, screen.charset), Style.standard) }
    let more = count - range.upperBound
    if more > 0 { lines.append(("… \(more) more", frame.theme.note)) }
    if unchangedCount > 0 {
      let count = counted(unchangedCount, "object")
      lines.append(("unchanged: \(count), of the same value", frame.theme.note))
    }
    lines.append(("y sets them, Esc leaves everything as it is", frame.theme.key))
    frame.drawBox(heading, lines, on: &screen)
  }

  private func line(_ index: Int, _ browser: Browser, _ charset: Charset) -> String {
    let (object, old, new) = change(browser, index)
    let label = TextWidth.pad(browser.model.label(object), to: 24, in: charset)
    let (from, to) = (
      TextWidth.clip(old, to: Self.widestValue, in: charset),
      TextWidth.clip(new, to: Self.widestValue, in: charset)
    )
    return "\(label)  \(from) → \(to)"
  }
}
