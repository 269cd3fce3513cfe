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

  /// Takes back all operations since a moment: neither undo nor redo brings them back.
  ///
  /// - Parameter number: What ``nextNumber`` was at that moment.
  /// - Throws: `DatabaseError` if the file is damaged. The operations are gone then, too.
  /// - Complexity: Linear in the operations that are taken back; in all operations of the draft if some
  ///   were undone, dropped or resolved since that moment.
  @_spi(Faces)
  public func takeBack(since number: Int) throws(DatabaseError) {
    redoSteps.removeAll { $0.hasOperations(since: number) }
    // Numbers ascend, and the steps since then are the last ones.
    let start = (entries.lastIndex { $0.id < number } ?? -1) + 1
    let count = entries.count - start
    let areLast = undoSteps.suffix(count).map(\.performed) == entries[start...].map(\.id)
    if areLast, undoSteps.dropLast(count).last?.hasOperations(since: number) != true {
      let redo = redoSteps
      defer { redoSteps = redo }
      return try takeBack(to: start)
    }
    let rest = entries.filter { $0.id < number }
    undoSteps = undoSteps.compactMap { $0.without(since: number) }
    do throws(DatabaseError) {
      try replay(rest, onto: base)
    } catch {
      entries = rest
      rebuild()
      throw error
    }
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

extension DraftStep {
  /// The operation of a step that performed one.
  fileprivate var performed: Int? {
    if case .perform(let entry) = self { entry.id } else { nil }
  }

  /// Whether undoing or redoing the step would bring back an operation made since a number.
  fileprivate func hasOperations(since number: Int) -> Bool {
    switch self {
    case .perform(let entry): entry.id >= number
    case .drop(let before, let ids):
      before.contains { $0.id >= number } || ids.contains { $0 >= number }
    }
  }

  /// The step without operations that were made since a number; `nil` if nothing is left of it.
  fileprivate func without(since number: Int) -> DraftStep? {
    switch self {
    case .perform(let entry): return entry.id < number ? self : nil
    case .drop(let before, let ids):
      let kept = ids.filter { $0 < number }
      return kept.isEmpty ? nil : .drop(before: before.filter { $0.id < number }, ids: kept)
    }
  }
}
