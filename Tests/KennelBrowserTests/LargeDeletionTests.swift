import KennelBrowser
import KennelCore
import KennelTestSupport
import Synchronization
import Testing

/// A deletion that takes thousands with it, which a job does while the screen lives.
@Suite struct `A deletion of very many` {
  private static let count = 3_000

  /// A browser whose first object takes all the others along.
  private func browse(_ body: (Browser, Database) throws -> Void) throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        let leaves = PropertyDefinition("leaves", .list(.link("Leaf")), deleteRule: .cascade)
        try transaction.define([
          ClassDefinition("Root", properties: [PropertyDefinition("name", .string), leaves]),
          ClassDefinition("Leaf", properties: [PropertyDefinition("name", .string)]),
        ])
        let root = try #require(transaction.schema["Root"])
        let leaf = try #require(transaction.schema["Leaf"])
        let name = try #require(root["name"]).key
        let links = try (0..<Self.count).map { _ in
          Value.link(try transaction.create(leaf.key, [:]))
        }
        let property = try #require(root["leaves"]).key
        _ = try transaction.create(root.key, [name: .string("all"), property: .list(links)])
        _ = try transaction.create(root.key, [name: .string("none")])
      }
      try body(try Kennels.browser(database), database)
    }
  }

  /// Another program gives the second root another name.
  private func rename(_ database: Database, _ name: String) throws {
    try database.write { transaction in
      let root = try #require(transaction.schema["Root"])
      let second = ObjectIdentity(root.key, ObjectKey(rawValue: 2))
      try transaction.set(second, property: try #require(root["name"]).key, to: .string(name))
    }
  }

  /// Another program puts one more leaf to the others.
  private func enlarge(_ database: Database) throws {
    try database.write { transaction in
      let root = try #require(transaction.schema["Root"])
      let leaf = try #require(transaction.schema["Leaf"])
      let leaves = try #require(root["leaves"]).key
      let first = ObjectIdentity(root.key, ObjectKey(rawValue: 1))
      let new = try transaction.create(leaf.key, [:])
      try transaction.insert(.link(new), at: 0, of: first, property: leaves)
    }
  }

  /// Presses keys; the jobs that they start wait to be run.
  private func press(_ keys: String, _ browser: Browser) -> [Job] {
    for key in KeySequence(keys)?.keys ?? [] { browser.receive(.key(key)) }
    return jobs(of: browser)
  }

  /// The jobs that the browser has asked for.
  private func jobs(of browser: Browser) -> [Job] {
    browser.takeEffects().compactMap { if case .run(let job) = $0 { job } else { nil } }
  }

  private func run(_ jobs: [Job], _ browser: Browser, isCancelled: Bool = false) {
    for job in jobs {
      for event in JobRunner.run(job, isCancelled: isCancelled) { browser.receive(.job(event)) }
    }
  }

  @Test func `is planned, shown in full, and done by jobs`() throws {
    try browse { browser, _ in
      let plan = press("Enter d", browser)
      #expect(plan.count == 1)
      #expect(browser.screen().contains("Finding out what goes with it…  Esc stops it"))
      _ = press("j", browser)
      #expect(browser.screen().contains("Finding out what it changes; Esc stops that"))
      run(plan, browser)
      #expect(browser.screen().contains("Deletes 1 Root, 3000 Leaf:"))
      let deletion = press("3001 D", browser)
      #expect(deletion.count == 1)
      #expect(browser.screen().contains("Deleting 1 Root, 3000 Leaf…  Esc stops it"))
      // What it was is shown, and can be walked.
      _ = press("j k", browser)
      #expect(browser.screen().contains("Leaf         3000"))
      for key in ["e", "d", "o", "u", "4", "^S"] {
        #expect(press(key, browser).isEmpty)
        #expect(browser.screen().contains("is under way; Esc stops it"), "\(key)")
      }
      _ = press(":", browser)
      for character in "save-copy x" { browser.receive(.key(Key(character))) }
      #expect(press("Enter", browser).isEmpty)
      #expect(browser.screen().contains("is under way; Esc stops it"))
      run(deletion, browser)
      #expect(browser.screen().contains("Deleted 1 Root, 3000 Leaf; u undoes"))
      #expect(browser.screen().contains("DRAFT 1 change"))
      #expect(browser.screen().contains("Leaf            0"))
      let undo = press("u", browser)
      #expect(undo.count == 1)
      _ = press("j", browser)
      #expect(browser.screen().contains("Undoing…"))
      _ = press("Esc e", browser)
      #expect(browser.screen().contains("! Undoing is under way"))
      run(undo, browser)
      #expect(browser.screen().contains("Undid: "))
      #expect(browser.screen().contains("Leaf         3000"))
      let redo = press("^R", browser)
      #expect(redo.count == 1)
      run(redo, browser)
      #expect(browser.screen().contains("Leaf            0"))
      browser.press("u")
      #expect(browser.screen().contains("NO CHANGES"))
      browser.press("u")
      #expect(browser.screen().contains("There is nothing to undo"))
      browser.press("^R")
      #expect(browser.screen().contains("DRAFT 1 change"))
    }
  }

  @Test func `that was stopped is nothing that could be done again`() throws {
    try browse { browser, _ in
      browser.press("Enter j l e x Enter u")
      #expect(browser.screen().contains("Undid: set Root/2.name"))
      run(press("k h d", browser), browser)
      let deletion = try #require(press("3001 D", browser).first)
      browser.receive(.key(Key(.escape)))
      _ = browser.takeEffects()
      // It is done when it hears that it is to stop, and is taken back.
      let holder = Mutex<JobContext?>(nil)
      let context = JobContext { progress in
        if let done = progress, done > 0.87 { holder.withLock { $0 }?.cancel() }
      }
      holder.withLock { $0 = context }
      _ = deletion.work(context)
      #expect(context.isCancelled)
      browser.receive(.job(.cancelled(deletion.id)))
      #expect(browser.screen().contains("Nothing was deleted"))
      browser.press("^R")
      #expect(browser.screen().contains("Leaf         3000"))
      #expect(!browser.screen().contains("Redid: delete"))
    }
  }

  @Test func `that another program made larger is nothing that could be done again`() throws {
    try browse { browser, database in
      browser.press("Enter j l e x Enter u k h d 3001")
      try enlarge(database)
      _ = JobRunner.send(.tick, to: browser)
      browser.press("D")
      #expect(browser.screen().contains("Deletes 1 Root, 3001 Leaf:"))
      browser.press("Esc ^R")
      #expect(browser.screen().contains("Leaf         3001"))
      #expect(browser.screen().contains("NO CHANGES"))
    }
  }

  @Test func `is thrown away with the rest while it is done`() throws {
    try browse { browser, _ in
      browser.press("Enter j l e x Enter k h")
      run(press("d", browser), browser)
      let deletion = press("3001 D", browser)
      #expect(press("Q D", browser).isEmpty)
      run(deletion, browser)
      #expect(browser.saveDraftNow() != nil)
      #expect(browser.changeCount == 0)
    }
  }

  @Test func `is thrown away while it takes in another program's commit`() throws {
    try browse { browser, database in
      browser.press("Enter d 3001 D :")
      browser.type("rollback")
      browser.press("Enter")
      try rename(database, "some")
      browser.receive(.tick)
      let waiting = jobs(of: browser)
      #expect(press("D", browser).isEmpty)
      run(waiting, browser)
      #expect(browser.screen().contains("NO CHANGES"))
      #expect(browser.screen().contains("Leaf         3000"))
      #expect(browser.screen().contains("some"))
      browser.press("u")
      #expect(browser.screen().contains("There is nothing to undo"))
    }
  }

  @Test func `that was staged is dropped by jobs`() throws {
    try browse { browser, _ in
      browser.press("Enter d 3001 D j l e x Enter 4 gg")
      let dependents = press("x", browser)
      expectBusy("Finding out what depends on it", dependents, browser)
      run(dependents, browser)
      let dropping = jobs(of: browser)
      expectBusy("Dropping it", dropping, browser)
      run(dropping, browser)
      #expect(browser.screen().contains("Dropped the change; u undoes"))
      #expect(browser.screen().contains("DRAFT 1 change"))
      #expect(browser.screen().contains("Leaf         3000"))
      let undoing = press("u", browser)
      expectBusy("Undoing", undoing, browser)
      run(undoing, browser)
      #expect(browser.screen().contains("DRAFT 2 changes"))
      #expect(browser.screen().contains("Leaf            0"))
    }
  }

  @Test func `that was staged is committed by jobs`() throws {
    try browse { browser, database in
      browser.press("Enter d 3001 D 4")
      let commit = try #require(press("w y", browser).first)
      #expect(browser.screen().contains("Committing"))
      #expect(browser.screen().contains("Esc stop waiting and commit nothing"))
      browser.run(commit) {
        // It has the writer's lock.
        _ = press("j Q", browser)
        #expect(browser.screen().contains("! The changes are being committed"))
        #expect(press("Esc", browser).isEmpty)
        #expect(browser.screen().contains("! A commit under way cannot be stopped"))
        #expect(!browser.screen().contains("stop waiting"))
      }
      #expect(browser.screen().contains("Committed as number"))
      #expect(browser.screen().contains("NO CHANGES"))
      let stored = try database.snapshot()
      #expect(stored.count(of: ClassKey(rawValue: 1)) == 0)
    }
  }

  /// One job is at work, and nothing can be changed meanwhile.
  private func expectBusy(_ title: String, _ jobs: [Job], _ browser: Browser) {
    #expect(jobs.map(\.title) == [title])
    #expect(press("u", browser).isEmpty)
    #expect(browser.screen().contains("! \(title) is under way"))
  }

  @Test func `solves conflicts beside the screen`() throws {
    try browse { browser, database in
      browser.press("Enter d 3001 D j l e x Enter")
      try rename(database, "some")
      _ = JobRunner.send(.tick, to: browser)
      #expect(browser.screen().contains("! 1 conflict with another program's commit"))
      let jobs = press("4 m", browser)
      #expect(jobs.map(\.title) == ["Resolving the conflict"])
      run(jobs, browser)
      #expect(browser.screen().contains("No conflict is left; w commits"))
      browser.press("w y")
      let snapshot = try database.snapshot()
      let second = ObjectIdentity(ClassKey(rawValue: 0), ObjectKey(rawValue: 2))
      #expect(try snapshot.displayName(of: second, limit: 20) == "nonex")
    }
  }

  @Test func `is restored by a job, and asked about as it was`() throws {
    let folder = try TemporaryFolder()
    try browse { _, database in
      func journal() -> DraftJournal { DraftJournal(for: database, in: folder.file("drafts")) }
      let kept = journal()
      let browser = try Kennels.browser(database, journal: kept)
      browser.press("Enter d 3001 D j l e x Enter")
      kept.close()
      let second = try Kennels.browser(database, journal: journal())
      #expect(second.screen().contains("2 changes not committed"))
      let jobs = press("r", second)
      #expect(jobs.map(\.title) == ["Restoring"])
      _ = press("Enter e", second)
      #expect(second.screen().contains("! Restoring is under way"))
      run(jobs, second)
      _ = JobRunner.runJobs(of: second)
      #expect(second.screen().contains("Restored 2 changes; 4 shows them"))
      #expect(second.screen().contains("Leaf            0"))
      second.press("u")
      #expect(second.screen().contains("Undid: set Root/2.name"))
      second.press("u")
      #expect(second.screen().contains("NO CHANGES"))
      #expect(second.saveDraftNow() == nil)
      #expect(journal().findKept().isEmpty)
    }
  }

  @Test func `and little are shown together, each object once`() throws {
    try browse { browser, _ in
      browser.press("Enter j d D d 3001 D 4")
      let screen = browser.screen(100, 60)
      #expect(screen.contains("DRAFT 2 changes"))
      #expect(screen.contains("Deletes 2 Root, 3000 Leaf:"))
      #expect(screen.contains("- Root/1 all") && screen.contains("- Root/2 none"))
    }
  }

  @Test func `that is staged takes other programs' commits in beside the screen`() throws {
    try browse { browser, database in
      browser.press("Enter d 3001 D")
      try rename(database, "some")
      browser.receive(.tick)
      let waiting = jobs(of: browser)
      #expect(waiting.contains { $0.title == "Taking in another program's commit" })
      browser.receive(.tick)
      #expect(browser.screen().contains("none"))
      #expect(press("e", browser).isEmpty)
      #expect(browser.screen().contains("is under way"))
      run(waiting, browser)
      #expect(browser.screen().contains("some"))
      #expect(browser.screen().contains("Another program committed"))
      #expect(browser.screen().contains("DRAFT 1 change"))
      browser.press("4 w y")
      #expect(browser.screen().contains("Committed as number"))
    }
  }

  @Test func `is stopped while it is planned and while it is done`() throws {
    try browse { browser, database in
      let plan = press("Enter d", browser)
      _ = press("Esc", browser)
      #expect(browser.screen().contains("Nothing was changed"))
      run(plan, browser, isCancelled: true)
      #expect(!browser.screen().contains("Deletes"))
      run(press("d", browser), browser)
      let deletion = press("3001 D", browser)
      browser.receive(.key(Key(.escape)))
      let effects = browser.takeEffects()
      #expect(effects.contains { if case .cancel(deletion[0].id) = $0 { true } else { false } })
      #expect(browser.screen().contains("Stopping: Deleting"))
      #expect(press("e", browser).isEmpty)
      #expect(browser.screen().contains("is under way"))
      run(deletion, browser, isCancelled: true)
      #expect(browser.screen().contains("Nothing was deleted"))
      #expect(browser.screen().contains("NO CHANGES"))
      #expect(browser.screen().contains("Leaf         3000"))
      browser.press("l e x Enter")
      #expect(browser.screen().contains("DRAFT 1 change"))
      let stored = try database.snapshot()
      #expect(stored.count(of: ClassKey(rawValue: 1)) == Self.count)
    }
  }

  @Test func `is shown again where another program made it larger`() throws {
    try browse { browser, database in
      browser.press("Enter d 3001")
      try enlarge(database)
      _ = JobRunner.send(.tick, to: browser)
      browser.press("D")
      #expect(browser.screen().contains("Deletes 1 Root, 3001 Leaf:"))
      #expect(browser.screen().contains("Another program committed"))
      #expect(browser.screen().contains("NO CHANGES"))
      browser.press("3002 D")
      #expect(browser.screen().contains("DRAFT 1 change"))
      browser.press("4 w y")
      #expect(try database.snapshot().count(of: ClassKey(rawValue: 1)) == 0)
    }
  }
}
