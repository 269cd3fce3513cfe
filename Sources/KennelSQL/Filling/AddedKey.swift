internal import KennelCore

/// A foreign key that a person names for a database that does not declare it, such as
/// `order.customer_id=customer.id`.
package struct AddedKey: Hashable, Sendable {
  private let table: String
  private let column: String
  private let target: String
  private let targetColumn: String

  /// Reads a key; `nil` for a text that is none.
  ///
  /// - Parameter text: The table and the column, `=`, the target and its column. The last point of each
  ///   side stands between the two.
  package init?(_ text: String) {
    let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard sides.count == 2 else { return nil }
    let names = sides.map { side in
      side.lastIndex(of: ".").map { (String(side[..<$0]), String(side[side.index(after: $0)...])) }
    }
    guard let (table, column) = names[0], let (target, targetColumn) = names[1] else { return nil }
    self.table = table
    self.column = column
    self.target = target
    self.targetColumn = targetColumn
  }

  /// Adds the key to a catalog.
  ///
  /// - Throws: `SQLError` if there is no such table or column, or the values of the target are no key.
  func add(to catalog: inout Catalog, _ session: some SQLSession) throws(SQLError) {
    let (origin, column) = try place(table, column, catalog)
    let (end, targetColumn) = try place(target, self.targetColumn, catalog)
    if !catalog.tables[end].isUnique([targetColumn]) {
      let name = targetColumn.quotedSQLName
      let twice = """
        SELECT 1 FROM \(session.source(of: catalog.tables[end])) AS t WHERE \(name) IS NOT NULL
        GROUP BY \(name) HAVING count(*) > 1 LIMIT 1
        """
      if try session.hasRow(twice, before: nil) {
        throw SQLError(
          .failed,
          "several rows of \(target) have one \(targetColumn), so that no link leads to it"
        )
      }
      catalog.tables[end].indexes.append(
        CatalogIndex(name: "", columns: [targetColumn], isUnique: true, isPartial: false)
      )
    }
    var key = ForeignKey(
      columns: [column],
      target: catalog.tables[end].name,
      targetColumns: [targetColumn]
    )
    key.isDeclared = false
    catalog.tables[origin].foreignKeys.append(key)
  }

  private func place(
    _ table: String,
    _ column: String,
    _ catalog: Catalog
  ) throws(SQLError) -> (Int, column: String) {
    let tables = catalog.tables
    let place = Self.place(of: table, in: tables.map { $0.kind == .table ? $0.name : "" })
    guard let place else { throw SQLError(.failed, "there is no table \(table)") }
    let names = tables[place].columns.map(\.name)
    guard let found = Self.place(of: column, in: names) else {
      throw SQLError(.failed, "the table \(table) has no column \(column)")
    }
    return (place, names[found])
  }

  /// The place of a name, which needs not be spelled in the same case unless there are several.
  private static func place(of name: String, in names: [String]) -> Int? {
    names.firstIndex { $0.hasSameBytes(as: name) } ?? names.firstIndex { $0.isSQLName(name) }
  }
}
