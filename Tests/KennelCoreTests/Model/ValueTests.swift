import KennelCore
import KennelTestSupport
import Testing

@Suite struct `A value` {
  static let dates: [Value] = [
    Timestamp(seconds: 0), Timestamp(seconds: -1, nanoseconds: 500_000_000),
    Timestamp(seconds: .max, nanoseconds: 999_999_999), Timestamp(seconds: .min),
    Timestamp(seconds: -62_135_596_800),
  ].compactMap { $0.map(Value.date) }

  /// A type and values that must come back to the last bit.
  static let cases: [(PropertyType, [Value])] = [
    (.bool, [.bool(true), .bool(false)]),
    (.int, [.int(0), .int(.max), .int(.min)]),
    (.int(bitWidth: 8), [.int(127), .int(-128)]),
    (.int(bitWidth: 32), [.int(Int64(Int32.min))]),
    (
      .float,
      [
        .float(-0.0), .float(.infinity), .float(Float(bitPattern: 0x7FC0_1234)),
        .float(.leastNonzeroMagnitude),
      ]
    ),
    (
      .double,
      [
        .double(-0.0), .double(0), .double(.nan),
        .double(Double(bitPattern: 0x7FF8_0000_0000_0042)),
        .double(Double(bitPattern: 0x7FF0_0000_0000_0001)), .double(-.infinity),
      ]
    ),
    (
      .string,
      [
        .string(""), .string("caf\u{E9}"), .string("cafe\u{301}"), .string("\0\u{1B}[2J\n\t"),
        .string("👩‍👩‍👧 日本語 עברית"), .string(String(repeating: "x", count: 1 << 20)),
      ]
    ),
    (.data, [.data([]), .data([0]), .data(Array(repeating: 7, count: 1 << 20))]),
    (.date, dates),
    (.objectId, [.objectId(ObjectId(high: .max, low: 1))]),
    (.uuid, [.uuid(UUIDValue(high: 1, low: .max))]),
    (
      .decimal128,
      [
        .decimal128(Decimal128(high: 0x3040_0000_0000_0000, low: 1)),
        .decimal128(Decimal128(high: 0x303E_0000_0000_0000, low: 10)),
      ]
    ),
  ]

  @Test(arguments: cases)
  func `comes back to the last bit, in every shape`(_ type: PropertyType, _ values: [Value]) throws
  {
    try withTemporaryDatabase { database in
      let object = try database.write { transaction in
        try transaction.define([
          define(
            "All",
            [
              "one": type, "maybe": type.optional, "list": .list(type.optional), "set": .set(type),
              "map": .map(type.optional), "mixed": .mixed, "mixedList": .list(.mixed),
            ]
          )
        ])
        return try transaction.make("All")
      }
      for value in values {
        let all = Value.list([value, .null, value])
        let map = Value.map([MapEntry("", value), MapEntry("n", .null)])
        let expected: [(String, Value)] = [
          ("one", value), ("maybe", value), ("list", all), ("set", .set([value])), ("map", map),
          ("mixed", value), ("mixedList", all),
        ]
        try database.write { transaction in
          for (name, value) in expected { try transaction.put(object, name, value) }
        }
        let snapshot = try database.snapshot()
        for (name, value) in expected { #expect(try snapshot.value(object, name) == value) }
      }
      try database.write { try $0.put(object, "maybe", .null) }
      #expect(try database.snapshot().value(object, "maybe") == .null)
    }
  }

  @Test func `that is null differs from one that is empty`() throws {
    try withClasses([
      define(
        "Pair",
        ["text": .string.optional, "bytes": .data.optional, "list": .list(.string.optional)]
      )
    ]) { transaction, _ in
      let pair = try transaction.make("Pair")
      #expect(try transaction.value(pair, "text") == .null)
      #expect(try transaction.value(pair, "list") == .list([]))
      try transaction.put(pair, "text", .string(""))
      try transaction.put(pair, "bytes", .data([]))
      try transaction.put(pair, "list", .list([.null, .string("")]))
      #expect(try transaction.value(pair, "text") == .string(""))
      #expect(try transaction.value(pair, "bytes") == .data([]))
      #expect(try transaction.value(pair, "list") == .list([.null, .string("")]))
      #expect(try transaction.value(pair, "text") != .null)
    }
  }

  /// A mixed value of one level more than there may be.
  private static let tooDeep = (0...Value.deepestNesting).reduce(Value.null) { inner, _ in
    .list([inner])
  }

  @Test(arguments: [
    (PropertyType.int, Value.null, DatabaseError.Code.wrongType),
    (.int, .double(1), .wrongType), (.int(bitWidth: 8), .int(128), .outOfRange),
    (.int(bitWidth: 16), .int(-32769), .outOfRange), (.string, .list([]), .wrongType),
    (.list(.int), .int(1), .wrongType), (.list(.int), .list([.null]), .wrongType),
    (.set(.int), .list([.int(1)]), .wrongType), (.map(.int), .set([]), .wrongType),
    (.mixed, .set([]), .wrongType), (.mixed, .list([.set([])]), .wrongType),
    (.set(.mixed), .set([.list([])]), .wrongType), (.mixed, Self.tooDeep, .outOfRange),
    (.list(.mixed), .list([Self.tooDeep]), .outOfRange),
    (.link("Box"), .string("Box/1"), .wrongType),
    (
      .link("Box"), .link(ObjectIdentity(ClassKey(rawValue: 0), ObjectKey(rawValue: 99))),
      .noSuchObject
    ),
    (
      .mixed, .link(ObjectIdentity(ClassKey(rawValue: 0), ObjectKey(rawValue: 99))), .noSuchObject
    ),
  ])
  func `that does not fit is refused`(
    _ type: PropertyType,
    _ value: Value,
    _ expected: DatabaseError.Code
  ) throws {
    try withClasses([define("Box", ["value": type])]) { transaction, _ in
      let box = try transaction.make("Box")
      let before = try transaction.value(box, "value")
      #expect(code { try transaction.put(box, "value", value) } == expected)
      #expect(code { _ = try transaction.make("Box", ["value": value]) } == expected)
      #expect(try transaction.value(box, "value") == before)
      #expect(transaction.count(of: box.classKey) == 1)
    }
  }

  @Test func `is what its property's default says where none is given`() throws {
    try withClasses([
      ClassDefinition(
        "Dog",
        properties: [
          PropertyDefinition("name", .string).initially(.string("Rex")),
          PropertyDefinition("nick", .string.optional).initially(.string("R")),
          PropertyDefinition("tags", .set(.string)).initially(.set([.string("b"), .string("a")])),
        ]
      )
    ]) { transaction, _ in
      let dog = try transaction.make("Dog")
      #expect(try transaction.value(dog, "name") == .string("Rex"))
      #expect(try transaction.value(dog, "tags") == .set([.string("a"), .string("b")]))
      let other = try transaction.make("Dog", ["nick": .null])
      #expect(try transaction.value(other, "nick") == .null)
    }
  }

  @Test func `of a string is equal by its bytes alone`() throws {
    let composed = "caf\u{E9}"
    let decomposed = "cafe\u{301}"
    try withClasses([
      define("Word", key: "id", ["id": .string, "set": .set(.string), "map": .map(.int)])
    ]) { transaction, _ in
      let first = try transaction.make("Word", ["id": .string(composed)])
      let second = try transaction.make("Word", ["id": .string(decomposed)])
      #expect(try transaction.find(first.classKey, primaryKey: .string(composed)) == first)
      #expect(try transaction.find(first.classKey, primaryKey: .string(decomposed)) == second)
      let set = try transaction.key(first, "set")
      #expect(try transaction.insertMember(.string(composed), of: first, property: set))
      #expect(try transaction.insertMember(.string(decomposed), of: first, property: set))
      #expect(try !transaction.insertMember(.string(composed), of: first, property: set))
      let map = try transaction.key(first, "map")
      try transaction.setEntry(composed, to: .int(1), of: first, property: map)
      try transaction.setEntry(decomposed, to: .int(2), of: first, property: map)
      #expect(try transaction.elementCount(of: first, property: map) == 2)
      #expect(Slot(first, map, .key(composed)) != Slot(first, map, .key(decomposed)))
    }
  }

  @Test func `in a set is there once: NaN equals itself, negative zero equals zero`() throws {
    try withClasses([define("Box", ["set": .set(.double), "mixed": .set(.mixed)])]) {
      transaction,
      _ in
      let box = try transaction.make("Box")
      let set = try transaction.key(box, "set")
      #expect(try transaction.insertMember(.double(.nan), of: box, property: set))
      #expect(try !transaction.insertMember(.double(.nan), of: box, property: set))
      #expect(try transaction.insertMember(.double(-0.0), of: box, property: set))
      #expect(try !transaction.insertMember(.double(0), of: box, property: set))
      #expect(try transaction.insertMember(.double(-1), of: box, property: set))
      let order: [Value] = [.double(.nan), .double(-1), .double(-0.0)]
      #expect(try transaction.value(box, "set") == .set(order))
      try transaction.put(box, "mixed", .set([.string("b"), .int(1), .double(1), .null]))
      #expect(try transaction.value(box, "mixed") == .set([.null, .int(1), .string("b")]))
    }
  }
}
