package import KennelCore

extension QueryProgress {
  /// Called every few thousand objects with the number of objects visited.
  typealias Step = (Int) throws(DatabaseError) -> Void

  /// A progress that nobody sees and nobody cancels.
  package static let none = QueryProgress(isCancelled: { false })

  /// Reports the fraction done.
  ///
  /// - Throws: `DatabaseError` with code `cancelled` if the work was cancelled.
  func show(_ done: Int, of total: Int) throws(DatabaseError) {
    if isCancelled() { throw DatabaseError(.cancelled, "The report was cancelled") }
    report(total == 0 ? 1 : min(1, Double(done) / Double(total)))
  }

  /// A step that reports the fraction done, with what was done before it.
  func step(after done: Int = 0, of total: Int) -> Step {
    { count throws(DatabaseError) in try show(done + count, of: total) }
  }
}
