import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

@Suite("An expression")
struct ExpressionTests {
  /// The value of an assignment for the first dog: Rex, a boxer of 3 years; or why there is none.
  fileprivate func outcome(_ text: String) throws -> String {
    var outcome = ""
    try withTemporaryDatabase { database in
      try Kennels.fill(database)
      let snapshot = try database.snapshot()
      let className = text.hasPrefix("Person: ") ? "Person" : "Dog"
      let schema = try #require(snapshot.schema[className])
      let assignment: Assignment
      do throws(PredicateError) {
        assignment = try Assignment.parse(
          String(text.trimmingPrefix("Person: ")),
          for: schema.key,
          in: snapshot.schema,
          now: Timestamp(seconds: 0)
        )
      } catch {
        outcome = error.description
        return
      }
      do throws(DatabaseError) {
        let object = ObjectIdentity(schema.key, ObjectKey(rawValue: 1))
        outcome = ValueText.describe(try snapshot.value(of: assignment, for: object))
      } catch {
        outcome = error.message
      }
    }
    return outcome
  }

  @Test(
    arguments: [
      ("age = age + 1", "4"),
      ("age = age-1", "2"),
      ("age = -age * 2 + 10 / 5", "-4"),
      ("age = (age + 1) * 2", "8"),
      ("age = 6 / 2", "3"),
      ("age = 2 * 1.5", "3"),
      ("Person: id = 1000-50", "950"),
      ("Person: id = 1000-5", "995"),
      ("name = name + \" of \" + breed", "Rex of Boxer"),
      ("name = upper(name) + lower(name)", "REXrex"),
      ("name = trim('  a b ')", "a b"),
      ("name = replace(name, 'ex', 'ax')", "Rax"),
      ("breed = null", "null"),
      ("breed = null + name", "null"),
      ("isGood = true", "true"),
      ("Person: name = dog.name", "Rex"),
      ("Person: id = dogs.@count + 1", "4"),
      ("Person: id = dog.age * 10", "30"),
      ("Person: dog = null", "null"),
    ]
  )
  func `has the value that one expects`(_ text: String, _ value: String) throws {
    #expect(try outcome(text) == value)
  }

  @Test(
    arguments: [
      ("age = 100 + 28", "it holds -128 to 127"),
      ("age = 9223372036854775807 + age", "9223372036854775807 + 3 does not fit 64 bits"),
      ("age = 7 / 2", "3.5 is not a whole number of 64 bits"),
      ("age = age / 0", "3 / 0 has no value"),
      ("age = 9007199254740993 / 2", "9007199254740993 cannot be kept exactly as a double"),
      ("age = name", "'age' is an int, and this is a string"),
      ("age = '5'", "'age' is an int, and this is a string"),
      ("age = name + 1", "'+' does not take a string and an int"),
      ("age = null", "'age' cannot be null; its type is int8"),
      ("name = breed + null", "it cannot be null; its type is string"),
      ("name = upper(age)", "upper(text) takes texts"),
      ("name = reverse(name)", "'reverse' is no function; expected upper(text), lower(text)"),
      ("name = replace(name, '', 'a')", "replace needs a text to look for"),
      ("aeg = 1", "Dog has no property 'aeg'; did you mean 'age'?"),
      ("age 1", "expected '=' and a value"),
      ("age =", "The expression is not complete"),
      ("age = 1 2", "expected an operator (+ - * /), 'where' or the end"),
      ("age = 1 where", "is not complete"),
      ("Person: dogs = null", "'dogs' is a list; expected a property with a single value"),
      ("Person: address = null", "'address' is embedded"),
      ("Person: name = dogs.name", "'dogs.name' has many values"),
      ("Person: dog = 5", "'dog' is a link, and this is an int"),
    ]
  )
  func `is refused where it has no exact value`(_ text: String, _ reason: String) throws {
    let outcome = try outcome(text)
    #expect(outcome.contains(reason), "\(outcome)")
  }
}

extension ExpressionTests {
  @Test func `is refused where its value would take too deep a stack`() throws {
    let sum = "age = 1" + String(repeating: "+1", count: 100_000)
    #expect(try outcome(sum).contains("The expression has more than 1000 operators"))
    let nested = "age = " + String(repeating: "(", count: 101)
    #expect(try outcome(nested).contains("The expression is nested too deeply"))
  }
}

@Suite(":set")
struct AssignmentTests {
  private func set(_ browser: Browser, _ text: String) {
    browser.press(":")
    browser.type("set \(text)")
    browser.press("Enter")
  }

  @Test func `of too many objects is refused before all of them are looked at`() throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        try transaction.define([
          ClassDefinition("Number", properties: [PropertyDefinition("value", .int)])
        ])
        let number = try transaction.schema.require("Number")
        let value = try number.require("value").key
        for _ in 0...100_000 {
          _ = try transaction.create(number.key, [value: .int(1)])
        }
        _ = try transaction.create(number.key, [value: .int(0)])
      }
      let browser = try Kennels.browser(database)
      browser.press("Enter")
      set(browser, "value = 2 / value")
      #expect(browser.screen().contains("More than 100000 Number would change"))
    }
  }

  @Test func `shows what it changes, and changes it after y, as one step of undo`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter")
      set(browser, "age = age + 1 where age < 5")
      let screen = browser.screen()
      #expect(screen.contains("Set age of 2 Dog?"))
      #expect(screen.contains("Dog/1 Rex                 3 → 4"))
      #expect(screen.contains("Dog/3 Bella               1 → 2"))
      #expect(screen.contains("NO CHANGES"))
      browser.press("Enter Esc")
      #expect(browser.screen().contains("NO CHANGES"))
      set(browser, "age = age + 1 where age < 5")
      browser.press("y")
      #expect(browser.screen().contains("Set age of 2 Dog objects; u undoes"))
      #expect(browser.screen().contains("DRAFT 2 changes"))
      browser.press("4")
      #expect(browser.screen().contains("age: 3 → 4"))
      browser.press("u")
      #expect(browser.screen().contains("NO CHANGES"))
    }
  }

  @Test func `is for the marked objects, else for those that are shown`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter Space")
      set(browser, "name = upper(name)")
      #expect(browser.screen().contains("Set name of 1 Dog?"))
      browser.press("Esc Esc f")
      browser.type("age > 2")
      browser.press("Enter")
      set(browser, "name = upper(name)")
      #expect(browser.screen().contains("Set name of 2 Dog?"))
      browser.press("y")
      #expect(browser.screen().contains("REX"))
      #expect(browser.screen().contains("FIDO"))
      browser.press("F Enter")
      set(browser, "name = 'Solo'")
      #expect(browser.screen().contains("Set name of 1 Dog?"))
    }
  }

  @Test func `says what is wrong where it is typed`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter")
      set(browser, "age = nmae")
      #expect(browser.screen().contains("↓ Dog has no property 'nmae'; did you mean name?"))
      browser.press("Esc")
      set(browser, "")
      #expect(browser.screen().contains("For example: age = age + 1"))
      browser.type("br")
      browser.press("Tab")
      #expect(browser.screen().contains("set Dog: breed"))
    }
  }

  @Test func `names the first object that cannot have its value, and changes none`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter")
      set(browser, "age = age * 20")
      #expect(browser.screen().contains("! Nothing is changed. Dog/2: "))
      #expect(browser.screen().contains("it holds -128 to 127"))
      set(browser, "name = breed")
      #expect(browser.screen().contains("Dog/2: "))
      browser.press("1 gg Enter")
      set(browser, "id = 7")
      #expect(browser.screen().contains("Person/2: the key 7 is given to two objects"))
      set(browser, "id = id + 1")
      #expect(browser.screen().contains("Person/1: the key 2 is that of Person/2"))
      #expect(browser.screen().contains("NO CHANGES"))
    }
  }

  @Test func `refuses values that are too long to be kept for an answer`() throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        try transaction.define([
          ClassDefinition(
            "Page",
            properties: [
              PropertyDefinition("text", .string), PropertyDefinition("first", .link("Page")),
            ]
          )
        ])
        let page = try transaction.schema.require("Page")
        let (text, first) = (try page.require("text").key, try page.require("first").key)
        let long = Value.string(String(repeating: "a", count: 2_000_000))
        let source = try transaction.create(page.key, [text: long])
        for _ in 1...33 { try transaction.create(page.key, [first: .link(source)]) }
      }
      let browser = try Kennels.browser(database)
      browser.press("Enter")
      set(browser, "text = first.text where first != null")
      #expect(
        browser.screen(120, 24).contains("! Nothing is changed. The values are longer than 64.0 MB")
      )
    }
  }

  @Test func `says so where every value is so already`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter")
      set(browser, "name = trim(name)")
      #expect(browser.screen().contains("Every value is so already; nothing has changed"))
      set(browser, "name = 'a' where age > 99")
      #expect(browser.screen().contains("No object is meant; nothing has changed"))
    }
  }

  /// Many dogs, of which each has the number of its key as its weight.
  private func browseMany(_ body: (Browser, Database) throws -> Void) throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        let weight = PropertyDefinition("weight", .int)
        try transaction.define([ClassDefinition("Dog", properties: [weight])])
        let dog = try #require(transaction.schema["Dog"])
        let key = try #require(dog["weight"]).key
        for number in 1...1_500 { try transaction.create(dog.key, [key: .int(Int64(number))]) }
      }
      try body(try Kennels.browser(database), database)
    }
  }

  @Test func `changes many objects beside the screen, and undoes that there, too`() throws {
    try browseMany { browser, _ in
      browser.press("Enter")
      set(browser, "weight = weight * 2")
      #expect(browser.screen().contains("Set weight of 1500 Dog?"))
      browser.receive(.key(Key("y")))
      #expect(browser.screen().contains("Setting weight of 1500 objects…  Esc stops it"))
      _ = JobRunner.runJobs(of: browser)
      #expect(browser.screen().contains("DRAFT 1500 changes"))
      browser.receive(.key(Key("u")))
      #expect(browser.screen().contains("Undoing…"))
      _ = JobRunner.runJobs(of: browser)
      #expect(browser.screen().contains("NO CHANGES"))
    }
  }

  @Test func `that is stopped changes nothing`() throws {
    try browseMany { browser, _ in
      browser.press("Enter")
      set(browser, "weight = weight * 2")
      browser.receive(.key(Key("y")))
      let effects = browser.takeEffects()
      for case .run(let job) in effects {
        for event in JobRunner.run(job, isCancelled: true) { browser.receive(.job(event)) }
      }
      #expect(browser.screen().contains("Nothing was changed"))
      #expect(browser.screen().contains("NO CHANGES"))
    }
  }
}
