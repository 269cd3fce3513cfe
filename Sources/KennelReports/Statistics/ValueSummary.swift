package import KennelCore

/// Statistics of values, sorted and small enough to be shown.
package struct ValueSummary: Sendable {
  /// A value, and how often it occurs.
  package struct Frequency: Sendable {
    package let value: Value
    package let count: Int
  }

  package let count: Int
  package let nullCount: Int
  /// How many different values were told apart.
  package let distinctCount: Int
  /// Whether all values were told apart; otherwise quartiles and histogram come from a sample.
  package let isComplete: Bool
  package let least: Value?
  package let greatest: Value?
  package let mean: Double?
  package let distribution: Distribution
  /// Whether the most frequent values are those of the first different ones only.
  package let isOfFirstValues: Bool
  /// The most frequent values, the most frequent first.
  package let frequencies: [Frequency]

  /// Sorts the values.
  ///
  /// - Parameters:
  ///   - statistics: The values.
  ///   - most: How many of the most frequent are kept.
  package init(of statistics: ValueStatistics, most: Int) {
    count = statistics.count
    nullCount = statistics.nullCount
    distinctCount = statistics.frequencies.count
    isComplete = statistics.otherCount == 0
    isOfFirstValues = statistics.isFull
    least = statistics.least
    greatest = statistics.greatest
    mean = statistics.mean
    distribution = Distribution(of: statistics)
    frequencies = statistics.mostFrequent(most).map { Frequency(value: $0.value, count: $0.count) }
  }
}
