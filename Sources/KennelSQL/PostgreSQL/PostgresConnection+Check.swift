internal import KennelCore

extension PostgresConnection {
  /// Has the server look for rows that contradict foreign keys, and for indexes that were not finished.
  ///
  /// - Returns: What is wrong, each as a sentence without a period.
  /// - Throws: `SQLError` if the database cannot be read.
  package func check() throws(SQLError) -> [String] {
    let session = PostgresSession(self, PostgresPart())
    try session.begin()
    defer { session.end() }
    let catalog = try session.readCatalog().catalog
    var findings: [String] = []
    for table in catalog.tables {
      for key in table.foreignKeys {
        guard let target = catalog.tables.first(where: { $0.name.hasSameBytes(as: key.target) })
        else { continue }
        let values = key.columns.map { "t.\($0.quotedSQLName)" }
        let conditions = key.targetColumns.indices.map { index in
          "p.\(key.targetColumns[index].quotedSQLName) \(key.operators[index]) \(values[index])"
        }
        let count = try run(
          """
          SELECT count(*) FROM \(session.source(of: table)) AS t
          WHERE \(values.map { "\($0) IS NOT NULL" }.joined(separator: " AND "))
          AND NOT EXISTS (SELECT FROM \(session.source(of: target)) AS p
            WHERE \(conditions.joined(separator: " AND ")))
          """
        ).integer(0, 0)
        if count > 0 {
          findings.append(dangling(count, from: table.name, to: target.name))
        }
      }
    }
    let indexes = try run(
      """
      SELECT c.relname FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
      JOIN pg_namespace AS n ON n.oid = c.relnamespace
      WHERE NOT i.indisvalid AND n.nspname !~ '^pg_' ORDER BY c.relname
      """
    )
    for row in 0..<indexes.rowCount {
      findings.append("The index \(indexes.text(row, 0) ?? "") is not valid")
    }
    return findings
  }

  /// Has the server read a text as a value of a column, without storing it.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - column: The column.
  /// - Throws: `SQLError` of the kind `refused` if it is none.
  package func requireValue(_ text: String, of column: CatalogColumn) throws(SQLError) {
    let session = PostgresSession(self, PostgresPart())
    try session.begin()
    defer { session.end() }
    // The server's own name of the type, which is quoted where that is needed.
    try run("SELECT $1::\(column.declaredType)", text)
  }
}

/// What is wrong with rows whose foreign key leads nowhere.
func dangling(_ count: Int64, from table: String, to target: String) -> String {
  count == 1
    ? "1 row of \(table) refers to a row of \(target) that does not exist"
    : "\(count) rows of \(table) refer to rows of \(target) that do not exist"
}
