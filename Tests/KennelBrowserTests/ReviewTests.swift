import KennelBrowser
import KennelCore
import Testing

@Suite("The review")
struct ReviewTests {
  @Test func `shows what a new object has`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter l o e ^U")
      browser.type("Pup")
      browser.press("Enter 4")
      let screen = browser.screen()
      #expect(screen.contains("+ Dog/new1 Pup"))
      #expect(screen.contains("name: Pup"))
      #expect(screen.contains("age: 0"))
      #expect(screen.contains("DRAFT 1 change\n"))
      #expect(!screen.contains("breed"))
    }
  }

  @Test func `counts a copy with what it owns as one change`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter O Enter 4")
      let screen = browser.screen()
      #expect(screen.contains("DRAFT 1 change\n"))
      #expect(screen.contains("address: {street: High Street 1, city: London}"))
      #expect(!screen.contains("+ Address"))
    }
  }

  @Test func `says nothing of a value that was set back`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter llll e t e f")
      #expect(browser.screen().contains("NO CHANGES"))
      browser.press("4")
      #expect(browser.screen().contains("Nothing has changed"))
      #expect(!browser.screen().contains("false → false"))
    }
  }

  @Test func `tells what is absent from what is null`() throws {
    try Kennels.browse { browser, database in
      try database.write { transaction in
        let person = try #require(transaction.schema["Person"])
        let ada = ObjectIdentity(person.key, ObjectKey(rawValue: 1))
        let notes = try #require(person["notes"]).key
        try transaction.setEntry("a", .null, of: ada, notes)
        try transaction.setEntry("b", .null, of: ada, notes)
      }
      _ = JobRunner.send(.tick, to: browser)
      browser.press("Enter Enter G k x 4")
      #expect(browser.screen().contains(#"notes["b"]: ∅ → absent"#))
    }
  }

  @Test func `says that the object of a conflict is gone, not that it is null`() throws {
    try Kennels.browse { browser, database in
      browser.press("j Enter jj l e ^U")
      browser.type("Mine")
      browser.press("Enter")
      try database.write { transaction in
        let dog = try #require(transaction.schema["Dog"])
        try transaction.delete([ObjectIdentity(dog.key, ObjectKey(rawValue: 3))])
      }
      _ = JobRunner.send(.tick, to: browser)
      browser.press("4")
      #expect(browser.screen().contains("theirs  absent"))
    }
  }

  @Test func `is not the only place that shows a conflict`() throws {
    try Kennels.browse { browser, database in
      browser.press("j Enter l e ^U")
      browser.type("Mine")
      browser.press("Enter")
      try database.write { transaction in
        let dog = try #require(transaction.schema["Dog"])
        let rex = ObjectIdentity(dog.key, ObjectKey(rawValue: 1))
        try transaction.set(rex, try #require(dog["name"]).key, .string("Theirs"))
      }
      _ = JobRunner.send(.tick, to: browser)
      browser.press("Enter")
      #expect(browser.screen().contains("! theirs Theirs, mine Mine"))
    }
  }
}

@Suite("Undo")
struct UndoTests {
  @Test func `of a creation leaves the object that is gone, and redo goes there again`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter o")
      #expect(browser.screen().contains("▸2 Dog/new1"))
      browser.press("u")
      #expect(browser.screen().contains("▸2 Dog  1 of 3"))
      #expect(!browser.screen().contains("was deleted"))
      browser.press("U")
      #expect(browser.screen().contains("▸2 Dog/new1"))
    }
  }

  @Test func `of a deletion puts the cursor on what came back`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter j d D gg")
      #expect(browser.screen().contains(">    1  Rex"))
      browser.press("u")
      #expect(browser.screen().contains(">    2  Fido"))
    }
  }
}
