internal import KennelCore

/// How the rows of a table are read: always in one order, so that the place of a row among them can
/// stand for the row.
struct RowOrder<Session: SQLSession> {
  private let session: Session
  private let table: CatalogTable

  init(_ table: CatalogTable, _ session: Session) {
    self.table = table
    self.session = session
  }

  /// The columns that rows are ordered by; empty where they come as they are.
  func order(_ alias: String) -> String {
    let columns =
      if let number = table.rowNumber {
        ["\(alias).\(number)"]
      } else if table.primaryKey.isEmpty {
        session.place(in: table, alias)
      } else {
        table.primaryKey.map { "\(alias).\($0.quotedSQLName)" }
      }
    return columns.isEmpty ? "" : " ORDER BY " + columns.joined(separator: ", ")
  }

  /// Selects all columns of the rows, after the number of the row where rows have one.
  func everything(_ forms: [ColumnContents]) -> RowQuery {
    let number = table.rowNumber.map { ["t.\($0)"] } ?? []
    let columns = zip(table.columns, forms).map { session.selection($0, as: $1, of: "t") }
    let list = (number + columns).joined(separator: ", ")
    let limit = session.rowLimit.map { " LIMIT \($0)" } ?? ""
    return RowQuery(
      text: "SELECT \(list) FROM \(session.source(of: table)) AS t\(order("t"))\(limit)",
      columns: number.map { _ in nil } + forms
    )
  }

  /// Selects for each row its number (null where it has none), the key of the object that it refers to,
  /// and what it refers to by; the row that a foreign key leads to is what the engine takes for it.
  func targets(
    of link: LinkMapping,
    _ columns: [ColumnMapping],
    in target: TableMapping
  ) -> RowQuery {
    let values = columns.map { session.selection($0.column, as: $0.form, of: "t") }
    let names =
      target.keepsNumbers
      ? link.targetColumns.map(\.quotedSQLName) : values.indices.map { "k\($0)" }
    let conditions = names.indices.map { match(link, $0, "p.\(names[$0])") }
    let number = table.rowNumber.map { "t.\($0)" } ?? "NULL"
    return RowQuery(
      text: """
        SELECT \(number), p.\(key(target)), \(values.joined(separator: ", "))
        FROM \(session.source(of: table)) AS t LEFT JOIN \(numbered(link, target)) AS p
        ON \(conditions.joined(separator: " AND "))\(order("t"))
        """,
      columns: [nil, nil] + columns.map(\.form)
    )
  }

  /// Selects the keys of the two objects that each row of a table of two foreign keys refers to, those of
  /// one owner together.
  func pairs(_ set: SetMapping, _ owner: TableMapping, _ member: TableMapping) -> RowQuery {
    RowQuery(
      text: """
        SELECT p.\(key(owner)), m.\(key(member)) FROM \(session.source(of: table)) AS t
        \(join(set.own, owner, "p")) \(join(set.other, member, "m")) ORDER BY 1, 2
        """,
      columns: [nil, nil]
    )
  }

  private func join(_ link: LinkMapping, _ target: TableMapping, _ alias: String) -> String {
    let name = target.keepsNumbers ? link.targetColumns[0].quotedSQLName : "k0"
    return "JOIN \(numbered(link, target)) AS \(alias) ON \(match(link, 0, "\(alias).\(name)"))"
  }

  private func match(_ link: LinkMapping, _ place: Int, _ target: String) -> String {
    let comparison = link.key.operators.isEmpty ? nil : link.key.operators[place]
    return session.match(target, "t.\(link.key.columns[place].quotedSQLName)", by: comparison)
  }

  /// Selects the key of the object of a row.
  private func key(_ target: TableMapping) -> String {
    target.keepsNumbers ? target.table.rowNumber ?? "NULL" : "n"
  }

  /// The target of a foreign key, after `JOIN`: the table, or its keys with the numbers that its
  /// objects have.
  private func numbered(_ link: LinkMapping, _ target: TableMapping) -> String {
    let source = session.source(of: target.table)
    if target.keepsNumbers { return source }
    let columns = link.targetColumns.enumerated().map { "t.\($1.quotedSQLName) AS k\($0)" }
    let order = RowOrder(target.table, session).order("t")
    return """
      (SELECT \(columns.joined(separator: ", ")), row_number() OVER (\(order)) AS n
      FROM \(source) AS t)
      """
  }
}
