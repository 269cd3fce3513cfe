import Kennel
import Testing

@Suite struct `A unique property` {
  private struct Member: Model {
    let name = Property<String>()
    let email = Property<String>(.unique)
    let badge = Property<Int?>(.unique)
    let mentor = Property<Object<Member>?>()
  }

  private struct Account: Model {
    let number = Property<Int>(.primaryKey)
    let owner = Property<String>(.unique)
  }

  private func withClub(_ body: (Database) throws -> Void) throws {
    let folder = try CheckedFolder()
    try body(Database.open(folder.file("club.kennel"), models: Member.self, Account.self))
  }

  private func refused(_ property: String, _ body: () throws -> Void) {
    let error = #expect(throws: DatabaseError.self, performing: body)
    #expect(error?.code == .duplicateValue && error?.propertyName == property)
  }

  @Test func `has each value once, and none as often as wanted`() throws {
    try withClub { database in
      try database.write { db in
        let ada = try db.create(Member.self) { $0.email = "ada@x" }
        let bob = try db.create(Member.self) { $0.email = "bob@x" }
        refused("email") { try db.create(Member.self) { $0.email = "ada@x" } }
        refused("email") { try db.edit(bob) { $0.email = "ada@x" } }
        try db.edit(bob) { $0.badge = 7 }
        refused("badge") { try db.edit(ada) { $0.badge = 7 } }
        try db.edit(bob) { $0.badge = nil }
        try db.edit(ada) { $0.badge = 7 }
        try db.edit(ada) { $0.badge = 7 }
      }
      let members = try database.snapshot().objects(Member.self)
      try #expect(members.map { try $0.email } == ["ada@x", "bob@x"])
      try #expect(members.map { try $0.badge } == [7, nil])
    }
  }

  @Test func `is not confused by the default that an object begins with`() throws {
    try withClub { database in
      try database.write { db in
        try db.create(Member.self) { $0.name = "without an address" }
        let ada = try db.create(Member.self) { $0.email = "ada@x" }
        try db.create(Account.self) { $0.number = 1 }
        try db.create(Account.self) {
          $0.number = 2
          $0.owner = "Ada"
        }
        refused("email") { try db.create(Member.self) { $0.mentor = ada } }
      }
      let draft = try database.draft()
      try draft.create(Member.self) { $0.email = "eve@x" }
      try draft.create(Account.self) {
        $0.number = 3
        $0.owner = "Eve"
      }
      guard case .committed = try draft.commit() else {
        Issue.record("The draft was not committed")
        return
      }
      try #expect(database.snapshot().objects(Member.self).count == 3)
      try #expect(database.snapshot().objects(Account.self).count == 3)
    }
  }

  @Test func `finds the object that has a value`() throws {
    try withClub { database in
      try database.write { db in
        try db.create(Member.self) {
          $0.email = "ada@x"
          $0.badge = 7
        }
      }
      let snapshot = try database.snapshot()
      try #expect(snapshot.find(\Member.email, "ada@x")?.badge == 7)
      try #expect(snapshot.find(\Member.badge, 7)?.email == "ada@x")
      try #expect(snapshot.find(\Member.email, "bob@x") == nil)
      try #expect(snapshot.find(\Member.badge, 8) == nil)
      let error = #expect(throws: DatabaseError.self) { try snapshot.find(\Member.name, "Ada") }
      #expect(
        error?.message == "name is neither a primary key nor unique; query for it instead"
      )
    }
  }

  @Test func `decides whether an upsert creates an object`() throws {
    try withClub { database in
      try database.write { db in
        for name in ["Ada", "Ada L."] { try db.upsert(\Member.email, "ada@x") { $0.name = name } }
        try db.upsert(\Member.badge, 7) { $0.email = "bob@x" }
        try db.upsert(\Member.badge, 7) { $0.name = "Bob" }
        try db.upsert(\Account.number, 1) { $0.owner = "Ada" }
        try db.upsert(\Account.number, 1)
        try db.upsert(\Account.owner, "Ada") { $0.number = 2 }
      }
      let snapshot = try database.snapshot()
      try #expect(snapshot.objects(Member.self).map { try $0.name } == ["Ada L.", "Bob"])
      try #expect(snapshot.objects(Account.self).map { try $0.number } == [2])
      let draft = try database.draft()
      try draft.upsert(\Member.email, "ada@x") { $0.name = "Ada" }
      try draft.upsert(\Member.email, "eve@x") { $0.name = "Eve" }
      try #expect(draft.objects(Member.self).map { try $0.name } == ["Ada", "Bob", "Eve"])
    }
  }

  @Test func `that two drafts give the same value is a conflict, which names both`() throws {
    try withClub { database in
      let bob = try database.write { db in try db.create(Member.self) { $0.email = "bob@x" } }
      let draft = try database.draft()
      try draft.edit(bob) { $0.email = "ada@x" }
      try draft.create(Member.self) { $0.email = "eve@x" }
      try database.write { db in
        try db.create(Member.self) { $0.email = "ada@x" }
        try db.create(Member.self) { $0.email = "eve@x" }
      }
      guard case .conflicts(let conflicts) = try draft.commit() else {
        Issue.record("There was no conflict")
        return
      }
      #expect(conflicts.map(\.object) == ["Member/1", "Member/new1"])
      #expect(conflicts.map(\.property) == ["email", "email"])
      #expect(conflicts.map(\.mine) == [.string("ada@x"), .string("eve@x")])
      for conflict in conflicts { try draft.resolve(conflict, with: .theirs) }
      #expect(draft.isEmpty)
    }
  }

  @Test func `may be declared where no two objects have the same value`() throws {
    struct Before {
      struct Member: Model {
        let name = Property<String>()
        let email = Property<String>()
      }
    }
    let folder = try CheckedFolder()
    let path = folder.file("club.kennel")
    let before = try Database.open(path, models: Before.Member.self)
    try before.write { db in
      for name in ["Ada", "Bob"] { try db.create(Before.Member.self) { $0.name = name } }
    }
    let error = #expect(throws: DatabaseError.self) { try Database.open(path, models: Member.self) }
    #expect(error?.message == "Member.email cannot be unique: two objects have the same value")
    try before.write { db in
      for member in try db.objects(Before.Member.self) {
        try db.edit(member) { $0.email = "\($0.name)@x" }
      }
    }
    let after = try Database.open(path, models: Member.self)
    try #expect(after.snapshot().find(\Member.email, "Bob@x")?.name == "Bob")
    // A program with the older model keeps it.
    refused("email") {
      let database = try Database.open(path, models: Before.Member.self)
      try database.write { db in _ = try db.create(Before.Member.self) { $0.email = "Bob@x" } }
    }
    let freed = try Database.open(path, models: Before.Member.self, version: 1) { migration in
      try migration.setUnique(false, "email", of: "Member")
    }
    try freed.write { db in try db.create(Before.Member.self) { $0.email = "Bob@x" } }
    try #expect(freed.snapshot().objects(Before.Member.self).count == 3)
  }

  @Test func `that is new needs a value for each object, or none`() throws {
    struct After {
      struct Dog: Model { let tag = Property<Int>(.unique) }
      struct Person: Model { let tag = Property<Int?>(.unique) }
    }
    let family = try FamilyFile()
    let path = family.database.path
    let error = #expect(throws: DatabaseError.self) {
      try Database.open(path, models: After.Dog.self)
    }
    #expect(
      error?.message == "Dog.tag cannot be unique: there are objects, which would all get its "
        + "default; make it optional"
    )
    struct Tagged: Model {
      static var className: String { "Dog" }
      let tag = Property<Int?>(.unique)
    }
    let database = try Database.open(path, models: Tagged.self)
    try #expect(database.snapshot().objects(Tagged.self).map { try $0.tag } == [nil, nil])
  }
}
