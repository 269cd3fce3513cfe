import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

@Suite("A wide screen")
struct WideTests {
  @Test func `cuts no column beside room that is empty`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter")
      #expect(browser.screen(300, 24).contains("{street: High Street 1, city: London}"))
    }
  }

  @Test(arguments: [200, 300])
  func `shows what an object points to, with what that holds`(columns: Int) throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter Enter")
      let rows = browser.screen(columns, 30).split(separator: "\n")
      let link = "dog →Dog/1 Rex  {name: Rex, age: 3, breed: Boxer, isGood: false}"
      #expect(rows.contains { $0.contains(link) })
      let target = "→Dog/1 Rex  {name: Rex, age: 3, breed: Boxer, isGood: false}"
      #expect(rows.contains { $0.contains("link<Dog>") && $0.contains(target) })
    }
  }

  @Test func `gives a table the room of its columns, and its links the rest`() throws {
    func separators(_ browser: Browser, columns: Int) -> [Int] {
      let row = Array(browser.screen(columns, 30).split(separator: "\n")[10])
      return row.indices.filter { row[$0] == "│" }
    }
    try Kennels.browse { browser, _ in
      browser.press("Enter")
      // A person has more columns than there is room for, a dog few.
      #expect(separators(browser, columns: 150).count == 1)
      #expect(separators(browser, columns: 200).last == 136)
      browser.press("3")
      #expect(separators(browser, columns: 150).last == 113)
      browser.press("1 j Enter")
      #expect(separators(browser, columns: 150).last.map { $0 < 90 } == true)
      #expect(browser.screen(150, 30).contains("isGood"))
    }
  }

  @Test func `gives the links' room to what has none`() throws {
    try Kennels.browse { browser, _ in
      browser.press("g s")
      #expect(!browser.screen(200, 30).contains("3 Links"))
      browser.press("H")
      #expect(browser.screen(200, 30).contains("3 Links"))
    }
  }
}
