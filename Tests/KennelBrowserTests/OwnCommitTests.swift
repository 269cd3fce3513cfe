import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

@Suite("The commits of this run")
struct OwnCommitTests {
  private func rename(_ browser: Browser, _ keys: String, to name: String) {
    browser.press(keys + " e ^U")
    browser.type(name)
    browser.press("Enter 4 w y")
  }

  private func command(_ browser: Browser, _ text: String) {
    browser.press(":")
    browser.type(text)
    browser.press("Enter")
  }

  private func expect(
    _ names: [String],
    in database: Database,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let snapshot = try database.snapshot()
    let dog = try snapshot.schema.require("Dog")
    let found = try snapshot.objects(of: dog.key).map {
      try snapshot.displayName(of: $0, limit: 20)
    }
    #expect(found == names, sourceLocation: location)
  }

  @Test func `are listed, the newest first, with what they have changed`() throws {
    try Kennels.browse { browser, _ in
      command(browser, "commits")
      #expect(browser.screen().contains("Nothing was committed in this run"))
      rename(browser, "j Enter l", to: "Max")
      browser.press("j d D 4 w y")
      command(browser, "commits")
      let screen = browser.screen()
      let newest = try #require(screen.firstRange(of: "> 3  delete  1 Dog"))
      let older = try #require(screen.firstRange(of: "2  change  1 Dog"))
      #expect(newest.lowerBound < older.lowerBound)
      browser.press("j Enter")
      #expect(browser.screen().contains("Commit 2: 1 object changed"))
      #expect(browser.screen().contains(#"name: "Rex" → "Max""#))
    }
  }

  @Test func `can be taken back each, whatever was committed since`() throws {
    try Kennels.browse { browser, database in
      rename(browser, "j Enter l", to: "Max")
      rename(browser, "j", to: "Moritz")
      command(browser, "commits")
      browser.press("j t")
      #expect(browser.screen().contains("The draft takes commit 2 back"))
      #expect(browser.screen().contains("DRAFT 1 change"))
      browser.press("4 w y")
      try expect(["Rex", "Moritz", "Bella"], in: database)
      command(browser, "take-back")
      browser.press("4 w y")
      try expect(["Max", "Moritz", "Bella"], in: database)
      command(browser, "take-back 3")
      #expect(browser.screen().contains("The draft takes commit 3 back"))
      command(browser, "take-back 3")
      #expect(browser.screen().contains("There are changes already"))
      browser.press("u")
      #expect(browser.screen().contains("NO CHANGES"))
      command(browser, "take-back 77")
      #expect(browser.screen().contains("Commit 77 is none of this run; :commits lists them"))
    }
  }

  @Test func `conflict with what was committed since where it is about the same`() throws {
    try Kennels.browse { browser, database in
      rename(browser, "j Enter l", to: "Max")
      rename(browser, "", to: "Moritz")
      command(browser, "take-back 2")
      #expect(browser.screen().contains("Taken back in a draft, 1 conflict; 4 shows them"))
      browser.press("4 m w y")
      try expect(["Rex", "Fido", "Bella"], in: database)
    }
  }

  @Test func `that made what is gone again are taken back without a change`() throws {
    try Kennels.browse { browser, database in
      browser.press("j Enter o Enter 4 w y")
      browser.press("2 G d D 4 w y")
      try expect(["Rex", "Fido", "Bella"], in: database)
      command(browser, "take-back 2")
      #expect(browser.screen().contains("Nothing of commit 2 is left to take back"))
      #expect(browser.screen().contains("NO CHANGES"))
    }
  }

  @Test func `are taken back as far as they are not undone`() throws {
    try Kennels.browse { browser, database in
      browser.press("j Enter o Enter 2 o Enter 4 w y")
      browser.press("2 G d D 4 w y")
      command(browser, "take-back 2")
      #expect(browser.screen().contains("DRAFT 1 change"))
      browser.press("4 w y")
      try expect(["Rex", "Fido", "Bella"], in: database)
    }
  }

  @Test func `are taken back beside the screen, and Esc stops that`() throws {
    try Kennels.browse { browser, _ in
      rename(browser, "j Enter l", to: "Max")
      browser.press(":")
      browser.type("take-back")
      browser.receive(.key(Key(.enter)))
      let first = browser.takeEffects().first { if case .run = $0 { true } else { false } }
      guard case .run(let job)? = first else {
        Issue.record("no job takes the commit back")
        return
      }
      #expect(browser.screen().contains("Taking back commit 2…"))
      #expect(browser.screen().contains("Esc stops it"))
      browser.receive(.key(Key(.escape)))
      for event in JobRunner.run(job, isCancelled: true) { browser.receive(.job(event)) }
      #expect(browser.screen().contains("Commit 2 was not taken back"))
      #expect(browser.screen().contains("NO CHANGES"))
      command(browser, "take-back")
      #expect(browser.screen().contains("DRAFT 1 change"))
    }
  }

  @Test func `are let go when a hundred others have followed`() throws {
    try Kennels.browse { browser, database in
      rename(browser, "j Enter l", to: "Max")
      func commit(_ count: Int) throws {
        for age in 0..<count {
          try database.write { transaction in
            let dog = try transaction.schema.require("Dog")
            let rex = ObjectIdentity(dog.key, ObjectKey(rawValue: 1))
            let key = try dog.require("age").key
            try transaction.set(rex, property: key, to: .int(Int64(20 + age)))
          }
        }
        _ = JobRunner.send(.tick, to: browser)
      }
      try commit(100)
      #expect(database.keptCommitCount > 2)
      command(browser, "commits")
      #expect(!browser.screen().contains("can no longer be taken back"))
      browser.press("Esc")
      try commit(1)
      #expect(database.keptCommitCount <= 2)
      command(browser, "commits")
      #expect(browser.screen().contains("2  change  1 Dog  (can no longer be taken back)"))
      browser.press("t")
      #expect(browser.screen().contains("! Commit 2 can no longer be taken back"))
    }
  }
}
