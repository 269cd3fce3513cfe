import CSQLite3
import KennelSQL
import KennelTestSupport
import Testing

/// Random tables with keys of all kinds, which refer to each other.
struct RandomTables {
  private struct Table {
    let name: String
    /// Declares the key.
    let key: String
    let keyColumn: String
  }

  private(set) var statements = ""

  init(_ random: inout SeededGenerator) {
    let keys = [
      ("id INTEGER PRIMARY KEY", "id"), ("id TEXT PRIMARY KEY", "id"),
      ("id INT PRIMARY KEY", "id"), ("x INT, id TEXT UNIQUE COLLATE NOCASE", "id"),
      ("id NUMERIC PRIMARY KEY", "id"),
    ]
    let tables = (0..<2 + random.below(4)).map { number in
      let (key, column) = keys[random.below(keys.count)]
      return Table(name: "t\(number)", key: key, keyColumn: column)
    }
    for table in tables {
      let references = (0..<random.below(4)).map { number in
        let type = ["INT", "TEXT", ""][random.below(3)]
        let target = tables[random.below(tables.count)]
        return ", f\(number) \(type) REFERENCES \(target.name) (\(target.keyColumn))"
      }
      let pairs = random.chance(50) ? [tables[random.below(tables.count)].name] : []
      let hasRowNumbers = random.chance(70) || !table.key.contains("PRIMARY")
      statements +=
        "CREATE TABLE \(table.name) (\(table.key), a INT, b TEXT COLLATE NOCASE, g, h TEXT"
        + "\(references.joined()), UNIQUE (a, b)"
        + pairs.map { ", FOREIGN KEY (h, g) REFERENCES \($0) (b, a)" }.joined() + ")"
        + "\(hasRowNumbers ? "" : " WITHOUT ROWID");\n"
      let count = random.below(12)
      let factor = random.chance(30) ? 1_000_000_007 * 1_000_000 : 1
      for _ in 0..<count {
        let key = "\(random.below(20) * factor - (random.chance(10) ? 3 : 0))"
        let values = references.map { _ in
          ["NULL", "\(random.below(20))", "'\(random.below(20))'", "'x'", "\(random.below(20)).0"][
            random.below(5)
          ]
        }
        let columns =
          [table.keyColumn, "a", "b", "g", "h"] + references.indices.map { "f\($0)" }
        let parts = [
          "\(random.below(3))", random.chance(90) ? "'\(["x", "Y"][random.below(2)])'" : "NULL",
          random.chance(50) ? "'\(random.below(3))'" : "\(random.below(3))",
          random.chance(90) ? "'\(["X", "y"][random.below(2)])'" : "NULL",
        ]
        statements +=
          "INSERT OR IGNORE INTO \(table.name) (\(columns.joined(separator: ", "))) "
          + "VALUES (\(([key] + parts + values).joined(separator: ", ")));\n"
      }
    }
  }

  /// Asks SQLite for the rows that a foreign key leads to, by their places or numbers.
  func targets(of link: LinkMapping, in table: TableMapping, _ mapping: SQLMapping) -> String {
    let target = mapping.tables[link.target]
    let order = Self.order(target)
    let number =
      target.keepsNumbers
      ? "p.rowid"
      : "(SELECT count(*) FROM \(target.table.name) AS q WHERE q.\(order) <= p.\(order))"
    let conditions = zip(link.targetColumns, link.key.columns).map { "p.\($0) = +t.\($1)" }
    return """
      SELECT (SELECT \(number) FROM \(target.table.name) AS p
        WHERE \(conditions.joined(separator: " AND ")))
      FROM \(table.table.name) AS t ORDER BY t.\(Self.order(table))
      """
  }

  /// Asks SQLite for the rows whose foreign key leads nowhere.
  func dangling(_ link: LinkMapping, in table: TableMapping, _ mapping: SQLMapping) -> String {
    let target = mapping.tables[link.target].table.name
    let conditions = zip(link.targetColumns, link.key.columns).map { "p.\($0) = +t.\($1)" }
    let values = link.key.columns.map { "t.\($0) IS NOT NULL" }
    return """
      SELECT count(*) FROM \(table.table.name) AS t WHERE \(values.joined(separator: " AND "))
      AND NOT EXISTS (SELECT 1 FROM \(target) AS p WHERE \(conditions.joined(separator: " AND ")))
      """
  }

  private static func order(_ table: TableMapping) -> String {
    table.table.rowNumber == nil ? table.table.primaryKey[0] : "rowid"
  }
}

extension SQLFile {
  /// The numbers that a query finds; `nil` for null.
  func numbers(_ query: String) throws -> [UInt64?] {
    let reader = try SQLiteConnection(path, .locked).prepare(query)
    var found: [UInt64?] = []
    while try reader.step() { found.append(UInt64(reader.text(0))) }
    return found
  }
}
