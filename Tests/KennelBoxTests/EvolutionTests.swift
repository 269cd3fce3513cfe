import KennelBox
import KennelCore
import KennelTestSupport
import Testing

/// What happens to a file when the entities of a program change, as generated code describes them.
@Suite struct `Entities that changed` {
  private func openStore(
    _ path: String,
    named name: String = "Note",
    formerNames: [String] = [],
    _ properties: [EntityProperty]
  ) throws {
    let info = EntityInfo(
      name: name,
      formerNames: formerNames,
      properties: [.id("id")] + properties
    )
    _ = try KennelBox.Store(entities: [info], directory: path)
  }

  private func withFile(_ body: (String, Database) throws -> Void) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("notes.kennel")
    try openStore(path, [.value("text", String.self), .value("stars", Int.self)])
    let database = try Database.open(path)
    try database.write { transaction in
      let note = try transaction.schema.require("Note")
      try transaction.create(
        note.key,
        [note.require("text").key: .string("milk"), note.require("stars").key: .int(3)]
      )
    }
    try body(path, database)
    expectSound(database)
  }

  private func value(_ database: Database, _ className: String, _ name: String) throws -> Value {
    let snapshot = try database.snapshot()
    let schema = try snapshot.schema.require(className)
    let object = ObjectIdentity(schema.key, ObjectKey(rawValue: 1))
    return try snapshot.value(of: object, property: schema.require(name).key)
  }

  @Test func `get new properties, and leave those alone that they no longer have`() throws {
    try withFile { path, database in
      try openStore(path, [.value("done", Bool.self)])
      try #expect(value(database, "Note", "done") == .bool(false))
      try #expect(value(database, "Note", "text") == .string("milk"))
    }
  }

  @Test func `keep what a property or an entity holds that was renamed`() throws {
    try withFile { path, database in
      try openStore(
        path,
        named: "Reminder",
        formerNames: ["Memo", "Note"],
        [
          .value("title", String.self, formerNames: ["text"]),
          .value("text", Int?.self),
          .value("stars", Int.self, index: true),
        ]
      )
      try #expect(value(database, "Reminder", "title") == .string("milk"))
      try #expect(value(database, "Reminder", "text") == .null)
      try #expect(value(database, "Reminder", "stars") == .int(3))
      try #expect(database.snapshot().schema["Note"] == nil)
    }
  }

  @Test func `are found under the newest of their former names`() throws {
    try withFile { path, database in
      try openStore(path, named: "Memo", [])
      try openStore(path, [.value("heading", String.self)])
      try openStore(
        path,
        named: "Reminder",
        formerNames: ["Memo", "Note"],
        [.value("title", String.self, formerNames: ["heading", "text"])]
      )
      try #expect(value(database, "Reminder", "title") == .string("milk"))
      #expect(try database.snapshot().schema["Memo"] != nil)
    }
  }

  @Test func `find again what they left alone, under the same name and type`() throws {
    try withFile { path, database in
      try openStore(path, [])
      try openStore(path, [.value("text", String.self, replacesType: true)])
      try #expect(value(database, "Note", "text") == .string("milk"))
    }
  }

  @Test func `drop the values of a property whose type was replaced, only if they say so`() throws {
    try withFile { path, database in
      let error = boxError { try openStore(path, [.value("stars", String.self)]) }
      #expect(error == "schema")
      try #expect(value(database, "Note", "stars") == .int(3))
      try openStore(path, [.value("stars", String.self, replacesType: true)])
      try #expect(value(database, "Note", "stars") == .string(""))
    }
  }

  @Test
  func `keep values where a name was another's, and become optional or not`()
    throws
  {
    try withFile { path, database in
      try openStore(
        path,
        [
          .value("stars", String?.self, formerNames: ["text"]),
          .value("count", Int?.self, formerNames: ["stars"]),
        ]
      )
      try #expect(value(database, "Note", "stars") == .string("milk"))
      try #expect(value(database, "Note", "count") == .int(3))
      try openStore(path, [.value("stars", String.self)])
      try #expect(database.snapshot().schema["Note"]?["stars"]?.type == .string)
      try #expect(value(database, "Note", "stars") == .string("milk"))
    }
  }

  @Test func `lead backwards along the relation that they name now`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("library.kennel")
    _ = try KennelBox.Store(directoryPath: path)
    let database = try Database.open(path)
    try database.write { transaction in
      try transaction.define([
        ClassDefinition(
          "Author",
          backlinks: [BacklinkDefinition("books", origin: "Book", property: "editor")]
        ),
        ClassDefinition("Book", properties: [PropertyDefinition("editor", .link("Author"))]),
      ])
    }
    _ = try KennelBox.Store(directoryPath: path)
    let author = try #require(database.snapshot().schema.definitions.first { $0.name == "Author" })
    let named = BacklinkDefinition("books", origin: "Book", property: "author")
    #expect(author.backlinks == [named])
  }

  @Test func `need every entity that a relation leads to`() throws {
    let folder = try TemporaryFolder()
    let error = boxError {
      _ = try KennelBox.Store(
        entities: [KennelBoxTests.Book.entityInfo],
        directory: folder.file("x.kennel")
      )
    }
    #expect(error == "schema")
    #expect(!FileManager.default.fileExists(atPath: folder.file("x.kennel")))
  }
}
