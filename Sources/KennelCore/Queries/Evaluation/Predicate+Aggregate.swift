public import KennelStorage

extension Predicate {
  /// A function of all values at the end of a path.
  ///
  /// ```swift
  /// let mean = Predicate.Path([.property("dogs"), .property("age")], aggregate: .average)
  /// let isHigh = Predicate.Comparison(.path(mean), .greater, .literal(.int(5)))
  /// print(try snapshot.objects(of: person.key, where: .comparison(isHigh)).count)
  /// ```
  public enum Aggregate: String, Hashable, Sendable, CaseIterable {
    /// The number of values.
    case count
    /// The smallest value; null if there is none.
    case min
    /// The largest value; null if there is none.
    case max
    /// The sum of the values; 0 if there is none.
    case sum
    /// The mean of the values; null if there is none.
    case average = "avg"
  }
}

extension Predicate.Aggregate {
  /// Says all that the language and the faces know of an aggregate, but its value.
  private var row: (summary: String, takes: (ValueKind) -> Bool, result: (ValueKind) -> ValueKind) {
    switch self {
    case .count: ("how many there are", { _ in true }, { _ in .int })
    case .min: ("the least", { $0.isNumber || $0 == .date }, { $0 })
    case .max: ("the greatest", { $0.isNumber || $0 == .date }, { $0 })
    case .sum: ("the sum", \.isNumber, { $0 == .float ? .double : $0 })
    case .average: ("the mean", \.isNumber, { $0 == .decimal128 ? $0 : .double })
    }
  }

  /// The aggregate that a word names, in any case.
  @_spi(Faces)
  public init?(named word: some StringProtocol) {
    let others = ["size": Self.count, "average": .average]
    let word = word.lowercased()
    guard let found = others[word] ?? Self(rawValue: word) else { return nil }
    self = found
  }

  /// A few words for a person who chooses one.
  @_spi(Faces) public var summary: String { row.summary }

  /// Whether it takes values of a kind.
  @_spi(Faces)
  public func takes(_ kind: ValueKind) -> Bool { row.takes(kind) }

  /// The kind of the aggregate of values of a kind, unless it is a sum of integers past 64 bits.
  @_spi(Faces)
  public func result(of kind: ValueKind) -> ValueKind { row.result(kind) }

  /// Returns the aggregate of values.
  ///
  /// - Parameter values: The values. Only `count` includes nulls.
  /// - Returns: A number or a date. If there is no value, a sum or count is 0 and every other
  ///   aggregate is null.
  public func value(of values: [Value]) -> Value {
    let present = values.filter { !$0.isNull }
    switch self {
    case .count: return .int(Int64(values.count))
    case .min: return Self.extreme(present) { $0 < 0 }
    case .max: return Self.extreme(present) { $0 > 0 }
    case .sum: return Self.sum(present).value
    case .average:
      guard !present.isEmpty else { return .null }
      return switch Self.sum(present) {
      case .decimal128(let total):
        .decimal128(total.divided(by: Decimal128(Int64(present.count))))
      case let total: .double(total.nearestDouble / Double(present.count))
      }
    }
  }

  private static func extreme(_ values: [Value], _ isBetter: (Int) -> Bool) -> Value {
    var best = Value.null
    for value in values where best.isNull || isBetter(value.compare(best) ?? 0) { best = value }
    return best
  }

  /// Whole numbers add up to one while it fits 64 bits, decimals to a decimal, everything else to
  /// a double.
  private static func sum(_ values: [Value]) -> NumericValue {
    let numbers = values.compactMap(\.number)
    if numbers.contains(where: { if case .decimal128 = $0 { true } else { false } }) {
      return .decimal128(numbers.compactMap(\.decimal).reduce(Decimal128(0)) { $0.adding($1) })
    }
    var whole: Int64? = 0
    var total = 0.0
    for number in numbers {
      total += number.nearestDouble
      guard case .int(let number) = number, let sum = whole?.addingReportingOverflow(number),
        !sum.overflow
      else {
        whole = nil
        continue
      }
      whole = sum.partialValue
    }
    return whole.map { .int($0) } ?? .double(total)
  }
}
