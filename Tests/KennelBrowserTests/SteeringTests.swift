import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

@Suite("A deletion that is being confirmed")
struct SteeringTests {
  /// A breeder whose dogs go with her, two of them friends, and a vet whom only she has.
  private func browse(_ body: (Browser, Database) throws -> Void) throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        try transaction.define([
          ClassDefinition(
            "Breeder",
            properties: [
              PropertyDefinition("name", .string),
              PropertyDefinition("dogs", .list(.link("Dog")), deleteRule: .cascade),
              PropertyDefinition("best", .link("Dog"), deleteRule: .cascade),
              PropertyDefinition("vet", .link("Vet")),
            ]
          ),
          ClassDefinition(
            "Dog",
            properties: [
              PropertyDefinition("name", .string),
              PropertyDefinition("friend", .link("Dog")),
              PropertyDefinition("toys", .list(.link("Toy")), deleteRule: .cascade),
            ]
          ),
          ClassDefinition("Toy", properties: [PropertyDefinition("name", .string)]),
          ClassDefinition("Vet", properties: [PropertyDefinition("name", .string)]),
        ])
        let schema = transaction.schema
        func make(_ name: String, _ values: [String: Value]) throws -> ObjectIdentity {
          let schema = try #require(schema[name])
          var byKey: [PropertyKey: Value] = [:]
          for (name, value) in values { byKey[try #require(schema[name]).key] = value }
          return try transaction.create(schema.key, byKey)
        }
        let ball = try make("Toy", ["name": .string("ball")])
        let bone = try make("Toy", ["name": .string("bone")])
        let toys = Value.list([.link(ball), .link(bone)])
        let rex = try make("Dog", ["name": .string("Rex"), "toys": toys])
        let fido = try make("Dog", ["name": .string("Fido")])
        _ = try make("Dog", ["name": .string("Stray"), "friend": .link(rex)])
        let vet = try make("Vet", ["name": .string("Dr. Dolittle")])
        _ = try make(
          "Breeder",
          [
            "name": .string("Ann"), "dogs": .list([.link(rex), .link(fido), .link(rex)]),
            "best": .link(rex), "vet": .link(vet),
          ]
        )
      }
      try body(try Kennels.browser(database), database)
    }
  }

  private func count(_ name: String, _ database: Database) throws -> Int {
    let snapshot = try database.snapshot()
    return snapshot.count(of: try #require(snapshot.schema[name]).key)
  }

  private func line(_ text: String, _ browser: Browser) -> String {
    browser.screen().split(separator: "\n").first { $0.contains(text) }.map { String($0) } ?? ""
  }

  @Test func `is a tree with a line down from each cause that another one follows`() throws {
    try browse { browser, _ in
      browser.press("Enter d")
      #expect(line("† Dog/1 Rex", browser).hasPrefix("  ├ †"))
      #expect(line("† Toy/1 ball", browser).hasPrefix("  │ ├ †"))
      #expect(line("† Toy/2 bone", browser).hasPrefix("  │ └ †"))
      #expect(line("† Dog/2 Fido", browser).hasPrefix("  └ †"))
    }
  }

  @Test func `folds what goes with an object`() throws {
    try browse { browser, _ in
      browser.press("Enter d j j Enter")
      #expect(browser.screen().contains("† Dog/1 Rex  (cascade: Breeder/1.dogs)  … 2 folded"))
      #expect(!browser.screen().contains("Toy/1 ball"))
      browser.press("Enter")
      #expect(browser.screen().contains("Toy/1 ball"))
    }
  }

  @Test func `keeps an object, however many of the deleted it goes with`() throws {
    try browse { browser, database in
      browser.press("Enter d j j Space")
      let screen = browser.screen()
      #expect(screen.contains("Deletes 1 Breeder, 1 Dog:"))
      #expect(screen.contains("Dog/1 Rex stays: it is taken out of Breeder/1 Ann .dogs"))
      #expect(screen.contains("Dog/1 Rex stays: it is taken out of Breeder/1 Ann .best"))
      #expect(screen.contains("NO CHANGES"))
      browser.press("D 4 w y")
      try #expect(count("Dog", database) == 2)
      try #expect(count("Toy", database) == 2)
      try #expect(count("Breeder", database) == 0)
    }
  }

  @Test func `leaves what can be redone where it is not made`() throws {
    try browse { browser, _ in
      browser.press("j Enter d D u")
      browser.press("1 gg Enter d j j Space")
      #expect(browser.screen().contains("Dog/1 Rex stays"))
      browser.press("Esc U")
      #expect(browser.screen().contains("DRAFT 1 change"))
    }
  }

  @Test func `is one step of undo with what was kept`() throws {
    try browse { browser, _ in
      browser.press("Enter d j j Space D")
      #expect(!browser.screen().contains("NO CHANGES"))
      browser.press("u")
      #expect(browser.screen().contains("NO CHANGES"))
    }
  }

  @Test func `changes its mind about what is kept`() throws {
    try browse { browser, _ in
      browser.press("Enter d j j Space G")
      let before = browser.screen()
      #expect(before.contains("stays"))
      for _ in 0..<12 where browser.screen().contains("stays") { browser.press("k Space") }
      #expect(!browser.screen().contains("stays"))
      #expect(browser.screen().contains("2 Dog, 2 Toy"))
      browser.press("Esc")
      #expect(browser.screen().contains("NO CHANGES"))
    }
  }

  @Test func `links to another object what would lose its link`() throws {
    try browse { browser, database in
      browser.press("Enter d")
      while !line("> ", browser).contains("Dog/3 Stray .friend"), !browser.screen().isEmpty {
        browser.press("j t")
        if browser.screen().contains("Link Dog/3 Stray .friend to") { break }
      }
      browser.press("Down Enter")
      #expect(browser.screen().contains("Dog/3 Stray .friend links to"))
      browser.press("D 4 w y")
      #expect(browser.screen().contains("Committed"))
    }
  }

  @Test func `takes along what would be left alone`() throws {
    try browse { browser, database in
      browser.press("Enter d G Space")
      #expect(browser.screen().contains("1 Vet"))
      #expect(browser.screen().contains("† Vet/1 Dr. Dolittle"))
      browser.press("D 4 w y")
      try #expect(count("Vet", database) == 0)
    }
  }

  @Test func `comes back when nothing is picked`() throws {
    try browse { browser, _ in
      browser.press("Enter d")
      for _ in 0..<10 where !browser.screen().contains("Link Dog/3") { browser.press("j t") }
      browser.press("Esc")
      #expect(browser.screen().contains("Delete Breeder/1 Ann?"))
      browser.press("Esc")
      #expect(browser.screen().contains("NO CHANGES"))
    }
  }

  @Test func `names its keys from the start, and goes from the top to what they change`() throws {
    try browse { browser, _ in
      browser.press("Enter d")
      let hints = browser.screen().split(separator: "\n").last ?? ""
      #expect(hints.contains("Space keep it"))
      #expect(hints.contains("t link to another…"))
      browser.press("Space")
      #expect(browser.screen().contains("This is the first that Space changes"))
      browser.press("Space")
      #expect(browser.screen().contains("Dog/1 Rex stays"))
    }
  }

  @Test func `says that each object of several can be kept`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter Space Space d j")
      let hints = browser.screen().split(separator: "\n").last ?? ""
      #expect(hints.contains("Space keep it"))
      browser.press("Space")
      #expect(!browser.screen().contains("† Dog/1"))
      #expect(browser.screen().contains("† Dog/2"))
    }
  }

  @Test func `keeps its place when something is changed`() throws {
    try browse { browser, _ in
      // From Rex, which stays, the cursor goes to what was below, and not to the top.
      browser.press("Enter d j j Space Space")
      #expect(browser.screen().contains("Dog/1 Rex stays"))
      #expect(browser.screen().contains("Dog/2 Fido stays"))
      browser.press("Esc d")
      for _ in 0..<10 where !browser.screen().contains("Link Dog/3") { browser.press("j t") }
      browser.press("Esc t")
      #expect(browser.screen().contains("Link Dog/3 Stray .friend to"))
    }
  }

  @Test func `links all that stands under a heading to another object`() throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        try transaction.define([
          ClassDefinition("Vet", properties: [PropertyDefinition("name", .string)]),
          ClassDefinition("Dog", properties: [PropertyDefinition("vet", .link("Vet"))]),
        ])
        let vet = try transaction.schema.require("Vet")
        let name = try vet.require("name").key
        let ann = try transaction.create(vet.key, [name: .string("Ann")])
        _ = try transaction.create(vet.key, [name: .string("Bob")])
        let dog = try transaction.schema.require("Dog")
        for _ in 0..<3 {
          _ = try transaction.create(dog.key, [try dog.require("vet").key: .link(ann)])
        }
      }
      let browser = try Kennels.browser(database)
      browser.press("Enter gg d j j t")
      #expect(browser.screen().contains("Link all 3 to another Vet"))
      browser.press("Enter")
      #expect(browser.screen().contains("Dog/3 .vet links to Vet/2 Bob instead"))
      #expect(!browser.screen().contains("null"))
      // One of them is left as it was, and then the others together.
      browser.press("G Space")
      #expect(browser.screen().contains("1 link becomes null"))
      browser.press("gg j j Space")
      #expect(browser.screen().contains("3 links become null"))
    }
  }

  @Test func `does not keep what belongs to its owner`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter d j j Space")
      #expect(browser.screen().contains("An embedded object is deleted with its owner"))
      #expect(browser.screen().contains("Delete Person/1 Ada?"))
    }
  }

  /// A person whose passport goes with her, and who cannot go while a contract needs her.
  private func browseTargetRules(_ body: (Browser, Database) throws -> Void) throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        try transaction.define([
          ClassDefinition("Person", properties: [PropertyDefinition("name", .string)]),
          ClassDefinition(
            "Passport",
            properties: [PropertyDefinition("of", .link("Person"), targetRule: .cascade)]
          ),
          ClassDefinition(
            "Contract",
            properties: [PropertyDefinition("party", .list(.link("Person")), targetRule: .deny)]
          ),
        ])
        let schema = transaction.schema
        let person = try schema.require("Person")
        let name = try person.require("name").key
        let ann = try transaction.create(person.key, [name: .string("Ann")])
        _ = try transaction.create(person.key, [name: .string("Bob")])
        let passport = try schema.require("Passport")
        let of = try passport.require("of").key
        for _ in 0..<2 { _ = try transaction.create(passport.key, [of: .link(ann)]) }
        let contract = try schema.require("Contract")
        let party = try contract.require("party").key
        _ = try transaction.create(contract.key, [party: .list([.link(ann)])])
      }
      try body(try Kennels.browser(database), database)
    }
  }

  @Test func `says what goes because its target goes, and what forbids it`() throws {
    try browseTargetRules { browser, _ in
      browser.press("Enter d")
      let screen = browser.screen()
      #expect(screen.contains("Deletes 1 Person, 2 Passport:"))
      #expect(screen.contains("† Passport/1  (its of goes: Person/1)"))
      #expect(screen.contains("✗ Contract/1.party forbids it while it links to Person/1 Ann"))
      #expect(screen.contains("This is not possible: Contract/1.party forbids it"))
    }
  }

  @Test func `deletes what stands in the way, too`() throws {
    try browseTargetRules { browser, database in
      browser.press("Enter d G Space")
      #expect(browser.screen().contains("Delete 2 objects, 4 with what goes with them?"))
      browser.press("D 4 w y")
      for (name, left) in [("Person", 1), ("Passport", 0), ("Contract", 0)] {
        try #expect(count(name, database) == left)
      }
    }
  }

  @Test func `links what stands in the way to another object, and keeps what would go`() throws {
    try browseTargetRules { browser, database in
      browser.press("Enter d G t Down Enter")
      #expect(browser.screen().contains("Contract/1 .party links to Person/2 Bob instead"))
      browser.press("gg j j Space")
      #expect(browser.screen().contains("Passport/1 stays: its .of does not link to Person/1 Ann"))
      browser.press("D 4 w y")
      for (name, left) in [("Person", 1), ("Passport", 1), ("Contract", 1)] {
        try #expect(count(name, database) == left)
      }
    }
  }

  @Test func `changes its mind about one of several objects that were kept`() throws {
    try browseTargetRules { browser, _ in
      browser.press("Enter d j j Space Space")
      #expect(browser.screen().contains("Passport/1 stays"))
      #expect(browser.screen().contains("Passport/2 stays"))
      browser.press("j Space")
      #expect(browser.screen().contains("Deletes 1 Person, 1 Passport:"))
      #expect(browser.screen().contains("Passport/2 stays"))
    }
  }

  @Test func `is not possible where a rule forbids it, until that object is kept`() throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        try transaction.define([
          ClassDefinition(
            "Car",
            properties: [
              PropertyDefinition("license", .link("License"), deleteRule: .deny)
            ]
          ),
          ClassDefinition("License", properties: [PropertyDefinition("name", .string)]),
        ])
        let schema = transaction.schema
        let license = try #require(schema["License"])
        let car = try #require(schema["Car"])
        let paper = try transaction.create(license.key, [:])
        let link = try #require(car["license"]).key
        _ = try transaction.create(car.key, [link: .link(paper)])
        _ = try transaction.create(car.key, [:])
      }
      let browser = try Kennels.browser(database)
      browser.press("Enter gg Space Space d")
      #expect(browser.screen().contains("This is not possible"))
      browser.press("j Space")
      #expect(browser.screen().contains("Delete Car/2?"))
      #expect(!browser.screen().contains("This is not possible"))
    }
  }
}
