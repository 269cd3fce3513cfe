// swift-format-ignore-file: NeverForceUnwrap
// A property that a table of questions names and the classes do not have should stop the test.

import KennelCore
import KennelTestSupport

/// A database with some hundreds of objects of every shape, the same each time, for queries.
struct QueryWorld {
  static let classes: [ClassDefinition] = [
    ClassDefinition(
      "Person",
      properties: [
        PropertyDefinition("name", .string), PropertyDefinition("nick", .string.optional),
        PropertyDefinition("age", .int), PropertyDefinition("height", .double.optional),
        PropertyDefinition("weight", .float), PropertyDefinition("isGood", .bool),
        PropertyDefinition("born", .date.optional), PropertyDefinition("token", .uuid),
        PropertyDefinition("price", .decimal128), PropertyDefinition("photo", .data.optional),
        PropertyDefinition("anything", .mixed), PropertyDefinition("dog", .link("Dog")),
        PropertyDefinition("dogs", .list(.link("Dog"))), PropertyDefinition("tags", .list(.string)),
        PropertyDefinition("scores", .set(.int)), PropertyDefinition("marks", .map(.int.optional)),
        PropertyDefinition("friends", .map(.link("Person"))),
        PropertyDefinition("spouse", .link("Person")),
        PropertyDefinition("number", .int, isIndexed: true),
        PropertyDefinition("code", .string.optional, isIndexed: true),
      ],
      backlinks: [BacklinkDefinition("clubs", origin: "Club", property: "members")]
    ),
    ClassDefinition(
      "Dog",
      properties: [
        PropertyDefinition("name", .string), PropertyDefinition("breed", .string.optional),
        PropertyDefinition("age", .int.optional),
      ],
      backlinks: [BacklinkDefinition("owners", origin: "Person", property: "dogs")]
    ),
    ClassDefinition(
      "Club",
      properties: [
        PropertyDefinition("name", .string), PropertyDefinition("members", .list(.link("Person"))),
      ]
    ),
  ]

  /// A generator of numbers that is the same each time.
  struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
      return mixed ^ mixed >> 31
    }

    mutating func below(_ end: Int) -> Int { Int(next() % UInt64(end)) }
    mutating func pick<Element>(_ elements: [Element]) -> Element {
      elements[below(elements.count)]
    }
  }

  static let names = [
    "Rex", "rex", "Bello", "Élan", "E\u{301}lan", "élan", "Ōsaka", "", "a*b", "日本", "Rex II",
    String(repeating: "long ", count: 60),
  ]
  static let heights: [Value] =
    [-1.5, -0.0, 0, 1.62, 1.75, 2.5, .infinity, .nan].map(Value.double) + [.null, .null]
  static let breeds: [Value] = ["Pug", "Boxer", "Corgi"].map(Value.string) + [.null]

  static func populate(_ transaction: WriteTransaction) throws {
    var random = Random(state: 42)
    let dogs = try (0..<300).map { number in
      try transaction.create(
        "Dog",
        [
          "name": .string("Dog \(number % 90)"), "breed": random.pick(breeds),
          "age": random.below(6) == 0 ? .null : .int(Int64(random.below(15))),
        ]
      )
    }
    var people: [ObjectIdentity] = []
    for number in 0..<330 {
      var values: [String: Value] = person(number, &random)
      if random.below(4) > 0 { values["dog"] = .link(random.pick(dogs)) }
      values["dogs"] = .list((0..<random.below(4)).map { _ in .link(random.pick(dogs)) })
      if !people.isEmpty {
        if random.below(3) > 0 { values["spouse"] = .link(random.pick(people)) }
        values["friends"] = .map([
          MapEntry("best", random.below(2) == 0 ? .null : .link(random.pick(people)))
        ])
      }
      people.append(try transaction.create("Person", values))
    }
    for number in 0..<20 {
      let members = (0..<random.below(30)).map { _ in Value.link(random.pick(people)) }
      _ = try transaction.create(
        "Club",
        ["name": .string("Club \(number % 7)"), "members": .list(members)]
      )
    }
  }

  private static func person(_ number: Int, _ random: inout Random) -> [String: Value] {
    let anything: [Value] = [
      .null, .int(3), .double(3), .string("x"), .bool(true), .data([1]), .float(0.5),
      .decimal128(Decimal128(1)), .date(Timestamp(seconds: 9)),
    ]
    var scores: Set<Int64> = []
    for _ in 0..<random.below(4) { scores.insert(Int64(random.below(6))) }
    return [
      "name": .string(random.pick(names)),
      "nick": random.below(3) == 0 ? .null : .string(random.pick(names)),
      "age": .int([-3, 0, 5, 5, 7, 41, .max, .min][random.below(8)]),
      "height": random.pick(heights), "weight": .float([0.1, 2.5, -1, 0.1][random.below(4)]),
      "isGood": .bool(random.below(2) == 0),
      "born": random.below(5) == 0
        ? .null
        : .date(
          Timestamp(
            seconds: Int64(random.below(5)) - 2,
            nanoseconds: UInt32(random.below(2)) * 500_000_000
          )!
        ),
      "token": .uuid(UUIDValue(high: UInt64(random.below(2)) << 63, low: UInt64(random.below(3)))),
      "price": .decimal128(Decimal128(random.below(4))),
      "photo": random.below(4) == 0 ? .null : .data((0..<random.below(3)).map { _ in 0xFF }),
      "anything": random.pick(anything),
      "tags": .list((0..<random.below(3)).map { _ in .string(random.pick(names)) }),
      "scores": .set(scores.sorted().map(Value.int)),
      "marks": .map(
        ["a", "b"].filter { _ in random.below(2) == 0 }
          .map { MapEntry($0, random.below(3) == 0 ? .null : .int(Int64(random.below(4)))) }
      ),
      "number": .int(Int64(number % 50)),
      "code": random.below(5) == 0 ? .null : .string("c\(random.below(60))"),
    ]
  }

  /// Changes, deletes and creates some objects, so that clusters are partly changed and have gaps.
  static func change(_ editing: any Editing, _ snapshot: () -> DatabaseReader, seed: UInt64) throws
  {
    var random = Random(state: seed)
    for name in ["Person", "Dog"] {
      let schema = snapshot().schema[name]!
      let classKey = schema.key
      let keys = try snapshot().objects(of: classKey, limit: 120).keys
      for key in keys {
        let object = ObjectIdentity(classKey, key)
        guard try snapshot().contains(object) else { continue }
        switch random.below(6) {
        case 0: _ = try editing.delete([object])
        case 1:
          try editing.set(
            object,
            property: schema["name"]!.key,
            to: .string("new \(random.below(3))")
          )
        case 2 where name == "Person":
          try editing.set(object, property: schema["number"]!.key, to: .int(3))
        case 3:
          try editing.set(object, property: schema["age"]!.key, to: .int(Int64(random.below(9))))
        default: break
        }
      }
      let first = try snapshot().objects(of: classKey, limit: 9).keys.map {
        ObjectIdentity(classKey, $0)
      }
      for number in 0..<5 {
        let made = try editing.create(classKey, [schema["name"]!.key: .string("Rex")])
        try editing.set(made, property: schema["age"]!.key, to: .int(5))
        guard name == "Person" else { continue }
        try editing.set(made, property: schema["spouse"]!.key, to: .link(first[number]))
        try editing.set(first[number + 3], property: schema["spouse"]!.key, to: .link(made))
        try editing.set(made, property: schema["number"]!.key, to: .int(3))
      }
    }
  }

  /// A database in a file of its own, removed at the end.
  static func with(_ body: (Database) throws -> Void) throws {
    try withTemporaryDatabase(body)
  }
}

extension Decimal128 {
  /// A small whole number.
  fileprivate init(_ number: Int) {
    self.init(high: 0x3040_0000_0000_0000, low: UInt64(number))
  }
}

extension WriteTransaction {
  fileprivate func create(_ name: String, _ values: [String: Value]) throws -> ObjectIdentity {
    let schema = schema[name]!
    let pairs = values.map { (schema[$0.key]!.key, $0.value) }
    return try create(schema.key, Dictionary(uniqueKeysWithValues: pairs))
  }
}
