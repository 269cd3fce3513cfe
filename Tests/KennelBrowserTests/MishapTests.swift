import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

/// What could go wrong between a person, a terminal and other programs, and does not.
@Suite struct MishapTests {
  @Test func `what was deleted in a sorted table is told as done`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter l l s d D")
      #expect(browser.screen().contains("Deleted 1 Person, 1 Address; u undoes"))
      #expect(!browser.screen().contains("was deleted"))
    }
  }

  @Test func `a commit that was cut off is told to have been undone`() throws {
    let folder = try TemporaryFolder()
    let (path, copy) = (folder.file("whole.kennel"), folder.file("cut.kennel"))
    let database = try Database.open(path)
    try database.write { try $0.define([ClassDefinition("Dog", properties: [])]) }
    try PageBytes.copy(path, to: copy, cuttingCommit: database.commitNumber)
    let found = try Database.open(copy)
    #expect(found.undoneCommitNumber == database.commitNumber)
    let browser = try Browser(found, settings: BrowserSettings(fileName: "cut.kennel"))
    #expect(browser.screen().contains("The last commit was interrupted"))
    #expect(try found.snapshot().schema.classes.isEmpty)
    expectSound(found)
  }

  @Test func `what another program deleted in a sorted table is told`() throws {
    try Kennels.browse { browser, database in
      browser.press("j Enter l s k")
      #expect(browser.screen().contains(">    2  Fido"))
      try database.write { transaction in
        let dog = try #require(transaction.schema["Dog"])
        _ = try transaction.delete([ObjectIdentity(dog.key, ObjectKey(rawValue: 2))])
      }
      _ = JobRunner.send(.tick, to: browser)
      #expect(browser.screen().contains("Dog/2 was deleted; the cursor is on Dog/1"))
    }
  }

  @Test func `a deletion that takes more than was shown is shown again`() throws {
    try Kennels.browse { browser, database in
      browser.press("Enter jj d")
      #expect(browser.screen().contains("Deletes 1 Person:"))
      try database.write { transaction in
        let person = try #require(transaction.schema["Person"])
        let address = try #require(person["address"]).key
        let cleo = ObjectIdentity(person.key, ObjectKey(rawValue: 3))
        _ = try transaction.createEmbedded(at: Slot(cleo, address))
      }
      _ = JobRunner.send(.tick, to: browser)
      browser.press("D")
      #expect(browser.screen().contains("Deletes 1 Person, 1 Address:"))
      #expect(browser.screen().contains("Another program committed"))
      #expect(browser.screen().contains("NO CHANGES"))
      browser.press("D")
      #expect(browser.screen().contains("DRAFT 1 change"))
    }
  }

  @Test func `a deletion of many counts them all`() throws {
    try Kennels.browse { browser, database in
      try database.write { transaction in
        let dog = try #require(transaction.schema["Dog"])
        for _ in 0..<10_100 { _ = try transaction.create(dog.key, [:]) }
      }
      _ = JobRunner.send(.tick, to: browser)
      browser.press("j Enter gA d")
      #expect(browser.screen().contains("Deletes 10103 Dog:"))
      #expect(browser.screen().contains("Type 10103 and then D"))
    }
  }

  @Test func `all that deletions take with them can be read in the review`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter d D 4")
      #expect(!browser.screen(80, 9).contains("DogClub/1 The Pack .members[0]"))
      browser.press("G")
      #expect(browser.screen(80, 9).contains("DogClub/1 The Pack .members[0]"))
      browser.press("x")
      #expect(browser.screen().contains("There is no change under the cursor"))
      browser.press("gg x")
      #expect(browser.screen().contains("NO CHANGES"))
    }
  }

  @Test func `q closes the review before it asks about the changes`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter d D 4 q")
      #expect(browser.screen().contains("▸2 Person"))
      browser.press("q")
      #expect(browser.screen().contains("1 change not committed"))
    }
  }

  @Test func `^Z stops the program while a value is typed, which stays`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter l e ^U")
      browser.type("Max")
      let effects = browser.press("^Z")
      #expect(effects.contains { if case .suspend = $0 { true } else { false } })
      browser.press("Enter")
      #expect(browser.screen().contains("name of Dog/1 is Max"))
    }
  }

  @Test func `a text that is found late moves no cursor of another table`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter /")
      browser.type("Bell")
      browser.receive(.key(Key("a")))
      browser.receive(.key(Key(.enter)))
      let jobs = browser.takeEffects().compactMap { effect in
        if case .run(let job) = effect { job } else { nil }
      }
      let search = try #require(jobs.first)
      browser.press(":")
      browser.type("DogClub")
      browser.press("Enter")
      let before = browser.screen()
      for event in JobRunner.run(search) { browser.receive(.job(event)) }
      #expect(browser.screen() == before.replacing(/Finding.*stops it/, with: ""))
    }
  }

  @Test func `Enter links to nothing while what was typed is being looked for`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter ll e")
      for key in "Bella".map({ Key($0) }) { browser.receive(.key(key)) }
      let jobs = browser.takeEffects().compactMap { effect in
        if case .run(let job) = effect { job } else { nil }
      }
      browser.press("Enter")
      #expect(browser.screen().contains("The search is still running"))
      #expect(browser.screen().contains("NO CHANGES"))
      for event in JobRunner.run(try #require(jobs.last)) { browser.receive(.job(event)) }
      browser.press("Enter")
      #expect(browser.screen().contains("dog of Person/1 is →Dog/3 Bella"))
    }
  }

  @Test func `no key waits for the commit of another program, and Esc gives one's own up`() throws {
    try Kennels.browse { browser, database in
      browser.press("Enter d D 4")
      let other = try database.beginWrite()
      browser.receive(.key(Key("w")))
      browser.receive(.key(Key("y")))
      let jobs = browser.takeEffects().compactMap { effect in
        if case .run(let job) = effect { job } else { nil }
      }
      #expect(browser.screen().contains("Committing…  Esc stops it"))
      browser.press("x")
      #expect(browser.screen().contains("Another program is writing"))
      #expect(browser.screen().contains("DRAFT 1 change"))
      browser.press("Esc")
      #expect(browser.screen().contains("Nothing was committed"))
      other.rollback()
      // The lock that comes too late is given back.
      for event in JobRunner.run(try #require(jobs.first)) { browser.receive(.job(event)) }
      #expect(browser.screen().contains("DRAFT 1 change"))
      browser.press("w y")
      #expect(browser.screen().contains("Committed"))
    }
  }

  @Test func `what was so before cannot be undone, and is not said to be`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter llll e f")
      #expect(browser.screen().contains("isGood of Dog/1 is false; nothing has changed"))
      #expect(browser.screen().contains("NO CHANGES"))
      browser.press("e t")
      #expect(browser.screen().contains("isGood of Dog/1 is true; u undoes"))
    }
  }

  @Test func `a member of a set does not vanish into an equal one`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter Enter /")
      browser.type("tags")
      browser.press("Enter Enter e ^U")
      browser.type("tall")
      browser.press("Enter")
      #expect(browser.screen().contains("tall is already in the set; nothing was changed"))
      #expect(browser.screen().contains("tags of Person/1 [2]"))
      #expect(browser.screen().contains("NO CHANGES"))
    }
  }

  /// Opens the name of the first dog in the person's editor.
  private func openEditor(_ browser: Browser) throws -> Int {
    let effects = browser.press("E")
    let tokens = effects.compactMap { effect in
      if case .editExternally(_, let token) = effect { token } else { nil }
    }
    return try #require(tokens.first)
  }

  @Test func `the line break that an editor adds is not a change`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter l")
      browser.receive(.edited(token: try openEditor(browser), .saved("Rex\n")))
      #expect(browser.screen().contains("Unchanged"))
      browser.receive(.edited(token: try openEditor(browser), .saved("Max\nMoritz\n")))
      #expect(browser.screen().contains("name of Dog/1 is Max␤Moritz;"))
      browser.receive(.edited(token: try openEditor(browser), .saved("Max\n\n")))
      #expect(browser.screen().contains("name of Dog/1 is Max␤;"))
      browser.receive(.edited(token: try openEditor(browser), .saved("Moritz\n")))
      #expect(browser.screen().contains("name of Dog/1 is Moritz␤;"))
    }
  }

  @Test func `an editor that fails changes nothing and is told`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter l")
      browser.receive(.edited(token: try openEditor(browser), .failed("The editor “vi” failed")))
      #expect(browser.screen().contains("! The editor “vi” failed; nothing is changed"))
      #expect(browser.screen().contains("NO CHANGES"))
    }
  }

  @Test func `a database without classes says where they come from`() throws {
    try withTemporaryDatabase { database in
      let browser = try Kennels.browser(database)
      #expect(
        browser.screen().contains("no classes yet: a program or ‘kennel import’ creates some")
      )
    }
  }
}
