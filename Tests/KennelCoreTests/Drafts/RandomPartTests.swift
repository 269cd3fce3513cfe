import KennelCore
import KennelTestSupport
import Testing

@Suite("Random drafts")
struct RandomPartTests {
  /// A draft of nodes with properties of every shape; each node has a name of its own.
  private struct World {
    let database: Database
    let node: ClassSchema
    let part: ClassSchema
    let draft: Draft
    var nameCount = 0

    init(_ database: Database) throws {
      self.database = database
      try database.write { transaction in
        try transaction.define([
          ClassDefinition(
            "Node",
            properties: [
              PropertyDefinition("name", .string), PropertyDefinition("label", .string),
              PropertyDefinition("next", .link("Node")),
              PropertyDefinition("list", .list(.link("Node"))),
              PropertyDefinition("set", .set(.int)), PropertyDefinition("numbers", .list(.int)),
              PropertyDefinition("map", .map(.int)), PropertyDefinition("part", .link("Part")),
              PropertyDefinition("parts", .list(.link("Part"))),
            ]
          ),
          ClassDefinition(
            "Part",
            isEmbedded: true,
            properties: [PropertyDefinition("label", .string)]
          ),
        ])
        let node = try #require(transaction.schema["Node"])
        let names = ["a", "b", "c"]
        for name in names {
          try transaction.create(
            node.key,
            [
              try #require(node["name"]).key: .string(name),
              try #require(node["numbers"]).key: .list([.int(1), .int(2), .int(1)]),
              try #require(node["set"]).key: .set([.int(1), .int(2)]),
            ]
          )
        }
      }
      let schema = try database.snapshot().schema
      node = try #require(schema["Node"])
      part = try #require(schema["Part"])
      draft = try database.makeDraft()
    }

    /// Another draft of the same nodes.
    init(beside other: World) throws {
      (database, node, part) = (other.database, other.node, other.part)
      draft = try database.makeDraft()
      nameCount = 1_000
    }

    func key(_ name: String) throws -> PropertyKey { try #require(node[name]).key }

    /// Performs one operation of any kind.
    mutating func step(_ random: inout SplitMix64) throws {
      let nodes = try draft.reader.objects(of: node.key).keys
        .map { ObjectIdentity(node.key, $0) }
      guard let some = nodes.isEmpty ? nil : random.pick(nodes) else { return }
      let number = Value.int(Int64(random.below(3)))
      let other = Value.link(random.pick(nodes))
      func index(_ name: String, _ extra: Int) throws -> Int? {
        let count = try draft.reader.elementCount(of: some, property: try key(name)) + extra
        return count == 0 ? nil : random.below(count)
      }
      switch random.below(18) {
      case 0, 1:
        nameCount += 1
        try draft.create(node.key, [try key("name"): .string("new \(nameCount)")])
      case 2: try draft.delete(random.once(in: 2) ? [some] : [some, random.pick(nodes)])
      case 3: try draft.set(some, property: try key("label"), to: .string("\(random.below(3))"))
      case 4: try draft.set(some, property: try key("next"), to: random.once(in: 3) ? .null : other)
      case 5:
        guard let place = try index("list", 1) else { return }
        try draft.insert(other, at: place, of: some, property: try key("list"))
      case 6:
        guard let place = try index("list", 0) else { return }
        try draft.removeElement(at: place, of: some, property: try key("list"))
      case 7:
        try draft.set(
          some,
          property: try key("list"),
          to: random.once(in: 2) ? .list([]) : .list([other])
        )
      case 8:
        guard let place = try index("numbers", 1) else { return }
        try draft.insert(number, at: place, of: some, property: try key("numbers"))
      case 9:
        guard let place = try index("numbers", 0) else { return }
        try draft.removeElement(at: place, of: some, property: try key("numbers"))
      case 10:
        guard let place = try index("numbers", 0) else { return }
        try draft.replace(at: place, with: number, of: some, property: try key("numbers"))
      case 11: try draft.set(some, property: try key("numbers"), to: .list([number]))
      case 12: try draft.insertMember(number, of: some, property: try key("set"))
      case 13: try draft.removeMember(number, of: some, property: try key("set"))
      case 14: try draft.set(some, property: try key("set"), to: .set([number]))
      case 15:
        let value = random.once(in: 2) ? nil : number
        try draft.setEntry(
          random.once(in: 2) ? "k" : "l",
          to: value,
          of: some,
          property: try key("map")
        )
      case 16: try draft.createEmbedded(at: Slot(some, try key("part")))
      default:
        guard let place = try index("parts", 1) else { return }
        let slot = Slot(some, try key("parts"), .index(place))
        let part = try draft.createEmbedded(at: slot)
        if random.once(in: 2) {
          let label = try #require(self.part["label"]).key
          try draft.set(part, property: label, to: .string("\(random.below(2))"))
        } else if random.once(in: 2) {
          try draft.removeElement(at: place, of: some, property: try key("parts"))
        }
      }
    }
  }

  /// What a database holds, with names for keys and without the order of lists, to which both halves
  /// of a draft may append.
  private func content(_ database: Database) throws -> [String] {
    let snapshot = try database.snapshot()
    let node = try #require(snapshot.schema["Node"])
    let part = try #require(snapshot.schema["Part"])
    let name = try #require(node["name"]).key
    func text(_ value: Value) throws -> String {
      guard case .link(let object) = value else { return ValueText.describe(value) }
      let property = object.classKey == node.key ? name : try #require(part["label"]).key
      return ValueText.describe(try snapshot.value(of: object, property: property))
    }
    return try snapshot.objects(of: node.key).map { object in
      try node.properties.map { property in
        let value = try snapshot.value(of: object, property: property.key)
        switch value {
        case .list(let elements), .set(let elements):
          return try elements.map(text).sorted().joined(separator: ",")
        case .map(let entries):
          return entries.map { "\($0.key):\(ValueText.describe($0.value))" }.joined(separator: ",")
        default: return try text(value)
        }
      }.joined(separator: "|")
    }.sorted()
  }

  private func commit(_ draft: Draft, leaving items: [DraftItem.ID]) throws -> Bool {
    var confirming: BlastRadius?
    for _ in 0..<2 {
      let transaction = try draft.database.beginWrite()
      switch try draft.commit(confirming: confirming, leaving: items, in: transaction) {
      case .committed, .nothingIncluded: return true
      case .conflicts: return false
      case .deletionsGrew(let radius): confirming = radius
      }
    }
    Issue.record("a confirmed deletion was not committed")
    return false
  }

  @Test func `are committed in two parts as they would be at once`() throws {
    let folder = try TemporaryFolder()
    var comparedCount = 0
    for seed in 1...UInt64(400) {
      try withTemporaryDatabase { database in
        var random = SplitMix64(seed: seed)
        var world = try World(database)
        for _ in 0..<(4 + random.below(8)) { try world.step(&random) }
        let items = world.draft.changes.flatMap(\.items)
        guard !items.isEmpty else { return }
        let copy = folder.file("\(seed).kennel")
        try world.draft.copy.write(to: copy)
        let expected = try content(try Database.open(copy))
        var left = items.map(\.id)
        left.removeAll { _ in random.once(in: 2) }
        let all = world.draft.records
        // What is left out may need what the other part deletes: then it is said to conflict.
        guard try commit(world.draft, leaving: left), try commit(world.draft, leaving: []) else {
          return
        }
        comparedCount += 1
        let found = try content(database)
        #expect(
          found == expected,
          "seed \(seed), without \(left): \(all.map { "\($0.number) \($0.operation)" })"
        )
      }
    }
    #expect(comparedCount > 300)
  }

  /// Every object that a reader has, with its values.
  private func objects(_ reader: DatabaseReader) throws -> [String] {
    try reader.schema.classes.flatMap { schema in
      try reader.objects(of: schema.key).map { object in
        try schema.properties.reduce("\(object)") { text, property in
          "\(text) \(ValueText.describe(try reader.value(of: object, property: property.key)))"
        }
      }
    }
  }

  /// A draft is what it is when all of its operations are performed from the beginning.
  private func expectSame(_ draft: Draft, _ comment: Comment) throws {
    let restored = try draft.database.makeDraft()
    try restored.restore(draft.records)
    #expect(restored.conflicts == draft.conflicts, comment)
    #expect(restored.changes == draft.changes, comment)
    #expect(try objects(restored.reader) == objects(draft.reader), comment)
  }

  @Test func `are the same after each decision as if they were performed anew`() throws {
    var decisionCount = 0
    for seed in 1...UInt64(400) {
      try withTemporaryDatabase { database in
        var random = SplitMix64(seed: seed)
        var world = try World(database)
        var other = try World(beside: world)
        for _ in 0..<(6 + random.below(10)) { try world.step(&random) }
        for _ in 0..<(2 + random.below(6)) { try other.step(&random) }
        guard try commit(other.draft, leaving: []) else { return }
        let draft = world.draft
        try draft.refresh()
        let log = Comment("seed \(seed): \(draft.records.map { "\($0.number) \($0.operation)" })")
        for _ in 0..<8 where !draft.conflicts.isEmpty {
          let some = draft.conflicts.map(\.id).filter { _ in random.once(in: 2) }
          try draft.resolve(some, with: random.once(in: 2) ? .mine : .theirs)
          decisionCount += 1
          try expectSame(draft, log)
        }
        try draft.resolve(draft.conflicts.map(\.id), with: .theirs)
        #expect(draft.conflicts.isEmpty, log)
        let decided = try objects(draft.reader)
        var stepCount = 0
        while try draft.undo() != nil { stepCount += 1 }
        #expect(draft.isEmpty, log)
        let back = try objects(draft.reader)
        let base = try objects(draft.base)
        #expect(back == base, log)
        for _ in 0..<stepCount { try draft.redo() }
        try expectSame(draft, log)
        let redone = try objects(draft.reader)
        if draft.conflicts.isEmpty { #expect(redone == decided, log) }
      }
    }
    #expect(decisionCount > 200)
  }
}
