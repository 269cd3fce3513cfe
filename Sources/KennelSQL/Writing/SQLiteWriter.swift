internal import KennelCore

/// Runs the statements of a commit in one transaction of an SQLite database.
///
/// Each statement names its row by what was seen of it, and must change that row alone. So nothing is
/// written over what another program has changed meanwhile, and a deletion takes no more than was planned.
/// Foreign keys are enforced at the end, so that rows may refer to each other in a circle.
package struct SQLiteWriter {
  private let connection: SQLiteConnection
  private let catalog: Catalog
  private var statements: [String: SQLiteStatement] = [:]
  /// So many different statements are kept.
  private static let mostStatements = 100

  /// Opens a file.
  ///
  /// - Throws: `SQLError` if it cannot be written.
  package init(_ path: String) throws(SQLError) {
    connection = try SQLiteConnection(path, .writing)
    try connection.run("BEGIN IMMEDIATE")
    try connection.run("PRAGMA defer_foreign_keys = ON")
    catalog = try SQLiteCatalog(connection).catalog
  }

  /// The mapping of the tables as they are now: see ``SQLMapping/init(_:addedKeys:_:)``.
  package func mapping(
    addedKeys: [AddedKey],
    _ forms: [TableForms]
  ) throws(SQLError) -> SQLMapping {
    try SQLMapping(connection, addedKeys: addedKeys, forms)
  }

  /// Runs the statements; nothing is stored before ``commit()``.
  ///
  /// - Throws: `SQLError` of the kind `changed` if a row is not what was seen, and `refused` if the
  ///   database does not take a change.
  package mutating func run(_ changes: RowChanges) throws(SQLError) {
    if changes.hasCircle { try requireUnchanged(changes) }
    let start = connection.totalChangedCount
    for change in changes.changes {
      do throws(SQLError) {
        let written = change.statement()
        let statement = try prepared(written.text)
        try statement.bind(written.values)
        _ = try statement.step()
      } catch {
        throw SQLError(error.kind, "\(changes.name(of: change)): \(error.message)")
      }
      // A row that is deleted may have gone with another of its circle.
      let isDone =
        connection.changedCount == 1 || changes.hasCircle && change.kind == .delete
      guard isDone else { throw changes.hasCircle ? RowChanges.circle : changes.stale(change) }
    }
    let others = connection.totalChangedCount - start - Int64(changes.changes.count)
    let hasTriggers = catalog.tables.contains { !$0.triggers.isEmpty }
    guard others == changes.defaultCount || hasTriggers else {
      throw changes.hasCircle ? RowChanges.circle : RowChanges.tookMore
    }
  }

  /// Looks whether each row is what was seen, before any is changed.
  private mutating func requireUnchanged(_ changes: RowChanges) throws(SQLError) {
    for change in changes.changes where change.kind != .insert {
      let query = change.query()
      let rows = try connection.prepare(query.text, binding: query.values)
      guard try rows.step(), rows.integer(0) == 1 else { throw changes.stale(change) }
    }
  }

  private mutating func prepared(_ text: String) throws(SQLError) -> SQLiteStatement {
    if let known = statements[text] { return known }
    if statements.count >= Self.mostStatements { statements = [:] }
    let statement = try connection.prepare(text)
    statements[text] = statement
    return statement
  }

  /// Stores the changes.
  ///
  /// - Throws: `SQLError` if a foreign key would lead nowhere, or the disk is full. Nothing is stored
  ///   then.
  package mutating func commit() throws(SQLError) {
    statements = [:]
    try connection.run("COMMIT")
  }
}
