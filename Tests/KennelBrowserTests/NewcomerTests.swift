import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

@Suite("What a newcomer tries")
struct NewcomerTests {
  @Test func `keys that wait for others say what these can be`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter z")
      #expect(browser.screen().hasSuffix("\nz middle  t to-top  b to-bottom"))
      browser.press("t g")
      let lines = browser.screen().split(separator: "\n").suffix(2)
      #expect(lines.first?.hasPrefix("g…  g top  c review  d open  r backlinks") == true)
      #expect(lines.last?.hasPrefix("p owner  s diagram") == true)
      #expect(
        browser.screen(120).hasSuffix(
          "r backlinks  w why  T previous-tab  t next-tab  p owner  s diagram  A mark-all  b commits"
        )
      )
      browser.press("g m")
      #expect(browser.screen().hasSuffix("\na–z bookmark"))
      browser.press("a")
      #expect(browser.screen().contains("Bookmarked Person/1"))
    }
  }

  @Test func `a filter says how a date and a text are written`() throws {
    try withTemporaryDatabase { database in
      let properties = [PropertyDefinition("name", .string), PropertyDefinition("born", .date)]
      try database.write { try $0.define([ClassDefinition("Person", properties: properties)]) }
      let browser = try Kennels.browser(database)
      browser.press("Enter f")
      browser.type("born > 1990")
      #expect(browser.screen().contains("born > 1990-01-01: 0 found"))
      browser.press("^U")
      browser.type("born > 1990-05")
      #expect(browser.screen().contains("born > 1990-05-01: 0 found"))
      browser.press("^U")
      browser.type("name = Rex")
      #expect(browser.screen().contains(#"expected text in quotes: "Rex""#))
      browser.press("^U")
      browser.type("name ~ Rex")
      let named = "expected CONTAINS, BEGINSWITH, ENDSWITH, LIKE or MATCHES"
      #expect(browser.screen(140, 24).contains(named))
      browser.press("^U")
      browser.type("name startswith Rex")
      #expect(browser.screen().contains("did you mean BEGINSWITH?"))
    }
  }

  @Test func `f in an object filters its class`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter Enter f")
      #expect(browser.screen().contains("Person where:"))
      browser.type("id > 1")
      browser.press("Enter")
      #expect(browser.screen().contains("▸2 Person where id > 1  1 of 2"))
    }
  }

  @Test func `a slip in a name is understood`() throws {
    try Kennels.browse { browser, _ in
      browser.press(":")
      browser.type("Perosn")
      browser.press("Enter")
      #expect(browser.screen().contains("No match for “Perosn”; did you mean Person?"))
    }
  }

  @Test func `the same part is not added to a filter twice`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter l , ,")
      #expect(browser.screen().contains(#"The filter says so already: name == "Rex""#))
    }
  }

  @Test(arguments: [" 5", "5 ", " 5 "])
  func `blanks around a number are no part of it`(text: String) throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter ll e ^U")
      browser.type(text)
      browser.press("Enter")
      #expect(browser.screen().contains("age of Dog/1 is 5; u undoes"))
    }
  }

  @Test func `the hint line names both paste and filter, where something was copied`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter l y")
      let hints = browser.screen().split(separator: "\n").last ?? ""
      #expect(hints.contains("p paste") && hints.contains("f filter"), "\(hints)")
    }
  }

  @Test func `the hint line names how an element is added beside another one`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter Enter jjjj")
      let hints = browser.screen().split(separator: "\n").last ?? ""
      #expect(hints.contains("o add"), "\(hints)")
    }
  }

  @Test(arguments: [("export", "  X"), ("expand", "  ("), ("group", "  &")])
  func `the palette shows the keys of a command in a narrow terminal`(
    name: String,
    keys: String
  )
    throws
  {
    try Kennels.browse { browser, _ in
      browser.press("j Enter :")
      browser.type(name)
      let lines = browser.screen().split(separator: "\n")
      let line = try #require(lines.first { $0.contains("> \(name)") })
      #expect(line.hasSuffix(keys), "\(line)")
    }
  }

  @Test func `the help cuts no key`() throws {
    try withTemporaryDatabase { database in
      try Kennels.fill(database)
      var settings = BrowserSettings(fileName: "people.kennel")
      settings.time = { _ in "yesterday" }
      settings.bindings = KeyPreset.vim.bindings
      let browser = try Browser(database, settings: settings)
      browser.press("j Enter ?")
      browser.type("go back to the previous view")
      #expect(browser.screen().contains("^O ^T Bksp Alt-Left H < go back to the previous view"))
    }
  }

  @Test func `an empty table offers nothing to open`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter f")
      browser.type("age > 100")
      browser.press("Enter")
      let hints = browser.screen().split(separator: "\n").last ?? ""
      #expect(!hints.contains("open") && hints.contains("F show all"))
    }
  }

  @Test func `the hint line names the first property, where the cursor is on the key`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter")
      #expect(browser.screen().contains("l to name"))
    }
  }

  @Test func `Alt-b and Alt-f go from word to word`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter l e ^U")
      browser.type("one three")
      browser.press("Alt-b")
      browser.type("two ")
      browser.press("Alt-f")
      browser.type("!")
      browser.press("Enter")
      #expect(browser.screen().contains("is one two three!"))
    }
  }

  @Test func `a plan joins what has the same cause`() throws {
    try Kennels.browse { browser, database in
      try database.write { transaction in
        let club = try #require(transaction.schema["DogClub"])
        let pack = ObjectIdentity(club.key, ObjectKey(rawValue: 1))
        let offices = try #require(club["offices"]).key
        try transaction.createEmbedded(at: Slot(pack, offices, .index(1)))
      }
      _ = JobRunner.send(.tick, to: browser)
      browser.press("j j Enter d")
      let screen = browser.screen()
      #expect(screen.contains("├ †") && screen.contains("└ †"))
    }
  }

  @Test func `the path says that it is cut`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter Enter jj Enter gr Enter jj Enter gr Enter")
      let crumbs = browser.screen(60, 24).split(separator: "\n")[0]
      #expect(crumbs.contains("… ›"))
    }
  }

  @Test func `the palette finds what works elsewhere, and goes there`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j :")
      browser.type("exp")
      #expect(browser.screen().contains("  export "))
      browser.type("o")
      browser.press("Enter")
      #expect(browser.screen().contains("2 Dog  1 of 3"))
      browser.press("Esc Enter :")
      browser.type("sort")
      browser.press("Enter")
      #expect(browser.screen().contains("sort works in: table"))
    }
  }

  @Test func `y on the key copies what names the object`() throws {
    try Kennels.browse { browser, _ in
      let effects = browser.press("j Enter y")
      let copied = effects.compactMap { if case .copy(let text) = $0 { text } else { nil } }
      #expect(copied == ["Dog/1"])
    }
  }
}
