import Foundation
import KennelCore
import KennelDocuments
import KennelTestSupport
import Testing

@Suite struct `Files of documents` {
  private static let formats = ["bson", "extjson", "relaxed", "json", "csv"]

  private static var cases: [(String, UInt64)] {
    formats.flatMap { format in (1...2).map { (format, $0) } }
  }

  @Test(arguments: cases)
  func `of random objects give the same objects again`(format: String, seed: UInt64) throws {
    let format = try #require(OutputFormat(format))
    try withTemporaryDatabase { database in
      try database.write { transaction in
        var objects = RandomObjects(random: SplitMix64(state: seed), transaction: transaction)
        // An embedded object without a value has no cell in CSV.
        objects.fillsEmbedded = format.name == "csv"
        try objects.make(20)
      }
      let files = try CollectionFiles(of: database, as: format)
      try withTemporaryDatabase { copy in
        try files.read(into: copy)
        let (expected, found) = try (text(of: database), text(of: copy))
        #expect(found.utf8.elementsEqual(expected.utf8))
        try expectSameBacklinks(database.snapshot(), copy.snapshot())
      }
    }
  }

  private func expectSameBacklinks(_ left: DatabaseReader, _ right: DatabaseReader) throws {
    for classSchema in left.schema.classes where !classSchema.isEmbedded {
      for object in try left.objects(of: classSchema.key) {
        #expect(try right.backlinks(to: object) == left.backlinks(to: object))
      }
    }
  }

  @Test(arguments: formats)
  func `of the sample give the same database again`(format: String) throws {
    let format = try #require(OutputFormat(format))
    try withTemporaryDatabase { database in
      try read(sampleDocument, into: database)
      let files = try CollectionFiles(of: database, as: format)
      try withTemporaryDatabase { copy in
        try files.read(into: copy)
        #expect(try text(of: copy) == text(of: database))
      }
    }
  }

  @Test func `in an archive give the same database again, interleaved or compressed`() throws {
    try withTemporaryDatabase { database in
      try read(sampleDocument, into: database)
      let snapshot = try database.snapshot()
      let selections = snapshot.schema.classes.filter { !$0.isEmbedded }.map { ObjectSelection($0) }
      var bytes: [UInt8] = []
      try ArchiveWriter(snapshot, database: "sample").write(selections) { bytes += $0 }
      let gzip = GzipWriter()
      let compressed = gzip.write(bytes) + gzip.finish()
      for file in [bytes, compressed, compressed + GzipWriter().finish()] as [[UInt8]] {
        try withTemporaryDatabase { copy in
          try CollectionFiles([("", file)]).read(into: copy)
          #expect(try text(of: copy) == text(of: database))
        }
      }
      // Wherever it ends early, between two blocks too, it is refused.
      let ends = bytes.indices.dropFirst(4).filter { end in
        end < bytes.count - 1 && bytes[end - 4..<end].allSatisfy { $0 == 0xFF }
      }
      #expect(ends.count > 20)
      for end in ends + [bytes.count - 1] {
        _ = try refusal { try CollectionFiles([("", Array(bytes[..<end]))]).read(into: $0) }
      }
      // A bit of a document that differs is noticed by the checksum.
      let name = try #require(bytes.firstRange(of: Array("Ada Winter".utf8)))
      bytes[name.lowerBound] = UInt8(ascii: "O")
      let error = try refusal { try CollectionFiles([("", bytes)]).read(into: $0) }
      #expect(error.contains("The checksum of the collection sample.Person is wrong"))
    }
  }

  @Test func `keep the keys of objects, with the holes between them`() throws {
    try withTemporaryDatabase { database in
      try read(
        document(
          #"{"$class":"Person"}"#,
          #"{"$property":"id","type":"string?","primaryKey":true}"#,
          #"{"$property":"friend","type":"link<Person>"}"#,
          #"{"$property":"any","type":"mixed"}"#,
          #"{"$class":"Dog"}"#,
          #"{"$property":"_id","type":"int"}"#,
          #"{"$property":"owner","type":"link<Person>"}"#,
          #"{"$object":"Person/3","id":null,"friend":{"$ref":"Person/9"},"any":{"$ref":"Dog/5"}}"#,
          #"{"$object":"Person/9","id":"a","friend":{"$ref":"Person/3"},"any":null}"#,
          #"{"$object":"Dog/5","_id":7,"owner":{"$ref":"Person/9"}}"#,
          #"{"$object":"Dog/8","_id":7,"owner":{"$ref":"Person/3"}}"#
        ),
        into: database
      )
      for format in [OutputFormat.bson, .extendedJSON, .csv] {
        let files = try CollectionFiles(of: database, as: format)
        try withTemporaryDatabase { copy in
          try files.read(into: copy)
          #expect(try text(of: copy) == text(of: database))
        }
      }
      #expect(
        try json("Dog", of: database)
          == #"{"_key":5,"_id":7,"owner":"a"}"# + "\n"
          + #"{"_key":8,"_id":7,"owner":{"$ref":"Person","$id":null}}"# + "\n"
      )
    }
  }

  @Test func `may come in any order and in batches`() throws {
    try withTemporaryDatabase { database in
      try read(sampleDocument, into: database)
      var files = try CollectionFiles(of: database, as: .bson)
      files.files.reverse()
      try withTemporaryDatabase { copy in
        try files.read(into: copy, batch: 7)
        #expect(try text(of: copy) == text(of: database))
      }
    }
  }

  /// What a database says that refuses an import; it is as it was then.
  private func refusal(_ body: (Database) throws -> Void) throws -> String {
    try withTemporaryDatabase { database in
      let before = try text(of: database)
      do {
        try body(database)
      } catch let error as DocumentError {
        #expect(try text(of: database) == before)
        return error.description
      }
      Issue.record("The import was not refused")
      return ""
    }
  }
}
