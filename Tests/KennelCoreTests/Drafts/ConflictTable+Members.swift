import KennelCore

extension ConflictRow {
  static let entries: [ConflictRow] = [
    ConflictRow(
      "put a color into the set",
      "colors",
      gives: "{blue mine red}",
      base: "null",
      mine: "mine",
      [.members: .gives("{blue mine theirs}"), .sameValues: .gives("{mine}")]
    ) { world, draft, colors in
      try draft.insertMember(.string("mine"), of: world.ada, property: colors)
    },
    ConflictRow(
      "put a friend into the set",
      "friends",
      gives: "{rex max bello}",
      base: "null",
      mine: "bello",
      [
        .members: .gives("{rex bello stranger}"), .linked: .gives("{rex bello}"),
        .target: .conflict(
          .targetDeleted,
          "null",
          "bello",
          "null",
          keeping: nil,
          taking: "{rex max}"
        ),
      ]
    ) { world, draft, friends in
      try draft.insertMember(world.link("bello"), of: world.ada, property: friends)
    },
    ConflictRow(
      "take a friend out of the set",
      "friends",
      gives: "{rex}",
      base: "null",
      mine: "null",
      [.members: .gives("{rex stranger}")]
    ) { world, draft, friends in
      try draft.removeMember(world.link("max"), of: world.ada, property: friends)
    },
    ConflictRow(
      "add a note",
      "notes",
      gives: "{k: v, n: mine}",
      base: "null",
      mine: "mine",
      [
        .entry: .gives("{k: theirs, n: mine}"), .otherEntry: .gives("{k: v, n: mine, o: theirs}"),
        .sameValues: .gives("{k: mine, n: mine}"),
      ]
    ) { world, draft, notes in
      try draft.setEntry("n", to: .string("mine"), of: world.ada, property: notes)
    },
    ConflictRow(
      "change a note",
      "notes",
      gives: "{k: mine}",
      base: "v",
      mine: "mine",
      [
        .entry: .conflict(
          .valueChanged,
          "v",
          "mine",
          "theirs",
          keeping: "{k: mine}",
          taking: "{k: theirs}"
        ),
        .otherEntry: .gives("{k: mine, o: theirs}"),
      ]
    ) { world, draft, notes in
      try draft.setEntry("k", to: .string("mine"), of: world.ada, property: notes)
    },
    ConflictRow(
      "remove a note",
      "notes",
      gives: "{}",
      base: "v",
      mine: "null",
      [
        .entry: .conflict(
          .valueChanged,
          "v",
          "null",
          "theirs",
          keeping: "{}",
          taking: "{k: theirs}"
        ),
        .otherEntry: .gives("{o: theirs}"),
        .sameValues: .conflict(
          .valueChanged,
          "v",
          "null",
          "mine",
          keeping: "{}",
          taking: "{k: mine}"
        ),
      ]
    ) { world, draft, notes in try draft.setEntry("k", to: nil, of: world.ada, property: notes) },
  ]

  /// What Ada takes with her is more after these.
  private static let takesMore: [ForeignChange: Outcome] = [
    .grown: .asks("gone"), .values: .asks("gone"), .front: .asks("gone"), .first: .asks("gone"),
    .middle: .asks("gone"), .last: .asks("gone"), .end: .asks("gone"), .entry: .asks("gone"),
    .otherEntry: .asks("gone"), .guided: .asks("gone"),
  ]

  /// Another commit made a rule that prevents the deletion.
  private static let isDenied = Outcome.conflict(
    .deletionDenied,
    "null",
    "null",
    "null",
    keeping: nil,
    taking: "here"
  )

  private static let takesMoreOrNothing = takesMore.merging(
    [.denied: isDenied, .needed: isDenied]
  ) { $1 }

  static let deletions: [ConflictRow] = [
    ConflictRow(
      "delete a dog",
      "max",
      gives: "gone",
      [.grown: .asks("gone"), .guided: .asks("gone"), .needed: isDenied]
    ) { world, draft in
      try draft.delete([world.dog("max")])
      return nil
    },
    ConflictRow(
      "delete Ada and what her links cascade to",
      "pet",
      gives: "gone",
      takesMoreOrNothing
    ) { world, draft in
      try draft.delete([world.ada])
      return nil
    },
    ConflictRow(
      "delete Ada and what she alone holds",
      "toy",
      gives: "gone",
      takesMoreOrNothing
    ) { world, draft in
      try draft.delete([world.ada])
      return nil
    },
    ConflictRow(
      "delete Ada and her debt",
      "ada",
      gives: "gone",
      takesMore.merging([.needed: isDenied]) { $1 }
    ) { world, draft in
      try draft.delete([world.ada, world.dog("debt")])
      return nil
    },
    ConflictRow(
      "unlink what Ada alone holds",
      "toy",
      gives: "gone",
      [
        .grown: .asks("gone"), .guided: .asks("gone"),
        .needed: .conflict(
          .deletionDenied,
          "toy",
          "null",
          "null",
          keeping: nil,
          taking: "here"
        ),
        .object: .conflict(
          .objectDeleted,
          "toy",
          "null",
          "null",
          keeping: nil,
          taking: "gone"
        ),
      ]
    ) { world, draft in
      try draft.set(world.ada, property: world.person("toy"), to: .null)
      return nil
    },
    ConflictRow(
      "delete an embedded object",
      "ada.home",
      gives: "null",
      [.values: .gives("theirs"), .object: .gives("gone")]
    ) { world, draft in
      try draft.delete([world.home("main")])
      return nil
    },
  ]
}
