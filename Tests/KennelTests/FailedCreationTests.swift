import Kennel
import Testing

@Suite struct `An object whose creation fails` {
  @Test func `is gone from a write transaction, and what it linked to stays`() throws {
    let folder = try CheckedFolder()
    let (database, friend, dogs) = try keepers(in: folder)
    try database.write { db in
      try fail(friend, dogs, in: db)
      try #expect(db.current(friend)?.shared == dogs[3])
    }
    try checkUnchanged(database.snapshot())
  }

  @Test func `is gone from a draft, and what its closure did to others stays`() throws {
    let folder = try CheckedFolder()
    let (database, friend, dogs) = try keepers(in: folder)
    let draft = try database.draft()
    try draft.edit(friend) { $0.owned = [dogs[0]] }
    try fail(friend, dogs, in: draft)
    #expect(draft.changes.map(\.property) == ["owned", "shared"])
    try checkUnchanged(draft)
    try #expect(draft.undo() != nil && draft.undo() != nil && draft.isEmpty)
    while try draft.redo() != nil {}
    try checkUnchanged(draft)
    try draft.create(Keeper.self) { $0.owned = [dogs[2]] }
    guard case .committed = try draft.commit() else { throw Refusal() }
    try #expect(database.snapshot().objects(Keeper.self).count == 2)
  }

  @Test(arguments: [false, true])
  func `is gone with the objects embedded in it`(isDraft: Bool) throws {
    let folder = try CheckedFolder()
    let (database, friend, dogs) = try keepers(in: folder)
    try database.write { db in
      try db.edit(friend) { try $0.create(\.collar) { $0.target = dogs[2] } }
    }
    try edit(database, inDraft: isDraft) { db in
      let max = try db.create(Dog.self)
      try db.delete(max)
      for isLast in [false, true] {
        let error = #expect(throws: DatabaseError.self) {
          try db.create(Keeper.self) { keeper in
            keeper.owned = [isLast ? dogs[0] : max]
            try keeper.create(\.collar) { $0.target = isLast ? max : dogs[1] }
          }
        }
        #expect(error?.code == .noSuchObject)
      }
      // The one that is there stays, too.
      #expect(throws: DatabaseError.self) {
        try db.edit(friend) { try $0.create(\.collar) { $0.target = max } }
      }
      try #expect(db.current(friend)?.collar?.target == db.current(dogs[2]))
      try checkUnchanged(db, collars: 1)
    }
    try checkUnchanged(database.snapshot(), collars: 1)
  }

  @Test func `leaves the undone operations of its closure undone`() throws {
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
  }

  @Test func `leaves an object that was begun around it`() throws {
    let family = try FamilyFile()
    let draft = try family.database.draft()
    let bob = try draft.create(Person.self) { person in
      #expect(throws: Refusal.self) {
        try draft.create(Dog.self) { _ in
          person.name = "Bob"
          throw Refusal()
        }
      }
      person.favourite = family.rex
    }
    try #expect(bob.exists && bob.name == "Bob" && bob.dogs.isEmpty)
    try #expect(bob.favourite == family.rex && draft.objects(Dog.self).count == 2)
  }
}

@Suite struct `The closure of a creation` {
  @Test(arguments: [false, true])
  func `reads what it set, and defaults`(isDraft: Bool) throws {
    let folder = try CheckedFolder()
    let (database, _, dogs) = try keepers(in: folder)
    try edit(database, inDraft: isDraft) { db in
      let keeper = try db.create(Keeper.self) { keeper in
        #expect(keeper.owned.isEmpty && keeper.any.isNull && keeper.shared == nil)
        keeper.shared = dogs[1]
        #expect(keeper.shared == dogs[1])
        try keeper.append(dogs[2], to: \.owned)
        try keeper.append(db.create(Dog.self) { $0.age = 4 }, to: \.owned)
        keeper.owned.append(dogs[0])
        #expect(keeper.owned.count == 3)
        keeper.shared = keeper.owned.last
        try keeper.create(\.collar) { $0.target = dogs[3] }
      }
      try #expect(keeper.owned.map { try $0.age } == [2, 4, 0] && keeper.shared == dogs[0])
      try #expect(keeper.collar?.target == db.current(dogs[3]))
      let dog = try db.create(Dog.self) { dog in
        dog.age += 1
        dog.age += 1
      }
      try #expect(dog.age == 2)
    }
  }

  @Test(arguments: [false, true])
  func `cannot link to the object, which does not exist yet`(isDraft: Bool) throws {
    let folder = try CheckedFolder()
    let (database, friend, _) = try keepers(in: folder)
    try edit(database, inDraft: isDraft) { db in
      let error = #expect(throws: DatabaseError.self) {
        try db.create(Keeper.self) { keeper in
          try db.edit(friend) { $0.friends = [try keeper.itself] }
        }
      }
      #expect(error?.code == .noSuchObject && error?.message.contains("create returns") == true)
      let embedded = #expect(throws: DatabaseError.self) {
        try db.create(Keeper.self) { keeper in
          try keeper.create(\.collar)
          _ = keeper.collar
        }
      }
      #expect(embedded?.code == .noSuchObject)
      try #expect(db.current(friend)?.friends.isEmpty == true)
      try checkUnchanged(db)
    }
  }

  @Test func `is one operation of a draft`() throws {
    let family = try FamilyFile()
    let draft = try family.database.draft()
    try draft.create(Dog.self) {
      $0.name = "Bello"
      $0.age = 7
    }
    try #expect(draft.undo() != nil && draft.isEmpty)
    try #expect(draft.redo() != nil)
    try #expect(draft.objects(Dog.self).filter { $0.name == "Bello" && $0.age == 7 }.count == 1)
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

private func edit(
  _ database: Database,
  inDraft isDraft: Bool,
  _ body: (any Writing) throws -> Void
) throws {
  if isDraft { try body(database.draft()) } else { try database.write { db in try body(db) } }
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

private func checkUnchanged(_ db: some Reading, collars count: Int = 0) throws {
  let keepers = try db.objects(Keeper.self).count
  let collars = try db.objects(Collar.self).count
  #expect(keepers == 1 && collars == count)
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
      try db.edit(friend) { $0.shared = dogs[3] }
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
