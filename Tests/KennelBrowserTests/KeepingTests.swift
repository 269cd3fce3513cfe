import Foundation
import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

/// What is not committed outlives the browser.
@Suite struct KeepingTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private var names: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder.file("drafts")).sorted()) ?? []
  }

  private func journal(_ database: Database) -> DraftJournal {
    DraftJournal(for: database, in: folder.file("drafts"))
  }

  /// Runs a body on the little world, with a browser whose drafts are kept.
  private func browse(
    _ body: (_ browser: Browser, _ journal: DraftJournal, Database) throws -> Void
  ) throws {
    try withTemporaryDatabase { database in
      try Kennels.fill(database)
      let journal = journal(database)
      try body(try Kennels.browser(database, journal: journal), journal, database)
    }
  }

  /// The browser that is started next, after the one before was killed.
  private func next(after journal: DraftJournal, _ database: Database) throws -> Browser {
    journal.close()
    return try Kennels.browser(database, journal: self.journal(database))
  }

  @Test func `the offer to restore a draft shows what is in it`() throws {
    try browse { browser, journal, database in
      browser.press("j Enter l e ^U")
      browser.type("Max")
      browser.press("Enter j d D o Esc")
      browser.press("1 gg Enter lll Enter x")
      let second = try next(after: journal, database)
      let screen = second.screen()
      #expect(screen.contains("create  1 Dog"))
      #expect(screen.contains("change  1 Person, 1 Dog"))
      #expect(screen.contains("delete  1 Dog"))
      #expect(screen.contains("~ Dog/1 Rex  name: Rex → Max"))
      #expect(screen.contains("- Dog/2 Fido"))
      #expect(screen.contains("~ Person/1 Ada  dogs[0]: removed"))
    }
  }

  @Test func `what a commit leaves out is kept`() throws {
    try browse { browser, journal, database in
      browser.press("j Enter l e ^U")
      browser.type("Max")
      browser.press("Enter lll e t 4 j Space w y")
      #expect(browser.screen().contains("1 change left in the draft"))
      let second = try next(after: journal, database)
      #expect(second.screen().contains("~ Dog/1 Rex  name: Rex → Max"))
      second.press("r 4 w y")
      #expect(second.screen().contains("NO CHANGES"))
    }
  }

  /// A browser that died in the moment after it committed a part of its draft, and the next one.
  private func dieAfterCommit(_ body: (_ next: Browser) throws -> Void) throws {
    try browse { browser, journal, database in
      browser.press("j Enter l e ^U")
      browser.type("Max")
      browser.press("Enter lll e t 4 j Space w")
      browser.receive(.key(Key("y")))
      let jobs = browser.takeEffects().compactMap { effect in
        if case .run(let job) = effect { job } else { nil }
      }
      _ = JobRunner.run(try #require(jobs.first))
      try body(try next(after: journal, database))
    }
  }

  @Test func `a program that dies after a commit of a part offers the rest`() throws {
    try dieAfterCommit { second in
      #expect(second.screen().contains("1 change not committed"))
      #expect(second.screen().contains("a newer commit probably has them"))
      #expect(second.screen().contains("~ Dog/1 Rex  name: Rex → Max"))
      second.press("r 4")
      #expect(second.screen().contains("DRAFT 1 change"))
      second.press("w y")
      #expect(second.screen().contains("NO CHANGES"))
      second.press("1 j Enter")
      #expect(second.screen().contains("1  Max"))
    }
  }

  @Test func `a program that dies after a commit of a part offers the whole draft, too`() throws {
    try dieAfterCommit { second in
      second.press("a 4")
      #expect(second.screen().contains("DRAFT 2 changes"))
    }
  }

  @Test func `changes that cancel each other out are not kept`() throws {
    try browse { browser, _, _ in
      browser.press("j Enter llll e t")
      #expect(names.count == 1)
      browser.press("e f")
      #expect(browser.screen().contains("NO CHANGES"))
      #expect(names.isEmpty)
      browser.press("u")
      #expect(names.count == 1)
    }
  }

  @Test func `each change is kept, and the last undo removes the journal`() throws {
    try browse { browser, _, _ in
      browser.press("Enter d D")
      #expect(names.count == 1)
      browser.press("u")
      #expect(names.isEmpty)
      browser.press("U")
      #expect(names.count == 1)
      browser.press("4 w y")
      #expect(browser.screen().contains("Committed"))
      #expect(names.isEmpty)
      browser.press("2 d D :")
      browser.type("rollback")
      browser.press("Enter")
      #expect(names.count == 1)
      browser.press("D")
      #expect(browser.screen().contains("All changes are discarded"))
      #expect(names.isEmpty)
    }
  }

  @Test func `quitting keeps or removes what is not committed, as one says`() throws {
    try browse { browser, journal, database in
      browser.press("Enter d D Q")
      #expect(browser.screen().contains("k  keep them for the next time, and quit"))
      let effects = browser.press("k")
      #expect(effects.contains { if case .quit(0) = $0 { true } else { false } })
      #expect(browser.saveDraftNow() == nil)
      #expect(names.count == 1)
      let second = try next(after: journal, database)
      #expect(second.screen().contains("1 change not committed"))
      second.press("r Q D")
      #expect(second.saveDraftNow() == nil)
      #expect(names.isEmpty)
    }
  }

  @Test func `one change of a person is one step of undo after it was restored`() throws {
    try browse { browser, journal, database in
      // A copy of an object with embedded ones is several operations.
      browser.press("j j Enter O")
      browser.press("gg O")
      #expect(browser.screen().contains("DRAFT"))
      let second = try next(after: journal, database)
      second.press("r")
      #expect(second.screen().contains("DRAFT"))
      for _ in 0..<2 {
        #expect(second.screen().contains("DRAFT"))
        second.press("u")
      }
      #expect(second.screen().contains("NO CHANGES"))
      #expect(names.isEmpty)
      second.press("U U")
      #expect(names.count == 1)
    }
  }

  @Test func `what was committed meanwhile conflicts, and is told`() throws {
    try browse { browser, journal, database in
      browser.press("j Enter l e ^U")
      browser.type("Max")
      browser.press("Enter")
      journal.close()
      try database.write { transaction in
        let dog = try #require(transaction.schema["Dog"])
        let rex = ObjectIdentity(dog.key, ObjectKey(rawValue: 1))
        try transaction.set(rex, property: try #require(dog["name"]).key, to: .string("Bo"))
      }
      let second = try next(after: journal, database)
      #expect(second.screen().contains("Commits since then: 1; changes of the same values will"))
      second.press("r")
      #expect(second.screen().contains("! Restored 1 change, 1 conflict; 4 shows them"))
      second.press("4 m w y")
      #expect(second.screen().contains("Committed"))
      #expect(names.isEmpty)
      let rex = try database.snapshot()
      #expect(try rex.displayName(of: rex.keys(1), limit: 20) == "Max")
    }
  }

  @Test func `only the commits since the last change are told`() throws {
    try browse { browser, journal, database in
      func commit(_ name: String) throws {
        try database.write { transaction in
          let dog = try #require(transaction.schema["Dog"])
          let bella = ObjectIdentity(dog.key, ObjectKey(rawValue: 3))
          try transaction.set(bella, property: try #require(dog["name"]).key, to: .string(name))
        }
        _ = JobRunner.send(.tick, to: browser)
      }
      browser.press("Enter d D")
      for name in ["A", "B", "C"] { try commit(name) }
      browser.press("j d D")
      let second = try next(after: journal, database)
      #expect(!second.screen().contains("Commits since then"))
      second.press("Esc")
      try commit("D")
      let third = try next(after: journal, database)
      #expect(third.screen().contains("Commits since then: 1; changes of the same values will"))
    }
  }

  @Test func `a commit that the program did not survive says that it may have happened`() throws {
    try browse { browser, journal, database in
      browser.press("Enter d D 4")
      browser.receive(.key(Key("w")))
      browser.receive(.key(Key("y")))
      let jobs = browser.takeEffects().compactMap { effect in
        if case .run(let job) = effect { job } else { nil }
      }
      let events = JobRunner.run(try #require(jobs.first))
      let path = folder.file("drafts/\(names[0])")
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      for event in events { browser.receive(.job(event)) }
      _ = JobRunner.runJobs(of: browser)
      #expect(browser.screen().contains("Committed"))
      #expect(names.isEmpty)
      try bytes.write(to: URL(fileURLWithPath: path))
      let second = try next(after: journal, database)
      #expect(second.screen().contains("A commit was under way, and there is a newer one"))
    }
  }

  @Test func `a line that breaks during a commit keeps what is committed or the draft, never both`()
    throws
  {
    for (hearsOfIt, isStopped) in [(true, false), (true, true), (false, false)] {
      try browse { browser, journal, database in
        browser.press("Enter d D 4")
        browser.receive(.key(Key("w")))
        browser.receive(.key(Key("y")))
        func jobs() -> [Job] {
          browser.takeEffects().compactMap { if case .run(let job) = $0 { job } else { nil } }
        }
        let commit = try #require(jobs().first)
        var terminations = 0
        let event = browser.work(on: commit) {
          terminations += 1
          browser.receive(.terminate)
          #expect(jobs().isEmpty)
        }
        #expect(terminations == 1)
        // Who ends the program stops all jobs, also one that is done.
        if hearsOfIt { browser.receive(.job(isStopped ? .cancelled(commit.id) : event)) }
        #expect(browser.saveDraftNow() == nil)
        #expect(browser.changeCount == (hearsOfIt ? 0 : 1))
        #expect(names.isEmpty == hearsOfIt)
        let second = try next(after: journal, database)
        let doubt = second.screen().contains("A commit was under way, and there is a newer one")
        #expect(doubt == !hearsOfIt)
        second.press("d D")
      }
    }
  }

  @Test func `a commit that gets its turn when the line is broken is not begun`() throws {
    try browse { browser, journal, database in
      browser.press("Enter d D 4")
      browser.receive(.key(Key("w")))
      browser.receive(.key(Key("y")))
      let effects = browser.takeEffects()
      browser.receive(.terminate)
      _ = browser.takeEffects()
      for case .run(let job) in effects {
        for event in JobRunner.run(job) { browser.receive(.job(event)) }
      }
      #expect(browser.takeEffects().isEmpty)
      #expect(browser.saveDraftNow() == nil)
      let second = try next(after: journal, database)
      #expect(second.screen().contains("1 change not committed"))
      #expect(!second.screen().contains("A commit was under way"))
      try database.write { _ in }
    }
  }

  @Test func `a commit that is given up is kept as not committed`() throws {
    try browse { browser, journal, database in
      browser.press("Enter d D 4")
      let other = try database.beginWrite()
      browser.receive(.key(Key("w")))
      browser.receive(.key(Key("y")))
      let jobs = browser.takeEffects().compactMap { effect in
        if case .run(let job) = effect { job } else { nil }
      }
      browser.press("Esc")
      other.rollback()
      for event in JobRunner.run(try #require(jobs.first), isCancelled: true) {
        browser.receive(.job(event))
      }
      journal.close()
      let kept = try #require(self.journal(database).findKept().first)
      #expect(kept.committingOnto == nil)
    }
  }

  @Test func `what cannot be kept is told once, and hinders nobody`() throws {
    try browse { browser, journal, database in
      let place = URL(fileURLWithPath: folder.file("drafts"))
      try Data("a file".utf8).write(to: place)
      browser.press("Enter d D")
      #expect(browser.screen(200).contains("! Cannot keep the draft: Not a directory, in "))
      #expect(browser.screen().contains("DRAFT 1 change, NOT SAVED"))
      browser.press("j d D")
      #expect(browser.screen().contains("u undoes"))
      #expect(browser.screen().contains("DRAFT 2 changes"))
      browser.press("Q")
      #expect(!browser.screen().contains("k  keep"))
      browser.press("Esc")
      try FileManager.default.removeItem(at: place)
      browser.press("u")
      journal.close()
      let kept = try #require(self.journal(database).findKept().first)
      #expect(kept.records.changeCount == 1)
    }
  }

  @Test func `keys do not wait for the journal, and it loses none of them`() throws {
    try browse { browser, journal, database in
      for key in KeySequence("Enter d D j d D")?.keys ?? [] { browser.receive(.key(key)) }
      let jobs = browser.takeEffects().compactMap { effect in
        if case .run(let job) = effect { job } else { nil }
      }
      #expect(jobs.count == 1 && jobs[0].isUrgent)
      // The terminal goes away before the job has run.
      browser.receive(.terminate)
      for case .run(let job) in browser.takeEffects() { _ = JobRunner.run(job) }
      _ = JobRunner.run(jobs[0])
      let second = try next(after: journal, database)
      #expect(second.screen().contains("2 changes not committed"))
    }
  }

  @Test func `a line that breaks while a commit waits loses nothing`() throws {
    try browse { browser, journal, database in
      browser.press("Enter d D j d D 4")
      try FileManager.default.removeItem(atPath: folder.file("drafts"))
      let other = try database.beginWrite()
      browser.receive(.key(Key("w")))
      browser.receive(.key(Key("y")))
      _ = browser.takeEffects()
      browser.receive(.terminate)
      for case .run(let job) in browser.takeEffects() where job.isUrgent { _ = JobRunner.run(job) }
      other.rollback()
      let second = try next(after: journal, database)
      #expect(second.screen().contains("2 changes not committed"))
    }
  }

  @Test func `the draft of each browser is asked about, the newest first`() throws {
    try browse { browser, journal, database in
      browser.press("Enter d D")
      let first = try #require(names.first)
      let otherJournal = self.journal(database)
      let other = try Kennels.browser(database, journal: otherJournal)
      #expect(!other.screen().contains("not committed"))
      other.press("j Enter d D j d D")
      let time = Date(timeIntervalSince1970: 1_000_000)
      try FileManager.default.setAttributes(
        [.modificationDate: time],
        ofItemAtPath: folder.file("drafts/\(first)")
      )
      otherJournal.close()
      let third = try next(after: journal, database)
      #expect(third.screen().contains("2 changes not committed"))
      third.press("l")
      #expect(third.screen().contains("1 change not committed"))
      third.press("d D")
      #expect(third.screen().contains("NO CHANGES"))
      #expect(names.count == 1)
      #expect(self.journal(database).findKept().count == 1)
    }
  }

  @Test func `what of a journal is damaged is told before it is restored`() throws {
    try browse { browser, journal, database in
      browser.press("j Enter d D j d D")
      journal.close()
      let path = URL(fileURLWithPath: folder.file("drafts/\(names[0])"))
      var bytes = try Data(contentsOf: path)
      bytes[bytes.count - 1] ^= 1
      try bytes.write(to: path)
      let second = try next(after: journal, database)
      #expect(second.screen().contains("1 change not committed"))
      #expect(second.screen().contains(/What followed, \d+ bytes, is damaged and lost\./))
      second.press("Esc")
      bytes[9] ^= 1
      try bytes.write(to: path)
      let third = try next(after: journal, database)
      #expect(third.screen().contains("The changes of an earlier session are lost"))
      third.press("r")
      #expect(third.screen().contains("r is not one of them: l, d"))
      third.press("d D")
      #expect(names.isEmpty)
    }
  }

  @Test func `drafts that are for another file, or another version, are told with what to do`()
    throws
  {
    let path = folder.file("family.kennel")
    for number in 1...2 {
      let database = try Database.open(path)
      try Kennels.fill(database)
      let journal = journal(database)
      try Kennels.browser(database, journal: journal).press("Enter d D")
      journal.close()
      try FileManager.default.removeItem(atPath: path)
      #expect(names.count == number)
    }
    let database = try Database.open(path)
    try Kennels.fill(database)
    let browser = try Kennels.browser(database, journal: journal(database))
    #expect(
      browser.screen().contains(
        "! 2 drafts of a file that was here before; ‘kennel drafts’ can remove them"
      )
    )
  }

  @Test func `the question fits any screen, and keys but its own do nothing`() throws {
    try browse { browser, journal, database in
      browser.press("Enter d D")
      let second = try next(after: journal, database)
      for size in [(1, 1), (7, 3), (30, 7), (200, 60)] {
        #expect(second.draw(Size(columns: size.0, rows: size.1)).text.count <= size.1)
      }
      second.press("j Enter q : u w D D x d Esc")
      second.receive(.key(Key(.paste("rlD"))))
      #expect(second.screen().contains("1 change not committed"))
      #expect(names.count == 1)
      _ = JobRunner.send(.tick, to: second)
      second.press("Esc")
      #expect(second.screen().contains("Kept; the next start asks again"))
      // A change that is made now has a journal of its own.
      second.press("Enter d D")
      #expect(names.count == 2)
    }
  }

  /// The review, with the cursor on its first line; what is left out of the next commit is no change.
  private func lines(_ browser: Browser) -> [String] {
    browser.press("gg")
    return browser.screen(100, 60).split(separator: "\n").dropFirst(2).dropLast(2).map { line in
      String(line.drop { $0 != "│" }).replacing("  (left out)", with: "")
    }
  }

  @Test(arguments: 1...3)
  func `whatever is pressed, the journal has the draft`(_ seed: UInt64) throws {
    let path = folder.file("monkey.kennel")
    try Sample.fill(path)
    let database = try Database.open(path)
    var journal = journal(database)
    var browser = try Kennels.browser(database, journal: journal)
    var state = seed
    let keys = "j j l Enter Bksp e c x d D O o C u U 4 Space 1 2 a 3 gJ v n"
      .split(separator: " ").compactMap { KeySequence(String($0))?.keys }
    for step in 1...300 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      for key in keys[Int(state >> 33) % keys.count] {
        _ = JobRunner.send(.key(key), to: browser)
      }
      guard step % 25 == 0 else { continue }
      _ = JobRunner.send(.key(Key(.escape)), to: browser)
      _ = JobRunner.send(.key(Key(.escape)), to: browser)
      let count = browser.changeCount
      browser.press("4")
      let changes = lines(browser)
      journal.close()
      journal = self.journal(database)
      browser = try Kennels.browser(database, journal: journal)
      #expect(browser.screen().contains("not committed") == (count > 0))
      if count > 0 { browser.press("r") }
      #expect(browser.changeCount == count)
      browser.press("4")
      #expect(lines(browser) == changes)
      browser.press("1 Enter")
    }
  }
}

extension DatabaseReader {
  /// The dog with a key.
  fileprivate func keys(_ key: UInt64) throws -> ObjectIdentity {
    ObjectIdentity(try #require(schema["Dog"]).key, ObjectKey(rawValue: key))
  }
}
