import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

@Suite("Searching and filtering")
struct SearchTests {
  /// A class of many objects, some of which show a text.
  ///
  /// With a mixed property, which may show anything, the search looks at each row.
  private func browse(
    count: Int,
    names: [Int: String],
    isMixed: Bool = false,
    _ body: (Browser) throws -> Void
  ) throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        var properties = [
          PropertyDefinition("name", .string), PropertyDefinition("friend", .link("Thing")),
          PropertyDefinition("size", .int),
        ]
        if isMixed { properties.append(PropertyDefinition("any", .mixed)) }
        try transaction.define([ClassDefinition("Thing", properties: properties)])
        let thing = try #require(transaction.schema["Thing"])
        let (name, size) = (try #require(thing["name"]).key, try #require(thing["size"]).key)
        for number in 1...count {
          let text = names[number] ?? "thing"
          try transaction.create(thing.key, [name: .string(text), size: .int(Int64(number))])
        }
      }
      try body(try Kennels.browser(database))
    }
  }

  private func find(_ text: String, _ browser: Browser) {
    browser.press("/")
    browser.type(text)
    browser.press("Enter")
  }

  @Test(arguments: [false, true])
  func `finds the next text, goes on with n, and around the end`(isMixed: Bool) throws {
    let names = [3: "Needle A", 600: "needle B"]
    try browse(count: 700, names: names, isMixed: isMixed) { browser in
      browser.press("Enter")
      find("needle", browser)
      #expect(browser.screen().contains(">    3  Needle A"))
      browser.press("n")
      #expect(browser.screen().contains(">  600  needle B"))
      browser.press("n")
      #expect(browser.screen().contains(">    3  Needle A"))
      #expect(browser.screen().contains("The search wrapped around"))
      browser.press("N")
      #expect(browser.screen().contains(">  600  needle B"))
      #expect(browser.screen().contains("The search wrapped around"))
      browser.press("N")
      #expect(browser.screen().contains(">    3  Needle A"))
      #expect(!browser.screen().contains("wrapped"))
    }
  }

  @Test(arguments: [false, true])
  func `goes where the text is while it is typed, and back by Esc`(isMixed: Bool) throws {
    let names = [3: "apple", 5: "apricot", 600: "april"]
    try browse(count: 700, names: names, isMixed: isMixed) { browser in
      browser.press("Enter j / a")
      for (key, place) in [("p", 3), ("r", 5), ("i", 5), ("l", 600)] {
        browser.type(key)
        #expect(browser.screen().contains(">\(place < 9 ? "    " : "  ")\(place)  "), "\(key)")
      }
      #expect(browser.screen().contains("1 of 1"))
      browser.press("Bksp")
      #expect(browser.screen().contains(">    5  apricot") && browser.screen().contains("1 of 2"))
      browser.type("x")
      #expect(browser.screen().contains("“aprix” is not found"))
      #expect(browser.screen().contains(">    2  thing"))
      browser.press("Esc")
      #expect(browser.screen().contains(">    2  thing"))
      #expect(underlined(browser).isEmpty)
    }
  }

  @Test(arguments: [false, true])
  func `says which of how many it has found`(isMixed: Bool) throws {
    let names = [3: "Needle A", 7: "needle C", 600: "needle B"]
    try browse(count: 700, names: names, isMixed: isMixed) { browser in
      browser.press("Enter")
      find("needle", browser)
      #expect(browser.screen().contains("1 of 3"))
      for sentence in ["2 of 3", "3 of 3", "The search wrapped around: 1 of 3"] {
        browser.press("n")
        #expect(browser.screen().contains(sentence))
      }
      browser.press("l s s n")
      #expect(browser.screen().contains("2 of 3"))
      browser.press("Enter /")
      browser.type("thing")
      browser.press("Enter")
      #expect(browser.screen().contains("“thing” is not found"))
      #expect(!browser.screen().contains("n next"))
    }
  }

  @Test func `counts in other panes, too`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter lll Enter / r e Enter")
      #expect(browser.screen().contains("2 of 2") && browser.screen().contains("> 2  →Dog/1"))
      browser.press("n")
      #expect(browser.screen().contains("The search wrapped around: 1 of 2"))
      browser.press("1 gg")
      browser.press("/")
      browser.type("dog")
      #expect(browser.screen().contains("1 of 2") && browser.screen().contains(">Dog "))
      browser.press("Enter n")
      #expect(browser.screen().contains("2 of 2") && browser.screen().contains(">DogClub "))
      browser.press("/")
      browser.type("pers")
      #expect(browser.screen().contains(">Person"))
      browser.press("Esc")
      #expect(browser.screen().contains(">DogClub "))
    }
  }

  @Test(arguments: [false, true])
  func `comes back to the only one that there is`(isMixed: Bool) throws {
    try browse(count: 700, names: [3: "Needle A"], isMixed: isMixed) { browser in
      browser.press("Enter")
      for direction in ["", "n", "N"] {
        if direction.isEmpty { find("needle", browser) } else { browser.press(direction) }
        #expect(browser.screen().contains(">    3  Needle A"))
        #expect(browser.screen().contains("wrapped") == !direction.isEmpty)
      }
    }
  }

  @Test func `finds numbers, and the names of targets, as the table shows them`() throws {
    try browse(count: 300, names: [7: "Needle"]) { browser in
      browser.press("Enter")
      find("299", browser)
      #expect(browser.screen().contains(">  299"))
      // The first one links to the seventh.
      browser.press("gg h e")
      browser.type("Needle")
      browser.press("Enter gg j")
      find("needle", browser)
      #expect(browser.screen().contains(">    7  Needle"))
      browser.press("n")
      #expect(browser.screen().contains("> ~  1  thing  ~→Thing/7 Needle"))
    }
  }

  /// The numbers are read from many objects at once; -0.0 is not, which is shown as it is.
  @Test(arguments: [
    ("7", 7), ("99", 99), ("5000", 5_000), ("-0", 6), ("2026-01", 8), ("-92", 4_000),
    ("9223372036854775808", 4_000),
  ])
  func `finds numbers and dates wherever they are, forward and backward`(
    text: String,
    key: Int
  ) throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        let properties = [
          PropertyDefinition("size", .int.optional), PropertyDefinition("weight", .double),
          PropertyDefinition("born", .date.optional), PropertyDefinition("name", .string),
        ]
        try transaction.define([ClassDefinition("Thing", properties: properties)])
        let thing = try transaction.schema.require("Thing")
        let keys = thing.properties.map(\.key)
        for number in 1...5_000 {
          let isOwn = [7, 99, 5_000].contains(number)
          try transaction.create(
            thing.key,
            [
              keys[0]: number == 4_000 ? .int(.min) : isOwn ? .int(Int64(number)) : .null,
              keys[1]: .double(number == 6 ? -0.0 : 1),
              keys[2]: number == 8 ? .date(Timestamp(seconds: 1_767_225_600)) : .null,
            ]
          )
        }
      }
      let browser = try Kennels.browser(database)
      for start in ["Enter", "G"] {
        browser.press(start)
        find(text, browser)
        let line = browser.screen().split(separator: "\n").first { $0.contains("│>") } ?? ""
        #expect(line.contains(" \(key)  "), "\(line)")
        browser.press("N")
        #expect(browser.screen().contains("wrapped"), "\(browser.screen())")
      }
    }
  }

  @Test(arguments: [false, true])
  func `finds along the order that the table has`(isMixed: Bool) throws {
    let names = [2: "a needle", 9: "b needle"]
    try browse(count: 20, names: names, isMixed: isMixed) { browser in
      browser.press("Enter l s s G")
      find("needle", browser)
      #expect(browser.screen().contains("   9  b needle"))
      browser.press("n")
      #expect(browser.screen().contains(">    2  a needle"))
    }
  }

  @Test func `underlines what it finds, wherever it is in the view, until Esc`() throws {
    try browse(count: 20, names: [2: "a NEEDLE", 9: "needles"]) { browser in
      browser.press("Enter")
      find("needle", browser)
      #expect(underlined(browser) == ["NEEDLE", "needle"])
      browser.press("Esc")
      #expect(underlined(browser).isEmpty)
      browser.press("n")
      #expect(underlined(browser) == ["NEEDLE", "needle"])
      browser.press("Enter")
      #expect(underlined(browser) == ["needle"])
    }
  }

  @Test func `underlines in the elements of a list`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter l l l Enter")
      find("fido", browser)
      #expect(browser.screen().contains(">"))
      #expect(underlined(browser) == ["Fido", "Fido"])
    }
  }

  /// What is underlined and bold below the titles, which nothing else is there.
  private func underlined(_ browser: Browser) -> [String] {
    let screen = browser.draw(Size(columns: 100, rows: 24))
    var found: [String] = []
    for row in 2..<22 {
      var isInside = false
      for cell in screen.cells(ofRow: row) {
        let isMarked = cell.style.isUnderlined && cell.style.isBold
        if isMarked, !isInside { found.append("") }
        if isMarked { found[found.count - 1] += cell.text }
        isInside = isMarked
      }
    }
    return found
  }

  @Test func `finds what a regular expression fits, where ^T asks for one`() throws {
    let names = [3: "Rex 12", 9: "rex", 12: "Rex 7"]
    try browse(count: 20, names: names) { browser in
      browser.press("Enter / ^T")
      #expect(browser.screen().contains("find expression:"))
      browser.type("^re. [0-9]+$")
      browser.press("Enter")
      #expect(browser.screen().contains(">    3  Rex 12"))
      browser.press("n")
      #expect(browser.screen().contains(">   12  Rex 7"))
      #expect(underlined(browser) == ["Rex 12", "Rex 7"])
      browser.press("n")
      #expect(browser.screen().contains("The search wrapped around"))
    }
  }

  @Test func `says what is wrong with a regular expression`() throws {
    try browse(count: 3, names: [:]) { browser in
      browser.press("Enter :")
      browser.type("find-expression")
      browser.press("Enter")
      browser.type("a(b")
      #expect(browser.screen().contains("At character 4: missing closing parenthesis"))
      browser.press("Enter")
      #expect(browser.screen().contains("find expression: a(b"))
    }
  }

  @Test func `is not held up by an expression that others choke on`() throws {
    let name = String(repeating: "a", count: 1_000) + "!"
    try browse(count: 100, names: [2: name], isMixed: true) { browser in
      browser.press("Enter / ^T")
      browser.type("(a+)+(a|aa)+$")
      let start = ContinuousClock.now
      browser.press("Enter")
      _ = browser.screen(200, 60)
      #expect(ContinuousClock.now - start < .seconds(5))
      #expect(browser.screen().contains("is not found"))
    }
  }

  @Test func `says so where nothing is found`() throws {
    try browse(count: 20, names: [:]) { browser in
      browser.press("Enter")
      find("needle", browser)
      #expect(browser.screen().contains("“needle” is not found"))
    }
  }

  @Test func `counts what a filter leaves in a class of any size`() throws {
    try browse(count: 250_000, names: [:]) { browser in
      browser.press("Enter f")
      browser.type("size > 100")
      #expect(browser.screen().contains("249900 found; Enter shows them"))
    }
  }

  @Test func `keeps the counts of the title, however long the filter is`() throws {
    try browse(count: 20, names: [:]) { browser in
      browser.press("Enter Space f")
      browser.type("size > 0 AND name CONTAINS \"thing\" AND name BEGINSWITH \"thi\"")
      browser.press("Enter")
      #expect(browser.screen().contains("…  2 of 20  *1"))
    }
  }

  @Test func `says that a long name is cut`() throws {
    let name = String(repeating: "long ", count: 20)
    try browse(count: 1, names: [1: name]) { browser in
      browser.press("Enter Enter")
      #expect(browser.screen(200, 30).contains("▸2 Thing/1 \(name.prefix(60))…"))
    }
  }
}

@Suite("A menu")
struct MenuTests {
  @Test func `does not call j a way down where j is a choice`() throws {
    try withTemporaryDatabase { database in
      try Kennels.fill(database)
      let form = CopyForm(letter: "j", title: "JSON") { _, _ in "{}" }
      var settings = BrowserSettings(fileName: "x")
      settings.copyForms = [form]
      let browser = try Browser(database, settings: settings)
      browser.press("Enter Y")
      #expect(browser.screen().contains("Down down"))
      #expect(!browser.screen().contains("j down"))
    }
  }
}
