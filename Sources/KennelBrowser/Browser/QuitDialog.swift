internal import KennelReports

/// Asks what becomes of the changes when the program ends.
struct QuitDialog: Dialog {
  static let title = "Quitting with changes"
  static let keys = [
    Hint("r", "review them"), Hint("k", "keep them, and quit"),
    Hint("D", "discard them and quit"), Hint("Esc", "stay"),
  ]

  func hints(in browser: Browser) -> [Hint] {
    Self.keys.filter { $0.key != "k" || browser.autosave.isWorking }
  }

  mutating func cancel(in browser: Browser) -> DialogState {
    browser.nextFile = nil
    return .closed
  }

  mutating func handle(_ key: Key, in browser: Browser) -> DialogState {
    switch key.typed {
    case "r":
      browser.nextFile = nil
      if let reason = browser.readOnlyReason {
        browser.showError(reason)
      } else {
        Reviewing(browser).open()
      }
      return .closed
    case "k" where browser.autosave.isWorking:
      ProgramActions(browser).end()
      return .closed
    case "D":
      Reviewing(browser).discard()
      ProgramActions(browser).end()
      return .closed
    default:
      let letters = browser.autosave.isWorking ? "r, k, D" : "r, D"
      browser.showError("\(key) is not one of them: \(letters) or Esc")
      return .open
    }
  }

  func draw(_ frame: DialogFrame, on screen: inout Screen) {
    var lines: [DialogFrame.Line] = [
      ("r  review them, and commit with \(frame.browser.key(of: "commit"))", .standard),
      ("D  discard them and quit", .standard),
      ("Esc  stay", .standard),
    ]
    if frame.browser.autosave.isWorking {
      lines.insert(("k  keep them for the next time, and quit", .standard), at: 1)
    }
    let count = frame.browser.changeCount
    frame.drawBox("\(counted(count, "change")) not committed", lines, on: &screen)
  }
}
