import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

@Suite("The graph of an object")
struct GraphTests {
  /// The line with the title of the three panes.
  private func titles(_ browser: Browser) -> String {
    browser.screen().split(separator: "\n").first { $0.contains("→ from") }.map { String($0) } ?? ""
  }

  @Test func `stands between what links to it and what it links to`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter |")
      #expect(titles(browser).contains("← to Person/1 Ada"))
      #expect(titles(browser).contains("2 Person/1 Ada"))
      let screen = browser.screen()
      #expect(screen.contains("DogClub.members [1]"))
      #expect(screen.contains("dog →Dog/1 Rex"))
      // The collections give way; they come back with the key that goes there.
      #expect(!screen.contains("1 Collections"))
      browser.press("1")
      #expect(browser.screen().contains("1 Collections"))
    }
  }

  @Test func `is walked to the right and to the left`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter | l")
      #expect(titles(browser).contains("▸3 → from Person/1 Ada"))
      browser.press("l")
      #expect(titles(browser).contains("2 Dog/1 Rex"))
      // Rex links to nothing, so that the cursor is on Rex; the way back leads through who has him.
      #expect(titles(browser).contains("▸2 Dog/1 Rex"))
      browser.press("h")
      #expect(titles(browser).contains("▸← to Dog/1 Rex"))
      browser.press("h")
      #expect(titles(browser).contains("▸← to Person/1 Ada"))
      #expect(browser.screen().contains("dog Dog/1 Rex › ←dog Person/1 Ada"))
      browser.press("Bksp")
      #expect(titles(browser).contains("2 Dog/1 Rex"))
    }
  }

  @Test func `begins on the first object, as the heading of a property leads away`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter Enter | h")
      #expect(browser.screen().contains(">    Person/1 Ada"))
      browser.press("k")
      #expect(browser.screen().contains(">  Person.dog [2]"))
      browser.press("j h")
      #expect(titles(browser).contains("← to Person/1 Ada"))
    }
  }

  @Test func `shows what the cursor is on below`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter | l")
      #expect(browser.screen().contains("Peek at Dog/1 Rex"))
      browser.press("j j j")
      #expect(browser.screen().contains("Peek at Dog/2 Fido"))
      browser.press("h")
      #expect(!browser.screen().contains("Peek at Dog"))
    }
  }

  @Test func `shows no more below than there is, and says where a side is cut`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter Enter |")
      let rows = browser.screen().split(separator: "\n", omittingEmptySubsequences: false)
      #expect(rows.firstIndex { $0.contains("No link under the cursor") } == 21)
      #expect(browser.screen(80, 8).contains("… 3 more"))
      browser.press("h")
      #expect(browser.screen(80, 8).contains("… 3 more"))
      browser.press("G")
      #expect(!browser.screen(80, 8).contains(" more"))
      #expect(browser.screen(80, 8).contains(">    Person/1 Ada ×2"))
    }
  }

  @Test func `is come back to from a list`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter | l j l")
      #expect(browser.screen().contains("dogs of Person/1 [3]"))
      browser.press("h")
      #expect(titles(browser).contains("▸3 → from Person/1 Ada"))
    }
  }

  @Test func `is edited like any object`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter | j e")
      browser.type("Grace")
      browser.press("Enter")
      #expect(browser.changeCount == 1)
      #expect(titles(browser).contains("Person/1"))
    }
  }

  @Test func `ends with the key that began it`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter | h |")
      #expect(titles(browser).isEmpty)
      #expect(browser.screen().contains("3 Links of Person/1 Ada"))
      browser.press("Bksp |")
      #expect(!titles(browser).isEmpty)
    }
  }

  @Test(arguments: [(80, 24), (60, 10), (40, 12), (200, 60), (1, 1), (63, 6)])
  func `has room on every screen`(columns: Int, rows: Int) throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter | h")
      #expect(browser.screen(columns, rows).contains(columns > 10 ? "← to" : ""))
    }
  }

  @Test func `of an object that another program deletes says so`() throws {
    try Kennels.browse { browser, database in
      browser.press("Enter |")
      try database.write { transaction in
        let person = try #require(transaction.schema["Person"])
        let ada = try #require(try transaction.find(person.key, primaryKey: .int(1)))
        try transaction.delete([ada])
      }
      browser.receive(.tick)
      browser.press("l h h h l")
      #expect(browser.screen().contains("was deleted"))
    }
  }
}

@Suite("Tabs")
struct TabTests {
  @Test func `open what Enter would open, beside what is shown`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter j t")
      #expect(browser.screen().contains("2 Person/2 Bob"))
      #expect(browser.screen().contains(" 1 Person  2 Person/2 Bob"))
      browser.press("[")
      #expect(browser.screen().contains("2 Person  2 of 3"))
      browser.press("]")
      #expect(browser.screen().contains("2 Person/2 Bob"))
    }
  }

  @Test func `have a way back of their own`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter Enter t Bksp")
      #expect(browser.screen().contains("There is no earlier view"))
      browser.press("[ Bksp")
      #expect(browser.screen().contains("2 Person  1 of 3"))
    }
  }

  @Test func `close by the key that closes a view, and the last one ends the program`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter t q")
      #expect(browser.screen().contains("2 Person  1 of 3"))
      #expect(!browser.screen().contains(" 1 Person  2 "))
      let effects = browser.press("q q")
      #expect(effects.contains { if case .quit = $0 { true } else { false } })
    }
  }

  @Test func `follow what a commit does to new objects`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter o Esc")
      #expect(browser.screen().contains("Dog/new1"))
      browser.press("t [ gc w y")
      browser.press("2 ]")
      #expect(!browser.screen().contains("new1"))
      #expect(browser.screen().contains("Dog/4"))
    }
  }

  @Test func `without another one are not changed`() throws {
    try Kennels.browse { browser, _ in
      browser.press("]")
      #expect(browser.screen().contains("There is no other tab; t opens one"))
    }
  }
}
