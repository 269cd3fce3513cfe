import KennelCore

/// Any number of dogs and people; the same numbers give the same objects.
struct Workload {
  let dogCount: Int
  let personCount: Int
  private var bar = ProgressBar("Making")

  private static let breeds = [
    "Beagle", "Boxer", "Collie", "Corgi", "Husky", "Poodle", "Pug", "Whippet",
  ]
  private static let cities = [
    "London", "Leeds", "York", "Bath", "Derby", "Ely", "Hull", "Truro", "Wells", "Ripon",
  ]

  init(dogCount: Int, personCount: Int) {
    self.dogCount = dogCount
    self.personCount = personCount
  }

  /// The class keys, looked up once.
  private struct Keys {
    let dog: ClassKey
    let person: ClassKey
    let dogProperties: [PropertyKey]
    let personProperties: [PropertyKey]
    let addressProperties: [PropertyKey]

    init?(_ schema: Schema) {
      guard let dog = schema["Dog"], let person = schema["Person"], let address = schema["Address"]
      else { return nil }
      self.dog = dog.key
      self.person = person.key
      dogProperties = dog.properties.map(\.key)
      personProperties = person.properties.map(\.key)
      addressProperties = address.properties.map(\.key)
    }
  }

  static let classes = [
    ClassDefinition(
      "Dog",
      properties: [
        PropertyDefinition("name", .string),
        PropertyDefinition("age", .int),
        PropertyDefinition("breed", .string.optional),
      ]
    ),
    ClassDefinition(
      "Person",
      properties: [
        PropertyDefinition("id", .int, isPrimaryKey: true),
        PropertyDefinition("name", .string),
        PropertyDefinition("birthdate", .date),
        PropertyDefinition("favourite", .link("Dog")),
        PropertyDefinition("dogs", .list(.link("Dog"))),
        PropertyDefinition("address", .link("Address")),
      ]
    ),
    ClassDefinition(
      "Address",
      isEmbedded: true,
      properties: ["street", "city", "country", "postalCode"].map {
        PropertyDefinition($0, .string.optional)
      }
    ),
  ]

  /// Fills a database in two transactions: dogs, then people.
  mutating func fill(_ database: Database) throws {
    defer { bar.finish() }
    var dogs: [ObjectIdentity] = []
    dogs.reserveCapacity(dogCount)
    try database.write { transaction in
      try transaction.define(Self.classes)
      guard let keys = Keys(transaction.schema) else { return }
      for number in 0..<dogCount {
        dogs.append(try makeDog(number, keys, transaction))
        if number & 4095 == 0 { show(number) }
      }
    }
    try database.write { transaction in
      guard let keys = Keys(transaction.schema) else { return }
      for number in 0..<personCount {
        try makePerson(number, dogs, keys, transaction)
        if number & 1023 == 0 { show(dogCount + number * 5) }
      }
    }
  }

  /// A person takes about as long as five dogs.
  private mutating func show(_ done: Int) {
    bar.show(Double(done) / Double(max(dogCount + personCount * 5, 1)))
  }

  private func makeDog(
    _ number: Int,
    _ keys: Keys,
    _ transaction: WriteTransaction
  ) throws(DatabaseError) -> ObjectIdentity {
    let breed = number % 4 == 0 ? Value.null : .string(Self.breeds[number % Self.breeds.count])
    return try transaction.create(
      keys.dog,
      [
        keys.dogProperties[0]: .string("Dog \(number)"),
        keys.dogProperties[1]: .int(Int64(number % 20)),
        keys.dogProperties[2]: breed,
      ]
    )
  }

  private func makePerson(
    _ number: Int,
    _ dogs: [ObjectIdentity],
    _ keys: Keys,
    _ transaction: WriteTransaction
  ) throws(DatabaseError) {
    var address = NewObject()
    let texts = [
      "Street \(number)", Self.cities[number % Self.cities.count], "GB", "PC\(number)",
    ]
    for (property, text) in zip(keys.addressProperties, texts) {
      address.set(property, to: .string(text))
    }
    var person = NewObject()
    person.set(keys.personProperties[0], to: .int(Int64(number)))
    person.set(keys.personProperties[1], to: .string("Person \(number)"))
    person.set(keys.personProperties[2], to: .date(Timestamp(seconds: Int64(number))))
    if !dogs.isEmpty {
      person.set(keys.personProperties[3], to: .link(dogs[number * 7919 % dogs.count]))
      let links = (0..<5).map { Value.link(dogs[(number * 5 + $0) % dogs.count]) }
      person.set(keys.personProperties[4], to: .list(links))
    }
    person.embed(address, in: keys.personProperties[5], at: .value)
    _ = try transaction.create(person, of: keys.person, in: transaction)
  }
}
