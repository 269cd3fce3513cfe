package import KennelCore

/// So many objects are read between two looks at whether to stop.
private let objectsPerStep = 4_096

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

extension DatabaseReader {
  /// Calls a body with every object of a class, in the order of the keys.
  ///
  /// - Parameters:
  ///   - classKey: The class.
  ///   - step: Called every few thousand objects with the number of objects visited.
  ///   - body: Called with each object.
  /// - Throws: `DatabaseError` if the file is damaged, and what the functions throw.
  func forEachObject(
    of classKey: ClassKey,
    step: QueryProgress.Step,
    _ body: (ObjectIdentity) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    var next: ObjectKey? = ObjectKey(rawValue: 0)
    var count = 0
    while let from = next {
      let objects = try objects(of: classKey, from: from, limit: objectsPerStep)
      for object in objects { try body(object) }
      count += objects.count
      try step(count)
      next = objects.keys.last.map { ObjectKey(rawValue: $0.rawValue + 1) }
    }
  }
}
