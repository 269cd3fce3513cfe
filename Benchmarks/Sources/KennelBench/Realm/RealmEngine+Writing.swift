import KennelRealm

/// The steps that write.
extension RealmEngine {
  func insertDogs() throws {
    let realm = try realm
    let breeds = Workload.breeds.map { "\($0)" }
    try realm.write {
      for number in 0..<workload.dogs {
        let dog = Dog()
        dog.name = Label.text("Dog ", number)
        dog.age = Int(workload.age(of: number))
        if let breed = workload.breed(of: number) { dog.breed = breeds[breed] }
        realm.add(dog)
      }
    }
  }

  func insertPeople() throws {
    let realm = try realm
    let cities = Workload.cities.map { "\($0)" }
    let dogs = realm.objects(Dog.self)
    try realm.write {
      for number in 0..<workload.people {
        let person = Person()
        person.id = number
        person.name = Label.text("Person ", number)
        person.birthdate = Date(timeIntervalSince1970: Double(number))
        person.favourite = dogs[workload.favourite(of: number)]
        for position in 0..<Workload.dogsPerPerson {
          person.dogs.append(dogs[workload.dog(position, of: number)])
        }
        let address = Address()
        address.street = Label.text("Street ", number)
        address.city = cities[number % 10]
        address.country = "GB"
        address.postalCode = Label.text("PC", number)
        person.address = address
        realm.add(person)
      }
    }
  }

  func changeAgesOneByOne() throws {
    let realm = try realm
    let dogs = Array(realm.objects(Dog.self))
    for number in 0..<Workload.smallTransactions {
      let change = workload.smallChange(number)
      try realm.write { dogs[change.dog].age = Int(change.age) }
    }
  }

  func growAllDogs() throws {
    let realm = try realm
    try realm.write {
      for dog in realm.objects(Dog.self) { dog.age += 1 }
    }
  }

  func deleteOddPeople() throws {
    let realm = try realm
    try realm.write {
      realm.delete(realm.objects(Person.self).lazy.filter { $0.id % 2 == 1 })
    }
  }

  func deleteEveryTenthDog() throws {
    let realm = try realm
    try realm.write {
      let dogs = realm.objects(Dog.self)
      realm.delete(stride(from: 0, to: workload.dogs, by: 10).map { dogs[$0] })
    }
  }
}
