// A program as its author wrote it for Realm Swift, but for the name of the module.
//
// `swift run Pets pets.kennel` writes a file, or adds to it; `kennel pets.kennel` shows it.

import KennelRealm

class Person: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var birthdate = Date(timeIntervalSince1970: 0)
  @Persisted var mood = Mood.calm
  @Persisted var dogs: List<Dog>
  @Persisted var home: Address?
}

class Dog: Object {
  @Persisted(primaryKey: true) var id: ObjectId
  @Persisted(indexed: true) var name = ""
  @Persisted var age = 0
  @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
}

class Address: EmbeddedObject {
  @Persisted var street: String?
  @Persisted var city = ""
}

enum Mood: String, PersistableEnum {
  case calm
  case proud
}

let path = CommandLine.arguments.dropFirst().first ?? "pets.kennel"
let realm = try Realm(fileURL: URL(fileURLWithPath: path))

try realm.write {
  let ada = realm.create(
    Person.self,
    value: ["name": "Ada", "mood": "proud", "home": ["city": "London"]],
    update: .modified
  )
  let rex = Dog(value: ["name": "Rex", "age": 3])
  ada.dogs.append(rex)
  let bob = realm.create(Person.self, value: ["name": "Bob"], update: .modified)
  bob.dogs.append(objectsIn: [rex, Dog(value: ["name": "Fido", "age": 1])])
}

for dog in realm.objects(Dog.self).where({ $0.age < 5 }).sorted(by: \.name) {
  let owners = dog.owners.map(\.name).joined(separator: " and ")
  print("\(dog.name), \(dog.age), belongs to \(owners)")
}
print("People: \(realm.objects(Person.self).count)")
