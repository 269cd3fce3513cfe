extension SQLMapping {
  /// Finds the mapping of a database again.
  ///
  /// - Parameters:
  ///   - connection: A connection to the database.
  ///   - addedKeys: The foreign keys that the database does not declare.
  ///   - forms: What the values of each table decide.
  /// - Throws: `SQLError` of the kind `changed` if the tables are others now.
  package init(
    _ connection: SQLiteConnection,
    addedKeys: [AddedKey],
    _ forms: [TableForms]
  ) throws(SQLError) {
    try self.init(of: connection, addedKeys, forms)
  }

  /// Finds the mapping of a database on a server again, in a transaction of its own.
  ///
  /// - Parameters:
  ///   - connection: A connection to the database.
  ///   - part: The part that was read.
  ///   - addedKeys: The foreign keys that the database does not declare.
  ///   - forms: What the values of each table decide.
  /// - Throws: `SQLError` of the kind `changed` if the tables are others now.
  package init(
    _ connection: PostgresConnection,
    _ part: PostgresPart,
    addedKeys: [AddedKey],
    _ forms: [TableForms]
  ) throws(SQLError) {
    let session = PostgresSession(connection, part)
    try session.begin()
    defer { session.end() }
    try self.init(of: session, addedKeys, forms)
  }

  private init(
    of session: some SQLSession,
    _ addedKeys: [AddedKey],
    _ forms: [TableForms]
  ) throws(SQLError) {
    var catalog = try session.readCatalog().catalog
    for key in addedKeys { try key.add(to: &catalog, session) }
    let tables = Dictionary(catalog.tables.map { ($0.name, $0) }) { first, _ in first }
    let known = forms.compactMap { tables[$0.table] }
    guard known.count == forms.count,
      zip(known, forms).allSatisfy({ $0.columns.count == $1.columns.count })
    else { throw SQLError(.changed, "its tables are not those that were read; open it again") }
    catalog.tables = known
    self = MappingBuilder(catalog, forms).mapping
  }
}
