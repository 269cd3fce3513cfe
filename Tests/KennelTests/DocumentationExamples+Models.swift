import Kennel
import Testing

extension `The examples of the documentation` {
  @Test func `of models`() throws {
    let folder = try CheckedFolder()
    do {
      let path = folder.file("1.kennel")
      struct Dog: Model {
        let name = Property<String>()
        let age = Property<Int>()
      }
      let database = try Database.open(path, models: Dog.self)
      try database.write { db in _ = try db.create(Dog.self) { $0.name = "Rex" } }
      try #expect(database.snapshot().objects(Dog.self).count == 1)
    }
    do {
      let path = folder.file("2.kennel")
      struct Address: EmbeddedModel {
        let city = Property<String>()
      }
      struct Company: Model {
        let address = Property<Object<Address>?>()
      }
      let database = try Database.open(path, models: Company.self)
      try database.write { db in
        _ = try db.create(Company.self) { company in
          try company.create(\.address) { $0.city = "Ghent" }
        }
      }
      try #expect(database.snapshot().objects(Company.self).first?.address?.city == "Ghent")
    }
    do {
      struct Dog: Model { let name = Property<String>() }
      let path = folder.file("3.kennel")
      struct Person: Model {
        let name = Property<String>(.primaryKey)
        let mood = Property<Mood>(name: "feeling", default: .calm)
        let dogs = Property<[Object<Dog>]>(deleteRule: .cascade)
      }
      enum Mood: String, ScalarEnum { case calm, cross }
      let database = try Database.open(path, models: Person.self)
      try database.write { db in
        let ada = try db.create(Person.self) { $0.name = "Ada" }
        print(try ada.mood)
      }
    }
    do {
      let path = folder.file("4.kennel")
      struct Dog: Model {
        let name = Property<String>()
        let owners = Backlinks<Person>(of: \.dogs)
      }
      struct Person: Model {
        let name = Property<String>()
        let dogs = Property<[Object<Dog>]>()
      }
      let database = try Database.open(path, models: Dog.self, Person.self)
      for dog in try database.snapshot().objects(Dog.self) {
        for owner in try dog.owners { print(try owner.name) }
      }
    }
    let members: [ModelMember] = [Property<String>(.indexed), Backlinks<Person>(of: \.dogs)]
    print(members.count)
    let city = Property<String>(.indexed)
    print(city.options == .indexed)
  }

  @Test func `of types of values`() throws {
    let folder = try CheckedFolder()
    do {
      let path = folder.file("5.kennel")
      enum Mood: String, ScalarEnum { case calm, cross }
      struct Cat: Model {
        let mood = Property<Mood>(default: .calm)
        let moods = Property<[Mood]>()
      }
      let database = try Database.open(path, models: Cat.self)
      try database.write { db in try db.create(Cat.self) { $0.moods = [.calm, .cross] } }
      try #expect(database.snapshot().objects(Cat.self).first?.moods == [.calm, .cross])
    }
    do {
      let path = folder.file("6.kennel")
      struct Address: Document {
        var street = ""
        var city = ""
      }
      struct Company: Model {
        let address = Property<Address>()
        let branches = Property<[Address]>()
      }
      let database = try Database.open(path, models: Company.self)
      try database.write { db in
        let company = try db.create(Company.self) { $0.address = Address(city: "Ghent") }
        print(try company.address.city)
      }
      let companies = try database.snapshot().objects(Company.self)
      print(try companies.filter { $0.address["city", as: String.self] == "Ghent" }.count)
      print(try companies.filter("address.city == 'Ghent' OR branches.city == 'Ghent'").count)
      try #expect(companies.filter("address.city == 'Ghent'").count == 1)
      print(try companies.filter { $0.address["place"]["floor", as: Int.self] > 2 }.count)
      func isIn<V: DocumentStorable>(_ city: String, _ address: Operand<V>) -> Condition {
        address["city", as: String.self] == city
      }
      print(try companies.filter { isIn("Ghent", $0.address) }.count)
      try #expect(companies.filter { isIn("Ghent", $0.address) }.count == 1)
    }
    func type<W: OptionalElement>(of wrapped: W.Type) -> String { "\(W?.propertyType)" }
    print(type(of: Int.self), type(of: Object<Dog>.self))
    func names<E: CollectionElement>(of type: E.Type) -> String { "\(E.elementType)" }
    print(names(of: Int.self), names(of: String?.self))
  }
}
