import Dispatch
import Kennel
import Testing

@Suite struct `What commits change` {
  @Test func `has old and new values of an object, until it is deleted`() async throws {
    let family = try FamilyFile()
    let changes = try family.database.changes(of: family.rex)
    var iterator = changes.makeAsyncIterator()
    try await family.database.write { db in try db.edit(family.rex) { $0.age = 4 } }
    let first = try #require(try await iterator.next())
    try #expect(first.old.age == 3 && first.new.age == 4 && first.properties == ["age"])
    #expect(first.changed(\.age) && !first.changed(\.name) && !first.isDeleted)
    try await family.database.write { db in try db.delete(family.rex) }
    let last = try #require(try await iterator.next())
    try #expect(last.isDeleted && last.old.name == "Rex")
    try #expect(await iterator.next() == nil)
  }

  @Test func `of a model has what is new, gone and changed`() async throws {
    let family = try FamilyFile()
    var iterator = try family.database.changes(of: Dog.self).makeAsyncIterator()
    try await family.database.write { db in _ = try db.create(Person.self) { $0.name = "Bob" } }
    try await family.database.write { db in
      try db.create(Dog.self) { $0.name = "Bello" }
      try db.edit(family.rex) { $0.name = "Maxi" }
      try db.delete(db.objects(Dog.self).filter { $0.name == "Max" })
    }
    let change = try #require(try await iterator.next())
    try #expect(change.created.map { try $0.name } == ["Bello"])
    try #expect(change.deleted.map { try $0.name } == ["Max"])
    try #expect(change.changed.map { try $0.new.name } == ["Maxi"])
    #expect(change.commitNumber == family.database.commitNumber)
  }

  @Test func `of a query has what enters, leaves and stays`() async throws {
    let family = try FamilyFile()
    let young = try family.database.snapshot().objects(Dog.self).filter { $0.age < 5 }
    var iterator = try family.database.changes(of: young).makeAsyncIterator()
    try await family.database.write { db in
      for dog in try db.objects(Dog.self) { try db.edit(dog) { $0.age = $0.age == 3 ? 8 : 1 } }
    }
    let change = try #require(try await iterator.next())
    try #expect(change.created.map { try $0.name } == ["Max"])
    try #expect(change.deleted.map { try $0.name } == ["Rex"] && change.changed.isEmpty)
  }

  @Test func `is not followed in another database, or of what a draft created`() throws {
    let (one, two) = (try FamilyFile(), try FamilyFile())
    #expect(throws: DatabaseError.self) { try one.database.changes(of: two.rex) }
    #expect(throws: DatabaseError.self) {
      try one.database.changes(of: two.database.snapshot().objects(Dog.self))
    }
    let max = try one.database.draft().create(Dog.self)
    #expect(throws: DatabaseError.self) { try one.database.changes(of: max) }
  }

  @Test func `is read without blocking an actor`() async throws {
    let family = try FamilyFile()
    let names = try await family.database.read { db in
      try db.objects(Dog.self).sorted(by: \.name).map { try $0.name }
    }
    #expect(names == ["Max", "Rex"])
    struct Refusal: Error {}
    await #expect(throws: Refusal.self) {
      try await family.database.write { db in
        try db.delete(db.objects(Dog.self))
        throw Refusal()
      }
    }
    try #expect(family.database.snapshot().objects(Dog.self).count == 2)
  }

  @Test func `is written without waiting for the writer of another file`() async throws {
    let (one, two) = (try FamilyFile(), try FamilyFile())
    let isDone = DispatchSemaphore(value: 0)
    async let first = one.database.write { _ in isDone.wait(timeout: .now() + 5) }
    try await two.database.write { db in
      try db.edit(two.rex) { $0.age = 9 }
      isDone.signal()
    }
    try await #expect(first == .success)
  }
}
