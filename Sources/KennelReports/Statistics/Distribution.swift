package import KennelCore

/// How values that have an order are distributed.
package struct Distribution: Sendable {
  /// A range of values, and how many there are.
  package struct Bin: Sendable {
    package let lower: Value
    package let upper: Value
    /// Whether the upper value belongs to the bin, as in the last one and those of whole numbers.
    package let includesUpper: Bool
    package var count: Int
  }

  /// The values at a quarter, half and three quarters; empty without values.
  package private(set) var quartiles: [Value] = []
  /// Ten bins of equal width; empty for values that are no numbers and no dates.
  package private(set) var bins: [Bin] = []

  private static let binCount = 10

  /// Sorts the values.
  package init(of statistics: ValueStatistics) {
    let ordered = statistics.ordered
    let total = ordered.reduce(0) { $0 + $1.count }
    guard total > 0 else { return }
    quartiles = [1, 2, 3].map { Self.value(at: $0 * (total - 1) / 4, in: ordered) }
    guard let least = statistics.least, let greatest = statistics.greatest else { return }
    bins = Self.bins(from: least, to: greatest)
    guard !bins.isEmpty else { return }
    let edges = bins.dropFirst().map(\.lower)
    for (value, count) in ordered {
      let index = edges.firstIndex { value.isOrdered(before: $0) } ?? edges.count
      bins[index].count += count
    }
    // A sample stands for all values.
    let factor = Double(statistics.orderedCount) / Double(total)
    for index in bins.indices {
      bins[index].count = Int((Double(bins[index].count) * factor).rounded())
    }
  }

  private static func value(at place: Int, in ordered: [(value: Value, count: Int)]) -> Value {
    var passed = 0
    for (value, count) in ordered {
      passed += count
      if passed > place { return value }
    }
    return ordered.last?.value ?? .null
  }

  private static func bins(from least: Value, to greatest: Value) -> [Bin] {
    var edges: [Value] = []
    switch (least, greatest) {
    case (.int(let low), .int(let high)):
      let (range, overflows) = high.subtractingReportingOverflow(low)
      if overflows || range == .max { return [] }
      let width = range / Int64(binCount) + 1
      var edge = low
      while edge <= high {
        edges.append(.int(edge))
        let (next, isTooLarge) = edge.addingReportingOverflow(width)
        if isTooLarge { break }
        edge = next
      }
    case (.date(let low), .date(let high)):
      let width = (Double(high.seconds) - Double(low.seconds)) / Double(binCount)
      guard width >= 1, abs(Double(low.seconds)) < 1e15, abs(Double(high.seconds)) < 1e15 else {
        return []
      }
      edges = (0..<binCount).map {
        .date(Timestamp(seconds: low.seconds + Int64(Double($0) * width)))
      }
    default:
      guard let low = ValueStatistics.number(least), let high = ValueStatistics.number(greatest),
        (high - low).isFinite, high > low
      else { return [] }
      edges = (0..<binCount).map { .double(low + Double($0) * (high - low) / Double(binCount)) }
    }
    return edges.indices.map { index in
      let isLast = index == edges.count - 1
      let next = isLast ? greatest : edges[index + 1]
      if case .int(let number) = next, !isLast {
        return Bin(lower: edges[index], upper: .int(number - 1), includesUpper: true, count: 0)
      }
      return Bin(lower: edges[index], upper: next, includesUpper: isLast, count: 0)
    }
  }
}
