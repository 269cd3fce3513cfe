import KennelBrowser
@_spi(Faces) import KennelCore
import KennelTestSupport
import Testing

@Suite("The line of a filter")
struct QueryLineTests {
  /// A browser with the line of a filter open on the class at a row of the collections.
  private func filter(_ className: String, _ body: (Browser) throws -> Void) throws {
    try Kennels.browse { browser, _ in
      let names = ["Person", "Dog", "DogClub"]
      for _ in 0..<(try #require(names.firstIndex(of: className))) { browser.press("j") }
      browser.press("Enter f")
      try body(browser)
    }
  }

  /// The line itself.
  private func line(_ browser: Browser) -> String {
    let lines = browser.screen(100, 30).split(separator: "\n")
    return lines.last { $0.contains(" where: ") }.map { String($0) } ?? ""
  }

  @Test func `lists the properties with their types, and what links here`() throws {
    try filter("Dog") { browser in
      let screen = browser.screen(100, 40)
      #expect(screen.contains("│ name                string"))
      #expect(screen.contains("│ age                 int8"))
      #expect(screen.contains("│ @links.Person.dog   ← Person.dog"))
      #expect(screen.contains("│ @links.@count       how many objects link here"))
    }
  }

  @Test func `completes a property, an operator of its type, and a value that is frequent`() throws
  {
    try filter("Dog") { browser in
      browser.type("br")
      browser.press("Tab")
      #expect(line(browser) == "Dog where: breed")
      #expect(browser.screen(100, 30).contains("CONTAINS[c]"))
      browser.press("Tab")
      #expect(line(browser) == "Dog where: breed ==")
      #expect(browser.screen(100, 30).contains("│ null     no value"))
      browser.press("Down Down Enter")
      #expect(line(browser) == #"Dog where: breed == "Boxer""#)
      browser.press("Enter")
      #expect(browser.screen(100, 30).contains(#"Dog where breed == "Boxer"  1 of 1"#))
    }
  }

  @Test func `soon finds no name that is like a very long word`() {
    let start = ContinuousClock.now
    let names = (0..<200).map { String(repeating: "\($0) ", count: 500) }
    #expect(NearestName.of(String(repeating: "ab", count: 5_000), among: names) == nil)
    #expect(NearestName.of("nmae", among: names + ["name"]) == "name")
    #expect(NearestName.of("n", among: ["name"]) == nil)
    #expect(ContinuousClock.now - start < .seconds(1))
  }

  @Test func `offers no operator that the type does not have`() throws {
    try filter("Dog") { browser in
      browser.type("age")
      #expect(browser.screen(100, 30).contains("BETWEEN {"))
      #expect(!browser.screen(100, 30).contains("CONTAINS[c]"))
      browser.press("^U")
      browser.type("isGood")
      #expect(browser.screen(100, 30).contains("│ == true"))
      #expect(!browser.screen(100, 30).contains("BETWEEN"))
    }
  }

  @Test func `follows links and backlinks, and counts what is many`() throws {
    try filter("Person") { browser in
      browser.type("dog.")
      #expect(browser.screen(100, 30).contains("│ breed   string?"))
      browser.type("br")
      browser.press("Tab")
      browser.type(" = \"Bo")
      #expect(browser.screen(100, 30).contains("\"Boxer\""))
      browser.press("^U")
      browser.type("clubs.")
      #expect(browser.screen(100, 30).contains("│ members"))
      browser.press("^U")
      browser.type("dogs")
      #expect(browser.screen(100, 30).contains("│ .@count"))
      browser.press("^U")
      browser.type("SUBQUERY(dogs, $d, $d.")
      #expect(browser.screen(100, 30).contains("│ age     int8"))
      browser.type("age > 3).")
      browser.press("Tab")
      #expect(line(browser) == "Person where: SUBQUERY(dogs, $d, $d.age > 3).@count")
    }
  }

  @Test func `is applied by Enter as it stands, where nothing is chosen`() throws {
    try filter("Dog") { browser in
      browser.type("age > 2")
      #expect(browser.screen().contains("│ AND"))
      browser.press("Enter")
      #expect(browser.screen().contains("Dog where age > 2  1 of 2"))
    }
  }

  @Test func `is left by Esc at once, and after typing only its list is closed first`() throws {
    try filter("Dog") { browser in
      browser.press("Esc")
      #expect(!browser.screen().contains("Dog where:"))
      browser.press("f")
      browser.type("a")
      browser.press("Esc")
      #expect(line(browser) == "Dog where: a" && !browser.screen().contains("│ age "))
      browser.type("g")
      #expect(!browser.screen().contains("│ age "))
      browser.press("Tab")
      #expect(browser.screen().contains("│ age "))
      browser.press("Esc Esc")
      #expect(!browser.screen().contains("Dog where:"))
    }
  }

  @Test(arguments: [(80, 24), (120, 34), (200, 60), (60, 12)])
  func `leaves most of the table in sight`(columns: Int, rows: Int) throws {
    try filter("Person") { browser in
      func bars(_ line: Substring) -> Int { line.count { $0 == "│" } }
      let lines = browser.screen(columns, rows).split(separator: "\n")
      let listed = lines.count { bars($0) > bars(lines[3]) }
      #expect(listed > 0 && listed <= 8 && listed <= rows / 3)
    }
  }

  @Test func `inserts values as the language writes them`() throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        let properties = [
          PropertyDefinition("first name", .string), PropertyDefinition("born", .date),
          PropertyDefinition("code", .uuid), PropertyDefinition("price", .decimal128),
        ]
        try transaction.define([ClassDefinition("Thing", properties: properties)])
        let thing = try #require(transaction.schema["Thing"])
        let object = try transaction.create(thing.key)
        try transaction.set(
          object,
          property: thing.require("first name").key,
          to: .string("a\"\\\n\u{1b}[31m")
        )
        let born = try #require(Timestamp("1985-12-10T00:00:00Z"))
        try transaction.set(object, property: thing.require("born").key, to: .date(born))
      }
      let browser = try Kennels.browser(database)
      let expected = [
        "first name": #"`first name` == "a\"\\\n\u{1b}[31m""#, "born": "born == 1985-12-10",
        "code": "code == uuid(00000000-0000-0000-0000-000000000000)",
        "price": "price == decimal(0)",
      ]
      browser.press("Enter")
      for (name, text) in expected {
        browser.press("f ^U")
        browser.type(name == "first name" ? "first" : name)
        if name == "first name" { browser.press("Tab") }
        browser.type(" == ")
        let last = name == "born" ? "Down Down Down Down" : "Down"
        browser.press("\(last) Enter")
        #expect(browser.screen(100, 30).contains("Thing where: \(text)"), "\(name)")
        browser.press("Enter")
        #expect(browser.screen(100, 30).contains("1 of 1"), "\(name)")
      }
    }
  }

  @Test func `shows dates by their distance from now as what they are`() throws {
    try withTemporaryDatabase { database in
      let properties = [PropertyDefinition("born", .date)]
      try database.write { try $0.define([ClassDefinition("Person", properties: properties)]) }
      let now = try #require(Timestamp("2024-03-31T15:30:00Z"))
      var settings = BrowserSettings(fileName: "x")
      settings.now = { now }
      let browser = try Browser(database, settings: settings)
      browser.press("Enter f")
      for (typed, text) in [
        ("yes", "2024-03-30"), ("today", "2024-03-31"), ("-1mo", "2024-02-29T15:30:00Z"),
        ("+2h", "2024-03-31T17:30:00Z"), ("2023-07", "2023-07-01"), ("1990", "1990-01-01"),
      ] {
        browser.press("^U")
        browser.type("born > \(typed)")
        browser.press("Tab")
        #expect(line(browser) == "Person where: born > \(text)")
        #expect(browser.screen().contains("0 found; Enter shows them"))
      }
      browser.press("^U")
      browser.type("born < yesterday")
      #expect(browser.screen().contains("born < 2024-03-30: 0 found; Enter shows them"))
    }
  }

  @Test func `lists what was typed before, and finds a part of it`() throws {
    try filter("Dog") { browser in
      for text in ["age > 2", "name CONTAINS \"e\"", "age < 9"] {
        browser.press("^U")
        browser.type(text)
        browser.press("Enter f")
      }
      browser.press("^U")
      browser.type("AG")
      browser.press("^R")
      #expect(browser.screen().contains("│>age < 9"))
      browser.press("Down Enter")
      #expect(line(browser) == "Dog where: age > 2")
      browser.press("Enter")
      #expect(browser.screen().contains("Dog where age > 2  1 of 2"))
    }
  }

  @Test func `is saved by a name, and opened again in the next run`() throws {
    try Kennels.browse { browser, database in
      func command(_ text: String, _ browser: Browser) {
        browser.press(":")
        browser.type(text)
        browser.press("Enter")
      }
      browser.press("j Enter")
      command("save-query old", browser)
      #expect(browser.screen().contains("There is no filter and no order to save"))
      browser.press("f")
      browser.type("age > 2")
      browser.press("Enter l s s")
      command("save-query old dogs", browser)
      #expect(browser.screen().contains("old dogs is saved; :queries opens it"))
      var settings = BrowserSettings(fileName: "x")
      settings.kept = browser.keptState
      settings.kept.session.view = nil
      let next = try Browser(database, settings: settings)
      command("queries", next)
      #expect(next.screen(100, 30).contains("│ old dogs  Dog where age > 2 sorted by name DESC"))
      next.press("Enter")
      #expect(next.screen().contains("Dog where age > 2  1 of 2"))
      #expect(next.screen().contains("name↓"))
      command("queries yuong", next)
      #expect(next.screen().contains("No query is called “yuong”"))
      command("forget-query old dogs", next)
      command("queries", next)
      #expect(next.screen().contains("No query is saved"))
    }
  }

  @Test func `remembers from run to run what was typed`() throws {
    try Kennels.browse { browser, database in
      browser.press("j Enter f")
      browser.type("age > 2")
      browser.press("Enter")
      var settings = BrowserSettings(fileName: "x")
      settings.kept = browser.keptState
      let next = try Browser(database, settings: settings)
      next.press("F f ^R")
      #expect(next.screen().contains("│>age > 2"))
      next.press("Esc Up")
      #expect(line(next) == "Dog where: age > 2")
    }
  }

  @Test func `shows by its colors what is what, and underlines what is wrong`() throws {
    try filter("Dog") { browser in
      browser.type("name == 3 AND age > 1")
      let screen = browser.draw(Size(columns: 80, rows: 24))
      let row = 22
      let start = "Dog where: ".count
      func style(_ place: Int) -> Style { screen[row, start + place].style }
      #expect(style(0) == Theme.property)
      #expect(style(5).foreground == .yellow && !style(5).isUnderlined)
      #expect(style(8).isUnderlined && style(8).isBold)
      #expect(style(10) == .bold && !style(20).isUnderlined)
    }
  }

  private enum Theme {
    static let property = Style.color(.cyan)
  }

  @Test func `counts as one types, and keeps the count while one moves`() throws {
    try filter("Dog") { browser in
      browser.type("age > 2")
      #expect(browser.screen().contains("2 found; Enter shows them"))
      browser.press("Left Right")
      #expect(browser.screen().contains("2 found; Enter shows them"))
    }
  }

  @Test func `shows hostile names and values as signs`() throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        let properties = [PropertyDefinition("a\u{202e}b", .string)]
        try transaction.define([ClassDefinition("Thing", properties: properties)])
        let thing = try #require(transaction.schema["Thing"])
        let key = try #require(thing.properties.first).key
        try transaction.create(thing.key, [key: .string("x\u{202e}y\u{1b}]0;z\u{7}")])
      }
      let browser = try Kennels.browser(database)
      browser.press("Enter f")
      browser.type("a")
      browser.press("Tab")
      browser.type(" == ")
      let screen = browser.screen(100, 30)
      #expect(screen.contains("x\\u{202e}y"))
      #expect(screen.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" })
      browser.press("Tab")
      #expect(browser.screen(100, 30).contains("1 found; Enter shows them"))
    }
  }

  @Test func `of a search keeps its text when it becomes a regular expression`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter /")
      browser.type("F.d")
      browser.press("^T")
      #expect(browser.screen().contains("find expression: F.d"))
      browser.press("Enter")
      #expect(browser.screen().contains(">    2  Fido"))
    }
  }
}
