import KennelStorage

extension Database {
  /// Takes the writer's lock, waiting for other writers of all processes.
  ///
  /// A transaction may be passed to another thread. So a thread that begins two of one file outside of
  /// `write` waits forever.
  ///
  /// - Parameters:
  ///   - limit: How long to wait; `nil` for as long as it takes.
  ///   - isCancelled: Asked before the wait, about a hundred times a second while it lasts, and after it:
  ///     whether the transaction is not wanted any more.
  /// - Returns: The transaction.
  /// - Throws: `DatabaseError` if the file may not be written, is damaged or was replaced; with code
  ///   `busy`, and the process that writes (``DatabaseError/processID``), if the wait took too long; with
  ///   code `cancelled` if `isCancelled` said so; with code `nestedWrite` in the body of `write` of the
  ///   same file, whichever database it is of.
  public func beginWrite(
    waitingAtMost limit: Duration? = nil,
    isCancelled: (() -> Bool)? = nil
  ) throws(DatabaseError) -> WriteTransaction {
    try requireOpen()
    if store.isWritingHere {
      throw DatabaseError(
        .nestedWrite,
        "Cannot begin a write transaction of \(path): this thread is in one already, and would wait "
          + "for it forever. Make the change in that transaction, or after it",
        path: path
      )
    }
    let writer = try storing(
      store.beginWrite(
        waitingAtMost: limit.map(\.clampedMilliseconds),
        isCancelled: isCancelled
      )
    )
    return WriteTransaction(self, writer)
  }

  /// Runs a body in a write transaction and commits, or rolls back if the body throws.
  ///
  /// The body must not write to the file in another way: its thread would wait for itself, so that the
  /// attempt throws an error with code `nestedWrite`.
  ///
  /// - Parameters:
  ///   - limit: How long to wait for other writers of all processes; `nil` for as long as it takes.
  ///   - isCancelled: Whether the transaction is not wanted any more, as in
  ///     ``beginWrite(waitingAtMost:isCancelled:)``. It is not asked once the body runs.
  ///   - body: What to do; its result is returned.
  /// - Returns: What the body returned.
  /// - Throws: What the body throws, or `DatabaseError` if the wait took too long or was cancelled, or
  ///   the commit fails; nothing is changed then.
  public func write<Result>(
    waitingAtMost limit: Duration? = nil,
    isCancelled: (() -> Bool)? = nil,
    _ body: (WriteTransaction) throws -> Result
  ) throws -> Result {
    let transaction = try beginWrite(waitingAtMost: limit, isCancelled: isCancelled)
    transaction.stayOnThread()
    do {
      let result = try body(transaction)
      if transaction.isActive { try transaction.commit() }
      return result
    } catch {
      transaction.rollback()
      throw error
    }
  }
}

extension Duration {
  /// The milliseconds, rounded up, so that a short wait is one.
  fileprivate var clampedMilliseconds: Int {
    let (seconds, attoseconds) = components
    let part = Int((max(0, attoseconds) + 999_999_999_999_999) / 1_000_000_000_000_000)
    return Int(clamping: max(0, min(seconds, 1 << 40))) * 1000 + part
  }
}
