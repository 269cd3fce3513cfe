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
      browser.press("Enter l l I")
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
      browser.press("Enter l l l I")
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

  @Test func `have quartiles and a histogram, and lead to the objects of a bar`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter l l I")
      let screen = browser.screen()
      #expect(screen.contains("quartiles  1, 3, 3"))
      #expect(screen.contains("Histogram:"))
      #expect(screen.contains("########################  1"))
      browser.press("j j j j j j j Enter")
      #expect(browser.screen().contains("Dog where age == 1  1 of 1"))
    }
  }

  @Test func `of links tell both ends, the hubs and who has none`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter l l l I")
      let screen = browser.screen(120, 40)
      #expect(screen.contains("Links out of Person: 0 to 3, median 1, none in 1"))
      #expect(screen.contains("Links into Dog from all Person: 1 to 2, median 1, none in 0"))
      #expect(screen.contains("Dog with the most links:"))
      #expect(screen.contains("Dog/1 Rex"))
      // To the dogs with two links.
      for _ in 0..<40 where !browser.screen(120, 40).contains(">   2 links  ") {
        browser.press("j")
      }
      browser.press("Enter")
      #expect(browser.screen(120, 24).contains("Dog where @links.Person.dogs.@count == 2  1 of 1"))
    }
  }
}
