import KennelCore
import KennelReports
import KennelTestSupport
import Testing

/// Databases of people and dogs for the tests of the reports.
enum Farm {
  static let classes = [
    ClassDefinition(
      "Person",
      properties: [
        PropertyDefinition("id", .int, isPrimaryKey: true),
        PropertyDefinition("name", .string),
        PropertyDefinition("dogs", .list(.link("Dog"))),
        PropertyDefinition("home", .link("Address")),
        PropertyDefinition("tags", .set(.string)),
        PropertyDefinition("phones", .list(.string)),
        PropertyDefinition("notes", .map(.string.optional)),
      ]
    ),
    ClassDefinition(
      "Dog",
      properties: [
        PropertyDefinition("name", .string), PropertyDefinition("age", .int),
        PropertyDefinition("friend", .link("Dog")), PropertyDefinition("weight", .double),
      ]
    ),
    ClassDefinition(
      "Address",
      isEmbedded: true,
      properties: [PropertyDefinition("city", .string)]
    ),
  ]

  /// Runs a body with a database of people with two dogs each.
  static func withDatabase<Result>(
    people: Int = 4,
    _ body: (Database) throws -> Result
  ) throws -> Result {
    try withTemporaryDatabase { database in
      try fill(database, people: people)
      return try body(database)
    }
  }

  static func fill(_ database: Database, people: Int = 4) throws {
    try database.write { transaction in
      try transaction.define(classes)
      for number in 0..<people {
        let dogs = try (0..<2).map { place in
          try make(
            "Dog",
            [
              "name": .string("Dog \(number).\(place)"), "age": .int(Int64(number)),
              "weight": .double(Double(number) / 2),
            ],
            transaction
          )
        }
        let person = try make(
          "Person",
          [
            "id": .int(Int64(100 + number)), "name": .string("Person \(number)"),
            "dogs": .list(dogs.map(Value.link)),
          ],
          transaction
        )
        let home = try transaction.schema.require("Person").require("home").key
        let address = try transaction.createEmbedded(at: Slot(person, home))
        try set(address, "city", .string("York"), transaction)
      }
    }
  }

  @discardableResult
  static func make(
    _ className: String,
    _ values: [String: Value],
    _ transaction: WriteTransaction
  ) throws -> ObjectIdentity {
    let classSchema = try transaction.schema.require(className)
    var byKey: [PropertyKey: Value] = [:]
    for (name, value) in values { byKey[try classSchema.require(name).key] = value }
    return try transaction.create(classSchema.key, byKey)
  }

  static func set(
    _ object: ObjectIdentity,
    _ name: String,
    _ value: Value,
    _ transaction: WriteTransaction
  ) throws {
    let classSchema = try #require(transaction.schema[object.classKey])
    try transaction.set(object, property: classSchema.require(name).key, to: value)
  }

  /// The object of a class with a key.
  static func object(
    _ className: String,
    _ key: UInt64,
    in reader: DatabaseReader
  ) throws -> ObjectIdentity {
    ObjectIdentity(try reader.schema.require(className).key, ObjectKey(rawValue: key))
  }
}
