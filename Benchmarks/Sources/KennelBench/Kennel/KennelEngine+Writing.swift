import KennelCore

/// The steps that write.
extension KennelEngine {
  func insertDogs() throws {
    var made = DogHandles(properties.dog)
    made.reserveCapacity(workload.dogs)
    try write { transaction in try insertDogs(in: transaction) { made.append($0) } }
    dogs = made
  }

  func insertPeople() throws {
    try write { transaction in try insertPeople(in: transaction) { dogs[$0] } }
  }

  func insertDogs(in transaction: WriteTransaction, _ keep: (ObjectIdentity) -> Void) throws {
    let breeds = Workload.breeds.map { "\($0)" }
    for number in 0..<workload.dogs {
      let dog = try transaction.create(properties.dog)
      try transaction.set(dog, property: properties.dogName, to: Label.text("Dog ", number))
      try transaction.set(dog, property: properties.age, to: workload.age(of: number))
      if let breed = workload.breed(of: number) {
        try transaction.set(dog, property: properties.breed, to: breeds[breed])
      }
      keep(dog)
    }
  }

  func insertPeople(
    in transaction: WriteTransaction,
    _ dog: (_ number: Int) -> ObjectIdentity
  ) throws {
    let cities = Workload.cities.map { "\($0)" }
    for number in 0..<workload.people {
      let person = try transaction.create(properties.id, Int64(number))
      try transaction.set(
        person,
        property: properties.personName,
        to: Label.text("Person ", number)
      )
      try transaction.set(
        person,
        property: properties.birthdate,
        to: Timestamp(seconds: Int64(number))
      )
      try transaction.set(
        person,
        property: properties.favourite,
        to: dog(workload.favourite(of: number))
      )
      for position in 0..<Workload.dogsPerPerson {
        let dog = dog(workload.dog(position, of: number))
        try transaction.append(dog, to: person, property: properties.dogs)
      }
      let address = try transaction.createEmbedded(in: person, property: properties.address)
      try transaction.set(address, property: properties.street, to: Label.text("Street ", number))
      try transaction.set(address, property: properties.city, to: cities[number % 10])
      try transaction.set(address, property: properties.country, to: "GB")
      try transaction.set(address, property: properties.postalCode, to: Label.text("PC", number))
    }
  }

  func changeAgesOneByOne() throws {
    for number in 0..<Workload.smallTransactions {
      let change = workload.smallChange(number)
      try write { transaction in
        try transaction.set(dogs[change.dog], property: properties.age, to: change.age)
      }
    }
  }

  func growAllDogs() throws {
    try write { transaction in
      try transaction.forEachObject(of: properties.dog) { dog in
        let age = try transaction[dog, properties.age]
        try transaction.set(dog, property: properties.age, to: age + 1)
      }
    }
  }

  func deleteOddPeople() throws {
    try write { transaction in
      var odd: [ObjectIdentity] = []
      try transaction.forEachObject(of: properties.person) { person in
        if try transaction[person, properties.id] % 2 == 1 { odd.append(person) }
      }
      _ = try transaction.delete(odd)
    }
  }

  func deleteEveryTenthDog() throws {
    try write { transaction in
      let tenth = stride(from: 0, to: workload.dogs, by: 10).map { dogs[$0] }
      _ = try transaction.delete(tenth)
    }
  }
}
