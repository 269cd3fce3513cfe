import KennelCore
import KennelSQL
import KennelTestSupport
import Testing

/// The types of values, which SQLite lets differ from what a column declares.
@Suite struct `Values of SQLite` {
  private func types(_ columns: String, _ rows: String...) throws -> [String: String] {
    let values = rows.map { "INSERT INTO t VALUES (\($0));" }.joined()
    let file = try SQLFile("CREATE TABLE t (\(columns)); \(values)")
    var found: [String: String] = [:]
    try file.read { (snapshot, _) throws in found = try snapshot.types("t") }
    return found
  }

  @Test func `keep the type that they have, whatever their column declares`() throws {
    let file = try SQLFile(
      """
      CREATE TABLE t (a INT, b TEXT, c BLOB, d, e REAL, f VARCHAR (3));
      INSERT INTO t VALUES (9223372036854775807, 1, 'text', 1e999, 1, x'00'), (NULL, 2, '', -1e999, 2,
        x''), (-9223372036854775808, '', 'z', 0.5, NULL, NULL);
      """
    )
    try file.read { (snapshot, _) throws in
      #expect(
        try snapshot.types("t") == [
          "a": "int?", "b": "string?", "c": "string?", "d": "double?", "e": "double?", "f": "data?",
        ]
      )
      #expect(try snapshot.values("t", "a") == [.int(.max), .null, .int(.min)])
      #expect(try snapshot.values("t", "b") == [.string("1"), .string("2"), .string("")])
      #expect(
        try snapshot.values("t", "d") == [.double(.infinity), .double(-.infinity), .double(0.5)]
      )
      #expect(try snapshot.values("t", "f") == [.data([0]), .data([]), .null])
    }
  }

  @Test func `of several types are mixed, each as it is`() throws {
    let file = try SQLFile(
      """
      CREATE TABLE t (a);
      INSERT INTO t VALUES (1), (1.5), ('x'), (x'ff'), (NULL), (CAST (x'61ff' AS TEXT)), ('a' || char(0));
      """
    )
    try file.read { (snapshot, _) throws in
      #expect(try snapshot.types("t") == ["a": "mixed"])
      #expect(
        try snapshot.values("t", "a") == [
          .int(1), .double(1.5), .string("x"), .data([255]), .null, .data([0x61, 0xFF]),
          .string("a\0"),
        ]
      )
    }
  }

  @Test func `of a column of numbers are floating point numbers, and come back`() throws {
    #expect(
      try types("a NUMERIC, b DECIMAL (10, 2), c INT", "1, 2, 3", "1.5, 3, 4")
        == ["a": "double?", "b": "double?", "c": "int?"]
    )
    // Nothing makes a whole number of them again.
    #expect(try types("a, b BLOB", "1, 1", "1.5, 1.5") == ["a": "mixed", "b": "mixed"])
    // As a floating point number it would lose digits.
    #expect(try types("a NUMERIC", "9007199254740993", "1.5") == ["a": "mixed"])
  }

  @Test func `are truth values and dates where each is written again as it was`() throws {
    let file = try SQLFile(
      """
      CREATE TABLE t (a BOOLEAN, b DATE, c DATETIME, d TIMESTAMP, e DATE, f BOOL, g TEXT);
      INSERT INTO t VALUES (1, '2024-02-29', '2024-01-01 10:20:30', '0001-01-01T00:00:00.5Z',
        '2023-02-29', 2, '2024-01-01');
      INSERT INTO t VALUES (0, '0000-12-31', '1999-12-31 23:59:59', '9999-12-31T23:59:59.9Z',
        '2024-01-01', 1, '2024-01-01');
      """
    )
    try file.read { (snapshot, _) throws in
      #expect(
        try snapshot.types("t") == [
          "a": "bool?", "b": "date?", "c": "date?", "d": "date?", "e": "string?", "f": "int?",
          "g": "string?",
        ]
      )
      let dates = try snapshot.values("t", "d").map(\.description)
      #expect(dates == ["0001-01-01T00:00:00.5Z", "9999-12-31T23:59:59.9Z"])
    }
    for (one, other) in [
      ("2024-01-01", "2024-01-01 10:00:00"), ("2024-01-01 10:00:00", "2024-01-01T10:00:00"),
      ("2024-01-01 10:00:00.1", "2024-01-01 10:00:00.10"), ("2024-01-01", "2024-1-1"),
      ("2024-01-01", ""), ("2024-01-01 10:00:00", "2024-01-01 24:00:00"),
      ("2024-01-01 10:00:00", "2024-01-01 10:00:60"), ("2024-01-01", "2024-00-01"),
      ("2024-01-01", "2024-04-31"), ("2024-01-01 10:00:00", "2024-01-01 10:00:00+02:00"),
      ("2024-01-01 10:00:00", "2024-01-01 10:00:00."), ("2024-01-01", "-024-01-01"),
    ] {
      #expect(try types("a DATETIME", "'\(one)'", "'\(other)'") == ["a": "string?"], "\(other)")
    }
    #expect(try types("a DATETIME", "1700000000") == ["a": "int?"])
  }

  @Test func `of an empty table have the type that is declared`() throws {
    #expect(
      try types("a INT NOT NULL, b CHAR, c REAL, d BLOB, e, f BOOL, g DATE, h NUMERIC") == [
        "a": "int", "b": "string?", "c": "double?", "d": "data?", "e": "mixed", "f": "bool?",
        "g": "string?", "h": "double?",
      ]
    )
  }

  @Test func `that are defaults are known where they are literals`() throws {
    let file = try SQLFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a INT DEFAULT -7, b TEXT DEFAULT 'it''s', c TEXT DEFAULT
        CURRENT_TIMESTAMP, d REAL DEFAULT 1.5, e BOOL DEFAULT 1, f INT DEFAULT (1 + 1));
      INSERT INTO t VALUES (1, NULL, NULL, NULL, NULL, NULL, NULL);
      """
    )
    try file.read { (snapshot, _) throws in
      let properties = try snapshot.schema.require("t").properties
      #expect(
        properties.map(\.defaultValue) == [
          .int(0), .int(-7), .string("it's"), .null, .double(1.5), .bool(true), .null,
        ]
      )
      #expect(try snapshot.values("t", "a") == [.null])
    }
  }

  @Test(arguments: ["UTF-16le", "UTF-16be"])
  func `are texts in UTF-16, too`(encoding: String) throws {
    let file = try SQLFile(
      """
      PRAGMA encoding = '\(encoding)';
      CREATE TABLE "ü" (a TEXT, b TEXT);
      INSERT INTO "ü" VALUES ('é🐕', CAST (x'3DD83DD8' AS TEXT)), ('x', CAST (x'D83DD83D' AS TEXT));
      """
    )
    try file.read { (snapshot, _) throws in
      #expect(try snapshot.values("ü", "a") == [.string("é🐕"), .string("x")])
      let texts = try snapshot.values("ü", "b")
      #expect(texts.contains { if case .data = $0 { true } else { false } })
    }
  }
}
