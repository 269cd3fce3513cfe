internal import KennelCore

/// Foreign keys that a database does not declare, and that the names and all values of a column confirm.
struct LinkProposals<Session: SQLSession> {
  /// The time that looking at the values may take.
  private static var mostTime: Duration { .seconds(1) }

  private let session: Session
  /// The keys, each as the text of an `AddedKey`.
  private(set) var keys: [String] = []

  /// Looks for keys of the columns that are neither declared as foreign keys nor a primary key.
  init(_ catalog: Catalog, _ evidence: [TableEvidence], _ session: Session) {
    self.session = session
    var targets: [String: [CatalogTable]] = [:]
    for table in catalog.tables where table.kind == .table && table.primaryKey.count == 1 {
      for name in Self.names(for: table) { targets[name, default: []].append(table) }
    }
    let end = ContinuousClock.now + Self.mostTime
    for (table, values) in zip(catalog.tables, evidence) where table.kind == .table {
      let known = Set(table.foreignKeys.flatMap(\.columns).map(\.foldedSQLName))
      for (column, values) in zip(table.columns, values.columns)
      where values.valueCount > 0 && !known.contains(column.name.foldedSQLName)
        && !table.isPrimaryKey(column.name)
      {
        // Where several tables could be meant, none is.
        guard let found = targets[column.name.foldedSQLName], found.count == 1 else { continue }
        let (target, key) = (found[0], found[0].primaryKey[0])
        if isConfirmed(table, column.name, target, key, before: end) {
          keys.append("\(table.name).\(column.name)=\(target.name).\(key)")
        }
      }
    }
  }

  /// The names of columns that hold the key of a table, such as `customer_id` for `customers`.
  private static func names(for table: CatalogTable) -> Set<String> {
    let key = table.primaryKey[0].foldedSQLName
    var names: Set<String> = []
    for name in singulars(of: table.name.foldedSQLName) {
      names.formUnion(["\(name)_\(key)", name + key])
      if key == "\(name)_id" || key == name + "id" { names.insert(key) }
    }
    return names
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
    _ key: String,
    before end: ContinuousClock.Instant
  ) -> Bool {
    let value = "t.\(column.quotedSQLName)"
    let query = """
      SELECT 1 FROM \(session.source(of: table)) AS t WHERE \(value) IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM \(session.source(of: target)) AS p
        WHERE \(session.match("p.\(key.quotedSQLName)", value, by: nil))) LIMIT 1
      """
    // What takes too long is not proposed.
    guard ContinuousClock.now < end else { return false }
    return (try? session.hasRow(query, before: end)) == false
  }
}
