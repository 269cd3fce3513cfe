/// Reads the catalog of a PostgreSQL database: what this user may see of it.
///
/// The schemas of the server and the tables of extensions are left out. So are partitions: their table has
/// all of their rows.
struct PostgresCatalog {
  private(set) var catalog = Catalog()
  /// Tables and columns that cannot be read, with the reason.
  private(set) var problems: [String] = []
  private let connection: PostgresConnection
  /// The places of the tables, by their numbers.
  private var places: [String: Int] = [:]

  /// - Parameters:
  ///   - connection: A connection whose search path is `pg_catalog`.
  ///   - schemas: The schemas in which names are looked for, as an array: their tables come first.
  /// - Throws: `SQLError` if the catalog cannot be read.
  init(_ connection: PostgresConnection, searching schemas: String) throws(SQLError) {
    self.connection = connection
    try readTables(schemas)
    try readColumns()
    try readIndexes()
    try readForeignKeys()
    try readTriggers()
  }

  /// Selects the numbers of the tables.
  private static let shown = """
    SELECT c.oid FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
    AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
    AND NOT EXISTS (SELECT FROM pg_depend AS d
      WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
    """

  // MARK: - Tables

  private mutating func readTables(_ schemas: String) throws(SQLError) {
    let rows = try connection.run(
      """
      SELECT c.oid, n.nspname, c.relname, c.relkind, row_security_active(c.oid),
      has_schema_privilege(n.oid, 'USAGE') AND (has_any_column_privilege(c.oid, 'SELECT')
        OR has_table_privilege(c.oid, 'SELECT'))
      FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
      WHERE c.oid IN (\(Self.shown))
      ORDER BY array_position($1::name[], n.nspname), n.nspname, c.oid
      """,
      schemas
    )
    var found: [CatalogTable] = []
    for row in 0..<rows.rowCount {
      let name = QualifiedName(schema: rows.text(row, 1) ?? "", table: rows.text(row, 2) ?? "")
      let kinds: [String: CatalogTable.Kind] = ["r": .table, "p": .table, "f": .virtual]
      let kind = kinds[rows.text(row, 3) ?? ""] ?? .view
      var table = CatalogTable(name: name.table, qualifiedName: name, kind: kind)
      table.isRoot = rows.text(row, 3) == "p"
      table.hasRowSecurity = rows.isTrue(row, 4)
      found.append(table)
    }
    Self.qualify(&found)
    for (row, table) in found.enumerated() {
      guard rows.isTrue(row, 5) else {
        problems.append("\(table.name) (no permission)")
        catalog.unread.insert(table.name)
        continue
      }
      places[rows.text(row, 0) ?? ""] = catalog.tables.count
      catalog.tables.append(table)
    }
  }

  /// Puts the schemas before names that several tables have.
  private static func qualify(_ tables: inout [CatalogTable]) {
    // A table may be called as another is with its schema.
    for _ in 0..<2 {
      let counts = Dictionary(grouping: tables.indices) { Array(tables[$0].name.utf8) }
      for indices in counts.values where indices.count > 1 {
        for index in indices {
          guard let name = tables[index].qualifiedName else { continue }
          tables[index].name = "\(name.schema).\(name.table)"
        }
      }
    }
  }

  // MARK: - Columns

  /// The type that a domain restricts: the number of the type, and how it is written.
  private typealias Domain = (base: String, name: String)

  private mutating func readColumns() throws(SQLError) {
    let domains = try readDomains()
    let labels = try readLabels()
    let isGenerated = connection.version >= 120_000 ? "a.attgenerated <> ''" : "false"
    let rows = try connection.run(
      """
      SELECT a.attrelid, a.attname, a.atttypid, format_type(a.atttypid, a.atttypmod), a.attnotnull,
      pg_get_expr(d.adbin, d.adrelid), \(isGenerated), a.attidentity,
      has_column_privilege(a.attrelid, a.attnum, 'SELECT')
      FROM pg_attribute AS a
      LEFT JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
      WHERE a.attrelid IN (\(Self.shown)) AND a.attnum > 0 AND NOT a.attisdropped
      ORDER BY a.attrelid, a.attnum
      """
    )
    for row in 0..<rows.rowCount {
      guard let place = places[rows.text(row, 0) ?? ""] else { continue }
      let name = rows.text(row, 1) ?? ""
      guard rows.isTrue(row, 8) else {
        problems.append("\(catalog.tables[place].name).\(name) (no permission)")
        continue
      }
      var type = rows.text(row, 2) ?? ""
      let isGenerated = rows.isTrue(row, 6)
      var column = CatalogColumn(
        name: name,
        declaredType: rows.text(row, 3) ?? "",
        isRequired: rows.isTrue(row, 4),
        defaultExpression: isGenerated ? nil : rows.text(row, 5),
        isGenerated: isGenerated
      )
      while let domain = domains[type] { (type, column.baseType) = domain }
      column.labels = labels[type] ?? []
      column.isParsed = PostgresType(column) != .text || column.baseType != nil
      column.identity = ["a": .always, "d": .byDefault][rows.text(row, 7) ?? ""]
      catalog.tables[place].columns.append(column)
    }
  }

  private func readDomains() throws(SQLError) -> [String: Domain] {
    let rows = try connection.run(
      """
      SELECT oid, typbasetype, format_type(typbasetype, typtypmod) FROM pg_type WHERE typtype = 'd'
      """
    )
    var domains: [String: Domain] = [:]
    for row in 0..<rows.rowCount {
      domains[rows.text(row, 0) ?? ""] = (rows.text(row, 1) ?? "", rows.text(row, 2) ?? "")
    }
    return domains
  }

  private func readLabels() throws(SQLError) -> [String: [String]] {
    let rows = try connection.run(
      "SELECT enumtypid, enumlabel FROM pg_enum ORDER BY enumtypid, enumsortorder"
    )
    var labels: [String: [String]] = [:]
    for row in 0..<rows.rowCount {
      labels[rows.text(row, 0) ?? "", default: []].append(rows.text(row, 1) ?? "")
    }
    return labels
  }

  // MARK: - Keys

  private mutating func readIndexes() throws(SQLError) {
    let rows = try connection.run(
      """
      SELECT i.indrelid, i.indexrelid, x.relname, i.indisunique, i.indisprimary,
      i.indpred IS NOT NULL, a.attname
      FROM pg_index AS i JOIN pg_class AS x ON x.oid = i.indexrelid
      CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY AS k (number, place)
      LEFT JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = k.number
      WHERE i.indrelid IN (\(Self.shown)) AND i.indisvalid AND k.place <= i.indnkeyatts
      ORDER BY i.indrelid, i.indexrelid, k.place
      """
    )
    var last: String?
    for row in 0..<rows.rowCount {
      guard let place = places[rows.text(row, 0) ?? ""] else { continue }
      if last != rows.text(row, 1) {
        last = rows.text(row, 1)
        catalog.tables[place].indexes.append(
          CatalogIndex(
            name: rows.text(row, 2) ?? "",
            columns: [],
            isUnique: rows.isTrue(row, 3),
            isPartial: rows.isTrue(row, 5)
          )
        )
      }
      let column = rows.text(row, 6)
      let number = catalog.tables[place].indexes.count - 1
      catalog.tables[place].indexes[number].columns.append(column)
      if rows.isTrue(row, 4), let column { catalog.tables[place].primaryKey.append(column) }
    }
    for place in catalog.tables.indices { nameRows(of: &catalog.tables[place]) }
  }

  /// Takes a primary key that is a whole number for the number of its row.
  private func nameRows(of table: inout CatalogTable) {
    // A column that this user may not read orders nothing.
    let columns = table.primaryKey.map { table.column($0) }
    guard columns.allSatisfy({ $0 != nil }) else {
      table.primaryKey = []
      return
    }
    guard columns.count == 1, let column = columns[0], PostgresType(column) == .int else { return }
    table.rowNumber = column.name.quotedSQLName
    table.hasNumberKey = true
  }

  private mutating func readForeignKeys() throws(SQLError) {
    let isSet =
      connection.version >= 150_000 ? "coalesce(k.own = ANY (c.confdelsetcols), false)" : "false"
    // A key of periods compares none, and one that is not enforced does nothing.
    let isUsual = connection.version >= 180_000 ? "AND NOT c.conperiod AND c.conenforced" : ""
    let rows = try connection.run(
      """
      SELECT c.conrelid, c.oid, c.conname, c.confrelid, r.relname, c.confdeltype, c.confupdtype,
      c.condeferred, t.tgname, a.attname, p.attname,
      format('OPERATOR(%I.%s)', n.nspname, o.oprname), \(isSet)
      FROM pg_constraint AS c
      CROSS JOIN LATERAL unnest(c.conkey, c.confkey, c.conpfeqop)
        WITH ORDINALITY AS k (own, target, operator, place)
      JOIN pg_class AS r ON r.oid = c.confrelid
      JOIN pg_attribute AS a ON a.attrelid = c.conrelid AND a.attnum = k.own
      JOIN pg_attribute AS p ON p.attrelid = c.confrelid AND p.attnum = k.target
      JOIN pg_operator AS o ON o.oid = k.operator
      JOIN pg_namespace AS n ON n.oid = o.oprnamespace
      LEFT JOIN pg_trigger AS t ON t.tgconstraint = c.oid AND t.tgrelid = c.confrelid
        AND (t.tgtype & 8) = 8
      WHERE c.contype = 'f' AND c.conparentid = 0 \(isUsual) AND c.conrelid IN (\(Self.shown))
      ORDER BY c.conrelid, t.tgname COLLATE "C", c.oid, k.place
      """
    )
    var last: String?
    for row in 0..<rows.rowCount {
      guard let place = places[rows.text(row, 0) ?? ""] else { continue }
      if last != rows.text(row, 1) {
        last = rows.text(row, 1)
        catalog.tables[place].foreignKeys.append(foreignKey(rows, row))
      }
      let number = catalog.tables[place].foreignKeys.count - 1
      let column = rows.text(row, 9) ?? ""
      catalog.tables[place].foreignKeys[number].columns.append(column)
      catalog.tables[place].foreignKeys[number].targetColumns.append(rows.text(row, 10) ?? "")
      catalog.tables[place].foreignKeys[number].operators.append(rows.text(row, 11) ?? "=")
      if rows.isTrue(row, 12) {
        catalog.tables[place].foreignKeys[number].setColumns.append(column)
      }
    }
  }

  /// A foreign key without its columns.
  private mutating func foreignKey(_ rows: PostgresResult, _ row: Int) -> ForeignKey {
    var target = rows.text(row, 4) ?? ""
    if let place = places[rows.text(row, 3) ?? ""] {
      target = catalog.tables[place].name
    } else {
      catalog.unread.insert(target)
    }
    var key = ForeignKey(name: rows.text(row, 2), columns: [], target: target, targetColumns: [])
    let actions: [String: ForeignKey.Action] = [
      "c": .cascade, "n": .setNull, "d": .setDefault, "r": .restrict,
    ]
    key.onDelete = actions[rows.text(row, 5) ?? ""] ?? .noAction
    key.onUpdate = actions[rows.text(row, 6) ?? ""] ?? .noAction
    key.isDeferred = rows.isTrue(row, 7)
    key.trigger = rows.text(row, 8)
    return key
  }

  private mutating func readTriggers() throws(SQLError) {
    let rows = try connection.run(
      """
      SELECT tgrelid, tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled <> 'D'
      AND tgrelid IN (\(Self.shown)) ORDER BY tgrelid, tgname COLLATE "C"
      """
    )
    for row in 0..<rows.rowCount {
      guard let place = places[rows.text(row, 0) ?? ""] else { continue }
      catalog.tables[place].triggers.append(rows.text(row, 1) ?? "")
    }
  }
}
