internal import KennelCore

/// A read-only transaction in which a part of a PostgreSQL database is read.
final class PostgresSession: SQLSession {
  /// The time that all views together may take.
  private static let viewTime = Duration.seconds(5)
  /// More rows than this no table has.
  private static let mostRows = 1 << 40
  /// The settings of the server for this transaction.
  static let settings = [
    ("datestyle", "ISO, YMD"), ("extra_float_digits", "3"), ("standard_conforming_strings", "on"),
    // The time in which objects are made is not the server's.
    ("idle_in_transaction_session_timeout", "0"),
  ]

  private let connection: PostgresConnection
  private let part: PostgresPart
  var rowLimit: Int?
  /// The condition of each table that has one, by the table's name in the catalog.
  private var conditions: [String: String] = [:]

  init(_ connection: PostgresConnection, _ part: PostgresPart) {
    self.connection = connection
    self.part = part
  }

  func begin() throws(SQLError) {
    // Nothing outlives the transaction: a pooler may give the connection to another program.
    try connection.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    for (name, value) in Self.settings { try set(name, value) }
    // Nothing converts what is stored there as text.
    if connection.hasAnyBytes { try set("client_encoding", "SQL_ASCII") }
  }

  func end() {
    _ = try? connection.run("ROLLBACK")
  }

  private func set(_ name: String, _ value: String) throws(SQLError) {
    try connection.run("SELECT pg_catalog.set_config($1, $2, true)", name, value)
  }

  func readCatalog() throws(SQLError) -> (catalog: Catalog, problems: [String]) {
    let paths = try connection.run(
      "SELECT pg_catalog.current_schemas(false), pg_catalog.current_setting('search_path')"
    )
    try set("search_path", "pg_catalog")
    let reader = try PostgresCatalog(connection, searching: paths.text(0, 0) ?? "{}")
    // Views, policies and conditions are written for it. What is asked beside them names the schema of each
    // function and operator, so that none of somebody else's is called.
    try set("search_path", paths.text(0, 1) ?? "pg_catalog")
    var (catalog, problems) = (reader.catalog, reader.problems)
    if !part.tables.isEmpty {
      var wanted: Set<Int> = []
      for name in part.tables { wanted.insert(try place(of: name, in: catalog)) }
      let tables = catalog.tables
      catalog.tables = wanted.sorted().map { tables[$0] }
      let others = tables.indices.filter { !wanted.contains($0) }.map { tables[$0].name }
      catalog.unread.formUnion(others)
      problems = others + problems
    }
    for (name, condition) in part.conditions.sorted(by: { $0.key < $1.key }) {
      let table = catalog.tables[try place(of: name, in: catalog)].name
      conditions[table] = condition
      problems.append("rows of \(table) that are not \(condition)")
    }
    try connection.run("SAVEPOINT kennel")
    return (catalog, problems)
  }

  /// The place of a table that a person names, with its schema or without.
  private func place(of name: String, in catalog: Catalog) throws(SQLError) -> Int {
    let place =
      catalog.tables.firstIndex { $0.name.hasSameBytes(as: name) }
      ?? catalog.tables.firstIndex { table in
        table.qualifiedName.map { "\($0.schema).\($0.table)".hasSameBytes(as: name) } ?? false
      }
    if let place { return place }
    let isUnread = catalog.unread.contains(name)
    throw SQLError(.failed, isUnread ? "\(name) is not read" : "there is no table \(name)")
  }

  // MARK: - Queries

  func rows(_ query: RowQuery) throws(SQLError) -> PostgresRows {
    try PostgresRows(query, connection, mostBytes: part.mostBytes)
  }

  func hasRow(_ query: String, before end: ContinuousClock.Instant?) throws(SQLError) -> Bool {
    try attempt(before: end) { () throws(SQLError) in try connection.run(query).rowCount > 0 }
  }

  /// Runs statements whose failure does not end the transaction: it goes back to where the catalog was read.
  private func attempt<Result>(
    before end: ContinuousClock.Instant?,
    _ body: () throws(SQLError) -> Result
  ) throws(SQLError) -> Result {
    do throws(SQLError) {
      if let end {
        let milliseconds = max(1, Int((end - .now) / .milliseconds(1)))
        try set("statement_timeout", "\(milliseconds)")
      }
      let result = try body()
      // With it goes the limit of time.
      if end != nil { try connection.run("ROLLBACK TO SAVEPOINT kennel") }
      return result
    } catch {
      // Without a connection, this error is the one to tell.
      if (try? connection.run("ROLLBACK TO SAVEPOINT kennel")) == nil {
        throw SQLError(.disconnected, error.message)
      }
      throw error
    }
  }

  func source(of table: CatalogTable) -> String {
    let name = table.qualifiedName.map { [$0.schema, $0.table] } ?? [table.name]
    // The rows of tables that inherit from this one are objects of their own classes.
    let only = table.kind == .table && !table.isRoot ? "ONLY " : ""
    let source = only + name.map(\.quotedSQLName).joined(separator: ".")
    guard let condition = conditions[table.name] else { return source }
    // The condition may end with a comment.
    return "(SELECT \(columns(of: table)) FROM \(source) WHERE (\(condition)\n))"
  }

  /// The columns that this user may read, and the place of a row where it orders the rows.
  private func columns(of table: CatalogTable) -> String {
    let place = table.kind == .table && table.primaryKey.isEmpty ? ["tableoid", "ctid"] : []
    return (place + table.columns.map(\.name.quotedSQLName)).joined(separator: ", ")
  }

  func selection(_ column: CatalogColumn, as form: ColumnContents, of alias: String) -> String {
    let value = "\(alias).\(column.name.quotedSQLName)"
    let type = PostgresType(column)
    if type == .text { return value }
    if [.string, .mixed, .decimal128].contains(form) { return "\(value)::pg_catalog.text" }
    return type == .oid ? "\(value)::pg_catalog.int8" : value
  }

  func place(in table: CatalogTable, _ alias: String) -> [String] {
    table.kind == .table ? ["\(alias).tableoid", "\(alias).ctid"] : []
  }

  func match(_ target: String, _ value: String, by comparison: String?) -> String {
    "\(target) \(comparison ?? "OPERATOR(pg_catalog.=)") \(value)"
  }

  // MARK: - Looking at values

  /// Asks the server for the numbers of rows, and for what decides the forms of values.
  func inspect(
    _ catalog: inout Catalog,
    _ problems: inout [String],
    _ progress: ReadingProgress
  ) throws -> [TableEvidence] {
    let end = ContinuousClock.now + Self.viewTime
    var found: [TableEvidence] = []
    var tooLarge: [String] = []
    for table in catalog.tables {
      switch look(at: table, before: end) {
      case .success(let evidence):
        found.append(evidence)
        progress.expect(evidence.rowCount)
        if evidence.rowCount > part.mostRows { tooLarge.append(table.name) }
      case .failure(let error):
        // A condition that is wrong is for its author to mend.
        if error.kind == .disconnected || conditions[table.name] != nil { throw error }
        problems.append("\(table.name) (\(error.message))")
        catalog.unread.insert(table.name)
        catalog.tables.removeAll { $0.name.hasSameBytes(as: table.name) }
      }
    }
    guard tooLarge.isEmpty else {
      let verb = tooLarge.count == 1 ? "has" : "have"
      throw SQLError(
        .tooLarge,
        "\(tooLarge.joined(separator: ", ")) \(verb) more than \(part.mostRows) rows"
      )
    }
    return found
  }

  /// Looks at a table; at a view only before a time, and unless it has too many rows.
  private func look(
    at table: CatalogTable,
    before end: ContinuousClock.Instant
  ) -> Result<TableEvidence, SQLError> {
    let isTable = table.kind == .table
    do throws(SQLError) {
      let evidence = try attempt(before: isTable ? nil : end) { () throws(SQLError) in
        try inspect(table)
      }
      guard isTable || evidence.rowCount <= part.mostRows else {
        return .failure(SQLError(.failed, "it has more than \(part.mostRows) rows"))
      }
      return .success(evidence)
    } catch {
      let isLate = !isTable && error.kind == .tookTooLong
      return .failure(isLate ? SQLError(.tookTooLong, "it takes too long") : error)
    }
  }

  /// The rows of a table that are looked at, after `FROM`: those that are read, or enough of them to see
  /// that they are too many.
  private func rows(of table: CatalogTable) -> String {
    let order = rowLimit == nil ? "" : RowOrder(table, self).order("t")
    let limit = rowLimit ?? (part.mostRows == .max ? nil : part.mostRows + 1)
    return "(SELECT \(columns(of: table)) FROM \(source(of: table)) AS t\(order)"
      + " LIMIT \(limit.map(String.init) ?? "ALL"))"
  }

  private func inspect(_ table: CatalogTable) throws(SQLError) -> TableEvidence {
    let types = table.columns.map(PostgresType.init)
    let values = table.columns.map { "t.\($0.name.quotedSQLName)" }
    let fits = zip(types, values).map { type, value in
      let condition = type.condition(value, hasAnyBytes: connection.hasAnyBytes)
      return condition.map { "coalesce(pg_catalog.bool_and(\($0)), true)" } ?? "true"
    }
    let counts = values.map { "pg_catalog.count(\($0))" }
    let number = table.rowNumber.map { "t.\($0)" }
    let numbers =
      number.map { "pg_catalog.min(\($0)), pg_catalog.max(\($0))" } ?? "NULL, NULL"
    let rows = rows(of: table)
    let row = try connection.run(
      """
      SELECT count(*), \(numbers), ARRAY[\(counts.joined(separator: ", "))]::pg_catalog.int8[],
      ARRAY[\(fits.joined(separator: ", "))]::pg_catalog.bool[]
      FROM \(rows) AS t
      """
    )
    // What a server says is only computed with where it can be true.
    let rowCount = Int(min(max(row.integer(0, 0), 0), 1 << 40))
    let valueCounts = row.elements(0, 3).map { min(max(Int($0) ?? 0, 0), rowCount) }
    let areFitting = row.elements(0, 4).map { $0 == "t" }
    guard valueCounts.count == types.count, areFitting.count == types.count,
      (0...Self.mostRows).contains(rowCount),
      valueCounts.allSatisfy({ (0...rowCount).contains($0) })
    else {
      throw SQLError(.failed, "the server sent what is no row")
    }
    var evidence = TableEvidence(rowCount: rowCount, columns: [])
    for (index, type) in types.enumerated() {
      evidence.columns.append(
        ColumnEvidence(
          form: type.form(fits: areFitting[index]),
          valueCount: valueCounts[index],
          nullCount: rowCount - valueCounts[index],
          areInts: type == .int,
          fits: { $0 == type.form(fits: areFitting[index]) }
        )
      )
    }
    if let number {
      var numbers = RowNumbers(count: rowCount, first: row.integer(0, 1), last: row.integer(0, 2))
      numbers.groupCount = numbers.span
      if !numbers.areNear {
        let group = "\(number) OPERATOR(pg_catalog.>>) 8"
        let groups = try connection.run(
          "SELECT pg_catalog.count(DISTINCT \(group)) FROM \(rows) AS t"
        )
        numbers.groupCount = Int(groups.integer(0, 0))
      }
      evidence.numbers = numbers
    }
    return evidence
  }
}
