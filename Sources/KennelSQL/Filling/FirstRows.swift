internal import KennelCore

/// The first rows of the tables of a database, for a look at it while all of it is read.
///
/// They are plain values: where a link leads is known when all rows are. Views, which may take long, and
/// tables without a key, whose rows have no order but that of a sort, are left out.
enum FirstRows {
  /// How many rows of a table.
  private static let count = 200

  /// Fills an empty database with them.
  ///
  /// - Parameters:
  ///   - session: The session, in its transaction.
  ///   - catalog: All tables.
  ///   - transaction: A transaction of the database.
  ///   - time: What is not reached in it is left out, once when values are looked at and once when they
  ///     are read: a server may be far away, and a value large.
  /// - Throws: `SQLError` if a row cannot be read, or `DatabaseError`.
  static func read(
    _ session: some SQLSession,
    _ catalog: Catalog,
    in transaction: WriteTransaction,
    within time: Duration
  ) throws {
    session.rowLimit = count
    defer { session.rowLimit = nil }
    let end = ContinuousClock.now + time
    let progress = ReadingProgress { _ in }
    progress.end = end
    var problems: [String] = []
    var shown = Catalog()
    var evidence: [TableEvidence] = []
    for var table in catalog.tables
    where table.kind == .table && !(table.primaryKey.isEmpty && table.rowNumber == nil) {
      table.foreignKeys = []
      var one = Catalog(tables: [table])
      let found = try session.inspect(&one, &problems, progress)
      // Some rows may not have been looked at.
      if ContinuousClock.now > end { break }
      evidence += found
      shown.tables += one.tables
    }
    let forms = zip(shown.tables, evidence).map { TableForms($0, $1) }
    progress.end = .now + time
    let filling = SQLFilling(session, transaction, progress)
    try filling.fill(MappingBuilder(shown, forms).mapping, evidence)
  }
}
