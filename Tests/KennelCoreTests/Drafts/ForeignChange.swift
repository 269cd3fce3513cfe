// swift-format-ignore-file: NeverForceUnwrap
// A property that the table names and the classes do not have should stop the test.

import KennelCore

/// What another commit does while a draft lies open.
enum ForeignChange: String, CaseIterable, Sendable {
  case nothing = "a dog that nobody knows gets a breed"
  case otherProperties = "Ada gets older"
  case values = "Ada's name, best, any, home and primary key change"
  case sameValues = "Ada gets the values that the draft gives her"
  case front = "lists get an element in front"
  case first = "the first elements of lists change"
  case middle = "the middle elements of lists change"
  case last = "the last elements of lists change"
  case middleGone = "the middle elements of lists go"
  case end = "elements are appended to lists"
  case members = "sets get and lose members"
  case entry = "the entries of maps change"
  case otherEntry = "other entries come into maps"
  case object = "Ada is deleted"
  case target = "the dog that the draft links to is deleted"
  case linked = "a dog that is linked to is deleted"
  case primaryKey = "somebody else gets the primary key"
  case grown = "Eve links to what the draft deletes"
  case denied = "what the draft deletes owes a debt"
  case guided = "Eve goes with what the draft deletes"
  case needed = "Eve needs what the draft deletes"
  case defaults = "properties get other defaults"
  case renamed = "a property is renamed"

  func apply(_ world: ConflictWorld, in transaction: WriteTransaction) throws {
    func set(_ property: String, _ value: Value) throws {
      try transaction.set(world.ada, property: world.person(property), to: value)
    }
    func replace(_ index: Int) throws {
      try transaction.replace(
        at: index,
        with: world.link("stranger"),
        of: world.ada,
        property: world.person("dogs")
      )
      try transaction.replace(
        at: index,
        with: .string("x"),
        of: world.ada,
        property: world.person("tags")
      )
      try transaction.removeElement(at: index, of: world.ada, property: world.person("rooms"))
      try room(at: index)
    }
    func insert(at index: Int) throws {
      try transaction.insert(
        world.link("stranger"),
        at: index,
        of: world.ada,
        property: world.person("dogs")
      )
      try transaction.insert(.string("x"), at: index, of: world.ada, property: world.person("tags"))
      try room(at: index)
    }
    func room(at index: Int) throws {
      try named(try transaction.createEmbedded(at: world.slot("rooms", .index(index))))
    }
    func named(_ home: ObjectIdentity) throws {
      try transaction.set(home, property: world.street, to: .string("theirs"))
    }
    switch self {
    case .nothing, .defaults, .renamed:
      let breed = transaction.schema["Dog"]!["breed"]!.key
      try transaction.set(world.dog("stranger"), property: breed, to: .string("Pug"))
    case .otherProperties: try set("age", .int(31))
    case .values:
      try set("name", .string("Theirs"))
      try set("best", world.link("stranger"))
      try set("any", .string("theirs"))
      try set("id", .int(world.freeKey + 5))
      try named(try transaction.createEmbedded(at: world.slot("home")))
    case .sameValues:
      try set("name", .string("Mine"))
      try set("best", world.link("bello"))
      try set("any", world.link("bello"))
      try set("id", .int(world.freeKey))
      try set("home", .null)
      try set("dogs", .list(world.links("max", "bello")))
      try set("tags", .list([.string("mine")]))
      try set("colors", .set([.string("mine")]))
      try set("notes", .map([MapEntry("k", .string("mine"))]))
    case .front: try insert(at: 0)
    case .first: try replace(0)
    case .middle: try replace(1)
    case .last: try replace(2)
    case .middleGone:
      for name in ["dogs", "tags", "rooms"] {
        try transaction.removeElement(at: 1, of: world.ada, property: world.person(name))
      }
    case .end: try insert(at: 3)
    case .members:
      try set("friends", .set(world.links("rex", "stranger")))
      try set("colors", .set([.string("blue"), .string("theirs")]))
    case .entry:
      try transaction.setEntry(
        "k",
        to: .string("theirs"),
        of: world.ada,
        property: world.person("notes")
      )
      try named(try transaction.createEmbedded(at: world.slot("places", .key("work"))))
    case .otherEntry:
      try transaction.setEntry(
        "o",
        to: .string("theirs"),
        of: world.ada,
        property: world.person("notes")
      )
      try named(try transaction.createEmbedded(at: world.slot("places", .key("other"))))
    case .object: try transaction.delete([world.ada])
    case .target: try transaction.delete([world.dog("bello")])
    case .linked: try transaction.delete([world.dog("max")])
    case .primaryKey:
      try transaction.set(world.eve, property: world.person("id"), to: .int(world.freeKey))
    case .grown:
      for (property, dog) in [("best", "max"), ("dogs", "pet"), ("friends", "toy")] {
        let link = world.link(dog)
        let key = world.person(property)
        let value: Value =
          property == "best" ? link : property == "dogs" ? .list([link]) : .set([link])
        try transaction.set(world.eve, property: key, to: value)
      }
    case .denied:
      try set("debt", world.link("debt"))
    case .guided:
      let guides = Value.list(world.links("max", "pet", "toy"))
      try transaction.set(world.eve, property: world.person("guides"), to: guides)
    case .needed:
      let needs = Value.set(world.links("max", "pet", "toy"))
      try transaction.set(world.eve, property: world.person("needs"), to: needs)
    }
  }

  /// What the change does to the schema.
  func define(in transaction: WriteTransaction) throws {
    switch self {
    case .defaults:
      var classes = ConflictWorld.classes
      classes[0].properties[1].defaultValue = .string("Mutt")
      classes[2].properties[2].defaultValue = .int(18)
      try transaction.define(classes)
    case .renamed:
      try transaction.define(
        [],
        migration: [.renameProperty(className: "Person", from: "name", to: "title")]
      )
    default: break
    }
  }
}
