import KennelCore
import KennelSQL
import KennelTestSupport
import Testing

/// Tables and foreign keys of PostgreSQL as classes and links.
@Suite struct `A table of PostgreSQL` {
  @Test func `is a class, and a foreign key a link in both directions`() throws {
    let database = try PostgresDatabase(
      """
      CREATE TABLE customer (id int PRIMARY KEY, name text NOT NULL, boss int REFERENCES customer);
      CREATE TABLE "order" (id bigint PRIMARY KEY, customer_id smallint REFERENCES customer,
        at uuid);
      CREATE INDEX ON "order" (at);
      INSERT INTO customer VALUES (7, 'Ada', 9), (9, 'Bob', 9);
      INSERT INTO "order" VALUES (1, 9), (2, NULL), (3, 7);
      """
    )
    try database.read { (snapshot, summary) throws in
      #expect(snapshot.schema.classes.map(\.name) == ["customer", "order"])
      #expect(
        try snapshot.types("order") == [
          "id": "int", "customer_id": "link<customer>", "at": "uuid?",
        ]
      )
      #expect(try snapshot.schema.require("order").require("id").isPrimaryKey)
      #expect(try snapshot.schema.require("order").require("at").isIndexed)
      #expect(try snapshot.keys("customer") == [7, 9])
      #expect(try snapshot.targets("order", "customer_id") == [9, nil, 7])
      #expect(try snapshot.targets("customer", "boss") == [9, 9])
      #expect(summary.objectCount == 5)
      #expect(summary.remarks == [])
      #expect(summary.mapping.tables.allSatisfy { $0.readOnlyReason == nil })
    }
  }

  @Test func `has the numbers of its rows as keys where these are near each other in groups`()
    throws
  {
    let database = try PostgresDatabase(
      """
      CREATE TABLE near (id int PRIMARY KEY); CREATE TABLE grouped (id int PRIMARY KEY);
      CREATE TABLE scattered (id int PRIMARY KEY); CREATE TABLE wide (id bigint PRIMARY KEY);
      INSERT INTO near VALUES (3), (700); INSERT INTO grouped VALUES (1), (2), (50000000);
      INSERT INTO scattered SELECT n * 1000 FROM generate_series(1, 5000) AS n;
      INSERT INTO wide VALUES (1), (9000000000000000000);
      """
    )
    try database.read { (snapshot, _) throws in
      #expect(try snapshot.keys("near") == [3, 700])
      #expect(try snapshot.keys("grouped") == [1, 2, 50_000_000])
      #expect(try snapshot.keys("scattered").prefix(2) == [1, 2])
      #expect(try snapshot.keys("wide") == [1, 2])
    }
  }

  @Test func `refers to keys of any type and number of columns`() throws {
    let database = try PostgresDatabase(
      """
      CREATE EXTENSION citext;
      CREATE TABLE line (o int, p int, text text, PRIMARY KEY (o, p));
      CREATE TABLE sent (id int PRIMARY KEY, o int, p int,
        CONSTRAINT "the line" FOREIGN KEY (p, o) REFERENCES line (p, o));
      CREATE TABLE back (id int PRIMARY KEY, o int, p int, FOREIGN KEY (o, p) REFERENCES line);
      CREATE TABLE word (w citext PRIMARY KEY, n numeric UNIQUE, u uuid UNIQUE, e char(4) UNIQUE);
      CREATE TABLE use (w citext REFERENCES word, n int REFERENCES word (n),
        u uuid REFERENCES word (u), e char(4) REFERENCES word (e), number int);
      INSERT INTO line VALUES (1, 2, 'a'), (1, 3, 'b'), (2, 2, 'c');
      INSERT INTO sent VALUES (1, 2, 2), (2, 1, 3), (3, 1, NULL);
      INSERT INTO back VALUES (1, 1, 2);
      INSERT INTO word VALUES ('b', 1.0, '00000000-0000-0000-0000-000000000001', 'x'),
        ('a', 2.50, '00000000-0000-0000-0000-000000000002', 'y');
      INSERT INTO use VALUES ('A', 1, '00000000-0000-0000-0000-000000000002', 'x', 1);
      """
    )
    try database.read { (snapshot, summary) throws in
      #expect(try snapshot.targets("sent", "the line") == [3, 2, nil])
      #expect(try snapshot.targets("back", "line") == [1])
      #expect(try snapshot.types("sent")["o"] == "int?")
      // The words are numbered in the order of their key.
      #expect(try snapshot.values("word", "w") == [.string("a"), .string("b")])
      let targets = try ["w", "n", "u", "e"].map { try snapshot.targets("use", $0)[0] }
      #expect(targets == [1, 2, 1, 2])
      #expect(summary.remarks == [])
    }
  }

  @Test func `of two foreign keys and nothing else is a set of links and its backlink, too`() throws
  {
    let database = try PostgresDatabase(
      """
      CREATE TABLE track (id int PRIMARY KEY);
      CREATE TABLE list (name text PRIMARY KEY);
      CREATE TABLE entry (list text REFERENCES list, track int REFERENCES track,
        PRIMARY KEY (list, track));
      INSERT INTO track VALUES (1), (2), (3); INSERT INTO list VALUES ('x'), ('a');
      INSERT INTO entry VALUES ('x', 3), ('x', 1), ('a', 3);
      """
    )
    try database.read { (snapshot, _) throws in
      let track = try snapshot.schema.require("track").key
      func set(_ keys: UInt64...) -> Value {
        .set(keys.map { .link(ObjectIdentity(track, ObjectKey(rawValue: $0))) })
      }
      #expect(try snapshot.values("list", "track") == [set(3), set(1, 3)])
      #expect(try snapshot.schema.require("track").backlinks.map(\.name) == ["list"])
    }
  }

  @Test func `has its schema before its name where two tables share one`() throws {
    let database = try PostgresDatabase(
      """
      CREATE SCHEMA sales; CREATE SCHEMA hr;
      CREATE TABLE sales.person (id int PRIMARY KEY);
      CREATE TABLE hr.person (id int PRIMARY KEY, sales int REFERENCES sales.person);
      CREATE TABLE hr.room (id int PRIMARY KEY, "Person" int REFERENCES hr.person, person int);
      CREATE TABLE "Room" (id int PRIMARY KEY, "a" int, "A" int REFERENCES hr.room);
      INSERT INTO sales.person VALUES (1); INSERT INTO hr.person VALUES (5, 1);
      INSERT INTO hr.room VALUES (2, 5, 6); INSERT INTO "Room" VALUES (3, 2, 2);
      """
    )
    try database.read { (snapshot, summary) throws in
      let names = snapshot.schema.classes.map(\.name)
      #expect(names == ["Room", "hr_person", "room", "sales_person"])
      #expect(try snapshot.targets("hr_person", "sales") == [1])
      #expect(try snapshot.targets("room", "Person") == [5])
      #expect(try snapshot.values("room", "person") == [.int(6)])
      #expect(try snapshot.targets("Room", "A") == [2])
      #expect(try snapshot.values("Room", "a") == [.int(2)])
      #expect(
        summary.remarks == [
          "names that were changed: hr.person is hr_person, sales.person is sales_person"
        ]
      )
    }
    try database.read(PostgresPart(tables: ["hr.person", "room"])) { (snapshot, summary) throws in
      #expect(snapshot.schema.classes.map(\.name) == ["hr_person", "room"])
      #expect(try snapshot.values("hr_person", "sales") == [.int(1)])
      #expect(summary.remarks.contains("not shown: Room, sales.person"))
      #expect(
        summary.remarks.contains(
          "foreign keys that are no links: hr.person (sales): sales.person is not read"
        )
      )
    }
    #expect(database.refusal(PostgresPart(tables: ["nix"])) == "there is no table nix")
  }

  @Test func `has its own names, as far as a class can have them`() throws {
    let database = try PostgresDatabase(
      """
      CREATE TABLE "select" ("a.b" int, "a_b" int, "日 本" int, "it's ""so"" now" int,
        "line\nbreak" int, "é" int, "e\u{301}" int);
      CREATE TABLE "x'); DROP TABLE ""select""; --" ("%s $1 \\" int PRIMARY KEY);
      INSERT INTO "select" VALUES (1, 2, 3, 4, 5, 6, 7);
      INSERT INTO "x'); DROP TABLE ""select""; --" VALUES (8);
      """
    )
    try database.read { (snapshot, _) throws in
      #expect(
        try snapshot.schema.require("select").properties.map { Array($0.name.utf8) }
          == [
            "a_b", "a_b_", "日 本", "it's \"so\" now", "line_break", "é", "e\u{301}",
          ].map { Array($0.utf8) }
      )
      #expect(snapshot.schema.classes.count == 2)
      #expect(try snapshot.values("x'); DROP TABLE \"select\"; --", "%s $1 \\") == [.int(8)])
    }
  }

  @Test func `is shown with its partitions, without its heirs, and beside views`() throws {
    let database = try PostgresDatabase(
      """
      CREATE TABLE day (id int, at date, PRIMARY KEY (id, at)) PARTITION BY RANGE (at);
      CREATE TABLE day_1 PARTITION OF day FOR VALUES FROM ('2023-01-01') TO ('2024-01-01');
      CREATE TABLE day_2 PARTITION OF day FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');
      CREATE TABLE note (id int PRIMARY KEY, day int, at date,
        FOREIGN KEY (day, at) REFERENCES day ON DELETE CASCADE);
      CREATE TABLE log (a int) PARTITION BY LIST (a);
      CREATE TABLE log_1 PARTITION OF log FOR VALUES IN (1);
      CREATE TABLE log_2 PARTITION OF log FOR VALUES IN (2);
      CREATE TABLE animal (id int PRIMARY KEY, name text);
      CREATE TABLE dog (breed text) INHERITS (animal);
      CREATE VIEW old AS SELECT id, at, 1.5::numeric AS n FROM day WHERE at < '2024-01-01';
      CREATE MATERIALIZED VIEW kept AS SELECT count(*) FROM day;
      CREATE MATERIALIZED VIEW empty AS SELECT 1 AS one WITH NO DATA;
      CREATE VIEW long AS SELECT pg_sleep(100)::text;
      CREATE VIEW wrong AS SELECT 1 / (count(*) - count(*)) AS x FROM day;
      INSERT INTO day VALUES (1, '2024-05-01'), (2, '2023-05-01'); INSERT INTO log VALUES (2), (1);
      INSERT INTO note VALUES (1, 2, '2023-05-01'); INSERT INTO animal VALUES (1, 'cat');
      INSERT INTO dog VALUES (1, 'Rex', 'Beagle');
      REFRESH MATERIALIZED VIEW kept;
      """
    )
    try database.read { (snapshot, summary) throws in
      let names = snapshot.schema.classes.map(\.name)
      #expect(names == ["day", "note", "log", "animal", "dog", "old", "kept"])
      #expect(try snapshot.values("day", "id") == [.int(1), .int(2)])
      #expect(try snapshot.targets("note", "day_") == [2])
      #expect(try snapshot.values("log", "a") == [.int(1), .int(2)])
      #expect(try snapshot.values("animal", "name") == [.string("cat")])
      #expect(try snapshot.values("dog", "name") == [.string("Rex")])
      #expect(try snapshot.values("old", "n").map(\.description) == ["1.5"])
      #expect(try snapshot.values("kept", "count") == [.int(2)])
      let readOnly = summary.mapping.tables.filter { $0.readOnlyReason != nil }.map(\.className)
      #expect(readOnly == ["log", "dog", "old", "kept"])
      let remark = try #require(summary.remarks.first)
      #expect(
        remark == "not shown: empty (materialized view \"empty\" has not been populated), "
          + "long (it takes too long), wrong (it takes too long)"
          || remark.contains("wrong (division by zero)"),
        "\(remark)"
      )
    }
  }

  @Test func `that this user may not read is named, and so is one with hidden rows`() throws {
    let database = try PostgresDatabase(
      """
      CREATE TABLE open (id int PRIMARY KEY, pay int, owner text);
      CREATE TABLE closed (id int PRIMARY KEY);
      CREATE TABLE hidden (id int PRIMARY KEY, owner text);
      CREATE SCHEMA away; CREATE TABLE away.there (id int);
      INSERT INTO open VALUES (1, 100, 'x'); INSERT INTO hidden VALUES (1, 'reader'), (2, 'x');
      DROP ROLE IF EXISTS reader; CREATE ROLE reader LOGIN;
      GRANT SELECT (id, owner) ON open TO reader; GRANT SELECT ON hidden, away.there TO reader;
      ALTER TABLE hidden ENABLE ROW LEVEL SECURITY;
      CREATE POLICY own ON hidden USING (owner = current_user);
      """
    )
    defer { _ = try? database.run("DROP OWNED BY reader; DROP ROLE reader") }
    try database.read(as: "reader") { (snapshot, summary) throws in
      #expect(snapshot.schema.classes.map(\.name) == ["open", "hidden"])
      #expect(try snapshot.types("open") == ["id": "int", "owner": "string?"])
      #expect(try snapshot.keys("hidden") == [1])
      #expect(
        summary.remarks == [
          "not shown: closed (no permission), there (no permission), open.pay (no permission)",
          "row security hides rows of: hidden",
        ]
      )
    }
  }

  @Test func `has values that lead nowhere, in keys that were never validated`() throws {
    let database = try PostgresDatabase(
      """
      CREATE TABLE p (id int PRIMARY KEY, code text UNIQUE);
      CREATE TABLE c (id int PRIMARY KEY, p int, code text, at numeric);
      INSERT INTO p VALUES (1, 'a'); INSERT INTO c VALUES (1, 1, 'a'), (2, 2, 'b'), (3, NULL, NULL);
      ALTER TABLE c ADD FOREIGN KEY (p) REFERENCES p NOT VALID;
      ALTER TABLE c ADD FOREIGN KEY (code) REFERENCES p (code) NOT VALID;
      """
    )
    try database.read { (snapshot, summary) throws in
      #expect(try snapshot.targets("c", "p") == [1, nil, nil])
      #expect(try snapshot.values("c", "p_dangling") == [.null, .int(2), .null])
      #expect(try snapshot.values("c", "code_dangling") == [.null, .string("b"), .null])
      #expect(summary.remarks == ["values that lead nowhere: c.p (1), c.code (1)"])
    }
    #expect(
      try database.connect().check() == [
        "1 row of c refers to a row of p that does not exist",
        "1 row of c refers to a row of p that does not exist",
      ]
    )
    // What lies outside of the rows that are read leads nowhere, too.
    try database.read(PostgresPart(conditions: ["p": "id > 1 -- none"])) {
      (snapshot, summary) throws in
      #expect(try snapshot.values("c", "p_dangling") == [.int(1), .int(2), .null])
      #expect(summary.remarks.first == "not shown: rows of p that are not id > 1 -- none")
    }
    #expect(
      database.refusal(PostgresPart(conditions: ["p": "nix = 1"]))
        == "column \"nix\" does not exist"
    )
    #expect(
      database.refusal(
        PostgresPart(conditions: ["p": "true)) TO STDOUT; COMMIT; DROP TABLE c; --"])
      )
        != nil
    )
    #expect(try database.run("SELECT count(*) FROM c") == "3\n")
  }

  @Test func `has links that a person names or a name proposes`() throws {
    let database = try PostgresDatabase(
      """
      CREATE TABLE customer (id int PRIMARY KEY, code text, same int);
      CREATE TABLE "order" (id int PRIMARY KEY, customer_id int, customer text, uuid_id uuid);
      CREATE TABLE uuid (id int PRIMARY KEY);
      INSERT INTO customer VALUES (1, 'a', 1), (2, 'b', 1);
      INSERT INTO "order" VALUES (1, 2, 'a', '00000000-0000-0000-0000-000000000002');
      """
    )
    try database.read { (snapshot, summary) throws in
      #expect(
        summary.remarks == ["links that no key declares: --link order.customer_id=customer.id"]
      )
    }
    try database.read(addedKeys: ["order.customer=Customer.code"]) { (snapshot, _) throws in
      #expect(try snapshot.targets("order", "customer") == [1])
    }
    let error = #expect(throws: SQLError.self) {
      try database.read(addedKeys: ["order.customer_id=customer.same"]) { _, _ in }
    }
    #expect(
      error?.message == "several rows of customer have one same, so that no link leads to it"
    )
  }

  @Test func `has keys with their actions, in the order in which they act`() throws {
    let database = try PostgresDatabase(
      """
      CREATE TABLE p (id int PRIMARY KEY);
      CREATE TABLE c (a int, b int NOT NULL, d int, e int, f int, g int, "references" int);
      ALTER TABLE c ADD CONSTRAINT last FOREIGN KEY ("references") REFERENCES p DEFERRABLE;
      ALTER TABLE c ADD FOREIGN KEY (a) REFERENCES p ON DELETE CASCADE;
      ALTER TABLE c ADD FOREIGN KEY (b) REFERENCES p ON DELETE SET NULL;
      ALTER TABLE c ADD FOREIGN KEY (d) REFERENCES p ON UPDATE RESTRICT ON DELETE SET DEFAULT
        DEFERRABLE INITIALLY DEFERRED;
      CREATE TABLE pair (x int, y int, PRIMARY KEY (x, y));
      ALTER TABLE c ADD FOREIGN KEY (b, e) REFERENCES pair ON DELETE SET NULL (e);
      CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
      CREATE TRIGGER t AFTER DELETE ON c EXECUTE FUNCTION nothing();
      """
    )
    try database.read { (snapshot, summary) throws in
      let table = try #require(summary.mapping.tables.first { $0.className == "c" }).table
      let keys = table.foreignKeys
      #expect(keys.map(\.columns) == [["references"], ["a"], ["b"], ["d"], ["b", "e"]])
      #expect(keys.map(\.onDelete) == [.noAction, .cascade, .setNull, .setDefault, .setNull])
      #expect(keys.map(\.onUpdate) == [.noAction, .noAction, .noAction, .restrict, .noAction])
      #expect(keys.map(\.isDeferred) == [false, false, false, true, false])
      #expect(keys[0].name == "last")
      #expect(keys[4].setColumns == ["e"])
      let triggers = keys.compactMap(\.trigger)
      #expect(triggers.count == 5 && triggers == triggers.sorted())
      #expect(table.triggers == ["t"])
      let rules = try snapshot.schema.require("c").properties.map(\.targetRule)
      #expect(rules == [.cascade, .deny, .nullify, .nullify, .nullify, .nullify, .deny, .nullify])
    }
  }
}
