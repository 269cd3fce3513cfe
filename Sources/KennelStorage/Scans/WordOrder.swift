/// The order of the values that a column keeps as words, as an order of unsigned numbers.
///
/// A question such as `age > 2.5` becomes a range of ranks (``WordOrdering``) once, and a comparison
/// of two numbers per object from then on.
package struct WordOrder: Sendable {
  /// The kind of the values, stored as words.
  package let kind: ValueKind
  @usableFromInline let ordering: WordOrdering

  package init(_ kind: ValueKind) {
    self.kind = kind
    ordering = kind.wordOrder
  }

  /// The rank of the value that a word means.
  @inlinable
  package func rank(of word: UInt64) -> UInt64 { ordering.rank(of: word) }

  /// The value of a rank up to ``highest``.
  package func value(ofRank rank: UInt64) -> Value {
    Value(word: ordering.word(ofRank: rank), kind: kind, target: nil)
  }

  /// The rank of the largest value.
  package var highest: UInt64 { ordering.highest }

  /// What whole numbers are turned by; `nil` for floating point numbers.
  var turn: UInt64? {
    switch ordering {
    case .signed: 1 << 63
    case .unsigned: 0
    case .float, .double: nil
    }
  }

  /// The first rank whose value is not smaller than a value of whatever kind, and the first one
  /// whose value is larger; `nil` where no value is.
  ///
  /// The result is `nil` where the kinds cannot be compared.
  package func ranks(equalTo value: Value) -> (start: UInt64?, end: UInt64?)? {
    guard self.value(ofRank: highest).compare(value) != nil else { return nil }
    let start = first {
      $0 >= 0
    } given: {
      self.value(ofRank: $0).compare(value) ?? 0
    }
    let end = first {
      $0 > 0
    } given: {
      self.value(ofRank: $0).compare(value) ?? 0
    }
    return (start, end)
  }

  /// The first rank whose comparison is as asked, if one is; the comparisons ascend.
  private func first(
    where isPast: (Int) -> Bool,
    given comparison: (UInt64) -> Int
  ) -> UInt64? {
    guard isPast(comparison(highest)) else { return nil }
    var low: UInt64 = 0
    var high = highest
    while low < high {
      let middle = low + (high - low) / 2
      if isPast(comparison(middle)) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// A question about a word: whether the rank of its value lies in one of several ranges.
package struct WordTest: Sendable {
  package let order: WordOrder
  /// Ranges of ranks, both ends included, ascending by their start.
  package let ranges: [ClosedRange<UInt64>]
  /// Whether the answer is turned around.
  package let isNegated: Bool
  /// The answer for null, after turning.
  package let answerForNull: Bool

  package init(
    _ order: WordOrder,
    _ ranges: [ClosedRange<UInt64>],
    isNegated: Bool = false,
    answerForNull: Bool
  ) {
    self.order = order
    self.ranges = ranges.sorted { $0.lowerBound < $1.lowerBound }
    self.isNegated = isNegated
    self.answerForNull = answerForNull
  }

  package func holds(for value: Value) -> Bool {
    guard let word = value.word else { return answerForNull }
    return contains(order.rank(of: word)) != isNegated
  }

  /// Whether a rank lies in one of the ranges, which are single values where there are several.
  func contains(_ rank: UInt64) -> Bool {
    let next = ranges.partitioningIndex { $0.lowerBound > rank }
    return next > 0 && ranges[next - 1].contains(rank)
  }
}

/// A question about two words, as dates and identifiers are kept.
package struct PairTest: Sendable {
  /// The ends of a range, both included; nothing lies in it where the lower end is past the
  /// upper.
  package struct Range: Sendable {
    package let lower: (UInt64, UInt64)
    package let upper: (UInt64, UInt64)

    package init(_ lower: (UInt64, UInt64), _ upper: (UInt64, UInt64)) {
      self.lower = lower
      self.upper = upper
    }

    @inlinable
    func contains(_ pair: (UInt64, UInt64)) -> Bool {
      lower <= pair && pair <= upper
    }
  }

  /// What the first word is turned by, so that unsigned order is the order of the values.
  package let turn: UInt64
  package let ranges: [Range]
  package let isNegated: Bool
  package let answerForNull: Bool

  package init(
    _ kind: ValueKind,
    _ ranges: [Range],
    isNegated: Bool = false,
    answerForNull: Bool
  ) {
    turn = kind.pairOrderMask ?? 0
    self.ranges = ranges.sorted { $0.lower < $1.lower }
    self.isNegated = isNegated
    self.answerForNull = answerForNull
  }

  @inlinable
  package func holds(for pair: (UInt64, UInt64)) -> Bool { isIn(pair) != isNegated }

  /// Whether a pair lies in one of the ranges.
  @inlinable
  func isIn(_ pair: (UInt64, UInt64)) -> Bool {
    let turned = (pair.0 ^ turn, pair.1)
    // There are several ranges only where each is a single value.
    let next = ranges.count == 1 ? 1 : ranges.partitioningIndex { turned < $0.lower }
    return next > 0 && next <= ranges.count && ranges[next - 1].contains(turned)
  }

  package func holds(for value: Value) -> Bool {
    guard let pair = value.pair else { return answerForNull }
    return holds(for: pair)
  }
}
