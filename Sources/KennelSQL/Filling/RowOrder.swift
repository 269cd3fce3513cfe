/// How the rows of a table are read: always in one order, so that the place of a row among them can
/// stand for the row.
struct RowOrder {
  /// Numbers the rows that keep no numbers of their own, in the order of ``order``.
  static let number = "n"

  private let table: CatalogTable
  private let isCopy: Bool
  /// The table after `FROM`.
  private let source: String

  /// - Parameters:
  ///   - table: The table.
  ///   - copy: The temporary table with the rows of a view.
  init(_ table: CatalogTable, copy: String? = nil) {
    self.table = table
    isCopy = copy != nil
    source = copy ?? "main.\(table.name.quotedSQLName)"
  }

  /// The columns that rows are ordered by; empty where they come as they are.
  private func order(_ alias: String) -> String {
    if let number = table.rowNumber { return " ORDER BY \(alias).\(number)" }
    let key = table.primaryKey.map { "\(alias).\($0.quotedSQLName)" }
    return key.isEmpty ? "" : " ORDER BY " + key.joined(separator: ", ")
  }

  /// Selects all columns of all rows, after the number of the row where rows have one.
  var everything: String {
    // A view may have columns without names.
    if isCopy { return "SELECT * FROM \(source)" }
    let number = table.rowNumber.map { ["t.\($0)"] } ?? []
    let columns = number + table.columns.map { "t.\($0.name.quotedSQLName)" }
    return "SELECT \(columns.joined(separator: ", ")) FROM \(source) AS t\(order("t"))"
  }

  /// Selects for each row its number (null where it has none), the key of the object that it refers to,
  /// and what it refers to by; the row that a foreign key leads to is what SQLite takes for it.
  func targets(of link: LinkMapping, in target: TableMapping) -> String {
    let values = link.key.columns.map { "t.\($0.quotedSQLName)" }
    // Without an affinity of its own, a value is compared as SQLite compares it for a foreign key: with
    // the affinity and the collation of the target.
    let names =
      target.keepsNumbers
      ? link.targetColumns.map(\.quotedSQLName) : values.indices.map { "k\($0)" }
    let conditions = zip(names, values).map { "p.\($0) = +\($1)" }.joined(separator: " AND ")
    let number = table.rowNumber.map { "t.\($0)" } ?? "NULL"
    return """
      SELECT \(number), p.\(Self.key(target)), \(values.joined(separator: ", ")) FROM \(source) AS t
      LEFT JOIN \(Self.numbered(link, target)) AS p ON \(conditions)\(order("t"))
      """
  }

  /// Selects the keys of the two objects that each row of a table of two foreign keys refers to, those of
  /// one owner together.
  func pairs(_ set: SetMapping, _ owner: TableMapping, _ member: TableMapping) -> String {
    """
    SELECT p.\(Self.key(owner)), m.\(Self.key(member)) FROM \(source) AS t
    \(Self.join(set.own, owner, "p")) \(Self.join(set.other, member, "m")) ORDER BY 1, 2
    """
  }

  private static func join(
    _ link: LinkMapping,
    _ target: TableMapping,
    _ alias: String
  ) -> String {
    let name = target.keepsNumbers ? link.targetColumns[0].quotedSQLName : "k0"
    let value = "t.\(link.key.columns[0].quotedSQLName)"
    return "JOIN \(numbered(link, target)) AS \(alias) ON \(alias).\(name) = +\(value)"
  }

  /// Selects the key of the object of a row.
  private static func key(_ target: TableMapping) -> String {
    target.keepsNumbers ? target.table.rowNumber ?? "NULL" : number
  }

  /// The target of a foreign key, after `JOIN`: the table, or its keys with the numbers that its
  /// objects have.
  private static func numbered(_ link: LinkMapping, _ target: TableMapping) -> String {
    if target.keepsNumbers { return RowOrder(target.table).source }
    let columns = link.targetColumns.enumerated().map { "t.\($1.quotedSQLName) AS k\($0)" }
    let order = RowOrder(target.table).order("t")
    return """
      (SELECT \(columns.joined(separator: ", ")), row_number() OVER (\(order)) AS \(number)
      FROM \(RowOrder(target.table).source) AS t)
      """
  }
}
