import Kennel

struct Dog: Model {
  let name = Property<String>()
  let age = Property<Int>()
}
struct Person: Model {
  let name = Property<String>(.primaryKey)
  let dogs = Property<[Object<Dog>]>(deleteRule: .cascade)
}

let database = try Database.open("family.kennel", models: Dog.self, Person.self)
try database.write { db in
  let rex = try db.create(Dog.self) {
    $0.name = "Rex"
    $0.age = 3
  }
  let ada = try db.create(Person.self) {
    $0.name = "Ada"
    $0.dogs = [rex]
  }
  for dog in try db.objects(Dog.self).filter({ $0.age < 5 }).sorted(by: \.name) {
    print(try dog.name)
  }
  print(try db.blastRadius(deleting: ada))
  try db.delete(ada)
}
