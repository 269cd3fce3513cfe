import KennelStorage

extension Draft {
  /// Performs operations temporarily, calls a body, and undoes them.
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

  /// Takes back the creation of an object, with the changes made to it and those that depend on it.
  ///
  /// - Parameter object: An object that the draft created. Does nothing if it did not.
  /// - Throws: `DatabaseError` if the file is damaged.
  /// - Complexity: Linear in the operations since the creation if they concern only the object and its
  ///   embedded objects, in all operations of the draft otherwise.
  @_spi(Faces)
  public func withdraw(_ object: ObjectIdentity) throws(DatabaseError) {
    guard let start = entries.lastIndex(where: { $0.created == object }) else { return }
    var parts: Set = [object]
    let concerned = entries[start...].filter { entry in
      guard entry.operation.slot.map({ parts.contains($0.object) }) ?? (entry.created == object)
      else { return false }
      if let created = entry.created { parts.insert(created) }
      return true
    }
    if concerned.count == entries.count - start {
      try takeBack(to: start)
    } else {
      let (rest, dropped) = try divided(without: Set(concerned.map(\.id)), areKept: false)
      try replay(rest, onto: base)
      undoSteps.removeAll { step in
        if case .perform(let entry) = step { dropped.contains(entry.id) } else { false }
      }
    }
    redoSteps = []
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
