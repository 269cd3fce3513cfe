import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

@Suite struct `Each kind of scalar` {
  @Test func `is edited in its place`() throws {
    try withTemporaryDatabase { database in
      let object = try EveryKind.make(in: database, isFilled: false)
      let browser = try Kennels.browser(database)
      browser.press("Enter Enter")
      for kind in EveryKind.scalars {
        browser.press("j e")
        if kind == .bool {
          browser.press("t")
        } else {
          browser.press("^U")
          browser.type(ValueText.describe(EveryKind.value(kind)))
          browser.press("Enter")
        }
      }
      #expect(browser.screen().contains("DRAFT \(EveryKind.scalars.count) changes"))
      browser.press("4 w y")
      try EveryKind.expectFilled(object, in: database.snapshot())
    }
  }

  @Test func `is offered for a mixed value`() throws {
    try withTemporaryDatabase { database in
      try EveryKind.make(in: database)
      let browser = try Kennels.browser(database)
      browser.press("Enter Enter G e")
      let screen = browser.screen()
      for kind in EveryKind.scalars + [.link] {
        #expect(screen.contains("  \(kind)"), "\(kind)")
      }
    }
  }
}
