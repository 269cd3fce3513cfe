import KennelCore
import KennelTestSupport
import Testing

@Suite struct `A schema` {
  /// A definition that contradicts itself, and the property that the refusal names.
  struct Refused: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let property: PropertyDefinition
    var isEmbedded = false

    init(_ what: String, _ property: PropertyDefinition, isEmbedded: Bool = false) {
      testDescription = what
      self.property = property
      self.isEmbedded = isEmbedded
    }
  }

  static let refused: [Refused] = [
    Refused(
      "a to-one link that is not optional",
      PropertyDefinition("p", PropertyType(.link, isOptional: false, target: "Dog"))
    ),
    Refused(
      "an embedded to-one that is not optional",
      PropertyDefinition("p", PropertyType(.link, isOptional: false, target: "Tag"))
    ),
    Refused("a set of embedded objects", PropertyDefinition("p", .set(.link("Tag")))),
    Refused("a link to nowhere", PropertyDefinition("p", .link("Cat"))),
    Refused("an int of 24 bits", PropertyDefinition("p", .int(bitWidth: 24))),
    Refused(
      "a primary key in an embedded class",
      PropertyDefinition("p", .int, isPrimaryKey: true),
      isEmbedded: true
    ),
    Refused("a double as primary key", PropertyDefinition("p", .double, isPrimaryKey: true)),
    Refused("a list as primary key", PropertyDefinition("p", .list(.int), isPrimaryKey: true)),
    Refused("an indexed list", PropertyDefinition("p", .list(.int), isIndexed: true)),
    Refused("an indexed link", PropertyDefinition("p", .link("Dog"), isIndexed: true)),
    Refused("a unique list", PropertyDefinition("p", .list(.int), isUnique: true)),
    Refused("a unique link", PropertyDefinition("p", .link("Dog"), isUnique: true)),
    Refused(
      "a unique property in an embedded class",
      PropertyDefinition("p", .int, isUnique: true),
      isEmbedded: true
    ),
    Refused("a rule for an int", PropertyDefinition("p", .int, deleteRule: .cascade)),
    Refused("a rule for embedded", PropertyDefinition("p", .link("Tag"), deleteRule: .deny)),
    Refused("a target rule for an int", PropertyDefinition("p", .int, targetRule: .deny)),
    Refused(
      "a target rule for embedded",
      PropertyDefinition("p", .link("Tag"), targetRule: .cascade)
    ),
    Refused("a default of another type", PropertyDefinition("p", .int, defaultValue: .bool(true))),
    Refused(
      "a default that does not fit",
      PropertyDefinition("p", .int(bitWidth: 8), defaultValue: .int(128))
    ),
    Refused("a name with a dot", PropertyDefinition("p.q", .int)),
    Refused("an empty name", PropertyDefinition("", .int)),
  ]

  @Test(arguments: refused)
  func `refuses what cannot be, naming class and property`(_ refused: Refused) throws {
    try withTemporaryDatabase { database in
      let transaction = try database.beginWrite()
      defer { transaction.rollback() }
      let error = #expect(throws: DatabaseError.self) {
        try transaction.define([
          define("Dog", ["name": .string]), define("Tag", embedded: true, ["text": .string]),
          ClassDefinition(
            "Bad",
            isEmbedded: refused.isEmbedded,
            properties: [refused.property]
          ),
        ])
      }
      let code = error?.code
      #expect(code == .schemaMismatch || code == .wrongType || code == .outOfRange)
      #expect(error?.className == "Bad")
      #expect(error?.propertyName == refused.property.name)
      #expect(error?.message.contains("Bad.\(refused.property.name)") == true)
      #expect(transaction.schema.classes.isEmpty)
    }
  }

  @Test func `refuses two primary keys, a class twice and a property twice`() throws {
    try withTemporaryDatabase { database in
      let transaction = try database.beginWrite()
      defer { transaction.rollback() }
      let twoKeys = ClassDefinition(
        "Dog",
        properties: [
          PropertyDefinition("a", .int, isPrimaryKey: true),
          PropertyDefinition("b", .int, isPrimaryKey: true),
        ]
      )
      let bad: [[ClassDefinition]] = [
        [twoKeys], [define("Dog", [:]), define("Dog", [:])],
        [define("Dog", ["a": .int, "a": .int])],
      ]
      for classes in bad {
        #expect(code { try transaction.define(classes) } == .schemaMismatch)
      }
    }
  }

  /// What a program asks of a file that has `Dog.name: string`, `Dog.best: link`, and objects.
  static let lossy: [ClassDefinition] = [
    define("Dog", ["name": .int]), define("Dog", ["name": .string.optional]),
    define("Dog", embedded: true, ["name": .string]),
    define("Dog", key: "name", ["name": .string]),
    ClassDefinition("Dog", properties: [PropertyDefinition("best", .link("Dog")).rule(.cascade)]),
  ]

  @Test(arguments: lossy)
  func `refuses what would lose or reinterpret data`(_ asked: ClassDefinition) throws {
    try withClasses([define("Dog", ["name": .string, "best": .link("Dog")])]) { transaction, _ in
      _ = try transaction.make("Dog", ["name": .string("Rex")])
      let before = transaction.schema
      #expect(code { try transaction.define([asked]) } == .schemaMismatch)
      #expect(transaction.schema == before)
    }
  }

  @Test func `of a file is there for a program that has never seen it`() throws {
    try withTemporaryDatabase { database in
      try database.write {
        try $0.define([
          ClassDefinition(
            "Dog",
            properties: [
              PropertyDefinition("id", .uuid, isPrimaryKey: true),
              PropertyDefinition("best", .link("Dog")).rule(.cascadeIfLast),
            ],
            backlinks: [BacklinkDefinition("admirers", origin: "Dog", property: "best")]
          )
        ])
      }
      let schema = try Database.open(database.path).snapshot().schema
      let dog = try #require(schema["Dog"])
      #expect(dog.primaryKey?.name == "id")
      #expect(dog["best"]?.deleteRule == .cascadeIfLast)
      #expect(dog["best"]?.target == dog.key)
      #expect(dog.backlinks.map(\.name) == ["admirers"])
    }
  }

  @Test func `grows by classes, properties and indexes without being told`() throws {
    try withClasses([define("Dog", ["name": .string])]) { transaction, _ in
      let rex = try transaction.make("Dog", ["name": .string("Rex")])
      let name = PropertyDefinition("name", .string, isIndexed: true)
      try transaction.define([
        ClassDefinition("Dog", properties: [name, PropertyDefinition("age", .int)]),
        define("Cat", ["name": .string]),
      ])
      #expect(transaction.schema["Dog"]?["name"]?.isIndexed == true)
      #expect(try transaction.value(rex, "age") == .int(0))
      #expect(try transaction.value(rex, "name") == .string("Rex"))
      #expect(transaction.schema["Cat"] != nil)
    }
  }

  @Test func `keeps classes and properties that a program does not mention`() throws {
    try withClasses([define("Dog", ["name": .string, "age": .int])]) { transaction, _ in
      let before = transaction.schema
      try transaction.define([define("Dog", ["age": .int])])
      try transaction.define([])
      #expect(transaction.schema == before)
    }
  }

  @Test func `keeps its delete rule from a program that says nothing of rules`() throws {
    let dog = ClassDefinition(
      "Dog",
      properties: [PropertyDefinition("best", .link("Dog")).rule(.deny)]
    )
    try withClasses([dog]) { transaction, _ in
      try transaction.define([define("Dog", ["best": .link("Dog")])])
      #expect(transaction.schema["Dog"]?["best"]?.deleteRule == .deny)
      try transaction.define(
        [],
        migration: [.setDeleteRule(className: "Dog", property: "best", .cascade)]
      )
      #expect(transaction.schema["Dog"]?["best"]?.deleteRule == .cascade)
    }
  }

  @Test func `gives existing objects a fill value that stays when the default changes`() throws {
    try withClasses([define("Dog", ["name": .string])]) { transaction, _ in
      let old = try transaction.make("Dog")
      let age = PropertyDefinition("age", .int)
      try transaction.define([ClassDefinition("Dog", properties: [age.initially(.int(3))])])
      let middle = try transaction.make("Dog")
      try transaction.define([ClassDefinition("Dog", properties: [age.initially(.int(7))])])
      let new = try transaction.make("Dog")
      #expect(try transaction.value(old, "age") == .int(3))
      #expect(try transaction.value(middle, "age") == .int(3))
      #expect(try transaction.value(new, "age") == .int(7))
    }
  }

  @Test func `keeps the objects and the links of a class that a migration renames`() throws {
    let classes = [
      define("Dog", ["name": .string, "best": .link("Dog")]),
      define("Owner", ["dogs": .list(.link("Dog"))]),
    ]
    try withTemporaryDatabase { database in
      let (rex, ada) = try database.write { transaction in
        try transaction.define(classes)
        let rex = try transaction.make("Dog", ["name": .string("Rex")])
        try transaction.put(rex, "best", .link(rex))
        return (rex, try transaction.make("Owner", ["dogs": .list([.link(rex)])]))
      }
      try database.write { transaction in
        try transaction.define([], migration: [.renameClass(from: "Dog", to: "Hound")])
        let error = #expect(throws: DatabaseError.self) {
          try transaction.define([], migration: [.renameClass(from: "Owner", to: "Hound")])
        }
        #expect(error?.message == "Class Owner cannot be renamed to Hound: the name is taken")
        let gone = [MigrationStep.renameClass(from: "Dog", to: "Cat")]
        #expect(code { try transaction.define([], migration: gone) } == .schemaMismatch)
      }
      let snapshot = try database.snapshot()
      #expect(snapshot.schema["Dog"] == nil)
      #expect(snapshot.schema["Owner"]?["dogs"]?.type == .list(.link("Hound")))
      #expect(snapshot.schema["Hound"]?["best"]?.type == .link("Hound"))
      #expect(try snapshot.value(rex, "name") == .string("Rex"))
      #expect(try snapshot.value(ada, "dogs") == .list([.link(rex)]))
      let dog = try #require(snapshot.schema["Hound"]?.key)
      let fans = try Predicate.parse("best.name == 'Rex'", for: dog, in: snapshot.schema)
      #expect(try snapshot.objects(of: dog, where: fans).keys == [rex.key])
    }
  }

  @Test func `keeps the values of a property that a migration renames`() throws {
    try withClasses([define("Dog", ["name": .string])]) { transaction, _ in
      let rex = try transaction.make("Dog", ["name": .string("Rex")])
      try transaction.define(
        [define("Dog", ["title": .string])],
        migration: [.renameProperty(className: "Dog", from: "name", to: "title")]
      )
      #expect(try transaction.value(rex, "title") == .string("Rex"))
      #expect(transaction.schema["Dog"]?["name"] == nil)
    }
  }
}
