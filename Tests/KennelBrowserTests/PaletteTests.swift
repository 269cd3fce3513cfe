import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

@Suite("Enter in the palette")
struct PaletteTests {
  private func run(
    _ text: String,
    after keys: String = "j Enter l",
    _ body: (Browser) -> Void
  )
    throws
  {
    try Kennels.browse { browser, _ in
      browser.press(keys)
      browser.press(":")
      browser.type(text)
      browser.press("Enter")
      body(browser)
    }
  }

  @Test(arguments: [
    ("dog", "2 Dog"), ("Person", "▸2 Person"), ("hide-property", "name is hidden"),
    ("hid", "name is hidden"), ("property", "name is hidden"), ("DogC", "▸2 DogClub"),
  ])
  func `runs what has the name, or is the only one with such a word`(
    text: String,
    shown: String
  ) throws {
    try run(text) { #expect($0.screen(120, 34).contains(shown), "\(text)") }
  }

  @Test(arguments: [
    ("x", "Nothing is called “x”"), ("co", "“co” may be collections, column, collapse, copy"),
    ("u2", "No match for “u2”"), ("", "Type a name"),
    ("scroll so", "Nothing is called “scroll so”"), ("undo 5", "No match for “undo 5”"),
  ])
  func `says what else to do, and stays`(text: String, sentence: String) throws {
    try run(text) { browser in
      let screen = browser.screen(120, 34)
      #expect(screen.contains(sentence), "\(text): \(screen)")
      #expect(screen.contains("Go to a class, Class/key or command"), "\(text)")
      #expect(screen.contains("NO CHANGES"))
    }
  }

  @Test func `runs what was chosen with Down, however it was found`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter ll : x")
      #expect(!browser.screen().contains("> unlink"))
      for _ in 0..<20 where !browser.screen().contains("> unlink") { browser.press("Down") }
      browser.press("Enter")
      #expect(browser.screen().contains("dog of Person/1 is null"))
    }
  }

  /// A line of the help that is too long for a narrow screen is read whole where the cursor is on it.
  @Test func `shows the rest of the line of the cursor below the lines`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter ?")
      browser.type("where")
      let rows = browser.screen(50, 24).split(separator: "\n").map(String.init)
      let cut = try #require(rows.firstIndex { $0.hasPrefix("> ") && $0.contains("…") })
      let words = browser.screen(200, 24).split(separator: "\n").first { $0.hasPrefix("> ") }
      let last = try #require(words?.split(separator: " ").last)
      #expect(!rows[cut].contains(last))
      #expect(rows[(cut + 1)...].contains { $0.hasPrefix("      ") && $0.contains(last) })
    }
  }

  @Test func `goes to the line of a number`() throws {
    try run("3", after: "Enter") { #expect($0.screen().contains("Person  3 of 3")) }
    try run("2", after: "Enter Enter") { browser in
      #expect(browser.screen().contains("> name"))
    }
  }

  @Test func `knows the names of vi`() throws {
    try Kennels.browse { browser, _ in
      browser.press(": e Enter")
      #expect(browser.screen().contains("open:"))
      browser.press("Esc")
      for name in ["wq", "qa"] {
        browser.press(":")
        browser.type(name)
        #expect(isOver(browser.press("Enter")), "\(name)")
      }
    }
  }

  private func isOver(_ effects: [Effect]) -> Bool {
    effects.contains { if case .quit(exitCode: 0) = $0 { true } else { false } }
  }

  @Test func `goes to the review by the name of the commit, and asks there`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter l e x Enter :")
      browser.type("commit")
      browser.press("Enter")
      #expect(browser.screen().contains("These are the changes; w commits them"))
      browser.press(":")
      browser.type("commit")
      browser.press("Enter")
      #expect(browser.screen().contains("Commit to people.kennel?"))
    }
  }

  @Test func `commits and quits by one name`() throws {
    try Kennels.browse { browser, database in
      browser.press("j Enter l e x Enter :")
      browser.type("wq")
      browser.press("Enter")
      #expect(browser.screen().contains("Commit to people.kennel, and quit?"))
      let before = database.commitNumber
      let effects = browser.press("y")
      #expect(database.commitNumber > before)
      #expect(isOver(effects))
    }
  }

  @Test func `quits by one name, and asks where changes would be lost`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter l e x Enter :")
      browser.type("qa")
      browser.press("Enter")
      #expect(browser.screen().contains("1 change not committed"))
    }
  }
}
