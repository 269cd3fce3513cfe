import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

@Suite("Many conflicts")
struct ConflictTests {
  /// Calls a body with a browser whose draft makes all dogs and people older or renames them, which
  /// another program has done, too.
  private func browse(dogs: Int, _ body: (Browser, Database) throws -> Void) throws {
    try withTemporaryDatabase { database in
      try Kennels.fill(database)
      try database.write { transaction in
        let dog = try transaction.schema.require("Dog").key
        for _ in 3..<dogs { _ = try transaction.create(dog, [:]) }
      }
      let browser = try Kennels.browser(database)
      browser.press("Enter :")
      browser.type("set name = 'Mine'")
      browser.press("Enter y 1 j Enter :")
      browser.type("set age = age + 1")
      browser.press("Enter y")
      try database.write { transaction in
        for (name, property, value) in [
          ("Person", "name", Value.string("Theirs")), ("Dog", "age", .int(99)),
        ] {
          let schema = try transaction.schema.require(name)
          let key = try schema.require(property).key
          for object in try transaction.objects(of: schema.key) {
            try transaction.set(object, property: key, to: value)
          }
        }
      }
      _ = JobRunner.send(.tick, to: browser)
      browser.press("4")
      try body(browser, database)
    }
  }

  private func values(_ name: String, _ property: String, in database: Database) throws -> [Value] {
    let snapshot = try database.snapshot()
    let schema = try snapshot.schema.require(name)
    let key = try schema.require(property).key
    return try snapshot.objects(of: schema.key).map { try snapshot.value(of: $0, property: key) }
  }

  @Test func `are listed by class, and the cursor begins at the first of them`() throws {
    try browse(dogs: 3) { browser, _ in
      let screen = browser.screen(120, 40)
      #expect(screen.contains("m mine, t theirs; M, T all"))
      #expect(screen.contains(" ! Person: 3 conflicts, resolved together here"))
      #expect(screen.contains(">! Person/1.name: Another commit changed the same value"))
      #expect(screen.contains(" ! Dog: 3 conflicts, resolved together here"))
      browser.press("m")
      #expect(browser.screen(120, 40).contains("5 conflicts left"))
      #expect(browser.screen(120, 40).contains(">! Person/2"))
      browser.press("t")
      #expect(browser.screen(120, 40).contains(">! Person/3"))
      browser.press("t")
      // The cursor does not come to a line of a class by itself.
      #expect(browser.screen(120, 40).contains(">! Dog/1"))
    }
  }

  @Test func `of a class are resolved on the line of the class`() throws {
    try browse(dogs: 3) { browser, database in
      browser.press("g g m")
      #expect(browser.screen().contains("3 conflicts left"))
      browser.press("g g")
      #expect(browser.screen().contains(">! Dog: 3 conflicts"))
      browser.press("t")
      #expect(browser.screen().contains("No conflict is left"))
      browser.press("w y")
      let names = try values("Person", "name", in: database)
      #expect(names == Array(repeating: .string("Mine"), count: 3))
      let ages = try values("Dog", "age", in: database)
      #expect(ages == Array(repeating: .int(99), count: 3))
    }
  }

  @Test func `are resolved with one key, and theirs is undone with one`() throws {
    try browse(dogs: 3) { browser, database in
      browser.press("T")
      #expect(browser.screen().contains("NO CHANGES"))
      browser.press("u")
      #expect(browser.screen().contains("CONFLICT  DRAFT 6 changes"))
      browser.press("M")
      #expect(browser.screen().contains("DRAFT 6 changes"))
      #expect(!browser.screen().contains("CONFLICT"))
      browser.press("w y")
      let ages = try values("Dog", "age", in: database)
      #expect(ages == [.int(4), .int(8), .int(2)])
    }
  }

  @Test func `stay open where only theirs is possible`() throws {
    try Kennels.browse { browser, database in
      browser.press("j Enter :")
      browser.type("set age = age + 1")
      browser.press("Enter y")
      try database.write { transaction in
        let dog = try transaction.schema.require("Dog")
        let dogs = Array(try transaction.objects(of: dog.key))
        try transaction.delete([dogs[2]])
        try transaction.set(dogs[0], property: dog.require("age").key, to: .int(99))
      }
      _ = JobRunner.send(.tick, to: browser)
      browser.press("4 M")
      #expect(browser.screen().contains("1 conflict left: only t, theirs, is possible"))
      browser.press("M")
      #expect(browser.screen().contains("! There is no object Dog/3"))
      browser.press("T")
      #expect(browser.screen().contains("No conflict is left"))
    }
  }

  @Test func `beyond five hundred are counted, and come when others are resolved`() throws {
    try browse(dogs: 600) { browser, _ in
      let screen = browser.screen(100, 4_000)
      #expect(screen.contains("  … and 103 more conflicts of Dog"))
      #expect(screen.contains("! Dog/497."))
      #expect(!screen.contains("! Dog/498."))
      browser.press("g g m")
      #expect(browser.screen(100, 4_000).contains("  … and 100 more conflicts of Dog"))
      // The line of the class, and those of its conflicts that are listed.
      browser.press("5 0 2 g g Enter")
      #expect(browser.screen().contains(">! Dog/501."))
      #expect(!browser.screen(100, 8_000).contains("more conflicts"))
      browser.press("g g t")
      #expect(browser.screen().contains("No conflict is left"))
    }
  }

  @Test(arguments: [
    ("l l e", "^U 5 5 Enter", "age", Value.int(66)), ("l l l C", "n", "breed", .string("Beagle")),
  ])
  func `arise from what another program sets while a value is being edited`(
    begin: String,
    end: String,
    property: String,
    value: Value
  ) throws {
    try Kennels.browse { browser, database in
      browser.press("j Enter " + begin)
      try database.write { transaction in
        let dog = try transaction.schema.require("Dog")
        let first = try #require(Array(try transaction.objects(of: dog.key)).first)
        try transaction.set(first, property: dog.require(property).key, to: value)
      }
      _ = JobRunner.send(.tick, to: browser)
      browser.press(end)
      #expect(!browser.screen().contains("conflict"))
      _ = JobRunner.send(.tick, to: browser)
      #expect(browser.screen().contains("1 conflict with another program's commit; 4 shows them"))
    }
  }

  @Test func `are gone to from the review, too`() throws {
    try browse(dogs: 3) { browser, _ in
      browser.press("G")
      #expect(!browser.screen(120, 40).contains(">!"))
      browser.press("4")
      #expect(browser.screen(120, 40).contains(">! Person/1"))
    }
  }

  @Test func `keep their badge and their keys while a job resolves them`() throws {
    try browse(dogs: 1_100) { browser, _ in
      for key in ["m", "T"] {
        browser.receive(.key(Key(Character(key))))
        let effect = browser.takeEffects().first
        guard case .run(let job)? = effect else {
          Issue.record("no job resolves \(key)")
          return
        }
        let screen = browser.screen(120, 30)
        #expect(screen.contains("CONFLICT  DRAFT"))
        #expect(screen.contains("m mine  t theirs  M all mine  T all theirs"))
        #expect(screen.contains("Changed by another program too"))
        #expect(screen.contains("Resolving "))
        for event in JobRunner.run(job) { browser.receive(.job(event)) }
        _ = JobRunner.runJobs(of: browser)
      }
      #expect(!browser.screen().contains("CONFLICT"))
    }
  }
}
