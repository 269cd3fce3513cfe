@_spi(Faces) import KennelCore
import KennelTestSupport
import Testing

/// Objects read and written with properties whose values have a Swift type.
@Suite struct `A typed property` {
  private static let classes = [
    ClassDefinition(
      "Dog",
      properties: [
        PropertyDefinition("name", .string), PropertyDefinition("age", .int),
        PropertyDefinition("breed", .string.optional),
      ]
    ),
    ClassDefinition(
      "Address",
      isEmbedded: true,
      properties: [PropertyDefinition("street", .string.optional)]
    ),
    ClassDefinition(
      "Person",
      properties: [
        PropertyDefinition("id", .int, isPrimaryKey: true),
        PropertyDefinition("born", .date),
        PropertyDefinition("favourite", .link("Dog")),
        PropertyDefinition("dogs", .list(.link("Dog"))),
        PropertyDefinition("address", .link("Address")),
        PropertyDefinition("photo", .data),
        PropertyDefinition("anything", .mixed),
      ]
    ),
  ]

  @Test func `inserts links into a set in any order, each once, and only into a set`() throws {
    try withTemporaryDatabase { database in
      let pack = PropertyDefinition("pack", .set(.link("Dog")))
      let line = PropertyDefinition("line", .list(.link("Dog")))
      try database.write { try $0.define([ClassDefinition("Dog", properties: [pack, line])]) }
      let schema = try database.snapshot().schema
      let set = try schema.property("pack", of: "Dog", as: [ObjectIdentity].self)
      let list = try schema.property("line", of: "Dog", as: [ObjectIdentity].self)
      var random = SplitMix64(seed: 3)
      let dogs = try database.write { transaction in
        try (0..<300).map { _ in try transaction.create(set.classKey) }
      }
      var expected: [ObjectIdentity: Set<ObjectIdentity>] = [:]
      for _ in 0..<4 {
        try database.write { transaction in
          for _ in 0..<2000 {
            let (owner, target) = (dogs[random.below(20)], dogs[random.below(300)])
            try transaction.insert(target, into: owner, property: set)
            expected[owner, default: []].insert(target)
          }
          for target in dogs { try transaction.insert(target, into: dogs[20], property: set) }
          expected[dogs[20]] = Set(dogs)
          for _ in 0..<2 {
            #expect(
              code { try transaction.insert(dogs[0], into: dogs[1], property: list) } == .wrongType
            )
            #expect(
              code { try transaction.append(dogs[0], to: dogs[1], property: set) } == .wrongType
            )
            // The column is in memory by then.
            try transaction.append(dogs[2], to: dogs[1], property: list)
          }
        }
        let snapshot = try database.snapshot()
        for (owner, targets) in expected {
          try #expect(snapshot[owner, set] == targets.sorted())
          for target in targets {
            let origins = try snapshot.origins(
              of: set.classKey,
              property: set.key,
              to: target,
              in: 0..<Int.max
            ).keys
            #expect(origins.count { $0 == owner.key } == 1)
          }
        }
      }
    }
  }

  @Test func `gives back what was set, in the transaction and after it`() throws {
    try withTemporaryDatabase { database in
      let (person, dog) = try database.write { transaction in
        try transaction.define(Self.classes)
        let schema = transaction.schema
        let dog = try transaction.create(schema.property("age", of: "Dog", as: Int64.self).classKey)
        let person = try transaction.create(
          schema.property("id", of: "Person", as: Int64.self),
          7
        )
        try transaction.set(dog, property: schema.property("name", of: "Dog"), to: "Rex")
        try transaction.set(dog, property: schema.property("age", of: "Dog"), to: Int64(3))
        try transaction.set(
          dog,
          property: schema.property("breed", of: "Dog"),
          to: String?.some("Pug")
        )
        try transaction.set(
          person,
          property: schema.property("born", of: "Person"),
          to: Timestamp(seconds: -5, nanoseconds: 7)
        )
        try transaction.set(
          person,
          property: schema.property("favourite", of: "Person"),
          to: ObjectIdentity?.some(dog)
        )
        let dogs = try schema.property("dogs", of: "Person", as: [ObjectIdentity].self)
        for _ in 0..<3 { try transaction.append(dog, to: person, property: dogs) }
        let address = try transaction.createEmbedded(
          in: person,
          property: schema.property("address", of: "Person")
        )
        try transaction.set(
          address,
          property: schema.property("street", of: "Address"),
          to: String?.some("Elm Street")
        )
        try transaction.set(
          person,
          property: schema.property("photo", of: "Person"),
          to: [UInt8]([1, 2])
        )
        try transaction.set(
          person,
          property: schema.property("anything", of: "Person"),
          to: Value.double(1.5)
        )
        try Self.expect(transaction, person, dog)
        return (person, dog)
      }
      try Self.expect(database.snapshot(), person, dog)
    }
  }

  private static func expect(
    _ snapshot: DatabaseReader,
    _ person: ObjectIdentity,
    _ dog: ObjectIdentity
  ) throws {
    let schema = snapshot.schema
    #expect(try snapshot[dog, schema.property("name", of: "Dog", as: String.self)] == "Rex")
    #expect(try snapshot[dog, schema.property("age", of: "Dog", as: Int64.self)] == 3)
    #expect(try snapshot[dog, schema.property("age", of: "Dog", as: Int64?.self)] == 3)
    #expect(try snapshot[dog, schema.property("breed", of: "Dog", as: String?.self)] == "Pug")
    let born = try schema.property("born", of: "Person", as: Timestamp.self)
    #expect(try snapshot[person, born] == Timestamp(seconds: -5, nanoseconds: 7))
    let favourite = try schema.property("favourite", of: "Person", as: ObjectIdentity?.self)
    #expect(try snapshot[person, favourite] == dog)
    let dogs = try schema.property("dogs", of: "Person", as: [ObjectIdentity].self)
    #expect(try snapshot[person, dogs] == [dog, dog, dog])
    #expect(try snapshot.count(in: person, property: dogs) == 3)
    #expect(try snapshot.target(at: 2, in: person, property: dogs) == dog)
    #expect(throws: DatabaseError.self) { try snapshot.target(at: 3, in: person, property: dogs) }
    var targets: [ObjectIdentity] = []
    try snapshot.forEachTarget(of: person, property: dogs) { targets.append($0) }
    #expect(targets == [dog, dog, dog])
    var origins: [ObjectIdentity] = []
    try snapshot.forEachOrigin(of: dog, through: dogs) { origins.append($0) }
    try snapshot.forEachOrigin(of: dog, through: favourite) { origins.append($0) }
    #expect(origins == [person, person, person, person])
    let address = try schema.property("address", of: "Person", as: ObjectIdentity?.self)
    let home = try #require(try snapshot[person, address])
    let street = try schema.property("street", of: "Address", as: String?.self)
    #expect(try snapshot[home, street] == "Elm Street")
    #expect(
      try snapshot[person, schema.property("photo", of: "Person", as: [UInt8].self)] == [1, 2]
    )
    #expect(
      try snapshot[person, schema.property("anything", of: "Person", as: Value.self)]
        == .double(1.5)
    )
    let id = try schema.property("id", of: "Person", as: Int64.self)
    #expect(try snapshot.find(id, 7) == person)
    #expect(try snapshot.find(id, 8) == nil)
    var met: [ObjectIdentity] = []
    try snapshot.forEachObject(of: person.classKey) { met.append($0) }
    #expect(met == [person])
  }

  @Test func `of another type, or that is not there, is refused by name`() throws {
    try withTemporaryDatabase { database in
      try database.write { try $0.define(Self.classes) }
      let schema = try database.snapshot().schema
      let wrong: [(String, String, () throws -> Void)] = [
        ("Cat", "Cat.age", { _ = try schema.property("age", of: "Cat", as: Int64.self) }),
        ("weight", "Dog.weight", { _ = try schema.property("weight", of: "Dog", as: Int64.self) }),
        ("Dog.name", "an int", { _ = try schema.property("name", of: "Dog", as: Int64.self) }),
        ("Dog.breed", "optional", { _ = try schema.property("breed", of: "Dog", as: String.self) }),
      ]
      for (name, what, ask) in wrong {
        let error = #expect(throws: DatabaseError.self, "\(what)") { try ask() }
        #expect(error?.message.contains(name) == true, "\(what)")
      }
    }
  }

  @Test func `of an object that is gone cannot be read or set`() throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        try transaction.define(Self.classes)
        let age = try transaction.schema.property("age", of: "Dog", as: Int64.self)
        let name = try transaction.schema.property("name", of: "Dog", as: String.self)
        let dogs = try (0..<300).map { _ in try transaction.create(age.classKey) }
        for dog in dogs { try transaction.set(dog, property: age, to: 5) }
        #expect(try transaction[dogs[7], age] == 5)
        try transaction.delete([dogs[7]])
        #expect(throws: DatabaseError.self) { try transaction[dogs[7], age] }
        #expect(throws: DatabaseError.self) { try transaction[dogs[7], name] }
        #expect(throws: DatabaseError.self) { try transaction.set(dogs[7], property: age, to: 6) }
        #expect(try transaction[dogs[8], age] == 5)
      }
      let snapshot = try database.snapshot()
      let age = try snapshot.schema.property("age", of: "Dog", as: Int64.self)
      let gone = ObjectIdentity(age.classKey, ObjectKey(rawValue: 8))
      #expect(throws: DatabaseError.self) { try snapshot[gone, age] }
      for key in [0, 301, 1 << 20, UInt64.max] {
        #expect(throws: DatabaseError.self) {
          try snapshot[ObjectIdentity(age.classKey, ObjectKey(rawValue: key)), age]
        }
      }
    }
  }

  @Test func `is read of all objects by their keys, eight at a time`() throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        try transaction.define(Self.classes)
        let dog = try transaction.schema.property("age", of: "Dog", as: Int64.self).classKey
        var dogs: [ObjectIdentity] = []
        for _ in 0..<1500 { dogs.append(try transaction.create(dog)) }
        // Whole clusters, single ones, and some at the end of a word and of the class.
        let gone = dogs.filter { dog in
          let key = dog.key.rawValue
          return 256..<768 ~= key || key % 41 == 0 || 1000..<1024 ~= key || key > 1490
        }
        try transaction.delete(gone)
      }
      let snapshot = try database.snapshot()
      let dog = try snapshot.schema.property("age", of: "Dog", as: Int64.self).classKey
      let all = try snapshot.objects(of: dog).keys
      #expect(all.count > 800)
      var batch = [8 of ObjectKey](repeating: ObjectKey(rawValue: 0))
      for start in [0, 1, 7, 250, 255, 256, 300, 767, 768, 1023, 1490, 1499, 1501, 5000] as [UInt64]
      {
        var met: [ObjectKey] = []
        var next = ObjectKey(rawValue: start)
        while true {
          let count = try snapshot.copyKeys(of: dog, from: next, into: &batch)
          for index in 0..<count { met.append(batch[index]) }
          if count < 8 { break }
          next = ObjectKey(rawValue: batch[7].rawValue + 1)
        }
        #expect(met == all.filter { $0.rawValue >= start }, "from \(start)")
      }
    }
  }

  @Test func `of another class is refused by name, for reading and for writing`() throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        try transaction.define(Self.classes)
        let schema = transaction.schema
        // Each lies in a slot of the same kind as one of the other class.
        let age = try schema.property("age", of: "Dog", as: Int64.self)
        let id = try schema.property("id", of: "Person", as: Int64.self)
        let name = try schema.property("name", of: "Dog", as: String.self)
        let dogs = try schema.property("dogs", of: "Person", as: [ObjectIdentity].self)
        let favourite = try schema.property("favourite", of: "Person", as: ObjectIdentity?.self)
        let address = try schema.property("address", of: "Person", as: ObjectIdentity?.self)
        let photo = try schema.property("photo", of: "Person", as: [UInt8].self)
        let dog = try transaction.create(age.classKey)
        let person = try transaction.create(id, 1)
        let uses: [(String, () throws -> Void)] = [
          ("read a number", { _ = try transaction[person, age] }),
          ("read a text", { _ = try transaction[person, name] }),
          ("read a link", { _ = try transaction[dog, favourite] }),
          ("read data", { _ = try transaction[dog, photo] }),
          ("set a number", { try transaction.set(dog, property: id, to: 5) }),
          ("set a text", { try transaction.set(person, property: name, to: "x") }),
          ("set a link", { try transaction.set(dog, property: favourite, to: dog) }),
          ("set data", { try transaction.set(dog, property: photo, to: [1]) }),
          ("count", { _ = try transaction.count(in: dog, property: dogs) }),
          ("read a list", { _ = try transaction[dog, dogs] }),
          ("read a target", { _ = try transaction.target(at: 0, in: dog, property: dogs) }),
          ("walk", { try transaction.forEachTarget(of: dog, property: dogs) { _ in } }),
          ("append", { try transaction.append(dog, to: dog, property: dogs) }),
          ("embed", { _ = try transaction.createEmbedded(in: dog, property: address) }),
        ]
        for (what, use) in uses {
          let error = #expect(throws: DatabaseError.self, "\(what)") { try use() }
          #expect(error?.code == .noSuchProperty, "\(what)")
          #expect(error?.message.contains("Person") == true, "\(what)")
          #expect(error?.message.contains("Dog") == true, "\(what)")
        }
      }
    }
  }
}
