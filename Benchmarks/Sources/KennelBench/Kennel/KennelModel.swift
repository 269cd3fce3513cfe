import KennelCore

/// The classes of the workload, as a program defines them.
enum KennelModel {
  static let dog = ClassDefinition(
    "Dog",
    properties: [
      PropertyDefinition("name", .string),
      PropertyDefinition("age", .int),
      PropertyDefinition("breed", .string.optional),
    ]
  )

  static let person = ClassDefinition(
    "Person",
    properties: [
      PropertyDefinition("id", .int, isPrimaryKey: true),
      PropertyDefinition("name", .string),
      PropertyDefinition("birthdate", .date),
      PropertyDefinition("favourite", .link("Dog")),
      PropertyDefinition("dogs", .list(.link("Dog"))),
      PropertyDefinition("address", .link("Address")),
    ]
  )

  static let address = ClassDefinition(
    "Address",
    isEmbedded: true,
    properties: [
      PropertyDefinition("street", .string),
      PropertyDefinition("city", .string),
      PropertyDefinition("country", .string),
      PropertyDefinition("postalCode", .string),
    ]
  )
}

/// The properties of the workload with their Swift types.
struct KennelProperties {
  let dog: ClassKey
  let dogName: TypedProperty<String>
  let age: TypedProperty<Int64>
  let breed: TypedProperty<String?>
  let person: ClassKey
  let id: TypedProperty<Int64>
  let personName: TypedProperty<String>
  let birthdate: TypedProperty<Timestamp>
  let favourite: TypedProperty<ObjectIdentity?>
  let dogs: TypedProperty<[ObjectIdentity]>
  let address: TypedProperty<ObjectIdentity?>
  let street: TypedProperty<String>
  let city: TypedProperty<String>
  let country: TypedProperty<String>
  let postalCode: TypedProperty<String>

  /// Looks the properties up.
  init(_ schema: Schema) throws(DatabaseError) {
    dogName = try schema.property("name", of: "Dog")
    dog = dogName.classKey
    age = try schema.property("age", of: "Dog")
    breed = try schema.property("breed", of: "Dog")
    id = try schema.property("id", of: "Person")
    person = id.classKey
    personName = try schema.property("name", of: "Person")
    birthdate = try schema.property("birthdate", of: "Person")
    favourite = try schema.property("favourite", of: "Person")
    dogs = try schema.property("dogs", of: "Person")
    address = try schema.property("address", of: "Person")
    street = try schema.property("street", of: "Address")
    city = try schema.property("city", of: "Address")
    country = try schema.property("country", of: "Address")
    postalCode = try schema.property("postalCode", of: "Address")
  }
}
