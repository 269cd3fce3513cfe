import Foundation
import KennelCore
import KennelSQL
import KennelTestSupport
import Testing

/// A copy of a PostgreSQL database whose drafts are committed to it.
struct CommittedServerCopy {
  let server: PostgresDatabase
  let database: Database
  let forms: [TableForms]

  init(_ server: PostgresDatabase, in database: Database) throws {
    self.server = server
    self.database = database
    forms = try database.write {
      try SQLImporter(server.connect(), PostgresPart()).run(in: $0).forms
    }
  }

  /// Commits a draft to the server, and then to the copy.
  @discardableResult
  func commit(
    _ draft: Draft,
    as user: String = "postgres",
    confirming radius: BlastRadius? = nil,
    announce: (CommitTrace) throws -> Void = { _ in }
  ) throws -> CommitOutcome {
    var failure: (any Error)?
    do {
      return try draft.commit(
        confirming: radius,
        in: database.beginWrite(),
        mirroring: { (commit) throws(DatabaseError) in
          do {
            let connection = try server.connect(user)
            let mapping = try SQLMapping(connection, PostgresPart(), addedKeys: [], forms)
            let changes = try RowChanges(commit, mapping, .postgres)
            try PostgresWriter(connection).commit(changes, mapping, announce: announce) {
              try server.connect(user)
            }
          } catch {
            failure = error
            throw DatabaseError(.conflict, "\(error)")
          }
        }
      )
    } catch {
      throw failure ?? error
    }
  }

  /// Brings the copy to the state of the server.
  func update() throws {
    try withTemporaryDatabase { newest in
      let importer = SQLImporter(try server.connect(), PostgresPart(), former: forms)
      let summary = try newest.write { try importer.run(in: $0) }
      _ = try database.write { transaction in
        try CopyUpdate.run(summary.mapping, from: newest.snapshot(), in: transaction)
      }
    }
  }

  /// Compares everything that the copy and the server hold.
  func requireEqual(_ place: SourceLocation = #_sourceLocation) throws {
    try withTemporaryDatabase { newest in
      let importer = SQLImporter(try server.connect(), PostgresPart(), former: forms)
      _ = try newest.write { try importer.run(in: $0) }
      let (own, other) = try (database.snapshot().rows(), newest.snapshot().rows())
      for (name, rows) in other { #expect(own[name] == rows, "\(name)", sourceLocation: place) }
    }
  }
}

@Suite("A draft that is committed to a PostgreSQL database")
struct PostgresCommittingTests {
  private static let shop = """
    CREATE TYPE mood AS ENUM ('sad', 'glad');
    CREATE TABLE customer (code text PRIMARY KEY, name varchar(20) NOT NULL, state mood,
      profile jsonb, tags text[], seen timestamptz, vip boolean, share real, amount numeric(10,2),
      id uuid, raw bytea, born date, address inet, letter char(3), note text);
    CREATE TABLE "order" (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      customer text REFERENCES customer ON DELETE CASCADE, placed timestamp DEFAULT '2024-05-01');
    CREATE TABLE line (order_id bigint NOT NULL REFERENCES "order" ON DELETE CASCADE,
      number int, count int CHECK (count > 0), PRIMARY KEY (order_id, number));
    INSERT INTO customer VALUES ('ada', 'Ada', 'glad', '{"a": [1, 2]}', '{x,"y z"}',
      '2024-05-01 12:30:00.123456+02', true, 0.1, 12.50, '00000000-0000-0000-0000-000000000001',
      '\\x00ff', '2001-02-03', '10.0.0.1/8', 'ab', NULL),
      ('bob', 'Bob', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'x');
    INSERT INTO "order" (customer) VALUES ('ada'), ('ada'), ('bob');
    INSERT INTO line VALUES (1, 1, 5), (1, 2, 6), (2, 1, 7);
    """

  private func withShop(
    _ more: String = "",
    _ body: (CommittedServerCopy, Draft) throws -> Void
  ) throws {
    let server = try PostgresDatabase(Self.shop + more)
    try withTemporaryDatabase { database in
      let copy = try CommittedServerCopy(server, in: database)
      try body(copy, try database.makeDraft())
    }
  }

  /// The object of a class by its place, and the key of a property.
  private func place(
    _ draft: Draft,
    _ className: String,
    _ number: Int,
    _ property: String
  ) throws -> (ObjectIdentity, PropertyKey) {
    let schema = try draft.reader.schema.require(className)
    let objects = try Array(draft.reader.objects(of: schema.key))
    return (objects[number], try schema.require(property).key)
  }

  private func set(
    _ draft: Draft,
    _ className: String,
    _ number: Int,
    _ property: String,
    _ value: Value
  ) throws {
    let (object, key) = try place(draft, className, number, property)
    try draft.set(object, property: key, to: value)
  }

  @Test func `is what psql sees, in values of every type`() throws {
    try withShop { copy, draft in
      for (name, value): (String, Value) in [
        ("name", .string("Ada's \\ \"名\"")), ("state", .string("sad")),
        ("profile", .string("{\"b\": null}")), ("tags", .string("{z}")), ("vip", .bool(false)),
        ("share", .float(.infinity)), ("raw", .data([0, 39, 255])),
        ("address", .string("192.168.0.1")), ("letter", .string("x")), ("note", .string("")),
        ("amount", .decimal128(try #require(Decimal128("-0.05")))),
        ("id", .uuid(try #require(UUIDValue("ffffffff-0000-0000-0000-000000000002")))),
        ("seen", .date(try #require(Timestamp(seconds: 1_000_000_000, nanoseconds: 1_000)))),
        ("born", .date(Timestamp(seconds: -86_400))),
      ] {
        try set(draft, "customer", 0, name, value)
      }
      try copy.commit(draft)
      #expect(
        try copy.server.run(
          """
          SET timezone = 'UTC';
          SELECT name, state, profile, tags, vip, share, raw, address, letter, note, amount, id, seen, born
          FROM customer WHERE code = 'ada'
          """
        )
          == "Ada's \\ \"名\"|sad|{\"b\": null}|{z}|f|Infinity|\\x0027ff|192.168.0.1|x  ||-0.05|"
          + "ffffffff-0000-0000-0000-000000000002|2001-09-09 01:46:40.000001+00|1969-12-31\n"
      )
      // Values that were there compare as what was seen of them.
      for name in ["state", "profile", "tags", "share", "raw", "letter", "amount", "seen"] {
        try set(draft, "customer", 0, name, .null)
      }
      try copy.commit(draft)
      try copy.update()
      try copy.requireEqual()
    }
  }

  @Test func `gives rows keys after which the server goes on`() throws {
    try withShop { copy, draft in
      let schema = try draft.reader.schema.require("order")
      let (ada, _) = try place(draft, "customer", 0, "name")
      try draft.create(
        schema.key,
        [
          try schema.require("id").key: .int(9), try schema.require("customer").key: .link(ada),
        ]
      )
      try copy.commit(draft)
      try copy.server.run("INSERT INTO \"order\" (customer) VALUES ('bob')")
      #expect(try copy.server.run("SELECT max(id) FROM \"order\"") == "10\n")
      #expect(
        try copy.server.run("SELECT placed FROM \"order\" WHERE id = 9") == "2024-05-01 00:00:00\n"
      )
      try copy.update()
      try copy.requireEqual()
    }
  }

  @Test func `deletes what was shown, and nothing if there is more by now`() throws {
    try withShop { copy, draft in
      let (ada, _) = try place(draft, "customer", 0, "name")
      #expect(try draft.delete([ada]) == 6)
      try copy.server.run("INSERT INTO line VALUES (2, 9, 9)")
      #expect(throws: SQLError(.changed, "a deletion would take other rows than those shown")) {
        try copy.commit(draft)
      }
      #expect(try copy.server.run("SELECT count(*) FROM line") == "4\n")
      try copy.server.run("DELETE FROM line WHERE number = 9")
      try copy.commit(draft)
      #expect(try copy.server.run("SELECT count(*) FROM \"order\"") == "1\n")
      try copy.requireEqual()
    }
  }

  @Test func `changes no row that another program has changed`() throws {
    try withShop { copy, draft in
      try set(draft, "customer", 0, "name", .string("Mine"))
      try copy.server.run("UPDATE customer SET name = 'Theirs' WHERE code = 'ada'")
      let error = #expect(throws: SQLError.self) { try copy.commit(draft) }
      #expect(error?.kind == .changed)
      try copy.update()
      try draft.refresh()
      #expect(draft.conflicts.count == 1)
      #expect(try copy.server.run("SELECT name FROM customer WHERE code = 'ada'") == "Theirs\n")
    }
  }

  @Test(arguments: [
    ("line", "count", Value.int(0), "line_count_check"),
    ("customer", "profile", .string("{"), "invalid input syntax for type json"),
    ("customer", "state", .string("mad"), "invalid input value for enum mood"),
    ("customer", "name", .string("a\0b"), "cannot be"),
    ("customer", "name", .string(String(repeating: "a", count: 21)), "value too long"),
  ])
  func `is refused whole in the words of the server`(
    className: String,
    property: String,
    value: Value,
    words: String
  ) throws {
    try withShop { copy, draft in
      try set(draft, "customer", 1, "note", .string("before"))
      try set(draft, className, 0, property, value)
      let error = #expect(throws: SQLError.self) { try copy.commit(draft) }
      #expect(error?.kind == .refused && error?.message.contains(words) == true, "\(error as Any)")
      #expect(try copy.server.run("SELECT note FROM customer WHERE code = 'bob'") == "x\n")
    }
  }

  @Test func `says what a user may not do`() throws {
    try withShop("CREATE ROLE reader_\(UUID().uuidString.prefix(4)) LOGIN;") { copy, draft in
      let user = try copy.server.run(
        "SELECT rolname FROM pg_roles WHERE rolname ILIKE 'reader_%' ORDER BY oid DESC LIMIT 1"
      ).trimmingCharacters(in: .newlines)
      try copy.server.run("GRANT SELECT ON ALL TABLES IN SCHEMA public TO \"\(user)\"")
      try set(draft, "customer", 0, "name", .string("Mine"))
      let error = #expect(throws: SQLError.self) { try copy.commit(draft, as: user) }
      #expect(error?.message.contains("permission denied for table customer") == true)
    }
  }

  @Test(arguments: [true, false])
  func `is known to be stored or not when the connection breaks`(isStored: Bool) throws {
    try withShop { copy, draft in
      try set(draft, "customer", 0, "name", .string("Mine"))
      var trace: CommitTrace?
      let backends =
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
        + "WHERE datname = current_database() AND pid <> pg_backend_pid()"
      if isStored {
        try copy.commit(draft) { trace = $0 }
      } else {
        #expect(throws: SQLError.self) {
          try copy.commit(draft) {
            trace = $0
            _ = try copy.server.run(backends)
          }
        }
      }
      let found = try #require(trace)
      #expect(try found.isStored(copy.server.connect()) == isStored)
      #expect(
        try copy.server.run("SELECT name FROM customer WHERE code = 'ada'")
          == (isStored ? "Mine\n" : "Ada\n")
      )
    }
  }

  @Test func `finds its rows again in another copy, whatever numbers they have there`() throws {
    let folder = try TemporaryFolder()
    try withShop { copy, draft in
      let (bob, name) = try place(draft, "customer", 1, "name")
      try draft.set(bob, property: name, to: .string("Kept"))
      let (line, _) = try place(draft, "line", 2, "count")
      try draft.delete([line])
      try names(of: copy, folder) { try $0.keep(draft.records, number: 1) }
      try copy.server.run(
        "INSERT INTO customer VALUES ('aaa', 'First'); INSERT INTO line VALUES (1, 0, 1)"
      )
      try withTemporaryDatabase { database in
        let other = try CommittedServerCopy(copy.server, in: database)
        let restored = try database.makeDraft()
        try names(of: other, folder) { journal in
          let kept = try #require(journal.findKept().first)
          try restored.restore(kept.records)
        }
        #expect(restored.conflicts.isEmpty)
        // What was confirmed is not known of objects that have other keys.
        guard case .deletionsGrew(let radius) = try other.commit(restored) else {
          throw TestFailure("it does not ask")
        }
        try other.commit(restored, confirming: radius)
        #expect(
          try copy.server.run(
            "SELECT string_agg(name, ' ' ORDER BY code) FROM customer; SELECT count(*) FROM line"
          ) == "First Ada Kept\n3\n"
        )
        #expect(try copy.server.run("SELECT count(*) FROM line WHERE order_id = 2") == "0\n")
      }
      // Where the row is gone, that is a conflict.
      try copy.server.run("DELETE FROM customer WHERE code = 'bob'")
      try withTemporaryDatabase { database in
        let other = try CommittedServerCopy(copy.server, in: database)
        let restored = try database.makeDraft()
        try names(of: copy, folder) { try $0.keep(draft.records, number: 1) }
        try names(of: other, folder) { journal in
          try restored.restore(#require(journal.findKept().first).records)
        }
        #expect(restored.conflicts.count == 1)
      }
    }
  }

  /// Runs a body with a journal that names the rows of a copy.
  private func names(
    of copy: CommittedServerCopy,
    _ folder: TemporaryFolder,
    _ body: (DraftJournal) throws -> Void
  ) throws {
    let connection = try copy.server.connect()
    let mapping = try SQLMapping(connection, PostgresPart(), addedKeys: [], copy.forms)
    let rows = try RowNames(mapping, copy.database)
    // Whatever a journal says, it is a name or none.
    for text in ["", ":", "-1:x", "9:", "99999999999999999999:x", "8:customer-3:a", "x"] {
      #expect(rows.object(named: text) == nil)
    }
    let names = DraftNames(path: "postgres://shop", id: UUIDValue(high: 1, low: 2)) {
      rows.name(of: $0)
    } find: {
      rows.object(named: $0)
    }
    let journal = DraftJournal(for: copy.database, in: folder.file("drafts"), named: names)
    try body(journal)
    journal.close()
  }

  @Test(arguments: 0..<(ProcessInfo.processInfo.environment["KENNEL_LONG"] == nil ? 25 : 1_000))
  func `leaves on the server what the draft showed, or nothing`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let tables = CommittedTables(&random, forPostgres: true)
    let server = try PostgresDatabase(tables.statements)
    try withTemporaryDatabase { database in
      let copy = try CommittedServerCopy(server, in: database)
      let draft = try database.makeDraft()
      for _ in 0..<1 + random.below(8) { tables.change(draft, &random) }
      let shown = try draft.reader.copy().rows()
      let before = try database.snapshot()
      do {
        try copy.commit(draft)
        let after = try database.snapshot()
        let committed = try after.rows()
        #expect(committed == shown)
        try copy.update()
        for name in tables.names {
          #expect(try database.snapshot().rows()[name] == committed[name])
        }
        try takeBack(from: before, to: after, in: copy)
      } catch let error as SQLError {
        #expect(error.kind == .refused, "\(error)")
        draft.discard()
      }
      try copy.requireEqual()
    }
  }

  /// Commits what undoes a commit; then all is as it was.
  private func takeBack(
    from before: Snapshot,
    to after: Snapshot,
    in copy: CommittedServerCopy
  ) throws {
    let draft = try copy.database.makeDraft()
    try draft.restore(copy.database.recordsTakingBack(from: before, to: after))
    #expect(draft.conflicts.isEmpty)
    // With an object go the rows of its sets, which are objects by now.
    if case .deletionsGrew(let radius) = try copy.commit(draft) {
      try copy.commit(draft, confirming: radius)
    }
    try copy.update()
    let (now, old) = try (copy.database.snapshot().rows(), before.rows())
    for (name, rows) in old { #expect(now[name] == rows, "\(name)") }
  }
}
