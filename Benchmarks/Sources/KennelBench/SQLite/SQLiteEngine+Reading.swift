/// The steps that read.
extension SQLiteEngine {
  func sumFavouriteAges() throws -> Int64 {
    let database = try database
    let statement = try database.prepare(
      "SELECT dog.age FROM person JOIN dog ON dog.id = person.favourite WHERE person.id = ?"
    )
    return try database.read {
      var sum: Int64 = 0
      for person in 0..<Int64(workload.people) {
        statement.bind(1, person)
        if try statement.next() { sum += statement.integer(0) }
        statement.reset()
      }
      return sum
    }
  }

  func sumListedAges() throws -> Int64 {
    try database.integer(
      "SELECT sum(dog.age) FROM person_dogs CROSS JOIN dog ON dog.id = person_dogs.dog"
    )
  }

  func sumOriginIDs() throws -> Int64 {
    let statement = try database.prepare(
      "SELECT dog, sum(person) FROM person_dogs GROUP BY dog"
    )
    var sum: Int64 = 0
    while try statement.next() { sum += statement.integer(1) }
    return sum
  }

  func countOlderThanTen() throws -> Int {
    Int(try database.integer("SELECT count(*) FROM dog WHERE age > 10"))
  }

  func countOlderBoxers() throws -> Int {
    Int(try database.integer("SELECT count(*) FROM dog WHERE age > 10 AND breed = 'Boxer'"))
  }

  func countNamesWith999() throws -> Int {
    Int(try database.integer("SELECT count(*) FROM dog WHERE name LIKE '%999%'"))
  }

  func sortDogs() throws -> (order: [Int64], names: [String]) {
    let database = try database
    let sorted = try database.prepare("SELECT id FROM dog ORDER BY breed, age, name")
    var order: [Int64] = []
    while try sorted.next() { order.append(sorted.integer(0)) }
    let name = try database.prepare("SELECT name FROM dog WHERE id = ?")
    let names = try order.prefix(50).map { id in
      name.bind(1, id)
      defer { name.reset() }
      return try name.next() ? name.text(0) : ""
    }
    return (order, names)
  }

  func lookPeopleUp() throws -> Int64 {
    let database = try database
    let statement = try database.prepare("SELECT birthdate FROM person WHERE id = ?")
    return try database.read {
      var random = RandomPeople(workload)
      var sum: Int64 = 0
      for _ in 0..<Workload.lookups {
        statement.bind(1, random.next())
        if try statement.next() { sum += statement.integer(0) }
        statement.reset()
      }
      return sum
    }
  }
}

/// Looking at what a step did.
extension SQLiteEngine {
  func number(of dog: Int64) -> Int { Int(dog - 1) }
  func sumAges() throws -> Int64 { try database.integer("SELECT sum(age) FROM dog") }
  func countDogs() throws -> Int { Int(try database.integer("SELECT count(*) FROM dog")) }
  func countPeople() throws -> Int { Int(try database.integer("SELECT count(*) FROM person")) }

  func countAddresses() throws -> Int {
    Int(try database.integer("SELECT count(street) FROM person"))
  }

  func countListLinks() throws -> Int {
    Int(try database.integer("SELECT count(*) FROM person_dogs"))
  }

  func countNullFavourites() throws -> Int {
    Int(try database.integer("SELECT count(*) FROM person WHERE favourite IS NULL"))
  }
}
