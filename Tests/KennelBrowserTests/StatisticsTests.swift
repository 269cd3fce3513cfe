import KennelBrowser
import KennelCore
import Testing

@Suite("Statistics of a property")
struct StatisticsTests {
  @Test func `count its values, and lead to the objects that have one`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter l l I")
      let screen = browser.screen()
      #expect(screen.contains("age of 3 Dog"))
      #expect(screen.contains("null       0  0.0 %"))
      #expect(screen.contains("distinct   3"))
      #expect(screen.contains("least      1"))
      #expect(screen.contains("greatest   7"))
      #expect(screen.contains("mean       3.66"))
      browser.press("j j Enter")
      #expect(browser.screen().contains("Dog where age == 1  1 of 1"))
    }
  }

  @Test func `count null apart, and what is most frequent first`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter l l l I")
      let screen = browser.screen()
      #expect(screen.contains("null       1  33.3 %"))
      #expect(screen.contains("→Dog/1 Rex"))
      #expect(screen.contains("2  66.7 %"))
      browser.press("Enter")
      #expect(browser.screen().contains("Person where dog == NULL  1 of 1"))
    }
  }

  @Test func `of a list count its elements`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter l l l l I")
      let screen = browser.screen()
      #expect(screen.contains("The most frequent numbers of elements:"))
      browser.press("G Enter")
      #expect(browser.screen().contains("Person where dogs.@count == 3  1 of 1"))
    }
  }

  @Test func `are of the objects that the filter leaves`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter f")
      browser.type("age > 2")
      browser.press("Enter l l I")
      #expect(browser.screen().contains("age of 2 Dog"))
    }
  }
}
