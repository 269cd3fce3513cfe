// The entities. At each build the plugin KennelBoxModels reads them, generates the code that boxes
// need, and updates model.json, which identifies entities and properties when they are renamed.

import KennelBox

class Owner: Entity {
  var id: Id = 0
  // objectbox: unique
  var name = ""
  // A backlink: the dogs whose `owner` is this object.
  // objectbox: backlink = "owner"
  var dogs: ToMany<Dog> = nil

  required init() {}

  convenience init(_ name: String) {
    self.init()
    self.name = name
  }
}

class Dog: Entity {
  // `EntityId` keeps ids of different entities apart.
  var id: EntityId<Dog> = 0
  // objectbox: index
  var name = ""
  var born: Int = 0
  // An enum is stored as its raw value. The default replaces an unknown one.
  // objectbox: convert = { "default": ".medium" }
  var size: Size = .medium
  var owner: ToOne<Owner> = nil
  // objectbox: backlink = "dogs"
  var walks: ToMany<Walk> = nil

  required init() {}

  convenience init(_ name: String, _ size: Size, born: Int, owner: Owner) {
    self.init()
    self.name = name
    self.size = size
    self.born = born
    self.owner.target = owner
  }
}

enum Size: String {
  case small, medium, large
}

class Walk: Entity {
  var id: Id = 0
  var place = ""
  var minutes: Int32 = 0
  // A stored to-many relation: each dog is in it once.
  var dogs: ToMany<Dog> = nil

  required init() {}

  convenience init(_ place: String, minutes: Int32, dogs: [Dog]) {
    self.init()
    self.place = place
    self.minutes = minutes
    self.dogs.replace(dogs)
  }
}

// A structure can be an entity, too. The annotation replaces the protocol `Entity`.
// objectbox: entity
struct Vaccination {
  var id: Id = 0
  var disease: String
  var day: Date
  var dog: ToOne<Dog>
}
