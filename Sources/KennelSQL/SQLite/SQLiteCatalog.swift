/// Reads the catalog of an SQLite database.
struct SQLiteCatalog {
  private(set) var catalog = Catalog()
  /// Tables that cannot be read, with the reason.
  private(set) var problems: [String] = []
  private let connection: SQLiteConnection
  /// The most columns that a query can have, where SQLite was built as usual.
  private static let mostColumns = 2_000

  init(_ connection: SQLiteConnection) throws(SQLError) {
    self.connection = connection
    let tables = try connection.prepare(
      """
      SELECT l.name, l.type, l.wr, m.sql FROM pragma_table_list AS l
      JOIN sqlite_master AS m ON m.type IN ('table', 'view') AND m.name = l.name
      WHERE l.schema = 'main' AND l.type <> 'shadow' AND l.name NOT LIKE 'sqlite~_%' ESCAPE '~'
      ORDER BY m.rowid
      """
    )
    while try tables.step() {
      let name = tables.text(0)
      let kinds: [String: CatalogTable.Kind] = ["view": .view, "virtual": .virtual]
      let kind = kinds[tables.text(1)] ?? .table
      do throws(SQLError) {
        var table = CatalogTable(name: name, kind: kind)
        try readColumns(of: &table)
        try readIndexes(of: &table)
        if kind == .table {
          nameRows(of: &table, areNumbered: tables.integer(2) == 0)
          try readForeignKeys(of: &table, tables.text(3))
        }
        catalog.tables.append(table)
      } catch  where kind != .table && error.kind == .failed {
        // A view may name what is gone, a virtual table a module that is not here.
        problems.append("\(name) (\(error.message))")
      }
    }
    try readTriggers()
    for index in catalog.tables.indices { spellNames(of: index) }
  }

  private func readColumns(of table: inout CatalogTable) throws(SQLError) {
    let columns = try connection.prepare(
      "SELECT name, type, \"notnull\", dflt_value, pk, hidden FROM pragma_table_xinfo(?)",
      table.name
    )
    var keys: [(position: Int64, name: String)] = []
    while try columns.step() {
      // A virtual table's arguments are hidden columns.
      let hidden = columns.integer(5)
      if hidden == 1 { continue }
      let name = columns.text(0)
      table.columns.append(
        CatalogColumn(
          name: name,
          declaredType: columns.text(1),
          isRequired: columns.integer(2) != 0,
          defaultExpression: columns.storage(3) == .null ? nil : columns.text(3),
          isGenerated: hidden > 1
        )
      )
      if columns.integer(4) > 0 { keys.append((columns.integer(4), name)) }
    }
    table.primaryKey = keys.sorted { $0.position < $1.position }.map(\.name)
  }

  private func readIndexes(of table: inout CatalogTable) throws(SQLError) {
    // The last is listed first.
    let indexes = try connection.prepare(
      "SELECT name, \"unique\", partial, origin FROM pragma_index_list(?) ORDER BY seq DESC",
      table.name
    )
    var hasIndexOfKey = false
    while try indexes.step() {
      let name = indexes.text(0)
      if indexes.text(3) == "pk" { hasIndexOfKey = true }
      let columns = try connection.prepare(
        "SELECT name FROM pragma_index_info(?) ORDER BY seqno",
        name
      )
      var names: [String?] = []
      while try columns.step() { names.append(columns.storage(0) == .null ? nil : columns.text(0)) }
      table.indexes.append(
        CatalogIndex(
          name: name,
          columns: names,
          isUnique: indexes.integer(1) != 0,
          isPartial: indexes.integer(2) != 0
        )
      )
    }
    table.hasNumberKey = table.primaryKey.count == 1 && !hasIndexOfKey
  }

  /// Finds a name for the numbers of rows that no column has.
  private func nameRows(of table: inout CatalogTable, areNumbered: Bool) {
    guard areNumbered, table.columns.count < Self.mostColumns else {
      table.hasNumberKey = false
      return
    }
    let name =
      table.hasNumberKey
      ? table.primaryKey.first
      : ["rowid", "_rowid_", "oid"].first { name in
        !table.columns.contains { $0.name.isSQLName(name) }
      }
    table.rowNumber = name?.quotedSQLName
  }

  private func readForeignKeys(of table: inout CatalogTable, _ text: String) throws(SQLError) {
    let rows = try connection.prepare(
      """
      SELECT id, "table", "from", "to", on_update, on_delete FROM pragma_foreign_key_list(?)
      ORDER BY id DESC, seq
      """,
      table.name
    )
    var last: Int64?
    while try rows.step() {
      if last != rows.integer(0) {
        last = rows.integer(0)
        var key = ForeignKey(columns: [], target: rows.text(1), targetColumns: [])
        key.onUpdate = ForeignKey.Action(rawValue: rows.text(4)) ?? .noAction
        key.onDelete = ForeignKey.Action(rawValue: rows.text(5)) ?? .noAction
        table.foreignKeys.append(key)
      }
      let index = table.foreignKeys.count - 1
      table.foreignKeys[index].columns.append(rows.text(2))
      if rows.storage(3) != .null { table.foreignKeys[index].targetColumns.append(rows.text(3)) }
    }
    let declared = SQLTokens(text).foreignKeys
    guard declared.count == table.foreignKeys.count else { return }
    for (index, key) in declared.enumerated() {
      table.foreignKeys[index].name = key.name
      table.foreignKeys[index].isDeferred = key.isDeferred
    }
  }

  private mutating func readTriggers() throws(SQLError) {
    let triggers = try connection.prepare(
      "SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid"
    )
    while try triggers.step() {
      guard let index = place(triggers.text(1)) else { continue }
      catalog.tables[index].triggers.append(triggers.text(0))
    }
  }

  /// The place of a table in the catalog.
  private func place(_ name: String) -> Int? {
    catalog.tables.firstIndex { $0.name.isSQLName(name) }
  }

  /// Spells the names in foreign keys and indexes as the tables do, which SQLite does not ask for.
  private mutating func spellNames(of index: Int) {
    func spelled(_ name: String, _ table: CatalogTable) -> String {
      table.columns.first { $0.name.isSQLName(name) }?.name ?? name
    }
    let table = catalog.tables[index]
    for (number, key) in table.foreignKeys.enumerated() {
      var key = key
      key.columns = key.columns.map { spelled($0, table) }
      if let place = place(key.target) {
        let target = catalog.tables[place]
        key.target = target.name
        key.targetColumns = key.targetColumns.map { spelled($0, target) }
      }
      catalog.tables[index].foreignKeys[number] = key
    }
    for (number, found) in table.indexes.enumerated() {
      catalog.tables[index].indexes[number].columns = found.columns.map { name in
        name.map { spelled($0, table) }
      }
    }
  }
}
