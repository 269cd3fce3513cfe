import KennelRealm

/// The steps that read. Links are followed from object to object.
extension RealmEngine {
  func sumFavouriteAges() throws -> Int64 {
    var sum = 0
    for person in try realm.objects(Person.self) { sum += person.favourite?.age ?? 0 }
    return Int64(sum)
  }

  func sumListedAges() throws -> Int64 {
    var sum = 0
    for person in try realm.objects(Person.self) {
      for dog in person.dogs { sum += dog.age }
    }
    return Int64(sum)
  }

  func sumOriginIDs() throws -> Int64 {
    var sum = 0
    for dog in try realm.objects(Dog.self) {
      for person in dog.owners { sum += person.id }
    }
    return Int64(sum)
  }

  func countOlderThanTen() throws -> Int {
    try realm.objects(Dog.self).where { $0.age > 10 }.count
  }

  func countOlderBoxers() throws -> Int {
    try realm.objects(Dog.self).where { $0.age > 10 && $0.breed == "Boxer" }.count
  }

  func countNamesWith999() throws -> Int {
    try realm.objects(Dog.self).where { $0.name.contains("999") }.count
  }

  func sortDogs() throws -> (order: [Dog], names: [String]) {
    let sorted = try realm.objects(Dog.self).sorted(by: [
      SortDescriptor(keyPath: "breed"), SortDescriptor(keyPath: "age"),
      SortDescriptor(keyPath: "name"),
    ])
    return (Array(sorted), sorted.prefix(50).map(\.name))
  }

  func lookPeopleUp() throws -> Int64 {
    let realm = try realm
    var random = RandomPeople(workload)
    var sum = 0.0
    for _ in 0..<Workload.lookups {
      if let person = realm.object(ofType: Person.self, forPrimaryKey: Int(random.next())) {
        sum += person.birthdate.timeIntervalSince1970
      }
    }
    return Int64(sum)
  }
}

/// Looking at what a step did.
extension RealmEngine {
  func number(of dog: Dog) -> Int { Int(dog.name.dropFirst(4)) ?? -1 }

  func sumAges() throws -> Int64 { Int64(try realm.objects(Dog.self).sum(of: \.age)) }
  func countDogs() throws -> Int { try realm.objects(Dog.self).count }
  func countPeople() throws -> Int { try realm.objects(Person.self).count }

  func countAddresses() throws -> Int {
    try realm.objects(Person.self).where { $0.address != nil }.count
  }

  func countListLinks() throws -> Int {
    try realm.objects(Person.self).reduce(0) { $0 + $1.dogs.count }
  }

  func countNullFavourites() throws -> Int {
    try realm.objects(Person.self).where { $0.favourite == nil }.count
  }
}
