import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

@Suite struct `The private copy of another program's file` {
  private func browse(_ body: (Browser, Database, TemporaryDatabase) throws -> Void) throws {
    let temporary = try TemporaryDatabase()
    try Kennels.fill(temporary.database)
    let name = temporary.folder.file("new.kennel")
    let browser = try Kennels.browser(temporary.database, proposedName: name)
    try body(browser, temporary.database, temporary)
    temporary.finish()
  }

  private func rename(in browser: Browser) {
    browser.press("j Enter l e ^U")
    browser.type("Pup")
    browser.press("Enter 4")
  }

  @Test func `is committed to a new file and stays as it is`() throws {
    try browse { browser, database, temporary in
      let before = database.commitNumber
      rename(in: browser)
      browser.press("w")
      #expect(browser.screen().contains("commit to the new file: "))
      browser.press("Enter")
      #expect(browser.screen().contains("Committed to "))
      #expect(browser.screen().contains("NO CHANGES"))
      #expect(database.commitNumber == before)
      let new = try Database.open(temporary.folder.file("new.kennel"))
      #expect(new.commitNumber == before + 1)
      expectSound(new)
    }
  }

  @Test func `keeps its draft when the new file cannot be written`() throws {
    try browse { browser, _, temporary in
      _ = try Database.open(temporary.folder.file("new.kennel"))
      rename(in: browser)
      browser.press("w Enter")
      #expect(browser.screen().contains("DRAFT 1 change"))
      #expect(browser.screen().contains("Cannot copy to"))
      #expect(browser.screen().contains("commit to the new file: "))
    }
  }

  @Test func `is committed as a whole`() throws {
    try browse { browser, _, _ in
      rename(in: browser)
      browser.press("Space w")
      #expect(browser.screen().contains("! A new file has all changes or none"))
      browser.press("Space w")
      #expect(browser.screen().contains("commit to the new file: "))
    }
  }
}
