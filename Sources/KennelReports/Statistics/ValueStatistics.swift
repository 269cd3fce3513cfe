package import KennelCore

/// Statistics of values: how many there are, which are frequent, how they are distributed.
///
/// Values are added one at a time. It keeps 200,000 different values, of 32 MB of text and data at
/// most, and a random sample of 65,536; quantiles and histogram are exact while all different values
/// are kept, and come from the sample otherwise.
package struct ValueStatistics: Sendable {
  /// Longer texts and data, in bytes, are only counted.
  package static let longest = 1_024
  private static let mostDistinct = 200_000
  private static let mostBytes = 32 << 20
  private static let mostSamples = 65_536

  package private(set) var count = 0
  package private(set) var nullCount = 0
  /// How often each value occurs.
  package private(set) var frequencies: [Value: Int] = [:]
  /// How many values are not told apart any more.
  package private(set) var otherCount = 0
  /// Whether there were more different values than are kept, so that a later one may be frequent and
  /// is not known.
  package private(set) var isFull = false
  /// The bytes of the texts and data that are kept.
  private var byteCount = 0
  package private(set) var least: Value?
  package private(set) var greatest: Value?
  /// The sum of the whole numbers, which no number of 64-bit ones exceeds, and that of the others.
  private var wholeSum: Int128 = 0
  private var sum = 0.0
  private var numberCount = 0
  private var samples: [Value] = []
  /// How many of the values have an order.
  private(set) var orderedCount = 0
  private var random = SampleNumbers()

  package init() {}

  /// The mean of the numbers; `nil` if there are none.
  package var mean: Double? {
    numberCount > 0 ? (Double(wholeSum) + sum) / Double(numberCount) : nil
  }

  /// Whether quantiles and histogram come from a sample.
  package var isSampled: Bool { otherCount > 0 }

  /// The most frequent values, the most frequent first, and equally frequent ones in their order.
  package func mostFrequent(_ most: Int) -> [(value: Value, count: Int)] {
    let sorted = frequencies.sorted { one, other in
      one.value != other.value ? one.value > other.value : one.key.isOrdered(before: other.key)
    }
    return sorted.prefix(most).map { ($0.key, $0.value) }
  }

  /// Adds a value.
  package mutating func add(_ value: Value) {
    let size = Self.size(value)
    if size > Self.longest { return addLong() }
    count += 1
    guard !value.isNull else {
      nullCount += 1
      return
    }
    if let known = frequencies[value] {
      frequencies[value] = known + 1
    } else if !isFull, frequencies.count < Self.mostDistinct, byteCount + size <= Self.mostBytes {
      frequencies[value] = 1
      byteCount += size
    } else {
      isFull = true
      otherCount += 1
    }
    guard Self.hasOrder(value) else { return }
    if least.map({ value.isOrdered(before: $0) }) ?? true { least = value }
    if greatest.map({ $0.isOrdered(before: value) }) ?? true { greatest = value }
    sample(value)
    guard let number = Self.number(value), number.isFinite, value.kind != .date else { return }
    if case .int(let whole) = value { wholeSum += Int128(whole) } else { sum += number }
    numberCount += 1
  }

  /// Adds a value that is too long to be kept: it is counted, and told apart from no other.
  package mutating func addLong() {
    count += 1
    otherCount += 1
  }

  private mutating func sample(_ value: Value) {
    orderedCount += 1
    if samples.count < Self.mostSamples {
      samples.append(value)
    } else {
      let place = random.next(below: orderedCount)
      if place < Self.mostSamples { samples[place] = value }
    }
  }

  /// The bytes of a text or data.
  package static func size(_ value: Value) -> Int {
    value.textByteCount ?? 0
  }

  /// Whether a value has a least and a greatest.
  private static func hasOrder(_ value: Value) -> Bool {
    value.number != nil || value.kind == .string || value.kind == .date
  }

  /// Where a value lies on the axis of a histogram; `nil` for values without one.
  static func number(_ value: Value) -> Double? {
    if case .date(let time) = value { return Double(time.seconds) }
    return value.kind == .decimal128 ? nil : value.number?.nearestDouble
  }

  /// The values with an order, ascending, each with the number of its occurrences.
  var ordered: [(value: Value, count: Int)] {
    if isSampled { return samples.sorted { $0.isOrdered(before: $1) }.map { ($0, 1) } }
    return frequencies.filter { Self.hasOrder($0.key) }
      .sorted { $0.key.isOrdered(before: $1.key) }.map { ($0.key, $0.value) }
  }
}

/// The same random numbers in each run, so that a report is the same twice.
private struct SampleNumbers {
  private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// A number from 0 to below a limit, by SplitMix64.
  mutating func next(below limit: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    word ^= word >> 31
    return Int(word % UInt64(max(1, limit)))
  }
}
