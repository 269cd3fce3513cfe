import KennelCore
import KennelTestSupport
import Testing

/// Objects that are created whole, beside others of their class, whose values are set in memory.
@Suite struct `A new object beside others` {
  private static let classes = [
    ClassDefinition("Dog", properties: [PropertyDefinition("age", .int)]),
    ClassDefinition("Tag", isEmbedded: true, properties: [PropertyDefinition("text", .string)]),
    ClassDefinition(
      "Person",
      properties: [
        PropertyDefinition("name", .string),
        PropertyDefinition("age", .int),
        PropertyDefinition("favourite", .link("Dog")),
        PropertyDefinition("dogs", .list(.link("Dog"))),
        PropertyDefinition("tag", .link("Tag")),
      ]
    ),
  ]

  /// A value that a person cannot have.
  struct Misfit: Sendable {
    let property: String
    let value: @Sendable (_ person: ObjectIdentity, _ lost: ObjectIdentity) -> Value
    let code: DatabaseError.Code
  }

  private static let misfits = [
    Misfit(property: "name", value: { _, _ in .int(7) }, code: .wrongType),
    Misfit(property: "age", value: { _, _ in .string("7") }, code: .wrongType),
    Misfit(property: "age", value: { _, _ in .null }, code: .wrongType),
    Misfit(property: "favourite", value: { .link($1) }, code: .noSuchObject),
    Misfit(property: "favourite", value: { person, _ in .link(person) }, code: .wrongType),
    Misfit(property: "dogs", value: { .list([.link($1)]) }, code: .noSuchObject),
    Misfit(property: "dogs", value: { person, _ in .list([.link(person)]) }, code: .wrongType),
    Misfit(property: "dogs", value: { _, _ in .list([.int(1)]) }, code: .wrongType),
    Misfit(property: "dogs", value: { .link($1) }, code: .wrongType),
  ]

  @Test(arguments: misfits.indices)
  func `is not there if one value does not fit`(_ number: Int) throws {
    let misfit = Self.misfits[number]
    try withTemporaryDatabase { database in
      try database.write { transaction in
        try transaction.define(Self.classes)
        let dog = try transaction.create(transaction.schema.require("Dog").key)
        let lost = try transaction.create(dog.classKey)
        try transaction.delete([lost])
        let person = try transaction.schema.require("Person")
        let first = try transaction.create(whole(person, dog), of: person.key, in: transaction)
        var new = try whole(person, dog)
        try new.set(person.require(misfit.property).key, to: misfit.value(first, lost))
        let error = #expect(throws: DatabaseError.self) {
          try transaction.create(new, of: person.key, in: transaction)
        }
        #expect(error?.code == misfit.code)
        #expect(transaction.count(of: person.key) == 1)
        _ = try transaction.create(whole(person, dog), of: person.key, in: transaction)
        #expect(transaction.count(of: person.key) == 2)
      }
    }
  }

  @Test func `is not there if a value of an embedded object does not fit`() throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        try transaction.define(Self.classes)
        let dog = try transaction.create(transaction.schema.require("Dog").key)
        let person = try transaction.schema.require("Person")
        let text = try transaction.schema.require("Tag").require("text").key
        for value in [Value.string("a"), .string("b")] {
          _ = try transaction.create(
            whole(person, dog, tag: (text, value)),
            of: person.key,
            in: transaction
          )
        }
        let error = #expect(throws: DatabaseError.self) {
          try transaction.create(
            whole(person, dog, tag: (text, .int(1))),
            of: person.key,
            in: transaction
          )
        }
        #expect(error?.code == .wrongType)
        #expect(transaction.count(of: person.key) == 2)
        #expect(try transaction.count(of: transaction.schema.require("Tag").key) == 2)
      }
    }
  }

  /// A person with a value of each property.
  private func whole(
    _ person: ClassSchema,
    _ dog: ObjectIdentity,
    tag: (PropertyKey, Value)? = nil
  ) throws -> NewObject {
    var new = NewObject()
    try new.set(person.require("name").key, to: .string("Ada"))
    try new.set(person.require("age").key, to: .int(36))
    try new.set(person.require("favourite").key, to: .link(dog))
    try new.set(person.require("dogs").key, to: .list([.link(dog), .link(dog)]))
    if let (text, value) = tag {
      var embedded = NewObject()
      embedded.set(text, to: value)
      try new.embed(embedded, in: person.require("tag").key, at: .value)
    }
    return new
  }
}
