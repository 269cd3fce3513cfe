import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

@Suite("A report in the browser")
struct ReportTests {
  /// Runs a command of the palette.
  private func run(_ command: String, in browser: Browser) {
    browser.press(":")
    browser.type(command)
    browser.press("Enter")
  }

  /// Another program commits, and time passes.
  private func commit(
    _ database: Database,
    _ browser: Browser,
    _ body: (WriteTransaction) throws -> Void
  ) throws {
    try database.write(body)
    _ = JobRunner.send(.tick, to: browser)
  }

  private func object(
    _ className: String,
    _ key: UInt64,
    in reader: DatabaseReader
  ) throws -> ObjectIdentity {
    ObjectIdentity(try reader.schema.require(className).key, ObjectKey(rawValue: key))
  }

  private func set(
    _ object: ObjectIdentity,
    _ name: String,
    _ value: Value,
    in transaction: WriteTransaction
  ) throws {
    let classSchema = try #require(transaction.schema[object.classKey])
    try transaction.set(object, property: classSchema.require(name).key, to: value)
  }

  // MARK: - The doctor

  @Test func `of the doctor lists findings, and Enter opens their objects`() throws {
    try Kennels.browse { browser, _ in
      run("doctor", in: browser)
      #expect(browser.screen().contains("The doctor has 1 finding"))
      #expect(browser.screen().contains("Person.dogs has the same object twice in 1 object"))
      #expect(browser.screen().contains("show these Person objects"))
      browser.press("Enter")
      #expect(browser.screen().contains("Person where SELF == object(Person/1)  1 of 1"))
      run("report", in: browser)
      browser.press("j")
      #expect(browser.screen().contains(">     Person/1 Ada"))
      browser.press("Enter")
      #expect(browser.screen().contains("2 Person/1 Ada"))
      // Back to the report, then to where it was opened from.
      browser.press("Bksp")
      #expect(browser.screen().contains(">     Person/1 Ada"))
      browser.press("Esc")
      #expect(browser.screen().contains("Person where SELF == object(Person/1)"))
    }
  }

  @Test func `of the doctor says so where it finds nothing`() throws {
    try withTemporaryDatabase { database in
      try database.write { try $0.define(Kennels.classes) }
      let browser = try Kennels.browser(database)
      run("doctor", in: browser)
      #expect(browser.screen().contains("Nothing found: no orphans"))
    }
  }

  @Test func `does not take the keys from a dialog that is open`() throws {
    try Kennels.browse { browser, _ in
      browser.press(":")
      browser.type("doctor")
      browser.receive(.key(Key(.enter)))
      browser.receive(.key(Key(":")))
      for case .run(let job) in browser.takeEffects() {
        for event in JobRunner.run(job) { browser.receive(.job(event)) }
      }
      #expect(browser.screen().contains("Go to a class, Class/key or command"))
      #expect(browser.screen().contains(":report shows it"))
    }
  }

  // MARK: - Differences

  @Test func `of a difference lists the objects that differ, and Enter opens them here`() throws {
    let other = try TemporaryDatabase()
    try Kennels.fill(other.database)
    try other.database.write { transaction in
      try set(try object("Dog", 2, in: transaction), "age", .int(8), in: transaction)
      _ = try transaction.create(try transaction.schema.require("Dog").key, [:])
    }
    try Kennels.browse { browser, _ in
      run("diff \(other.path)", in: browser)
      let screen = browser.screen(120, 30)
      #expect(screen.contains("── 1 object deleted, 1 changed, from "))
      #expect(screen.contains("~ Dog/2 Fido"))
      #expect(screen.contains("age: 8 → 7"))
      #expect(screen.contains("- Dog/4"))
      browser.press("Enter")
      #expect(browser.screen().contains("2 Dog/2 Fido"))
      browser.press("Bksp j j Enter")
      #expect(browser.screen().contains("The object does not exist here"))
    }
  }

  @Test(arguments: ["/nowhere/none.kennel", "/etc/passwd"])
  func `of a difference with what is no database says why`(path: String) throws {
    try Kennels.browse { browser, _ in
      run("diff \(path)", in: browser)
      #expect(browser.screen(160, 24).contains("! Comparing with \(path): Cannot open"))
    }
  }

  // MARK: - Commits

  @Test func `of commits lists what other programs commit, value by value`() throws {
    try Kennels.browse { browser, database in
      browser.press("g b")
      #expect(browser.screen().contains("gb lists what other programs commit"))
      try commit(database, browser) { transaction in
        try set(try object("Dog", 1, in: transaction), "age", .int(4), in: transaction)
        try transaction.delete([try object("Dog", 3, in: transaction)])
      }
      #expect(browser.screen(120, 24).contains("1 object deleted, 2 changed; gb lists it"))
      browser.press("g b")
      let screen = browser.screen(100, 30)
      #expect(screen.contains("Commits of other programs since commit 1: 1"))
      #expect(screen.contains("Commit 2: 1 object deleted, 2 changed"))
      #expect(screen.contains("~ Dog/1 Rex"))
      #expect(screen.contains("age: 3 → 4"))
      #expect(screen.contains("- Dog/3 Bella"))
      #expect(screen.contains("dogs[0]: - →Dog/3"))
    }
  }

  @Test func `of commits follows them while it is open, and Enter goes to the object`() throws {
    try Kennels.browse { browser, database in
      browser.press("g b")
      for age in [4, 5] {
        try commit(database, browser) { transaction in
          try set(try object("Dog", 1, in: transaction), "age", .int(Int64(age)), in: transaction)
        }
        if age == 4 { browser.press("g b G") }
      }
      let screen = browser.screen(100, 30)
      #expect(screen.contains("age: 3 → 4"))
      #expect(screen.contains(">       age: 4 → 5"))
      browser.press("Enter")
      #expect(browser.screen().contains("2 Dog/1 Rex"))
      // It comes back with the cursor where it was, and begins again at b.
      browser.press("g b")
      #expect(browser.screen(100, 30).contains(">       age: 4 → 5"))
      browser.press("b g b")
      #expect(browser.screen(100, 30).contains("No other program has committed since commit 3"))
    }
  }

  @Test func `of commits leaves out those of the browser itself`() throws {
    try Kennels.browse { browser, database in
      browser.press("g b j Enter l l e")
      browser.press("Bksp 9 Enter 4 w y")
      _ = JobRunner.send(.tick, to: browser)
      #expect(try database.snapshot().commitNumber == 2)
      browser.press("g b")
      #expect(browser.screen().contains("No other program has committed since commit 1"))
      try commit(database, browser) { transaction in
        try set(try object("Dog", 2, in: transaction), "age", .int(6), in: transaction)
      }
      browser.press("g b")
      #expect(browser.screen().contains("Commit 3: 1 object changed"))
      #expect(!browser.screen().contains("age: 3 → 9"))
    }
  }

  @Test func `of a large commit lists a thousand objects and counts the rest`() throws {
    try Kennels.browse { browser, database in
      browser.press("g b")
      try commit(database, browser) { transaction in
        let dog = try transaction.schema.require("Dog").key
        for _ in 0..<1_500 { _ = try transaction.create(dog, [:]) }
      }
      browser.press("g b")
      #expect(browser.screen().contains("Commit 2: 1500 objects created"))
      browser.press("G")
      #expect(browser.screen().contains("… and 500 more objects"))
    }
  }

  @Test func `keeps no old snapshot, which would make the file grow`() throws {
    try Kennels.browse { browser, database in
      browser.press("g b")
      for age in 0..<20 {
        try commit(database, browser) { transaction in
          try set(try object("Dog", 1, in: transaction), "age", .int(Int64(age)), in: transaction)
        }
      }
      #expect(database.keptCommitCount <= 2)
    }
  }
}
