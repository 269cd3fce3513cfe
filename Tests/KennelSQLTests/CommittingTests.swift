import CSQLite3
import Foundation
import KennelCore
import KennelSQL
import KennelTestSupport
import Testing

/// A copy of an SQLite file whose drafts are committed to the file.
struct CommittedCopy {
  let file: SQLFile
  let database: Database
  private(set) var forms: [TableForms]

  /// Reads a file into a database.
  init(_ file: SQLFile, in database: Database) throws {
    self.file = file
    self.database = database
    forms = try database.write { transaction in
      try SQLImporter(SQLiteConnection(file.path, try #require(SQLiteFile(file.path).access)))
        .run(in: transaction).forms
    }
  }

  /// Commits a draft to the file, and then to the copy.
  @discardableResult
  func commit(
    _ draft: Draft,
    confirming radius: BlastRadius? = nil,
    interrupted: (CommitTrace) throws -> Void = { _ in }
  ) throws -> CommitOutcome {
    var failure: (any Error)?
    do {
      return try draft.commit(
        confirming: radius,
        in: database.beginWrite(),
        mirroring: { (commit) throws(DatabaseError) in
          do {
            var writer = try SQLiteWriter(file.path)
            let changes = try RowChanges(commit, writer.mapping(addedKeys: [], forms))
            try writer.run(changes)
            try interrupted(CommitTrace(changes))
            try writer.commit()
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

  /// Brings the copy to the state of the file.
  func update() throws {
    try withTemporaryDatabase { newest in
      let summary = try newest.write { try importer.run(in: $0) }
      _ = try database.write { transaction in
        try CopyUpdate.run(summary.mapping, from: newest.snapshot(), in: transaction)
      }
    }
  }

  private var importer: SQLImporter {
    get throws {
      let access = try #require(SQLiteFile(file.path).access)
      return SQLImporter(try SQLiteConnection(file.path, access), former: forms)
    }
  }

  /// Compares everything that the copy and the file hold.
  func requireEqual(_ place: SourceLocation = #_sourceLocation) throws {
    try withTemporaryDatabase { newest in
      _ = try newest.write { try importer.run(in: $0) }
      let (own, other) = try (database.snapshot().rows(), newest.snapshot().rows())
      for (name, rows) in other { #expect(own[name] == rows, "\(name)", sourceLocation: place) }
    }
  }
}

extension Snapshot {
  /// The objects of all classes as text, in which links are the values of their targets.
  func rows() throws -> [String: [String]] {
    var found: [String: [String]] = [:]
    for schema in schema.classes {
      found[schema.name] = try objects(of: schema.key).map { try text(of: $0, depth: 0) }.sorted()
    }
    return found
  }

  private func text(of object: ObjectIdentity, depth: Int) throws -> String {
    let properties = schema[object.classKey]?.properties ?? []
    let parts = try properties.compactMap { property -> String? in
      let value = try value(of: object, property: property.key)
      if value.isNull, property.name.hasSuffix("_dangling") { return nil }
      let links = try value.links.map { depth > 1 ? "…" : try text(of: $0, depth: depth + 1) }
      return "\(property.name)="
        + (links.isEmpty ? "\(value)" : links.sorted().joined(separator: "+"))
    }
    return "(\(parts.joined(separator: " ")))"
  }
}

@Suite("A draft that is committed to an SQLite file")
struct CommittingTests {
  private static let shop = """
    CREATE TABLE customer (code TEXT PRIMARY KEY, name TEXT NOT NULL, since DATE, vip BOOLEAN);
    CREATE TABLE product (id INTEGER PRIMARY KEY, name TEXT UNIQUE, price NUMERIC DEFAULT 5,
      added TEXT DEFAULT CURRENT_TIMESTAMP);
    CREATE TABLE "order" (id INTEGER PRIMARY KEY, customer TEXT REFERENCES customer ON DELETE CASCADE,
      placed DATETIME);
    CREATE TABLE line (order_id INT NOT NULL REFERENCES "order" ON DELETE CASCADE,
      product_id INT NOT NULL REFERENCES product, amount INT, PRIMARY KEY (order_id, product_id))
      WITHOUT ROWID;
    CREATE TABLE tag (name TEXT PRIMARY KEY);
    CREATE TABLE product_tag (product INT REFERENCES product ON DELETE CASCADE,
      tag TEXT REFERENCES tag ON DELETE CASCADE, PRIMARY KEY (product, tag));
    CREATE TABLE note (text TEXT, "odd ""name" BLOB);
    INSERT INTO customer VALUES ('ALFKI', 'Alfred', '2020-01-02', 1), ('BERGS', 'Berg', NULL, 0);
    INSERT INTO product VALUES (1, 'Tea', 3, 'x'), (2, 'Milk', 1.5, 'y'), (7, 'Salt', 2, 'z');
    INSERT INTO "order" VALUES (10, 'ALFKI', '2024-05-01 09:30:00'), (11, 'BERGS', '2024-05-02 10:00:00');
    INSERT INTO line VALUES (10, 1, 2), (10, 2, 3), (11, 7, 1);
    INSERT INTO tag VALUES ('drink'), ('food');
    INSERT INTO product_tag VALUES (1, 'drink'), (2, 'drink'), (2, 'food');
    INSERT INTO note VALUES ('one', x'00ff'), ('two', NULL);
    """

  /// Runs a body with the copy of a file, and a draft.
  private func withCopy(
    _ statements: String = shop,
    _ body: (CommittedCopy, Draft) throws -> Void
  ) throws {
    let file = try SQLFile(statements)
    try withTemporaryDatabase { database in
      let copy = try CommittedCopy(file, in: database)
      try body(copy, try database.makeDraft())
    }
  }

  @Test func `names a row by its number, also where another row had the number before`() throws {
    let file = try SQLFile(
      """
      CREATE TABLE log (text TEXT);
      INSERT INTO log VALUES ('a'), ('b'), ('c');
      """
    )
    try withTemporaryDatabase { database in
      let copy = try CommittedCopy(file, in: database)
      try file.run("DELETE FROM log WHERE text <> 'a'")
      try copy.update()
      // SQLite gives them the numbers 2 and 3 again.
      try file.run("INSERT INTO log VALUES ('d'), ('e')")
      try copy.update()
      #expect(try database.snapshot().keys("log") == [1, 2, 3])
      let draft = try database.makeDraft()
      let log = try draft.reader.schema.require("log")
      try draft.delete([ObjectIdentity(log.key, ObjectKey(rawValue: 2))])
      // What another program has put there meanwhile is not what was seen.
      try file.run(
        "DELETE FROM log WHERE text = 'd'; INSERT INTO log (rowid, text) VALUES (2, 'f')"
      )
      let error = #expect(throws: SQLError.self) { try copy.commit(draft) }
      #expect(error?.kind == .changed)
      try copy.update()
      draft.discard()
      try copy.requireEqual()
    }
  }

  @Test func `changes the values of the rows alone that it names`() throws {
    try withCopy { copy, draft in
      let alfki = try draft.object("customer", "code", .string("ALFKI"))
      try draft.set(alfki, "name", .string("Alfred's \"new\" name 日本"))
      try draft.set(alfki, "vip", .bool(false))
      try draft.set(alfki, "since", .date(try #require(Timestamp("2021-03-04T00:00:00Z"))))
      let order = try draft.object("order", "id", .int(10))
      try draft.set(order, "placed", .date(try #require(Timestamp("2024-05-01T23:59:01Z"))))
      try draft.set(try draft.object("product", "id", .int(2)), "price", .double(1.25))
      try draft.set(try draft.object("note", "text", .string("one")), "odd \"name", .data([]))
      try copy.commit(draft)
      let sums = """
        SELECT (SELECT count(*) FROM customer WHERE name = 'Alfred''s "new" name 日本' AND vip = 0
          AND since = '2021-03-04') + (SELECT count(*) FROM "order" WHERE placed = '2024-05-01 23:59:01')
          + (SELECT count(*) FROM product WHERE price = 1.25)
          + (SELECT count(*) FROM note WHERE "odd ""name" = x'')
        """
      #expect(try copy.file.numbers(sums) == [4])
      try copy.requireEqual()
    }
  }

  @Test func `makes rows that refer to each other, and lets the database fill in what is open`()
    throws
  {
    try withCopy { copy, draft in
      let customer = try draft.create("customer", ["code": .string("NEW"), "name": .string("N")])
      let order = try draft.create("order", ["id": .int(99), "customer": .link(customer)])
      let product = try draft.create("product", ["id": .int(8), "name": .string("Ink")])
      try draft.create(
        "line",
        ["order_id": .link(order), "product_id": .link(product), "amount": .int(4)]
      )
      try draft.create("note", ["text": .string("three")])
      try draft.commitsTo(copy)
      #expect(
        try copy.file.numbers("SELECT order_id FROM line WHERE amount = 4 AND product_id = 8") == [
          99
        ]
      )
      #expect(
        try copy.file.numbers("SELECT price FROM product WHERE id = 8 AND length(added) = 19") == [
          5
        ]
      )
      #expect(try copy.file.numbers("SELECT rowid FROM note WHERE text = 'three'") == [3])
      try copy.update()
      try copy.requireEqual()
    }
  }

  @Test func `deletes what the plan shows, in an order that no key forbids`() throws {
    try withCopy { copy, draft in
      _ = try draft.delete([try draft.object("customer", "code", .string("ALFKI"))])
      let tea = try draft.object("product", "id", .int(1))
      _ = try draft.delete([tea])
      try draft.commitsTo(copy)
      #expect(try copy.file.numbers("SELECT count(*) FROM line") == [1])
      #expect(try copy.file.numbers("SELECT count(*) FROM product_tag") == [2])
      #expect(try copy.file.numbers("SELECT count(*) FROM customer") == [1])
      try copy.requireEqual()
    }
  }

  @Test func `moves unique values from row to row`() throws {
    try withCopy { copy, draft in
      _ = try draft.delete([try draft.object("order", "id", .int(11))])
      _ = try draft.delete([try draft.object("product", "id", .int(7))])
      let (tea, milk) = try (
        draft.object("product", "id", .int(1)), draft.object("product", "id", .int(2))
      )
      try draft.set(milk, "name", .string("Salt"))
      try draft.set(tea, "name", .string("Milk"))
      try draft.create("product", ["id": .int(9), "name": .string("Tea")])
      try draft.commitsTo(copy)
      try copy.update()
      try copy.requireEqual()
    }
  }

  @Test func `adds and removes members of sets`() throws {
    try withCopy { copy, draft in
      let tea = try draft.object("product", "id", .int(1))
      let (drink, food) = try (
        draft.object("tag", "name", .string("drink")), draft.object("tag", "name", .string("food"))
      )
      let tags = try draft.reader.schema.require("product").require("tag").key
      _ = try draft.removeMember(.link(drink), of: tea, property: tags)
      _ = try draft.insertMember(.link(food), of: tea, property: tags)
      try draft.commitsTo(copy)
      #expect(
        try copy.file.numbers("SELECT count(*) FROM product_tag WHERE product = 1 AND tag = 'food'")
          == [1]
      )
      try copy.update()
      try copy.requireEqual()
    }
  }

  @Test func `is refused where another program has changed a value, and changes nothing`() throws {
    try withCopy { copy, draft in
      try draft.set(try draft.object("customer", "code", .string("ALFKI")), "name", .string("mine"))
      try draft.set(try draft.object("product", "id", .int(2)), "price", .double(9))
      try copy.file.run("UPDATE customer SET name = 'theirs' WHERE code = 'ALFKI'")
      let error = #expect(throws: SQLError.self) { try copy.commit(draft) }
      #expect(error?.kind == .changed)
      #expect(try copy.file.numbers("SELECT count(*) FROM product WHERE price = 9") == [0])
      try copy.update()
      try draft.refresh()
      #expect(draft.conflicts.count == 1)
      try draft.resolve(try #require(draft.conflicts.first).id, with: .mine)
      try draft.commitsTo(copy)
      #expect(try copy.file.numbers("SELECT count(*) FROM customer WHERE name = 'mine'") == [1])
      try copy.requireEqual()
    }
  }

  @Test func `stays with its row where other rows come before it`() throws {
    try withCopy(
      """
      CREATE TABLE t (k TEXT PRIMARY KEY, v INT) WITHOUT ROWID;
      INSERT INTO t VALUES ('b', 1), ('c', 1), ('d', 1);
      """
    ) { copy, draft in
      let object = try draft.object("t", "k", .string("c"))
      try draft.set(object, "v", .int(2))
      try copy.file.run("INSERT INTO t VALUES ('a', 0); DELETE FROM t WHERE k = 'b'")
      try copy.update()
      try draft.refresh()
      #expect(draft.conflicts.isEmpty)
      #expect(try draft.object("t", "k", .string("c")) == object)
      try draft.commitsTo(copy)
      #expect(try copy.file.numbers("SELECT v FROM t ORDER BY k") == [0, 2, 1])
      try copy.requireEqual()
    }
  }

  @Test func `follows single changes among many neighbours, also of a long text`() throws {
    try withCopy(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, n INT, r INT REFERENCES t);
      WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 1000)
        INSERT INTO t SELECT i, CASE WHEN i = 1 THEN hex(zeroblob(9000)) END, i % 3, i / 2 + 1 FROM c;
      """
    ) { copy, _ in
      try copy.file.run(
        """
        UPDATE t SET v = replace(v, '0', '1') WHERE id = 1; UPDATE t SET n = 7 WHERE id = 300;
        UPDATE t SET r = NULL WHERE id = 999; UPDATE t SET r = 3 WHERE r = 600;
        DELETE FROM t WHERE id = 600; INSERT INTO t VALUES (5000, 'x', 1, 2);
        """
      )
      try copy.update()
      try copy.requireEqual()
    }
  }

  @Test func `is refused where a deletion would take rows that came meanwhile`() throws {
    try withCopy { copy, draft in
      _ = try draft.delete([try draft.object("customer", "code", .string("ALFKI"))])
      try copy.file.run("INSERT INTO \"order\" VALUES (12, 'ALFKI', NULL)")
      let error = #expect(throws: SQLError.self) { try copy.commit(draft) }
      #expect(error?.kind == .changed)
      #expect(try copy.file.numbers("SELECT count(*) FROM customer") == [2])
    }
  }

  @Test func `is refused with the database's own words where a constraint forbids it`() throws {
    try withCopy(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, n INT CHECK (n < 5)); INSERT INTO t VALUES (1, 2);"
    ) {
      copy,
      draft in
      try draft.set(try draft.object("t", "id", .int(1)), "n", .int(7))
      let error = #expect(throws: SQLError.self) { try copy.commit(draft) }
      #expect(error?.kind == .refused)
      #expect(error?.message.contains("CHECK constraint failed") == true)
    }
  }

  @Test func `says which value a column cannot hold`() throws {
    try withCopy(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, n REAL, m); INSERT INTO t VALUES (1, 2.5, 'a'), (2, 1.5, 1);"
    ) {
      copy,
      draft in
      let object = try draft.object("t", "id", .int(1))
      try draft.set(object, "n", .double(.nan))
      #expect(throws: SQLError.self) { try copy.commit(draft) }
      draft.discard()
      try draft.set(object, "m", .decimal128(Decimal128(3)))
      #expect(throws: SQLError.self) { try copy.commit(draft) }
    }
  }

  @Test func `keeps bytes that are no text, and tells other ones by them`() throws {
    try withCopy(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT); INSERT INTO t VALUES (1, CAST(x'ff41' AS TEXT)), (2, 'b');"
    ) {
      copy,
      draft in
      let object = try draft.object("t", "id", .int(1))
      try draft.set(object, "n", .string("mended"))
      try draft.commitsTo(copy)
      #expect(try copy.file.numbers("SELECT id FROM t WHERE n = 'mended'") == [1])
    }
  }

  @Test func `leaves a trace that tells whether it was stored`() throws {
    try withCopy { copy, draft in
      struct Interruption: Error {}
      try draft.set(try draft.object("product", "id", .int(2)), "price", .double(9))
      try draft.create("tag", ["name": .string("new")])
      _ = try draft.delete([try draft.object("order", "id", .int(11))])
      var trace: CommitTrace?
      #expect(throws: Interruption.self) {
        try copy.commit(draft) {
          trace = $0
          throw Interruption()
        }
      }
      let found = try #require(trace)
      #expect(try found.isStored(SQLiteConnection(copy.file.path, .locked)) == false)
      try copy.commit(draft)
      #expect(try found.isStored(SQLiteConnection(copy.file.path, .locked)) == true)
      try copy.file.run("UPDATE product SET price = 1.5; DELETE FROM tag WHERE name = 'new'")
      #expect(try found.isStored(SQLiteConnection(copy.file.path, .locked)) == nil)
    }
  }

  @Test func `is refused where the tables have changed`() throws {
    try withCopy { copy, draft in
      try draft.set(try draft.object("product", "id", .int(2)), "price", .double(9))
      try copy.file.run("ALTER TABLE product RENAME COLUMN price TO cost")
      let error = #expect(throws: SQLError.self) { try copy.commit(draft) }
      #expect(error?.kind == .changed)
    }
  }

  @Test func `finds the forms of its tables in their text`() throws {
    try withCopy { copy, _ in
      for form in copy.forms { #expect(TableForms(form.text) == form) }
      #expect(TableForms("zz numbers") == nil)
      #expect(TableForms("61 numbers date:1:99:0") == nil)
    }
  }
}

extension Draft {
  fileprivate func object(
    _ className: String,
    _ property: String,
    _ value: Value
  ) throws -> ObjectIdentity {
    let schema = try reader.schema.require(className)
    let key = try schema.require(property).key
    return try #require(
      try reader.objects(of: schema.key).first { try reader.value(of: $0, property: key) == value }
    )
  }

  fileprivate func set(_ object: ObjectIdentity, _ property: String, _ value: Value) throws {
    let schema = try #require(reader.schema[object.classKey])
    try set(object, property: schema.require(property).key, to: value)
  }

  @discardableResult
  fileprivate func create(_ className: String, _ values: [String: Value]) throws -> ObjectIdentity {
    let schema = try reader.schema.require(className)
    var byKey: [PropertyKey: Value] = [:]
    for (name, value) in values { byKey[try schema.require(name).key] = value }
    return try create(schema.key, byKey)
  }

  fileprivate func commitsTo(_ copy: CommittedCopy) throws {
    guard case .committed = try copy.commit(self) else {
      Issue.record("not committed")
      return
    }
  }
}
