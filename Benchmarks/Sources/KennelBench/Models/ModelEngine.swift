import Kennel

/// The classes of the workload as models.
enum Modelled {
  struct Dog: Model {
    let name = Property<String>()
    let age = Property<Int>()
    let breed = Property<String?>()
    let owners = Backlinks<Person>(of: \.dogs)
  }

  struct Person: Model {
    let id = Property<Int>(.primaryKey)
    let name = Property<String>()
    let birthdate = Property<Timestamp>()
    let favourite = Property<Object<Dog>?>()
    let dogs = Property<[Object<Dog>]>()
    let address = Property<Object<Address>?>()
  }

  struct Address: EmbeddedModel {
    let street = Property<String>()
    let city = Property<String>()
    let country = Property<String>()
    let postalCode = Property<String>()
  }
}

/// Kennel, through models as a program declares them.
final class ModelEngine: Engine {
  typealias DogKey = Object<Modelled.Dog>

  let path: String
  let workload: Workload
  private var opened: Database?
  private var held: Snapshot?
  /// The dogs by their numbers.
  var dogs: [DogKey] = []

  init(path: String, workload: Workload) throws {
    self.path = path
    self.workload = workload
    opened = try Database.open(path, models: Modelled.Person.self)
  }

  /// The database, which is open but for the moment between closing and reopening.
  var database: Database {
    get throws {
      guard let opened else { throw BenchmarkError("\(path) is closed") }
      return opened
    }
  }

  /// What the reading steps between two writing ones look at.
  var snapshot: Snapshot {
    get throws {
      if let held { return held }
      let snapshot = try database.snapshot()
      held = snapshot
      return snapshot
    }
  }

  /// Changes the database; what was held to read from goes.
  func write(_ body: (Transaction) throws -> Void) throws {
    held = nil
    try database.write(body)
  }

  func close() {
    held = nil
    dogs = []
    opened = nil
  }

  func fileBytes() -> Int { Footprint.bytes(of: path) }

  func reopen(reading id: Int64) throws -> Int64 {
    let database = try Database.open(path, models: Modelled.Person.self)
    opened = database
    let person = try database.snapshot().find(\Modelled.Person.id, Int(id))
    return try person?.birthdate.seconds ?? -1
  }
}

/// The steps that write.
extension ModelEngine {
  func insertDogs() throws {
    let breeds = Workload.breeds.map { "\($0)" }
    var made: [DogKey] = []
    made.reserveCapacity(workload.dogs)
    try write { db in
      for number in 0..<workload.dogs {
        let dog = try db.create(Modelled.Dog.self) {
          $0.name = Label.text("Dog ", number)
          $0.age = Int(workload.age(of: number))
          if let breed = workload.breed(of: number) { $0.breed = breeds[breed] }
        }
        made.append(dog)
      }
    }
    dogs = made
  }

  func insertPeople() throws {
    let cities = Workload.cities.map { "\($0)" }
    try write { db in
      for number in 0..<workload.people {
        try db.create(Modelled.Person.self) {
          $0.id = number
          $0.name = Label.text("Person ", number)
          $0.birthdate = Timestamp(seconds: Int64(number))
          $0.favourite = dogs[workload.favourite(of: number)]
          for position in 0..<Workload.dogsPerPerson {
            try $0.append(dogs[workload.dog(position, of: number)], to: \.dogs)
          }
          try $0.create(\.address) {
            $0.street = Label.text("Street ", number)
            $0.city = cities[number % 10]
            $0.country = "GB"
            $0.postalCode = Label.text("PC", number)
          }
        }
      }
    }
  }

  func changeAgesOneByOne() throws {
    for number in 0..<Workload.smallTransactions {
      let change = workload.smallChange(number)
      try write { db in try db.edit(dogs[change.dog]) { $0.age = Int(change.age) } }
    }
  }

  func growAllDogs() throws {
    try write { db in
      for dog in try db.objects(Modelled.Dog.self) { try db.edit(dog) { $0.age += 1 } }
    }
  }

  func deleteOddPeople() throws {
    try write { db in
      try db.delete(db.objects(Modelled.Person.self).found().filter { try $0.id % 2 == 1 })
    }
  }

  func deleteEveryTenthDog() throws {
    try write { db in
      try db.delete(stride(from: 0, to: workload.dogs, by: 10).map { dogs[$0] })
    }
  }
}

/// The steps that read.
extension ModelEngine {
  func sumFavouriteAges() throws -> Int64 {
    var sum = 0
    for person in try snapshot.objects(Modelled.Person.self) {
      if let dog = try person.favourite { sum += try dog.age }
    }
    return Int64(sum)
  }

  func sumListedAges() throws -> Int64 {
    var sum = 0
    for person in try snapshot.objects(Modelled.Person.self) {
      for dog in try person.dogs { sum += try dog.age }
    }
    return Int64(sum)
  }

  func sumOriginIDs() throws -> Int64 {
    var sum = 0
    for dog in try snapshot.objects(Modelled.Dog.self) {
      for person in try dog.owners { sum += try person.id }
    }
    return Int64(sum)
  }

  func countOlderThanTen() throws -> Int {
    try snapshot.objects(Modelled.Dog.self).filter { $0.age > 10 }.count
  }

  func countOlderBoxers() throws -> Int {
    try snapshot.objects(Modelled.Dog.self).filter { $0.age > 10 && $0.breed == "Boxer" }.count
  }

  func countNamesWith999() throws -> Int {
    try snapshot.objects(Modelled.Dog.self).filter { $0.name.contains("999") }.count
  }

  func sortDogs() throws -> (order: [DogKey], names: [String]) {
    let order = try snapshot.objects(Modelled.Dog.self).sorted(by: \.breed).then(by: \.age)
      .then(by: \.name).found()
    return (order, try order.prefix(50).map { try $0.name })
  }

  func lookPeopleUp() throws -> Int64 {
    let snapshot = try snapshot
    var random = RandomPeople(workload)
    var sum: Int64 = 0
    for _ in 0..<Workload.lookups {
      if let person = try snapshot.find(\Modelled.Person.id, Int(random.next())) {
        sum += try person.birthdate.seconds
      }
    }
    return sum
  }
}

/// Looking at what a step did.
extension ModelEngine {
  func number(of dog: DogKey) -> Int { dog.objectKey - (dogs.first?.objectKey ?? 0) }

  func sumAges() throws -> Int64 {
    try Int64(database.snapshot().objects(Modelled.Dog.self).sum(\.age))
  }

  func countDogs() throws -> Int { try database.snapshot().objects(Modelled.Dog.self).count }
  func countPeople() throws -> Int { try database.snapshot().objects(Modelled.Person.self).count }

  func countAddresses() throws -> Int {
    try database.snapshot().objects(Modelled.Address.self).count
  }

  func countListLinks() throws -> Int {
    var links = 0
    for person in try database.snapshot().objects(Modelled.Person.self) {
      links += try person.dogs.count
    }
    return links
  }

  func countNullFavourites() throws -> Int {
    try database.snapshot().objects(Modelled.Person.self).filter { $0.favourite == nil }.count
  }
}
