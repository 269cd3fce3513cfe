import KennelCore

extension ConflictRow {
  private static func changed(
    _ base: String,
    _ mine: String,
    _ theirs: String,
    keeping: String?,
    taking: String
  ) -> Outcome {
    .conflict(.listChanged, base, mine, theirs, keeping: keeping, taking: taking)
  }

  static let positions = insertions + replacements + removals + moves

  private static let insertions: [ConflictRow] = [
    ConflictRow(
      "append a dog",
      "dogs",
      gives: "[rex max fido bello]",
      base: "null",
      mine: "bello",
      [
        .front: .gives("[stranger rex max fido bello]"),
        .first: .gives("[stranger max fido bello]"),
        .middle: .gives("[rex stranger fido bello]"),
        .last: .gives("[rex max stranger bello]"),
        .middleGone: .gives("[rex fido bello]"), .linked: .gives("[rex fido bello]"),
        .end: .gives("[rex max fido stranger bello]"), .sameValues: .gives("[max bello bello]"),
        .target: .conflict(
          .targetDeleted,
          "null",
          "bello",
          "null",
          keeping: nil,
          taking: "[rex max fido]"
        ),
      ]
    ) { world, draft, dogs in
      try draft.insert(world.link("bello"), at: 3, of: world.ada, property: dogs)
    },
    ConflictRow(
      "append a tag",
      "tags",
      gives: "[a b c mine]",
      base: "null",
      mine: "mine",
      [
        .front: .gives("[x a b c mine]"), .first: .gives("[x b c mine]"),
        .middle: .gives("[a x c mine]"), .last: .gives("[a b x mine]"),
        .middleGone: .gives("[a c mine]"), .end: .gives("[a b c x mine]"),
        .sameValues: .gives("[mine mine]"),
      ]
    ) { world, draft, tags in
      try draft.insert(.string("mine"), at: 3, of: world.ada, property: tags)
    },
    ConflictRow(
      "insert a dog in the middle",
      "dogs",
      gives: "[rex bello max fido]",
      base: "max",
      mine: "bello",
      [
        .front: .gives("[stranger rex bello max fido]"),
        .first: changed(
          "max",
          "bello",
          "max",
          keeping: "[stranger bello max fido]",
          taking: "[stranger max fido]"
        ),
        .middle: changed(
          "max",
          "bello",
          "stranger",
          keeping: "[rex bello stranger fido]",
          taking: "[rex stranger fido]"
        ),
        .last: .gives("[rex bello max stranger]"),
        .middleGone: changed(
          "max",
          "bello",
          "fido",
          keeping: "[rex bello fido]",
          taking: "[rex fido]"
        ),
        .linked: changed(
          "max",
          "bello",
          "fido",
          keeping: "[rex bello fido]",
          taking: "[rex fido]"
        ),
        .end: .gives("[rex bello max fido stranger]"),
        .sameValues: changed(
          "max",
          "bello",
          "bello",
          keeping: "[bello max bello]",
          taking: "[max bello]"
        ),
        .target: .conflict(
          .targetDeleted,
          "max",
          "bello",
          "null",
          keeping: nil,
          taking: "[rex max fido]"
        ),
      ]
    ) { world, draft, dogs in
      try draft.insert(world.link("bello"), at: 1, of: world.ada, property: dogs)
    },
    ConflictRow(
      "insert a tag in the middle",
      "tags",
      gives: "[a mine b c]",
      base: "b",
      mine: "mine",
      [
        .front: .gives("[x a mine b c]"),
        .first: changed("b", "mine", "b", keeping: "[x mine b c]", taking: "[x b c]"),
        .middle: changed("b", "mine", "x", keeping: "[a mine x c]", taking: "[a x c]"),
        .last: .gives("[a mine b x]"),
        .middleGone: changed("b", "mine", "c", keeping: "[a mine c]", taking: "[a c]"),
        .end: .gives("[a mine b c x]"),
        .sameValues: changed("b", "mine", "null", keeping: "[mine mine]", taking: "[mine]"),
      ]
    ) { world, draft, tags in
      try draft.insert(.string("mine"), at: 1, of: world.ada, property: tags)
    },
  ]

  private static let replacements: [ConflictRow] = [
    ConflictRow(
      "replace a dog",
      "dogs",
      gives: "[rex bello fido]",
      base: "max",
      mine: "bello",
      [
        .front: .gives("[stranger rex bello fido]"),
        .first: changed(
          "max",
          "bello",
          "max",
          keeping: "[stranger bello fido]",
          taking: "[stranger max fido]"
        ),
        .middle: changed(
          "max",
          "bello",
          "stranger",
          keeping: "[rex bello fido]",
          taking: "[rex stranger fido]"
        ),
        .last: changed(
          "max",
          "bello",
          "max",
          keeping: "[rex bello stranger]",
          taking: "[rex max stranger]"
        ),
        .middleGone: changed("max", "bello", "null", keeping: nil, taking: "[rex fido]"),
        .linked: changed("max", "bello", "null", keeping: nil, taking: "[rex fido]"),
        .end: .gives("[rex bello fido stranger]"),
        .sameValues: changed(
          "max",
          "bello",
          "max",
          keeping: "[bello bello]",
          taking: "[max bello]"
        ),
        .target: .conflict(
          .targetDeleted,
          "max",
          "bello",
          "null",
          keeping: nil,
          taking: "[rex max fido]"
        ),
      ]
    ) { world, draft, dogs in
      try draft.replace(at: 1, with: world.link("bello"), of: world.ada, property: dogs)
    },
    ConflictRow(
      "replace a tag",
      "tags",
      gives: "[a mine c]",
      base: "b",
      mine: "mine",
      [
        .front: .gives("[x a mine c]"),
        .first: changed("b", "mine", "b", keeping: "[x mine c]", taking: "[x b c]"),
        .middle: changed("b", "mine", "x", keeping: "[a mine c]", taking: "[a x c]"),
        .last: changed("b", "mine", "b", keeping: "[a mine x]", taking: "[a b x]"),
        .middleGone: changed("b", "mine", "null", keeping: nil, taking: "[a c]"),
        .end: .gives("[a mine c x]"),
        .sameValues: changed("b", "mine", "null", keeping: nil, taking: "[mine]"),
      ]
    ) { world, draft, tags in
      try draft.replace(at: 1, with: .string("mine"), of: world.ada, property: tags)
    },
    ConflictRow(
      "replace a tag by what another commit replaces it with",
      "tags",
      gives: "[a x c]",
      base: "b",
      mine: "x",
      [
        .front: .gives("[x a x c]"),
        .first: changed("b", "x", "b", keeping: "[x x c]", taking: "[x b c]"),
        .middle: .gives("[a x c]"),
        .last: changed("b", "x", "b", keeping: "[a x x]", taking: "[a b x]"),
        .middleGone: changed("b", "x", "null", keeping: nil, taking: "[a c]"),
        .end: .gives("[a x c x]"),
        .sameValues: changed("b", "x", "null", keeping: nil, taking: "[mine]"),
      ]
    ) { world, draft, tags in
      try draft.replace(at: 1, with: .string("x"), of: world.ada, property: tags)
    },
  ]

  private static let removals: [ConflictRow] = [
    ConflictRow(
      "remove a dog",
      "dogs",
      gives: "[rex fido]",
      base: "max",
      mine: "null",
      [
        .front: .gives("[stranger rex fido]"),
        .first: changed(
          "max",
          "null",
          "max",
          keeping: "[stranger fido]",
          taking: "[stranger max fido]"
        ),
        // What is gone already needs no removal.
        .middle: .gives("[rex stranger fido]"),
        .last: changed(
          "max",
          "null",
          "max",
          keeping: "[rex stranger]",
          taking: "[rex max stranger]"
        ),
        .end: .gives("[rex fido stranger]"),
        .sameValues: changed("max", "null", "max", keeping: "[bello]", taking: "[max bello]"),
      ]
    ) { world, draft, dogs in try draft.removeElement(at: 1, of: world.ada, property: dogs) },
    ConflictRow(
      "remove a tag",
      "tags",
      gives: "[a c]",
      base: "b",
      mine: "null",
      [
        .front: .gives("[x a c]"),
        .first: changed("b", "null", "b", keeping: "[x c]", taking: "[x b c]"),
        .middle: .gives("[a x c]"),
        .last: changed("b", "null", "b", keeping: "[a x]", taking: "[a b x]"),
        .end: .gives("[a c x]"), .sameValues: .gives("[mine]"),
      ]
    ) { world, draft, tags in try draft.removeElement(at: 1, of: world.ada, property: tags) },
    ConflictRow(
      "remove a room",
      "rooms",
      gives: "[r1 r3]",
      base: "r2",
      mine: "null",
      // A room stands in no second place, whatever its neighbours are.
      [
        .front: .gives("[theirs r1 r3]"), .first: .gives("[theirs r3]"),
        .middle: .gives("[r1 theirs r3]"), .last: .gives("[r1 theirs]"),
        .end: .gives("[r1 r3 theirs]"),
      ]
    ) { world, draft, rooms in try draft.removeElement(at: 1, of: world.ada, property: rooms) },
  ]

  private static let moves: [ConflictRow] = [
    ConflictRow(
      "move the first tag to the end",
      "tags",
      gives: "[b c a]",
      base: "a",
      mine: "a",
      [
        .front: changed("a", "a", "a", keeping: "[x b c a]", taking: "[x a b c]"),
        .first: changed("a", "a", "null", keeping: nil, taking: "[x b c]"),
        .middle: changed("a", "a", "a", keeping: "[x c a]", taking: "[a x c]"),
        .last: .gives("[b x a]"),
        .middleGone: changed("a", "a", "a", keeping: "[c a]", taking: "[a c]"),
        .end: .gives("[b c x a]"),
        .sameValues: changed("a", "a", "null", keeping: nil, taking: "[mine]"),
      ]
    ) { world, draft, tags in try draft.moveElement(from: 0, to: 2, of: world.ada, property: tags)
    },
    ConflictRow(
      "move the last dog to the front",
      "dogs",
      gives: "[fido rex max]",
      base: "fido",
      mine: "fido",
      [
        .front: changed(
          "fido",
          "fido",
          "fido",
          keeping: "[stranger fido rex max]",
          taking: "[stranger rex max fido]"
        ),
        .first: changed(
          "fido",
          "fido",
          "fido",
          keeping: "[fido stranger max]",
          taking: "[stranger max fido]"
        ),
        .middle: changed(
          "fido",
          "fido",
          "fido",
          keeping: "[fido rex stranger]",
          taking: "[rex stranger fido]"
        ),
        .last: changed("fido", "fido", "null", keeping: nil, taking: "[rex max stranger]"),
        .middleGone: changed(
          "fido",
          "fido",
          "fido",
          keeping: "[fido rex]",
          taking: "[rex fido]"
        ),
        .linked: changed("fido", "fido", "fido", keeping: "[fido rex]", taking: "[rex fido]"),
        .end: .gives("[fido rex max stranger]"),
        .sameValues: changed("fido", "fido", "null", keeping: nil, taking: "[max bello]"),
      ]
    ) { world, draft, dogs in try draft.moveElement(from: 2, to: 0, of: world.ada, property: dogs)
    },
    ConflictRow(
      "move the last room to the front",
      "rooms",
      gives: "[r3 r1 r2]",
      base: "r3",
      mine: "r3",
      [
        .front: changed(
          "r3",
          "r3",
          "r3",
          keeping: "[theirs r3 r1 r2]",
          taking: "[theirs r1 r2 r3]"
        ),
        .first: changed(
          "r3",
          "r3",
          "r3",
          keeping: "[r3 theirs r2]",
          taking: "[theirs r2 r3]"
        ),
        .middle: .gives("[r3 r1 theirs]"),
        .last: changed("r3", "r3", "null", keeping: nil, taking: "[r1 r2 theirs]"),
        .middleGone: .gives("[r3 r1]"), .end: .gives("[r3 r1 r2 theirs]"),
      ]
    ) { world, draft, rooms in try draft.moveElement(from: 2, to: 0, of: world.ada, property: rooms)
    },
  ]
}
