import Kennel
import Testing

@Suite struct `Objects of a snapshot` {
  @Test func `throw a sentence when they were deleted`() throws {
    let family = try FamilyFile()
    let rex = family.rex
    try family.database.write { db in
      let rex = try #require(try db.current(rex))
      try db.delete(rex)
      let error = #expect(throws: DatabaseError.self) { try rex.name }
      #expect(error?.message == "There is no object Dog/1: it was deleted, or never existed")
      #expect(throws: DatabaseError.self) { try rex.owners.count }
      try #expect(!rex.exists)
    }
    try #expect(family.database.snapshot().current(rex) == nil)
    let error = #expect(throws: DatabaseError.self) {
      try family.database.write { db in try db.edit(rex) { $0.age = 4 } }
    }
    #expect(error?.message == "There is no object Dog/1: it was deleted, or never existed")
  }

  @Test func `that were deleted lead a loop to an error, not to what they had`() throws {
    let family = try FamilyFile()
    func expectErrors(_ rex: Object<Dog>, _ ada: Object<Person>) {
      #expect(throws: DatabaseError.self) { try ada.dogs.map { try $0.name } }
      #expect(throws: DatabaseError.self) { try rex.owners.map { try $0.name } }
    }
    try family.database.write { db in
      let rex = try #require(try db.current(family.rex))
      let ada = try #require(try db.current(family.ada))
      try #expect(ada.dogs.map { try $0.name } == ["Rex"])
      try db.delete(ada)
      try #expect(db.objects(Dog.self).count == 1)
      expectErrors(rex, ada)
    }
  }

  @Test(arguments: [0, 1, 8, 9, 300])
  func `lead to all targets of a list and to all that link to them`(count: Int) throws {
    let family = try FamilyFile()
    try family.database.write { db in
      try db.edit(family.ada) { $0.dogs = Array(repeating: family.rex, count: count) }
      let ada = try #require(try db.current(family.ada))
      try #expect(Array(ada.dogs).count == count)
    }
    let snapshot = try family.database.snapshot()
    let (rex, ada) = try (snapshot.current(family.rex), snapshot.current(family.ada))
    // The second time, they are read from where the first one has found them.
    for _ in 0..<2 {
      try #expect(ada?.dogs.map { $0 } == Array(repeating: family.rex, count: count))
      try #expect(rex?.owners.map { $0 } == Array(repeating: family.ada, count: count))
      try #expect(ada?.name == "Ada" && rex?.name == "Rex")
    }
    try family.database.write { db in
      for _ in 0..<5 * count { try db.create(Dog.self) }
    }
    let dogs = try family.database.snapshot().objects(Dog.self)
    #expect(dogs.map { $0.objectKey } == Array(1..<3 + 5 * count))
  }

  @Test func `are read from any thread`() async throws {
    let family = try FamilyFile()
    let dogs = try family.database.snapshot().objects(Dog.self)
    let sums = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask { try (0..<200).reduce(0) { sum, _ in try sum + dogs.sum(\.age) } }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(sums == Array(repeating: 2400, count: 8))
  }

  @Test func `show what their snapshot shows, whoever writes`() throws {
    let family = try FamilyFile()
    let before = try #require(try family.database.snapshot().current(family.rex))
    try family.database.write { db in
      try db.edit(family.rex) { $0.age = 4 }
      try #expect(before.age == 3)
    }
    try #expect(before.age == 3 && family.database.snapshot().current(before)?.age == 4)
  }

  @Test func `of a transaction that was rolled back cannot be read`() throws {
    let family = try FamilyFile()
    var made: Object<Dog>?
    #expect(throws: Refusal.self) {
      try family.database.write { db in
        made = try db.create(Dog.self) { $0.name = "Bello" }
        throw Refusal()
      }
    }
    let bello = try #require(made)
    let error = #expect(throws: DatabaseError.self) { try bello.name }
    #expect(error?.message.contains("was rolled back") == true)
    try #expect(family.database.snapshot().objects(Dog.self).count == 2)
  }

  @Test func `of one file are not taken for those of another`() throws {
    let (one, two) = (try FamilyFile(), try FamilyFile())
    #expect(one.rex != two.rex)
    try one.database.write { db in
      let error = #expect(throws: DatabaseError.self) { try db.delete(two.rex) }
      #expect(error?.message.hasPrefix("The object is of another database") == true)
      #expect(throws: DatabaseError.self) {
        try db.edit(one.ada) { try $0.append(two.rex, to: \.dogs) }
      }
      #expect(throws: DatabaseError.self) { try db.edit(one.ada) { $0.favourite = two.rex } }
      #expect(throws: DatabaseError.self) { try db.edit(one.ada) { $0.dogs = [two.rex] } }
    }
    let snapshot = try one.database.snapshot()
    try #expect(snapshot.current(one.ada)?.dogs.count == 1)
    try #expect(snapshot.objects(Dog.self).contains(one.rex))
    try #expect(!snapshot.objects(Dog.self).contains(two.rex))
  }
}

@Suite struct `Editing an object` {
  @Test func `reports what could not be set, and leaves no object behind`() throws {
    let family = try FamilyFile()
    try family.database.write { db in
      let error = #expect(throws: DatabaseError.self) {
        try db.create(Person.self) { $0.name = "Ada" }
      }
      #expect(error?.code == .duplicatePrimaryKey)
      try #expect(db.objects(Person.self).count == 1)
    }
    try #expect(family.database.snapshot().find(\Person.name, "Ada") == family.ada)
  }

  @Test func `appends to a list in order`() throws {
    let family = try FamilyFile()
    let names = try family.database.write { db in
      for name in ["Bello", "Hasso"] {
        let dog = try db.create(Dog.self) { $0.name = name }
        try db.edit(family.ada) { try $0.append(dog, to: \.dogs) }
      }
      return try db.current(family.ada)?.dogs.map { try $0.name }
    }
    #expect(names == ["Rex", "Bello", "Hasso"])
  }

  @Test func `deletes the targets of links as their rules say`() throws {
    struct Owner: Model {
      let plain = Property<[Object<Dog>]>()
      let owned = Property<[Object<Dog>]>(deleteRule: .cascade)
      let shared = Property<[Object<Dog>]>(deleteRule: .cascadeIfLast)
      let needed = Property<Object<Dog>?>(deleteRule: .deny)
    }
    let folder = try CheckedFolder()
    let database = try Database.open(folder.file("rules.kennel"), models: Owner.self)
    let (owner, dogs) = try database.write { db in
      let dogs = try (0..<4).map { number in
        try db.create(Dog.self) { $0.name = "dog \(number)" }
      }
      let owner = try db.create(Owner.self) {
        $0.plain = [dogs[0]]
        $0.owned = [dogs[1]]
        $0.shared = [dogs[2], dogs[3]]
      }
      try db.create(Owner.self) { $0.shared = [dogs[3]] }
      return (owner, dogs)
    }
    try database.write { db in
      try #expect(db.blastRadius(deleting: owner).deletionCount == 3)
      try #expect(db.delete(owner) == 3)
    }
    let left = try database.snapshot()
    try #expect(dogs.map { try left.current($0) != nil } == [true, false, false, true])

    let keeper = try database.write { db in try db.create(Owner.self) { $0.needed = dogs[0] } }
    try database.write { db in
      let error = #expect(throws: DatabaseError.self) { try db.delete(keeper) }
      #expect(error?.code == .deletionDenied)
      let denials = try db.blastRadius(deleting: keeper).denials
      #expect(denials.map(\.link.property) == ["needed"])
      #expect(denials.map(\.target.name) == ["dog 0"])
      try db.delete(dogs[0])
      try db.delete(keeper)
    }
  }

  @Test func `deletes or keeps what links to a target as its target rules say`() throws {
    struct Guest: Model {
      let name = Property<String>()
      let host = Property<Object<Dog>?>(targetRule: .cascade)
      let needs = Property<[Object<Dog>]>(targetRule: .deny)
    }
    let folder = try CheckedFolder()
    let database = try Database.open(folder.file("rules.kennel"), models: Guest.self)
    let (host, needed, guest) = try database.write { db in
      let host = try db.create(Dog.self) { $0.name = "host" }
      let needed = try db.create(Dog.self) { $0.name = "needed" }
      let guest = try db.create(Guest.self) {
        $0.name = "guest"
        $0.host = host
        $0.needs = [needed]
      }
      return (host, needed, guest)
    }
    try database.write { db in
      let denied = try db.blastRadius(deleting: needed)
      #expect(denied.denials.map(\.remaining.name) == ["guest"])
      #expect(denied.denials.map(\.isOfTargetRule) == [true])
      #expect(
        denied.description == """
          deletes 1 object
            Dog/2 needed
          is denied
            Dog/2 needed while needs of Guest/1 guest links to it
          """
      )
      let error = #expect(throws: DatabaseError.self) { try db.delete(needed) }
      #expect(error?.code == .deletionDenied)
      let radius = try db.blastRadius(deleting: host)
      #expect(
        radius.description == """
          deletes 2 objects
            Dog/1 host
              Guest/1 guest, which links to it by host
          leaves without a link
            Dog/2 needed
          """
      )
      guard case .targetDeleted(let target, let property) = radius.deletions[1].reason else {
        Issue.record("\(radius.deletions[1].reason)")
        return
      }
      #expect(target.name == "host" && property == "host")
      try #expect(db.delete(host) == 2)
      try #expect(db.current(guest) == nil)
    }
  }
}

@Suite struct `The blast radius of a deletion` {
  @Test func `says by class what the deletion takes, and why`() throws {
    let family = try FamilyFile()
    try family.database.write { db in
      try db.create(Person.self) {
        $0.name = "Bob"
        $0.favourite = family.rex
      }
    }
    let snapshot = try family.database.snapshot()
    let radius = try snapshot.blastRadius(deleting: family.ada)
    #expect(radius.deletionCount(of: Person.self) == 1 && radius.deletionCount(of: Dog.self) == 1)
    #expect(radius.deletions.map(\.object.className) == ["Person", "Dog"])
    #expect(radius.deletions.map(\.object.objectKey) == [1, family.rex.objectKey])
    let links = radius.deletions.compactMap { deletion in
      if case .cascade(let link) = deletion.reason { link } else { nil }
    }
    #expect(links.map(\.property) == ["dogs"] && links.map(\.object.name) == ["Ada"])
    #expect(radius.cutLinks.map(\.object.name) == ["Bob"])
    #expect(
      radius.description == """
        deletes 2 objects
          Person/1 Ada
            Dog/1 Rex, linked by dogs
        cuts links
          Person/2 Bob.favourite
        """
    )
  }
}

private struct Refusal: Error {}
