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
