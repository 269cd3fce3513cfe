@_spi(Faces) import KennelCore
import KennelTestSupport
import Testing

/// What becomes of a draft over several commits of others.
@Suite struct DraftRebaseTests {
  @Test func `a decision holds against the commit it was made on, not against the next`() throws {
    let kennels = try Kennels()
    defer { kennels.remove() }
    let draft = try kennels.database.makeDraft()
    try draft.set(kennels.rex, property: kennels.name, to: .string("Mine"))
    try rename(kennels, "Theirs")
    _ = try draft.refresh()
    try draft.resolve(try #require(draft.conflicts.first).id, with: .mine)
    #expect(draft.conflicts.isEmpty)
    try rename(kennels, "Again")
    _ = try draft.refresh()
    let conflict = try #require(draft.conflicts.first)
    #expect(conflict.base == .string("Theirs"))
    #expect(conflict.theirs == .string("Again"))
  }

  @Test func `several values set for one property are one conflict`() throws {
    let kennels = try Kennels()
    defer { kennels.remove() }
    let draft = try kennels.database.makeDraft()
    try draft.set(kennels.rex, property: kennels.name, to: .string("First"))
    try draft.set(kennels.max, property: kennels.name, to: .string("Other"))
    try draft.set(kennels.rex, property: kennels.name, to: .string("Last"))
    try rename(kennels, "Theirs")
    _ = try draft.refresh()
    #expect(draft.conflicts.count == 1)
    let conflict = try #require(draft.conflicts.first)
    #expect(conflict.base == .string("Rex"))
    #expect(conflict.mine == .string("Last"))
    try draft.resolve(conflict.id, with: .theirs)
    #expect(draft.conflicts.isEmpty)
    #expect(draft.changes.map(\.object) == [kennels.max])
    try draft.undo()
    try draft.resolve(conflict.id, with: .mine)
    #expect(draft.conflicts.isEmpty)
    #expect(try draft.reader.value(of: kennels.rex, property: kennels.name) == .string("Last"))
  }

  @Test func `a drop that is redone leaves the conflict of a later value there`() throws {
    let kennels = try Kennels()
    defer { kennels.remove() }
    let draft = try kennels.database.makeDraft()
    try draft.set(kennels.rex, property: kennels.name, to: .string("First"))
    try rename(kennels, "Theirs")
    try draft.refresh()
    try draft.set(kennels.rex, property: kennels.name, to: .string("Later"))
    try draft.resolve(try #require(draft.conflicts.first).id, with: .theirs)
    try draft.undo()
    try rename(kennels, "Again")
    try draft.refresh()
    try draft.redo()
    #expect(draft.conflicts.map(\.mine) == [.string("Later")])
    #expect(draft.operationCount == 1)
  }

  @Test func `a decision leaves what the others have done, and does not do it again`() throws {
    let kennels = try Kennels()
    defer { kennels.remove() }
    let draft = try kennels.database.makeDraft()
    for dog in [kennels.rex, kennels.max] {
      try draft.set(dog, property: kennels.name, to: .string("Mine"))
    }
    try kennels.database.write { transaction in
      for dog in [kennels.rex, kennels.max] {
        try transaction.set(dog, property: kennels.name, to: .string("Theirs"))
      }
    }
    try draft.refresh()
    let reader = draft.reader
    try draft.resolve(draft.conflicts[0].id, with: .mine)
    #expect(try reader.value(of: kennels.rex, property: kennels.name) == .string("Mine"))
    try draft.resolve(draft.conflicts[0].id, with: .theirs)
    #expect(draft.conflicts.isEmpty)
    #expect(draft.reader === reader)
    try draft.undo()
    #expect(draft.conflicts.map(\.object) == [kennels.max])
    try draft.redo()
    #expect(draft.conflicts.isEmpty)
  }

  @Test func `a decision of several conflicts is one step of undo`() throws {
    let kennels = try Kennels()
    defer { kennels.remove() }
    let draft = try kennels.database.makeDraft()
    let dogs = [kennels.rex, kennels.max]
    for dog in dogs { try draft.set(dog, property: kennels.name, to: .string("Mine")) }
    try kennels.database.write { transaction in
      for dog in dogs { try transaction.set(dog, property: kennels.name, to: .string("Theirs")) }
    }
    try draft.refresh()
    try draft.resolve(draft.conflicts.map(\.id), with: .theirs)
    #expect(draft.isEmpty)
    try draft.undo()
    #expect(draft.conflicts.map(\.object) == dogs)
    try draft.resolve(draft.conflicts.map(\.id), with: .mine)
    #expect(draft.conflicts.isEmpty)
    #expect(draft.operationCount == 2)
    // So is mine.
    try draft.undo()
    #expect(draft.conflicts.map(\.object) == dogs)
  }

  @Test func `a decision that is redone too late is a step of undo all the same`() throws {
    let kennels = try Kennels()
    defer { kennels.remove() }
    let draft = try kennels.database.makeDraft()
    try draft.set(kennels.rex, property: kennels.name, to: .string("Mine"))
    try kennels.database.write { transaction in
      try transaction.set(kennels.rex, property: kennels.name, to: .string("Theirs"))
    }
    try draft.refresh()
    try draft.resolve(draft.conflicts.map(\.id), with: .mine)
    try draft.undo()
    try kennels.database.write { transaction in
      _ = try transaction.delete([kennels.rex])
    }
    try draft.refresh()
    try draft.redo()
    #expect(draft.conflicts.map(\.kind) == [.objectDeleted])
    #expect(draft.undoStepCount == 2)
    try draft.undo()
    #expect(draft.conflicts.map(\.kind) == [.objectDeleted] && draft.canRedo)
  }

  @Test func `undone operations meet the conflict when they are redone`() throws {
    let kennels = try Kennels()
    defer { kennels.remove() }
    let draft = try kennels.database.makeDraft()
    try draft.set(kennels.rex, property: kennels.name, to: .string("Mine"))
    try draft.insert(.link(kennels.max), at: 1, of: kennels.ada, property: kennels.dogs)
    try draft.undo()
    try draft.undo()
    _ = try kennels.database.write { transaction in
      try transaction.set(kennels.rex, property: kennels.name, to: .string("Theirs"))
      try transaction.insert(.link(kennels.max), at: 0, of: kennels.ada, property: kennels.dogs)
    }
    _ = try draft.refresh()
    try draft.redo()
    #expect(draft.conflicts.map(\.kind) == [.valueChanged])
    try draft.redo()
    let links = [kennels.max, kennels.rex, kennels.max, kennels.max, kennels.rex].map(Value.link)
    #expect(try draft.reader.value(of: kennels.ada, property: kennels.dogs) == .list(links))
    try draft.undo()
    try draft.undo()
    #expect(draft.conflicts.isEmpty)
    #expect(!draft.canUndo)
    #expect(try draft.reader.value(of: kennels.rex, property: kennels.name) == .string("Theirs"))
  }

  @Test func `the key of an object that is held back is not given out again`() throws {
    let kennels = try Kennels()
    defer { kennels.remove() }
    let draft = try kennels.database.makeDraft()
    let held = try draft.create(kennels.person.key, [kennels.id: .int(7)])
    try draft.set(held, property: kennels.favourite, to: .link(kennels.rex))
    _ = try kennels.database.write { transaction in
      try transaction.create(kennels.person.key, [kennels.id: .int(7)])
    }
    _ = try draft.refresh()
    #expect(draft.conflicts.map(\.kind) == [.duplicatePrimaryKey, .dependsOnConflict])
    let fresh = try draft.create(kennels.person.key, [kennels.id: .int(8)])
    #expect(fresh != held)
    _ = try kennels.database.write { transaction in
      try transaction.set(kennels.rex, property: kennels.breed, to: .string("Pug"))
    }
    _ = try draft.refresh()
    #expect(try draft.reader.value(of: fresh, property: kennels.id) == .int(8))
    try draft.resolve(try #require(draft.conflicts.first).id, with: .theirs)
    #expect(draft.conflicts.isEmpty)
    #expect(draft.operationCount == 1)
  }

  @Test func `a deletion leaves out what is gone and has it again when that is back`() throws {
    let kennels = try Kennels()
    defer { kennels.remove() }
    let draft = try kennels.database.makeDraft()
    let bo = try draft.create(kennels.person.key, [kennels.id: .int(7)])
    try draft.delete([bo, kennels.max])
    let other = try kennels.database.write { transaction in
      try transaction.create(kennels.person.key, [kennels.id: .int(7)])
    }
    _ = try draft.refresh()
    #expect(draft.conflicts.map(\.kind) == [.duplicatePrimaryKey])
    #expect(try !draft.reader.contains(kennels.max))
    _ = try kennels.database.write { transaction in try transaction.delete([other]) }
    _ = try draft.refresh()
    #expect(draft.conflicts.isEmpty)
    #expect(try !draft.reader.contains(bo))
  }

  @Test func `a commit in between does not disturb a commit of a draft that knows none`() throws {
    let kennels = try Kennels()
    defer { kennels.remove() }
    let draft = try kennels.database.makeDraft()
    let bo = try draft.create(kennels.dog.key, [kennels.name: .string("Bo")])
    let theirs = try kennels.database.write { transaction in
      try transaction.create(kennels.dog.key, [kennels.name: .string("Theirs")])
    }
    guard case .committed(let number, let identities) = try draft.commit() else {
      Issue.record("not committed")
      return
    }
    #expect(number == kennels.database.commitNumber)
    let stored = try #require(identities[bo])
    #expect(stored != theirs)
    let snapshot = try kennels.database.snapshot()
    #expect(try snapshot.value(of: stored, property: kennels.name) == .string("Bo"))
    #expect(try snapshot.value(of: theirs, property: kennels.name) == .string("Theirs"))
  }

  private func rename(_ kennels: Kennels, _ name: String) throws {
    _ = try kennels.database.write { transaction in
      try transaction.set(kennels.rex, property: kennels.name, to: .string(name))
    }
  }
}

@Suite struct DraftCommitTests {
  @Test func `a file that may only be read refuses a draft and says why`() throws {
    let kennels = try Kennels()
    defer { kennels.remove() }
    let reader = try Database.open(
      kennels.database.path,
      configuration: Database.Configuration(access: .readOnly)
    )
    let error = #expect(throws: DatabaseError.self) { try reader.makeDraft() }
    #expect(error?.code == .readOnly)
    #expect(error?.message.contains("it was opened read-only") ?? false)
    let refusal = #expect(throws: DatabaseError.self) { try reader.beginWrite() }
    #expect(refusal?.code == .readOnly)
    #expect(kennels.database.canWrite)
  }

  @Test func `an empty draft commits nothing`() throws {
    let kennels = try Kennels()
    defer { kennels.remove() }
    let draft = try kennels.database.makeDraft()
    try draft.set(kennels.rex, property: kennels.name, to: .string("Bello"))
    try draft.undo()
    let before = kennels.database.commitNumber
    guard case .committed(let number, _) = try draft.commit() else {
      Issue.record("not committed")
      return
    }
    #expect(number == before)
    #expect(kennels.database.commitNumber == before)
  }

  @Test func `new objects have their final keys in lists, sets, maps, mixed values and slots`()
    throws
  {
    try withTemporaryDatabase { database in
      let schema = try database.write { transaction in
        try transaction.define([
          ClassDefinition(
            "Node",
            properties: [
              PropertyDefinition("list", .list(.link("Node"))),
              PropertyDefinition("set", .set(.link("Node"))),
              PropertyDefinition("map", .map(.link("Node").optional)),
              PropertyDefinition("any", .mixed), PropertyDefinition("anys", .list(.mixed)),
              PropertyDefinition("part", .link("Part")),
              PropertyDefinition("parts", .list(.link("Part"))),
            ]
          ),
          ClassDefinition(
            "Part",
            isEmbedded: true,
            properties: [
              PropertyDefinition("node", .link("Node")), PropertyDefinition("part", .link("Part")),
            ]
          ),
        ])
        return transaction.schema
      }
      let node = try #require(schema["Node"])
      let part = try #require(schema["Part"])
      func key(_ name: String) throws -> PropertyKey { try #require(node[name]).key }
      let draft = try database.makeDraft()
      let a = try draft.create(node.key, [:])
      let b = try draft.create(
        node.key,
        [
          try key("list"): .list([.link(a), .link(a)]), try key("anys"): .list([.null, .link(a)]),
          try key("map"): .map([MapEntry("a", .link(a))]),
        ]
      )
      try draft.set(a, property: try key("any"), to: .link(b))
      try draft.set(b, property: try key("set"), to: .set([.link(b), .link(a)]))
      let first = try draft.createEmbedded(at: Slot(a, try key("parts"), .index(0)))
      let second = try draft.createEmbedded(at: Slot(a, try key("parts"), .index(1)))
      try draft.set(a, property: try key("parts"), to: .list([.link(second), .link(first)]))
      let inner = try draft.createEmbedded(at: Slot(second, try #require(part["part"]).key))
      try draft.set(inner, property: try #require(part["node"]).key, to: .link(b))
      guard case .committed(_, let final) = try draft.commit() else {
        Issue.record("not committed")
        return
      }
      let snapshot = try database.snapshot()
      func value(_ object: ObjectIdentity, _ name: String) throws -> Value {
        let stored = try #require(final[object])
        return try snapshot.value(
          of: stored,
          property: try #require(
            schema.classes
              .first { $0.key == stored.classKey }?[name]
          ).key
        )
      }
      func link(_ object: ObjectIdentity) throws -> Value { .link(try #require(final[object])) }
      #expect(final.values.allSatisfy { !$0.key.isProvisional })
      #expect(try value(b, "list") == .list([link(a), link(a)]))
      #expect(try value(b, "anys") == .list([.null, link(a)]))
      #expect(try value(b, "map") == .map([MapEntry("a", link(a))]))
      #expect(try value(b, "set") == .set([link(a), link(b)]))
      #expect(try value(a, "any") == link(b))
      #expect(try value(a, "parts") == .list([link(second), link(first)]))
      #expect(try value(second, "part") == link(inner))
      #expect(try value(inner, "node") == link(b))
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `ten thousand changes are undone, redone and committed at once`() throws {
    let kennels = try Kennels()
    defer { kennels.remove() }
    let draft = try kennels.database.makeDraft()
    let before = try draft.reader.value(of: kennels.ada, property: kennels.dogs)
    for number in 0..<2_500 {
      let dog = try draft.create(kennels.dog.key, [kennels.name: .string("Dog \(number)")])
      try draft.insert(.link(dog), at: number % 3, of: kennels.ada, property: kennels.dogs)
      try draft.set(kennels.rex, property: kennels.breed, to: .string("\(number)"))
      if number % 2 == 0 {
        try draft.delete([dog])
      } else {
        try draft.set(dog, property: kennels.breed, to: .null)
      }
    }
    let count = draft.operationCount
    while draft.canUndo { try draft.undo() }
    #expect(draft.isEmpty)
    #expect(try draft.reader.value(of: kennels.ada, property: kennels.dogs) == before)
    #expect(draft.reader.count(of: kennels.dog.key) == 2)
    while draft.canRedo { try draft.redo() }
    #expect(draft.operationCount == count)
    guard case .committed = try draft.commit() else {
      Issue.record("not committed")
      return
    }
    #expect(try kennels.database.snapshot().count(of: kennels.dog.key) == 1_252)
  }
}
