import KennelCore
import KennelDocuments
import KennelTestSupport
import Testing

/// Schemas as the documents of App Services have them: not everything that is never null is required,
/// some collections are, and a type may stand alone.
private let forms = [
  #"{"title":"Song","bsonType":"object","required":["_id"],"properties":{"_id":{"bsonType":"objectId"},"title":{"bsonType":"string"},"plays":{"bsonType":"long"}}}"#,
  #"{"title":"Club","bsonType":"object","required":["_id","name","rooms"],"properties":{"_id":"objectId","name":{"bsonType":"string"},"fans":{"bsonType":"array","items":"objectId"},"rooms":{"bsonType":"array","items":{"title":"Room","bsonType":"object","required":["doors"],"properties":{"city":"string","doors":{"bsonType":"int"}}}}}}"#,
  #"{"title":"Fan","bsonType":"object","required":["id"],"properties":{"id":{"bsonType":"int"},"home":{"title":"Place","bsonType":"object","properties":{"city":{"bsonType":"string"}}}}}"#,
]

private func compact(_ text: String) -> String { text.filter { !$0.isWhitespace } }

private func appServices(_ className: String, of database: Database) throws -> String {
  let classes = try database.snapshot().schema.definitions
  let writer = JSONSchemaWriter(classes, isForAppServices: true)
  return compact(JSONSchemaWriter.text(of: try #require(try writer.schema(of: className))))
}

@Suite struct `A JSON schema of App Services` {
  @Test(arguments: forms)
  func `is written as it was read, through a database and its lines`(
    form: String
  ) throws {
    try withTemporaryDatabase { database in
      try database.write { try schemas(of: [("x.json", form)]).define(in: $0) }
      let name = try #require(try database.snapshot().schema.classes.first?.name)
      #expect(try appServices(name, of: database) == form)
      let lines = try text(of: database)
      try withTemporaryDatabase { copy in
        try read(lines, into: copy)
        #expect(try appServices(name, of: copy) == form)
        #expect(try text(of: copy) == lines)
      }
    }
  }

  @Test func `requires the primary key alone of classes that no schema described`() throws {
    let song = ClassDefinition(
      "Song",
      properties: [
        PropertyDefinition("_id", .objectId, isPrimaryKey: true),
        PropertyDefinition("title", .string), PropertyDefinition("plays", .int),
      ]
    )
    let writer = JSONSchemaWriter([song], isForAppServices: true)
    #expect(
      compact(JSONSchemaWriter.text(of: try #require(try writer.schema(of: "Song")))) == forms[0]
    )
    try withTemporaryDatabase { database in
      try database.write { try $0.define([song]) }
      let before = try database.snapshot().schema
      // Read again, it contradicts nothing: what is not required may still be never null.
      try database.write { transaction in
        try schemas(of: [("Song.json", forms[0])], extending: before).define(in: transaction)
      }
      #expect(try database.snapshot().schema == before)
    }
  }

  @Test func `keeps what a later schema requires of a property that is there`() throws {
    try withTemporaryDatabase { database in
      let plain = forms[1].replacing(#","rooms"]"#, with: "]")
      for (form, lists) in [(plain, false), (forms[1], true), (plain, false)] {
        try database.write { transaction in
          try schemas(of: [("Club.json", form)], extending: transaction.schema)
            .define(in: transaction)
        }
        #expect(try appServices("Club", of: database).contains(#""name","rooms"]"#) == lists)
      }
    }
  }

  @Test func `lists every property that is never null as a plain JSON schema`() throws {
    let classes = try classes(of: [("x.json", forms[1])])
    let text = JSONSchemaWriter.text(
      of: try #require(try JSONSchemaWriter(classes).schema(of: "Club"))
    )
    #expect(compact(text).contains(#""required":["_id","name","rooms"]"#))
    #expect(compact(text).contains(#""_id":{"bsonType":"objectId"}"#))
  }
}
