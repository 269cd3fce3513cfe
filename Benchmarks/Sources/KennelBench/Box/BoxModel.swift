import KennelBox

/// The classes of the workload as a program of ObjectBox declares them.
///
/// The id of a person is one more than in the workload: ids begin with 1.
enum Boxed {
  final class Dog: Entity {
    var id: Id = 0
    var name = ""
    var age = 0
    var breed: String?
    var owners: ToMany<Person> = nil
  }

  final class Person: Entity {
    var id: Id = 0
    var name = ""
    var birthdate = Date(timeIntervalSince1970: 0)
    var favourite: ToOne<Dog> = nil
    var dogs: ToMany<Dog> = nil
    var address: ToOne<Address> = nil
  }

  final class Address: Entity {
    var id: Id = 0
    var street = ""
    var city = ""
    var country = ""
    var postalCode = ""
  }
}

extension Boxed.Dog: EntityInspectable, __EntityRelatable {
  static let entityBinding = DogBinding()
  static let age = Property<Boxed.Dog, Int, Void>(2)
  static let name = Property<Boxed.Dog, String, Void>(1)
  static let breed = Property<Boxed.Dog, String?, Void>(3)
}

struct DogBinding: EntityBinding {
  typealias IdType = Id
  let entityInfo = EntityInfo(
    name: "Dog",
    properties: [
      .id("id"), .value("name", String.self), .value("age", Int.self),
      .value("breed", String?.self),
      .backlink("owners", Boxed.Person.self, through: "dogs"),
    ]
  )

  func id(of entity: Boxed.Dog) -> Id { entity.id }
  func setId(_ id: Id, of entity: inout Boxed.Dog) { entity.id = id }
  func write(_ entity: Boxed.Dog, to writer: inout EntityWriter) throws {
    try writer.write(entity.name, at: 1)
    try writer.write(entity.age, at: 2)
    try writer.write(entity.breed, at: 3)
  }
  func read(from reader: inout EntityReader) throws -> Boxed.Dog {
    let entity = Boxed.Dog()
    entity.id = reader.id
    entity.name = try reader.read(at: 1)
    entity.age = try reader.read(at: 2)
    entity.breed = try reader.read(at: 3)
    try reader.read(into: entity.owners, at: 4)
    return entity
  }
  func attach(_ entity: Boxed.Dog, to connector: RelationConnector) throws {
    try connector.attach(entity.owners, at: 4)
  }
}

extension Boxed.Person: EntityInspectable, __EntityRelatable {
  static let entityBinding = PersonBinding()
  static let favourite = Property<Boxed.Person, EntityId<Boxed.Dog>, Boxed.Dog>(3)
}

struct PersonBinding: EntityBinding {
  typealias IdType = Id
  let entityInfo = EntityInfo(
    name: "Person",
    properties: [
      .id("id"), .value("name", String.self), .value("birthdate", Date.self),
      .toOne("favourite", Boxed.Dog.self), .toMany("dogs", Boxed.Dog.self),
      .toOne("address", Boxed.Address.self),
    ]
  )

  func id(of entity: Boxed.Person) -> Id { entity.id }
  func setId(_ id: Id, of entity: inout Boxed.Person) { entity.id = id }
  func write(_ entity: Boxed.Person, to writer: inout EntityWriter) throws {
    try writer.write(entity.name, at: 1)
    try writer.write(entity.birthdate, at: 2)
    try writer.write(entity.favourite, at: 3)
    try writer.write(entity.address, at: 5)
  }
  func read(from reader: inout EntityReader) throws -> Boxed.Person {
    let entity = Boxed.Person()
    entity.id = reader.id
    entity.name = try reader.read(at: 1)
    entity.birthdate = try reader.read(at: 2)
    try reader.read(into: entity.favourite, at: 3)
    try reader.read(into: entity.dogs, at: 4)
    try reader.read(into: entity.address, at: 5)
    return entity
  }
  func attach(_ entity: Boxed.Person, to connector: RelationConnector) throws {
    try connector.attach(entity.favourite, at: 3)
    try connector.attach(entity.dogs, at: 4)
    try connector.attach(entity.address, at: 5)
  }
}

extension Boxed.Address: EntityInspectable, __EntityRelatable {
  static let entityBinding = AddressBinding()
}

struct AddressBinding: EntityBinding {
  typealias IdType = Id
  let entityInfo = EntityInfo(
    name: "Address",
    properties: [
      .id("id"), .value("street", String.self), .value("city", String.self),
      .value("country", String.self), .value("postalCode", String.self),
    ]
  )

  func id(of entity: Boxed.Address) -> Id { entity.id }
  func setId(_ id: Id, of entity: inout Boxed.Address) { entity.id = id }
  func write(_ entity: Boxed.Address, to writer: inout EntityWriter) throws {
    try writer.write(entity.street, at: 1)
    try writer.write(entity.city, at: 2)
    try writer.write(entity.country, at: 3)
    try writer.write(entity.postalCode, at: 4)
  }
  func read(from reader: inout EntityReader) throws -> Boxed.Address {
    let entity = Boxed.Address()
    entity.id = reader.id
    entity.street = try reader.read(at: 1)
    entity.city = try reader.read(at: 2)
    entity.country = try reader.read(at: 3)
    entity.postalCode = try reader.read(at: 4)
    return entity
  }
}
