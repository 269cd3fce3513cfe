import KennelCore
import KennelDocuments
import KennelTestSupport
import Testing

@Suite struct `Malformed BSON` {
  /// A document of members that are BSON already.
  private static func document(_ members: [UInt8]) -> [UInt8] {
    let count = UInt32(members.count + 5)
    return (0..<4).map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) } + members + [0]
  }

  private static func member(_ type: UInt8, _ name: String, _ value: [UInt8]) -> [UInt8] {
    [type] + Array(name.utf8) + [0] + value
  }

  private static func nested(_ depth: Int, isArray: Bool = false) -> [UInt8] {
    var bytes = document([])
    for _ in 0..<depth { bytes = document(member(isArray ? 4 : 3, isArray ? "0" : "a", bytes)) }
    return bytes
  }

  private static let string = member(2, "s", [5, 0, 0, 0] + Array("fido".utf8) + [0])

  static let cases: [(String, [UInt8], String)] = [
    ("an end in the middle", Array(document(string).dropLast(3)), "it is truncated"),
    ("an end in a length", [20, 0], "it is truncated"),
    ("a length of nothing", [4, 0, 0, 0, 0], "this is not BSON"),
    ("a length below zero", [255, 255, 255, 255, 0], "this is not BSON"),
    ("a length beyond the limit", [0, 0, 0, 2, 0], "the limit of BSON is 16793600"),
    ("no end", Array(document(string).dropLast()) + [1], "damaged"),
    (
      "a string that is longer than its document", document(member(2, "s", [99, 0, 0, 0, 0])),
      "damaged"
    ),
    ("a string without its end", document(member(2, "s", [1, 0, 0, 0, 65])), "damaged"),
    (
      "a string that is not UTF-8", document(member(2, "s", [3, 0, 0, 0, 0xC3, 0x28, 0])),
      "s: the string is not valid UTF-8"
    ),
    (
      "a surrogate as UTF-8", document(member(2, "s", [4, 0, 0, 0, 0xED, 0xA0, 0x80, 0])),
      "s: the string is not valid UTF-8"
    ),
    (
      "a name that is not UTF-8", document([2, 0xFF, 0, 1, 0, 0, 0, 0]), "a name is not valid UTF-8"
    ),
    ("a name without an end", document([2, 65, 65]), "damaged"),
    ("a name twice", document(string + string), "the name \"s\" occurs twice"),
    ("a type that is none", document(member(0x20, "s", [0, 0, 0, 0])), "damaged"),
    ("a truth of 2", document(member(8, "s", [2])), "damaged"),
    ("a nested length that is wrong", document(member(3, "s", [200, 0, 0, 0, 0])), "damaged"),
    ("binary data that is too long", document(member(5, "s", [200, 0, 0, 0, 0])), "damaged"),
    ("documents 10,000 deep", nested(10_000), "nested more than 100 deep"),
    ("arrays 10,000 deep", nested(10_000, isArray: true), "nested more than 100 deep"),
    ("a regular expression", document(member(11, "n", [65, 0, 0])), "regex"),
    ("a timestamp", document(member(0x11, "n", [0, 0, 0, 0, 0, 0, 0, 0])), "timestamp"),
  ]

  @Test(arguments: cases)
  func `is refused, and the file stays as it was`(
    what: String,
    bytes: [UInt8],
    message: String
  ) throws {
    try withSchema { database in
      let before = try text(of: database)
      let good = Self.document(Self.string)
      let file = DocumentFile(name: "A.bson", className: "A", format: .bson) {
        chunks(good + bytes)
      }
      let importer = DocumentImporter(DocumentReader([file]))
      let error = #expect(throws: DocumentError.self) {
        try database.write { _ = try importer.read(into: $0) }
      }
      let sentence = error?.description ?? ""
      #expect(sentence.hasPrefix("A.bson, document 2") && sentence.contains(message), "\(sentence)")
      #expect(try text(of: database) == before)
    }
  }

  @Test func `in all its forms is an error or some document, and never a crash`() throws {
    var random = SplitMix64(state: 7)
    try withTemporaryDatabase { database in
      try read(sampleDocument, into: database)
      let files = try CollectionFiles(of: database, as: .bson)
      let original = try #require(files.files.first { $0.className == "Specimen" }).bytes
      var refusals = 0
      for _ in 0..<2000 {
        var bytes = original
        for _ in 0...Int(random.next() % 3) {
          let position = Int(random.next() % UInt64(bytes.count))
          switch random.next() % 3 {
          case 0: bytes[position] = UInt8(random.next() & 255)
          case 1: bytes[position] ^= 1 << UInt8(random.next() & 7)
          default: bytes.removeSubrange(position..<min(position + 5, bytes.count))
          }
        }
        let file = DocumentFile(className: "A", format: .bson) { chunks(bytes, size: 4096) }
        let reader = DocumentReader([file])
        do {
          while try reader.read() != nil {}
        } catch is DocumentError {
          refusals += 1
        }
      }
      #expect(refusals > 500)
    }
  }

  @Test func `nested as deep as the limit is read`() throws {
    let file = DocumentFile(className: "A", format: .bson) { chunks(Self.nested(100)) }
    #expect(try DocumentReader([file]).read() != nil)
  }

  private func withSchema(_ body: (Database) throws -> Void) throws {
    try withTemporaryDatabase { database in
      try read(
        KennelDocumentsTests.document(
          #"{"$class":"A"}"#,
          #"{"$property":"s","type":"string"}"#,
          #"{"$property":"n","type":"int"}"#
        ),
        into: database
      )
      try body(database)
    }
  }
}
