import KennelStorage

extension Draft {
  /// Performs operations temporarily, calls a body, and undoes them.
  ///
  /// Nothing is left of them, not even where taking them back fails; redo stays possible.
  ///
  /// - Parameter body: Performs the operations, and looks. It neither undoes nor drops any.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws, or `DatabaseError` if the file is damaged.
  @_spi(Faces)
  public func probe<Result>(
    _ body: (Draft) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    let (count, redo) = (entries.count, redoSteps)
    defer { redoSteps = redo }
    let result: Result
    do throws(DatabaseError) {
      result = try body(self)
    } catch {
      try takeBack(to: count)
      throw error
    }
    try takeBack(to: count)
    return result
  }

  private func takeBack(to count: Int) throws(DatabaseError) {
    do throws(DatabaseError) {
      while entries.count > count { try undo() }
    } catch {
      let tried = entries.count - count
      entries.removeLast(tried)
      undoSteps.removeLast(tried)
      rebuild()
      throw error
    }
  }
}
