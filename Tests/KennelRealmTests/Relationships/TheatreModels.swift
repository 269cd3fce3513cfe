// swift-format-ignore-file: NoLeadingUnderscores

import KennelRealm

// A theatre and its plays. Its classes have each shape of relationship that the documentation of Realm
// has, and the forms of declaration that programs use for them.

/// A primary key that an expression makes, and values with defaults.
class Play: Object {
  @Persisted(primaryKey: true) var _id = ObjectId()
  @Persisted var title = ""
  @Persisted var acts = 0
  @Persisted var language: String?
  /// Who has rehearsed the play.
  @Persisted(originProperty: "rehearsed") var player: LinkingObjects<Player>
}

/// A to-one and a to-many link to objects that live without it.
class Player: Object {
  @Persisted(primaryKey: true) var _id = ObjectId()
  @Persisted var name: String = ""
  @Persisted var joined: Date = Date(timeIntervalSince1970: 1)
  @Persisted var favourite: Play?
  @Persisted var rehearsed: List<Play>
}

/// A primary key that only its type names.
class Season: Object {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted var _house: String = ""
  @Persisted var evenings: List<Evening>
}

class Evening: Object {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted var _house: String = ""
  @Persisted(originProperty: "evenings") var season: LinkingObjects<Season>
}

/// A whole number as its primary key, an embedded object, and an initializer of its own.
class Stagehand: Object {
  @Persisted(primaryKey: true) var number = 0
  @Persisted var name = ""
  @Persisted var plays: List<Play>
  @Persisted(originProperty: "crew") var theatres: LinkingObjects<Theatre>
  @Persisted var locker: Locker?

  convenience init(name: String, locker: Locker) {
    self.init()
    self.name = name
    self.locker = locker
  }
}

/// No primary key, and a list of embedded objects.
class Theatre: Object {
  @Persisted var name = ""
  @Persisted var crew: List<Stagehand>
  @Persisted var publicLockers: List<Locker>

  convenience init(name: String, lockers: [Locker]) {
    self.init()
    self.name = name
    publicLockers.append(objectsIn: lockers)
  }
}

class Locker: EmbeddedObject {
  @Persisted var room: String?
  @Persisted var telephone: String?
}
