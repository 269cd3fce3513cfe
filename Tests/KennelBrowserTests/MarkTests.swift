import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

@Suite("Marked objects")
struct MarkTests {
  /// The dogs: Rex, Fido and Bella.
  private func browse(_ body: (Browser) throws -> Void) throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter")
      try body(browser)
    }
  }

  private func filter(_ text: String, _ browser: Browser) {
    browser.press("f")
    browser.type(text)
    browser.press("Enter")
  }

  @Test func `that are taken away are told as none`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter Space k Space")
      #expect(browser.screen().contains("Nothing is marked"))
    }
  }

  @Test func `that a filter hides are not deleted, and the filter asks what becomes of them`()
    throws
  {
    try browse { browser in
      browser.press("Space Space")
      filter("name == \"Bella\"", browser)
      #expect(browser.screen().contains("The filter hides 2 of 2 marked objects"))
      browser.press("m")
      #expect(browser.screen().contains("2 marked are hidden"))
      browser.press("d")
      #expect(browser.screen().contains("Delete Dog/3 Bella?"))
      browser.press("Esc F")
      #expect(browser.screen().contains("*2"))
      browser.press("d")
      #expect(browser.screen().contains("Delete 2 objects?"))
    }
  }

  @Test func `that a filter hides can be unmarked at once`() throws {
    try browse { browser in
      browser.press("Space Space Space")
      filter("name == \"Bella\"", browser)
      #expect(browser.screen().contains("The filter hides 2 of 3 marked objects"))
      browser.press("u F")
      #expect(browser.screen().contains("*1"))
    }
  }

  @Test func `are edited together, as one step`() throws {
    try browse { browser in
      browser.press("Space Space ll e")
      #expect(browser.screen().contains("age of 2 marked Dog objects (int8)"))
      browser.press("^U")
      browser.type("9")
      browser.press("Enter")
      #expect(browser.screen().contains("Set age of 2 marked Dog objects?"))
      #expect(browser.screen().contains("3 → 9") && browser.screen().contains("7 → 9"))
      browser.press("Esc")
      #expect(browser.screen().contains("NO CHANGES"))
      browser.press("e ^U 9 Enter y")
      #expect(browser.screen().contains("age of 2 marked Dog objects is 9; u undoes"))
      let screen = browser.screen().replacing("~", with: " ")
      #expect(screen.contains("Rex         9"))
      #expect(screen.contains("Fido        9"))
      #expect(screen.contains("Bella       1"))
      browser.press("u")
      #expect(browser.screen().contains("NO CHANGES"))
    }
  }

  @Test func `that cannot all have a value keep what they had`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter Space Space l e ^U")
      browser.type("77")
      browser.press("Enter Esc")
      #expect(browser.screen().contains("NO CHANGES"))
    }
  }

  @Test func `get null from C, and lose their link by x`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter Space Space ll x y")
      #expect(browser.screen().contains("dog of 2 marked Person objects is ∅; u undoes"))
      #expect(browser.screen().contains("Ada       ~∅"))
      #expect(browser.screen().contains("Bob       ~∅"))
    }
  }

  @Test func `take what they own with them, which is shown first`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter Space Space llll C n")
      let screen = browser.screen()
      #expect(screen.contains("Overwrite address of 2 marked Person objects?"))
      #expect(screen.contains("2 Address"))
      browser.press("D")
      #expect(browser.screen().contains("address of 2 marked Person objects is ∅"))
    }
  }

  private func copied(_ effects: [Effect]) -> String? {
    for case .copy(let text) in effects { return text }
    return nil
  }

  @Test func `are copied together, each on a line`() throws {
    try browse { browser in
      browser.press("Space Space l")
      #expect(copied(browser.press("y")) == "Rex\nFido")
      #expect(copied(browser.press("Y p")) == "Dog/1\nDog/2")
    }
  }

  @Test func `are counted in the hint line`() throws {
    try browse { browser in
      browser.press("Space Space ll")
      let hints = browser.screen().split(separator: "\n").last ?? ""
      #expect(hints.contains("e edit 2") && hints.contains("d delete 2…"))
    }
  }

  @Test func `are a range that grows and shrinks with the cursor`() throws {
    try browse { browser in
      browser.press("v j j")
      #expect(browser.screen().contains("3 objects marked"))
      browser.press("k")
      #expect(browser.screen().contains("2 objects marked"))
      browser.press("v j")
      #expect(browser.screen().contains("*2"))
      browser.press("Esc")
      #expect(!browser.screen().contains("*2"))
    }
  }

  @Test func `begin with the one under the cursor, whatever was marked before`() throws {
    try browse { browser in
      browser.press("j v")
      #expect(browser.screen().contains("*1"))
      browser.press("v Esc")
      #expect(!browser.screen().contains("*1"))
    }
  }

  @Test func `are those of the moment when the edit began`() throws {
    try Kennels.browse { browser, database in
      browser.press("j Enter Space Space ll e ^U")
      browser.type("9")
      // A filter's rows may change while somebody types; what is edited does not.
      try database.write { transaction in
        let dog = try #require(transaction.schema["Dog"])
        try transaction.delete([ObjectIdentity(dog.key, ObjectKey(rawValue: 2))])
      }
      _ = JobRunner.send(.tick, to: browser)
      browser.press("Enter")
      #expect(!browser.screen().contains("Dog/2"))
      browser.press("y")
      #expect(browser.screen().contains("age of 2 marked Dog objects is 9"))
      #expect(browser.screen().contains("DRAFT 1 change"))
    }
  }

  @Test func `of any number are edited beside the screen, as one step`() throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        try transaction.define([
          ClassDefinition("Thing", properties: [PropertyDefinition("size", .int)])
        ])
        let thing = try #require(transaction.schema["Thing"])
        for _ in 0..<3_000 { try transaction.create(thing.key, [:]) }
      }
      let browser = try Kennels.browser(database)
      browser.press("Enter gA l e ^U")
      browser.type("9")
      browser.press("Enter y")
      #expect(browser.screen().contains("size of 3000 marked Thing objects is 9; u undoes"))
      #expect(browser.screen().contains("DRAFT 3000 changes"))
      browser.press("u")
      #expect(browser.screen().contains("NO CHANGES"))
    }
  }

  @Test func `of any number show what goes with them, found beside the screen`() throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        try transaction.define([
          ClassDefinition("Home", properties: [PropertyDefinition("part", .link("Part"))]),
          ClassDefinition("Part", isEmbedded: true, properties: []),
        ])
        let home = try #require(transaction.schema["Home"])
        let part = try #require(home["part"]).key
        for _ in 0..<1_500 {
          try transaction.createEmbedded(at: Slot(try transaction.create(home.key, [:]), part))
        }
      }
      let browser = try Kennels.browser(database)
      browser.press("Enter gA l C n")
      #expect(browser.screen().contains("Overwrite part of 1500 marked Home objects?"))
      #expect(browser.screen().contains("Deletes 1500 Part"))
    }
  }
}
