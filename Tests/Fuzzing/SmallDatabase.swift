import KennelCore

/// A file with something of everything in few pages.
enum SmallDatabase {
  private static let kinds = ValueKind.allCases.filter { $0 != .link }

  private static let classes = [
    ClassDefinition(
      "Thing",
      properties: [PropertyDefinition("id", .int, isPrimaryKey: true)]
        + kinds.map { PropertyDefinition("\($0)", PropertyType($0, isOptional: true)) }
        + kinds.map {
          PropertyDefinition("\($0)s", .list(PropertyType($0, isOptional: $0 == .mixed)))
        }
        + [PropertyDefinition("code", .string, isIndexed: true)]
    ),
    ClassDefinition(
      "Part",
      isEmbedded: true,
      properties: [PropertyDefinition("name", .string), PropertyDefinition("part", .link("Part"))]
    ),
    ClassDefinition(
      "Person",
      properties: [
        PropertyDefinition("name", .string, isPrimaryKey: true),
        PropertyDefinition("small", .int(bitWidth: 8)),
        PropertyDefinition("thing", .link("Thing"), deleteRule: .cascadeIfLast),
        PropertyDefinition("friends", .set(.link("Person"))),
        PropertyDefinition("things", .list(.link("Thing"))),
        PropertyDefinition("named", .map(.link("Thing"))),
        PropertyDefinition("words", .set(.string)),
        PropertyDefinition("parts", .list(.link("Part"))),
        PropertyDefinition("part", .link("Part")),
        PropertyDefinition("any", .mixed),
      ]
    ),
  ]

  static func make(_ path: String) throws {
    let database = try Database.open(path)
    try database.write { try $0.define(classes) }
    try database.write { try fill($0) }
    // So that there are free pages.
    try database.write { transaction in
      let thing = try transaction.schema.require("Thing")
      let objects = Array(try transaction.objects(of: thing.key, from: nil, limit: 12))
      _ = try transaction.delete(Array(objects[8..<12]))
    }
  }

  private static func fill(_ transaction: WriteTransaction) throws {
    let thing = try transaction.schema.require("Thing")
    let person = try transaction.schema.require("Person")
    let part = try transaction.schema.require("Part")
    var things: [ObjectIdentity] = []
    // Two clusters.
    for number in 0..<280 {
      var values: [PropertyKey: Value] = [:]
      values[try thing.require("id").key] = .int(Int64(number))
      values[try thing.require("code").key] = .string("code \(number % 7)")
      if number < 20 {
        for kind in kinds {
          values[try thing.require("\(kind)").key] = value(kind, number)
          values[try thing.require("\(kind)s").key] = .list([value(kind, 1), value(kind, number)])
        }
      }
      things.append(try transaction.create(thing.key, values))
    }
    // Outside of their chunks.
    let long = String(repeating: "long text ", count: 900)
    try transaction.set(things[2], property: thing.require("string").key, to: .string(long))
    let many = (0..<3000).map { Value.int(Int64($0)) }
    try transaction.set(things[3], property: thing.require("ints").key, to: .list(many))
    var people: [ObjectIdentity] = []
    for number in 0..<30 {
      var values: [PropertyKey: Value] = [:]
      values[try person.require("name").key] = .string("person \(number)")
      values[try person.require("small").key] = .int(Int64(number))
      values[try person.require("thing").key] = .link(things[number % 5])
      values[try person.require("things").key] = .list(
        (number == 0 ? things[...] : things[number..<number + 2]).map(Value.link)
      )
      values[try person.require("named").key] = .map([MapEntry("it", .link(things[number]))])
      values[try person.require("words").key] = .set([.string("a"), .string("b\(number)")])
      values[try person.require("friends").key] = .set(people.suffix(2).map(Value.link))
      values[try person.require("any").key] =
        number % 2 == 0
        ? .link(things[number]) : .list([.int(1), .map([MapEntry("x", .bool(true))])])
      let made = try transaction.create(person.key, values)
      people.append(made)
      let owned = try transaction.createEmbedded(at: Slot(made, person.require("part").key))
      try transaction.set(owned, property: part.require("name").key, to: .string("part"))
      _ = try transaction.createEmbedded(at: Slot(owned, part.require("part").key))
    }
  }

  private static func value(_ kind: ValueKind, _ number: Int) -> Value {
    switch kind {
    case .bool: .bool(number % 2 == 0)
    case .int: .int(Int64(number) * 1000)
    case .float: .float(Float(number) / 3)
    case .double: .double(Double(number) / 3)
    case .string: .string("text \(number)")
    case .data: .data([UInt8(truncatingIfNeeded: number), 1])
    case .date: .date(Timestamp(seconds: Int64(number)))
    case .objectId: .objectId(ObjectId(high: UInt64(number), low: 1))
    case .uuid: .uuid(UUIDValue(high: UInt64(number), low: 1))
    case .decimal128: .decimal128(Decimal128(Int64(number)))
    case .mixed, .link: .string("mixed \(number)")
    }
  }
}
