import Foundation
import KennelCore
import KennelSQL
import KennelTestSupport
import Testing

/// What a file may have that few have.
@Suite struct `Odd tables of SQLite` {
  @Test func `have the numbers of rows as keys where these are near each other`() throws {
    let file = try SQLFile(
      """
      CREATE TABLE near (a TEXT); CREATE TABLE below (id INTEGER PRIMARY KEY, up INT REFERENCES below);
      CREATE TABLE shadowed (rowid TEXT, _rowid_ TEXT, a INT); CREATE TABLE wide (id INTEGER PRIMARY KEY);
      CREATE TABLE nameless (rowid, _rowid_, oid);
      CREATE TABLE link (w INT REFERENCES wide, b INT REFERENCES below, x);
      INSERT INTO near (rowid, a) VALUES (3, 'c'), (700, 'x');
      INSERT INTO below VALUES (-5, 0), (0, -5), (9, NULL);
      INSERT INTO shadowed (rowid, oid, a) VALUES ('r', 17, 1);
      INSERT INTO wide VALUES (1), (9000000000000000000);
      INSERT INTO nameless VALUES (1, 2, 3);
      INSERT INTO link VALUES (9000000000000000000, 0, 1), (2, -5, 1), (1, 9, 1);
      """
    )
    try file.read { (snapshot, summary) throws in
      #expect(try snapshot.keys("near") == [3, 700])
      #expect(try snapshot.keys("below") == [1, 2, 3])
      #expect(try snapshot.values("below", "id") == [.int(-5), .int(0), .int(9)])
      #expect(try snapshot.targets("below", "up") == [2, 1, nil])
      #expect(try snapshot.keys("shadowed") == [17])
      #expect(try snapshot.keys("wide") == [1, 2])
      #expect(try snapshot.keys("nameless") == [1])
      #expect(try snapshot.targets("link", "w") == [2, nil, 1])
      #expect(try snapshot.targets("link", "b") == [2, 1, 3])
      #expect(try snapshot.values("link", "w_dangling") == [.null, .int(2), .null])
      let readOnly = summary.mapping.tables.filter { $0.readOnlyReason != nil }.map(\.className)
      #expect(readOnly == ["nameless"])
    }
  }

  @Test func `have keys of any type, also null`() throws {
    let file = try SQLFile(
      """
      CREATE TABLE texts (a TEXT PRIMARY KEY); CREATE TABLE nulls (a TEXT PRIMARY KEY);
      CREATE TABLE reals (a REAL PRIMARY KEY); CREATE TABLE blobs (a BLOB PRIMARY KEY) WITHOUT ROWID;
      CREATE TABLE down (a INTEGER PRIMARY KEY DESC); CREATE TABLE any (a PRIMARY KEY);
      CREATE TABLE c (t TEXT REFERENCES texts, r REAL REFERENCES reals, b BLOB REFERENCES blobs,
        d INT REFERENCES down, a REFERENCES any);
      INSERT INTO texts VALUES ('b'), ('a'); INSERT INTO nulls VALUES (NULL), (NULL), ('x');
      INSERT INTO reals VALUES (1.5), (2); INSERT INTO blobs VALUES (x'02'), (x'01');
      INSERT INTO down VALUES (5), (4); INSERT INTO any VALUES ('1'), (1);
      INSERT INTO c VALUES ('a', 2, x'02', 4, 1), (NULL, NULL, NULL, NULL, '1');
      """
    )
    try file.read { (snapshot, _) throws in
      let keys = ["texts", "nulls", "reals", "blobs", "down", "any"].map {
        snapshot.schema[$0]?.primaryKey?.name
      }
      #expect(keys == ["a", nil, nil, nil, "a", nil])
      #expect(try snapshot.targets("c", "t") == [2, nil])
      #expect(try snapshot.targets("c", "r") == [2, nil])
      #expect(try snapshot.targets("c", "b") == [2, nil])
      #expect(try snapshot.targets("c", "d") == [2, nil])
      #expect(try snapshot.targets("c", "a") == [2, 1])
    }
  }

  @Test func `are views and virtual tables, if reading them ends`() throws {
    let file = try SQLFile(
      """
      CREATE TABLE t (a INT, b INT AS (a + 1), c INT AS (a * 2) STORED);
      INSERT INTO t VALUES (1), (2);
      CREATE VIEW twice AS SELECT a, a, sum(b) AS "sum" FROM t GROUP BY a;
      CREATE VIEW endless AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
        SELECT i FROM n WHERE i < 0;
      CREATE VIEW long AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
        SELECT i FROM n;
      CREATE VIEW broken AS SELECT * FROM gone;
      CREATE VIRTUAL TABLE words USING fts5 (text);
      INSERT INTO words VALUES ('a dog'), ('a cat');
      CREATE TABLE "kennel 0" (a); INSERT INTO "kennel 0" VALUES ('mine');
      """
    )
    try file.read { (snapshot, summary) throws in
      #expect(
        snapshot.schema.classes.map(\.name) == ["t", "twice", "words", "kennel 0"]
      )
      #expect(try snapshot.values("t", "b") == [.int(2), .int(3)])
      #expect(try snapshot.values("t", "c") == [.int(2), .int(4)])
      #expect(try snapshot.values("twice", "sum") == [.int(2), .int(3)])
      #expect(try snapshot.values("words", "text") == [.string("a dog"), .string("a cat")])
      #expect(try snapshot.values("kennel 0", "a") == [.string("mine")])
      let remark = try #require(summary.remarks.first)
      #expect(remark.hasPrefix("not shown: "))
      for name in ["broken (", "endless (it takes too long)", "long ("] {
        #expect(remark.contains(name), "\(remark)")
      }
      #expect(
        summary.mapping.tables.map { $0.readOnlyReason != nil } == [false, true, true, false]
      )
    }
  }

  @Test func `have 1,600 columns`() throws {
    let columns = (0..<1_600).map { "c\($0) INT" }.joined(separator: ", ")
    let values = (0..<1_600).map { "\($0)" }.joined(separator: ", ")
    let file = try SQLFile("CREATE TABLE t (\(columns)); INSERT INTO t VALUES (\(values));")
    try file.read { (snapshot, _) throws in
      #expect(try snapshot.schema.require("t").properties.count == 1_600)
      #expect(try snapshot.values("t", "c1599") == [.int(1_599)])
    }
  }

  @Test func `have a value that is too long for memory, which is said`() throws {
    let file = try SQLFile("CREATE TABLE t (a); INSERT INTO t VALUES (zeroblob(300000000));")
    let error = #expect(throws: SQLError.self) { try file.read { _, _ in } }
    #expect(error?.message == "it has a value of more than 256 MB (table t)")
  }

  @Test(arguments: 0..<(ProcessInfo.processInfo.environment["KENNEL_LONG"] == nil ? 40 : 1_000))
  func `of random schemas have the links that SQLite finds`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let schema = RandomTables(&random)
    let file = try SQLFile(schema.statements)
    try file.read { (snapshot, summary) throws in
      for table in summary.mapping.tables {
        for link in table.links {
          let query = schema.targets(of: link, in: table, summary.mapping)
          let expected = try file.numbers(query)
          #expect(
            try snapshot.targets(table.className, link.property) == expected,
            "seed \(seed): \(query)"
          )
          let name = "\(link.property)_dangling"
          let hasValues = try snapshot.schema.require(table.className)[name] != nil
          let kept = hasValues ? try snapshot.values(table.className, name) : []
          let left = try file.numbers(schema.dangling(link, in: table, summary.mapping))
          #expect([UInt64(kept.count { !$0.isNull })] == left, "seed \(seed): \(name)")
        }
      }
    }
  }
}
