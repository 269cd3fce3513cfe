import KennelBox

/// The steps that read. Relations are followed from object to object.
extension BoxEngine {
  func sumFavouriteAges() throws -> Int64 {
    var sum = 0
    try people.visit { person in
      sum += person.favourite.target?.age ?? 0
      return true
    }
    return Int64(sum)
  }

  func sumListedAges() throws -> Int64 {
    var sum = 0
    try people.visit { person in
      for dog in person.dogs { sum += dog.age }
      return true
    }
    return Int64(sum)
  }

  func sumOriginIDs() throws -> Int64 {
    var sum: Int64 = 0
    try dogs.visit { dog in
      for person in dog.owners { sum += Int64(person.id) - 1 }
      return true
    }
    return sum
  }

  func countOlderThanTen() throws -> Int {
    try dogs.query { Boxed.Dog.age > 10 }.build().count()
  }

  func countOlderBoxers() throws -> Int {
    try dogs.query { Boxed.Dog.age > 10 && Boxed.Dog.breed == "Boxer" }.build().count()
  }

  func countNamesWith999() throws -> Int {
    try dogs.query { Boxed.Dog.name.contains("999") }.build().count()
  }

  func sortDogs() throws -> (order: [Id], names: [String]) {
    let query = try dogs.query()
      .ordered(by: Boxed.Dog.breed, flags: .caseSensitive)
      .ordered(by: Boxed.Dog.age)
      .ordered(by: Boxed.Dog.name, flags: .caseSensitive)
      .build()
    let found = try query.find()
    return (found.map(\.id), found.prefix(50).map(\.name))
  }

  func lookPeopleUp() throws -> Int64 {
    let people = try people
    var random = RandomPeople(workload)
    var sum = 0.0
    try store.runInReadOnlyTransaction {
      for _ in 0..<Workload.lookups {
        if let person = try people.get(Id(random.next()) + 1) {
          sum += person.birthdate.timeIntervalSince1970
        }
      }
    }
    return Int64(sum)
  }
}

/// Looking at what a step did.
extension BoxEngine {
  func number(of dog: Id) -> Int { Int(dog) - 1 }

  func sumAges() throws -> Int64 {
    try dogs.query().build().property(Boxed.Dog.age).sum()
  }

  func countDogs() throws -> Int { try dogs.count() }
  func countPeople() throws -> Int { try people.count() }
  func countAddresses() throws -> Int { try addresses.count() }

  func countListLinks() throws -> Int {
    var links = 0
    try people.visit { person in
      links += try person.dogs.getUncachedIdsFromDb().count
      return true
    }
    return links
  }

  func countNullFavourites() throws -> Int {
    try people.query { Boxed.Person.favourite.isNil() }.build().count()
  }
}
