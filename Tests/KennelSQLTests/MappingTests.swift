import Foundation
import KennelCore
import KennelSQL
import KennelTestSupport
import Testing

/// Tables and foreign keys as classes and links.
@Suite struct `A table of SQLite` {
  @Test func `is a class, and a foreign key a link under the name of its column`() throws {
    let file = try SQLFile(
      """
      CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
      CREATE TABLE "order" (
        id INTEGER PRIMARY KEY, customer_id INT REFERENCES customer, total REAL);
      INSERT INTO customer VALUES (7, 'Ada'), (9, 'Bob');
      INSERT INTO "order" VALUES (1, 9, 1.5), (2, NULL, NULL), (3, 7, 2);
      """
    )
    try file.read { (snapshot, summary) throws in
      #expect(snapshot.schema.classes.map(\.name) == ["customer", "order"])
      #expect(
        try snapshot.types("order") == [
          "id": "int", "customer_id": "link<customer>", "total": "double?",
        ]
      )
      #expect(try snapshot.types("customer") == ["id": "int", "name": "string"])
      #expect(try snapshot.schema.require("order").require("id").isPrimaryKey)
      #expect(try snapshot.keys("customer") == [7, 9])
      #expect(try snapshot.targets("order", "customer_id") == [9, nil, 7])
      #expect(try snapshot.values("order", "total") == [.double(1.5), .null, .double(2)])
      #expect(summary.objectCount == 5)
      #expect(summary.remarks == [])
      #expect(summary.mapping.tables.map { $0.readOnlyReason != nil } == [false, false])
    }
  }

  @Test func `that refers to itself, or in a circle, has all its links`() throws {
    let file = try SQLFile(
      """
      CREATE TABLE employee (id INTEGER PRIMARY KEY, boss INT REFERENCES employee, home INT
        REFERENCES house);
      CREATE TABLE house (id INTEGER PRIMARY KEY, owner INT REFERENCES employee);
      INSERT INTO employee VALUES (1, 3, 2), (2, 1, NULL), (3, 3, 1);
      INSERT INTO house VALUES (1, 3), (2, 2);
      """
    )
    try file.read { (snapshot, _) throws in
      #expect(try snapshot.targets("employee", "boss") == [3, 1, 3])
      #expect(try snapshot.targets("employee", "home") == [2, nil, 1])
      #expect(try snapshot.targets("house", "owner") == [3, 2])
    }
  }

  @Test func `refers to a unique key by what SQLite takes for equal`() throws {
    let file = try SQLFile(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY, code TEXT UNIQUE COLLATE NOCASE, n INT UNIQUE);
      CREATE TABLE c (id INTEGER PRIMARY KEY, code TEXT REFERENCES p (code), n TEXT REFERENCES p (n));
      INSERT INTO p VALUES (5, 'ab', 10), (6, 'ß', 11);
      INSERT INTO c VALUES (1, 'AB', '10'), (2, 'ß', '011'), (3, 'ẞ', 'x');
      """
    )
    try file.read { (snapshot, summary) throws in
      #expect(try snapshot.targets("c", "code") == [5, 6, nil])
      #expect(try snapshot.targets("c", "n") == [5, 6, nil])
      #expect(try snapshot.values("c", "code_dangling") == [.null, .null, .string("ẞ")])
      #expect(summary.remarks == ["values that lead nowhere: c.code (1), c.n (1)"])
      #expect(try snapshot.schema.require("p").require("code").isUnique)
    }
  }

  @Test func `has a link beside the columns of a composite key, named after its constraint`() throws
  {
    let file = try SQLFile(
      """
      CREATE TABLE line (o INT, p INT, text TEXT, PRIMARY KEY (o, p));
      CREATE TABLE sent (id INTEGER PRIMARY KEY, o INT, p INT,
        CONSTRAINT "the line" FOREIGN KEY (p, o) REFERENCES line (p, o));
      CREATE TABLE back (id INTEGER PRIMARY KEY, o INT, p INT, FOREIGN KEY (o, p) REFERENCES line);
      INSERT INTO line VALUES (1, 2, 'a'), (1, 3, 'b'), (2, 2, 'c');
      INSERT INTO sent VALUES (1, 2, 2), (2, 1, 3), (3, 1, NULL), (4, 9, 9);
      INSERT INTO back VALUES (1, 1, 2);
      """
    )
    try file.read { (snapshot, _) throws in
      #expect(try snapshot.targets("sent", "the line") == [3, 2, nil, nil])
      #expect(try snapshot.targets("back", "line") == [1])
      #expect(try snapshot.types("sent")["o"] == "int?")
      #expect(
        try snapshot.values("sent", "the line_dangling") == [
          .null, .null, .null, .list([.int(9), .int(9)]),
        ]
      )
    }
  }

  @Test func `keeps a primary key that is a foreign key, and has the link beside it`() throws {
    let file = try SQLFile(
      """
      CREATE TABLE user (id INTEGER PRIMARY KEY);
      CREATE TABLE profile (user_id INTEGER PRIMARY KEY REFERENCES user, user TEXT);
      INSERT INTO user VALUES (1), (2);
      INSERT INTO profile VALUES (2, 'x');
      """
    )
    try file.read { (snapshot, _) throws in
      #expect(
        try snapshot.types("profile") == [
          "user_id": "int", "user": "string?", "user_": "link<user>",
        ]
      )
      #expect(try snapshot.targets("profile", "user_") == [2])
    }
  }

  @Test func `of two foreign keys and nothing else is a set of links and its backlink, too`() throws
  {
    let file = try SQLFile(
      """
      CREATE TABLE track (id INTEGER PRIMARY KEY);
      CREATE TABLE list (name TEXT PRIMARY KEY, track INT) WITHOUT ROWID;
      CREATE TABLE entry (list TEXT REFERENCES list, track INT REFERENCES track,
        PRIMARY KEY (list, track));
      CREATE TABLE friend (a INT REFERENCES track, b INT REFERENCES track);
      INSERT INTO track VALUES (1), (2), (3);
      INSERT INTO list VALUES ('x', 0), ('a', 0);
      INSERT INTO entry VALUES ('x', 3), ('x', 1), ('a', 3), ('gone', 2);
      INSERT INTO friend VALUES (1, 2), (1, 2);
      """
    )
    try file.read { (snapshot, _) throws in
      let track = try snapshot.schema.require("track").key
      func set(_ keys: UInt64...) -> Value {
        .set(keys.map { .link(ObjectIdentity(track, ObjectKey(rawValue: $0))) })
      }
      // The lists are numbered in the order of their key.
      #expect(try snapshot.values("list", "name") == [.string("a"), .string("x")])
      #expect(try snapshot.values("list", "track_") == [set(3), set(1, 3)])
      #expect(try snapshot.values("track", "b") == [set(2), set(), set()])
      let backlinks = try snapshot.schema.require("track").backlinks.map(\.name)
      #expect(backlinks == ["list", "a"])
      #expect(try snapshot.keys("entry").count == 4)
    }
  }

  @Test func `has its own names, as far as a class can have them`() throws {
    let file = try SQLFile(
      """
      CREATE TABLE "select" ("a.b" INT, "a_b" INT, "日 本" INT, [it's "quoted"] INT,
        "line\nbreak" INT, "" INT);
      CREATE TABLE "a/b" (x); CREATE TABLE "a@b" (x);
      CREATE TABLE "\(String(repeating: "long", count: 100))" (x REFERENCES "select");
      INSERT INTO "select" VALUES (1, 2, 3, 4, 5, 6);
      """
    )
    try file.read { (snapshot, summary) throws in
      let names = snapshot.schema.classes.map(\.name)
      #expect(names.prefix(3) == ["select", "a_b", "a_b_"])
      #expect(names[3].utf8.count == 240)
      #expect(
        try snapshot.schema.require("select").properties.map(\.name) == [
          "a_b", "a_b_", "日 本", "it's \"quoted\"", "line_break", "_",
        ]
      )
      #expect(try snapshot.values("select", "a_b_") == [.int(2)])
      #expect(summary.mapping.tables[0].columns[0].column.name == "a.b")
      #expect(
        summary.remarks.contains { $0.hasPrefix("names that were changed: select.a.b is a_b") }
      )
    }
  }

  @Test func `has links that a person names where the file declares none`() throws {
    let file = try SQLFile(
      """
      CREATE TABLE "my.order" (id INTEGER PRIMARY KEY, Customer_ID INT);
      CREATE TABLE customer (id INT, name TEXT, same INT);
      INSERT INTO customer VALUES (20, 'b', 1), (10, 'a', 1), (NULL, 'c', 1), (NULL, 'd', 1);
      INSERT INTO "my.order" VALUES (1, 10), (2, 20), (3, 30);
      """
    )
    try file.read(addedKeys: ["my.order.customer_id=Customer.ID"]) { (snapshot, _) throws in
      #expect(try snapshot.targets("my_order", "Customer_ID") == [2, 1, nil])
    }
    func refusal(_ key: String) -> String? {
      #expect(throws: SQLError.self) { try file.read(addedKeys: [key]) { _, _ in } }?.message
    }
    #expect(refusal("orders.a=customer.id") == "there is no table orders")
    #expect(refusal("customer.id=my.order.nr") == "the table my.order has no column nr")
    #expect(
      refusal("my.order.customer_id=customer.same")
        == "several rows of customer have one same, so that no link leads to it"
    )
    #expect(AddedKey("a=b") == nil)
    #expect(AddedKey("a.b") == nil)
  }

  @Test func `has links proposed that names and all values confirm`() throws {
    let file = try SQLFile(
      """
      CREATE TABLE customers (id INTEGER PRIMARY KEY);
      CREATE TABLE category (CategoryId INTEGER PRIMARY KEY);
      CREATE TABLE "order" (id INTEGER PRIMARY KEY, customer_id INT, customersid INT, CategoryID INT,
        orderid INT, category_id INT, declared INT REFERENCES customers);
      INSERT INTO customers VALUES (1), (2); INSERT INTO category VALUES (5);
      INSERT INTO "order" VALUES (1, 2, 3, 5, NULL, 5, 1), (2, NULL, 1, NULL, NULL, 4, 1);
      """
    )
    try file.read { (snapshot, summary) throws in
      #expect(
        summary.remarks == [
          "links that no key declares: --link order.customer_id=customers.id, "
            + "--link order.CategoryID=category.CategoryId"
        ]
      )
      let type = try snapshot.types("order")["customer_id"]
      #expect(type == "int?")
    }
  }

  @Test func `keeps the column of a foreign key that leads to no key`() throws {
    let file = try SQLFile(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY, n INT);
      CREATE TABLE c (a INT REFERENCES gone (id), b INT REFERENCES p (n), d INT REFERENCES p (nil));
      INSERT INTO c VALUES (1, 2, 3);
      """
    )
    try file.read { (snapshot, summary) throws in
      #expect(try snapshot.types("c") == ["a": "int?", "b": "int?", "d": "int?"])
      #expect(
        summary.remarks == [
          "foreign keys that are no links: c (a): there is no table gone, c (b): p (n) is no key, "
            + "c (d): p (nil) is no key"
        ]
      )
    }
  }

  @Test func `has keys with their actions, in the order of their declaration`() throws {
    let file = try SQLFile(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY);
      CREATE TABLE c (
        a INT CONSTRAINT "first" CHECK (a > (0)) REFERENCES p ON DELETE CASCADE, -- REFERENCES
        b DECIMAL (10, 2) DEFAULT 'REFERENCES' CONSTRAINT [second] REFERENCES p ON DELETE SET NULL
          NOT DEFERRABLE INITIALLY DEFERRED,
        d INT, "references" INT,
        CONSTRAINT third FOREIGN KEY (d) REFERENCES p ON UPDATE RESTRICT ON DELETE SET DEFAULT
          DEFERRABLE INITIALLY DEFERRED,
        FOREIGN KEY ("references") REFERENCES p /* CONSTRAINT x */ DEFERRABLE
      );
      CREATE TRIGGER t AFTER DELETE ON c BEGIN SELECT 1; END;
      """
    )
    try file.read { (_, summary) throws in
      let table = try #require(summary.mapping.tables.last?.table)
      let keys = table.foreignKeys
      #expect(keys.map(\.columns) == [["a"], ["b"], ["d"], ["references"]])
      #expect(keys.map(\.onDelete) == [.cascade, .setNull, .setDefault, .noAction])
      #expect(keys.map(\.onUpdate) == [.noAction, .noAction, .restrict, .noAction])
      #expect(keys.map(\.isDeferred) == [false, false, true, false])
      #expect(keys.map(\.name) == [nil, "second", "third", nil])
      #expect(table.triggers == ["t"])
    }
  }
}
