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
  func add(to catalog: inout Catalog, _ connection: SQLiteConnection) throws(SQLError) {
    let origin = try place(table, column, catalog)
    let end = try place(target, targetColumn, catalog)
    if !catalog.tables[end].isUnique([targetColumn]) {
      let name = targetColumn.quotedSQLName
      let twice = try connection.prepare(
        """
        SELECT 1 FROM \(target.quotedSQLName) WHERE \(name) IS NOT NULL
        GROUP BY \(name) HAVING count(*) > 1 LIMIT 1
        """
      )
      if try twice.step() {
        throw SQLError(
          .failed,
          "several rows of \(target) have one \(targetColumn), so that no link leads to it"
        )
      }
      catalog.tables[end].indexes.append(
        CatalogIndex(name: "", columns: [targetColumn], isUnique: true, isPartial: false)
      )
    }
    var key = ForeignKey(columns: [column], target: target, targetColumns: [targetColumn])
    key.isDeclared = false
    catalog.tables[origin].foreignKeys.append(key)
  }

  private func place(
    _ table: String,
    _ column: String,
    _ catalog: Catalog
  ) throws(SQLError) -> Int {
    let place = catalog.tables.firstIndex { $0.kind == .table && $0.name.isSQLName(table) }
    guard let place else { throw SQLError(.failed, "there is no table \(table)") }
    guard catalog.tables[place].column(column) != nil else {
      throw SQLError(.failed, "the table \(table) has no column \(column)")
    }
    return place
  }
}
