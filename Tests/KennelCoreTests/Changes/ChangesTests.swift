import KennelCore
import KennelTestSupport
import Testing

@Suite struct ChangesTests {
  @Test func `created, changed and deleted objects are told with old and new values`() throws {
    let kennels = try Kennels()
    defer { kennels.remove() }
    let before = try kennels.database.snapshot()
    let fido = try kennels.database.write { transaction in
      let fido = try transaction.create(kennels.dog.key, [kennels.name: .string("Fido")])
      try transaction.set(kennels.rex, property: kennels.name, to: .string("Bello"))
      try transaction.set(kennels.rex, property: kennels.breed, to: .string(""))
      _ = try transaction.delete([kennels.max])
      return fido
    }
    let after = try kennels.database.snapshot()
    let changes = try kennels.database.changes(from: before, to: after)
    #expect(changes.fromCommit == before.commitNumber)
    #expect(changes.toCommit == after.commitNumber)
    #expect(changes.created == [fido])
    #expect(changes.deleted == [kennels.max])
    #expect(!changes.isSchemaChanged)
    #expect(changes.changed.map(\.object) == [kennels.rex, kennels.ada])
    let rex = try #require(changes.changed.first).properties
    #expect(rex.map(\.property) == [kennels.name, kennels.breed])
    #expect(rex.map(\.old) == [.string("Rex"), .null])
    #expect(rex.map(\.new) == [.string("Bello"), .string("")])
    let ada = try #require(changes.changed.last).properties
    #expect(ada.map(\.property) == [kennels.dogs])
    #expect(ada[0].old == .list([.link(kennels.rex), .link(kennels.max), .link(kennels.rex)]))
    #expect(ada[0].new == .list([.link(kennels.rex), .link(kennels.rex)]))
  }

  @Test func `the difference can be told backwards, and of one snapshot there is none`() throws {
    let kennels = try Kennels()
    defer { kennels.remove() }
    let before = try kennels.database.snapshot()
    try kennels.database.write {
      try $0.set(kennels.rex, property: kennels.name, to: .string("Bello"))
    }
    let after = try kennels.database.snapshot()
    let back = try kennels.database.changes(from: after, to: before)
    #expect(back.changed.first?.properties.first?.old == .string("Bello"))
    #expect(back.changed.first?.properties.first?.new == .string("Rex"))
    let nothing = try kennels.database.changes(from: after, to: try kennels.database.snapshot())
    #expect(nothing.created.isEmpty && nothing.deleted.isEmpty && nothing.changed.isEmpty)
  }

  @Test func `an added property changes no object until it is set`() throws {
    let kennels = try Kennels()
    defer { kennels.remove() }
    let before = try kennels.database.snapshot()
    try kennels.database.write { transaction in
      try transaction.define([
        ClassDefinition(
          "Dog",
          properties: [PropertyDefinition("age", .int, defaultValue: .int(7))]
        )
      ])
    }
    let between = try kennels.database.snapshot()
    let age = try #require(between.schema["Dog"]?["age"]).key
    #expect(try between.value(of: kennels.rex, property: age) == .int(7))
    let added = try kennels.database.changes(from: before, to: between)
    #expect(added.isSchemaChanged)
    #expect(added.changed.isEmpty)
    try kennels.database.write { try $0.set(kennels.max, property: age, to: .int(3)) }
    let set = try kennels.database.changes(from: before, to: try kennels.database.snapshot())
    #expect(set.changed.map(\.object) == [kennels.max])
    #expect(set.changed.first?.properties.map(\.old) == [.int(7)])
    #expect(set.changed.first?.properties.map(\.new) == [.int(3)])
  }

  @Test func `a list too long for its chunk is told when only its order changed`() throws {
    let kennels = try Kennels()
    defer { kennels.remove() }
    let dogs = try kennels.database.write { transaction in
      let dogs = try (0..<5000).map { _ in
        try transaction.create(kennels.dog.key, [kennels.name: .string("Dog")])
      }
      try transaction.set(kennels.ada, property: kennels.dogs, to: .list(dogs.map(Value.link)))
      return dogs
    }
    let before = try kennels.database.snapshot()
    try kennels.database.write { transaction in
      try transaction.moveElement(from: 3000, to: 3001, of: kennels.ada, property: kennels.dogs)
    }
    let changes = try kennels.database.changes(from: before, to: try kennels.database.snapshot())
    #expect(changes.changed.map(\.object) == [kennels.ada])
    var moved = dogs
    moved.swapAt(3000, 3001)
    let change = try #require(changes.changed.first?.properties.first)
    #expect(change.property == kennels.dogs)
    #expect(change.old == .list(dogs.map(Value.link)))
    #expect(change.new == .list(moved.map(Value.link)))
  }

  @Test func `a text too long for its chunk is told when one byte of it changed`() throws {
    let kennels = try Kennels()
    defer { kennels.remove() }
    let text = String(repeating: "long", count: 50_000)
    try kennels.database.write {
      try $0.set(kennels.rex, property: kennels.name, to: .string(text + "a"))
    }
    let before = try kennels.database.snapshot()
    try kennels.database.write {
      try $0.set(kennels.rex, property: kennels.name, to: .string(text + "b"))
    }
    let changes = try kennels.database.changes(from: before, to: try kennels.database.snapshot())
    let change = try #require(changes.changed.first?.properties.first)
    #expect(change.old == .string(text + "a"))
    #expect(change.new == .string(text + "b"))
  }

  @Test func `a neighbour whose chunk was rewritten does not count as changed`() throws {
    let kennels = try Kennels()
    defer { kennels.remove() }
    let before = try kennels.database.snapshot()
    try kennels.database.write { transaction in
      try transaction.set(kennels.max, property: kennels.name, to: .string("Moritz"))
      try transaction.set(kennels.rex, property: kennels.name, to: .string("Other"))
      try transaction.set(kennels.rex, property: kennels.name, to: .string("Rex"))
    }
    let changes = try kennels.database.changes(from: before, to: try kennels.database.snapshot())
    #expect(changes.changed.map(\.object) == [kennels.max])
  }

  @Test func `a refreshed draft has a base that tells what changed`() throws {
    let kennels = try Kennels()
    defer { kennels.remove() }
    let draft = try kennels.database.makeDraft()
    try kennels.database.write {
      try $0.set(kennels.max, property: kennels.name, to: .string("Moritz"))
    }
    let before = draft.base
    #expect(try draft.refresh())
    let changes = try kennels.database.changes(from: before, to: draft.base)
    #expect(changes.changed.map(\.object) == [kennels.max])
    #expect(try !draft.refresh())
  }

  @Test func `random commits are told as a comparison of everything tells them`() throws {
    for seed in [1, 2, 3] as [UInt64] {
      let kennels = try Kennels()
      var random = QueryWorld.Random(state: seed)
      for _ in 0..<10 {
        let before = try kennels.database.snapshot()
        try kennels.database.write { try randomChanges($0, kennels, &random) }
        let after = try kennels.database.snapshot()
        let told = try kennels.database.changes(from: before, to: after)
        #expect(try everything(before, after) == Summary(told), "seed \(seed)")
      }
      kennels.remove()
    }
  }

  private func randomChanges(
    _ transaction: WriteTransaction,
    _ kennels: Kennels,
    _ random: inout QueryWorld.Random
  ) throws {
    for _ in 0..<random.below(60) {
      let dogs = try transaction.objects(of: kennels.dog.key, limit: 2000).keys
        .map { ObjectIdentity(kennels.dog.key, $0) }
      switch random.below(6) {
      case 0 where !dogs.isEmpty: _ = try transaction.delete([random.pick(dogs)])
      case 1 where !dogs.isEmpty:
        try transaction.set(
          random.pick(dogs),
          property: kennels.name,
          to: .string("\(random.below(9))")
        )
      case 2 where !dogs.isEmpty:
        let breed: Value = random.below(2) == 0 ? .null : .string("b\(random.below(3))")
        try transaction.set(random.pick(dogs), property: kennels.breed, to: breed)
      case 3 where !dogs.isEmpty:
        let links = (0..<random.below(4)).map { _ in Value.link(random.pick(dogs)) }
        try transaction.set(kennels.ada, property: kennels.dogs, to: .list(links))
      default:
        for number in 0..<random.below(90) {
          _ = try transaction.create(kennels.dog.key, [kennels.name: .string("\(number)")])
        }
      }
    }
  }

  private struct Summary: Equatable {
    var created: [ObjectIdentity] = []
    var deleted: [ObjectIdentity] = []
    var changed: [ChangeSet.ChangedObject] = []
    var pairs: [[Value]] = []

    init() {}

    init(_ changes: ChangeSet) {
      created = changes.created
      deleted = changes.deleted
      pairs = changes.changed.flatMap { object in
        object.properties.map { [.link(object.object), $0.old, $0.new] }
      }
    }
  }

  private func everything(_ before: Snapshot, _ after: Snapshot) throws -> Summary {
    var summary = Summary()
    for schema in after.schema.classes {
      let old = try before.objects(of: schema.key).keys
      let new = try after.objects(of: schema.key).keys
      let oldKeys = Set(old)
      let newKeys = Set(new)
      summary.created += new.filter { !oldKeys.contains($0) }
        .map { ObjectIdentity(schema.key, $0) }
      summary.deleted += old.filter { !newKeys.contains($0) }
        .map { ObjectIdentity(schema.key, $0) }
      for key in new where oldKeys.contains(key) {
        let object = ObjectIdentity(schema.key, key)
        for property in schema.properties.sorted(by: { $0.key < $1.key }) {
          let pair = try [before, after].map { try $0.value(of: object, property: property.key) }
          if pair[0] != pair[1] { summary.pairs.append([.link(object)] + pair) }
        }
      }
    }
    return summary
  }
}
