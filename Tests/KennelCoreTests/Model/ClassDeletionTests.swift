import KennelCore
import KennelTestSupport
import Testing

@Suite struct `A write transaction` {
  private static let classes = [
    define("Person", ["name": .string, "dogs": .list(.link("Dog")), "any": .mixed]),
    ClassDefinition(
      "Dog",
      properties: [
        PropertyDefinition("name", .string, isIndexed: true),
        PropertyDefinition("owner", .link("Person")),
        PropertyDefinition("home", .link("Home")),
        PropertyDefinition("best", .link("Dog")),
      ],
      backlinks: [BacklinkDefinition("owners", origin: "Person", property: "dogs")]
    ),
    define("Home", embedded: true, ["street": .string]),
  ]

  /// Six hundred dogs with homes, names that need pieces, and links both ways.
  private func withDogs(_ body: (String) throws -> Void) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("test.kennel")
    do {
      let database = try Database.open(path)
      try database.write { transaction in
        try transaction.define(Self.classes)
        let ada = try transaction.make("Person", ["name": .string("Ada")])
        var dogs: [ObjectIdentity] = []
        for number in 0..<600 {
          let dog = try transaction.make(
            "Dog",
            [
              "name": .string(String(repeating: "\(number) ", count: number % 100)),
              "owner": .link(ada), "best": dogs.last.map { .link($0) } ?? .null,
            ]
          )
          try transaction.createEmbedded(at: transaction.slot(dog, "home"))
          dogs.append(dog)
        }
        try transaction.set(
          ada,
          property: transaction.key(ada, "dogs"),
          to: .list(dogs.map { .link($0) })
        )
        try transaction.set(ada, property: transaction.key(ada, "any"), to: .link(dogs[7]))
      }
    }
    try body(path)
    expectSound(try Database.open(path))
  }

  private func deleteDogs(_ transaction: WriteTransaction) throws {
    let dog = try transaction.classKey("Dog")
    try transaction.delete(
      transaction.objects(of: dog).keys.map { ObjectIdentity(dog, $0) }
    )
  }

  @Test func `deletes classes with all that is stored of them, and gives no number again`() throws {
    try withDogs { path in
      var last: ClassKey?
      do {
        let database = try Database.open(path)
        let before = try database.snapshot()
        last = try before.classKey("Home")
        try database.write { transaction in
          try deleteDogs(transaction)
          try transaction.deleteProperty("dogs", of: "Person")
          try transaction.deleteClasses(["Dog", "Home"])
          #expect(transaction.schema.classes.map(\.name) == ["Person"])
          // Before the commit, too.
          try transaction.define([define("Cat", ["name": .string])])
          #expect(try transaction.classKey("Cat") > before.classKey("Home"))
          try transaction.deleteClasses(["Cat"])
        }
        let after = try database.snapshot()
        let changes = try database.changes(from: before, to: after)
        #expect(changes.deleted.count == 1_200 && changes.created.isEmpty)
        #expect(changes.isSchemaChanged)
        #expect(try before.count(of: before.classKey("Dog")) == 600)
        expectSound(database)
      }
      // The numbers are remembered by the file.
      let database = try Database.open(path)
      try database.write { transaction in
        try transaction.define([define("Cat", key: "name", ["name": .string])])
        let cat = try transaction.classKey("Cat")
        #expect(try cat > #require(last))
        let tom = try transaction.make("Cat", ["name": .string("Tom")])
        #expect(tom.key.rawValue == 1)
        let ada = ObjectIdentity(try transaction.classKey("Person"), ObjectKey(rawValue: 1))
        #expect(try transaction.value(ada, "any") == .null)
        try transaction.set(ada, property: transaction.key(ada, "any"), to: .link(tom))
        #expect(try transaction.origins(tom) == ["Person.any: 1"])
      }
    }
  }

  @Test func `deletes no class that has objects or is linked to`() throws {
    try withDogs { path in
      let database = try Database.open(path)
      try database.write { transaction in
        func refusal(_ names: Set<String>) -> String? {
          #expect(throws: DatabaseError.self) { try transaction.deleteClasses(names) }?.message
        }
        #expect(code { try transaction.deleteClasses(["Cat"]) } == .noSuchClass)
        #expect(refusal(["Dog"]) == "Class Dog has objects: delete them before the class")
        try deleteDogs(transaction)
        let message = refusal(["Dog"]) ?? ""
        #expect(message == "Person.dogs links to Dog, so it must be deleted first")
        #expect(refusal(["Home"])?.contains("Dog.home links to Home") == true)
        #expect(transaction.schema.classes.count == 3)
        _ = try transaction.make("Dog", ["name": .string("Rex")])
      }
      #expect(try database.snapshot().count(of: database.snapshot().classKey("Dog")) == 1)
    }
  }

  @Test func `tells a draft that the class of its objects is gone`() throws {
    try withDogs { path in
      let database = try Database.open(path)
      let draft = try database.makeDraft()
      let before = try database.snapshot()
      let dog = ObjectIdentity(try before.classKey("Dog"), ObjectKey(rawValue: 3))
      try draft.set(dog, property: before.key(dog, "name"), to: .string("Rex"))
      try database.write { transaction in
        try deleteDogs(transaction)
        try transaction.deleteProperty("dogs", of: "Person")
        try transaction.deleteClasses(["Dog"])
      }
      guard case .conflicts(let conflicts) = try draft.commit() else {
        Issue.record("The draft was committed")
        return
      }
      #expect(conflicts.map(\.message) == ["There is no class with key 1"])
      #expect(try database.snapshot().schema["Dog"] == nil)
    }
  }

  @Test func `leaves nothing of a property whose objects are all dead`() throws {
    try withDogs { path in
      try Database.open(path).write { try deleteDogs($0) }
      try Database.open(path).write { transaction in
        for name in ["name", "best", "home", "owner"] {
          try transaction.deleteProperty(name, of: "Dog")
        }
        try transaction.define([define("Dog", ["friend": .link("Dog"), "nest": .link("Home")])])
      }
    }
  }
}
