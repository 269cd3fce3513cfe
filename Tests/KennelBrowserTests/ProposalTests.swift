import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

@Suite("A proposed value")
struct ProposalTests {
  @Test(arguments: [
    ("7", "7"), ("Bksp 7", "7"), ("Del 7", "7"), ("^U 8", "8"), ("End 7", "47"), ("Right 7", "47"),
    ("Left 7", "74"), ("Home 7", "74"), ("^A 7", "74"), ("", "4"),
  ])
  func `is replaced by what is typed, and kept by a key that moves`(
    keys: String,
    expected: String
  ) throws {
    try Kennels.browse { browser, database in
      browser.press("Enter o \(keys) Enter 4 w y")
      let snapshot = try database.snapshot()
      let person = try #require(snapshot.schema["Person"])
      let found = try snapshot.find(person.key, primaryKey: .int(try #require(Int64(expected))))
      #expect(found != nil && snapshot.count(of: person.key) == 4, "\(keys)")
    }
  }

  @Test func `is shown as selected until it is moved in`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter o")
      func styles() -> [Style] {
        let screen = browser.draw(Size(columns: 80, rows: 24))
        return (0..<24).flatMap { Array(screen.cells(ofRow: $0)) }.map(\.style)
          .filter { $0.isReversed && $0.isUnderlined }
      }
      #expect(styles().count == 1)
      browser.press("End")
      #expect(styles().isEmpty)
    }
  }

  @Test func `is given up by Esc, which says so`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter o")
      let hints = browser.screen().split(separator: "\n").last ?? ""
      #expect(hints.contains("Enter create") && hints.contains("Esc give up the new object"))
      #expect(!hints.contains("as it was"))
      browser.press("Esc")
      #expect(browser.screen().contains("NO CHANGES"))
    }
  }

  @Test func `is the name of a new file`() throws {
    try withTemporaryDatabase { database in
      try Kennels.fill(database)
      let browser = try Kennels.browser(database, proposedName: "proposed.kennel")
      browser.press("j Enter l e x Enter 4 w")
      #expect(browser.screen().contains("new file: proposed.kennel"))
      browser.type("mine")
      #expect(browser.screen().contains("new file: mine") && !browser.screen().contains("proposed"))
    }
  }
}
