import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

@Suite("What one can click") struct ClickTests {
  /// Clicks on the last place on the screen where a text stands.
  private func click(_ text: String, _ browser: Browser, twice: Bool = false) throws {
    let lines = browser.screen().split(separator: "\n", omittingEmptySubsequences: false)
    let row = try #require(lines.lastIndex { $0.contains(text) })
    let place = try #require(lines[row].firstRange(of: text)).lowerBound
    let column = lines[row].distance(from: lines[row].startIndex, to: place)
    for kind in twice ? [MouseEvent.Kind.press, .doublePress] : [.press] {
      _ = JobRunner.send(.mouse(MouseEvent(kind, row: row, column: column)), to: browser)
      _ = browser.screen()
    }
  }

  @Test func `is the name of a column, which sorts by it`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter")
      try click(" age", browser)
      #expect(browser.screen().contains("[age↑]"))
      try click("age", browser)
      #expect(browser.screen().contains("[age↓]"))
    }
  }

  @Test func `is each part of the path, which goes back there`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter Enter G Enter")
      #expect(browser.screen().contains("Person › Person/1 Ada ›"))
      try click("Person/1 Ada ›", browser)
      #expect(browser.screen().contains("▸2 Person/1 Ada"))
      browser.press("Alt-Right")
      try click("Person › Person/1", browser)
      #expect(browser.screen().contains("2 Person  1 of 3"))
    }
  }

  @Test func `is each hint of the last line`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter")
      try click("f filter", browser)
      #expect(browser.screen().contains("Dog where:"))
      try click("Esc back", browser)
      try click("? keys", browser)
      #expect(browser.screen().contains("Keys that work in a table"))
    }
  }

  @Test func `is a line of a dialog, which a double click chooses`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter :")
      try click("DogClub", browser)
      #expect(browser.screen().contains("> DogClub"))
      try click("Person  ", browser, twice: true)
      #expect(browser.screen().contains("▸2 Person  1 of 3"))
      browser.press("?")
      browser.type("sort")
      try click("sort by this property, too", browser)
      #expect(browser.screen().contains("> S "))
      _ = JobRunner.send(.mouse(MouseEvent(.wheelUp, row: 3, column: 3)), to: browser)
      #expect(browser.screen().contains("> s "))
    }
  }

  @Test func `is said once to leave selecting text to Shift`() throws {
    try withTemporaryDatabase { database in
      try Kennels.fill(database)
      var settings = BrowserSettings(fileName: "people.kennel")
      settings.takesMouse = true
      let browser = try Browser(database, settings: settings)
      #expect(browser.takeEffects().contains { if case .mouse(true) = $0 { true } else { false } })
      try click("Cleo", browser)
      #expect(browser.screen().contains("hold Shift to select text; % turns it off"))
      browser.press("j")
      try click("Ada", browser)
      #expect(!browser.screen().contains("Shift"))
      settings.kept = browser.keptState
      let next = try Browser(database, settings: settings)
      try click("Cleo", next)
      #expect(!next.screen().contains("Shift"))
    }
  }
}

@Suite("The help") struct HelpTests {
  @Test func `has headings, narrows as one types, and runs a line`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter ?")
      #expect(browser.screen().contains("── Moving"))
      browser.type("hide the prop")
      let lines = browser.screen().split(separator: "\n")
      #expect(lines.contains { $0.hasPrefix("  ── Columns, groups and marks") })
      #expect(lines.contains { $0.hasPrefix("> -  ") })
      #expect(!browser.screen().contains("── Moving"))
      browser.press("^U")
      browser.type("nothing like it")
      browser.press("Enter")
      #expect(browser.screen().contains("No key does “nothing like it” here"))
      browser.press("^U")
      browser.type("statistics")
      browser.press("Esc l ?")
      browser.type("hide the prop")
      browser.press("Enter")
      #expect(browser.screen().contains("name is hidden"))
    }
  }

  @Test func `says why a command is not possible`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("people.kennel")
    try Kennels.fill(try Database.open(path))
    let readOnly = try Database.open(
      path,
      configuration: Database.Configuration(access: .readOnly)
    )
    var settings = BrowserSettings(fileName: "people.kennel")
    settings.readOnlyAdvice = "start without --read-only to change it"
    let browser = try Browser(readOnly, settings: settings)
    browser.press("2 l ?")
    browser.type("edit the value")
    #expect(browser.screen(200, 24).contains("(not now: This file is read only: it was opened"))
    browser.press("Enter")
    #expect(browser.screen(200, 24).contains("start without --read-only to change it"))
  }

  @Test func `is not needed for a key of another place, which says where it works`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter Enter S")
      let sentence = "S does nothing here; in a table it does this: sort by this property, too"
      #expect(browser.screen(120, 24).contains(sentence))
    }
  }

  @Test func `has what is obvious, so that the hint line need not`() throws {
    try Kennels.browse { browser, _ in
      for keys in ["1", "2", "Enter", "3", "4"] {
        browser.press(keys)
        let hints = browser.screen().split(separator: "\n").last ?? ""
        #expect(!hints.contains("j down") && !hints.contains("k up"), "\(keys): \(hints)")
      }
    }
  }
}

@Suite("The log of actions") struct LogTests {
  @Test func `has what was done and said, with times, the newest last`() throws {
    try withTemporaryDatabase { database in
      try Kennels.fill(database)
      var settings = BrowserSettings(fileName: "people.kennel")
      settings.clockTime = { "12:34:56" }
      let browser = try Browser(database, settings: settings)
      browser.press("j Enter l e")
      browser.type("\u{202e}x")
      browser.press("Enter u & @")
      let lines = browser.screen().split(separator: "\n").filter { $0.contains("12:34:56") }
      #expect(lines.count >= 2)
      #expect(lines.first?.contains("name of Dog/1 is Rex") == true)
      #expect(lines.last?.hasPrefix("> 12:34:56") == true)
      #expect(!browser.screen().contains("\u{202e}"))
      browser.press("g Enter")
      #expect(browser.screen().contains("── Said at 12:34:56"))
    }
  }

  @Test func `is empty at first, and says so`() throws {
    try Kennels.browse { browser, _ in
      browser.press("@")
      #expect(browser.screen().contains("nothing was done yet"))
    }
  }
}
