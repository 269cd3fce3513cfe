// Dogs, their owners and their walks: put, query, follow relations, edit, remove.
//
// `swift run` prints what happens. The database stays in the folder `dogs`:
// `kennel dogs/data.kennel` opens it in the terminal.

import KennelBox

// Each run begins with an empty database.
try Store(directoryPath: "dogs").closeAndDeleteAllFiles()

let store = try Store(directoryPath: "dogs")
let owners = store.box(for: Owner.self)
let dogs = store.box(for: Dog.self)
let walks = store.box(for: Walk.self)
let vaccinations = store.box(for: Vaccination.self)

// MARK: Put

// New objects get their ids. The new owners are put with their dogs.
let ada = Owner("Ada")
let rex = Dog("Rex", .large, born: 2019, owner: ada)
let bella = Dog("Bella", .small, born: 2022, owner: ada)
let fido = Dog("Fido", .medium, born: 2021, owner: Owner("Grace"))
try dogs.put([rex, bella, fido])
try walks.put([
  Walk("the beach", minutes: 50, dogs: [rex, fido]),
  Walk("the park", minutes: 20, dogs: [rex, bella]),
])

// Pass a structure with `&`, so that its id can be set.
var rabies = Vaccination(
  disease: "rabies",
  day: Date(timeIntervalSince1970: 1_700_000_000),
  dog: ToOne(rex)
)
try vaccinations.put(&rabies)
print("\(try dogs.count()) dogs of \(try owners.count()) owners went on \(try walks.count()) walks")

// The value of a unique property belongs to one object. A put that fails stores nothing.
do {
  try owners.put(Owner("Ada"))
} catch ObjectBoxError.uniqueViolation(let message) {
  print("Not stored: \(message)")
}

// MARK: Query

// The compiler checks conditions. A converted property is compared as it is stored. `link` adds
// conditions on the other end of a relation.
let small = try dogs.query { Dog.born > 2020 && Dog.size != "large" }
  .ordered(by: Dog.name)
  .build()
print("Born after 2020 and not large:", try small.find().map(\.name))
let withFido = try walks.query()
  .link(Walk.dogs) { Dog.name == "Fido" }
  .build()
print("Walks of Fido:", try withFido.find().map(\.place))
print("Average walk:", try walks.query().build().property(Walk.minutes).average(), "minutes")

// MARK: Follow relations

// A box returns a new copy at each call. Relations are read on first access.
if let dog = try dogs.get(rex.id) {
  print("\(dog.name) belongs to \(dog.owner.target?.name ?? "nobody")")
  print("\(dog.name) went to", dog.walks.map(\.place))
  for walk in dog.walks {
    print("  to \(walk.place) with", walk.dogs.map(\.name).filter { $0 != dog.name })
  }
}
if let vaccination = try vaccinations.get(rabies.id) {
  let day = vaccination.day.formatted(.iso8601.year().month().day())
  print("\(vaccination.dog.target?.name ?? "?") was vaccinated on \(day)")
}

// MARK: Edit

// Put an object again to store what changed. A transaction commits several puts together.
try store.runInTransaction {
  rex.name = "King Rex"
  fido.owner.target = ada
  try dogs.put([rex, fido])
}

// Change a to-many relation like an array; `applyToDb` writes the changes.
if let walk = try walks.query({ Walk.place == "the park" }).build().findUnique() {
  walk.dogs.removeAll { $0.name == "Bella" }
  walk.dogs.append(fido)
  try walk.dogs.applyToDb()
  print("In the park now:", walk.dogs.map(\.name))
}
for owner in try owners.all() {
  print("\(owner.name) has", owner.dogs.map(\.name))
}

// MARK: Remove

// Relations to a removed object become nil or lose it.
try dogs.remove(rex)
for walk in try walks.all() {
  print("Went to \(walk.place):", walk.dogs.map(\.name))
}
print("Vaccinated:", try vaccinations.get(rabies.id)?.dog.target?.name ?? "nobody")
