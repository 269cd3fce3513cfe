import Foundation
import Kennel
import Testing

@Suite struct `A database` {
  @Test func `in memory is like any other, and leaves nothing behind`() throws {
    let path: String
    do {
      let database = try Database.openInMemory(models: Person.self)
      let other = try Database.openInMemory(models: Person.self)
      path = database.path
      try database.write { db in _ = try db.create(Person.self) { $0.name = "Ada" } }
      try #expect(database.snapshot().objects(Person.self).count == 1)
      try #expect(other.snapshot().objects(Person.self).isEmpty)
      #expect(FileManager.default.fileExists(atPath: path))
    }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    #expect(!FileManager.default.fileExists(atPath: folder))
  }

  @Test func `in memory lives as long as an object that was read from it`() throws {
    func makeRex() throws -> Object<Dog> {
      let database = try Database.openInMemory(models: Dog.self)
      try database.write { db in _ = try db.create(Dog.self) { $0.name = "Rex" } }
      return try #require(try database.snapshot().objects(Dog.self).first)
    }
    try #expect(makeRex().name == "Rex")
  }

  @Test func `that is opened read-only is read and not written`() throws {
    let family = try FamilyFile()
    let path = family.database.path
    let database = try Database.open(path, models: Person.self, access: .readOnly)
    #expect(!database.canWrite)
    try #expect(database.snapshot().objects(Dog.self).count == 2)
    let error = #expect(throws: DatabaseError.self) {
      try database.write { db in _ = try db.create(Dog.self) }
    }
    #expect(error?.code == .readOnly)
  }

  @Test func `that is opened read-only names everything that it lacks`() throws {
    struct New {
      struct Dog: Model {
        let name = Property<String>(default: "Nobody")
        let age = Property<Int>(.indexed)
      }
      struct Cat: Model { let name = Property<String>() }
      struct Person: Model {
        let name = Property<String>(.primaryKey)
        let shoes = Property<Int>()
        let cats = Property<[Object<Cat>]>()
      }
    }
    let family = try FamilyFile()
    let path = family.database.path
    // Another default and another index are nothing that is missing.
    _ = try Database.open(path, models: New.Dog.self, access: .readOnly)
    let error = #expect(throws: DatabaseError.self) {
      try Database.open(path, models: New.Person.self, access: .readOnly)
    }
    #expect(error?.code == .readOnly)
    #expect(
      error?.message.contains("it lacks Cat, Person.shoes, Person.cats, and it was opened read-")
        == true,
      "\(error?.message ?? "")"
    )
    let older = #expect(throws: DatabaseError.self) {
      try Database.open(path, models: New.Dog.self, access: .readOnly, version: 1)
    }
    #expect(older?.message.contains("it was written with older ones") == true)
  }

  @Test func `that is missing is created only if that is wanted`() throws {
    let folder = try CheckedFolder()
    let path = folder.file("missing.kennel")
    for access in [Database.Access.readWrite, .readOnly] {
      let error = #expect(throws: DatabaseError.self) {
        try Database.open(path, models: Dog.self, access: access, createsIfMissing: false)
      }
      #expect(error?.code == .cannotOpen)
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `is copied, with its newest commit`() throws {
    let family = try FamilyFile()
    let copy = family.folder.file("copy.kennel")
    try family.database.writeCopy(to: copy)
    let database = try Database.open(copy, models: Person.self)
    try #expect(database.snapshot().find(\Person.name, "Ada")?.dogs.count == 1)
    let error = #expect(throws: DatabaseError.self) { try family.database.writeCopy(to: copy) }
    #expect(error?.message.contains("copy.kennel") == true)
  }

  @Test func `is compacted once nobody has it open`() throws {
    let folder = try CheckedFolder()
    let path = folder.file("dogs.kennel")
    let database = try Database.open(path, models: Dog.self)
    try database.write { db in
      for number in 0..<5000 {
        try db.create(Dog.self) { $0.name = "Dog \(number), a dog with a long name of its own" }
      }
    }
    try database.write { db in try db.delete(db.objects(Dog.self).offset(10)) }
    try #expect(!Database.compact(path))
    database.close()
    let before = try size(path)
    try #expect(!Database.compact(path) { total, used in total < used })
    try #expect(Database.compact(path))
    try #expect(size(path) < before / 2)
    let again = try Database.open(path, models: Dog.self)
    try #expect(again.snapshot().objects(Dog.self).count == 10)
  }

  private func size(_ path: String) throws -> Int {
    try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
  }

  @Test func `that is closed refuses asynchronous writes, too`() async throws {
    let family = try FamilyFile()
    family.database.close()
    let error = await #expect(throws: DatabaseError.self) {
      try await family.database.write { _ in }
    }
    #expect(error?.code == .closed)
  }

  @Test func `that is closed says so, and its snapshots go on`() throws {
    let family = try FamilyFile()
    let (database, rex) = (family.database, family.rex)
    let other = try Database.open(database.path, models: Person.self)
    let snapshot = try database.snapshot()
    let draft = try database.draft()
    try draft.edit(rex) { $0.age = 5 }
    database.close()
    database.close()
    func expectClosed(_ body: () throws -> Void) {
      let error = #expect(throws: DatabaseError.self, performing: body)
      #expect(error?.code == .closed && error?.message.contains("open it again") == true)
    }
    expectClosed { _ = try database.snapshot() }
    expectClosed { _ = try database.draft() }
    expectClosed { try database.write { _ in } }
    expectClosed { _ = try database.changes(of: Dog.self) }
    expectClosed { try database.writeCopy(to: family.folder.file("copy.kennel")) }
    expectClosed { _ = try draft.commit() }
    try #expect(snapshot.current(rex)?.name == "Rex" && draft.current(rex)?.age == 5)
    try other.write { db in try db.edit(rex) { $0.age = 4 } }
    try #expect(other.snapshot().current(rex)?.age == 4)
  }
}
