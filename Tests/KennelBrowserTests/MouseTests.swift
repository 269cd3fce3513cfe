import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

@Suite struct MouseTests {
  /// Clicks on the first place on the screen where a text stands.
  private func click(_ text: String, _ browser: Browser, twice: Bool = false) throws {
    let lines = browser.screen().split(separator: "\n", omittingEmptySubsequences: false)
    let row = try #require(lines.firstIndex { $0.contains(text) })
    let place = try #require(lines[row].firstRange(of: text)).lowerBound
    let column = lines[row].distance(from: lines[row].startIndex, to: place)
    for kind in twice ? [MouseEvent.Kind.press, .doublePress] : [.press] {
      _ = JobRunner.send(
        .mouse(MouseEvent(kind, row: row, column: column, button: 1)),
        to: browser
      )
    }
  }

  @Test func `a click puts the cursor on the object and the property`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter")
      try click("Bella", browser)
      #expect(browser.screen().contains(">    3  Bella"))
      #expect(browser.screen().contains("[name]"))
      browser.press("e ^U")
      browser.type("Belle")
      browser.press("Enter")
      #expect(browser.screen().contains("name of Dog/3 is Belle"))
    }
  }

  @Test func `a double click opens what was clicked, not what the cursor was on`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter")
      try click("Fido", browser, twice: true)
      #expect(browser.screen().contains("▸2 Dog/2 Fido"))
      try click("Person.dogs", browser, twice: true)
      #expect(browser.screen().contains("2 Person.dogs → Dog/2 Fido"))
    }
  }

  @Test func `a double click beside everything opens nothing`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter")
      let before = browser.screen()
      for kind in [MouseEvent.Kind.press, .doublePress] {
        _ = JobRunner.send(
          .mouse(MouseEvent(kind, row: 18, column: 60, button: 1)),
          to: browser
        )
      }
      #expect(browser.screen() == before)
    }
  }

  @Test func `a click in an object, a list and the review goes to the line`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter Enter")
      try click("dogs  ", browser, twice: true)
      #expect(browser.screen().contains("2 dogs of Person/1 [3]"))
      try click("Fido", browser)
      browser.press("x 4")
      #expect(browser.screen().contains("dogs[1]: - →Dog/2 Fido"))
      try click("dogs[1]", browser)
      #expect(browser.screen().contains(">    dogs[1]"))
    }
  }
}
