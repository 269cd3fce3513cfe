import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

/// What a person was shown is what is done, whatever other programs commit meanwhile.
@Suite("What was agreed to")
struct AgreementTests {
  private func command(_ text: String, _ browser: Browser) {
    browser.press(":")
    browser.type(text)
    browser.press("Enter")
  }

  /// Another program changes a dog, and time passes.
  private func commit(
    _ database: Database,
    _ browser: Browser,
    _ body: (WriteTransaction, ClassSchema) throws -> Void
  ) throws {
    try database.write { try body($0, try $0.schema.require("Dog")) }
    _ = JobRunner.send(.tick, to: browser)
  }

  private func dog(_ key: UInt64, _ schema: ClassSchema) -> ObjectIdentity {
    ObjectIdentity(schema.key, ObjectKey(rawValue: key))
  }

  // MARK: - :set

  @Test func `is shown again where another program has changed what is set`() throws {
    try Kennels.browse { browser, database in
      browser.press("j Enter")
      command("set age = age + 1 where age < 5", browser)
      try commit(database, browser) { transaction, schema in
        try transaction.set(dog(1, schema), property: schema.require("age").key, to: .int(4))
      }
      browser.press("y")
      #expect(browser.screen().contains("The data has changed meanwhile"))
      #expect(browser.screen().contains("Dog/1 Rex                 4 → 5"))
      browser.press("y")
      #expect(browser.screen().contains("Set age of 2 Dog objects; u undoes"))
    }
  }

  @Test func `is done where another program has changed something else`() throws {
    try Kennels.browse { browser, database in
      browser.press("j Enter")
      command("set age = age + 1 where age < 5", browser)
      try commit(database, browser) { transaction, schema in
        try transaction.set(dog(2, schema), property: schema.require("age").key, to: .int(8))
      }
      browser.press("y")
      #expect(browser.screen().contains("Set age of 2 Dog objects; u undoes"))
    }
  }

  @Test func `of links that are set names what goes with the old ones`() throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        try transaction.define([
          ClassDefinition(
            "Car",
            properties: [
              PropertyDefinition("plate", .link("Plate"), deleteRule: .cascadeIfLast)
            ]
          ),
          ClassDefinition("Plate", properties: [PropertyDefinition("text", .string)]),
        ])
        let (car, plate) = (
          try transaction.schema.require("Car"), try transaction.schema.require("Plate")
        )
        for text in ["A 1", "B 2"] {
          let new = try transaction.create(plate.key, [plate.require("text").key: .string(text)])
          _ = try transaction.create(car.key, [car.require("plate").key: .link(new)])
        }
      }
      let browser = try Kennels.browser(database)
      browser.press("Enter")
      command("set plate = null", browser)
      browser.press("y")
      #expect(browser.screen().contains("Set plate of 2 objects?"))
      #expect(browser.screen().contains("† Plate/1"))
      #expect(browser.screen().contains("NO CHANGES"))
      browser.press("D")
      #expect(browser.screen().contains("Set plate of 2 Car objects; u undoes"))
    }
  }

  // MARK: - Files

  @Test func `of loading a file is the value that was named`() throws {
    try withTemporaryDatabase { database in
      try Kennels.fill(database)
      var settings = BrowserSettings(fileName: "people.kennel")
      settings.loadBytes = { _ in .loaded(Array("Loaded".utf8)) }
      let browser = try Browser(database, settings: settings)
      browser.press("j Enter l")
      command("load", browser)
      try commit(database, browser) { transaction, schema in
        try transaction.delete([dog(1, schema)])
      }
      browser.type("name.txt")
      browser.press("Enter")
      #expect(browser.screen().contains("Fido"))
      #expect(!browser.screen().contains("Loaded"))
    }
  }

  // MARK: - Commits

  @Test func `of a report is opened under the key that the commit gave`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter o Esc Bksp G y 1 gg Enter G ll p")
      #expect(browser.screen().contains("dog of Person/3 is →Dog/new1"))
      browser.press("Enter g w")
      #expect(browser.screen().contains("dog → Dog/new1"))
      browser.press("Esc 4 w y")
      #expect(browser.screen().contains("Committed"))
      command("report", browser)
      browser.press("j Enter")
      #expect(browser.screen().contains("2 Dog/4"))
      #expect(!browser.screen().contains("no longer exists"))
    }
  }

  @Test func `to leave out is forgotten with a change that was undone`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter l e")
      browser.type(" Rexson")
      browser.press("Enter l e")
      browser.type("1")
      browser.press("Enter 4")
      browser.press("G Space")
      #expect(browser.screen().contains("Left out"))
      browser.press("u w")
      #expect(browser.screen().contains("Commit to people.kennel?"))
      #expect(!browser.screen().contains("left out"))
    }
  }

  @Test func `to export the marked objects does not wait for the rows of a filter`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter Space j Space f")
      browser.type("age > 100")
      browser.receive(.key(Key(.escape)))
      browser.receive(.key(Key(.enter)))
      _ = browser.takeEffects()
      browser.receive(.key(Key("X")))
      #expect(browser.screen().contains("the 2 marked objects"))
      #expect(!browser.screen().contains("that are shown"))
    }
  }

  // MARK: - What is not found yet

  @Test(arguments: ["X", "I"])
  func `to do with rows waits until they are found`(keys: String) throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter l l f")
      browser.type("age > 100")
      browser.receive(.key(Key(.escape)))
      browser.receive(.key(Key(.enter)))
      _ = browser.takeEffects()
      browser.receive(.key(Key(keys.first ?? "?")))
      #expect(browser.screen().contains("are not found yet; nothing is done"))
    }
  }

  @Test func `to show in a new tab is a table of its own`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter f")
      browser.type("age > 100")
      browser.press("Enter t f")
      browser.type("1")
      browser.press("Enter")
      #expect(browser.screen().contains("age > 1001"))
      browser.press("[")
      #expect(browser.screen().contains("age > 100 "))
    }
  }
}
