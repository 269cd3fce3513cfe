import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

@Suite struct TableTests {
  @Test func `a sort moves the rows and not the cursor`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter l s")
      let screen = browser.screen()
      #expect(screen.contains("[name↑]"))
      #expect(screen.contains(">    1  Rex"))
      #expect(screen.contains("3 of 3"))
      browser.press("s")
      #expect(browser.screen().contains("[name↓]"))
      browser.press("s")
      #expect(browser.screen().contains("[name]"))
    }
  }

  @Test func `a second key sorts what the first leaves equal`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter llll s h h S")
      #expect(browser.screen().contains("isGood↑1"))
      #expect(browser.screen().contains("[age↑2]"))
    }
  }

  @Test func `a name that is cut keeps the sign of its order`() throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        let long = PropertyDefinition("a_name_that_is_longer_than_any_column", .string)
        let class0 = ClassDefinition("Odd", properties: [long, PropertyDefinition("b", .int)])
        try transaction.define([class0])
        try transaction.create(try transaction.schema.require("Odd").key, [:])
      }
      let browser = try Browser(database, settings: BrowserSettings(fileName: "odd.kennel"))
      browser.press("Enter l s")
      #expect(browser.screen().contains("[a_name_that_is_longer_than_any…↑]"))
    }
  }

  @Test func `nothing changes on the screen before a job is done`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter l")
      let before = browser.screen()
      browser.receive(.key(Key("s")))
      let during = browser.screen()
      #expect(during.contains("Sorting Dog by name"))
      #expect(before.split(separator: "\n")[3] == during.split(separator: "\n")[3])
      browser.receive(.key(Key("j")))
      #expect(browser.screen().contains(">    2  Fido"))
      _ = JobRunner.runJobs(of: browser)
      #expect(browser.screen().contains("[name↑]"))
      #expect(browser.screen().contains(">    2  Fido"))
    }
  }

  @Test func `a job that is stopped leaves the table as it was`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter l")
      browser.receive(.key(Key("s")))
      let effects = browser.takeEffects()
      #expect(effects.contains { if case .run = $0 { true } else { false } })
      browser.receive(.key(Key(.escape)))
      #expect(browser.takeEffects().contains { if case .cancel = $0 { true } else { false } })
      #expect(browser.screen().contains("[name]"))
      #expect(browser.screen().contains("Stopped"))
    }
  }

  @Test func `a filter leaves what fits, and F shows all again`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter f")
      browser.type("name CONTAINS \"e\"")
      browser.press("Enter")
      #expect(browser.screen().contains("Dog where name CONTAINS \"e\"  1 of 2"))
      browser.press("F")
      #expect(browser.screen().contains("1 of 3"))
    }
  }

  @Test func `an error of a filter stands at its column`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter f")
      browser.type("nme == 3")
      #expect(browser.screen().contains("↓"))
      browser.press("Enter")
      #expect(browser.screen().contains("Dog where: nme == 3"))
    }
  }

  @Test func `the value under the cursor becomes a filter`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter l ,")
      #expect(browser.screen().contains("where name == \"Rex\"  1 of 1"))
    }
  }

  @Test func `the value under the cursor becomes a filter, whatever its kind`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter l l ,")
      #expect(browser.screen().contains("Person where dog == object(Dog/1)  1 of 2"))
      browser.press("F")
    }
  }

  @Test func `find goes to the next match and around the end`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter /")
      browser.type("be")
      browser.press("Enter")
      #expect(browser.screen().contains(">    3  Bella"))
      browser.press("/")
      browser.type("rex")
      browser.press("Enter")
      #expect(browser.screen().contains(">    1  Rex"))
      #expect(browser.screen().contains("The search wrapped around"))
      browser.press("/")
      browser.type("nobody")
      browser.press("Enter")
      #expect(browser.screen().contains("“nobody” is not found"))
    }
  }

  @Test func `a hidden property is gone from the table and comes back`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter l -")
      #expect(!browser.screen().contains(" name"))
      browser.press(":")
      browser.type("show-hidden")
      browser.press("Enter")
      #expect(browser.screen().contains(" name"))
    }
  }

  @Test func `a deleted object under the cursor is said so`() throws {
    try Kennels.browse { browser, database in
      browser.press("j Enter j")
      try database.write { transaction in
        let dog = try #require(transaction.schema["Dog"])
        try transaction.delete([ObjectIdentity(dog.key, ObjectKey(rawValue: 2))])
      }
      _ = JobRunner.send(.tick, to: browser)
      #expect(browser.screen().contains("Dog/2 was deleted; the cursor is on Dog/3"))
      #expect(browser.screen().contains(">    3  Bella"))
    }
  }

  @Test func `another's commit appears and the cursor stays on its object`() throws {
    try Kennels.browse { browser, database in
      browser.press("j Enter jj")
      try database.write { transaction in
        let dog = try #require(transaction.schema["Dog"])
        let name = try #require(dog["name"]).key
        try transaction.delete([ObjectIdentity(dog.key, ObjectKey(rawValue: 1))])
        _ = try transaction.create(dog.key, [name: .string("Newcomer")])
      }
      _ = JobRunner.send(.tick, to: browser)
      #expect(browser.screen().contains(">    3  Bella"))
      #expect(browser.screen().contains("Newcomer"))
      #expect(!browser.screen().contains("Rex"))
    }
  }

  @Test func `marks nothing that a filter is about to leave out`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter f")
      browser.type("age > 2")
      browser.receive(.key(Key(.enter)))
      for keys in ["gA", "*", "v"] {
        for key in KeySequence(keys)?.keys ?? [] { browser.receive(.key(key)) }
        #expect(
          browser.screen(120).contains(
            "! The objects that were asked for are not found yet; nothing is done"
          ),
          "\(keys)"
        )
      }
      _ = JobRunner.runJobs(of: browser)
      #expect(!browser.screen().contains("Nothing is marked"))
      browser.press("gA")
      #expect(browser.screen().contains("2 objects marked"))
    }
  }
}
