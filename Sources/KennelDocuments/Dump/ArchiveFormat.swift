import KennelCore

// # The archive of mongodump
//
// `mongodump --archive` writes a whole dump as one stream:
//
// | part | bytes |
// |---|---|
// | magic number | `6d e2 99 81` |
// | header | a BSON document with the versions of the format, the server and the tool |
// | collections | a BSON document for each: `db`, `collection`, `metadata` (Extended JSON), `size`, `type` |
// | end of these | `ff ff ff ff` |
// | block | a document `{db, collection, EOF: false, CRC: 0}`, documents of the collection, `ff ff ff ff` |
// | end of a collection | a document `{db, collection, EOF: true, CRC}`, `ff ff ff ff` |
//
// A collection's documents may lie in several blocks, and blocks of collections between each other.
// The checksum is CRC-64 of all documents of the collection.

/// The parts of an archive.
enum ArchiveFormat {
  static let magic: [UInt8] = [0x6D, 0xE2, 0x99, 0x81]
  static let terminator: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]

  /// The first document.
  static let header: Document = [
    "concurrent_collections": .int32(1), "version": .string("0.1"),
    "server_version": .string("7.0.0"), "tool_version": .string("100.9.0"),
  ]

  static func blockHeader(
    _ database: String,
    _ collection: String,
    checksum: UInt64? = nil
  ) -> Document {
    [
      "db": .string(database), "collection": .string(collection), "EOF": .bool(checksum != nil),
      "CRC": .int64(Int64(bitPattern: checksum ?? 0)),
    ]
  }
}

/// CRC-64 with the polynomial of ECMA-182, bits reflected.
struct CRC64 {
  private static let polynomial: UInt64 = 0xC96C_5795_D787_0F42
  private static let table: [UInt64] = (0..<256 as Range<UInt64>).map { byte in
    (0..<8).reduce(byte) { sum, _ in sum & 1 == 1 ? (sum >> 1) ^ Self.polynomial : sum >> 1 }
  }

  private(set) var value: UInt64 = 0

  mutating func add(_ bytes: ArraySlice<UInt8>) {
    let table = Self.table
    value = ~bytes.reduce(~value) { sum, byte in
      table[Int((sum ^ UInt64(byte)) & 0xFF)] ^ sum >> 8
    }
  }
}
