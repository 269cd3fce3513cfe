import KennelCore
import KennelSQL
import KennelTestSupport
import Testing

/// What is shown of a database while all of it is read.
@Suite struct `The first rows` {
  private static let tables = """
    CREATE TABLE owner (id INTEGER PRIMARY KEY, name VARCHAR(9) NOT NULL);
    CREATE TABLE dog (id INTEGER PRIMARY KEY, owner_id INTEGER NOT NULL REFERENCES owner);
    CREATE TABLE walk (day INTEGER, hour INTEGER, PRIMARY KEY (day, hour));
    CREATE VIEW names AS SELECT name FROM owner;
    INSERT INTO owner VALUES (900, 'Ada');

    """

  /// Reads a database, and looks at its first rows and at all of it.
  private func read(
    _ importer: SQLImporter,
    in time: Duration = .seconds(60),
    _ body: (_ first: Snapshot, _ all: Snapshot) throws -> Void
  ) throws {
    var importer = importer
    importer.timeOfFirstRows = time
    try withTemporaryDatabase { first in
      try withTemporaryDatabase { all in
        try all.write { transaction in
          _ = try importer.run(in: transaction, takeFirstRows: { try first.write($0) })
        }
        try body(first.snapshot(), all.snapshot())
      }
    }
  }

  private func expectFirstRows(_ first: Snapshot, _ all: Snapshot) throws {
    #expect(first.schema.classes.map(\.name).sorted() == ["dog", "owner", "walk"])
    #expect(try first.keys("owner") == [900])
    #expect(try first.keys("dog") == (1...200).map { $0 })
    #expect(try first.types("dog")["owner_id"]?.hasPrefix("int") == true)
    #expect(try first.values("dog", "owner_id") == Array(repeating: .int(900), count: 200))
    #expect(try first.values("walk", "day").first == .int(1))
    #expect(try first.values("walk", "day").count == 200)
    #expect(try all.keys("dog").count == 1000)
    #expect(try all.targets("dog", "owner_id").allSatisfy { $0 == 900 })
    #expect(try all.values("walk", "day").count == 1000)
    #expect(try all.values("names", "name") == [.string("Ada")])
  }

  @Test func `of SQLite are plain values of the tables, in the order of the rows`() throws {
    let file = try SQLFile(
      Self.tables + """
        WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i - 1 FROM n WHERE i > 1)
        INSERT INTO dog SELECT i, 900 FROM n;
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
        INSERT INTO walk SELECT i, i % 24 FROM n;
        """
    )
    try read(SQLImporter(SQLiteConnection(file.path, .locked)), expectFirstRows)
  }

  @Test func `of PostgreSQL are plain values of the tables, in the order of their keys`() throws {
    let database = try PostgresDatabase(
      Self.tables + """
        INSERT INTO dog SELECT i, 900 FROM generate_series(1000, 1, -1) AS i;
        INSERT INTO walk SELECT i, i % 24 FROM generate_series(1000, 1, -1) AS i;
        CREATE TABLE unkeyed (name text);
        """
    )
    try read(SQLImporter(database.connect()), expectFirstRows)
  }

  @Test func `are those that are there in time, and all comes nevertheless`() throws {
    let file = try SQLFile(Self.tables + "INSERT INTO owner VALUES (901, 'Bob')")
    try read(SQLImporter(SQLiteConnection(file.path, .locked)), in: .zero) { (first, all) throws in
      #expect(first.schema.classes.isEmpty)
      #expect(try all.keys("owner") == [900, 901])
    }
    let database = try PostgresDatabase(Self.tables)
    try read(SQLImporter(database.connect()), in: .zero) { (first, all) throws in
      #expect(first.schema.classes.isEmpty)
      #expect(try all.keys("owner") == [900])
    }
  }
}
