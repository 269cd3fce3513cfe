internal import KennelCore

/// Runs the statements of a commit in one transaction of a PostgreSQL database.
///
/// Each statement names its row by what was seen of it, and must change that row alone. That suffices at
/// `READ COMMITTED`: a row that another transaction changes meanwhile is waited for, and then it is not
/// what was seen. At the end the server's own count of changed rows must be the planned one, so that a
/// deletion takes no other rows than those shown.
package struct PostgresWriter {
  private let connection: PostgresConnection
  /// A statement waits so long for rows that other transactions hold.
  private static let mostLockTime = "10s"
  /// The outcome of a commit is asked for at most so long when the connection broke.
  private static let mostOutcomeTime = Duration.seconds(30)

  /// Begins the transaction.
  ///
  /// - Parameter connection: A connection, for nothing else until the end.
  /// - Throws: `SQLError` if the server does not let this user write.
  package init(_ connection: PostgresConnection) throws(SQLError) {
    self.connection = connection
    try connection.run("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
    do throws(SQLError) {
      for (name, value) in PostgresSession.settings + [("lock_timeout", Self.mostLockTime)] {
        try connection.run("SELECT pg_catalog.set_config($1, $2, true)", name, value)
      }
      // Rows may refer to each other in a circle where the constraints allow it.
      try connection.run("SET CONSTRAINTS ALL DEFERRED")
    } catch {
      rollback()
      throw error
    }
  }

  /// Runs the statements and stores them.
  ///
  /// - Parameters:
  ///   - changes: The statements.
  ///   - mapping: The tables that the classes are.
  ///   - announce: Called before the server is asked to store them, with what finds out whether it has.
  ///   - reconnect: Makes another connection, to ask for the outcome where this one breaks.
  /// - Throws: `SQLError` of the kind `changed` if a row is not what was seen, `refused` if the server
  ///   does not take a change, and `outcomeUnknown` if it cannot be asked whether it stored them. Nothing
  ///   is stored but in the last case.
  package func commit(
    _ changes: RowChanges,
    _ mapping: SQLMapping,
    announce: (CommitTrace) throws -> Void = { _ in },
    reconnect: () throws -> PostgresConnection
  ) throws {
    let trace: CommitTrace
    do {
      try run(changes, mapping)
      try moveSequences(of: changes, mapping)
      let number = try connection.run("SELECT pg_catalog.txid_current()").text(0, 0)
      trace = CommitTrace(transaction: number ?? "")
      try announce(trace)
    } catch {
      rollback()
      throw error
    }
    do throws(SQLError) {
      // A transaction that failed before answers to COMMIT with a rollback.
      guard try connection.run("COMMIT").command == "COMMIT" else {
        throw SQLError(.refused, "the server rolled it back")
      }
    } catch {
      // A constraint that is checked at the end may refuse.
      if error.kind == .refused { throw error }
      guard try findOutcome(of: trace, error, reconnect) else { throw error }
    }
  }

  /// Asks the server whether it has stored a transaction whose end was not heard.
  private func findOutcome(
    of trace: CommitTrace,
    _ error: SQLError,
    _ reconnect: () throws -> PostgresConnection
  ) throws(SQLError) -> Bool {
    let end = ContinuousClock.now + Self.mostOutcomeTime
    while ContinuousClock.now < end {
      if let other = try? reconnect(), let answer = try? trace.isStored(other) { return answer }
      PostgresConnection.pause()
    }
    throw SQLError(
      .outcomeUnknown,
      "the connection broke while the server was asked to store it (\(error.message))"
    )
  }

  private func rollback() {
    _ = try? connection.run("ROLLBACK")
  }

  // MARK: - Statements

  private func run(_ changes: RowChanges, _ mapping: SQLMapping) throws(SQLError) {
    if changes.hasCircle { try requireUnchanged(changes) }
    let start = try changedCount
    for change in changes.changes {
      let count = try run(change.statement(), of: change, changes)
      // A row that is deleted may have gone with another of its circle.
      let isDone = count == 1 || count == 0 && changes.hasCircle && change.kind == .delete
      guard isDone else { throw changes.hasCircle ? RowChanges.circle : changes.stale(change) }
    }
    // What a server says may be any number.
    let others = try changedCount &- start &- Int64(changes.changes.count)
    if others == changes.defaultCount { return }
    // A row that goes to another partition is one that goes and one that comes.
    let isUnclear = mapping.tables.contains { !$0.table.triggers.isEmpty || $0.table.isRoot }
    if isUnclear { return }
    guard try connection.run("SHOW track_counts").text(0, 0) == "on" else {
      throw SQLError(.refused, "the server does not count what is changed: track_counts is off")
    }
    throw changes.hasCircle ? RowChanges.circle : RowChanges.tookMore
  }

  /// Looks whether each row is what was seen, before any is changed.
  private func requireUnchanged(_ changes: RowChanges) throws(SQLError) {
    for change in changes.changes where change.kind != .insert {
      guard try run(change.query(), of: change, changes) == 1 else { throw changes.stale(change) }
    }
  }

  /// - Returns: How many rows the statement changed, or the number that a query gave.
  private func run(
    _ statement: StatementText,
    of change: RowChange,
    _ changes: RowChanges
  ) throws(SQLError) -> Int {
    do throws(SQLError) {
      let texts = statement.values.map(SQLDialect.postgres.text)
      let result = try connection.change(statement.text, binding: texts)
      return result.changedCount ?? Int(clamping: result.integer(0, 0))
    } catch {
      throw SQLError(error.kind, "\(changes.name(of: change)): \(error.message)")
    }
  }

  /// How many rows the server has changed in this transaction, by itself or as it was told.
  private var changedCount: Int64 {
    get throws(SQLError) {
      try connection.run(
        """
        SELECT coalesce(pg_catalog.sum(n_tup_ins + n_tup_upd + n_tup_del), 0)
        FROM pg_catalog.pg_stat_xact_user_tables
        """
      ).integer(0, 0)
    }
  }

  /// Lets sequences go on after the numbers that new rows brought.
  private func moveSequences(of changes: RowChanges, _ mapping: SQLMapping) throws(SQLError) {
    for table in mapping.tables {
      let name = SQLDialect.postgres.name(of: table.table, .insert)
      let rows = changes.changes.filter { $0.kind == .insert && $0.table == name }
      if rows.isEmpty { continue }
      for column in table.table.columns
      where column.identity != nil || column.defaultExpression != nil {
        let quoted = column.name.quotedSQLName
        let numbers = rows.compactMap { row -> Int64? in
          guard case .int(let number)? = row.columns.first(where: { $0.name == quoted })?.new
          else { return nil }
          return number
        }
        guard let greatest = numbers.max() else { continue }
        try connection.run(
          """
          SELECT pg_catalog.setval(seqrelid, $3::pg_catalog.int8) FROM pg_catalog.pg_sequence
          WHERE seqrelid = pg_catalog.pg_get_serial_sequence($1, $2)::pg_catalog.regclass
          AND seqincrement > 0 AND $3::pg_catalog.int8 BETWEEN seqmin AND seqmax
          AND $3::pg_catalog.int8 > coalesce(pg_catalog.pg_sequence_last_value(seqrelid), seqstart - 1)
          """,
          name,
          column.name,
          "\(greatest)"
        )
      }
    }
  }
}
