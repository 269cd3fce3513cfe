internal import KennelCore

/// Finds text in the view: in a table as a job, since the table may have millions of rows.
struct Searching: BrowserPart {
  let browser: Browser

  func openPrompt(isExpression: Bool = false) {
    open(PromptDialog(isExpression ? .findExpression : .find, in: browser))
  }

  /// Looks for what was typed, unless that was done while it was typed; then says again what was found.
  func find(_ pattern: SearchPattern) {
    guard browser.search == pattern, browser.showsMatches else { return begin(pattern) }
    message = browser.searchMessage
  }

  /// Looks for a pattern from the cursor on.
  private func begin(_ pattern: SearchPattern) {
    browser.search = pattern
    findNext(isForward: true)
  }

  func findNext(isForward: Bool) {
    guard let pattern = browser.search else {
      return say("Nothing has been searched for yet; \(key(of: "find")) finds text")
    }
    browser.showsMatches = true
    browser.update(entry.focus) { $0.find(pattern, isForward: isForward, in: browser) }
    browser.searchMessage = message
  }

  /// Has a job look for a text; what it finds is of no use in another view.
  ///
  /// - Parameters:
  ///   - pattern: What is looked for.
  ///   - view: The view.
  ///   - work: Finds the next place.
  ///   - count: Finds all objects that have it; `nil` where they are not counted.
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
      defer { browser.searchMessage = browser.message }
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
  fileprivate let search: SearchPattern?
  fileprivate let showsMatches: Bool
}

extension Searching {
  var origin: SearchOrigin {
    SearchOrigin(
      view: browser[entry.focus],
      search: browser.search,
      showsMatches: browser.showsMatches
    )
  }

  /// Goes to the first place, from the origin on, that has what is typed so far.
  func preview(_ pattern: SearchPattern?, from origin: SearchOrigin) {
    goBack(to: origin)
    if let pattern { begin(pattern) }
  }

  func goBack(to origin: SearchOrigin) {
    Jobs(browser).cancel(.find)
    Jobs(browser).cancel(.matches)
    (browser.search, browser.showsMatches) = (origin.search, origin.showsMatches)
    browser.update(entry.focus) { $0.takePlace(of: origin.view, in: browser) }
  }
}

// MARK: - Counting

/// The objects of a table that a search finds, in the order of the rows.
struct SearchMatches {
  typealias Search = @Sendable (Snapshot, JobContext) throws(DatabaseError) -> [ObjectKey]

  let pattern: SearchPattern
  let view: AnyHashable
  let generation: Int
  /// One more than are counted where there are more.
  let keys: [ObjectKey]
}

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
    if let known = browser.matches, known.pattern == pattern, known.view == view,
      known.generation == generation
    {
      return say(place, of: known)
    }
    Jobs(browser).launch("Counting \(pattern.name)", .reading(.matches), reading: search) {
      browser,
      keys in
      let matches = SearchMatches(
        pattern: pattern,
        view: view,
        generation: generation,
        keys: keys
      )
      browser.matches = matches
      guard browser.search == pattern, browser.entry.subject?.key == place.key,
        browser.message == nil || browser.message?.text == Self.wrapped
      else { return }
      Searching(browser).say(place, of: matches)
      browser.searchMessage = browser.message
    }
  }

  private func say(_ place: FoundPlace, of matches: SearchMatches) {
    guard let index = matches.keys.firstIndex(of: place.key) else { return }
    let most = TextSearch.mostMatches
    let count = matches.keys.count > most ? "more than \(most)" : "\(matches.keys.count)"
    say(index + 1, of: count, hasWrapped: place.hasWrapped)
  }
}
