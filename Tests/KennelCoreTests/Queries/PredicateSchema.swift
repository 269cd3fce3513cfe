import KennelCore

/// Classes with every type of property, for reading predicates without a database.
enum PredicateSchema {
  static let person = ClassKey(rawValue: 0)
  static let dog = ClassKey(rawValue: 1)
  static let club = ClassKey(rawValue: 2)

  static let schema = Schema(classes: [
    makeClass(
      person,
      "Person",
      [
        ("name", .string), ("age", .int), ("isGood", .bool), ("height", .double.optional),
        ("weight", .float), ("born", .date), ("id", .uuid), ("mark", .objectId),
        ("price", .decimal128), ("photo", .data), ("anything", .mixed), ("dog", .link("Dog")),
        ("dogs", .list(.link("Dog"))), ("tags", .list(.string)), ("scores", .set(.int)),
        ("marks", .map(.int)), ("in", .string.optional), ("first name", .string),
        ("spouse", .link("Person")), ("friends", .map(.link("Person"))),
      ],
      [BacklinkSchema(name: "clubs", origin: club, property: PropertyKey(rawValue: 1))]
    ),
    makeClass(
      dog,
      "Dog",
      [("name", .string), ("breed", .string.optional), ("age", .int), ("days", .list(.date))],
      [BacklinkSchema(name: "owners", origin: person, property: PropertyKey(rawValue: 12))]
    ),
    makeClass(club, "Club", [("name", .string), ("members", .list(.link("Person")))], []),
  ])

  private static func makeClass(
    _ key: ClassKey,
    _ name: String,
    _ properties: [(String, PropertyType)],
    _ backlinks: [BacklinkSchema]
  ) -> ClassSchema {
    let classes = ["Person": person, "Dog": dog, "Club": club]
    return ClassSchema(
      key: key,
      name: name,
      isEmbedded: false,
      properties: properties.enumerated().map { slot, property in
        PropertySchema(
          key: PropertyKey(rawValue: UInt16(slot)),
          name: property.0,
          type: property.1,
          target: property.1.target.flatMap { classes[$0] },
          defaultValue: .null,
          fillValue: .null
        )
      },
      backlinks: backlinks,
      backlinkColumns: [],
      nextColumn: UInt16(properties.count)
    )
  }

  static func parse(
    _ text: String,
    _ arguments: [Value] = [],
    _ variables: [String: Value] = [:]
  ) throws(PredicateError) -> Predicate {
    try Predicate.parse(
      text,
      for: person,
      in: schema,
      arguments: arguments,
      variables: variables
    )
  }
}
