import KennelCore
import KennelTestSupport
import Testing

/// Texts of whole columns, which are searched at once where no cell of a chunk changes its length when it is
/// folded.
@Suite("A column of texts")
struct TextColumnTests {
  /// Three chunks: of ASCII, with a letter that is not, and with a null and an empty text.
  private static let names: [String?] = (0..<700).map { number in
    switch number {
    case 300: "RÉX 300"
    case 600: nil
    case 601: ""
    case _: "\(number % 3 == 0 ? "REX" : "Rex") \(number)"
    }
  }

  @Test(arguments: [
    ("name CONTAINS[c] 'eX 6'", "ex 6", false), ("NOT name CONTAINS[c] 'EX 1'", "ex 1", true),
    ("name CONTAINS[c] '99rex'", "99rex", false), ("name CONTAINS[c] 'éx'", "éx", false),
    ("name CONTAINS[c] ''", "", false), ("name CONTAINS[c] '7'", "7", false),
  ])
  func `finds a text in each whatever its case`(
    predicate: String,
    text: String,
    isNegated: Bool
  ) throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        let name = PropertyDefinition("name", .string.optional)
        try transaction.define([ClassDefinition("Dog", properties: [name])])
        let dog = try #require(transaction.schema["Dog"])
        for name in Self.names {
          let value = name.map(Value.string) ?? .null
          _ = try transaction.create(dog.key, [try #require(dog["name"]).key: value])
        }
      }
      let snapshot = try database.snapshot()
      let dog = try #require(snapshot.schema["Dog"])
      let keys = try snapshot.objects(of: dog.key).keys
      let wanted = zip(keys, Self.names).filter { _, name in
        guard let name else { return isNegated }
        return (text.isEmpty || name.lowercased().contains(text)) != isNegated
      }
      let asked = try Predicate.parse(predicate, for: dog.key, in: snapshot.schema)
      let found = try snapshot.objects(of: dog.key, where: asked).keys
      #expect(found == wanted.map(\.0))
    }
  }
}
