import KennelStorage

extension Draft {
  /// Calls a body that performs operations, and undoes those operations afterwards.
  ///
  /// No trace of them remains, even if undoing them fails; redo stays possible.
  ///
  /// - Parameter body: Performs the operations and inspects the result. It must not undo or drop
  ///   any.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws, or `DatabaseError` if the file is damaged.
  @_spi(Faces)
  public func probe<Result>(
    _ body: (Draft) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    let (count, redo) = (entries.count, redoSteps)
    defer { redoSteps = redo }
    let result = Swift.Result { () throws(DatabaseError) in try body(self) }
    try takeBack(to: count)
    return try result.get()
  }

  private func takeBack(to count: Int) throws(DatabaseError) {
    do throws(DatabaseError) {
      while entries.count > count, try undo() != nil {}
    } catch {
      let tried = entries.count - count
      entries.removeLast(tried)
      undoSteps.removeLast(tried)
      rebuild()
      throw error
    }
  }
}
