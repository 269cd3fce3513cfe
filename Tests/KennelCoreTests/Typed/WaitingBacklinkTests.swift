import KennelCore
import KennelTestSupport
import Testing

/// Links that are made with typed properties to objects at random, whose backlinks are noted later.
@Suite struct `Backlinks of links at random` {
  private static let classes = [
    ClassDefinition("Dog", properties: [PropertyDefinition("age", .int)]),
    ClassDefinition(
      "Person",
      properties: [
        PropertyDefinition("favourite", .link("Dog")),
        PropertyDefinition("dogs", .list(.link("Dog"))),
      ]
    ),
  ]

  /// What is linked, as the file has it and as a dictionary has it.
  private final class World {
    let favourite: TypedProperty<ObjectIdentity?>
    let list: TypedProperty<[ObjectIdentity]>
    var dogs: [ObjectIdentity] = []
    var people: [ObjectIdentity] = []
    /// The origins of each dog, by property.
    var admirers: [ObjectIdentity: [ObjectIdentity]] = [:]
    var owners: [ObjectIdentity: [ObjectIdentity]] = [:]
    var random = SplitMix64(seed: 7)

    init(_ transaction: WriteTransaction, dogs count: Int = 3000) throws {
      try transaction.define(`Backlinks of links at random`.classes)
      favourite = try transaction.schema.property("favourite", of: "Person")
      list = try transaction.schema.property("dogs", of: "Person")
      let age = try transaction.schema.property("age", of: "Dog", as: Int64.self)
      for _ in 0..<count { dogs.append(try transaction.create(age.classKey)) }
    }

    /// Makes people with a favourite and two dogs anywhere.
    func addPeople(_ count: Int, _ transaction: WriteTransaction) throws {
      for _ in 0..<count {
        let person = try transaction.create(favourite.classKey)
        people.append(person)
        let dog = random.pick(dogs)
        try transaction.set(person, property: favourite, to: dog)
        admirers[dog, default: []].append(person)
        for _ in 0..<2 {
          let dog = random.pick(dogs)
          try transaction.append(dog, to: person, property: list)
          owners[dog, default: []].append(person)
        }
      }
    }

    /// Makes a person with all dogs in their order.
    func addOwnerOfAll(_ transaction: WriteTransaction) throws {
      let person = try transaction.create(favourite.classKey)
      for dog in dogs {
        try transaction.append(dog, to: person, property: list)
        owners[dog, default: []].append(person)
      }
    }

    func expect(_ dog: ObjectIdentity, _ snapshot: DatabaseReader) throws {
      var met: [ObjectIdentity] = []
      try snapshot.forEachOrigin(of: dog, through: favourite) { met.append($0) }
      #expect(met == admirers[dog, default: []])
      met = []
      try snapshot.forEachOrigin(of: dog, through: list) { met.append($0) }
      #expect(met == owners[dog, default: []])
    }

    func expectAll(_ snapshot: DatabaseReader) throws {
      for dog in dogs { try expect(dog, snapshot) }
    }
  }

  @Test func `are there whenever somebody looks, and in the file`() throws {
    try withTemporaryDatabase { database in
      let world = try database.write { try World($0) }
      try database.write { transaction in
        // The first links load what they need; then a few wait, or as many as can, or more.
        for count in [1, 2, 3, 170, 171, 172, 600, 5] {
          try world.addPeople(count, transaction)
          try world.expect(world.random.pick(world.dogs), transaction)
          try world.addPeople(1, transaction)
        }
        try world.expectAll(transaction)
        try world.addPeople(50, transaction)
      }
      try world.expectAll(database.snapshot())
    }
  }

  /// With the first limit those that wait go on waiting, with the second they are stored, too.
  @Test(arguments: [40_000, 0])
  func `outlive what is stored early`(limit: Int) throws {
    try withTemporaryDatabase { database in
      let world = try database.write { try World($0) }
      try database.write { transaction in
        for count in [600, 3, 600] {
          try world.addPeople(count, transaction)
          try transaction.storeChanges(beyond: limit)
        }
        try world.addPeople(100, transaction)
        try world.expectAll(transaction)
        try world.addPeople(600, transaction)
        try transaction.storeChanges(beyond: limit)
      }
      try world.expectAll(database.snapshot())
      try database.write { transaction in
        try world.addPeople(600, transaction)
        try transaction.storeChanges(beyond: limit)
        // A new schema has other columns; what waits is for those of the old one.
        try transaction.define([define("Cat", ["friend": .link("Dog")])])
        try world.addPeople(10, transaction)
      }
      try world.expectAll(database.snapshot())
      #expect(try database.check().map(\.message) == [])
    }
  }

  @Test func `are there in a copy of the transaction's state`() throws {
    try withTemporaryDatabase { database in
      let world = try database.write { try World($0) }
      try database.write { transaction in
        try world.addPeople(400, transaction)
        let copy = transaction.copy()
        try world.expectAll(copy)
        try world.expectAll(transaction)
      }
    }
  }

  @Test func `follow a link that is changed or cut in place`() throws {
    try withTemporaryDatabase { database in
      let world = try database.write { try World($0) }
      try database.write { transaction in
        try world.addPeople(600, transaction)
        for (number, person) in world.people.enumerated() {
          let new = number % 3 == 0 ? nil : world.random.pick(world.dogs)
          let old = try #require(try transaction[person, world.favourite])
          world.admirers[old]?.removeAll { $0 == person }
          if let new { world.admirers[new, default: []].append(person) }
          try transaction.set(person, property: world.favourite, to: new)
          #expect(try transaction[person, world.favourite] == new)
        }
        try world.expectAll(transaction)
      }
      try world.expectAll(database.snapshot())
      #expect(try database.check().map(\.message) == [])
    }
  }

  @Test func `go with what is deleted, whichever end it is`() throws {
    try withTemporaryDatabase { database in
      let world = try database.write { try World($0) }
      try database.write { transaction in
        try world.addPeople(900, transaction)
        let leaving = Set(world.people.enumerated().filter { $0.offset % 3 == 1 }.map(\.element))
        try transaction.delete(Array(leaving))
        for dog in world.dogs {
          world.admirers[dog]?.removeAll(where: leaving.contains)
          world.owners[dog]?.removeAll(where: leaving.contains)
        }
        try world.expectAll(transaction)
        try world.addPeople(100, transaction)
        let lost = Array(world.dogs.prefix(500))
        try transaction.delete(lost)
        world.dogs.removeFirst(500)
        let left = Set(world.dogs)
        for person in world.people where try transaction.contains(person) {
          let dog = try transaction[person, world.favourite]
          #expect(dog.map(left.contains) ?? true)
        }
        try world.expectAll(transaction)
      }
      try world.expectAll(database.snapshot())
      #expect(try database.check().map(\.message) == [])
    }
  }

  /// 4,096 of one column that are in order are made at once.
  @Test func `are there where many are in order and others wait`() throws {
    try withTemporaryDatabase { database in
      let world = try database.write { try World($0, dogs: 9000) }
      try database.write { transaction in
        try world.addOwnerOfAll(transaction)
        try world.expect(world.dogs[4000], transaction)
        try world.addOwnerOfAll(transaction)
        try world.addPeople(30, transaction)
        try world.addOwnerOfAll(transaction)
        try world.expectAll(transaction)
        try world.addOwnerOfAll(transaction)
      }
      try world.expectAll(database.snapshot())
      #expect(try database.check().map(\.message) == [])
    }
  }

  /// Those of every sixteenth column wait together.
  @Test func `of many properties are told apart`() throws {
    try withTemporaryDatabase { database in
      let names = (0..<40).map { "link\($0)" }
      let properties = names.map { PropertyDefinition($0, .link("Dog")) }
      try database.write { transaction in
        try transaction.define([
          ClassDefinition("Dog"), ClassDefinition("Person", properties: properties),
        ])
        let links = try names.map {
          try transaction.schema.property($0, of: "Person", as: ObjectIdentity?.self)
        }
        let dogs = try (0..<300).map { _ in
          try transaction.create(transaction.schema.require("Dog").key)
        }
        for (number, dog) in dogs.enumerated() {
          let person = try transaction.create(links[0].classKey)
          for link in links.dropFirst(number % 3) {
            try transaction.set(person, property: link, to: dog)
          }
        }
      }
      #expect(try database.check().map(\.message) == [])
    }
  }
}
