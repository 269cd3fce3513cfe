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

  /// The bits that turn whole numbers; `nil` for floating point numbers.
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
    return (first(value) { $0 >= 0 }, first(value) { $0 > 0 })
  }

  /// The first rank whose comparison with a value is as asked, if one is; the comparisons ascend.
  private func first(_ value: Value, where isPast: (Int) -> Bool) -> UInt64? {
    func holds(_ rank: UInt64) -> Bool { isPast(self.value(ofRank: rank).compare(value) ?? 0) }
    guard holds(highest) else { return nil }
    var low: UInt64 = 0
    var high = highest
    while low < high {
      let middle = low + (high - low) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// Whether a rank lies in one of several ranges.
package struct RankTest<Rank: FixedWidthInteger & Sendable>: Sendable {
  /// Both ends included, ascending by their start; where there are several, each is the ranks of one value.
  let ranges: [ClosedRange<Rank>]
  /// Whether the answer is turned around.
  let isNegated: Bool
  /// The answer for null, after turning.
  let answerForNull: Bool

  package init(_ ranges: [ClosedRange<Rank>], isNegated: Bool = false, answerForNull: Bool) {
    self.ranges = ranges.sorted { $0.lowerBound < $1.lowerBound }
    self.isNegated = isNegated
    self.answerForNull = answerForNull
  }

  func holds(for rank: Rank) -> Bool {
    let next = ranges.partitioningIndex { $0.lowerBound > rank }
    return (next > 0 && ranges[next - 1].contains(rank)) != isNegated
  }
}

/// A question about the value that a word means.
package struct WordTest: Sendable {
  let order: WordOrder
  let ranks: RankTest<UInt64>

  package init(_ order: WordOrder, _ ranks: RankTest<UInt64>) {
    self.order = order
    self.ranks = ranks
  }

  /// The answer for a word that is not null.
  func holds(for word: UInt64) -> Bool { ranks.holds(for: order.rank(of: word)) }
}

/// A question about two words, as dates and identifiers are kept.
package struct PairTest: Sendable {
  /// The bits that turn the first word, so that unsigned order is the order of the values.
  private let turn: UInt64
  let ranks: RankTest<UInt128>

  package init(_ kind: ValueKind, _ ranks: RankTest<UInt128>) {
    turn = kind.pairOrderMask ?? 0
    self.ranks = ranks
  }

  /// A pair as one number, in the order of the values of a kind.
  package static func rank(of pair: (UInt64, UInt64), turn: UInt64) -> UInt128 {
    UInt128(pair.0 ^ turn) << 64 | UInt128(pair.1)
  }

  /// The answer for a pair that is not null.
  package func holds(for pair: (UInt64, UInt64)) -> Bool {
    ranks.holds(for: Self.rank(of: pair, turn: turn))
  }
}
