internal import KennelCore

extension SQLiteConnection: SQLSession {
  /// The most rows of a view or of a virtual table.
  private static let mostViewRows = 200_000
  /// The time that all views together may take.
  private static let viewTime = Duration.seconds(5)

  func begin() throws(SQLError) {
    try run("BEGIN")
  }

  func end() {
    try? run("ROLLBACK")
  }

  func readCatalog() throws(SQLError) -> (catalog: Catalog, problems: [String]) {
    let reader = try SQLiteCatalog(self)
    return (reader.catalog, reader.problems)
  }

  func rows(_ query: RowQuery) throws(SQLError) -> SQLiteStatement {
    try prepare(query.text)
  }

  func hasRow(_ query: String, before end: ContinuousClock.Instant?) throws(SQLError) -> Bool {
    limitTime(to: end)
    defer { limitTime(to: nil) }
    return try prepare(query).step()
  }

  func source(of table: CatalogTable) -> String {
    copies[table.name] ?? "main.\(table.name.quotedSQLName)"
  }

  func selection(_ column: CatalogColumn, as form: ColumnContents, of alias: String) -> String {
    "\(alias).\(column.name.quotedSQLName)"
  }

  func place(in table: CatalogTable, _ alias: String) -> [String] { [] }

  /// Without an affinity of its own, a value is compared as SQLite compares it for a foreign key: with
  /// the affinity and the collation of the target.
  func match(_ target: String, _ value: String, by comparison: String?) -> String {
    "\(target) = +\(value)"
  }

  /// Reads all rows: a column may hold values of any type.
  func inspect(
    _ catalog: inout Catalog,
    _ problems: inout [String],
    _ progress: ReadingProgress
  ) throws -> [TableEvidence] {
    copyViews(of: &catalog, &problems)
    for table in catalog.tables {
      // The greatest number of a row is found at once, unlike the number of rows.
      guard let number = table.rowNumber else { continue }
      let greatest = try prepare("SELECT max(\(number)) FROM \(table.name.quotedSQLName)")
      if try greatest.step() { progress.expect(2 * Int(min(max(greatest.integer(0), 0), 1 << 40))) }
    }
    var found: [TableEvidence] = []
    for table in catalog.tables {
      var survey = TableSurvey(table)
      let forms = table.columns.map { _ in ColumnContents.mixed }
      let row = try rows(RowOrder(table, self).everything(forms))
      while try progress.next(row, of: table) {
        survey.note(row, isNumbered: table.rowNumber != nil)
      }
      found.append(survey.evidence)
    }
    return found
  }

  // MARK: - Views

  /// Copies the rows of views and virtual tables into temporary tables, since a query may take any time
  /// and need not give the same rows twice; those that take too long are left out.
  private func copyViews(of catalog: inout Catalog, _ problems: inout [String]) {
    let end = ContinuousClock.now + Self.viewTime
    catalog.tables = catalog.tables.filter { table in
      if table.kind == .table { return true }
      let copy = "temp.\"kennel \(copies.count)\""
      do throws(SQLError) {
        let query = "SELECT * FROM main.\(table.name.quotedSQLName)"
        try requireEnd(of: query, before: end)
        let columns = table.columns.map(\.name.quotedSQLName).joined(separator: ", ")
        try run("CREATE TEMPORARY TABLE \(copy) (\(columns))")
        try run("INSERT INTO \(copy) \(query)")
        copies[table.name] = copy
        return true
      } catch {
        problems.append("\(table.name) (\(error.message))")
        return false
      }
    }
  }

  /// Reads the rows of a query, to see that it does not take too long, and that they are not too many.
  private func requireEnd(
    of query: String,
    before end: ContinuousClock.Instant
  ) throws(SQLError) {
    let rows = try prepare(query)
    limitTime(to: end)
    defer { limitTime(to: nil) }
    var count = 0
    while try rows.step() {
      count += 1
      guard count <= Self.mostViewRows else {
        throw SQLError(.failed, "it has more than \(Self.mostViewRows) rows")
      }
    }
  }
}
