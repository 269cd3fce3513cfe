import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

@Suite("What people stumbled over")
struct TrialTests {
  private func command(_ text: String, _ browser: Browser) {
    browser.press(":")
    browser.type(text)
    browser.press("Enter")
  }

  @Test func `the bookmarks are named while one is chosen`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter '")
      #expect(browser.screen(120).contains("'…  there is no bookmark yet; m and a letter set one"))
      browser.press("Esc m a j m b '")
      #expect(browser.screen(120).contains("'…  a Person/1 Ada · b Person/2"))
      browser.press("a")
      #expect(browser.screen().contains("Person/1"))
    }
  }

  @Test func `a key that would do nothing is not named`() throws {
    try Kennels.browse { browser, database in
      browser.press("Enter l l e")
      #expect(browser.screen().contains("Enter link to it"))
      browser.type("nobody has this name")
      #expect(!browser.screen().contains("Enter link to it"))
      browser.press("Esc Esc 1 j Enter gg Enter")
      #expect(browser.screen(120).contains("d delete"))
      try database.write { transaction in
        let dog = try transaction.schema.require("Dog")
        try transaction.delete(Array(transaction.objects(of: dog.key).prefix(1)))
      }
      browser.press("R")
      #expect(!browser.screen(120).contains("d delete"))
    }
  }

  @Test func `a number of any length before a key leads to the end`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter")
      for _ in 0..<10 { browser.press("9") }
      browser.press("j")
      #expect(browser.screen().contains("3 of 3"))
    }
  }

  @Test func `a link is not led to what is being deleted`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter d")
      #expect(browser.screen().contains("Delete Dog/1 Rex?"))
      browser.press("t t")
      #expect(browser.screen().contains("Link Person/"))
      #expect(!browser.screen().contains("Dog/1 Rex  {"))
      browser.type("Rex")
      #expect(browser.screen().contains("no match"))
    }
  }

  @Test func `a value of marked objects is not typed into the row of another one`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter l Space j e")
      browser.type("x")
      let lines = browser.screen().split(separator: "\n")
      #expect(lines.contains { $0.contains(">    3  Bella") })
      #expect(browser.screen().contains("name of Dog/1"))
      browser.press("Enter")
      #expect(browser.screen().contains("Rexx"))
    }
  }

  @Test func `a number before a key that moves says how often, or to which line`() throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        try transaction.define([ClassDefinition("Dog", properties: [.init("age", .int)])])
        let dog = try transaction.schema.require("Dog")
        for _ in 0..<40 { _ = try transaction.create(dog.key) }
      }
      let browser = try Kennels.browser(database)
      func cursor() -> Substring? {
        browser.screen().split(separator: "\n").first { $0.contains("│>") }?
          .split(separator: "│>").last
      }
      func line() -> Int? { cursor()?.split(separator: " ").first.flatMap { Int($0) } }
      browser.press("Enter")
      #expect(line() == 1)
      browser.press("9 j")
      #expect(line() == 10)
      browser.press("5")
      #expect(browser.screen().contains("5…"))
      browser.press("k")
      #expect(line() == 5)
      // A zero goes on a number, and any digit does.
      browser.press("7 Bksp 9 9 9 9 k")
      #expect(line() == 1)
      browser.press("8 G")
      #expect(line() == 8)
      browser.press("6 g g")
      #expect(line() == 6)
      browser.press("9 0 G")
      #expect(line() == 40)
      browser.press("G 5 Esc k")
      #expect(line() == 39)
      browser.press("5 d")
      #expect(browser.screen().contains("d takes no number before it"))
      browser.press("9 : ")
      browser.press("Esc k")
      #expect(line() == 38)
      command("down 2", browser)
      #expect(line() == 40)
      command("page-up \(Int.max)", browser)
      #expect(line() == 1)
      command("top \(Int.max)", browser)
      #expect(line() == 40)
      command("up \(Int.min)", browser)
      #expect(line() == 39)
      command("up two", browser)
      #expect(line() == 39)
      #expect(browser.screen().contains("‘two’ is no number; write :up 5"))
    }
  }

  @Test func `a line break at the end of what is pasted is no part of it`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter l e ^U")
      _ = JobRunner.send(.key(Key(.paste("Two\nlines\n"))), to: browser)
      browser.press("Enter")
      #expect(browser.screen().contains("name of Dog/1 is Two␤lines; u undoes"))
    }
  }

  @Test func `a column that is hidden sorts nothing`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter")
      browser.press("+")
      browser.type("@links.@count")
      browser.press("Enter")
      browser.press("s gg")
      #expect(browser.screen().contains(">    2  Fido"))
      browser.press("-")
      #expect(browser.screen(120).contains("the rows are no longer sorted by it"))
      browser.press("gg")
      #expect(browser.screen().contains(">    1  Rex"))
    }
  }

  @Test func `undoing a change of many says how many`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter")
      command("set age = age + 1", browser)
      browser.press("y u")
      #expect(browser.screen().contains("Undid: set Dog/1.age, and 2 more"))
    }
  }

  @Test func `a key that a reader does not know leaves it open`() throws {
    try Kennels.browse { browser, _ in
      browser.press("u @ Enter x")
      #expect(browser.screen().contains("! j and k move, / finds, Esc goes back"))
      browser.press("q")
      #expect(!browser.screen().contains("j and k move"))
    }
  }

  @Test func `a tab of what is shown complains of nothing`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter Enter t")
      #expect(browser.screen().contains("Tab 2 of 2"))
    }
  }

  @Test func `a tab that began with an object is where one left off`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter j t")
      #expect(browser.keptState.session.view?.object == "Dog/2")
      #expect(browser.keptState.session.view?.query.className == "Dog")
    }
  }

  @Test func `Enter opens the saved query that is listed first`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter f")
      browser.type("age > 5")
      browser.press("Enter")
      command("save-query old dogs", browser)
      browser.press("F")
      command("queries", browser)
      browser.press("Enter")
      #expect(browser.screen().contains("Dog where age > 5  1 of 1"))
    }
  }

  @Test func `a position that a list does not have is named`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter lll Enter")
      command("move 99", browser)
      #expect(browser.screen().contains("! dogs has the positions 0 to 2"))
    }
  }

  @Test func `a group by what elements of a list have is refused`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter")
      command("group dogs.name", browser)
      #expect(browser.screen().contains("! 'dogs.name' has many values and cannot be grouped by"))
      command("group dogs", browser)
      #expect(browser.screen().contains("dogs.@count"))
    }
  }

  @Test func `a sentence that is longer than the line takes two`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter")
      command("save-query", browser)
      command("queries there is none of this name, which is longer than the line", browser)
      let lines = browser.screen(40, 24).split(separator: "\n")
      #expect(lines.contains { $0.hasPrefix("! No query is saved; ") })
      #expect(lines.contains { $0.hasSuffix("saves the filter and the order") })
    }
  }
}
