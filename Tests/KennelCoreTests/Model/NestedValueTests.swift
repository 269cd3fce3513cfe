import KennelCore
import KennelTestSupport
import Testing

@Suite struct `A list or map in a mixed value` {
  private let classes = [
    define("Dog", ["name": .string]),
    ClassDefinition(
      "Box",
      properties: [
        PropertyDefinition("any", .mixed), PropertyDefinition("list", .list(.mixed)),
        PropertyDefinition("map", .map(.mixed)),
        PropertyDefinition("other", .mixed, deleteRule: .cascadeIfLast),
      ]
    ),
  ]

  private static func holding(_ dog: ObjectIdentity) -> Value {
    .list([.map([MapEntry("a", .link(dog)), MapEntry("b", .int(1))]), .link(dog)])
  }

  @Test func `is stored with its keys in order, each once`() throws {
    try withClasses(classes) { transaction, _ in
      let unordered: Value = .list([
        .map([MapEntry("b", .int(1)), MapEntry("a", .int(2)), MapEntry("b", .int(3))])
      ])
      let box = try transaction.make("Box", ["any": unordered, "list": .list([unordered])])
      let ordered: Value = .list([.map([MapEntry("a", .int(2)), MapEntry("b", .int(3))])])
      #expect(try transaction.value(box, "any") == ordered)
      #expect(try transaction.value(box, "list") == .list([ordered]))
      try transaction.setEntry("x", to: unordered, of: box, property: transaction.key(box, "map"))
      #expect(try transaction.value(box, "map") == .map([MapEntry("x", ordered)]))
    }
  }

  @Test func `counts each link inside it`() throws {
    try withClasses(classes) { transaction, _ in
      let dog = try transaction.make("Dog")
      let box = try transaction.make("Box", ["any": Self.holding(dog)])
      #expect(try transaction.origins(dog) == ["Box.any: 1 1"])
      try transaction.put(box, "any", .list([.link(dog)]))
      #expect(try transaction.origins(dog) == ["Box.any: 1"])
      try transaction.put(box, "any", .int(1))
      #expect(try transaction.origins(dog).isEmpty)
    }
  }

  @Test func `stays where an object inside it is deleted, with null in its place`() throws {
    try withClasses(classes) { transaction, _ in
      let dog = try transaction.make("Dog")
      let held = Self.holding(dog)
      let box = try transaction.make(
        "Box",
        [
          "any": held, "list": .list([.link(dog), held, .int(1)]),
          "map": .map([MapEntry("x", held)]),
        ]
      )
      let radius = try transaction.blastRadius(deleting: [dog])
      #expect(radius.nulled.count == 3)
      #expect(radius.removed.map(\.position) == [.index(0)])
      try transaction.delete([dog])
      let left: Value = .list([.map([MapEntry("a", .null), MapEntry("b", .int(1))]), .null])
      #expect(try transaction.value(box, "any") == left)
      #expect(try transaction.value(box, "list") == .list([left, .int(1)]))
      #expect(try transaction.value(box, "map") == .map([MapEntry("x", left)]))
    }
  }

  @Test func `holds objects alive as a link alone does`() throws {
    try withClasses(classes) { transaction, _ in
      let dog = try transaction.make("Dog")
      let box = try transaction.make("Box", ["other": Self.holding(dog)])
      try transaction.put(box, "other", .map([MapEntry("a", .link(dog))]))
      #expect(try transaction.contains(dog))
      try transaction.put(box, "other", .map([]))
      #expect(try !transaction.contains(dog))
    }
  }

  @Test func `that replaces another keeps alive what both hold, also if only itself holds it`()
    throws
  {
    let node = ClassDefinition(
      "Node",
      properties: [
        PropertyDefinition("list", .list(.mixed), deleteRule: .cascadeIfLast),
        PropertyDefinition("map", .map(.mixed), deleteRule: .cascadeIfLast),
      ]
    )
    try withClasses([node]) { transaction, _ in
      let object = try transaction.make("Node")
      let list = try transaction.key(object, "list")
      let map = try transaction.key(object, "map")
      let link = Value.link(object)
      try transaction.insert(link, at: 0, of: object, property: list)
      try transaction.replace(at: 0, with: .list([.null, link]), of: object, property: list)
      try transaction.setEntry("a", to: link, of: object, property: map)
      try transaction.setEntry("a", to: .list([link]), of: object, property: map)
      #expect(try transaction.value(object, "list") == .list([.list([.null, link])]))
      #expect(try transaction.value(object, "map") == .map([MapEntry("a", .list([link]))]))
      try transaction.removeElement(at: 0, of: object, property: list)
      #expect(try !transaction.contains(object))
    }
  }

  @Test func `is asked by its elements`() throws {
    try withClasses(classes) { transaction, _ in
      let box = try transaction.make(
        "Box",
        ["any": .map([MapEntry("a", .list([.int(1), .string("x")])), MapEntry("b", .null)])]
      )
      _ = try transaction.make("Box", ["any": .int(1), "list": .list([.list([.int(4)])])])
      func found(_ text: String) throws -> [UInt64] {
        let predicate = try Predicate.parse(text, for: box.classKey, in: transaction.schema)
        #expect(
          "\(try Predicate.parse("\(predicate)", for: box.classKey, in: transaction.schema))"
            == "\(predicate)"
        )
        return try transaction.objects(of: box.classKey, where: predicate).keys.map(\.rawValue)
      }
      #expect(try found("#any['a'][0] == 1") == [1])
      #expect(try found("#any['a'][-1] == 'x'") == [1])
      #expect(try found("#any['a'][*] == 'x'") == [1])
      #expect(try found("ALL #any['a'][*].@type == 'numeric'") == [2])
      #expect(try found("#any['a'].@count == 2") == [1])
      #expect(try found("#any.@type == 'map'") == [1])
      #expect(try found("#any.@type IN {'int', 'collection'}") == [1, 2])
      #expect(try found("#any['b'] == null") == [1, 2])
      #expect(try found("#any == 1") == [2])
      #expect(try found("list[0][0] == 4") == [2])
      #expect(try found("list[*][0] == 4") == [2])
      #expect(try found("list == 4") == [])
      #expect(try found("SUBQUERY(list, $x, $x[0] == 4).@count == 1") == [2])
      #expect(try found("#any['a'] == {1, 'x'}") == [1])
    }
  }

  @Test func `that is long lies outside its chunk`() throws {
    try withClasses(classes) { transaction, _ in
      let long: Value = .list((0..<10_000).map { .list([.int($0)]) })
      let box = try transaction.make("Box", ["any": long])
      #expect(try transaction.value(box, "any") == long)
      try transaction.put(box, "any", .int(1))
      #expect(try transaction.value(box, "any") == .int(1))
    }
  }
}
