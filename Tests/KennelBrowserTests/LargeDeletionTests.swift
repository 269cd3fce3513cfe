import KennelBrowser
import KennelCore
import KennelTestSupport
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

  /// Presses keys; the jobs that they start wait to be run.
  private func press(_ keys: String, _ browser: Browser) -> [Job] {
    for key in KeySequence(keys)?.keys ?? [] { browser.receive(.key(key)) }
    return browser.takeEffects().compactMap { if case .run(let job) = $0 { job } else { nil } }
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
      #expect(browser.screen().contains("It is found out what goes with it; Esc stops that"))
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
      #expect(browser.screen().contains("Deleted; u undoes"))
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

  @Test func `that is staged takes other programs' commits in beside the screen`() throws {
    try browse { browser, database in
      browser.press("Enter d 3001 D")
      try database.write { transaction in
        let root = try #require(transaction.schema["Root"])
        let name = try #require(root["name"]).key
        let second = ObjectIdentity(root.key, ObjectKey(rawValue: 2))
        try transaction.set(second, name, .string("some"))
      }
      browser.receive(.tick)
      let jobs = browser.takeEffects().compactMap {
        if case .run(let job) = $0 { job } else { nil }
      }
      #expect(jobs.contains { $0.title == "Taking in another program's commit" })
      browser.receive(.tick)
      #expect(browser.screen().contains("none"))
      #expect(press("e", browser).isEmpty)
      #expect(browser.screen().contains("is under way"))
      run(jobs, browser)
      #expect(browser.screen().contains("some"))
      #expect(browser.screen().contains("Another program committed"))
      #expect(browser.screen().contains("DRAFT 1 change"))
      browser.press("4 w")
      #expect(browser.screen().contains("Committed as number"))
    }
  }

  @Test func `is stopped while it is planned and while it is done`() throws {
    try browse { browser, database in
      let plan = press("Enter d", browser)
      _ = press("Esc", browser)
      #expect(browser.screen().contains("Nothing is deleted"))
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
      #expect(browser.screen().contains("Nothing is deleted"))
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
      try database.write { transaction in
        let root = try #require(transaction.schema["Root"])
        let leaf = try #require(transaction.schema["Leaf"])
        let leaves = try #require(root["leaves"]).key
        let first = ObjectIdentity(root.key, ObjectKey(rawValue: 1))
        let new = try transaction.create(leaf.key, [:])
        try transaction.insert(.link(new), at: 0, of: first, leaves)
      }
      _ = JobRunner.send(.tick, to: browser)
      browser.press("D")
      #expect(browser.screen().contains("Deletes 1 Root, 3001 Leaf:"))
      #expect(browser.screen().contains("Another program committed"))
      #expect(browser.screen().contains("NO CHANGES"))
      browser.press("3002 D")
      #expect(browser.screen().contains("DRAFT 1 change"))
      browser.press("4 w")
      #expect(try database.snapshot().count(of: ClassKey(rawValue: 1)) == 0)
    }
  }
}
