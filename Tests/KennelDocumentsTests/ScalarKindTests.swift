import KennelCore
import KennelDocuments
import KennelTestSupport
import Testing

@Suite struct `Each kind of scalar` {
  @Test func `is a line of a document`() throws {
    try withTemporaryDatabase { database in
      try EveryKind.make(in: database)
      let document = try text(of: database)
      try withTemporaryDatabase { copy in
        try read(document, into: copy)
        try expectFilled(copy)
      }
    }
  }

  @Test(arguments: ["bson", "extjson", "relaxed", "json", "csv"])
  func `is in files of documents`(format: String) throws {
    try withTemporaryDatabase { database in
      try EveryKind.make(in: database)
      let files = try CollectionFiles(of: database, as: #require(OutputFormat(format)))
      try withTemporaryDatabase { copy in
        try files.read(into: copy)
        try expectFilled(copy)
      }
    }
  }

  private func expectFilled(_ database: Database) throws {
    let snapshot = try database.snapshot()
    let schema = try #require(snapshot.schema[EveryKind.definition.name])
    let key = try #require(snapshot.objects(of: schema.key, limit: 1).keys.first)
    try EveryKind.expectFilled(ObjectIdentity(schema.key, key), in: snapshot)
  }

  @Test func `has a JSON schema`() throws {
    try withTemporaryDatabase { database in
      try EveryKind.make(in: database)
      let text = try jsonSchema(EveryKind.definition)
      let schema = try database.snapshot().schema
      let read = try schemas(of: [("specimen.json", text)], extending: schema)
      #expect(read.classes == [EveryKind.definition])
      #expect(read.notes.isEmpty)
    }
  }
}
