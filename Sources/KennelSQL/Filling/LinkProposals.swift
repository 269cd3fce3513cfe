/// Foreign keys that a database does not declare, and that the names and all values of a column confirm.
struct LinkProposals {
  /// The time that looking at the values may take.
  private static let mostTime = Duration.seconds(1)

  private let catalog: Catalog
  private let connection: SQLiteConnection
  /// The keys, each as the text of an `AddedKey`.
  private(set) var keys: [String] = []

  /// Looks for keys of the columns that are neither declared as foreign keys nor a primary key.
  init(_ catalog: Catalog, _ evidence: [TableEvidence], _ connection: SQLiteConnection) {
    self.catalog = catalog
    self.connection = connection
    connection.limitTime(to: .now + Self.mostTime)
    defer { connection.limitTime(to: nil) }
    for (table, values) in zip(catalog.tables, evidence) where table.kind == .table {
      let known = Set(table.foreignKeys.flatMap(\.columns).map(\.foldedSQLName))
      for (column, values) in zip(table.columns, values.columns)
      where values.valueCount > 0 && !known.contains(column.name.foldedSQLName)
        && !(table.primaryKey.count == 1 && table.primaryKey[0].isSQLName(column.name))
      {
        guard let target = target(of: column.name), let key = target.primaryKey.first,
          isConfirmed(table, column.name, target, key)
        else { continue }
        keys.append("\(table.name).\(column.name)=\(target.name).\(key)")
      }
    }
  }

  /// The only table whose key a column can hold by its name, such as `customer_id` that of `customers`.
  private func target(of column: String) -> CatalogTable? {
    let wanted = column.foldedSQLName
    let found = catalog.tables.filter { table in
      guard table.kind == .table, table.primaryKey.count == 1 else { return false }
      let key = table.primaryKey[0].foldedSQLName
      return Self.singulars(of: table.name.foldedSQLName).contains { name in
        wanted == "\(name)_\(key)" || wanted == name + key
          || key != "id" && wanted == key
            && (key == "\(name)_id" || key == name + "id")
      }
    }
    return found.count == 1 ? found[0] : nil
  }

  /// A name, and what it can be the plural of.
  private static func singulars(of name: String) -> [String] {
    var names = [name]
    if name.hasSuffix("s") { names.append(String(name.dropLast())) }
    if name.hasSuffix("es") { names.append(String(name.dropLast(2))) }
    if name.hasSuffix("ies") { names.append(name.dropLast(3) + "y") }
    return names
  }

  /// Whether every value is one of the key.
  private func isConfirmed(
    _ table: CatalogTable,
    _ column: String,
    _ target: CatalogTable,
    _ key: String
  ) -> Bool {
    let query = """
      SELECT 1 FROM main.\(table.name.quotedSQLName) AS t WHERE t.\(column.quotedSQLName) IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM main.\(target.name.quotedSQLName) AS p
        WHERE p.\(key.quotedSQLName) = +t.\(column.quotedSQLName)) LIMIT 1
      """
    // What takes too long is not proposed.
    return (try? connection.prepare(query).step()) == false
  }
}
