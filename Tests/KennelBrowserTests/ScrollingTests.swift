import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

@Suite("The line of the cursor")
struct ScrollingTests {
  /// A hundred numbers; the first of them has a list of them all.
  private func browse(_ body: (Browser) throws -> Void) throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        let properties = [
          PropertyDefinition("value", .int), PropertyDefinition("all", .list(.int)),
        ]
        try transaction.define([ClassDefinition("Number", properties: properties)])
        let number = try transaction.schema.require("Number")
        let value = try number.require("value").key
        let all = try number.require("all").key
        for index in 1...100 {
          _ = try transaction.create(number.key, [value: .int(Int64(index * 10))])
        }
        let list = Value.list((0..<100).map { .int($0 * 10) })
        try transaction.set(
          ObjectIdentity(number.key, ObjectKey(rawValue: 1)),
          property: all,
          to: list
        )
      }
      try body(try Kennels.browser(database))
    }
  }

  /// Where the cursor is among the lines of the pane, from its first line, and how many there are.
  private func place(_ browser: Browser, firstRow: Int) -> Int? {
    let lines = browser.screen(100, 24).split(separator: "\n", omittingEmptySubsequences: false)
    return lines.dropFirst(firstRow).firstIndex { $0.contains("│>") }.map { $0 - firstRow }
  }

  // The title, the path, the title of the pane and the header are above the rows; of 24 lines, the
  // status and the hints are below them.

  @Test func `of a table goes to the middle, the top and the bottom of the pane`() throws {
    try browse { browser in
      _ = browser.screen(100, 24)
      browser.press("Enter ^D ^D ^D ^D")
      browser.press("zz")
      #expect(place(browser, firstRow: 3) == 9)
      browser.press("zt")
      #expect(place(browser, firstRow: 3) == 0)
      browser.press("zb")
      #expect(place(browser, firstRow: 3) == 18)
      // The rows before the first one are none.
      browser.press("gg zb")
      #expect(place(browser, firstRow: 3) == 0)
      browser.press("G zt")
      #expect(place(browser, firstRow: 3) == 18)
    }
  }

  @Test func `of a table under a peek goes to both ends of what that leaves`() throws {
    try browse { browser in
      func rows() -> [Substring] { browser.screen(100, 24).split(separator: "\n") }
      func number() -> Int? {
        rows().first { $0.contains("│>") }?.split(separator: " ").lazy.compactMap { Int($0) }.first
      }
      _ = rows()
      browser.press("Enter ^D ^D ^D ^D K")
      #expect(rows().contains { $0.contains("Peek at Number/") })
      browser.press("zb")
      let last = try #require(rows().firstIndex { $0.contains("│>") })
      #expect(rows()[last + 1].contains("Peek at"))
      browser.press("zt")
      #expect(place(browser, firstRow: 3) == 0)
      let before = try #require(number())
      browser.press("PgDn")
      #expect(try (5...10).contains(#require(number()) - before))
    }
  }

  @Test func `of a sorted table goes there, too, and stays on its object`() throws {
    try browse { browser in
      _ = browser.screen(100, 24)
      browser.press("Enter l s s G ^U ^U ^U ^U")
      let before = browser.screen(100, 24).split(separator: "\n").first { $0.contains("│>") }
      browser.press("zz")
      #expect(place(browser, firstRow: 3) == 9)
      let after = browser.screen(100, 24).split(separator: "\n").first { $0.contains("│>") }
      #expect(before == after)
    }
  }

  @Test func `of a list and of groups goes there, too`() throws {
    try browse { browser in
      _ = browser.screen(100, 24)
      browser.press("Enter l l Enter ^D ^D ^D ^D zz")
      // Links are below the list.
      #expect(place(browser, firstRow: 2) == 6)
      browser.press("zt")
      #expect(place(browser, firstRow: 2) == 0)
      browser.press("H h &")
      #expect(browser.screen(100, 24).contains("Number by value"))
      browser.press("^D ^D ^D ^D zt")
      #expect(place(browser, firstRow: 3) == 0)
      browser.press("zb")
      #expect(place(browser, firstRow: 3) == 18)
    }
  }

  @Test func `of the review goes there, too`() throws {
    try browse { browser in
      _ = browser.screen(100, 24)
      browser.press("Enter l gg v G")
      browser.press("e ^U 7 Enter y 4 ^D ^D ^D ^D zt")
      let title = "4 Changes (100)"
      let lines = browser.screen(100, 24).split(separator: "\n", omittingEmptySubsequences: false)
      let first = try #require(lines.firstIndex { $0.contains(title) })
      #expect(lines[first + 1].contains("│>"))
    }
  }
}
