import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

@Suite("What the browser keeps between runs") struct SessionTests {
  /// Opens the little world again as the next run does.
  private func again(_ database: Database, after browser: Browser) throws -> Browser {
    try self.browser(database, with: browser.keptState)
  }

  private func browser(
    _ database: Database,
    with kept: KeptState,
    _ change: (inout BrowserSettings) -> Void = { _ in }
  ) throws -> Browser {
    var settings = BrowserSettings(fileName: "people.kennel")
    settings.time = { _ in "yesterday" }
    settings.kept = kept
    change(&settings)
    let browser = try Browser(database, settings: settings)
    _ = JobRunner.runJobs(of: browser)
    return browser
  }

  @Test func `is the view, with filter, order and cursor`() throws {
    try Kennels.browse { browser, database in
      browser.press("j Enter l s f")
      browser.type("age > 1")
      browser.press("Enter j")
      #expect(browser.screen().contains("Dog where age > 1  2 of 2"))
      let next = try again(database, after: browser)
      #expect(next.screen().contains("Dog where age > 1  2 of 2"))
      #expect(next.screen().contains(">    1  Rex"))
      #expect(next.screen().contains("[name↑]"))
      #expect(next.screen().contains("name↑"))
      #expect(next.screen().contains("This is where you left off; ‘kennel --fresh’ begins"))
    }
  }

  @Test func `is the object that was open, from which one goes back to its table`() throws {
    try Kennels.browse { browser, database in
      browser.press("j Enter j Enter")
      let next = try again(database, after: browser)
      #expect(next.screen().contains("▸2 Dog/2 Fido"))
      next.press("Bksp")
      #expect(next.screen().contains("▸2 Dog  2 of 3"))
    }
  }

  @Test func `is the look of the columns: hidden, moved, pinned, widened and expanded`() throws {
    try Kennels.browse { browser, database in
      browser.press("Enter l - ! ( _ l }")
      let before = header(browser)
      #expect(before.starts(with: ["id", "dog", "dog.age", "dog.name"]))
      #expect(!before.contains("name"))
      let next = try again(database, after: browser)
      #expect(header(next) == before)
    }
  }

  @Test func `is the columns that one has added, and what one sorts by them`() throws {
    try Kennels.browse { browser, database in
      browser.press("Enter l +")
      browser.type("dogs.@count")
      browser.press("Enter s")
      #expect(header(browser).last == "dogs.@count↑")
      let next = try again(database, after: browser)
      #expect(header(next).last == "dogs.@count↑")
      #expect(next.screen().contains("Person  3 of 3"))
    }
  }

  /// The names of the columns, in their order.
  private func header(_ browser: Browser) -> [Substring] {
    let line = browser.screen(240, 24).split(separator: "\n")[2].filter { !"[]".contains($0) }
    return Substring(line.split(separator: "│")[1]).split(separator: " ")
  }

  @Test func `is the bookmarks, and the histories of the prompts in every file`() throws {
    try Kennels.browse { browser, database in
      browser.press("j Enter j m a f")
      browser.type("age > 2")
      browser.press("Enter")
      let next = try again(database, after: browser)
      next.press("1 gg Enter ' a")
      #expect(next.screen().contains("▸2 Dog/2 Fido"))
      next.press("Bksp 1 j Enter F f Up")
      #expect(next.screen().contains("Dog where: age > 2"))
    }
  }

  @Test func `is all tabs, with the one that was on the screen`() throws {
    try Kennels.browse { browser, database in
      browser.press("j Enter f")
      browser.type("age > 1")
      browser.press("Enter 1 k t t j Enter [")
      let before = browser.screen(100, 24)
      #expect(before.contains(" 1 Dog  2 Person  3 Person/1 Ada"))
      let next = try again(database, after: browser)
      #expect(next.screen(100, 24).contains(" 1 Dog  2 Person  3 Person/1 Ada"))
      #expect(next.screen().contains("▸2 Person  1 of 3"))
      #expect(next.keptState == browser.keptState)
      next.press("[")
      #expect(next.screen().contains("Dog where age > 1  1 of 2"))
      next.press("] ]")
      #expect(next.screen().contains("▸2 Person/1 Ada"))
    }
  }

  @Test func `is the tabs that are left where the class of one is gone`() throws {
    try Kennels.browse { _, database in
      var kept = KeptState()
      let dogs = SavedView(query: SavedQuery(className: "Dog"))
      kept.session.view = SavedView(query: SavedQuery(className: "Cat"))
      kept.session.before = [SavedView(query: SavedQuery(className: "Horse")), dogs]
      let next = try browser(database, with: kept)
      #expect(next.screen().contains("The class Cat, where you left off, no longer exists"))
      #expect(next.screen().contains("2 Dog  1 of 3"))
      next.press("]")
      #expect(next.screen().contains("There is no other tab"))
    }
  }

  @Test func `is left out where it no longer exists, with a word`() throws {
    try Kennels.browse { _, database in
      var kept = KeptState()
      kept.session.bookmarks = ["a": "Dog/99", "b": "Cat/1", "c": "nonsense"]
      kept.session.looks = ["Cat": ["hidden": ["name"]], "Dog": ["hidden": ["tail", "age"]]]
      kept.session.view = SavedView(query: SavedQuery(className: "Cat"))
      var next = try browser(database, with: kept)
      #expect(next.screen().contains("The class Cat, where you left off, no longer exists"))
      #expect(next.keptState.session.bookmarks.isEmpty)
      kept.session.view?.query = SavedQuery(className: "Dog", filter: "tail == 1", orders: ["tail"])
      next = try browser(database, with: kept)
      #expect(next.screen().contains("The filter no longer fits the class: tail == 1"))
      #expect(next.screen().contains("Dog  1 of 3"))
      #expect(!next.screen().contains("age"))
      kept.session.view = SavedView(
        query: SavedQuery(className: "Dog"),
        cursor: 99,
        object: "Dog/99"
      )
      next = try browser(database, with: kept)
      #expect(next.screen().contains("Dog/99, where you left off, no longer exists"))
    }
  }

  @Test func `has lists that only another version knows, and keeps them`() throws {
    try Kennels.browse { _, database in
      var kept = KeptState()
      kept.session.looks = ["Dog": ["colors": ["red"], "hidden": ["age"]]]
      let next = try browser(database, with: kept)
      next.press("j Enter")
      #expect(next.keptState.session.looks["Dog"] == ["colors": ["red"], "hidden": ["age"]])
      next.press(":")
      next.type("show-hidden")
      next.press("Enter")
      #expect(next.keptState.session.looks["Dog"] == ["colors": ["red"]])
    }
  }

  @Test func `has what each of two browsers added, and of both changes the later one`() {
    var base = KeptState()
    base.histories = ["find": ["old"]]
    base.session.bookmarks = ["a": "Dog/1", "b": "Dog/2"]
    var stored = base
    stored.remember("theirs", in: "find")
    stored.session.bookmarks["c"] = "Dog/3"
    stored.session.queries["good"] = SavedQuery(className: "Dog", filter: "isGood == true")
    var mine = base
    mine.remember("mine", in: "find")
    mine.session.bookmarks["a"] = nil
    mine.session.bookmarks["b"] = "Dog/9"
    let merged = mine.merged(into: stored, since: base)
    #expect(Set(merged.histories["find"] ?? []) == ["old", "theirs", "mine"])
    #expect(merged.histories["find"]?.last == "mine")
    #expect(merged.session.bookmarks == ["b": "Dog/9", "c": "Dog/3"])
    #expect(merged.session.queries.keys.sorted() == ["good"])
  }

  @Test func `has what another browser typed, though the history is full`() {
    var base = KeptState()
    for number in 1...KeptState.longestHistory { base.remember("\(number)", in: "find") }
    var stored = base
    stored.remember("theirs", in: "find")
    var mine = base
    mine.remember("mine", in: "find")
    mine.remember("50", in: "find")
    let lines = mine.merged(into: stored, since: base).histories["find"] ?? []
    #expect(lines.suffix(4) == ["100", "theirs", "mine", "50"])
    #expect(lines.count == KeptState.longestHistory)
  }

  @Test func `is the look of columns with odd names, and an order by one`() throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        let names = ["first name", "like", "a-b", "plain"]
        let properties = names.map { PropertyDefinition($0, .string) }
        try transaction.define([ClassDefinition("Odd", properties: properties)])
        try transaction.create(try transaction.schema.require("Odd").key, [:])
      }
      let browser = try browser(database, with: KeptState())
      browser.press("Enter l s - -")
      #expect(header(browser).filter { $0 != "key" } == ["a-b", "plain"])
      let next = try again(database, after: browser)
      #expect(header(next) == header(browser))
      next.press("s")
      let last = try again(database, after: next)
      #expect(last.screen().contains("a-b↑"))
    }
  }

  // MARK: - Other files

  @Test func `has the recent files, of which Enter opens one that is still there`() throws {
    try Kennels.browse { _, database in
      let browser = try browser(database, with: KeptState()) { settings in
        settings.canOpenFiles = true
        settings.beginsWithRecentFiles = true
        settings.recentFiles = [
          RecentFile(path: "/data/gone\u{1b}[31m.kennel", time: "yesterday", exists: false),
          RecentFile(path: "/data/cats.kennel", time: "last week", exists: true),
        ]
      }
      #expect(
        browser.screen().contains("> /data/gone␛[31m.kennel")
          || browser.screen().contains("no longer there")
      )
      #expect(!browser.screen().contains("\u{1b}"))
      browser.press("Enter")
      #expect(browser.screen().contains("is no longer there"))
      browser.type("CATS")
      let effects = browser.press("Enter")
      #expect(effects.contains { if case .quit = $0 { true } else { false } })
      #expect(browser.nextFile == "/data/cats.kennel")
    }
  }

  @Test func `asks before another file is opened in place of changes`() throws {
    try Kennels.browse { _, database in
      let browser = try browser(database, with: KeptState()) { $0.canOpenFiles = true }
      browser.press("j Enter l e")
      browser.type("!")
      browser.press("Enter :")
      browser.type("open-file cats.kennel")
      var effects = browser.press("Enter")
      #expect(effects.isEmpty && browser.screen().contains("1 change not committed"))
      browser.press("Esc")
      #expect(browser.nextFile == nil)
      browser.press(":")
      browser.type("open-file cats.kennel")
      effects = browser.press("Enter D")
      #expect(browser.nextFile == "cats.kennel")
    }
  }
}
