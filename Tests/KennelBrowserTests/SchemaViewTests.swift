import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

@Suite("The schema of a class")
struct SchemaViewTests {
  private func typed(_ text: String, into browser: Browser) {
    browser.type(text)
    browser.press("Enter")
  }

  private func commit(_ browser: Browser) {
    browser.press("4 w y")
  }

  private func dogClass(_ database: Database) throws -> ClassSchema {
    try database.snapshot().schema.require("Dog")
  }

  @Test func `is changed in the draft, undone, redone and committed`() throws {
    try Kennels.browse { browser, database in
      browser.press("j i o")
      typed("city string? = Ulm", into: browser)
      #expect(browser.screen().contains(">+ city    string?  (default \"Ulm\")"))
      #expect(browser.screen().contains("Dog.city is added; u undoes"))
      browser.press("g g j j e ^U")
      typed("double", into: browser)
      #expect(browser.screen().contains(">~ age     double"))
      browser.press("k r ^U")
      typed("title", into: browser)
      browser.press("4")
      let review = browser.screen()
      #expect(review.contains("+ Schema: add Dog.city, string?, default \"Ulm\""))
      #expect(review.contains("    3 objects get it"))
      #expect(review.contains("~ Schema: make Dog.age double"))
      #expect(review.contains("    was int8: 3 values converted"))
      #expect(review.contains("~ Schema: rename Dog.name to title"))
      browser.press("u u")
      #expect(browser.screen().contains("Undid: make Dog.age double"))
      browser.press("^R")
      #expect(browser.screen().contains("Changes (2)"))
      browser.press("w")
      #expect(browser.screen().contains("schema  2 changes"))
      browser.press("y")
      #expect(browser.screen().contains("Committed as number"))
      let dog = try dogClass(database)
      #expect(dog.properties.map(\.name) == ["name", "age", "breed", "isGood", "city"])
      #expect(dog["age"]?.type == .double)
    }
  }

  @Test func `names what cannot be converted, and loses nothing unasked`() throws {
    try Kennels.browse { browser, database in
      browser.press("j i j j j e ^U")
      typed("int", into: browser)
      let plan = browser.screen()
      #expect(plan.contains("── Make Dog.breed int ──"))
      #expect(plan.contains("3 values of 3 objects cannot be converted:"))
      #expect(plan.contains("Dog/1 Rex"))
      #expect(plan.contains("Boxer"))
      browser.press("y")
      #expect(
        browser.screen().contains("! c converts the others and makes these 0")
      )
      browser.press("Esc")
      #expect(browser.screen().contains("NO CHANGES"))
      browser.press("e ^U")
      typed("int?", into: browser)
      browser.press("c 4")
      #expect(browser.screen().contains("was string?: 0 values converted, 2 values lost"))
      commit(browser)
      let breed = try dogClass(database)["breed"]?.type
      #expect(breed == .int.optional)
    }
  }

  @Test func `deletes a property after it has said what goes with it`() throws {
    try Kennels.browse { browser, database in
      browser.press("i G k k k x")
      #expect(browser.screen().contains("Delete Person.address"))
      #expect(browser.screen().contains("2 embedded objects"))
      browser.press("y")
      #expect(browser.screen().contains("Delete Person.address; u undoes"))
      browser.press("4")
      #expect(browser.screen().contains("- Schema: delete Person.address"))
      #expect(browser.screen().contains("2 embedded objects deleted, of 3 objects"))
      browser.press("w")
      #expect(browser.screen().contains("cannot be taken back afterwards"))
      browser.press("y")
      let snapshot = try database.snapshot()
      #expect(snapshot.schema["Person"]?["address"] == nil)
      #expect(snapshot.count(of: try snapshot.schema.require("Address").key) == 1)
    }
  }

  @Test func `deletes a class with its objects and the links to it, as one step`() throws {
    try Kennels.browse { browser, database in
      browser.press("j x")
      let plan = browser.screen()
      #expect(plan.contains("── Delete class Dog ──"))
      #expect(plan.contains("3 objects of Dog"))
      #expect(plan.contains("Person.dog, 2 links") && plan.contains("Person.dogs, 4 links"))
      browser.press("y")
      #expect(browser.screen().contains("Class Dog is deleted; u undoes"))
      #expect(!browser.screen().contains("Dog  "))
      browser.press("u")
      #expect(browser.screen().contains("Dog             3"))
      browser.press("^R")
      commit(browser)
      let schema = try database.snapshot().schema
      #expect(schema["Dog"] == nil && schema["Person"]?["dogs"] == nil)
    }
  }

  @Test func `has a class of which objects are made in the same draft`() throws {
    try Kennels.browse { browser, database in
      browser.press("1 o")
      typed("Cat", into: browser)
      #expect(browser.screen().contains("+ class Cat  0 objects"))
      browser.press("o")
      typed("name string indexed", into: browser)
      browser.press("o")
      typed("friend Dog", into: browser)
      browser.press("g g Enter o Esc")
      commit(browser)
      let snapshot = try database.snapshot()
      let cat = try snapshot.schema.require("Cat")
      #expect(snapshot.count(of: cat.key) == 1)
      #expect(cat["friend"]?.type == .link("Dog") && cat["name"]?.isIndexed == true)
    }
  }

  @Test func `has a menu of rules, keys and indexes`() throws {
    try Kennels.browse { browser, database in
      browser.press("i j j j j Enter")
      let menu = browser.screen()
      #expect(menu.contains("── Person.dogs ──"))
      #expect(menu.contains("d  delete rule: nullify…"))
      browser.press("d c")
      browser.press("k k Enter u")
      browser.press("k Enter")
      #expect(browser.screen().contains("p  no longer the primary key"))
      browser.press("p")
      #expect(browser.screen().contains("Remove the primary key of Person; u undoes"))
      commit(browser)
      let person = try database.snapshot().schema.require("Person")
      #expect(person["dogs"]?.deleteRule == .cascade)
      #expect(person["name"]?.isUnique == true && person.primaryKey == nil)
    }
  }

  @Test func `leaves a backlink to the class of its links`() throws {
    try Kennels.browse { browser, _ in
      browser.press("i G")
      for key in ["x", "r"] {
        browser.press(key)
        let sentence = "clubs goes and is named with DogClub.members: change that"
        #expect(browser.screen().contains(sentence), "\(key)")
      }
    }
  }

  @Test func `says why a change is not possible`() throws {
    try Kennels.browse { browser, _ in
      browser.press("i o")
      typed("color", into: browser)
      // The line stays, with what was typed.
      #expect(browser.screen().contains("↓ Write a name and a type, such as ‘color string?’"))
      typed(" text", into: browser)
      #expect(browser.screen().contains("↓ None of ‘text’ is a type"))
      #expect(browser.screen().contains("add to Person: color text"))
      browser.press("^U")
      typed("name int", into: browser)
      #expect(browser.screen().contains("↓ Class Person has a property name already"))
      #expect(browser.screen().contains("NO CHANGES"))
    }
  }

  @Test func `asks for a name again where it is taken, with what was typed`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j i j j r ^U")
      typed("breed", into: browser)
      #expect(browser.screen().contains("rename Dog.age to: breed"))
      #expect(browser.screen().contains("the name is taken"))
      typed("s", into: browser)
      #expect(browser.screen().contains("Dog.age is breeds now"))
      browser.press("g g o")
      typed("breeds int", into: browser)
      #expect(browser.screen().contains("add to Dog: breeds int"))
      browser.press("Esc Esc")
    }
  }

  @Test func `of another program’s file cannot be changed, and says so`() throws {
    try withTemporaryDatabase { database in
      try Kennels.fill(database)
      let browser = try Kennels.browser(database, proposedName: "people.kennel")
      browser.press("i o")
      #expect(browser.screen(140).contains("! The classes are those of another program’s file"))
    }
  }

  @Test func `that another program has changed is a conflict, and the draft keeps everything`()
    throws
  {
    try Kennels.browse { browser, database in
      browser.press("j i j j e ^U")
      typed("double", into: browser)
      try database.write { transaction in
        try transaction.changeSchema(
          .retypeProperty("age", of: "Dog", to: .string, clearing: false)
        )
      }
      _ = JobRunner.send(.tick, to: browser)
      browser.press("4")
      let screen = browser.screen(100)
      #expect(screen.contains("Cannot make Dog.age double: Dog.age is now string"))
      browser.press("w")
      #expect(browser.screen().contains("Resolve the conflicts first"))
      browser.press("m")
      #expect(browser.screen().contains("No conflict is left"))
      commit(browser)
      let age = try dogClass(database)["age"]?.type
      #expect(age == .double)
    }
  }

  @Test func `survives the program in the journal of the draft`() throws {
    let folder = try TemporaryFolder()
    try Kennels.browse { _, database in
      let journal = DraftJournal(for: database, in: folder.path + "/drafts")
      let first = try Kennels.browser(database, journal: journal)
      first.press("j i o")
      typed("city string?", into: first)
      #expect(first.saveDraftNow() == nil)
      journal.close()
      let again = DraftJournal(for: database, in: folder.path + "/drafts")
      let second = try Kennels.browser(database, journal: again)
      #expect(second.screen().contains("schema: add Dog.city, string?"))
      second.press("r")
      second.press("4")
      #expect(second.screen().contains("+ Schema: add Dog.city, string?"))
      commit(second)
      let city = try dogClass(database)["city"]
      #expect(city != nil)
    }
  }
}
