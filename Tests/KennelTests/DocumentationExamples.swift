import Kennel
import KennelEncryption
import Testing

// The examples of the doc comments; the tidy test finds each of them here.

struct Dog: Model {
  let name = Property<String>()
  let age = Property<Int>()
  let nickname = Property<String?>()
  let owners = Backlinks<Person>(of: \.dogs)
}

struct Person: Model {
  let name = Property<String>(.primaryKey)
  let dogs = Property<[Object<Dog>]>(deleteRule: .cascade)
  let favourite = Property<Object<Dog>?>()
}

struct FamilyFile {
  let folder: CheckedFolder
  let database: Database
  let rex: Object<Dog>
  let ada: Object<Person>

  /// A file with Ada, her dog Rex, and Max, a dog of nobody.
  init() throws {
    let folder = try CheckedFolder()
    let database = try Database.open(folder.file("family.kennel"), models: Person.self)
    (rex, ada) = try database.write { db in
      let rex = try db.create(Dog.self) {
        $0.name = "Rex"
        $0.age = 3
      }
      try db.create(Dog.self) {
        $0.name = "Max"
        $0.age = 9
      }
      let ada = try db.create(Person.self) {
        $0.name = "Ada"
        $0.dogs = [rex]
        $0.favourite = rex
      }
      return (rex, ada)
    }
    self.folder = folder
    self.database = database
  }
}

@Suite struct `The examples of the documentation` {
  private func withFamily(
    _ body: (Database, Object<Dog>, Object<Person>) throws -> Void
  ) throws {
    let family = try FamilyFile()
    try body(family.database, family.rex, family.ada)
  }

  @Test func `of encryption`() throws {
    let folder = try CheckedFolder()
    let path = folder.file("secret.kennel")
    let old = try Database.Key(bytes: Array(repeating: 1, count: 32))
    let database = try Database.open(path, models: Dog.self, key: old)
    #expect(database.isEncrypted)
    let new = try encrypt(folder.file("other.kennel"))
    try database.addKey(new, beside: old)
    try database.removeKey(old)
  }

  private func encrypt(_ path: String) throws -> Database.Key {
    let key = try Database.Key(passphrase: "correct horse battery staple")
    let database = try Database.open(path, models: Dog.self, key: key)
    #expect(database.isEncrypted)
    return key
  }

  @Test func `of opening and writing`() throws {
    let folder = try CheckedFolder()
    let path = folder.file("dogs.kennel")
    let database = try Database.open(path, models: Dog.self, Person.self)
    try database.write { db in _ = try db.create(Dog.self) { $0.name = "Rex" } }
    for dog in try database.snapshot().objects(Dog.self) { print(try dog.name) }
    try #expect(database.snapshot().objects(Dog.self).first?.name == "Rex")
    try database.write { (db: Transaction) in
      let rex = try db.create(Dog.self) { $0.name = "Rex" }
      try db.edit(rex) { $0.age = 3 }
      print(try db.objects(Dog.self).count)
    }
    try #expect(database.snapshot().objects(Dog.self).count == 2)
  }

  @Test func `of opening in other ways`() throws {
    let family = try FamilyFile()
    let path = family.database.path
    do {
      let database = try Database.open(path, models: Dog.self, access: .readOnly)
      print(database.canWrite)
    }
    do {
      let database = try Database.openInMemory(models: Dog.self)
      try database.write { db in _ = try db.create(Dog.self) { $0.name = "Rex" } }
      try #expect(database.snapshot().objects(Dog.self).count == 1)
    }
    let database = family.database
    database.close()
    let isSmaller = try Database.compact(path)
    print(isSmaller)
  }

  @Test func `of creating or editing`() throws {
    try withFamily { database, rex, _ in
      try database.write { db in
        let ada = try db.upsert(\Person.name, "Ada") { $0.dogs = [rex] }
        print(try ada.name)
      }
      try #expect(database.snapshot().objects(Person.self).count == 1)
    }
  }

  @Test func `of reading and writing functions`() throws {
    try withFamily { database, rex, ada in
      func names(in db: some Reading) throws -> [String] {
        try db.objects(Dog.self).sorted(by: \.name).map { try $0.name }
      }
      print(try names(in: database.snapshot()))
      try database.write { db in print(try names(in: db)) }
      func age(_ dog: Object<Dog>, in db: some Writing) throws {
        try db.edit(dog) { $0.age += 1 }
      }
      try database.write { db in try age(rex, in: db) }
      try age(rex, in: database.draft())
      try #expect(names(in: database.snapshot()) == ["Max", "Rex"])
      try #expect(database.snapshot().current(rex)?.age == 4)
      let before = try database.snapshot()
      try database.write { db in try db.delete(rex) }
      print(try before.objects(Dog.self).count, try database.snapshot().objects(Dog.self).count)
      try #expect(before.objects(Dog.self).count == 2)
    }
    try withFamily { database, rex, ada in
      let radius = try database.snapshot().blastRadius(deleting: ada)
      print(radius)
      print("\(radius.deletionCount(of: Dog.self)) dogs")
      if radius.isHarmless { try database.write { db in try db.delete(ada) } }
      #expect(!radius.isHarmless && radius.deletionCount == 2)
      for object in radius.orphans where object.className == "Dog" { print(object.name) }
      print(radius.cutLinks.map { "\($0.property) of \($0.object)" })
      print(radius.deletions.count { $0.reason == .asked })
      for deletion in radius.deletions where deletion.depth < 2 { print(deletion) }
      for denial in radius.denials { print("Delete \(denial.remaining) first") }
    }
  }

  @Test func `of asynchronous writing`() async throws {
    let family = try FamilyFile()
    let (database, rex) = (family.database, family.rex)
    func rename(_ dog: Object<Dog>) async throws {
      try await database.write { db in try db.edit(dog) { $0.name = "Max" } }
    }
    try await rename(rex)
    try #expect(database.snapshot().current(rex)?.name == "Max")
  }

  @Test func `of objects and editors`() throws {
    try withFamily { database, rex, _ in
      let snapshot = try database.snapshot()
      if let rex = try snapshot.objects(Dog.self).first {
        print(rex, try rex.name, try rex.age, try rex.owners.count)
      }
      try database.write { db in try db.delete(snapshot.objects(Person.self)) }
      let rex = try database.write { db in try db.create(Dog.self) { $0.name = "Rex" } }
      try database.write { db in
        let ada = try db.create(Person.self) { $0.name = "Ada" }
        try db.edit(ada) { person in
          person.dogs.append(rex)
          person.favourite = person.dogs.first
        }
      }
      try #expect(database.snapshot().current(rex)?.owners.count == 1)
      func value<V: Storable>(_ path: KeyPath<Dog, Property<V>>) throws -> V.Loaded {
        try rex[dynamicMember: path]
      }
      print(try value(\.name))
    }
  }

  @Test func `of changes`() async throws {
    let family = try FamilyFile()
    let (database, rex) = (family.database, family.rex)
    async let told: Void = {
      for try await change in try database.changes(of: Dog.self) {
        print(change.created.count)
        break
      }
      var changes = try database.changes(of: Dog.self).makeAsyncIterator()
      if let first = try await changes.next() { print(first.created.count) }
      for try await changes in try database.changes(of: Dog.self) {
        for change in changes.changed where change.changed(\.age) {
          print(change.object, try change.old.age, try change.new.age)
        }
        print(changes.created.count, changes.deleted.count)
        break
      }
      for try await change in try database.changes(of: rex) {
        print(change.properties, change.isDeleted ? "gone" : try change.new.name)
        break
      }
    }()
    let writer = Task {
      while !Task.isCancelled {
        try await database.write { db in try db.edit(rex) { $0.age += 1 } }
        try await Task.sleep(for: .milliseconds(1))
      }
    }
    try await told
    writer.cancel()
  }
}
