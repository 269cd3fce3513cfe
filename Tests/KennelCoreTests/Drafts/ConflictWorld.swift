// swift-format-ignore-file: NeverForceUnwrap
// A property that the table names and the classes do not have should stop the test.

import KennelCore

/// What one row of the table of conflicts works on: a person with every kind of property, and who
/// she knows.
///
/// Many of them stand side by side in one database.
struct ConflictWorld {
  /// The classes.
  ///
  /// Links of `pet`, `toy` and `debt` have the other delete rules, those of `guides` and `needs` the other
  /// target rules.
  static let classes: [ClassDefinition] = [
    ClassDefinition(
      "Dog",
      properties: [
        PropertyDefinition("name", .string), PropertyDefinition("breed", .string.optional),
      ]
    ),
    ClassDefinition(
      "Home",
      isEmbedded: true,
      properties: [PropertyDefinition("street", .string.optional)]
    ),
    ClassDefinition(
      "Person",
      properties: [
        PropertyDefinition("id", .int, isPrimaryKey: true),
        PropertyDefinition("name", .string), PropertyDefinition("age", .int),
        PropertyDefinition("best", .link("Dog")), PropertyDefinition("dogs", .list(.link("Dog"))),
        PropertyDefinition("tags", .list(.string)),
        PropertyDefinition("friends", .set(.link("Dog"))),
        PropertyDefinition("colors", .set(.string)), PropertyDefinition("notes", .map(.string)),
        PropertyDefinition("any", .mixed), PropertyDefinition("home", .link("Home")),
        PropertyDefinition("rooms", .list(.link("Home"))),
        PropertyDefinition("places", .map(.link("Home").optional)),
        PropertyDefinition("pet", .link("Dog"), deleteRule: .cascade),
        PropertyDefinition("toy", .link("Dog"), deleteRule: .cascadeIfLast),
        PropertyDefinition("debt", .link("Dog"), deleteRule: .deny),
        PropertyDefinition("guides", .list(.link("Dog")), targetRule: .cascade),
        PropertyDefinition("needs", .set(.link("Dog")), targetRule: .deny),
      ]
    ),
  ]

  let ada: ObjectIdentity
  let eve: ObjectIdentity
  /// A primary key that nobody has.
  let freeKey: Int64
  private let dogs: [String: ObjectIdentity]
  private let keys: [String: PropertyKey]
  private let homes: [ObjectIdentity: String]

  /// Makes the number-th world.
  init(_ number: Int, in transaction: WriteTransaction) throws {
    var keys: [String: PropertyKey] = [:]
    for schema in transaction.schema.classes {
      for property in schema.properties { keys["\(schema.name).\(property.name)"] = property.key }
    }
    self.keys = keys
    func key(_ name: String) -> PropertyKey { keys["Person.\(name)"]! }
    let schema = transaction.schema
    freeKey = 1000 + Int64(number) * 10
    var dogs: [String: ObjectIdentity] = [:]
    for name in ["rex", "max", "fido", "bello", "pet", "toy", "debt", "stranger"] {
      dogs[name] = try transaction.create(
        schema["Dog"]!.key,
        [keys["Dog.name"]!: .string(name)]
      )
    }
    self.dogs = dogs
    func links(_ names: String...) -> [Value] { names.map { .link(dogs[$0]!) } }
    ada = try transaction.create(
      schema["Person"]!.key,
      [
        key("id"): .int(freeKey + 1), key("name"): .string("Ada"), key("age"): .int(30),
        key("best"): .link(dogs["rex"]!), key("dogs"): .list(links("rex", "max", "fido")),
        key("tags"): .list(["a", "b", "c"].map(Value.string)),
        key("friends"): .set(links("rex", "max")),
        key("colors"): .set([.string("blue"), .string("red")]),
        key("notes"): .map([MapEntry("k", .string("v"))]), key("any"): .int(1),
        key("pet"): .link(dogs["pet"]!), key("toy"): .link(dogs["toy"]!),
      ]
    )
    eve = try transaction.create(
      schema["Person"]!.key,
      [key("id"): .int(freeKey + 2), key("name"): .string("Eve")]
    )
    var homes: [ObjectIdentity: String] = [:]
    let slots = [
      ("main", Slot(ada, key("home"))), ("r1", Slot(ada, key("rooms"), .index(0))),
      ("r2", Slot(ada, key("rooms"), .index(1))), ("r3", Slot(ada, key("rooms"), .index(2))),
      ("office", Slot(ada, key("places"), .key("work"))),
    ]
    for (street, slot) in slots {
      let home = try transaction.createEmbedded(at: slot)
      try transaction.set(home, property: keys["Home.street"]!, to: .string(street))
      homes[home] = street
    }
    self.homes = homes
  }

  func dog(_ name: String) -> ObjectIdentity { dogs[name]! }
  func link(_ name: String) -> Value { .link(dogs[name]!) }
  func links(_ names: String...) -> [Value] { names.map(link) }
  func home(_ street: String) -> ObjectIdentity { homes.first { $0.value == street }!.key }
  func person(_ property: String) -> PropertyKey { keys["Person.\(property)"]! }
  var dogName: PropertyKey { keys["Dog.name"]! }
  var street: PropertyKey { keys["Home.street"]! }
  func slot(_ property: String, _ position: Slot.Position = .value) -> Slot {
    Slot(ada, person(property), position)
  }

  /// A value as a person reads it: links by the name of the dog or the street of the home.
  func show(_ value: Value, _ snapshot: DatabaseReader) -> String {
    switch value {
    case .null: return "null"
    case .string(let text): return text
    case .int(let number): return "\(number - (number >= freeKey ? freeKey : 0))"
    case .link(let object): return show(object, snapshot)
    case .list(let values):
      return "[" + values.map { show($0, snapshot) }.joined(separator: " ") + "]"
    case .set(let values):
      return "{" + values.map { show($0, snapshot) }.joined(separator: " ") + "}"
    case .map(let entries):
      return "{" + entries.map { "\($0.key): \(show($0.value, snapshot))" }.joined(separator: ", ")
        + "}"
    default: return "\(value)"
    }
  }

  private func show(_ object: ObjectIdentity, _ snapshot: DatabaseReader) -> String {
    if let name = dogs.first(where: { $0.value == object })?.key ?? homes[object] { return name }
    let name = snapshot.schema[object.classKey]?.properties
      .first { $0.type == .string || $0.type == .string.optional }
    guard let name, let value = try? snapshot.value(of: object, property: name.key) else {
      return object.key.isProvisional ? "new" : "?"
    }
    return value.isNull ? "new" : show(value, snapshot)
  }

  /// A property of Ada, or of an object that the operation made; "gone" where there is none.
  func show(
    _ property: String,
    of object: ObjectIdentity?,
    _ snapshot: DatabaseReader
  ) throws -> String {
    let parts = property.split(separator: ".").map(String.init)
    let subject: ObjectIdentity? =
      switch parts[0] {
      case "ada": ada
      case "eve": eve
      case "new": object
      default: dogs[parts[0]]
      }
    guard let subject, try snapshot.contains(subject) else { return "gone" }
    guard parts.count > 1 else { return "here" }
    let name = subject.classKey == ada.classKey ? "Person.\(parts[1])" : "Dog.\(parts[1])"
    return show(try snapshot.value(of: subject, property: keys[name]!), snapshot)
  }
}
