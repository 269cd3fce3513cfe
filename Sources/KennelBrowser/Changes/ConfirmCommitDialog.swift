internal import KennelReports

/// Says what a commit writes, before it does.
struct ConfirmCommitDialog: Dialog {
  static let title = "Before a commit"
  static let keys = [Hint("y", "commit"), Hint("Esc", "back to the review")]

  private let lines: [String]
  /// Whether the program ends after the commit.
  private let quits: Bool

  /// Asks about a commit.
  ///
  /// - Parameters:
  ///   - counts: What it writes.
  ///   - leftOut: How many changes stay in the draft.
  ///   - quits: Whether the program ends after the commit.
  init(_ counts: [String], leftOut: Int, quits: Bool) {
    self.quits = quits
    var lines = counts
    if leftOut > 0 { lines.append("\(counted(leftOut, "change")) left out, kept in the draft") }
    self.lines = lines
  }

  mutating func handle(_ key: Key, in browser: Browser) -> DialogState {
    guard key.typed == "y" else {
      browser.showError("y commits, Esc goes back")
      return .open
    }
    Committing(browser).commit(thenQuits: quits)
    return .closed
  }

  func draw(_ frame: DialogFrame, on screen: inout Screen) {
    let name = frame.browser.settings.fileName
    let shown = lines.map { ($0, Style.standard) } + [("y commits, Esc goes back", frame.theme.key)]
    frame.drawBox("Commit to \(name)\(quits ? ", and quit" : "")?", shown, on: &screen)
  }
}
