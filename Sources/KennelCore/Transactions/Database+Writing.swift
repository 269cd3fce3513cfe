import KennelStorage

extension Database {
  /// Takes the writer's lock, waiting for other writers of all processes.
  ///
  /// A thread that has a write transaction must not begin another: it would wait forever.
  ///
  /// - Returns: The transaction.
  /// - Throws: `DatabaseError` if the file may not be written, is damaged or was replaced.
  public func beginWrite() throws(DatabaseError) -> WriteTransaction {
    let writer = try storing { () throws(StorageError) in try store.beginWrite() }
    return WriteTransaction(self, writer)
  }

  /// Runs a body in a write transaction and commits, or rolls back if the body throws.
  ///
  /// - Parameter body: What to do; its result is returned.
  /// - Returns: What the body returned.
  /// - Throws: What the body throws, or `DatabaseError` if the commit fails; nothing is changed then.
  public func write<Result>(
    _ body: (WriteTransaction) throws -> Result
  ) throws -> Result {
    let transaction = try beginWrite()
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
