import KennelCore

/// One row of the table: an operation of a draft, and what becomes of it when another commit
/// comes in between.
struct ConflictRow: Sendable {
  /// What a foreign change makes of the operation.
  enum Outcome: Sendable {
    /// Nothing is in the way; what is looked at is then this.
    case gives(String)
    /// The deletion takes more with it than was confirmed, so the commit asks again; then this.
    case asks(String)
    /// A conflict with its base, mine and theirs. What is looked at when a person keeps mine,
    /// `nil` where that cannot be, and when a person takes theirs.
    case conflict(
      Conflict.Kind,
      _ base: String,
      _ mine: String,
      _ theirs: String,
      keeping: String?,
      taking: String
    )
  }

  /// What the draft does.
  let name: String
  /// What is looked at: a property of Ada, of a dog, or of the object that the draft made.
  let looksAt: String
  /// What it is after the operation, whatever other commits did that is not in `changes`.
  let gives: String
  let changes: [ForeignChange: Outcome]
  let perform: @Sendable (ConflictWorld, Draft) throws -> ObjectIdentity?

  init(
    _ name: String,
    _ looksAt: String,
    gives: String,
    _ changes: [ForeignChange: Outcome] = [:],
    perform: @escaping @Sendable (ConflictWorld, Draft) throws -> ObjectIdentity?
  ) {
    self.name = name
    self.looksAt = looksAt
    self.gives = gives
    self.changes = changes
    self.perform = perform
  }

  /// An operation on a property of Ada, which conflicts when Ada is deleted.
  init(
    _ name: String,
    _ property: String,
    gives: String,
    base: String,
    mine: String,
    _ changes: [ForeignChange: Outcome] = [:],
    perform: @escaping @Sendable (ConflictWorld, Draft, PropertyKey) throws -> Void
  ) {
    var changes = changes
    changes[.object] =
      .conflict(.objectDeleted, base, mine, "null", keeping: nil, taking: "gone")
    self.init(name, "ada." + property, gives: gives, changes) { world, draft in
      try perform(world, draft, world.person(property))
      return nil
    }
  }

  static let all = creations + wholes + positions + entries + deletions
}

extension ConflictRow {
  static let creations: [ConflictRow] = [
    ConflictRow("make a dog", "new.name", gives: "Bo") { world, draft in
      try draft.create(world.dog("rex").classKey, [world.dogName: .string("Bo")])
    },
    ConflictRow(
      "make a dog with the default breed",
      "new.breed",
      gives: "null",
      [.defaults: .gives("Mutt")]
    ) { world, draft in
      try draft.create(world.dog("rex").classKey, [:])
    },
    ConflictRow(
      "make a person",
      "new.name",
      gives: "Bo",
      [
        .primaryKey:
          .conflict(.duplicatePrimaryKey, "null", "0", "Eve", keeping: nil, taking: "gone"),
        .sameValues:
          .conflict(.duplicatePrimaryKey, "null", "0", "Mine", keeping: nil, taking: "gone"),
      ]
    ) { world, draft in
      try draft.create(
        world.ada.classKey,
        [world.person("id"): .int(world.freeKey), world.person("name"): .string("Bo")]
      )
    },
    ConflictRow(
      "make a person with links",
      "new.dogs",
      gives: "[bello bello]",
      [.target: .conflict(.targetDeleted, "null", "3", "null", keeping: nil, taking: "gone")]
    ) { world, draft in
      try draft.create(
        world.ada.classKey,
        [
          world.person("id"): .int(world.freeKey + 3), world.person("best"): world.link("bello"),
          world.person("dogs"): .list(world.links("bello", "bello")),
        ]
      )
    },
    ConflictRow(
      "make a new home",
      "home",
      gives: "new",
      base: "main",
      mine: "new",
      [
        .values:
          .conflict(.valueChanged, "main", "new", "theirs", keeping: "new", taking: "theirs"),
        .sameValues:
          .conflict(.valueChanged, "main", "new", "null", keeping: "new", taking: "null"),
      ]
    ) { world, draft, _ in try draft.createEmbedded(at: world.slot("home")) },
    ConflictRow(
      "make a room in the middle",
      "rooms",
      gives: "[r1 new r2 r3]",
      base: "r2",
      mine: "new",
      [
        .front: .gives("[theirs r1 new r2 r3]"),
        .first: .conflict(
          .listChanged,
          "r2",
          "new",
          "r2",
          keeping: "[theirs new r2 r3]",
          taking: "[theirs r2 r3]"
        ),
        .middle: .conflict(
          .listChanged,
          "r2",
          "new",
          "theirs",
          keeping: "[r1 new theirs r3]",
          taking: "[r1 theirs r3]"
        ),
        .last: .gives("[r1 new r2 theirs]"),
        .middleGone: .conflict(
          .listChanged,
          "r2",
          "new",
          "r3",
          keeping: "[r1 new r3]",
          taking: "[r1 r3]"
        ),
        .end: .gives("[r1 new r2 r3 theirs]"),
      ]
    ) { world, draft, _ in try draft.createEmbedded(at: world.slot("rooms", .index(1))) },
    ConflictRow(
      "make a room at the end",
      "rooms",
      gives: "[r1 r2 r3 new]",
      base: "null",
      mine: "new",
      [
        .front: .gives("[theirs r1 r2 r3 new]"), .first: .gives("[theirs r2 r3 new]"),
        .middle: .gives("[r1 theirs r3 new]"), .last: .gives("[r1 r2 theirs new]"),
        .middleGone: .gives("[r1 r3 new]"), .end: .gives("[r1 r2 r3 theirs new]"),
      ]
    ) { world, draft, _ in try draft.createEmbedded(at: world.slot("rooms", .index(3))) },
    ConflictRow(
      "make another place at work",
      "places",
      gives: "{work: new}",
      base: "office",
      mine: "new",
      [
        .entry: .conflict(
          .valueChanged,
          "office",
          "new",
          "theirs",
          keeping: "{work: new}",
          taking: "{work: theirs}"
        ),
        .otherEntry: .gives("{other: theirs, work: new}"),
      ]
    ) { world, draft, _ in try draft.createEmbedded(at: world.slot("places", .key("work"))) },
    ConflictRow(
      "make a place at home",
      "places",
      gives: "{home: new, work: office}",
      base: "null",
      mine: "new",
      [
        .entry: .gives("{home: new, work: theirs}"),
        .otherEntry: .gives("{home: new, other: theirs, work: office}"),
      ]
    ) { world, draft, _ in try draft.createEmbedded(at: world.slot("places", .key("home"))) },
  ]

  static let wholes: [ConflictRow] = [
    ConflictRow(
      "set the name",
      "name",
      gives: "Mine",
      base: "Ada",
      mine: "Mine",
      [
        .values: .conflict(
          .valueChanged,
          "Ada",
          "Mine",
          "Theirs",
          keeping: "Mine",
          taking: "Theirs"
        )
      ]
    ) { world, draft, name in try draft.set(world.ada, property: name, to: .string("Mine")) },
    ConflictRow(
      "set the best dog",
      "best",
      gives: "bello",
      base: "rex",
      mine: "bello",
      [
        .values: .conflict(
          .valueChanged,
          "rex",
          "bello",
          "stranger",
          keeping: "bello",
          taking: "stranger"
        ),
        .target: .conflict(.targetDeleted, "rex", "bello", "null", keeping: nil, taking: "rex"),
      ]
    ) { world, draft, best in try draft.set(world.ada, property: best, to: world.link("bello")) },
    ConflictRow(
      "set a mixed value to a link",
      "any",
      gives: "bello",
      base: "1",
      mine: "bello",
      [
        .values: .conflict(
          .valueChanged,
          "1",
          "bello",
          "theirs",
          keeping: "bello",
          taking: "theirs"
        ),
        .target: .conflict(.targetDeleted, "1", "bello", "null", keeping: nil, taking: "1"),
      ]
    ) { world, draft, any in try draft.set(world.ada, property: any, to: world.link("bello")) },
    ConflictRow(
      "set the whole list of dogs",
      "dogs",
      gives: "[max bello]",
      base: "[rex max fido]",
      mine: "[max bello]",
      listChanges(
        base: "[rex max fido]",
        mine: "[max bello]",
        theirs: [
          .front: "[stranger rex max fido]", .first: "[stranger max fido]",
          .middle: "[rex stranger fido]", .last: "[rex max stranger]", .middleGone: "[rex fido]",
          .end: "[rex max fido stranger]",
        ]
      ).merging([
        .target: .conflict(
          .targetDeleted,
          "[rex max fido]",
          "[max bello]",
          "null",
          keeping: nil,
          taking: "[rex max fido]"
        ),
        .linked: .conflict(
          .targetDeleted,
          "[rex max fido]",
          "[max bello]",
          "null",
          keeping: nil,
          taking: "[rex fido]"
        ),
      ]) { $1 }
    ) { world, draft, dogs in
      try draft.set(world.ada, property: dogs, to: .list(world.links("max", "bello")))
    },
    ConflictRow(
      "set the whole list of tags",
      "tags",
      gives: "[mine]",
      base: "[a b c]",
      mine: "[mine]",
      listChanges(
        base: "[a b c]",
        mine: "[mine]",
        theirs: [
          .front: "[x a b c]", .first: "[x b c]", .middle: "[a x c]", .last: "[a b x]",
          .middleGone: "[a c]", .end: "[a b c x]",
        ]
      )
    ) { world, draft, tags in try draft.set(world.ada, property: tags, to: .list([.string("mine")]))
    },
    ConflictRow(
      "set the whole set of colors",
      "colors",
      gives: "{mine}",
      base: "{blue red}",
      mine: "{mine}",
      listChanges(base: "{blue red}", mine: "{mine}", theirs: [.members: "{blue theirs}"])
    ) { world, draft, colors in
      try draft.set(world.ada, property: colors, to: .set([.string("mine")]))
    },
    ConflictRow(
      "set the whole set of friends",
      "friends",
      gives: "{max bello}",
      base: "{rex max}",
      mine: "{max bello}",
      [
        .members: .conflict(
          .valueChanged,
          "{rex max}",
          "{max bello}",
          "{rex stranger}",
          keeping: "{max bello}",
          taking: "{rex stranger}"
        ),
        .target: .conflict(
          .targetDeleted,
          "{rex max}",
          "{max bello}",
          "null",
          keeping: nil,
          taking: "{rex max}"
        ),
        .linked: .conflict(
          .targetDeleted,
          "{rex max}",
          "{max bello}",
          "null",
          keeping: nil,
          taking: "{rex}"
        ),
      ]
    ) { world, draft, friends in
      try draft.set(world.ada, property: friends, to: .set(world.links("bello", "max")))
    },
    ConflictRow(
      "set the whole map of notes",
      "notes",
      gives: "{k: mine}",
      base: "{k: v}",
      mine: "{k: mine}",
      listChanges(
        base: "{k: v}",
        mine: "{k: mine}",
        theirs: [.entry: "{k: theirs}", .otherEntry: "{k: v, o: theirs}"]
      )
    ) { world, draft, notes in
      try draft.set(world.ada, property: notes, to: .map([MapEntry("k", .string("mine"))]))
    },
    ConflictRow(
      "change the primary key",
      "id",
      gives: "0",
      base: "1",
      mine: "0",
      [
        .values: .conflict(.valueChanged, "1", "0", "5", keeping: "0", taking: "5"),
        .primaryKey: .conflict(.duplicatePrimaryKey, "1", "0", "Eve", keeping: nil, taking: "1"),
      ]
    ) { world, draft, id in try draft.set(world.ada, property: id, to: .int(world.freeKey)) },
    ConflictRow(
      "put the rooms in another order",
      "rooms",
      gives: "[r3 r1 r2]",
      base: "[r1 r2 r3]",
      mine: "[r3 r1 r2]",
      listChanges(
        base: "[r1 r2 r3]",
        mine: "[r3 r1 r2]",
        theirs: [.front: "[theirs r1 r2 r3]", .end: "[r1 r2 r3 theirs]"],
        // A room that is gone cannot be put anywhere.
        withoutMine: [
          .first: "[theirs r2 r3]", .middle: "[r1 theirs r3]", .last: "[r1 r2 theirs]",
          .middleGone: "[r1 r3]",
        ]
      )
    ) { world, draft, rooms in
      let order = ["r3", "r1", "r2"].map { Value.link(world.home($0)) }
      try draft.set(world.ada, property: rooms, to: .list(order))
    },
    ConflictRow(
      "clear the home",
      "home",
      gives: "null",
      base: "main",
      mine: "null",
      [
        .values: .conflict(
          .valueChanged,
          "main",
          "null",
          "theirs",
          keeping: "null",
          taking: "theirs"
        )
      ]
    ) { world, draft, home in try draft.set(world.ada, property: home, to: .null) },
  ]

  /// A whole value that another commit changed: mine on top, or theirs.
  private static func listChanges(
    base: String,
    mine: String,
    theirs: [ForeignChange: String],
    withoutMine: [ForeignChange: String] = [:]
  ) -> [ForeignChange: Outcome] {
    theirs.mapValues {
      .conflict(.valueChanged, base, mine, $0, keeping: mine, taking: $0)
    }.merging(
      withoutMine.mapValues {
        .conflict(.targetDeleted, base, mine, "null", keeping: nil, taking: $0)
      }
    ) { $1 }
  }
}
