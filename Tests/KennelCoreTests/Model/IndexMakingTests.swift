import KennelCore
import KennelStorage
import KennelTestSupport
import Testing

/// Indexes of properties whose objects are there already.
@Suite struct `An index that is made later` {
  private static let types: [(name: String, type: PropertyType)] = [
    ("number", .int), ("maybe", .int.optional), ("text", .string), ("story", .string.optional),
    ("flag", .bool), ("date", .date), ("id", .uuid), ("bytes", .data.optional),
    ("share", .double),
  ]

  private static func things(isIndexed: Bool) -> [ClassDefinition] {
    let properties = types.map { PropertyDefinition($0.name, $0.type, isIndexed: isIndexed) }
    return [
      ClassDefinition("Thing", properties: properties),
      ClassDefinition("Last", properties: [PropertyDefinition("code", .int, isIndexed: true)]),
    ]
  }

  /// Makes objects with values that share beginnings, are long, empty, null, alike or odd.
  private static func populate(_ transaction: KennelCore.WriteTransaction, _ count: Int) throws {
    var random = SplitMix64(seed: 5)
    for number in 0..<count {
      let pick = Int(random.next() % 9)
      let texts = [
        "", "a", "a\0", "a\0b", "Thing \(number)", "Thing with a long name \(number % 50)",
        String(repeating: "long ", count: 20) + "\(number % 7)",
        String(repeating: "very long ", count: 90) + "\(number % 3)", "é\u{301}👩‍👩‍👧",
      ]
      let numbers: [Int64] = [
        0, -1, .min, .max, 1 << 53, 1 << 53 + 1, Int64(number), Int64(number % 20), -7,
      ]
      let text = Value.string(texts[pick])
      var values: [String: Value] = [:]
      values["number"] = .int(numbers[Int(random.next() % 9)])
      values["maybe"] = pick < 3 ? .null : .int(numbers[pick])
      values["text"] = text
      values["story"] = pick == 2 ? .null : text
      values["flag"] = .bool(pick < 4)
      values["date"] = Timestamp(seconds: numbers[pick] / 4, nanoseconds: 0).map(Value.date)
      values["id"] = .uuid(UUIDValue(high: random.next() % 3, low: random.next()))
      values["bytes"] = pick == 5 ? .null : .data(Array(texts[pick].utf8))
      values["share"] = .double(Double(Int(random.next() % 100)) / 8 - 5)
      _ = try transaction.make("Thing", values)
    }
    for code in 0..<50 { _ = try transaction.make("Last", ["code": .int(Int64(code))]) }
  }

  /// Looks every value up by each index, and compares with the objects that have it.
  private func expectComplete(_ snapshot: DatabaseReader) throws {
    let thing = try #require(snapshot.schema["Thing"])
    for (name, _) in Self.types {
      let property = try #require(thing[name])
      #expect(property.isIndexed)
      var objects: [Value: [ObjectIdentity]] = [:]
      for object in try snapshot.objects(of: thing.key) {
        objects[try snapshot.value(of: object, property: property.key), default: []].append(object)
      }
      for (value, expected) in objects {
        let predicate = try Predicate.parse(
          "\(name) == %@",
          for: thing.key,
          in: snapshot.schema,
          arguments: [value]
        )
        #expect(try snapshot.objects(of: thing.key, where: predicate).keys == expected.map(\.key))
      }
    }
  }

  @Test func `finds what was there before it, in its transaction and after it`() throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        try transaction.define(Self.things(isIndexed: false))
        try Self.populate(transaction, 700)
      }
      try database.write { transaction in
        let thing = try transaction.classKey("Thing")
        let old = try transaction.objects(of: thing).keys
        try transaction.delete(old[200..<500].map { ObjectIdentity(thing, $0) })
        try Self.populate(transaction, 200)
        try transaction.define(Self.things(isIndexed: true))
        try expectComplete(transaction)
        try Self.populate(transaction, 100)
        try expectComplete(transaction)
      }
      try expectComplete(database.snapshot())
    }
  }

  @Test func `of a class without objects keeps its transaction on the snapshot`() throws {
    let temporary = try TemporaryDatabase()
    try temporary.database.write { try $0.define(Self.things(isIndexed: false)) }
    let store = try DatabaseFile(path: temporary.path, isReadOnly: false, create: false)
    let writer = try store.beginWrite()
    let thing = try #require(writer.view.schema.classes.first { $0.name == "Thing" })
    var number = try #require(thing["number"])
    number.isIndexed = true
    try writer.buildIndex(thing.key, number)
    // What is fast there, such as keys that ascend, is so on a snapshot only.
    number.isPrimaryKey = true
    #expect(try writer.view.indexes.isGreatestKey(thing.key, number, .int(5)))
    writer.rollback()
    store.close()
    temporary.finish()
  }

  @Test(arguments: [0, 20_000, 1 << 20])
  func `is whole however little memory its making may take`(budget: Int) throws {
    let temporary = try TemporaryDatabase()
    try temporary.database.write { transaction in
      try transaction.define(Self.things(isIndexed: false))
      try Self.populate(transaction, 700)
    }
    let store = try DatabaseFile(path: temporary.path, isReadOnly: false, create: false)
    let writer = try store.beginWrite()
    var schema = writer.view.schema
    let position = try #require(schema.classes.firstIndex { $0.name == "Thing" })
    for index in schema.classes[position].properties.indices {
      schema.classes[position].properties[index].isIndexed = true
    }
    schema.classes[position].index()
    try writer.setSchema(schema)
    for property in schema.classes[position].properties {
      try writer.buildIndex(
        schema.classes[position].key,
        property,
        memoryBudgetInBytes: budget
      )
    }
    _ = try writer.commit()
    store.close()
    try expectComplete(temporary.database.snapshot())
    temporary.finish()
  }
}
