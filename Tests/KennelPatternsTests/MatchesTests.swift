import KennelCore
import KennelPatterns
import KennelTestSupport
import Testing

@Suite("MATCHES")
struct MatchesTests {
  private static let samples = ["Rex", "rexy", "Éclair", "", "a.c", "abc", "two\nlines", "🐶 Rex"]

  private static let long = String(repeating: "a", count: 40) + "cb"

  static func predicate(_ text: String) throws -> Predicate {
    try Predicate.read(text, in: Schema(classes: []))
  }

  init() { Predicate.enableRegularExpressions() }

  /// Runs a body with pets, of which each has a name; every third also has it where it may be null.
  private func withPets(
    count: Int = 8,
    _ body: (DatabaseReader, ClassKey) throws -> Void
  ) throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        let properties = [
          PropertyDefinition("name", .string), PropertyDefinition("nick", .string.optional),
          PropertyDefinition("tags", .list(.string)), PropertyDefinition("any", .mixed),
          PropertyDefinition("friend", .link("Pet")),
        ]
        try transaction.define([ClassDefinition("Pet", properties: properties)])
        let pet = try transaction.schema.require("Pet")
        let keys = try properties.map { try pet.require($0.name).key }
        var last: Value = .null
        for number in 0..<count {
          let name = Value.string(Self.samples[number % Self.samples.count])
          let values: [Value] = [
            name, number % 3 == 0 ? name : .null, .list([name, .string("tag")]),
            number % 2 == 0 ? name : .int(1), last,
          ]
          last = .link(try transaction.create(pet.key, Dictionary(zip(keys, values)) { $1 }))
        }
      }
      let snapshot = try database.snapshot()
      try body(snapshot, #require(snapshot.schema["Pet"]).key)
    }
  }

  private func names(
    _ text: String,
    _ snapshot: DatabaseReader,
    _ pet: ClassKey
  ) throws -> [String] {
    let predicate = try Predicate.parse(text, for: pet, in: snapshot.schema)
    let name = try snapshot.schema.require("Pet").require("name").key
    return try snapshot.objects(of: pet, where: predicate).map { object in
      let value = try snapshot.value(of: object, property: name)
      guard case .string(let text) = value else { return "" }
      return text
    }
  }

  @Test(
    arguments: [
      ("name MATCHES 'R.*'", ["Rex"]), ("name MATCHES[c] 'R.*'", ["Rex", "rexy"]),
      ("name MATCHES 'ex'", []), (#"name MATCHES 'a\\.c'"#, ["a.c"]),
      ("name MATCHES 'a.c'", ["a.c", "abc"]),
      ("name MATCHES ''", [""]), ("name MATCHES '.*Rex'", ["Rex", "🐶 Rex"]),
      ("NOT name MATCHES '[^R]*'", ["Rex", "🐶 Rex"]), ("name MATCHES[c] 'é.*'", ["Éclair"]),
      ("name MATCHES '(?s).*nes'", ["two\nlines"]), ("name MATCHES '.*nes'", []),
      ("nick MATCHES '(?s).*'", ["Rex", "", "two\nlines"]),
      ("#any MATCHES '.*'", ["Rex", "Éclair", "a.c"]),
      ("ANY tags MATCHES 'R.x'", ["Rex"]), ("ALL tags MATCHES 'R.x|tag'", ["Rex"]),
      ("friend.name MATCHES 'R.x'", ["rexy"]),
      ("name MATCHES 'R.x' OR friend.name MATCHES 'R.x'", ["Rex", "rexy"]),
      ("SUBQUERY(tags, $t, $t MATCHES 'R.x').@count == 1", ["Rex"]),
    ] as [(String, [String])]
  )
  func `finds the texts that fit as a whole`(text: String, found: [String]) throws {
    try withPets { snapshot, pet in
      let names = try names(text, snapshot, pet)
      #expect(names == found)
    }
  }

  @Test func `asks texts that were stored once for many objects`() throws {
    try withPets(count: 2000) { snapshot, pet in
      let names = try names("name MATCHES '(?s)R.*|two.*'", snapshot, pet)
      #expect(names.count == 500)
    }
  }

  @Test(
    arguments: [
      (
        "name MATCHES '('",
        "Column 14: The regular expression is wrong: At character 2: missing closing parenthesis"
      ),
      ("name MATCHES[d] 'x'", "Column 17: MATCHES does not take [d]; expected [c], or nothing"),
      (
        "name MATCHES nick",
        "Column 14: MATCHES compares with one expression; expected text in quotes"
      ),
      (
        "name MATCHES 3",
        "Column 14: MATCHES compares text, and 3 is an int; expected text in quotes"
      ),
    ]
  )
  func `says what is wrong with an expression, and where`(text: String, message: String) throws {
    try withPets { snapshot, pet in
      let error = #expect(throws: PredicateError.self) { try names(text, snapshot, pet) }
      #expect(error?.description == message)
    }
  }

  @Test func `ends with an error where an expression takes too long`() throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        let name = PropertyDefinition("name", .string)
        try transaction.define([ClassDefinition("Pet", properties: [name])])
        let pet = try transaction.schema.require("Pet")
        _ = try transaction.create(pet.key, [pet.require("name").key: .string(Self.long)])
      }
      let snapshot = try database.snapshot()
      let pet = try #require(snapshot.schema["Pet"]).key
      let error = #expect(throws: DatabaseError.self) {
        try names("name MATCHES '(a+)+b'", snapshot, pet)
      }
      #expect(error?.code == .invalidPredicate)
      #expect(error?.message.contains("takes too many steps") == true)
      #expect(throws: PredicateError.self) {
        try Self.predicate("SELF MATCHES '(a+)+b'").holds(for: .string(Self.long))
      }
    }
  }

  @Test func `says that a program has no library for it`() async throws {
    await #expect(processExitsWith: .success) {
      let error = #expect(throws: PredicateError.self) {
        try MatchesTests.predicate("SELF MATCHES 'x'").holds(for: .string("x"))
      }
      #expect(
        error?.description
          == "Column 6: MATCHES needs a library of regular expressions, and this program has none; "
          + "expected Predicate.enableRegularExpressions() of KennelPatterns before, or LIKE"
      )
    }
  }

  @Test func `is asked of values that are not objects`() throws {
    let predicate = try Self.predicate("SELF MATCHES 'R.*'")
    #expect(try predicate.holds(for: .string("Rex")))
    #expect(try !predicate.holds(for: .string("a Rex")))
    #expect(try !predicate.holds(for: .int(1)))
  }
}
