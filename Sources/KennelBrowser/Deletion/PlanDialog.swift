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

extension BrowserPart {
  /// Finds out beside the screen what a change does, while a dialog waits.
  ///
  /// - Parameters:
  ///   - title: The title of the job.
  ///   - work: Finds it out.
  ///   - next: Called with what was found, unless the person has stopped it.
  func plan<Found: Sendable>(
    _ title: String,
    _ work: @escaping @Sendable (Snapshot, JobContext) throws(DatabaseError) -> Found,
    then next: @escaping (Browser, Found) -> Void
  ) {
    let job = Jobs(browser).launch(title, .reading(.plan), reading: work) { browser, found in
      guard browser.dialog is PlanDialog else { return }
      browser.dialog = nil
      next(browser, found)
    } abandon: { browser in
      if browser.dialog is PlanDialog { browser.dialog = nil }
    }
    if let job { open(PlanDialog(job: job)) }
  }
}
