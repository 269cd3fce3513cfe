/// The steps that write.
extension SQLiteEngine {
  func insertDogs() throws {
    let database = try database
    try database.write {
      let insert = try database.prepare("INSERT INTO dog VALUES (?, ?, ?, ?)")
      let name = LabelBuffer()
      for number in 0..<workload.dogs {
        name.set("Dog ", number)
        insert.bind(1, Int64(number))
        insert.bind(2, name)
        insert.bind(3, workload.age(of: number))
        if let breed = workload.breed(of: number) {
          insert.bind(4, Workload.breeds[breed])
        } else {
          insert.bindNull(4)
        }
        try insert.run()
      }
    }
  }

  func insertPeople() throws {
    let database = try database
    try database.write {
      let person = try database.prepare("INSERT INTO person VALUES (?, ?, ?, ?)")
      let link = try database.prepare("INSERT INTO person_dogs VALUES (?, ?, ?)")
      let address = try database.prepare("INSERT INTO address VALUES (?, ?, ?, ?, ?)")
      let name = LabelBuffer()
      let street = LabelBuffer()
      let postalCode = LabelBuffer()
      for number in 0..<workload.people {
        name.set("Person ", number)
        person.bind(1, Int64(number))
        person.bind(2, name)
        person.bind(3, Int64(number))
        person.bind(4, Int64(workload.favourite(of: number)))
        try person.run()
        for position in 0..<Workload.dogsPerPerson {
          link.bind(1, Int64(number))
          link.bind(2, Int64(position))
          link.bind(3, Int64(workload.dog(position, of: number)))
          try link.run()
        }
        street.set("Street ", number)
        postalCode.set("PC", number)
        address.bind(1, Int64(number))
        address.bind(2, street)
        address.bind(3, Workload.cities[number % 10])
        address.bind(4, "GB" as StaticString)
        address.bind(5, postalCode)
        try address.run()
      }
    }
  }

  func changeAgesOneByOne() throws {
    let database = try database
    let update = try database.prepare("UPDATE dog SET age = ? WHERE id = ?")
    for number in 0..<Workload.smallTransactions {
      let change = workload.smallChange(number)
      update.bind(1, change.age)
      update.bind(2, Int64(change.dog))
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
    try database.execute("DELETE FROM dog WHERE id % 10 = 0")
  }
}
