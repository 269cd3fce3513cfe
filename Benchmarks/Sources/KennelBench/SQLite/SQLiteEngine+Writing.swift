/// The steps that write.
extension SQLiteEngine {
  func insertDogs() throws {
    let database = try database
    try database.write {
      let insert = try database.prepare("INSERT INTO dog (name, age, breed) VALUES (?, ?, ?)")
      let name = LabelBuffer()
      for number in 0..<workload.dogs {
        name.set("Dog ", number)
        insert.bind(1, name)
        insert.bind(2, workload.age(of: number))
        if let breed = workload.breed(of: number) {
          insert.bind(3, Workload.breeds[breed])
        } else {
          insert.bindNull(3)
        }
        try insert.run()
      }
    }
  }

  func insertPeople() throws {
    let database = try database
    try database.write {
      let person = try database.prepare("INSERT INTO person VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
      let link = try database.prepare("INSERT INTO person_dogs VALUES (?, ?, ?)")
      let name = LabelBuffer()
      let street = LabelBuffer()
      let postalCode = LabelBuffer()
      for number in 0..<workload.people {
        name.set("Person ", number)
        street.set("Street ", number)
        postalCode.set("PC", number)
        person.bind(1, Int64(number))
        person.bind(2, name)
        person.bind(3, Int64(number))
        person.bind(4, id(ofDog: workload.favourite(of: number)))
        person.bind(5, street)
        person.bind(6, Workload.cities[number % 10])
        person.bind(7, "GB" as StaticString)
        person.bind(8, postalCode)
        try person.run()
        for position in 0..<Workload.dogsPerPerson {
          link.bind(1, Int64(number))
          link.bind(2, Int64(position))
          link.bind(3, id(ofDog: workload.dog(position, of: number)))
          try link.run()
        }
      }
    }
  }

  /// SQLite numbers dogs from 1, which is faster than to be given numbers.
  private func id(ofDog number: Int) -> Int64 { Int64(number + 1) }

  func changeAgesOneByOne() throws {
    let database = try database
    let update = try database.prepare("UPDATE dog SET age = ? WHERE id = ?")
    for number in 0..<Workload.smallTransactions {
      let change = workload.smallChange(number)
      update.bind(1, change.age)
      update.bind(2, id(ofDog: change.dog))
      // A statement outside of a transaction is one.
      try update.run()
    }
  }

  func growAllDogs() throws {
    try database.execute("UPDATE dog SET age = age + 1")
  }

  func deleteOddPeople() throws {
    try database.execute("DELETE FROM person WHERE id % 2 = 1")
  }

  func deleteEveryTenthDog() throws {
    try database.execute("DELETE FROM dog WHERE (id - 1) % 10 = 0")
  }
}
