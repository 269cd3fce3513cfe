import BoxGeneration
import SwiftScanning
import Testing

@Suite struct `Annotations` {
  @Test(arguments: [
    ("// objectbox: index\nvar a = 0", #".value("a", Swift.Int.self, index: true)"#),
    ("//objectbox:index\nvar a = 0", #".value("a", Swift.Int.self, index: true)"#),
    (
      "/// ObjectBox:  Index\n/// More text.\nvar a = 0",
      #".value("a", Swift.Int.self, index: true)"#
    ),
    ("/* objectbox: index */ var a = 0", #".value("a", Swift.Int.self, index: true)"#),
    ("var a = 0 // objectbox: index", #".value("a", Swift.Int.self, index: true)"#),
    ("// objectbox: index\n\n@Wrapped\nvar a = 0", #".value("a", Swift.Int.self, index: true)"#),
    ("// objectbox: index\n@M.Wrapped var a = 0", #".value("a", Swift.Int.self, index: true)"#),
    (
      "// objectbox: index\n@Wrapped<Int>(1)\n@M.B<A<C>> var a = 0",
      #".value("a", Swift.Int.self, index: true)"#
    ),
    ("var a = 0; // objectbox: index", #".value("a", Swift.Int.self, index: true)"#),
    (
      "var a = \"\"\"\n  b\n  \"\"\" // objectbox: unique",
      #".value("a", Swift.String.self, index: true, unique: true)"#
    ),
    (
      "// objectbox: index = \"hash64\"\nvar a = \"\"",
      #".value("a", Swift.String.self, index: true)"#
    ),
    (
      "// objectbox: unique, name = \"b, c\"\nvar a = 0",
      #".value("b, c", Swift.Int.self, index: true, unique: true)"#
    ),
    (
      "// objectbox: name=\"b\"\n// objectbox: unique\nvar a = 0",
      #".value("b", Swift.Int.self, index: true, unique: true)"#
    ),
    (
      "// objectbox: unique = { \"onConflict\": \"replace\" }\nvar a = 0",
      #".value("a", Swift.Int.self, index: true, unique: true, onConflict: .replace)"#
    ),
    (
      "// objectbox: date-nano, id-companion\nvar a = Date()", #".value("a", Foundation.Date.self)"#
    ),
    ("// objectbox: type = \"date-nano\"\nvar a: Date?", #".value("a", Foundation.Date?.self)"#),
    ("// objectbox: flex\nvar a = Data()", #".value("a", Foundation.Data.self)"#),
    (
      "// objectbox: convert = { \"default\": \".a\" }\nvar a: Kind",
      #".value("a", Swift.String.self)"#
    ),
    ("// objectbox: convert\nvar a: Kind?", #".value("a", Swift.String?.self)"#),
    (
      "// objectbox: convert = { \"dbType\": \"Int8?\", \"converter\": \"C\" }\nvar a: URL",
      #".value("a", Swift.Int8?.self)"#
    ),
    (
      "// objectbox: convert = { \"dbType\": \"Int\", \"default\": \".x\" }\nvar a: Foreign?",
      #".value("a", Swift.Int?.self)"#
    ),
  ])
  func `describe the declaration that they stand at`(member: String, expected: String) {
    #expect(properties(inClass: member) == [expected])
  }

  @Test(arguments: [
    ("var a = 0 // objectbox: transient\nvar b = 0", ["b"]),
    ("var a = 0; /* objectbox: transient */ var b = 0", ["a"]),
    ("var a = 0; // objectbox: transient\nvar b = 0", ["b"]),
    ("var s = \"\"\"\n  \"\"\" // objectbox: transient\nvar b = 0", ["b"]),
    ("// objectbox: transient\nvar a = 0\n// plain\nvar b = 0", ["b"]),
    ("// objectbox: transient\nvar a = 0, b = 0\nvar c = 0", ["c"]),
    ("// objectbox: transient\nfunc f() {}\nvar a = 0", ["a"]),
    ("// objectbox: index\nvar computed: Int { 0 }\nvar a = 0", ["a"]),
  ])
  func `belong to one declaration`(members: String, names: [String]) {
    #expect(properties(inClass: members) == names.map { ".value(\"\($0)\", Swift.Int.self)" })
  }

  @Test(arguments: [
    (
      "// objectbox: convert = { \"default\": \".a\" }\nvar a: Kind",
      "entity.a.rawValue", "Kind(rawValue: reader.read(at: 1) as Swift.String) ?? .a"
    ),
    (
      "// objectbox: convert = { \"dbType\": \"Int\" }\nvar a: Kind?",
      "entity.a?.rawValue",
      "(reader.read(at: 1) as Swift.Int?).flatMap { Kind(rawValue: $0) }"
    ),
    (
      "// objectbox: convert = { \"dbType\": \"Int\", \"converter\": \"Converter\" }\nvar a: Kind",
      "Note.Converter.convert(entity.a) as Swift.Int",
      "Note.Converter.convert(reader.read(at: 1) as Swift.Int)"
    ),
  ])
  func `convert values both ways`(member: String, written: String, read: String) {
    let code = generate(
      """
      enum Kind: String { case a }
      class Note: Entity { var id: Id = 0
      \(member)
      enum Converter {}
      }
      """
    ).code
    #expect(code?.contains("try writer.write(\(written), at: 1)\n") == true)
    #expect(code?.contains("entity.a = try \(read)\n") == true)
  }

  @Test func `name entities and assign ids`() {
    let code = generate(
      """
      // objectbox: name = "Memo"
      struct Note: Entity {
        // objectbox: id = { "assignable": true }
        let key: UInt64
        var `in`: ToOne<Note>
      }
      """
    ).code
    #expect(code?.contains("    name: \"Memo\",\n") == true)
    #expect(code?.contains("    hasAssignableIds: true,\n") == true)
    #expect(code?.contains("entity = Note(key: .init(id), `in`: entity.`in`)\n") == true)
  }

  private static let known =
    "id, id-companion, name, uid, index, unique, transient, backlink, convert, date-nano, flex, type"

  @Test(arguments: [
    (
      "objectbox: transiant",
      "Unknown annotation 'transiant'; did you mean 'transient'? A property can have: \(known)"
    ),
    (
      "objectbox: objectId",
      "Unknown annotation 'objectId'; did you mean 'id'? A property can have: \(known)"
    ),
    ("objectbox: banana", "Unknown annotation 'banana'; a property can have: \(known)"),
    ("objectbox: entity", "Unknown annotation 'entity'; a property can have: \(known)"),
    ("objectbox:", "'objectbox:' needs an annotation behind it, such as 'objectbox: transient'"),
    (
      "objectbox: = 3",
      "Cannot read the annotation '= 3'; write it as 'objectbox: name' or 'objectbox: name = value'"
    ),
    (
      "objectbox: index because",
      "Cannot read 'because' behind 'index'; separate annotations by commas, and put the explanation into another comment"
    ),
    ("objectbox: name =", "'name =' needs a value behind it"),
    (
      "objectbox: name = \"a",
      "Cannot read the value of 'name': a closing quote is missing; write it as JSON, with \"quotes\" around each text"
    ),
    ("objectbox: name", "'name' needs a name in quotes; write '// objectbox: name = \"…\"'"),
    (
      "objectbox: name = \"\"",
      "A name in the database has 1 to 255 bytes and no control characters or any of / . @ < >"
    ),
    ("objectbox: uid = 0", "'uid' needs a number above 1; write 'uid' alone to be told one"),
    ("objectbox: uid = x", "'uid' needs a number above 1; write 'uid' alone to be told one"),
    ("objectbox: id = 3", "'id' can have the value { \"assignable\": true }, and no other"),
    (
      "objectbox: id = { \"a\": true }",
      "'id' can have the value { \"assignable\": true }, and no other"
    ),
    ("objectbox: index = \"tree\"", "'index' can have the value \"value\", \"hash\" or \"hash64\""),
    (
      "objectbox: index = \"hash\"",
      "An index of hashes is for strings; write '// objectbox: index'"
    ),
    (
      "objectbox: unique = { \"onConflict\": \"fail\" }",
      "'unique' can have the value { \"onConflict\": \"replace\" }, and no other"
    ),
    ("objectbox: transient = true", "'transient' has no value; write it alone"),
    ("objectbox: type = \"x\"", "'type' can have the value \"date-nano\" or \"flex\""),
    ("objectbox: date-nano", "'date-nano' is for dates; declare 'a' as Date, or remove it"),
    ("objectbox: flex", "'flex' is for bytes; declare 'a' as Data or [UInt8], or remove it"),
    ("objectbox: id-companion", "'id-companion' is for dates; declare 'a' as Date, or remove it"),
    (
      "objectbox: backlink = \"b\"",
      "'backlink' is for a ToMany; declare 'a' as one, or remove the annotation"
    ),
    (
      "objectbox: convert = { \"type\": \"Int\" }",
      "'convert' has no text for 'type'; it can have \"dbType\", \"converter\" and \"default\", each with a text"
    ),
    (
      "objectbox: convert = { \"default\": \".a\" }",
      "'convert' needs a \"dbType\" such as { \"dbType\": \"Int\" }; only an enum with raw values has one itself"
    ),
    (
      "objectbox: convert = { \"dbType\": \"Int\" }",
      "'convert' needs a \"converter\", or a \"default\" for what is no 'Int'; write '// objectbox: convert = { \"default\": \".…\" }'"
    ),
    ("objectbox: unique, unique", "'unique' is there twice; remove one"),
  ])
  func `that cannot be understood are errors`(annotation: String, message: String) {
    #expect(
      mistakes(inClass: "  // \(annotation)\n  var a = 0") == [
        "App.swift:\(Self.line(of: message)): error: \(message)"
      ]
    )
  }

  /// Mistakes of an annotation itself are in its line; those against the declaration in the next.
  private static func line(of message: String) -> Int {
    let declared = [
      "An index of", "'date-nano' is", "'flex' is", "'id-companion' is", "'backlink' is",
      "'convert' needs",
    ]
    return declared.contains(where: message.hasPrefix) ? 4 : 3
  }

  @Test func `of what Kennel does not do are warned of, and the model builds`() {
    let source = """
      // objectbox: entity, sync = { "sharedGlobalIds": true }, externalName = "notes"
      class Note {
        var id: Id = 0
        // objectbox: externalType="mongoId", syncClock
        var a = 0
        // objectbox: hnswIndex: dimensions=2, neighborsPerNode=30, distanceType="geo"
        var place: [Float]?
      }
      """
    let result = generate(source)
    #expect(result.code?.contains(#".value("place", [Swift.Float]?.self, id: 3"#) == true)
    let none = "has no effect: Kennel does not synchronize; remove it"
    #expect(
      result.diagnostics.map(\.description) == [
        "App.swift:1: warning: 'sync' \(none)", "App.swift:1: warning: 'externalName' \(none)",
        "App.swift:4: warning: 'externalType' \(none)", "App.swift:4: warning: 'syncClock' \(none)",
        "App.swift:6: warning: 'hnswIndex' has no effect: the vectors are stored, but Kennel has no "
          + "index of them and finds no nearest neighbors; remove it",
      ]
    )
  }
}
