import KennelBrowser
import KennelCore
import Testing

/// What happens between a draft and the commits of others.
@Suite struct DraftTests {
  /// Sets a property of a dog as another program does.
  private func setName(_ name: String, of key: UInt64, in database: Database) throws {
    try database.write { transaction in
      let dog = try #require(transaction.schema["Dog"])
      let property = try #require(dog["name"]).key
      let object = ObjectIdentity(dog.key, ObjectKey(rawValue: key))
      try transaction.set(object, property: property, to: .string(name))
    }
  }

  private func name(of key: UInt64, in database: Database) throws -> Value {
    let snapshot = try database.snapshot()
    let dog = try #require(snapshot.schema["Dog"])
    return try snapshot.value(
      of: ObjectIdentity(dog.key, ObjectKey(rawValue: key)),
      property: try #require(dog["name"]).key
    )
  }

  private func rename(_ browser: Browser, to name: String) {
    browser.press("e ^U")
    browser.type(name)
    browser.press("Enter")
  }

  @Test func `a conflict shows base, mine and theirs, and mine can stay`() throws {
    try Kennels.browse { browser, database in
      browser.press("j Enter l")
      rename(browser, to: "Mine")
      try setName("Theirs", of: 1, in: database)
      _ = JobRunner.send(.tick, to: browser)
      #expect(browser.screen().contains("1 conflict with another program's commit"))
      browser.press("4")
      let screen = browser.screen()
      for line in ["base    Rex", "mine    Mine", "theirs  Theirs"] {
        #expect(screen.contains(line), "\(line)")
      }
      browser.press("w")
      #expect(browser.screen().contains("Resolve the conflicts first"))
      browser.press("m u")
      #expect(browser.screen().contains("Undid: keep mine"))
      #expect(browser.screen().contains(">! Dog/1.name: Another commit changed the same value"))
      browser.press("^R w y")
      #expect(try name(of: 1, in: database) == .string("Mine"))
    }
  }

  @Test func `theirs drops the change, and undo brings the conflict back`() throws {
    try Kennels.browse { browser, database in
      browser.press("j Enter l")
      rename(browser, to: "Mine")
      try setName("Theirs", of: 1, in: database)
      browser.press("4 w y")
      #expect(browser.screen().contains("1 conflict"))
      browser.press("t")
      #expect(browser.screen().contains("NO CHANGES"))
      #expect(try name(of: 1, in: database) == .string("Theirs"))
      browser.press("u")
      #expect(browser.screen().contains("DRAFT 1 change"))
    }
  }

  @Test func `changes of different objects do not conflict`() throws {
    try Kennels.browse { browser, database in
      browser.press("j Enter l")
      rename(browser, to: "Mine")
      try setName("Theirs", of: 2, in: database)
      _ = JobRunner.send(.tick, to: browser)
      #expect(browser.screen().contains("> ~  1 ~Mine"))
      #expect(browser.screen().contains("Theirs"))
      browser.press("4 w y")
      #expect(try name(of: 1, in: database) == .string("Mine"))
      #expect(try name(of: 2, in: database) == .string("Theirs"))
    }
  }

  @Test func `a deletion that grew is shown again before it is committed`() throws {
    try Kennels.browse { browser, database in
      browser.press("j Enter d D")
      try database.write { transaction in
        let person = try #require(transaction.schema["Person"])
        let dog = try #require(transaction.schema["Dog"])
        let cleo = ObjectIdentity(person.key, ObjectKey(rawValue: 3))
        let rex = ObjectIdentity(dog.key, ObjectKey(rawValue: 1))
        try transaction.set(cleo, property: try #require(person["dog"]).key, to: .link(rex))
      }
      browser.press("4 w y")
      let screen = browser.screen()
      #expect(screen.contains("The deletions now take more with them"))
      #expect(screen.contains("Person/3"))
      browser.press("Esc")
      #expect(browser.screen().contains("DRAFT"))
      browser.press("w y D")
      #expect(browser.screen().contains("NO CHANGES"))
    }
  }

  @Test func `a second browser shows the commit after a tick`() throws {
    try Kennels.browse { browser, database in
      let other = try Kennels.browser(database)
      other.press("j Enter")
      browser.press("j Enter l")
      rename(browser, to: "Max")
      _ = JobRunner.send(.tick, to: other)
      #expect(other.screen().contains("Rex"))
      browser.press("4 w y")
      _ = JobRunner.send(.tick, to: other)
      #expect(other.screen().contains("Max"))
      #expect(other.screen().contains("Another program committed"))
    }
  }

  @Test func `more than a hundred deletions want their number typed`() throws {
    try Kennels.browse { browser, database in
      try database.write { transaction in
        let dog = try #require(transaction.schema["Dog"])
        for _ in 0..<120 { _ = try transaction.create(dog.key, [:]) }
      }
      _ = JobRunner.send(.tick, to: browser)
      browser.press("j Enter gA d")
      #expect(browser.screen().contains("Type 123 and then D"))
      browser.press("D")
      #expect(browser.screen().contains("NO CHANGES"))
      browser.type("123")
      browser.press("D")
      #expect(browser.screen().contains("Deleted 123 Dog"))
      browser.press("u")
      #expect(browser.screen().contains("1 of 123") || browser.screen().contains("of 123"))
    }
  }

  @Test func `what depends on a dropped change is listed first`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter o e ^U")
      browser.type("Pup")
      browser.press("Enter 4 x")
      #expect(browser.screen().contains("NO CHANGES") || browser.screen().contains("depend"))
    }
  }

  @Test func `one undo takes back a whole copy`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter O Enter")
      #expect(!browser.screen().contains("NO CHANGES"))
      browser.press("u")
      #expect(browser.screen().contains("NO CHANGES"))
      browser.press("^R")
      #expect(browser.screen().contains("▸2 Person#4 Ada"))
    }
  }

  @Test func `objects that were deleted together come back together, after a question`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter Space Space d D 4 x")
      #expect(browser.screen().contains("2 objects were deleted together"))
      browser.press("n")
      #expect(browser.screen().contains("DRAFT 2 changes"))
      browser.press("x y")
      #expect(browser.screen().contains("Dropped the deletion of 2 objects; u undoes"))
      #expect(browser.screen().contains("NO CHANGES"))
    }
  }
}
