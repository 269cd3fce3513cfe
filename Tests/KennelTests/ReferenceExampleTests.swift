import Kennel
import Testing

// The examples of the articles; the tidy test finds each of them here.

@Suite struct `The articles` {
  @Test func `get one started`() throws {
    let folder = try CheckedFolder()
    let path = folder.file("family.kennel")
    struct Dog: Model {
      let name = Property<String>()
      let age = Property<Int>()
      let owners = Backlinks<Person>(of: \.dogs)
    }
    struct Person: Model {
      let name = Property<String>(.primaryKey)
      let dogs = Property<[Object<Dog>]>(deleteRule: .cascade)
    }
    let database = try Database.open(path, models: Person.self)
    let rex = try database.write { db in
      let rex = try db.create(Dog.self) { $0.name = "Rex" }
      try db.create(Person.self) {
        $0.name = "Ada"
        $0.dogs = [rex]
      }
      return rex
    }
    try database.write { db in try db.edit(rex) { $0.age = 3 } }
    let snapshot = try database.snapshot()
    for dog in try snapshot.objects(Dog.self).filter({ $0.age < 5 }).sorted(by: \.name) {
      print(try dog.name, try dog.owners.map { try $0.name })
    }
    if let ada = try snapshot.find(\Person.name, "Ada") { print(try ada.dogs.count) }
    print(try database.snapshot().current(rex)?.age ?? 0)
    try #expect(snapshot.current(rex)?.age == 3)
  }

  @Test func `model a graph`() throws {
    struct City: Model {
      let name = Property<String>(.primaryKey)
      let inhabitants = Backlinks<Citizen>(of: \.home)
    }
    struct Citizen: Model {
      let name = Property<String>()
      let home = Property<Object<City>?>()
      let friends = Property<[Object<Citizen>]>()
      let address = Property<Object<Street>?>()
      let likes = Property<Tastes?>()
    }
    struct Street: EmbeddedModel {
      let street = Property<String>()
      let number = Property<Int>()
    }
    struct Tastes: Document {
      var music: [String] = []
      var food = ""
    }
    let folder = try CheckedFolder()
    let database = try Database.open(folder.file("city.kennel"), models: City.self)
    try database.write { db in
      let ghent = try db.create(City.self) { $0.name = "Ghent" }
      try db.create(Citizen.self) { ada in
        ada.name = "Ada"
        ada.home = ghent
        ada.likes = Tastes(music: ["Bach"])
        try ada.create(\.address) { $0.street = "Korenlei" }
      }
      print(try ghent.inhabitants.filter { $0.address.street == "Korenlei" }.count)
    }
    let ada = try #require(try database.snapshot().objects(Citizen.self).first)
    try #expect(ada.likes?.music == ["Bach"] && ada.address?.street == "Korenlei")
  }

  @Test func `delete what links to a target`() throws {
    struct Customer: Model { let name = Property<String>() }
    struct Order: Model {
      let customer = Property<Object<Customer>?>(targetRule: .cascade)
    }
    let database = try Database.openInMemory(models: Order.self)
    try database.write { db in
      let customer = try db.create(Customer.self)
      try db.create(Order.self) { $0.customer = customer }
      try #expect(db.delete(customer) == 2)
    }
  }

  @Test func `delete without fear`() throws {
    let family = try FamilyFile()
    let (database, ada) = (family.database, family.ada)
    do {
      let radius = try database.snapshot().blastRadius(deleting: ada)
      print(radius)
      if radius.isHarmless {
        try database.write { db in try db.delete(ada) }
      }
    }
    let draft = try database.draft()
    try draft.delete(ada)
    if let radius = try draft.blastRadius { print(radius) }
    switch try draft.commit() {
    case .committed(let commit): print("commit \(commit.number)")
    case .conflicts(let conflicts): print(conflicts.map(\.message))
    case .deletionsGrew(let radius): print(radius)
    }
    try #expect(database.snapshot().objects(Person.self).isEmpty)
  }

  @Test func `share a file among processes`() async throws {
    let family = try FamilyFile()
    let database = family.database
    let following = Task {
      for try await changes in try database.changes(of: Dog.self) {
        for change in changes.changed { print(change.object, change.properties) }
        return changes.created.count
      }
      return 0
    }
    let oldest = try await database.read { db in try db.objects(Dog.self).max(\.age) }
    try await database.write { db in
      for dog in try db.objects(Dog.self).filter({ $0.age == 0 }) {
        try db.edit(dog) { $0.age = 1 }
      }
    }
    #expect(oldest == 9)
    following.cancel()
    _ = try? await following.value
  }

  @Test func `come from SQLite and from Realm`() throws {
    let family = try FamilyFile()
    let database = family.database
    let snapshot = try database.snapshot()
    // SELECT dog.name FROM dog JOIN person … WHERE person.name = 'Ada' AND dog.age < 5
    let hers = try snapshot.objects(Dog.self).filter {
      $0.age < 5 && $0.owners.contains { $0.name == "Ada" }
    }
    // SELECT age, count(*) FROM dog GROUP BY age
    for group in try snapshot.objects(Dog.self).grouped(by: \.age) {
      print(group.key ?? 0, group.count)
    }
    let named = try snapshot.objects(Dog.self).filter("name == $0", "Rex")
    try #expect(named.found() == hers.found())
    let dogs = try database.snapshot().objects(Dog.self)
    print(try dogs.filter { $0.name.hasPrefix("R") && $0.owners.count > 0 }.average(\.age) ?? 0)
  }

  @Test func `come from Core Data`() async throws {
    let family = try FamilyFile()
    let database = family.database
    let writing = Task {
      while !Task.isCancelled {
        try await database.write { db in _ = try db.create(FamilyDog.self) { $0.name = "Bello" } }
        try await Task.sleep(for: .milliseconds(1))
      }
    }
    let snapshot = try database.snapshot()
    let young = try snapshot.objects(Dog.self).filter { $0.age < 5 }
    for try await changes in try database.changes(of: young) {
      print(changes.created.count, changes.deleted.count)
      break
    }
    writing.cancel()
    _ = try? await writing.value
  }
}

private typealias FamilyDog = KennelTests.Dog
