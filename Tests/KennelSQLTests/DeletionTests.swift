import CSQLite3
import Foundation
import KennelCore
import KennelSQL
import KennelTestSupport
import Testing

/// Deletions in copies, beside those that SQLite makes.
@Suite("A deletion in the copy of an SQLite database")
struct DeletionTests {
  /// Tables with foreign keys of all actions that act when the statement ends, or at once.
  private struct Tables {
    private(set) var statements = "PRAGMA foreign_keys = ON;\n"
    /// The names of the foreign keys of each table.
    private(set) var keys: [[String]] = []

    init(_ random: inout SeededGenerator) {
      let count = 2 + random.below(4)
      var rows = ""
      for table in 0..<count {
        var columns = "id INTEGER PRIMARY KEY"
        keys.append((0..<random.below(4)).map { "f\($0)" })
        for key in keys[table] {
          let action = ["CASCADE", "CASCADE", "SET NULL", "NO ACTION"][random.below(4)]
          columns += ", \(key) INT REFERENCES t\(random.below(count)) ON DELETE \(action)"
        }
        statements += "CREATE TABLE t\(table) (\(columns));\n"
        for row in 1...5 {
          let links = keys[table].map { _ in random.chance(40) ? "NULL" : "\(1 + random.below(5))" }
          let values = (["\(row)"] + links).joined(separator: ", ")
          rows += "INSERT INTO t\(table) VALUES (\(values));\n"
        }
      }
      statements += "BEGIN; PRAGMA defer_foreign_keys = ON;\n\(rows)COMMIT;\n"
    }
  }

  @Test(arguments: 0..<(ProcessInfo.processInfo.environment["KENNEL_LONG"] == nil ? 50 : 1_000))
  func `takes, changes and refuses what the foreign keys say`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let tables = Tables(&random)
    let file = try SQLFile(tables.statements)
    let (table, row) = (random.below(tables.keys.count), 1 + random.below(5))
    try withTemporaryDatabase { database in
      _ = try database.write { transaction in
        try SQLImporter(SQLiteConnection(file.path, .locked)).run(in: transaction)
      }
      let classKey = try database.snapshot().schema.require("t\(table)").key
      let object = ObjectIdentity(classKey, ObjectKey(rawValue: UInt64(row)))
      if file.runs("DELETE FROM t\(table) WHERE id = \(row)") {
        _ = try database.write { try $0.delete([object]) }
      } else {
        let error = #expect(throws: DatabaseError.self) {
          try database.write { try $0.delete([object]) }
        }
        #expect(error?.code == .deletionDenied)
      }
      let snapshot = try database.snapshot()
      for (number, keys) in tables.keys.enumerated() {
        let name = "t\(number)"
        let ids = try file.numbers("SELECT id FROM \(name) ORDER BY id")
        #expect(try snapshot.keys(name) == ids)
        for key in keys {
          let targets = try file.numbers("SELECT \(key) FROM \(name) ORDER BY id")
          #expect(try snapshot.targets(name, key) == targets, "\(name).\(key)")
        }
      }
    }
  }

  @Test func `is refused where a column that is set to null cannot be null`() throws {
    let file = try SQLFile(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY);
      CREATE TABLE c (id INTEGER PRIMARY KEY, p INT NOT NULL REFERENCES p ON DELETE SET NULL,
        q INT REFERENCES p ON DELETE SET NULL);
      """
    )
    try file.read { (snapshot, _) throws in
      #expect(try snapshot.schema.require("c").require("p").targetRule == .deny)
      #expect(try snapshot.schema.require("c").require("q").targetRule == .nullify)
    }
  }

  @Test func `leaves the holders of links that only a person named`() throws {
    let file = try SQLFile(
      "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (id INTEGER PRIMARY KEY, p INT);"
    )
    try file.read(addedKeys: ["c.p=p.id"]) { (snapshot, _) throws in
      #expect(try snapshot.schema.require("c").require("p").targetRule == .nullify)
    }
  }
}
