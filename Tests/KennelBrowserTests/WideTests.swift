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

  @Test func `gives the links' room to what has none`() throws {
    try Kennels.browse { browser, _ in
      browser.press("g s")
      #expect(!browser.screen(200, 30).contains("3 Links"))
      browser.press("H")
      #expect(browser.screen(200, 30).contains("3 Links"))
    }
  }
}
