import KennelBrowser
import KennelCore
import Testing

@Suite("The collections")
struct CollectionsTests {
  @Test func `show the objects of the class under their cursor`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter Enter 1 G")
      #expect(browser.screen().contains(" 2 Address  1 of 3"))
      #expect(browser.screen().contains(">Address {}"))
      browser.press("k")
      #expect(browser.screen().contains(" 2 DogClub  1 of 1"))
    }
  }

  @Test(arguments: ["2", "Tab", "Enter"])
  func `are left for the table that they show`(key: String) throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter Enter 1 G \(key)")
      #expect(browser.screen().contains("▸2 Address  1 of 3"))
      #expect(browser.screen().contains(">Address {}"))
      browser.press("H")
      #expect(browser.screen().contains("▸2 Person/1 Ada"))
      #expect(browser.screen().contains(">Person"))
    }
  }

  @Test func `show again where one is after Esc`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter Enter 1 G Esc")
      #expect(browser.screen().contains(" 2 Person/1 Ada"))
      #expect(browser.screen().contains(">Person"))
    }
  }
}
