import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

/// The little world of the browser's unit tests: a few people and dogs, every shape of link.
enum Kennels {
  static let classes = [
    ClassDefinition(
      "Person",
      properties: [
        PropertyDefinition("id", .int, isPrimaryKey: true),
        PropertyDefinition("name", .string),
        PropertyDefinition("dog", .link("Dog")),
        PropertyDefinition("dogs", .list(.link("Dog"))),
        PropertyDefinition("address", .link("Address")),
        PropertyDefinition("tags", .set(.string)),
        PropertyDefinition("notes", .map(.string.optional)),
      ],
      backlinks: [BacklinkDefinition("clubs", origin: "DogClub", property: "members")]
    ),
    ClassDefinition(
      "Dog",
      properties: [
        PropertyDefinition("name", .string),
        PropertyDefinition("age", .int(bitWidth: 8)),
        PropertyDefinition("breed", .string.optional),
        PropertyDefinition("isGood", .bool),
      ]
    ),
    ClassDefinition(
      "DogClub",
      properties: [
        PropertyDefinition("name", .string),
        PropertyDefinition("members", .list(.link("Person"))),
        PropertyDefinition("offices", .list(.link("Address"))),
      ]
    ),
    ClassDefinition(
      "Address",
      isEmbedded: true,
      properties: [
        PropertyDefinition("street", .string.optional),
        PropertyDefinition("city", .string.optional),
      ]
    ),
  ]

  static func fill(_ database: Database) throws {
    try database.write { transaction in
      try transaction.define(classes)
      let schema = transaction.schema
      func key(_ name: String) throws -> ClassSchema { try #require(schema[name]) }
      let dog = try key("Dog")
      let person = try key("Person")
      let club = try key("DogClub")
      let address = try key("Address")
      func make(
        _ schema: ClassSchema,
        _ values: [String: Value]
      ) throws -> ObjectIdentity {
        var byKey: [PropertyKey: Value] = [:]
        for (name, value) in values { byKey[try #require(schema[name]).key] = value }
        return try transaction.create(schema.key, byKey)
      }
      let rex = try make(dog, ["name": .string("Rex"), "age": .int(3), "breed": .string("Boxer")])
      let fido = try make(dog, ["name": .string("Fido"), "age": .int(7), "breed": .null])
      let bella = try make(
        dog,
        ["name": .string("Bella"), "age": .int(1), "breed": .string(""), "isGood": .bool(true)]
      )
      let ada = try make(
        person,
        [
          "id": .int(1), "name": .string("Ada"), "dog": .link(rex),
          "dogs": .list([.link(rex), .link(fido), .link(rex)]),
          "tags": .set([.string("kind"), .string("tall")]),
        ]
      )
      let bob = try make(
        person,
        ["id": .int(2), "name": .string("Bob"), "dog": .link(rex), "dogs": .list([.link(bella)])]
      )
      _ = try make(person, ["id": .int(3), "name": .string("Cleo\u{1b}[31m")])
      func house(_ slot: Slot, _ street: String, _ city: String) throws {
        let house = try transaction.createEmbedded(at: slot)
        try transaction.set(
          house,
          property: try #require(address["street"]).key,
          to: .string(street)
        )
        try transaction.set(house, property: try #require(address["city"]).key, to: .string(city))
      }
      let home = try #require(person["address"]).key
      try house(Slot(ada, home), "High Street 1", "London")
      try house(Slot(bob, home), "Low Road 2", "Leeds")
      let pack = try make(
        club,
        ["name": .string("The Pack"), "members": .list([.link(ada), .link(bob)])]
      )
      let offices = try #require(club["offices"]).key
      try house(Slot(pack, offices, .index(0)), "Office Park", "York")
    }
  }

  /// Runs a body with a browser on the little world.
  static func browse(
    isASCII: Bool = false,
    fileName: String = "people.kennel",
    _ body: (Browser, Database) throws -> Void
  ) throws {
    try withTemporaryDatabase { database in
      try fill(database)
      try body(try browser(database, isASCII: isASCII, fileName: fileName), database)
    }
  }

  static func browser(
    _ database: Database,
    isASCII: Bool = false,
    fileName: String = "people.kennel",
    journal: DraftJournal? = nil,
    proposedName: String? = nil
  ) throws -> Browser {
    var settings = BrowserSettings(fileName: fileName)
    settings.charset = isASCII ? .ascii : .unicode
    settings.time = { _ in "yesterday" }
    settings.proposedName = proposedName
    return try Browser(
      database,
      settings: settings,
      journal: journal,
      recovered: journal?.findKept() ?? []
    )
  }
}

extension Browser {
  /// Presses keys by their names, and runs the jobs that they start.
  @discardableResult
  func press(_ keys: String) -> [Effect] {
    var effects: [Effect] = []
    for key in KeySequence(keys)?.keys ?? [] {
      effects += JobRunner.send(.key(key), to: self)
    }
    return effects
  }

  /// Runs a job, and something else whenever the job tells how far it is.
  func run(_ job: Job, meanwhile body: () -> Void) {
    receive(.job(work(on: job, meanwhile: body)))
  }

  /// Runs a job without telling the browser; the event that would.
  func work(on job: Job, meanwhile body: () -> Void) -> JobEvent {
    withoutActuallyEscaping(body) { body in
      // The job runs right here, on this thread.
      nonisolated(unsafe) let body = body
      job.work(JobContext { _ in unsafe body() })
    }
    return .finished(job.id)
  }

  func type(_ text: String) {
    for character in text { _ = JobRunner.send(.key(Key(character)), to: self) }
  }

  /// The screen as text.
  func screen(_ columns: Int = 80, _ rows: Int = 24) -> String {
    draw(Size(columns: columns, rows: rows)).text.joined(separator: "\n")
  }
}
