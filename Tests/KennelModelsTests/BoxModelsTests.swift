import BoxGeneration
import KennelCore
import KennelModels
import KennelTestSupport
import SwiftScanning
import Testing

@Suite struct `Generated entities` {
  @Test func `declare what an entity can have, and note the rest`() {
    var born = PropertyDefinition("born", .date)
    born.defaultValue = .date(Timestamp(seconds: 5))
    var owners = PropertyDefinition("owners", .list(.link("Person")))
    owners.deleteRule = .cascade
    owners.targetRule = .deny
    let models = BoxModels.write([
      ClassDefinition(
        "Dog",
        properties: [
          PropertyDefinition("id", .string, isPrimaryKey: true),
          PropertyDefinition("first name", .string.optional, isIndexed: true),
          PropertyDefinition("mail", .string.optional, isUnique: true),
          PropertyDefinition("weight", .double, isIndexed: true),
          PropertyDefinition("age", .int(bitWidth: 16)),
          born, owners,
          PropertyDefinition("chip", .uuid),
          PropertyDefinition("home", .link("Address")),
          PropertyDefinition("tags", .list(.string)),
          PropertyDefinition("weights", .list(.float)),
          PropertyDefinition("meals", .list(.int(bitWidth: 32))),
          PropertyDefinition("steps", .list(.int)),
          PropertyDefinition("years", .list(.int(bitWidth: 16))),
          PropertyDefinition("Tags", .set(.string)),
          PropertyDefinition("scores", .map(.int)),
          PropertyDefinition("best", .link("Person")),
          PropertyDefinition("friends", .set(.link("Dog"))),
          PropertyDefinition("class", .data.optional),
        ],
        backlinks: [BacklinkDefinition("friendOf", origin: "Dog", property: "friends")]
      ),
      ClassDefinition(
        "Person",
        backlinks: [
          BacklinkDefinition("dogs", origin: "Dog", property: "owners"),
          BacklinkDefinition("lodgers", origin: "Dog", property: "home"),
        ]
      ),
      ClassDefinition("Address", isEmbedded: true),
      ClassDefinition("Box"),
    ])
    #expect(models.classNames == ["Dog", "Person", "BoxModel"])
    #expect(
      models.text == """
        import KennelBox

        class Dog: Entity {
          var objectId: Id = 0
          // objectbox: unique
          var id: String = ""
          // objectbox: index, name = "first name"
          var firstName: String?
          // objectbox: unique
          var mail: String?
          var weight: Double = 0
          var age: Int16 = 0
          var born: Date = Date(timeIntervalSince1970: 5)
          var owners: ToMany<Person> = nil
          var tags: [String] = []
          var weights: [Float] = []
          var meals: [Int32] = []
          var steps: [Int64] = []
          var best: ToOne<Person> = nil
          var friends: ToMany<Dog> = nil
          var `class`: Data?
          // objectbox: backlink = "friends"
          var friendOf: ToMany<Dog> = nil

          required init() {}
        }

        class Person: Entity {
          var id: Id = 0
          // objectbox: backlink = "owners"
          var dogs: ToMany<Dog> = nil

          required init() {}
        }

        // objectbox: name = "Box"
        class BoxModel: Entity {
          var id: Id = 0

          required init() {}
        }

        """
    )
    #expect(
      models.notes == [
        "Dog.id: a primary key cannot be declared; it is unique",
        "Dog.weight: an index of a double cannot be declared",
        "Dog.owners: its delete rule cascade cannot be declared",
        "Dog.owners: its target rule deny cannot be declared",
        "Dog.owners: a ToMany keeps no order, and holds each object once",
        "Dog.chip: the type uuid cannot be declared",
        "Dog.home: the type link<Address> cannot be declared",
        "Dog.years: the type list<int16> cannot be declared",
        "Dog.Tags: a name that differs from another in case alone cannot be declared",
        "Dog.scores: the type map<int> cannot be declared",
        "Person.lodgers: a backlink of Dog.home cannot be declared",
        "Address: an embedded class cannot be an entity",
      ]
    )
  }

  @Test(arguments: 0..<40)
  func `of a random schema are understood by the generator of bindings`(seed: UInt64) {
    var random = RandomSchema(seed: seed, prefix: "")
    let models = BoxModels.write(random.classes())
    let result = BoxGeneration.generate(
      target: "App",
      sources: [.init(path: "Models.swift", text: models.text)],
      model: nil,
      modelPath: "model.json"
    )
    let errors = result.diagnostics.filter { $0.severity == .error }
    #expect(errors.isEmpty, "\(errors)\n\(models.text)")
    for name in models.classNames {
      #expect(result.code?.contains("struct \(name)Binding") == true)
    }
  }
}
