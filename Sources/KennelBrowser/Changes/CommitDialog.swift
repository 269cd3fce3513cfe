/// Waits for a commit, which can be taken back until it begins.
struct CommitDialog: Dialog {
  static let title = "Waiting to commit while another program writes"
  static let keys = [Hint("Esc", "stop waiting and commit nothing")]

  let turn: CommitTurn

  func hints(in browser: Browser) -> [Hint] { turn.hasBegun ? [] : Self.keys }

  mutating func handle(_ key: Key, in browser: Browser) -> DialogState {
    browser.showError(
      turn.hasBegun
        ? "The changes are being committed"
        : "Another program is writing; the commit waits for it, Esc stops it"
    )
    return .open
  }

  mutating func cancel(in browser: Browser) -> DialogState {
    guard Jobs(browser).withdrawCommit() else {
      browser.showError("A commit under way cannot be stopped")
      return .open
    }
    browser.say("Nothing was committed")
    return .closed
  }

  func draw(_ frame: DialogFrame, on screen: inout Screen) {}
}
