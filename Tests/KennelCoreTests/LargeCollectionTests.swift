import KennelCore
import KennelTestSupport
import Testing

/// Deletions that meet one large collection many times.
@Suite struct LargeCollectionTests {
  @Test(.timeLimit(.minutes(1)))
  func `many elements of one list, set and map die at once`() throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        try transaction.define([
          ClassDefinition("Dog", properties: [PropertyDefinition("name", .string)]),
          ClassDefinition(
            "Pack",
            properties: [
              PropertyDefinition("list", .list(.link("Dog"))),
              PropertyDefinition("set", .set(.link("Dog"))),
              PropertyDefinition("map", .map(.link("Dog").optional)),
              PropertyDefinition("anys", .list(.mixed)),
            ]
          ),
        ])
      }
      let schema = try database.snapshot().schema
      let dog = try #require(schema["Dog"])
      let pack = try #require(schema["Pack"])
      func key(_ name: String) throws -> PropertyKey { try #require(pack[name]).key }
      let count = 4_000
      let (dogs, owner) = try database.write { transaction in
        let dogs = try (0..<count).map { _ in try transaction.create(dog.key, [:]) }
        let links = dogs.map(Value.link)
        let entries = links.enumerated().map { MapEntry("\($0.offset)", $0.element) }
        let owner = try transaction.create(
          pack.key,
          [
            try key("list"): .list(links + links.reversed()), try key("set"): .set(links),
            try key("map"): .map(entries), try key("anys"): .list([.int(1)] + links),
          ]
        )
        return (dogs, owner)
      }
      let marked = Array(dogs.dropFirst().dropLast())
      let radius = try database.write { transaction in try transaction.deleteAsPlanned(marked) }
      #expect(radius.removed.count == 4 * marked.count)
      #expect(radius.nulled.count == marked.count)
      let snapshot = try database.snapshot()
      let (first, last) = (Value.link(dogs[0]), Value.link(dogs[count - 1]))
      #expect(
        try snapshot.value(of: owner, property: try key("list"))
          == .list([first, last, last, first])
      )
      #expect(try snapshot.value(of: owner, property: try key("set")) == .set([first, last]))
      #expect(
        try snapshot.value(of: owner, property: try key("anys")) == .list([.int(1), first, last])
      )
      guard case .map(let entries) = try snapshot.value(of: owner, property: try key("map")) else {
        Issue.record("not a map")
        return
      }
      #expect(entries.count == count)
      #expect(entries.count { $0.value.isNull } == marked.count)
    }
  }

  @Test func `class and property names are told apart by their bytes`() throws {
    try withTemporaryDatabase { database in
      let (composed, decomposed) = ("Caf\u{E9}", "Cafe\u{301}")
      let names = [PropertyDefinition(composed, .int), PropertyDefinition(decomposed, .string)]
      try database.write { transaction in
        try transaction.define([
          ClassDefinition(composed, properties: names),
          ClassDefinition(decomposed, properties: [PropertyDefinition("to", .link(composed))]),
        ])
      }
      let schema = try database.snapshot().schema
      let first = try #require(schema[composed])
      let second = try #require(schema[decomposed])
      #expect(first.key != second.key)
      #expect(first[composed]?.type == .int)
      #expect(first[decomposed]?.type == .string)
      #expect(second["to"]?.target == first.key)
      // The same link to the other class is another type.
      #expect(throws: DatabaseError.self) {
        try database.write { transaction in
          try transaction.define([
            ClassDefinition(decomposed, properties: [PropertyDefinition("to", .link(decomposed))])
          ])
        }
      }
    }
  }

  @Test func `an index past every list is an error and no trap`() throws {
    let kennels = try Kennels()
    defer { kennels.remove() }
    let draft = try kennels.database.makeDraft()
    for index in [-1, 4, Int.max - 1, .max, .min] {
      #expect(throws: DatabaseError.self) {
        try draft.insert(.link(kennels.rex), at: index, of: kennels.ada, property: kennels.dogs)
      }
      #expect(throws: DatabaseError.self) {
        try draft.replace(
          at: index,
          with: .link(kennels.rex),
          of: kennels.ada,
          property: kennels.dogs
        )
      }
      #expect(throws: DatabaseError.self) {
        try draft.removeElement(at: index, of: kennels.ada, property: kennels.dogs)
      }
      #expect(throws: DatabaseError.self) {
        try draft.moveElement(from: 0, to: index, of: kennels.ada, property: kennels.dogs)
      }
    }
    #expect(draft.isEmpty)
  }
}
