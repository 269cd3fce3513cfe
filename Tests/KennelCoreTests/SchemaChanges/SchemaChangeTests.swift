import KennelCore
import KennelTestSupport
import Testing

@Suite struct `A change of the schema` {
  private static let classes = [
    ClassDefinition(
      "Dog",
      properties: [
        PropertyDefinition("name", .string, isIndexed: true),
        PropertyDefinition("age", .int(bitWidth: 8).optional),
        PropertyDefinition("chip", .string.optional, isUnique: true),
        PropertyDefinition("best", .link("Dog"), deleteRule: .cascade),
        PropertyDefinition("home", .link("Home")),
        PropertyDefinition("code", .string),
      ],
      backlinks: [BacklinkDefinition("fans", origin: "Dog", property: "best")]
    ),
    define("Home", embedded: true, ["street": .string]),
  ]

  /// Three dogs, of which the first has a home and is the best friend of the others.
  private func withDogs(_ body: (Database, [ObjectIdentity]) throws -> Void) throws {
    try withTemporaryDatabase { database in
      let dogs = try database.write { transaction in
        try transaction.define(Self.classes)
        let dogs = try [("Rex", 3, "1"), ("Ida", 7, "2"), ("Max", 300, "x")].map { dog in
          try transaction.make(
            "Dog",
            [
              "name": .string(dog.0), "age": dog.1 == 300 ? .null : .int(Int64(dog.1)),
              "chip": .string("c\(dog.1)"), "code": .string(dog.2),
            ]
          )
        }
        _ = try transaction.embed(dogs[0], "home")
        for dog in dogs.dropFirst() { try transaction.put(dog, "best", .link(dogs[0])) }
        return dogs
      }
      try body(database, dogs)
    }
  }

  private func commit(_ draft: Draft) throws {
    let outcome = try draft.commit(confirming: draft.deletionPlan)
    guard case .committed = outcome else { throw Surprise("\(outcome)") }
  }

  private struct Surprise: Error {
    let outcome: String

    init(_ outcome: String) { self.outcome = outcome }
  }

  // MARK: - Values

  @Test func `converts values, or names those that cannot be`() throws {
    try withDogs { database, dogs in
      let draft = try database.makeDraft()
      let change = SchemaChange.retypeProperty("code", of: "Dog", to: .int, clearing: false)
      let plan = try draft.reader.plan(of: change)
      #expect((plan.objectCount, plan.valueCount, plan.misfitCount) == (3, 2, 1))
      #expect(plan.misfits.map(\.object) == [dogs[2]])
      #expect(plan.misfits.map(\.value) == [.string("x")])
      let error = #expect(throws: DatabaseError.self) { try draft.changeSchema(change) }
      #expect(
        error?.message.contains("1 value cannot be converted, such as \"x\" of Dog/3") == true
      )
      #expect(draft.isEmpty)
      #expect(draft.reader.schema == draft.base.schema)
      try draft.changeSchema(.retypeProperty("code", of: "Dog", to: .int.optional, clearing: true))
      #expect(try dogs.map { try draft.reader.value($0, "code") } == [.int(1), .int(2), .null])
      #expect(draft.schemaChanges.first?.former == "string")
      #expect(draft.schemaChanges.first?.plan?.misfitCount == 1)
      try commit(draft)
      let snapshot = try database.snapshot()
      #expect(try dogs.map { try snapshot.value($0, "code") } == [.int(1), .int(2), .null])
      #expect(
        snapshot.schema["Dog"]?.properties.map(\.name)
          == draft.reader.schema["Dog"]?.properties.map(\.name)
      )
    }
  }

  @Test func `has nulls of a required property named, or become its default`() throws {
    try withDogs { database, dogs in
      let draft = try database.makeDraft()
      let required = SchemaChange.retypeProperty("age", of: "Dog", to: .int, clearing: false)
      #expect(throws: DatabaseError.self) { try draft.changeSchema(required) }
      try draft.changeSchema(.retypeProperty("age", of: "Dog", to: .int, clearing: true))
      #expect(try dogs.map { try draft.reader.value($0, "age") } == [.int(3), .int(7), .int(0)])
      try commit(draft)
    }
  }

  @Test func `keeps the index, uniqueness, place and backlinks of a property`() throws {
    try withDogs { database, dogs in
      let draft = try database.makeDraft()
      let names = draft.reader.schema["Dog"]?.properties.map(\.name)
      try draft.changeSchema(.retypeProperty("chip", of: "Dog", to: .string, clearing: false))
      try draft.changeSchema(
        .retypeProperty("best", of: "Dog", to: .list(.link("Dog")), clearing: false)
      )
      try draft.changeSchema(.retypeProperty("name", of: "Dog", to: .data, clearing: true))
      let dog = try draft.reader.schema.require("Dog")
      #expect(dog.properties.map(\.name) == names)
      #expect(dog["chip"]?.isUnique == true && dog["name"]?.isIndexed == true)
      #expect(dog["best"]?.deleteRule == .cascade)
      #expect(dog.backlinks.map(\.property) == [try #require(dog["best"]).key])
      #expect(try draft.reader.value(dogs[1], "best") == .list([.link(dogs[0])]))
      #expect(try draft.reader.origins(dogs[0]) == ["Dog.best: 2 3"])
      #expect(throws: DatabaseError.self) {
        try draft.set(dogs[0], property: #require(dog["chip"]).key, to: .string("c7"))
      }
      try commit(draft)
      #expect(try database.snapshot().origins(dogs[0]) == ["Dog.best: 2 3"])
    }
  }

  @Test func `does not make two values equal that must differ`() throws {
    try withDogs { database, dogs in
      let draft = try database.makeDraft()
      let code = try #require(draft.reader.schema["Dog"]?["code"]).key
      try draft.set(dogs[1], property: code, to: .string(" 1"))
      try draft.changeSchema(.setUnique(true, "code", of: "Dog"))
      let change = SchemaChange.retypeProperty("code", of: "Dog", to: .int.optional, clearing: true)
      #expect(try draft.reader.plan(of: change).duplicates.map(\.object) == [dogs[1]])
      let error = #expect(throws: DatabaseError.self) { try draft.changeSchema(change) }
      #expect(error?.code == .duplicateValue && error?.object == dogs[1])
      let same = SchemaChange.setUnique(true, "age", of: "Dog")
      #expect(try draft.reader.plan(of: same).duplicateCount == 0)
      try commit(draft)
    }
  }

  @Test func `deletes values, links and embedded objects, as planned`() throws {
    try withDogs { database, dogs in
      let draft = try database.makeDraft()
      let links = try draft.reader.plan(of: .deleteProperty("best", of: "Dog"))
      #expect((links.valueCount, links.linkCount, links.embeddedCount) == (2, 2, 0))
      let homes = try draft.reader.plan(of: .deleteProperty("home", of: "Dog"))
      #expect((homes.valueCount, homes.linkCount, homes.embeddedCount) == (1, 0, 1))
      for name in ["best", "home", "age"] {
        try draft.changeSchema(.deleteProperty(name, of: "Dog"))
      }
      let home = try draft.reader.classKey("Home")
      #expect(draft.reader.count(of: home) == 0)
      #expect(try draft.reader.backlinks(to: dogs[0]).isEmpty)
      try draft.changeSchema(.deleteClass("Home"))
      #expect(draft.reader.schema.classes.map(\.name) == ["Dog"])
      // The backlinks of another link are no others, though they may get the same column.
      try draft.changeSchema(.addProperty(PropertyDefinition("pal", .link("Dog")), of: "Dog"))
      #expect(try draft.reader.backlinks(to: dogs[0]).isEmpty)
      let pal = try draft.reader.key(dogs[0], "pal")
      try draft.set(dogs[0], property: pal, to: .link(dogs[0]))
      #expect(try draft.reader.origins(dogs[0]) == ["Dog.pal: 1"])
      try commit(draft)
      #expect(try database.snapshot().origins(dogs[0]) == ["Dog.pal: 1"])
    }
  }

  @Test func `leaves gaps between columns of backlinks, in new clusters, too`() throws {
    try withDogs { database, _ in
      try database.write { transaction in
        try transaction.changeSchema(
          .addProperty(PropertyDefinition("pal", .link("Dog")), of: "Dog")
        )
        try transaction.deleteProperty("best", of: "Dog")
        var dogs: [ObjectIdentity] = []
        for number in 0..<600 {
          dogs.append(try transaction.make("Dog", ["chip": .string("\(number)")]))
        }
        try transaction.put(dogs[0], "pal", .link(dogs[599]))
        #expect(try transaction.origins(dogs[599]).count == 1)
      }
      #expect(try database.check().isEmpty)
    }
  }

  // MARK: - The draft

  @Test func `stands among changes of objects, which see it, and is undone like them`() throws {
    try withDogs { database, dogs in
      let draft = try database.makeDraft()
      let age = try draft.reader.key(dogs[0], "age")
      try draft.set(dogs[0], property: age, to: .int(4))
      try draft.changeSchema(.addClass("Cat", isEmbedded: false))
      try draft.changeSchema(.addProperty(PropertyDefinition("dog", .link("Dog")), of: "Cat"))
      try draft.changeSchema(.renameProperty("age", of: "Dog", to: "years"))
      let cat = try draft.reader.schema.require("Cat")
      let tom = try draft.create(cat.key, [try cat.require("dog").key: .link(dogs[0])])
      #expect(try draft.reader.origins(dogs[0]).contains { $0.hasPrefix("Cat.dog:") })
      #expect(try draft.reader.value(dogs[0], "years") == .int(4))
      #expect(draft.changeCount == 5)
      #expect(
        draft.schemaChanges.map { "\($0.change)" } == [
          "add class Cat", "add Cat.dog, link<Dog>", "rename Dog.age to years",
        ]
      )
      try draft.undo()
      #expect(try draft.undo() == "rename Dog.age to years")
      #expect(try draft.reader.value(dogs[0], "age") == .int(4))
      try draft.redo()
      try draft.redo()
      #expect(try draft.reader.value(tom, "dog") == .link(dogs[0]))
      try commit(draft)
      let snapshot = try database.snapshot()
      #expect(snapshot.count(of: try snapshot.classKey("Cat")) == 1)
      #expect(try snapshot.value(dogs[0], "years") == .int(4))
    }
  }

  @Test func `is dropped with what depends on it, and can be left out of a commit`() throws {
    try withDogs { database, dogs in
      let draft = try database.makeDraft()
      try draft.changeSchema(.addProperty(PropertyDefinition("city", .string), of: "Dog"))
      try draft.changeSchema(.addProperty(PropertyDefinition("zip", .string), of: "Dog"))
      let (city, zip) = (
        try draft.reader.key(dogs[0], "city"), try draft.reader.key(dogs[0], "zip")
      )
      try draft.set(dogs[0], property: city, to: .string("Ulm"))
      try draft.set(dogs[0], property: zip, to: .string("89073"))
      #expect(try draft.dependents(of: [1]) == [3])
      let outcome = try draft.commit(leaving: [1], in: database.beginWrite())
      guard case .committed = outcome else { throw Surprise("\(outcome)") }
      let snapshot = try database.snapshot()
      #expect(snapshot.schema["Dog"]?["city"] == nil)
      #expect(try snapshot.value(dogs[0], "zip") == .string("89073"))
      // What stayed in the draft is still about its own property.
      #expect(try draft.reader.value(dogs[0], "city") == .string("Ulm"))
      #expect(try draft.reader.value(dogs[0], "zip") == .string("89073"))
      try draft.drop(draft.schemaChanges.map(\.id))
      #expect(draft.isEmpty)
      try draft.undo()
      try commit(draft)
      #expect(try database.snapshot().value(dogs[0], "city") == .string("Ulm"))
    }
  }

  @Test func `keeps its property apart from one that another commit adds`() throws {
    try withDogs { database, dogs in
      let draft = try database.makeDraft()
      try draft.changeSchema(.addProperty(PropertyDefinition("city", .string), of: "Dog"))
      try draft.set(
        dogs[0],
        property: try draft.reader.key(dogs[0], "city"),
        to: .string("Ulm")
      )
      try draft.changeSchema(.addClass("Cat", isEmbedded: false))
      try draft.changeSchema(.addProperty(PropertyDefinition("name", .string), of: "Cat"))
      let cat = try draft.reader.schema.require("Cat")
      _ = try draft.create(cat.key, [try cat.require("name").key: .string("Tom")])
      try database.write { transaction in
        try transaction.changeSchema(.addProperty(PropertyDefinition("zip", .string), of: "Dog"))
        try transaction.define([define("Cow", ["milk": .string])])
        _ = try transaction.make("Cow", ["milk": .string("much")])
      }
      try commit(draft)
      let snapshot = try database.snapshot()
      #expect(try snapshot.value(dogs[0], "city") == .string("Ulm"))
      #expect(try snapshot.value(dogs[0], "zip") == .string(""))
      let tom = try #require(try snapshot.objects(of: snapshot.classKey("Cat")).first)
      #expect(try snapshot.value(tom, "name") == .string("Tom"))
      #expect(snapshot.count(of: try snapshot.classKey("Cow")) == 1)
    }
  }

  @Test func `conflicts with another change of the same part, and nothing is lost`() throws {
    try withDogs { database, dogs in
      let draft = try database.makeDraft()
      try draft.changeSchema(
        .retypeProperty("code", of: "Dog", to: .list(.string), clearing: false)
      )
      try draft.changeSchema(.addProperty(PropertyDefinition("city", .string), of: "Dog"))
      let (code, city) = (
        try draft.reader.key(dogs[0], "code"), try draft.reader.key(dogs[0], "city")
      )
      try draft.set(dogs[0], property: code, to: .list([.string("a"), .string("b")]))
      try draft.set(dogs[0], property: city, to: .string("Ulm"))
      try database.write { transaction in
        try transaction.changeSchema(
          .retypeProperty("code", of: "Dog", to: .string.optional, clearing: false)
        )
        try transaction.changeSchema(.addProperty(PropertyDefinition("city", .int), of: "Dog"))
      }
      guard case .conflicts(let conflicts) = try draft.commit() else { throw Surprise("commit") }
      #expect(
        conflicts.map(\.message) == [
          "Cannot make Dog.code list<string>: Dog.code is now string?, default \"\"",
          "Class Dog has a property city already",
          "It depends on a class or property that cannot be created",
          "It depends on a class or property that cannot be created",
        ]
      )
      #expect(draft.schemaChanges.count == 2 && draft.operationCount == 4)
      try draft.resolve(conflicts[0].id, with: .mine)
      #expect(try draft.reader.value(dogs[0], "code") == .list([.string("a"), .string("b")]))
      try draft.resolve(draft.conflicts.map(\.id), with: .theirs)
      #expect(draft.conflicts.isEmpty)
      try commit(draft)
      let snapshot = try database.snapshot()
      #expect(try snapshot.value(dogs[1], "code") == .list([.string("2")]))
      #expect(try snapshot.value(dogs[0], "city") == .int(0))
    }
  }

  @Test func `is shown by a copy of the draft on another thread, links included`() throws {
    try withDogs { database, dogs in
      let draft = try database.makeDraft()
      try draft.changeSchema(.addClass("Cat", isEmbedded: false))
      try draft.changeSchema(.addProperty(PropertyDefinition("dog", .link("Dog")), of: "Cat"))
      let cat = try draft.reader.schema.require("Cat")
      _ = try draft.create(cat.key, [try cat.require("dog").key: .link(dogs[2])])
      let copy = draft.reader.copy()
      #expect(try copy.origins(dogs[2]).count == 1)
      // Another program's schema is not the draft's, though both are the next version.
      try database.write { transaction in try transaction.define([define("Cow", ["a": .int])]) }
      #expect(try database.snapshot().schema["Cat"] == nil)
      #expect(try database.snapshot().origins(dogs[0]) == ["Dog.best: 2 3"])
      #expect(try draft.reader.copy().origins(dogs[2]).count == 1)
      draft.discard()
    }
  }

  // MARK: - The rest

  @Test func `of rules, keys and indexes is committed`() throws {
    try withDogs { database, dogs in
      let draft = try database.makeDraft()
      for change in [
        SchemaChange.setDeleteRule(.deny, "best", of: "Dog"),
        .setTargetRule(.cascade, "best", of: "Dog"), .setIndexed(false, "name", of: "Dog"),
        .setIndexed(true, "age", of: "Dog"), .setUnique(false, "chip", of: "Dog"),
        .setUnique(true, "name", of: "Dog"), .setPrimaryKey("code", of: "Dog"),
        .renameClass("Dog", to: "Hound"),
      ] {
        try draft.changeSchema(change)
      }
      #expect(
        try draft.reader.find(dogs[0].classKey, primaryKey: .string("x")) == dogs[2]
      )
      try commit(draft)
      let hound = try database.snapshot().schema.require("Hound")
      #expect(hound["best"]?.deleteRule == .deny && hound["best"]?.targetRule == .cascade)
      #expect(hound["best"]?.type == .link("Hound"))
      #expect(hound.primaryKey?.name == "code")
      #expect(hound["name"]?.isUnique == true && hound["chip"]?.isUnique == false)
      #expect(hound["age"]?.isIndexed == true)
      try database.write { transaction in
        #expect(throws: DatabaseError.self) {
          try transaction.changeSchema(.setIndexed(false, "name", of: "Hound"))
        }
        try transaction.changeSchema(.setIndexed(false, "age", of: "Hound"))
      }
    }
  }

  @Test func `that is none is no change, and one that is impossible is refused`() throws {
    try withDogs { database, _ in
      let draft = try database.makeDraft()
      try draft.changeSchema(.setIndexed(true, "name", of: "Dog"))
      try draft.changeSchema(.retypeProperty("name", of: "Dog", to: .string, clearing: false))
      #expect(draft.isEmpty)
      for change in [
        SchemaChange.addClass("Dog", isEmbedded: false), .renameClass("Cat", to: "Cow"),
        .renameClass("Dog", to: "Home"), .deleteClass("Dog"), .deleteClass("Home"),
        .addProperty(PropertyDefinition("name", .int), of: "Dog"),
        .addProperty(PropertyDefinition("fans", .int), of: "Dog"),
        .addProperty(PropertyDefinition("cat", .link("Cat")), of: "Dog"),
        .addProperty(PropertyDefinition("a.b", .int), of: "Dog"),
        .renameProperty("name", of: "Dog", to: "age"), .renameProperty("x", of: "Dog", to: "y"),
        .retypeProperty("home", of: "Dog", to: .list(.link("Home")), clearing: true),
        .retypeProperty("chip", of: "Dog", to: .list(.string), clearing: true),
        .retypeProperty("name", of: "Dog", to: .link("Cat"), clearing: true),
        .retypeProperty("name", of: "Dog", to: .mixed, clearing: true),
        .deleteProperty("x", of: "Dog"), .setPrimaryKey("age", of: "Home"),
        .setUnique(true, "best", of: "Dog"), .setIndexed(true, "best", of: "Dog"),
        .setIndexed(false, "chip", of: "Dog"), .setDeleteRule(.cascade, "name", of: "Dog"),
        .setTargetRule(.deny, "home", of: "Dog"),
      ] {
        #expect(throws: DatabaseError.self, "\(change)") { try draft.changeSchema(change) }
        #expect(draft.isEmpty && draft.reader.schema == draft.base.schema, "\(change)")
      }
      try database.write { transaction in
        let before = transaction.schema
        #expect(throws: DatabaseError.self) {
          try transaction.changeSchema(
            .retypeProperty("code", of: "Dog", to: .int, clearing: false)
          )
        }
        #expect(transaction.schema == before)
      }
    }
  }
}
