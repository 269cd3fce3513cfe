import KennelCore

/// The steps that read. Links are followed from object to object.
extension KennelEngine {
  func sumFavouriteAges() throws -> Int64 {
    let snapshot = try snapshot
    var sum: Int64 = 0
    try snapshot.forEachObject(of: properties.person) { person in
      if let dog = try snapshot[person, properties.favourite] {
        sum += try snapshot[dog, properties.age]
      }
    }
    return sum
  }

  func sumListedAges() throws -> Int64 {
    let snapshot = try snapshot
    var sum: Int64 = 0
    try snapshot.forEachObject(of: properties.person) { person in
      try snapshot.forEachTarget(of: person, property: properties.dogs) { dog in
        sum += try snapshot[dog, properties.age]
      }
    }
    return sum
  }

  func sumOriginIDs() throws -> Int64 {
    let snapshot = try snapshot
    var sum: Int64 = 0
    try snapshot.forEachObject(of: properties.dog) { dog in
      try snapshot.forEachOrigin(of: dog, through: properties.dogs) { person in
        sum += try snapshot[person, properties.id]
      }
    }
    return sum
  }

  func countOlderThanTen() throws -> Int { try count("age > 10") }
  func countOlderBoxers() throws -> Int { try count(#"age > 10 AND breed == "Boxer""#) }
  func countNamesWith999() throws -> Int { try count(#"name CONTAINS "999""#) }

  private func count(_ text: String) throws -> Int {
    let snapshot = try snapshot
    let predicate = try Predicate.parse(text, for: properties.dog, in: snapshot.schema)
    return try snapshot.count(of: properties.dog, where: predicate)
  }

  func sortDogs() throws -> (order: [ObjectKey], names: [String]) {
    let snapshot = try snapshot
    let sort = try SortKey.parse("breed, age, name", for: properties.dog, in: snapshot.schema)
    let order = try snapshot.objects(of: properties.dog, sort: sort).keys
    let names = try order.prefix(50).map { key throws in
      try snapshot[ObjectIdentity(properties.dog, key), properties.dogName]
    }
    return (order, names)
  }

  func lookPeopleUp() throws -> Int64 {
    let snapshot = try snapshot
    var random = RandomPeople(workload)
    var sum: Int64 = 0
    for _ in 0..<Workload.lookups {
      if let person = try snapshot.find(properties.id, random.next()) {
        sum += try snapshot[person, properties.birthdate].seconds
      }
    }
    return sum
  }
}

/// Looking at what a step did.
extension KennelEngine {
  func number(of dog: ObjectKey) -> Int {
    // Keys are given in order; a deleted one leaves a gap here too.
    var low = 0
    var high = dogs.count
    while low < high {
      let middle = (low + high) / 2
      if dogs.keys[middle] < dog { low = middle + 1 } else { high = middle }
    }
    return low
  }

  func sumAges() throws -> Int64 {
    let snapshot = try database.snapshot()
    var sum: Int64 = 0
    try snapshot.forEachObject(of: properties.dog) { sum += try snapshot[$0, properties.age] }
    return sum
  }

  func countDogs() throws -> Int { try database.snapshot().count(of: properties.dog) }
  func countPeople() throws -> Int { try database.snapshot().count(of: properties.person) }

  func countAddresses() throws -> Int {
    try database.snapshot().count(of: properties.street.classKey)
  }

  func countListLinks() throws -> Int {
    let snapshot = try database.snapshot()
    var links = 0
    try snapshot.forEachObject(of: properties.person) { person in
      links += try snapshot.count(in: person, property: properties.dogs)
    }
    return links
  }

  func countNullFavourites() throws -> Int {
    let snapshot = try database.snapshot()
    var nulls = 0
    try snapshot.forEachObject(of: properties.person) { person in
      if try snapshot[person, properties.favourite] == nil { nulls += 1 }
    }
    return nulls
  }
}
