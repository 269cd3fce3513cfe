import Kennel
import Testing

@Suite struct `An object whose creation fails` {
  @Test func `is gone from a write transaction, and what it linked to stays`() throws {
    let folder = try CheckedFolder()
    let (database, friend, dogs) = try keepers(in: folder)
    try database.write { db in
      try fail(friend, dogs, in: db)
      try #expect(db.current(friend)?.friends.count == 0)
      try #expect(db.current(friend)?.shared == dogs[3])
    }
    try checkUnchanged(database.snapshot())
  }

  @Test func `is gone from a draft, with all that its closure did`() throws {
    let folder = try CheckedFolder()
    let (database, friend, dogs) = try keepers(in: folder)
    let draft = try database.draft()
    try draft.edit(friend) { $0.owned = [dogs[0]] }
    try fail(friend, dogs, in: draft)
    #expect(draft.changes.map(\.property) == ["owned"])
    try checkUnchanged(draft)
    try #expect(draft.redo() == nil && draft.undo() != nil && draft.isEmpty)
    try draft.create(Keeper.self) { $0.owned = [dogs[2]] }
    guard case .committed = try draft.commit() else { throw Refusal() }
    try #expect(database.snapshot().objects(Keeper.self).count == 2)
  }

  @Test func `takes no earlier change of the same property with it`() throws {
    let family = try FamilyFile()
    let draft = try family.database.draft()
    try draft.edit(family.ada) { $0.dogs = [] }
    #expect(throws: Refusal.self) {
      try draft.create(Dog.self) { dog in
        try draft.edit(family.ada) { $0.dogs.append(dog.itself) }
        throw Refusal()
      }
    }
    try #expect(draft.current(family.ada)?.dogs.count == 0)
    #expect(draft.changes.map(\.property) == ["dogs"])
  }

  @Test func `leaves an object to its other owner`() throws {
    let folder = try CheckedFolder()
    let (database, friend, dogs) = try keepers(in: folder)
    try database.write { db in try db.edit(friend) { $0.shared = dogs[0] } }
    let draft = try database.draft()
    #expect(throws: Refusal.self) {
      try draft.create(Keeper.self) { keeper in
        keeper.shared = dogs[0]
        try draft.edit(friend) { $0.shared = nil }
        throw Refusal()
      }
    }
    try #expect(draft.isEmpty && draft.current(friend)?.shared == draft.current(dogs[0]))
  }

  @Test func `stays gone when its closure dropped and undid changes`() throws {
    let family = try FamilyFile()
    let draft = try family.database.draft()
    try draft.edit(family.rex) { $0.age = 5 }
    try draft.edit(family.ada) { $0.favourite = nil }
    #expect(throws: Refusal.self) {
      try draft.create(Person.self) { person in
        person.name = "Bob"
        try draft.create(Dog.self) { _ in
          try draft.drop(draft.changes[0])
          person.dogs = []
          throw Refusal()
        }
      }
    }
    try #expect(draft.objects(Person.self).count == 1 && draft.objects(Dog.self).count == 2)
    #expect(draft.changes.map(\.property) == ["favourite"])
    while try draft.undo() != nil {}
    try #expect(draft.isEmpty && draft.objects(Person.self).count == 1)
    while try draft.redo() != nil {}
    try #expect(draft.objects(Person.self).count == 1 && draft.objects(Dog.self).count == 2)
    #expect(draft.changes.map(\.property) == ["favourite"])
  }

  @Test func `leaves an object that was begun around it`() throws {
    let family = try FamilyFile()
    let draft = try family.database.draft()
    let bob = try draft.create(Person.self) { person in
      #expect(throws: Refusal.self) {
        try draft.create(Dog.self) { dog in
          person.name = "Bob"
          person.dogs = [dog.itself]
          throw Refusal()
        }
      }
      person.favourite = family.rex
    }
    try #expect(bob.exists && bob.name == "Bob" && bob.dogs.isEmpty)
    try #expect(bob.favourite == family.rex && draft.objects(Dog.self).count == 2)
  }

  @Test func `stays gone when its closure undid the creation`() throws {
    let family = try FamilyFile()
    let draft = try family.database.draft()
    try draft.edit(family.rex) { $0.age = 5 }
    #expect(throws: Refusal.self) {
      try draft.create(Dog.self) { _ in
        try draft.undo()
        throw Refusal()
      }
    }
    try #expect(draft.redo() == nil && draft.objects(Dog.self).count == 2)
    #expect(draft.changes.map(\.property) == ["age"])
  }
}

@Suite struct `An object that a draft created` {
  @Test func `is not taken for that of another draft`() throws {
    let family = try FamilyFile()
    let (one, two) = (try family.database.draft(), try family.database.draft())
    let (max, bello) = (try one.create(Dog.self), try two.create(Dog.self))
    #expect(max != bello)
    try #expect(one.objects(Dog.self).contains(max) && !two.objects(Dog.self).contains(max))
    try #expect(two.current(max) == nil && family.database.snapshot().current(max) == nil)
    let error = #expect(throws: DatabaseError.self) {
      try two.edit(family.ada) { $0.favourite = max }
    }
    #expect(error?.message.contains("an uncommitted draft") == true)
    #expect(throws: DatabaseError.self) { try two.delete(max) }
    #expect(throws: DatabaseError.self) {
      try family.database.write { db in try db.edit(family.ada) { $0.dogs = [max] } }
    }
    guard case .committed(let commit) = try one.commit() else { throw Refusal() }
    try #expect(commit.object(max).exists && !commit.object(bello).exists)
  }
}

private func keepers(
  in folder: CheckedFolder
) throws -> (Database, Object<Keeper>, [Object<Dog>]) {
  let database = try Database.open(folder.file("failing.kennel"), models: Keeper.self)
  let (friend, dogs) = try database.write { db in
    let dogs = try (0..<4).map { number in try db.create(Dog.self) { $0.age = number } }
    return (try db.create(Keeper.self), dogs)
  }
  return (database, friend, dogs)
}

private func checkUnchanged(_ db: some Reading) throws {
  let keepers = try db.objects(Keeper.self).count
  let collars = try db.objects(Collar.self).count
  #expect(keepers == 1 && collars == 0)
  let ages = try db.objects(Dog.self).map { try $0.age }
  #expect(ages == [0, 1, 2, 3])
}

/// Creates an object that links to dogs by every rule, and fails.
private func fail(_ friend: Object<Keeper>, _ dogs: [Object<Dog>], in db: some Writing) throws {
  #expect(throws: Refusal.self) {
    try db.create(Keeper.self) { keeper in
      (keeper.owned, keeper.shared, keeper.needed) = ([dogs[0]], dogs[1], dogs[2])
      keeper.any = dogs[0].elementValue
      try keeper.create(\.collar) { $0.target = dogs[3] }
      try db.edit(friend) {
        $0.friends = [keeper.itself]
        $0.shared = dogs[3]
      }
      throw Refusal()
    }
  }
}

private struct Refusal: Error {}

/// The first class of its file: an object of any class is not taken for one of it.
private struct Collar: EmbeddedModel {
  let target = Property<Object<Dog>?>(deleteRule: .cascade)
}

private struct Keeper: Model {
  let owned = Property<[Object<Dog>]>(deleteRule: .cascade)
  let any = Property<Value>(deleteRule: .cascade)
  let shared = Property<Object<Dog>?>(deleteRule: .cascadeIfLast)
  let needed = Property<Object<Dog>?>(deleteRule: .deny)
  let collar = Property<Object<Collar>?>()
  let friends = Property<[Object<Keeper>]>()
}
