import KennelBox

/// The steps that write. Objects are made as they are put, as in a program that reads them from
/// elsewhere: those of a million dogs at once would measure the system's memory.
extension BoxEngine {
  func insertDogs() throws {
    let breeds = Workload.breeds.map { "\($0)" }
    let dogs = try dogs
    try store.runInTransaction {
      for number in 0..<workload.dogs {
        let dog = Boxed.Dog()
        dog.name = Label.text("Dog ", number)
        dog.age = Int(workload.age(of: number))
        if let breed = workload.breed(of: number) { dog.breed = breeds[breed] }
        try dogs.put(dog)
      }
    }
  }

  func insertPeople() throws {
    let cities = Workload.cities.map { "\($0)" }
    let people = try people
    let dogs = try dogs.all()
    try store.runInTransaction {
      for number in 0..<workload.people {
        let person = Boxed.Person()
        person.name = Label.text("Person ", number)
        person.birthdate = Date(timeIntervalSince1970: Double(number))
        person.favourite.target = dogs[workload.favourite(of: number)]
        for position in 0..<Workload.dogsPerPerson {
          person.dogs.append(dogs[workload.dog(position, of: number)])
        }
        let address = Boxed.Address()
        address.street = Label.text("Street ", number)
        address.city = cities[number % 10]
        address.country = "GB"
        address.postalCode = Label.text("PC", number)
        person.address.target = address
        try people.put(person)
      }
    }
  }

  func changeAgesOneByOne() throws {
    let (store, dogs) = (try store, try dogs)
    for number in 0..<Workload.smallTransactions {
      let change = workload.smallChange(number)
      try store.runInTransaction {
        guard let dog = try dogs.get(Id(change.dog + 1)) else { return }
        dog.age = Int(change.age)
        try dogs.put(dog)
      }
    }
  }

  func growAllDogs() throws {
    let dogs = try dogs
    try dogs.forEach(writable: true) { dog in
      dog.age += 1
      try dogs.put(dog)
    }
  }

  func deleteOddPeople() throws {
    let (people, addresses) = (try people, try addresses)
    try store.runInTransaction {
      let odd = try people.all().filter { $0.id % 2 == 0 }
      try addresses.remove(odd.compactMap { $0.address.targetId })
      try people.remove(odd)
    }
  }

  func deleteEveryTenthDog() throws {
    try dogs.remove(stride(from: 1, through: Id(workload.dogs), by: 10).map { $0 })
  }
}
