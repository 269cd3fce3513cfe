import KennelCore
import KennelTestSupport
import Testing

/// One class with a link of every shape to another, and one embedded.
private let classes: [ClassDefinition] = [
  define("Dog", ["name": .string]),
  define("Tag", embedded: true, ["dog": .link("Dog"), "inner": .link("Tag")]),
  define(
    "Person",
    [
      "one": .link("Dog"), "list": .list(.link("Dog")), "set": .set(.link("Dog")),
      "map": .map(.link("Dog")), "mixed": .mixed, "mixedList": .list(.mixed),
      "mixedSet": .set(.mixed), "mixedMap": .map(.mixed), "tag": .link("Tag"),
      "tags": .list(.link("Tag")), "tagByName": .map(.link("Tag")),
    ]
  ),
]

@Suite struct `A link` {
  @Test func `set to null goes alone`() throws {
    try withClasses(classes) { transaction, _ in
      let dog = try transaction.make("Dog")
      let person = try transaction.make("Person", ["one": .link(dog)])
      try transaction.put(person, "one", .null)
      #expect(try transaction.contains(dog))
      #expect(try transaction.origins(dog).isEmpty)
    }
  }

  @Test func `may stand in a list twice and counts twice`() throws {
    try withClasses(classes) { transaction, _ in
      let dog = try transaction.make("Dog")
      let other = try transaction.make("Dog")
      let links: [Value] = [.link(dog), .link(other), .link(dog)]
      let person = try transaction.make("Person", ["list": .list(links)])
      #expect(try transaction.value(person, "list") == .list(links))
      #expect(try transaction.origins(dog) == ["Person.list: 1 1"])
      try transaction.removeElement(at: 0, of: person, property: transaction.key(person, "list"))
      #expect(try transaction.origins(dog) == ["Person.list: 1"])
      #expect(try transaction.value(person, "list") == .list([.link(other), .link(dog)]))
      #expect(try transaction.contains(dog))
    }
  }

  static let shapes: [(String, String)] = [
    ("one", "one"), ("list", "list"), ("set", "set"), ("map", "map"), ("mixed", "mixed"),
    ("mixedList", "mixedList"), ("mixedSet", "mixedSet"), ("mixedMap", "mixedMap"),
  ]

  private static func holding(_ target: ObjectIdentity, _ shape: String) -> Value {
    switch shape {
    case "list": .list([.link(target), .link(target)])
    case "mixedList": .list([.int(1), .link(target), .null])
    case "set": .set([.link(target)])
    case "mixedSet": .set([.int(1), .link(target)])
    case "map": .map([MapEntry("a", .link(target)), MapEntry("b", .null)])
    case "mixedMap": .map([MapEntry("a", .link(target)), MapEntry("b", .int(1))])
    default: .link(target)
    }
  }

  private static func after(_ shape: String) -> Value {
    switch shape {
    case "list": .list([])
    case "mixedList": .list([.int(1), .null])
    case "set": .set([])
    case "mixedSet": .set([.int(1)])
    case "map": .map([MapEntry("a", .null), MapEntry("b", .null)])
    case "mixedMap": .map([MapEntry("a", .null), MapEntry("b", .int(1))])
    default: .null
    }
  }

  @Test(arguments: shapes.map(\.0))
  func `has a backlink inside the transaction, whatever its shape`(_ shape: String) throws {
    try withClasses(classes) { transaction, _ in
      let dog = try transaction.make("Dog")
      let person = try transaction.make("Person")
      #expect(try transaction.origins(dog).isEmpty)
      try transaction.put(person, shape, Self.holding(dog, shape))
      let keys = shape == "list" ? "1 1" : "1"
      #expect(try transaction.origins(dog) == ["Person.\(shape): \(keys)"])
      try transaction.put(person, shape, Self.after(shape))
      #expect(try transaction.origins(dog).isEmpty)
    }
  }

  @Test(arguments: shapes.map(\.0))
  func `to a deleted object becomes null or leaves its collection`(_ shape: String) throws {
    try withTemporaryDatabase { database in
      let (dog, person) = try database.write { transaction in
        try transaction.define(classes)
        let dog = try transaction.make("Dog")
        let person = try transaction.make("Person", [shape: Self.holding(dog, shape)])
        return (dog, person)
      }
      try database.write { transaction in
        let radius = try transaction.deleteAsPlanned([dog])
        let edges = radius.nulled.count + radius.removed.count
        #expect(edges == (shape == "list" ? 2 : 1))
        #expect(try transaction.value(person, shape) == Self.after(shape))
      }
      #expect(try database.snapshot().value(person, shape) == Self.after(shape))
    }
  }

  @Test func `from an embedded object has a backlink, the edge from its owner has none`() throws {
    try withClasses(classes) { transaction, _ in
      let dog = try transaction.make("Dog")
      let person = try transaction.make("Person")
      let tag = try transaction.embed(person, "tag")
      try transaction.put(tag, "dog", .link(dog))
      #expect(try transaction.origins(dog) == ["Tag.dog: 1"])
      #expect(try transaction.origins(tag).isEmpty)
      #expect(try transaction.owner(of: tag) == transaction.slot(person, "tag"))
      #expect(try transaction.owner(of: person) == nil)
      try transaction.delete([person])
      #expect(try transaction.origins(dog).isEmpty)
    }
  }

  @Test func `has its backlink in the order of the origins' keys`() throws {
    try withClasses(classes) { transaction, _ in
      let dog = try transaction.make("Dog")
      let people = try (0..<3).map { _ in try transaction.make("Person") }
      for person in [people[2], people[0], people[1]] {
        try transaction.put(person, "list", .list([.link(dog)]))
      }
      try transaction.put(people[0], "list", .list([.link(dog), .link(dog)]))
      #expect(try transaction.origins(dog) == ["Person.list: 1 1 2 3"])
    }
  }
}

@Suite struct `An embedded object` {
  @Test func `cannot be made alone`() throws {
    try withClasses(classes) { transaction, _ in
      #expect(code { _ = try transaction.make("Tag") } == .ownership)
      let person = try transaction.make("Person")
      #expect(code { _ = try transaction.embed(person, "one") } == .ownership)
    }
  }

  @Test func `cannot get a second owner`() throws {
    try withClasses(classes) { transaction, _ in
      let person = try transaction.make("Person")
      let other = try transaction.make("Person")
      let tag = try transaction.embed(person, "tag")
      let listed = try transaction.embed(person, "tags", .index(0))
      let mapped = try transaction.embed(person, "tagByName", .key("a"))
      let link = Value.link(tag)
      let tags = try transaction.key(person, "tags")
      let map = try transaction.key(person, "tagByName")
      let attempts: [() throws -> Void] = [
        { try transaction.put(other, "tag", link) },
        { try transaction.put(person, "tags", .list([.link(listed), link])) },
        { try transaction.put(person, "tags", .list([.link(listed), .link(listed)])) },
        { try transaction.insert(link, at: 0, of: other, property: tags) },
        { try transaction.replace(at: 0, with: link, of: person, property: tags) },
        { try transaction.setEntry("b", to: link, of: person, property: map) },
        { try transaction.put(person, "tagByName", .map([MapEntry("b", .link(mapped))])) },
        { _ = try transaction.make("Person", ["tag": link]) },
        { try transaction.put(person, "mixed", link) },
        { try transaction.put(tag, "inner", link) },
      ]
      for attempt in attempts { #expect(code(attempt) == .ownership) }
      #expect(try transaction.owner(of: tag) == transaction.slot(person, "tag"))
      #expect(transaction.count(of: person.classKey) == 2)
    }
  }

  @Test func `stays what it is when its own slot gets it again or its list another order`() throws {
    try withClasses(classes) { transaction, _ in
      let person = try transaction.make("Person")
      let tag = try transaction.embed(person, "tag")
      try transaction.put(person, "tag", .link(tag))
      let tags = try (0..<3).map { try transaction.embed(person, "tags", .index($0)) }
      let turned = Value.list([.link(tags[2]), .link(tags[0]), .link(tags[1])])
      try transaction.put(person, "tags", turned)
      #expect(try transaction.value(person, "tags") == turned)
      let key = try transaction.key(person, "tags")
      try transaction.moveElement(from: 0, to: 2, of: person, property: key)
      #expect(try transaction.owner(of: tags[2])?.position == .index(2))
      #expect(transaction.count(of: tag.classKey) == 4)
    }
  }

  @Test func `dies when its slot gets another value`() throws {
    try withClasses(classes) { transaction, _ in
      let person = try transaction.make("Person")
      let slots: [(String, Slot.Position)] = [("tag", .value), ("tagByName", .key("a"))]
      for (name, position) in slots {
        let old = try transaction.embed(person, name, position)
        let new = try transaction.embed(person, name, position)
        #expect(try !transaction.contains(old))
        #expect(try transaction.contains(new))
        try transaction.put(person, name, name == "tag" ? .null : .map([]))
        #expect(try !transaction.contains(new))
      }
      let tags = try (0..<3).map { try transaction.embed(person, "tags", .index($0)) }
      try transaction.removeElement(at: 1, of: person, property: transaction.key(person, "tags"))
      #expect(try !transaction.contains(tags[1]))
      try transaction.put(person, "tags", .list([.link(tags[2])]))
      #expect(try !transaction.contains(tags[0]))
      #expect(try transaction.contains(tags[2]))
    }
  }

  @Test func `deleted alone empties its slot, and the blast radius says so`() throws {
    try withClasses(classes) { transaction, _ in
      let person = try transaction.make("Person")
      let tag = try transaction.embed(person, "tagByName", .key("a"))
      let radius = try transaction.deleteAsPlanned([tag])
      #expect(try radius.nulled == [transaction.slot(person, "tagByName", .key("a"))])
      #expect(try transaction.value(person, "tagByName") == .map([MapEntry("a", .null)]))
    }
  }

  @Test func `goes with its owner to any depth`() throws {
    try withTemporaryDatabase { database in
      let person = try database.write { transaction in
        try transaction.define(classes)
        let person = try transaction.make("Person")
        var tag = try transaction.embed(person, "tag")
        for _ in 1..<5_000 { tag = try transaction.embed(tag, "inner") }
        return person
      }
      try database.write { transaction in
        let tag = try transaction.classKey("Tag")
        #expect(transaction.count(of: tag) == 5_000)
        let radius = try transaction.blastRadius(deleting: [person])
        #expect(radius.deletionCount == 5_001)
        #expect(radius.deletions.last?.depth == 5_000)
        try transaction.delete([person])
        #expect(transaction.count(of: tag) == 0)
      }
    }
  }
}
