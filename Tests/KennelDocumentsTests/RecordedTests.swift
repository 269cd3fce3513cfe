import Foundation
import KennelCore
import KennelDocuments
import KennelTestSupport
import Testing

/// Documents that PyMongo wrote: `Tests/Interop/interop.py --record`.
@Suite struct `Documents of PyMongo's` {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Recorded")

  private static func bytes(_ name: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: folder.appendingPathComponent(name)))
  }

  @Test(arguments: ["Thing.bson", "Thing.canonical.json", "Thing.relaxed.json"])
  func `become objects whose BSON is PyMongo's, byte by byte`(name: String) throws {
    try withTemporaryDatabase { database in
      try read(Self.bytes("schema.jsonl"), into: database)
      try read(Self.bytes(name), as: "Thing", into: database)
      let files = try CollectionFiles(of: database, as: .bson)
      #expect(try files.files[0].bytes == Self.bytes("Thing.bson"))
    }
  }
}
