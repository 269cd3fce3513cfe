import KennelCore
import KennelTestSupport
import Testing

/// A database of people and dogs in a file of its own, for tests of drafts.
struct Kennels {
  private let temporary: TemporaryDatabase
  let database: Database
  let dog: ClassSchema
  let person: ClassSchema
  let name: PropertyKey
  let breed: PropertyKey
  let id: PropertyKey
  let favourite: PropertyKey
  let dogs: PropertyKey
  let home: PropertyKey
  var rex: ObjectIdentity
  var max: ObjectIdentity
  var ada: ObjectIdentity

  init() throws {
    temporary = try TemporaryDatabase()
    database = temporary.database
    let made = try database.write { transaction in
      try transaction.define([
        ClassDefinition(
          "Dog",
          properties: [
            PropertyDefinition("name", .string), PropertyDefinition("breed", .string.optional),
          ]
        ),
        ClassDefinition(
          "Home",
          isEmbedded: true,
          properties: [PropertyDefinition("street", .string.optional)]
        ),
        ClassDefinition(
          "Person",
          properties: [
            PropertyDefinition("id", .int, isPrimaryKey: true),
            PropertyDefinition("favourite", .link("Dog")),
            PropertyDefinition("dogs", .list(.link("Dog"))),
            PropertyDefinition("home", .link("Home")),
          ]
        ),
      ])
      let dog = try #require(transaction.schema["Dog"])
      let person = try #require(transaction.schema["Person"])
      let name = try #require(dog["name"]).key
      let rex = try transaction.create(dog.key, [name: .string("Rex")])
      let max = try transaction.create(dog.key, [name: .string("Max")])
      let ada = try transaction.create(
        person.key,
        [
          try #require(person["id"]).key: .int(1),
          try #require(person["dogs"]).key: .list([.link(rex), .link(max), .link(rex)]),
          try #require(person["favourite"]).key: .link(rex),
        ]
      )
      _ = try transaction.createEmbedded(at: Slot(ada, try #require(person["home"]).key))
      return (rex, max, ada)
    }
    let schema = try database.snapshot().schema
    dog = try #require(schema["Dog"])
    person = try #require(schema["Person"])
    name = try #require(dog["name"]).key
    breed = try #require(dog["breed"]).key
    id = try #require(person["id"]).key
    favourite = try #require(person["favourite"]).key
    dogs = try #require(person["dogs"]).key
    home = try #require(person["home"]).key
    (rex, max, ada) = made
  }

  func remove() {
    temporary.finish()
  }
}

@Suite struct DraftTests {
  @Test func `a draft shows the changed world and leaves the file alone`() throws {
    let kennels = try Kennels()
    defer { kennels.remove() }
    let draft = try kennels.database.makeDraft()
    try draft.set(kennels.rex, property: kennels.name, to: .string("Bello"))
    try draft.set(kennels.ada, property: kennels.favourite, to: .link(kennels.max))
    #expect(try draft.reader.value(of: kennels.rex, property: kennels.name) == .string("Bello"))
    #expect(try draft.base.value(of: kennels.rex, property: kennels.name) == .string("Rex"))
    #expect(try draft.reader.backlinks(to: kennels.max).map(\.count) == [1, 1])
    #expect(try kennels.database.snapshot().backlinks(to: kennels.max).map(\.count) == [1])
  }

  @Test func `undo and redo step over everything, deletions too`() throws {
    let kennels = try Kennels()
    defer { kennels.remove() }
    let draft = try kennels.database.makeDraft()
    let fido = try draft.create(kennels.dog.key, [kennels.name: .string("Fido")])
    try draft.insert(.link(fido), at: 1, of: kennels.ada, property: kennels.dogs)
    try draft.delete([kennels.rex])
    let radius = try #require(draft.deletionPlan)
    #expect(radius.removed.count == 2)
    #expect(radius.nulled.count == 1)
    let links = [kennels.rex, fido, kennels.max, kennels.rex].map(Value.link)
    #expect(
      try draft.reader.value(of: kennels.ada, property: kennels.dogs)
        == .list([links[1], links[2]])
    )
    try draft.undo()
    #expect(try draft.reader.value(of: kennels.ada, property: kennels.dogs) == .list(links))
    #expect(try draft.reader.value(of: kennels.ada, property: kennels.favourite) == links[0])
    try draft.undo()
    try draft.undo()
    #expect(try !draft.reader.contains(fido))
    #expect(!draft.canUndo)
    while draft.canRedo { try draft.redo() }
    #expect(
      try draft.reader.value(of: kennels.ada, property: kennels.dogs)
        == .list([links[1], links[2]])
    )
    #expect(try draft.reader.value(of: fido, property: kennels.name) == .string("Fido"))
  }

  @Test func `a commit gives new objects their keys everywhere`() throws {
    let kennels = try Kennels()
    defer { kennels.remove() }
    let draft = try kennels.database.makeDraft()
    let fido = try draft.create(kennels.dog.key, [kennels.name: .string("Fido")])
    try draft.insert(.link(fido), at: 3, of: kennels.ada, property: kennels.dogs)
    guard case .committed(_, let identities) = try draft.commit() else {
      Issue.record("not committed")
      return
    }
    let stored = try #require(identities[fido])
    #expect(!stored.key.isProvisional)
    #expect(draft.isEmpty)
    let snapshot = try kennels.database.snapshot()
    #expect(
      try snapshot.elements(of: kennels.ada, property: kennels.dogs, in: 3..<4) == [.link(stored)]
    )
  }

  @Test func `a foreign change of the same property is a conflict, appending is none`() throws {
    let kennels = try Kennels()
    defer { kennels.remove() }
    let draft = try kennels.database.makeDraft()
    try draft.set(kennels.rex, property: kennels.name, to: .string("Mine"))
    try draft.insert(.link(kennels.max), at: 3, of: kennels.ada, property: kennels.dogs)
    try kennels.database.write { transaction in
      try transaction.set(kennels.rex, property: kennels.name, to: .string("Theirs"))
      try transaction.insert(.link(kennels.rex), at: 3, of: kennels.ada, property: kennels.dogs)
    }
    #expect(try draft.refresh())
    let conflict = try #require(draft.conflicts.first)
    #expect(draft.conflicts.count == 1)
    #expect(conflict.kind == .valueChanged)
    #expect(conflict.base == .string("Rex"))
    #expect(conflict.mine == .string("Mine"))
    #expect(conflict.theirs == .string("Theirs"))
    #expect(try draft.reader.elementCount(of: kennels.ada, property: kennels.dogs) == 5)
    guard case .conflicts = try draft.commit() else {
      Issue.record("committed over a conflict")
      return
    }
    try draft.resolve(conflict.id, with: .mine)
    guard case .committed = try draft.commit() else {
      Issue.record("not committed")
      return
    }
    let snapshot = try kennels.database.snapshot()
    #expect(try snapshot.value(of: kennels.rex, property: kennels.name) == .string("Mine"))
    #expect(try snapshot.elementCount(of: kennels.ada, property: kennels.dogs) == 5)
  }

  @Test func `dropping a creation names what builds on it`() throws {
    let kennels = try Kennels()
    defer { kennels.remove() }
    let draft = try kennels.database.makeDraft()
    let fido = try draft.create(kennels.dog.key, [kennels.name: .string("Fido")])
    try draft.set(kennels.ada, property: kennels.favourite, to: .link(fido))
    try draft.set(kennels.rex, property: kennels.breed, to: .string("Pug"))
    let items = draft.changes.flatMap(\.items)
    #expect(items.count == 3)
    #expect(try draft.dependents(of: [items[0].id]) == [items[1].id])
    try draft.drop([items[0].id])
    #expect(draft.changes.flatMap(\.items).count == 1)
    try draft.undo()
    #expect(draft.changes.flatMap(\.items).count == 3)
    #expect(try draft.reader.value(of: kennels.ada, property: kennels.favourite) == .link(fido))
  }

  @Test func `a deletion that grew is shown again`() throws {
    let kennels = try Kennels()
    defer { kennels.remove() }
    let draft = try kennels.database.makeDraft()
    try draft.delete([kennels.max])
    try kennels.database.write { transaction in
      try transaction.set(kennels.ada, property: kennels.favourite, to: .link(kennels.max))
    }
    guard case .deletionsGrew(let radius) = try draft.commit() else {
      Issue.record("committed more than was said")
      return
    }
    #expect(radius.nulled.count == 1)
    guard case .committed = try draft.commit(confirming: radius) else {
      Issue.record("not committed")
      return
    }
    #expect(try !kennels.database.snapshot().contains(kennels.max))
  }
}
