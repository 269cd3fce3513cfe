import KennelCore
import KennelTestSupport
import Testing

/// Changes of the schema that lose or reinterpret values; the file is sound after each.
@Suite struct `A migration` {
  /// Three dogs in a chain of links, each with a kennel of its own; commits and checks at the end.
  private func withDogs(
    _ body: (WriteTransaction, [ObjectIdentity]) throws -> Void
  ) throws {
    try withTemporaryDatabase { database in
      let dogs = try database.write { transaction in
        try transaction.define([
          ClassDefinition(
            "Dog",
            properties: [
              PropertyDefinition("name", .string, isIndexed: true),
              PropertyDefinition("age", .int.optional, isIndexed: true, defaultValue: .int(7)),
              PropertyDefinition("best", .link("Dog"), deleteRule: .cascadeIfLast),
              PropertyDefinition("pack", .list(.link("Dog"))),
              PropertyDefinition("home", .link("Kennel")),
              PropertyDefinition("homes", .list(.link("Kennel"))),
              PropertyDefinition("tags", .set(.string.optional)),
              PropertyDefinition("any", .mixed),
            ],
            backlinks: [BacklinkDefinition("fans", origin: "Dog", property: "best")]
          ),
          ClassDefinition(
            "Kennel",
            isEmbedded: true,
            properties: [PropertyDefinition("roof", .string)]
          ),
        ])
        let dogs = try ["Rex", "Max", "Ida"].map {
          try transaction.make("Dog", ["name": .string($0)])
        }
        for (index, dog) in dogs.enumerated() {
          let next = dogs[(index + 1) % 3]
          try transaction.set(dog, property: transaction.key(dog, "best"), to: .link(next))
          try transaction.set(dog, property: transaction.key(dog, "any"), to: .link(next))
          try transaction.set(
            dog,
            property: transaction.key(dog, "pack"),
            to: .list([.link(next), .link(next)])
          )
          try transaction.set(
            dog,
            property: transaction.key(dog, "tags"),
            to: .set([.null, .string("good")])
          )
          try transaction.createEmbedded(at: Slot(dog, try transaction.key(dog, "home")))
          try transaction.createEmbedded(
            at: Slot(dog, try transaction.key(dog, "homes"), .index(0))
          )
        }
        try transaction.set(dogs[1], property: transaction.key(dogs[1], "age"), to: .null)
        return dogs
      }
      try database.write { try body($0, dogs) }
    }
  }

  @Test(arguments: ["name", "age", "best", "pack", "home", "homes", "tags", "any"])
  func `deletes a property and leaves nothing of it`(name: String) throws {
    try withDogs { transaction, dogs in
      try transaction.deleteProperty(name, of: "Dog")
      let dog = try #require(transaction.schema["Dog"])
      #expect(dog[name] == nil && dog.properties.count == 7)
      #expect(transaction.count(of: dog.key) == 3)
      let kennel = try #require(transaction.schema["Kennel"])
      #expect(transaction.count(of: kennel.key) == (name.hasPrefix("home") ? 3 : 6))
      let links = try transaction.backlinks(to: dogs[0]).reduce(0) { $0 + $1.count }
      #expect(links == ["best": 3, "any": 3, "pack": 2][name] ?? 4)
      #expect(dog.backlinks.isEmpty == (name == "best"))
    }
  }

  @Test func `a deleted property can be defined again with another type`() throws {
    try withDogs { transaction, dogs in
      try transaction.deleteProperty("age", of: "Dog")
      try transaction.define([define("Dog", ["age": .string])])
      #expect(try transaction.value(dogs[0], "age") == .string(""))
      try transaction.set(dogs[2], property: transaction.key(dogs[2], "age"), to: .string("old"))
      #expect(try transaction.value(dogs[2], "age") == .string("old"))
    }
  }

  @Test func `what is null becomes the default of its type where null is forbidden`() throws {
    try withDogs { transaction, dogs in
      try transaction.setOptional(false, "age", of: "Dog")
      try transaction.setOptional(false, "tags", of: "Dog")
      #expect(try transaction.value(dogs[0], "age") == .int(7))
      #expect(try transaction.value(dogs[1], "age") == .int(0))
      #expect(try transaction.value(dogs[1], "tags") == .set([.string(""), .string("good")]))
      #expect(transaction.schema["Dog"]?["age"]?.type == .int)
      try transaction.setOptional(true, "name", of: "Dog")
      try transaction.set(dogs[0], property: transaction.key(dogs[0], "name"), to: .null)
      #expect(try transaction.value(dogs[0], "name") == .null)
      #expect(throws: DatabaseError.self) {
        try transaction.setOptional(false, "best", of: "Dog")
      }
    }
  }

  @Test func `a width gets less only where every number fits`() throws {
    try withDogs { transaction, dogs in
      try transaction.set(dogs[0], property: transaction.key(dogs[0], "age"), to: .int(300))
      #expect(throws: DatabaseError.self) { try transaction.setBitWidth(8, "age", of: "Dog") }
      #expect(transaction.schema["Dog"]?["age"]?.type.bitWidth == 64)
      try transaction.setBitWidth(16, "age", of: "Dog")
      #expect(transaction.schema["Dog"]?["age"]?.type.bitWidth == 16)
      #expect(throws: DatabaseError.self) {
        try transaction.set(dogs[0], property: transaction.key(dogs[0], "age"), to: .int(40_000))
      }
    }
  }

  @Test func `a primary key comes and goes where its values are unique`() throws {
    try withDogs { transaction, dogs in
      let dog = try #require(transaction.schema["Dog"]?.key)
      try transaction.setPrimaryKey("name", of: "Dog")
      #expect(try transaction.find(dog, primaryKey: .string("Max")) == dogs[1])
      #expect(throws: DatabaseError.self) {
        _ = try transaction.make("Dog", ["name": .string("Rex")])
      }
      #expect(throws: DatabaseError.self) { try transaction.setPrimaryKey("age", of: "Dog") }
      try transaction.set(dogs[0], property: transaction.key(dogs[0], "age"), to: .int(1))
      try transaction.setPrimaryKey("age", of: "Dog")
      #expect(try transaction.find(dog, primaryKey: .int(1)) == dogs[0])
      try transaction.setPrimaryKey(nil, of: "Dog")
      #expect(transaction.schema["Dog"]?.primaryKey == nil)
    }
  }

  @Test func `the version of the classes is kept`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("versions.kennel")
    do {
      let database = try Database.open(path)
      try database.write { transaction in
        try transaction.define([define("Dog", ["name": .string])])
        #expect(transaction.schema.version == 0)
        try transaction.setSchemaVersion(.max)
      }
    }
    let database = try Database.open(path)
    #expect(try database.snapshot().schema.version == .max)
    try database.write { try $0.define([define("Cat", ["name": .string])]) }
    #expect(try database.snapshot().schema.version == .max)
    expectSound(database)
  }
}
