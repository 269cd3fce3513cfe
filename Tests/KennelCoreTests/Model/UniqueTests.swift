import KennelCore
import KennelTestSupport
import Testing

@Suite struct `A property that is unique` {
  private func withBadges(_ body: (Database, ClassSchema) throws -> Void) throws {
    try withTemporaryDatabase { database in
      let badge = PropertyDefinition("badge", .int.optional, isUnique: true)
      try database.write { transaction in
        try transaction.define([
          ClassDefinition("Dog", properties: [PropertyDefinition("name", .string), badge])
        ])
      }
      try body(database, database.snapshot().schema.require("Dog"))
    }
  }

  @Test func `stays that in the file, and in the definitions of its classes`() throws {
    try withBadges { database, dog in
      #expect(dog["badge"]?.isUnique == true && dog["badge"]?.isIndexed == true)
      let definitions = try database.snapshot().schema.definitions
      #expect(definitions[0].properties.map(\.isUnique) == [false, true])
      #expect(try !database.snapshot().schema.lacks(definitions))
    }
  }

  @Test func `is not required while objects lack a value`() throws {
    try withBadges { database, dog in
      try database.write { transaction in
        _ = try transaction.create(dog.key, [:])
        let error = #expect(throws: DatabaseError.self) {
          try transaction.setOptional(false, "badge", of: "Dog")
        }
        #expect(error?.message.contains("give them values first") == true)
        for (number, object) in try transaction.objects(of: dog.key).enumerated() {
          try transaction.set(object, property: dog.require("badge").key, to: .int(Int64(number)))
        }
        try transaction.setOptional(false, "badge", of: "Dog")
      }
    }
  }

  @Test func `holds for a draft, which can exchange values step by step`() throws {
    try withBadges { database, dog in
      let badge = try dog.require("badge").key
      let dogs = try database.write { transaction in
        try (1...2).map { try transaction.create(dog.key, [badge: .int($0)]) }
      }
      let draft = try database.makeDraft()
      let error = #expect(throws: DatabaseError.self) {
        try draft.set(dogs[0], property: badge, to: .int(2))
      }
      #expect(error?.code == .duplicateValue && error?.object == dogs[1])
      try draft.set(dogs[0], property: badge, to: .null)
      try draft.set(dogs[1], property: badge, to: .int(1))
      try draft.set(dogs[0], property: badge, to: .int(2))
      guard case .committed = try draft.commit() else {
        Issue.record("The draft was not committed")
        return
      }
      let values = try dogs.map { try database.snapshot().value(of: $0, property: badge) }
      #expect(values == [.int(2), .int(1)])
    }
  }
}
