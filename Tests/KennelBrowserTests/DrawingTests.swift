import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

@Suite struct DrawingTests {
  @Test func `the title of a long path ends with the name of the file and the class`() throws {
    try withTemporaryDatabase { database in
      try Kennels.fill(database)
      let path = "/home/ada/" + String(repeating: "deep/", count: 14) + "people.kennel"
      let browser = try Browser(database, settings: BrowserSettings(fileName: path))
      #expect(browser.screen(80, 24).hasPrefix(" …/people.kennel  Person   "))
      #expect(browser.screen(200, 24).hasPrefix(" \(path)  Person   "))
    }
  }

  /// Keys that lead to each view and each dialog.
  static let places = [
    "Enter", "Enter lll", "Enter Enter", "Enter gr", "jjjEnter gp", "Enter llllEnter", "Enter K",
    "Enter lle", "Enter llC", "Enter d", "Enter f", "Enter /", "?", ":", "i", "Enter lle x Enter 4",
    "Enter llle", "Enter lle x Enter Q", "4", "Enter z", "Enter gr z", "1 z",
  ]

  @Test(arguments: places)
  func `every size can be drawn`(_ keys: String) throws {
    try Kennels.browse { browser, _ in
      browser.press(keys)
      for columns in [0, 1, 2, 3, 5, 8, 13, 20, 40, 59, 60, 61, 80, 129, 130, 200] {
        for rows in [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 24, 60] {
          let size = Size(columns: columns, rows: rows)
          browser.receive(.resize(size))
          #expect(browser.draw(size).size == size)
        }
      }
    }
  }

  @Test(arguments: places)
  func `drawing changes nothing`(_ keys: String) throws {
    try Kennels.browse { browser, _ in
      browser.press(keys)
      for size in [Size(columns: 80, rows: 24), Size(columns: 150, rows: 9)] {
        let first = browser.draw(size)
        #expect(browser.draw(size) == first)
        // The panes are scrolled anew after an event, here one that says nothing new.
        browser.receive(.resize(size))
        #expect(browser.draw(size) == first)
      }
    }
  }

  @Test(arguments: places)
  func `the hint line names only commands`(_ keys: String) throws {
    try Kennels.browse { browser, _ in
      browser.press(keys)
      #expect(browser.unknownHints.isEmpty)
    }
  }

  @Test(arguments: places)
  func `nothing but ASCII is drawn where the terminal knows nothing else`(_ keys: String) throws {
    try Kennels.browse(isASCII: true) { browser, _ in
      browser.press(keys)
      for line in browser.draw(Size(columns: 100, rows: 30)).text {
        #expect(line.allSatisfy { $0.isASCII }, "\(line)")
      }
    }
  }

  @Test(arguments: places)
  func `no string of the database sends a control character`(_ keys: String) throws {
    try Kennels.browse { browser, _ in
      browser.press(keys)
      for line in browser.draw(Size(columns: 200, rows: 60)).text {
        #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control })
      }
    }
  }

  @Test func `a browser goes on after the smallest size`() throws {
    try Kennels.browse { browser, _ in
      let before = browser.screen()
      for size in [Size(columns: 1, rows: 1), Size(columns: 0, rows: 0)] {
        _ = browser.draw(size)
        browser.press("j")
        browser.press("k")
      }
      #expect(browser.screen() == before)
    }
  }

  @Test func `all panes are seen on a large screen`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter le x Enter")
      let screen = browser.screen(200, 60)
      for title in ["1 Collections", "2 Person", "3 Links of Person/1", "4 Changes (1)"] {
        #expect(screen.contains(title), "\(title)")
      }
    }
  }

  @Test func `null, nothing and their names look different`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter lll")
      browser.press("e")
      browser.press("^U")
      browser.type("null")
      browser.press("Enter j")
      let screen = browser.screen()
      #expect(screen.contains("\"null\""))
      #expect(screen.contains("∅"))
      #expect(screen.contains("\"\""))
    }
  }
}
