internal import KennelCore

/// Finds text in the view: in a table as a job, since the table may have millions of rows.
struct Searching: BrowserPart {
  let browser: Browser

  func openPrompt(isExpression: Bool = false) {
    open(PromptDialog(isExpression ? .findExpression : .find, in: browser))
  }

  /// Looks for what was typed, from the cursor on.
  func find(_ pattern: SearchPattern) {
    browser.search = pattern
    findNext(isForward: true)
  }

  func findNext(isForward: Bool) {
    guard let pattern = browser.search else {
      return say("Nothing has been searched for yet; \(key(of: "find")) finds text")
    }
    browser.showsMatches = true
    browser.update(entry.focus) { $0.find(pattern, isForward: isForward, in: browser) }
  }

  /// Has a job look for a text; what it finds is of no use in another view.
  func find(
    _ pattern: SearchPattern,
    in view: any View,
    _ work: @escaping @Sendable (Snapshot, JobContext) throws(DatabaseError) -> FoundPlace?
  ) {
    let searched = Self.identity(of: view)
    Jobs(browser).launch("Finding \(pattern.name)", .reading(.find), reading: work) {
      browser,
      place in
      guard Self.identity(of: browser.entry.main) == searched else { return }
      guard let place else { return browser.showError(pattern.notFound) }
      if place.hasWrapped { browser.say("The search wrapped around") }
      browser.update(.main) { $0.show(place, in: browser) }
    }
  }

  private static func identity(of view: any View) -> AnyHashable {
    view.jobID.map { AnyHashable($0) } ?? view.content
  }

  /// The match after (or before) a place, around the end.
  static func next(in matches: [Int], after place: Int, _ isForward: Bool) -> Int? {
    isForward
      ? matches.first { $0 > place } ?? matches.first
      : matches.last { $0 < place } ?? matches.last
  }
}
