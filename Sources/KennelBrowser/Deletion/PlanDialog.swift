internal import KennelCore

/// Waits for the job that finds out what a large change does, or takes with it.
struct PlanDialog: Dialog {
  static let title = "Finding out what a change of many objects does"
  static let keys = [Hint("Esc", "stop and change nothing")]

  let job: JobID

  mutating func handle(_ key: Key, in browser: Browser) -> DialogState {
    browser.showError("Finding out what it changes; Esc stops that")
    return .open
  }

  mutating func cancel(in browser: Browser) -> DialogState {
    Jobs(browser).cancel(job)
    browser.say("Nothing was changed")
    return .closed
  }

  func draw(_ frame: DialogFrame, on screen: inout Screen) {}
}
