/// Reports the progress of a long query or deletion, and cancels it.
///
/// ```swift
/// let progress = QueryProgress(isCancelled: { Task.isCancelled }, report: { print($0) })
/// print(try snapshot.objects(of: dog.key, progress: progress).count)
/// ```
public struct QueryProgress: Sendable {
  /// Whether to stop; called every few thousand objects.
  public let isCancelled: @Sendable () -> Bool
  /// Gets the completed fraction, from 0 to 1, every few thousand objects.
  public let report: @Sendable (Double) -> Void

  /// Creates a progress handler from two functions.
  public init(
    isCancelled: @escaping @Sendable () -> Bool,
    report: @escaping @Sendable (Double) -> Void = { _ in }
  ) {
    self.isCancelled = isCancelled
    self.report = report
  }

  /// A progress whose 0 and 1 are the ends of a part of this one.
  func part(_ part: ClosedRange<Double>) -> QueryProgress {
    let report = report
    return QueryProgress(isCancelled: isCancelled) { done in
      report(part.lowerBound + (part.upperBound - part.lowerBound) * done)
    }
  }
}

/// Counts the steps of work that may be cancelled.
internal final class StepProgress {
  private let progress: QueryProgress?
  private let count: Int
  private var done = 0

  init(_ progress: QueryProgress?, count: Int) {
    self.progress = progress
    self.count = count
  }

  /// Counts a step.
  ///
  /// - Throws: `DatabaseError` with the code `cancelled` if the work was cancelled.
  func next() throws(DatabaseError) {
    if let progress, done % 256 == 0 {
      if progress.isCancelled() { throw DatabaseError(.cancelled, "The work was cancelled") }
      progress.report(min(1, Double(done) / Double(max(1, count))))
    }
    done += 1
  }
}
