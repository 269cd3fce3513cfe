internal import KennelCore

/// What the values of a column are like, over the rows of a table.
struct ColumnStatistics: Sendable {
  /// How many values are told apart; the rest is counted as others.
  private static let mostDistinct = 200_000
  private static let batch = 1_024

  private(set) var count = 0
  private(set) var nullCount = 0
  /// How often each value occurs; of a collection, how often each number of elements does.
  private(set) var frequencies: [Value: Int] = [:]
  /// How many values are not told apart any more.
  private(set) var otherCount = 0
  private(set) var least: Value?
  private(set) var greatest: Value?
  private var sum = 0.0
  private var numberCount = 0

  /// The mean of the numbers; `nil` where there are none.
  var mean: Double? { numberCount > 0 ? sum / Double(numberCount) : nil }

  /// The most frequent values, the most frequent first; equal ones in their order.
  func mostFrequent(_ most: Int) -> [(value: Value, count: Int)] {
    let sorted = frequencies.sorted { one, other in
      one.value != other.value ? one.value > other.value : Self.isLess(one.key, other.key) == true
    }
    return sorted.prefix(most).map { ($0.key, $0.value) }
  }

  /// Looks at the column of each row.
  ///
  /// - Parameters:
  ///   - column: The column.
  ///   - classKey: The class.
  ///   - keys: The rows; `nil` for all objects of the class.
  ///   - snapshot: The snapshot.
  ///   - context: Tells when to stop, and is told how far it is.
  /// - Throws: `DatabaseError` if the file is damaged.
  init(
    of column: Column,
    in classKey: ClassKey,
    _ keys: [ObjectKey]?,
    _ snapshot: Snapshot,
    _ context: JobContext
  ) throws(DatabaseError) {
    let total = max(1, keys?.count ?? snapshot.count(of: classKey))
    let value = column.reading(of: classKey, in: snapshot.schema)
    var next: ObjectKey? = ObjectKey(rawValue: 0)
    var place = 0
    while !context.isCancelled {
      var batch: [ObjectKey] = []
      if let keys {
        batch = Array(keys[place..<min(keys.count, place + Self.batch)])
        place += batch.count
      } else if let from = next {
        batch = try snapshot.keys(of: classKey, from: from, limit: Self.batch)
        next = batch.last.map { ObjectKey(rawValue: $0.rawValue + 1) }
      }
      if batch.isEmpty { return }
      for key in batch {
        guard try snapshot.contains(ObjectIdentity(classKey, key)) else { continue }
        take(try value(ObjectIdentity(classKey, key), snapshot))
      }
      context.report(progress: Double(count) / Double(total))
    }
  }

  private mutating func take(_ value: Value) {
    count += 1
    guard !value.isNull else {
      nullCount += 1
      return
    }
    if let known = frequencies[value] {
      frequencies[value] = known + 1
    } else if frequencies.count < Self.mostDistinct {
      frequencies[value] = 1
    } else {
      otherCount += 1
    }
    if least.map({ Self.isLess(value, $0) == true }) ?? Self.hasOrder(value) { least = value }
    if greatest.map({ Self.isLess($0, value) == true }) ?? Self.hasOrder(value) { greatest = value }
    switch value {
    case .int(let number): add(Double(number))
    case .float(let number): add(Double(number))
    case .double(let number): add(number)
    case .null, .bool, .string, .data, .date, .objectId, .uuid, .decimal128, .link, .list, .set,
      .map:
      break
    }
  }

  private mutating func add(_ number: Double) {
    guard number.isFinite else { return }
    sum += number
    numberCount += 1
  }

  private static func hasOrder(_ value: Value) -> Bool { isLess(value, value) != nil }

  /// Whether a value comes before another one; `nil` where they have no order.
  private static func isLess(_ one: Value, _ other: Value) -> Bool? {
    switch (one, other) {
    case (.int(let one), .int(let other)): one < other
    case (.float(let one), .float(let other)): one < other
    case (.double(let one), .double(let other)): one < other
    case (.date(let one), .date(let other)): one < other
    case (.string(let one), .string(let other)): one.utf8.lexicographicallyPrecedes(other.utf8)
    default: nil
    }
  }
}
