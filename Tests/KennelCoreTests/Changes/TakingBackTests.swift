import KennelCore
import KennelTestSupport
import Testing

/// A commit that is taken back by another draft.
@Suite("Taking a commit back")
struct TakingBackTests {
  private let kennels: Kennels

  init() throws { kennels = try Kennels() }

  private func names(_ property: PropertyKey, of reader: DatabaseReader) throws -> [String] {
    try reader.objects(of: kennels.dog.key).map {
      ValueText.describe(try reader.value(of: $0, property: kennels.name))
    }
    .sorted()
  }

  private func dogs(_ reader: DatabaseReader) throws -> [String] {
    try reader.value(of: kennels.ada, property: kennels.dogs).links.map {
      ValueText.describe(try reader.value(of: $0, property: kennels.name))
    }
  }

  @Test func `brings back values, places in lists, and objects with what they own`() throws {
    defer { kennels.remove() }
    try kennels.database.write { transaction in
      try transaction.createEmbedded(at: Slot(kennels.ada, kennels.home))
      try transaction.insert(.link(kennels.max), at: 0, of: kennels.ada, property: kennels.dogs)
    }
    let before = try kennels.database.snapshot()
    let draft = try kennels.database.makeDraft()
    let bo = try draft.create(kennels.dog.key, [kennels.name: .string("Bo")])
    try draft.set(kennels.rex, property: kennels.name, to: .string("King"))
    try draft.insert(.link(bo), at: 0, of: kennels.ada, property: kennels.dogs)
    try draft.set(kennels.ada, property: kennels.home, to: .null)
    try draft.delete([kennels.max])
    _ = try draft.commit()
    let after = try kennels.database.snapshot()
    #expect(try names(kennels.name, of: after) != names(kennels.name, of: before))

    let back = try kennels.database.makeDraft()
    try back.restore(kennels.database.recordsTakingBack(from: before, to: after))
    #expect(back.conflicts.isEmpty)
    _ = try back.commit()
    let now = try kennels.database.snapshot()
    #expect(try names(kennels.name, of: now) == names(kennels.name, of: before))
    #expect(try dogs(now) == dogs(before))
    #expect(try !now.value(of: kennels.ada, property: kennels.home).isNull)
  }

  @Test func `is a conflict where another commit has changed the same value since`() throws {
    defer { kennels.remove() }
    let before = try kennels.database.snapshot()
    try kennels.database.write { try $0.set(kennels.rex, property: kennels.name, to: .string("A")) }
    let after = try kennels.database.snapshot()
    try kennels.database.write { try $0.set(kennels.rex, property: kennels.name, to: .string("B")) }
    let back = try kennels.database.makeDraft()
    try back.restore(kennels.database.recordsTakingBack(from: before, to: after))
    #expect(back.conflicts.count == 1)
  }

  @Test func `of a commit before the last one leaves what was committed since`() throws {
    defer { kennels.remove() }
    let before = try kennels.database.snapshot()
    try kennels.database.write { try $0.set(kennels.rex, property: kennels.name, to: .string("A")) }
    let after = try kennels.database.snapshot()
    try kennels.database.write { try $0.set(kennels.max, property: kennels.name, to: .string("B")) }
    let back = try kennels.database.makeDraft()
    try back.restore(kennels.database.recordsTakingBack(from: before, to: after))
    #expect(back.conflicts.isEmpty)
    _ = try back.commit()
    let now = try kennels.database.snapshot()
    let names = try [kennels.rex, kennels.max].map { try now.value(of: $0, property: kennels.name) }
    let old = try before.value(of: kennels.rex, property: kennels.name)
    #expect(names == [old, .string("B")])
  }

  @Test func `deletes what was added to the schema, and gives back names and attributes`() throws {
    defer { kennels.remove() }
    let before = try kennels.database.snapshot()
    let (dog, person) = (kennels.dog.name, try #require(before.schema[kennels.ada.classKey]).name)
    let draft = try kennels.database.makeDraft()
    let changes: [SchemaChange] = [
      .addClass("Toy", isEmbedded: false),
      .addProperty(PropertyDefinition("size", .int), of: "Toy"),
      .addProperty(PropertyDefinition("toys", .list(.link("Toy"))), of: dog),
      .setIndexed(true, "name", of: dog), .renameProperty("name", of: dog, to: "called"),
      .renameClass(dog, to: "Hound"), .setTargetRule(.deny, "dogs", of: person),
    ]
    for change in changes { try draft.changeSchema(change) }
    let toy = try draft.create(draft.reader.schema.require("Toy").key, [:])
    let toys = try draft.reader.schema.require("Hound").require("toys").key
    try draft.insert(.link(toy), at: 0, of: kennels.rex, property: toys)
    try draft.set(kennels.rex, property: kennels.name, to: .string("King"))
    _ = try draft.commit()
    let after = try kennels.database.snapshot()
    #expect(after.schema != before.schema)
    let back = try kennels.database.makeDraft()
    try back.restore(kennels.database.recordsTakingBack(from: before, to: after))
    _ = try back.commit()
    let now = try kennels.database.snapshot()
    #expect(now.schema.definitions == before.schema.definitions)
    #expect(try names(kennels.name, of: now) == names(kennels.name, of: before))
  }

  @Test func `takes a primary key away before its property`()
    throws
  {
    defer { kennels.remove() }
    let before = try kennels.database.snapshot()
    let draft = try kennels.database.makeDraft()
    try draft.changeSchema(.addClass("Toy", isEmbedded: false))
    try draft.changeSchema(.addProperty(PropertyDefinition("name", .string), of: "Toy"))
    _ = try draft.commit()
    let plain = try kennels.database.snapshot()
    let next = try kennels.database.makeDraft()
    try next.changeSchema(.addProperty(PropertyDefinition("code", .int), of: "Toy"))
    try next.changeSchema(.setPrimaryKey("code", of: "Toy"))
    _ = try next.commit()
    let after = try kennels.database.snapshot()
    let back = try kennels.database.makeDraft()
    try back.restore(kennels.database.recordsTakingBack(from: plain, to: after))
    #expect(back.reader.schema.definitions == plain.schema.definitions)
    #expect(before.schema.definitions != plain.schema.definitions)
  }

  @Test func `is refused where values have gone with the schema`() throws {
    defer { kennels.remove() }
    let before = try kennels.database.snapshot()
    let draft = try kennels.database.makeDraft()
    try draft.changeSchema(.deleteProperty("name", of: kennels.dog.name))
    _ = try draft.commit()
    let after = try kennels.database.snapshot()
    #expect {
      try kennels.database.recordsTakingBack(from: before, to: after)
    } throws: { error in
      (error as? DatabaseError)?.message.contains("deleted or converted a part of class") == true
    }
  }

  @Test func `can be cancelled, and leaves the draft as it was`() throws {
    defer { kennels.remove() }
    let before = try kennels.database.snapshot()
    try kennels.database.write { try $0.set(kennels.rex, property: kennels.name, to: .string("A")) }
    let after = try kennels.database.snapshot()
    let cancelled = QueryProgress(isCancelled: { true })
    let records = try kennels.database.recordsTakingBack(from: before, to: after)
    let back = try kennels.database.makeDraft()
    for attempt in 0..<2 {
      let error = #expect(throws: DatabaseError.self) {
        if attempt == 0 {
          _ = try kennels.database.recordsTakingBack(from: before, to: after, progress: cancelled)
        } else {
          try back.restore(records, progress: cancelled)
        }
      }
      #expect(error?.code == .cancelled)
    }
    #expect(back.isEmpty)
    try back.restore(records)
    #expect(back.operationCount == 1)
  }
}
