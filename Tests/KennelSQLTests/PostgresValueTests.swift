import KennelCore
import KennelSQL
import KennelTestSupport
import Testing

/// The types of values, which PostgreSQL declares.
@Suite struct `Values of PostgreSQL` {
  @Test func `have Kennel's own types where it has them`() throws {
    let database = try PostgresDatabase(
      """
      CREATE DOMAIN price AS numeric(10, 2) CHECK (value > 0);
      CREATE DOMAIN special_price AS price;
      CREATE TABLE t (a bool, b int2, c int4, d int8, e oid, f float4, g float8, h text, i varchar(5),
        j char(3), k name, l bytea, m numeric(10, 2), n uuid, o date, p timestamp, q timestamptz(3),
        r special_price);
      INSERT INTO t VALUES (true, -1, -2147483648, 9223372036854775807, 4294967295, 0.1, 'NaN', 'é🐕',
        'ab', 'x', 'n', '\\x00ff', 1.50, '0f8fad5b-d9cb-469f-a165-70867728950e', '1969-12-31',
        '0001-01-01 00:00:00', '2024-02-29 12:30:00.25+02', 7), (false, 1, 1, 1, 0, '-Infinity',
        'Infinity', '', '', '', '', '', 'NaN', '00000000-0000-0000-0000-000000000000', '9999-12-31',
        '9999-12-31 23:59:59.999999', '1970-01-01 00:00:00+00', 1);
      INSERT INTO t (a) VALUES (NULL);
      """
    )
    try database.read { (snapshot, summary) throws in
      #expect(
        try snapshot.types("t") == [
          "a": "bool?", "b": "int?", "c": "int?", "d": "int?", "e": "int?", "f": "float?",
          "g": "double?", "h": "string?", "i": "string?", "j": "string?", "k": "string?",
          "l": "data?", "m": "decimal128?", "n": "uuid?", "o": "date?", "p": "date?", "q": "date?",
          "r": "decimal128?",
        ]
      )
      func texts(_ property: String) throws -> [String] {
        try snapshot.values("t", property).map(\.description)
      }
      #expect(try snapshot.values("t", "a") == [.bool(true), .bool(false), .null])
      #expect(try snapshot.values("t", "b") == [.int(-1), .int(1), .null])
      #expect(try snapshot.values("t", "c") == [.int(-2_147_483_648), .int(1), .null])
      #expect(try snapshot.values("t", "d") == [.int(.max), .int(1), .null])
      #expect(try snapshot.values("t", "e") == [.int(4_294_967_295), .int(0), .null])
      #expect(try snapshot.values("t", "f") == [.float(0.1), .float(-.infinity), .null])
      #expect(try texts("g") == ["nan", "inf", "null"])
      #expect(try snapshot.values("t", "h") == [.string("é🐕"), .string(""), .null])
      #expect(try snapshot.values("t", "j") == [.string("x  "), .string("   "), .null])
      #expect(try snapshot.values("t", "l") == [.data([0, 255]), .data([]), .null])
      #expect(try texts("m") == ["1.50", "NaN", "null"])
      #expect(
        try texts("n").map { $0.lowercased() }.prefix(1) == ["0f8fad5b-d9cb-469f-a165-70867728950e"]
      )
      #expect(try texts("o") == ["1969-12-31T00:00:00Z", "9999-12-31T00:00:00Z", "null"])
      #expect(try texts("p") == ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z", "null"])
      #expect(try texts("q") == ["2024-02-29T10:30:00.25Z", "1970-01-01T00:00:00Z", "null"])
      #expect(try texts("r") == ["7.00", "1.00", "null"])
      let columns = summary.mapping.tables[0].columns.map(\.column)
      #expect(columns.last?.declaredType == "public.special_price")
      #expect(columns.last?.baseType == "numeric(10,2)")
      #expect(columns[16].declaredType == "timestamp(3) with time zone")
    }
  }

  @Test func `of other types are the server's own text`() throws {
    let database = try PostgresDatabase(
      """
      CREATE TYPE mood AS ENUM ('sad', 'ok', 'it''s', 'very happy');
      CREATE TYPE pair AS (a int, b text);
      CREATE DOMAIN feeling AS mood;
      CREATE TABLE t (a json, b jsonb, c int[], d mood, e inet, f interval, g int4range, h point,
        i money, j time, k pair, l xml, m bit(3), n feeling, o text[], p "char", q tsvector);
      INSERT INTO t VALUES ('{"b" : 1,  "a":2}', '{"b" : 1,  "a":2}', '{{1,2},{3,NULL}}', 'it''s',
        '10.0.0.1/8', '1 year 2 days', '[1,5)', '(1,2)', 12, '12:30', '(1,"a b")', '<a/>', '101',
        'sad', '{"a,b","NULL",NULL}', 'x', 'a dog');
      """
    )
    try database.read { (snapshot, summary) throws in
      let names = summary.mapping.tables[0].columns.map(\.property)
      let values = try names.map { try snapshot.values("t", $0)[0].description }
      #expect(
        values == [
          #"{"b" : 1,  "a":2}"#, #"{"a": 2, "b": 1}"#, "{{1,2},{3,NULL}}", "it's", "10.0.0.1/8",
          "1 year 2 days", "[1,5)", "(1,2)", "$12.00", "12:30:00", #"(1,"a b")"#, "<a/>", "101",
          "sad", #"{"a,b","NULL",NULL}"#, "x", "'a' 'dog'",
        ]
      )
      #expect(Set(try snapshot.types("t").values) == ["string?"])
      let columns = summary.mapping.tables[0].columns.map(\.column)
      #expect(columns[3].labels == ["sad", "ok", "it's", "very happy"])
      #expect(columns[3].declaredType == "public.mood")
      #expect(columns[13].labels == columns[3].labels)
    }
  }

  @Test func `that do not fit keep the server's text in the whole column`() throws {
    let database = try PostgresDatabase(
      """
      CREATE TABLE t (id int PRIMARY KEY, a date, b timestamp, c timestamptz, d numeric, e numeric,
        f numeric, g numeric);
      INSERT INTO t VALUES
        (1, 'infinity', '0044-03-15 BC', '10000-01-01 00:00+00', 10e34, 1e-6100, 'Infinity',
          '1.000000000000000000000000000000000'),
        (2, '2024-01-01', '2024-01-01', '2024-01-01 00:00+00', 1.5, 1, 0.0000000001,
          '-9999999999999999999999999999999999');
      """
    )
    try database.read { (snapshot, _) throws in
      #expect(
        try snapshot.types("t") == [
          "id": "int", "a": "string?", "b": "string?", "c": "string?", "d": "string?",
          "e": "string?", "f": "decimal128?", "g": "decimal128?",
        ]
      )
      #expect(try snapshot.values("t", "a") == [.string("infinity"), .string("2024-01-01")])
      #expect(
        try snapshot.values("t", "b") == [
          .string("0044-03-15 00:00:00 BC"), .string("2024-01-01 00:00:00"),
        ]
      )
      #expect(
        try snapshot.values("t", "d") == [
          .string("100000000000000000000000000000000000"), .string("1.5"),
        ]
      )
      let numbers = try snapshot.values("t", "f").map(\.description)
      #expect(numbers == ["Infinity", "1E-10"])
      let long = try snapshot.values("t", "g").map(\.description)
      #expect(
        long == [
          "1.000000000000000000000000000000000", "-9999999999999999999999999999999999",
        ]
      )
    }
    // What Kennel writes, the server takes for the same.
    #expect(
      try database.run("SELECT '1E-10'::numeric::text = f::text FROM t WHERE id = 2") == "t\n"
    )
  }

  @Test func `of an empty table have the type that is declared`() throws {
    let database = try PostgresDatabase(
      "CREATE TABLE t (a int NOT NULL, b text, c numeric, d date, e json); CREATE TABLE nothing ()"
    )
    try database.read { (snapshot, _) throws in
      #expect(
        try snapshot.types("t") == [
          "a": "int", "b": "string?", "c": "decimal128?", "d": "date?", "e": "string?",
        ]
      )
      #expect(try snapshot.types("nothing") == [:])
    }
  }

  @Test func `that are defaults are known where they are literals`() throws {
    let database = try PostgresDatabase(
      """
      CREATE TYPE mood AS ENUM ('sad', 'ok');
      CREATE TABLE t (id serial PRIMARY KEY, a int DEFAULT -7, b text DEFAULT 'it''s',
        c timestamptz DEFAULT now(), d float8 DEFAULT 1.5, e bool DEFAULT true, f int DEFAULT 1 + 1,
        g varchar(5) DEFAULT 'x', h numeric DEFAULT 1.50, i mood DEFAULT 'ok',
        j int GENERATED ALWAYS AS IDENTITY, k int GENERATED BY DEFAULT AS IDENTITY,
        l int GENERATED ALWAYS AS (1 + 1) STORED);
      INSERT INTO t DEFAULT VALUES;
      """
    )
    try database.read { (snapshot, summary) throws in
      let properties = try snapshot.schema.require("t").properties
      let decimal = try #require(Decimal128("1.50"))
      #expect(
        properties.map(\.defaultValue) == [
          .int(0), .int(-7), .string("it's"), .null, .double(1.5), .bool(true), .null,
          .string("x"), .decimal128(decimal), .string("ok"), .null, .null, .null,
        ]
      )
      let columns = summary.mapping.tables[0].columns.map(\.column)
      #expect(columns.map(\.isGenerated).suffix(3) == [false, false, true])
      #expect(columns.map(\.identity).suffix(3) == [.always, .byDefault, nil])
      #expect(columns[0].defaultExpression == "nextval('public.t_id_seq'::regclass)")
    }
  }

  @Test func `are bytes where a database stores any bytes as text`() throws {
    let database = try PostgresDatabase(
      """
      CREATE TABLE t (id int PRIMARY KEY, a text, b text);
      INSERT INTO t VALUES (1, E'\\xC3\\xA9', 'plain'), (2, E'\\xFF', 'text');
      """,
      encoding: "SQL_ASCII"
    )
    try database.read { (snapshot, _) throws in
      #expect(try snapshot.types("t") == ["id": "int", "a": "mixed", "b": "string?"])
      #expect(try snapshot.values("t", "a") == [.string("é"), .data([255])])
      #expect(try snapshot.values("t", "b") == [.string("plain"), .string("text")])
    }
  }

  @Test func `of another encoding are converted`() throws {
    let database = try PostgresDatabase(
      "SET client_encoding = 'UTF8'; CREATE TABLE \"ü\" (a text); INSERT INTO \"ü\" VALUES ('é€')",
      encoding: "LATIN9"
    )
    try database.read { (snapshot, _) throws in
      #expect(try snapshot.values("ü", "a") == [.string("é€")])
    }
  }
}
