import KennelCore
import KennelTestSupport
import Testing

@Test func `what is written is read again after the commit`() throws {
  let temporary = try TemporaryDatabase()
  defer { temporary.finish() }
  let database = temporary.database
  try database.write { transaction in
    try transaction.define([
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
        properties: [
          PropertyDefinition("street", .string.optional)
        ]
      ),
      ClassDefinition(
        "Person",
        properties: [
          PropertyDefinition("id", .int, isPrimaryKey: true),
          PropertyDefinition("name", .string),
          PropertyDefinition("dog", .link("Dog")),
          PropertyDefinition("dogs", .list(.link("Dog"))),
          PropertyDefinition("address", .link("Address")),
        ]
      ),
    ])
    let dog = try #require(transaction.schema["Dog"])
    let person = try #require(transaction.schema["Person"])
    var dogs: [ObjectIdentity] = []
    for number in 0..<1000 {
      dogs.append(
        try transaction.create(
          dog.key,
          [
            dog["name"]!.key: .string("Dog \(number)"), dog["age"]!.key: .int(Int64(number % 20)),
          ]
        )
      )
    }
    for number in 0..<300 {
      let identity = try transaction.create(
        person.key,
        [
          person["id"]!.key: .int(Int64(number)),
          person["dog"]!.key: .link(dogs[number * 7 % 1000]),
          person["dogs"]!.key: .list((0..<5).map { .link(dogs[(number * 5 + $0) % 1000]) }),
        ]
      )
      let address = try transaction.createEmbedded(at: Slot(identity, person["address"]!.key))
      let schema = try #require(transaction.schema["Address"])
      try transaction.set(
        address,
        property: schema["street"]!.key,
        to: .string("Street \(number) " + String(repeating: "x", count: number))
      )
    }
    let backlinks = try transaction.backlinks(to: dogs[0])
    #expect(backlinks.map(\.count) == [1, 2])
  }
  let snapshot = try database.snapshot()
  let dog = try #require(snapshot.schema["Dog"])
  let person = try #require(snapshot.schema["Person"])
  #expect(snapshot.count(of: dog.key) == 1000)
  let found = try #require(try snapshot.find(person.key, primaryKey: .int(77)))
  #expect(
    try snapshot.value(of: found, property: person["dog"]!.key)
      == .link(ObjectIdentity(dog.key, ObjectKey(rawValue: 540)))
  )
  guard case .link(let address) = try snapshot.value(of: found, property: person["address"]!.key)
  else {
    Issue.record("no address")
    return
  }
  #expect(try snapshot.owner(of: address)?.object == found)
  try database.write { transaction in
    let deletions = try transaction.delete([found])
    #expect(deletions == 2)
  }
  let after = try database.snapshot()
  #expect(after.count(of: person.key) == 299)
  #expect(try !after.contains(address))
  #expect(try snapshot.contains(address))
}

@Test func `an object is called by a text for people rather than by an internal one`() throws {
  try withTemporaryDatabase { database in
    try database.write { transaction in
      try transaction.define([
        ClassDefinition(
          "Dog",
          properties: [
            PropertyDefinition("_partition", .string), PropertyDefinition("name", .string),
          ]
        )
      ])
      let dog = try #require(transaction.schema["Dog"])
      let (partition, name) = (dog["_partition"]!.key, dog["name"]!.key)
      let rex = try transaction.create(dog.key, [partition: .string("p1"), name: .string("Rex")])
      let nameless = try transaction.create(dog.key, [partition: .string("p1")])
      #expect(try transaction.displayName(of: rex) == "Rex")
      #expect(try transaction.displayName(of: nameless) == "p1")
    }
  }
}
