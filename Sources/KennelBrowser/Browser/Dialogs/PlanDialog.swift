internal import KennelCore

/// Waits for the job that finds out what a deletion takes with it.
struct PlanDialog: Dialog {
  static let title = "Finding out what a deletion of many takes with it"
  static let keys = [Hint("Esc", "stop and delete nothing")]

  let job: JobID

  mutating func handle(_ key: Key, in browser: Browser) -> DialogState {
    browser.showError("Finding out what goes with it; Esc stops that")
    return .open
  }

  mutating func cancel(in browser: Browser) -> DialogState {
    browser.cancelJob(job)
    browser.say("Nothing was deleted")
    return .closed
  }

  func draw(_ frame: DialogFrame, on screen: inout Screen) {}
}
