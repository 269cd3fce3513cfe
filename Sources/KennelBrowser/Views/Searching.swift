internal import KennelCore

/// The last search.
struct SearchState {
  var pattern: SearchPattern?
  /// Whether what it finds is marked in the panes.
  var isShown = false
  /// What it said last.
  var message: Message?
  /// All places in the table or the list where it was last.
  var matches: SearchMatches?
}

/// Finds text in the view: in a table as a job, since the table may have millions of rows.
struct Searching: BrowserPart {
  let browser: Browser

  func openPrompt(isExpression: Bool = false) {
    open(PromptDialog(isExpression ? .findExpression : .find, in: browser))
  }

  /// Looks for what was typed, unless that was done while it was typed; then says again what was found.
  func find(_ pattern: SearchPattern) {
    guard browser.search.pattern == pattern, browser.search.isShown else { return begin(pattern) }
    message = browser.search.message
  }

  /// Looks for a pattern from the cursor on.
  private func begin(_ pattern: SearchPattern) {
    browser.search.pattern = pattern
    findNext(isForward: true)
  }

  func findNext(isForward: Bool) {
    guard let pattern = browser.search.pattern else {
      return say("Nothing has been searched for yet; \(key(of: "find")) finds text")
    }
    browser.search.isShown = true
    browser.update(entry.focus) { $0.find(pattern, isForward: isForward, in: browser) }
    browser.search.message = message
  }

  /// Has a job look for a text; what it finds is of no use in another view.
  ///
  /// - Parameters:
  ///   - pattern: What is looked for.
  ///   - view: The view.
  ///   - work: Finds the next place.
  ///   - count: Finds all places; `nil` where they are not counted.
  func find(
    _ pattern: SearchPattern,
    in view: any View,
    _ work: @escaping @Sendable (Snapshot, JobContext) throws(DatabaseError) -> FoundPlace?,
    counting count: SearchMatches.Search? = nil
  ) {
    let searched = Self.identity(of: view)
    Jobs(browser).cancel(.matches)
    Jobs(browser).launch("Finding \(pattern.name)", .reading(.find), reading: work) {
      browser,
      place in
      guard Self.identity(of: browser.entry.main) == searched else { return }
      let searching = Searching(browser)
      defer { browser.search.message = browser.message }
      guard let place else { return browser.showError(pattern.notFound) }
      if place.hasWrapped { browser.say(Self.wrapped) }
      browser.update(.main) { $0.show(place, in: browser) }
      if let count { searching.count(pattern, in: searched, at: place, count) }
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

// MARK: - While it is typed

/// Where a person was when a search was begun, to which Esc goes back.
struct SearchOrigin {
  fileprivate let view: any View
  fileprivate let search: SearchState
}

extension Searching {
  var origin: SearchOrigin {
    SearchOrigin(view: browser[entry.focus], search: browser.search)
  }

  /// Goes to the first place, from the origin on, that has what is typed so far.
  func preview(_ pattern: SearchPattern?, from origin: SearchOrigin) {
    goBack(to: origin)
    if let pattern { begin(pattern) }
  }

  func goBack(to origin: SearchOrigin) {
    Jobs(browser).cancel(.find)
    Jobs(browser).cancel(.matches)
    browser.search = origin.search
    browser.update(entry.focus) { $0.takePlace(of: origin.view, in: browser) }
  }
}

// MARK: - Counting

extension Searching {
  private static let wrapped = "The search wrapped around"

  /// Says which of how many places the cursor is on.
  func say(_ number: Int, of count: String, hasWrapped: Bool) {
    say("\(hasWrapped ? "\(Self.wrapped): " : "")\(number) of \(count)")
  }

  /// Says which of all the place is, once they are known.
  private func count(
    _ pattern: SearchPattern,
    in view: AnyHashable,
    at place: FoundPlace,
    _ search: @escaping SearchMatches.Search
  ) {
    let generation = model.generation
    if let known = browser.search.matches, known.pattern == pattern, known.view == view,
      known.generation == generation
    {
      return say(place, of: known)
    }
    Jobs(browser).launch("Counting \(pattern.name)", .reading(.matches), reading: search) {
      browser,
      places in
      let matches = SearchMatches(
        pattern: pattern,
        view: view,
        generation: generation,
        places: places
      )
      browser.search.matches = matches
      guard browser.search.pattern == pattern, Searching(browser).isCursor(on: place),
        browser.message == nil || browser.message?.text == Self.wrapped
      else { return }
      Searching(browser).say(place, of: matches)
      browser.search.message = browser.message
    }
  }

  private func isCursor(on place: FoundPlace) -> Bool {
    guard let index = place.index else { return entry.subject?.key == place.key }
    return entry.main.spot(in: model)?.element?.index == index
  }

  private func say(_ place: FoundPlace, of matches: SearchMatches) {
    guard let index = matches.places.firstIndex(of: place.number) else { return }
    let count = matches.places.count
    let most = SearchMatches.most
    say(
      index + 1,
      of: count > most ? "more than \(most)" : "\(count)",
      hasWrapped: place.hasWrapped
    )
  }
}
