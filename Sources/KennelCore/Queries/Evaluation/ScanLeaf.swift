internal import KennelStorage

/// The question that a test asks of one property of a class.
struct ScanLeaf {
  private let view: StoreView
  private let property: PropertySchema
  private let test: ValueTest
  private let options: Predicate.StringOptions
  private let isAll: Bool

  init(
    _ view: StoreView,
    _ property: PropertySchema,
    _ test: ValueTest,
    _ options: Predicate.StringOptions,
    isAll: Bool
  ) {
    self.view = view
    self.property = property
    self.test = test
    self.options = options
    self.isAll = isAll
  }

  var node: ScanNode {
    if !property.isCollection {
      switch ColumnType(property.type).form {
      case .words: if let wordTest { return .column(view, property, wordTest, cost: 1) }
      case .pairs: if let pairTest { return .column(view, property, pairTest, cost: 2) }
      case .cells: if let textTest { return .column(view, property, textTest, cost: 4) }
      case .keys, .collections: break
      }
    }
    return .values(view, property, test, isAll: isAll)
  }

  private var isNegated: Bool { test.comparator == .notEqual }

  // MARK: - Words and pairs

  private var wordTest: WordTest? {
    let order = WordOrder(property.type.kind)
    let ranks = rankTest(order.highest) { value in
      guard case .link(let object) = value else {
        return value.isNull ? nil : order.ranks(equalTo: value)
      }
      let key = object.key.rawValue
      return object.classKey == property.target ? (key, key + 1) : nil
    }
    return ranks.map { WordTest(order, $0) }
  }

  private var pairTest: PairTest? {
    let kind = property.type.kind
    guard let turn = kind.pairOrderMask else { return nil }
    let ranks = rankTest(UInt128.max) { value in
      guard value.kind == kind, let pair = value.pair else { return nil }
      let rank = PairTest.rank(of: pair, turn: turn)
      return (rank, rank < .max ? rank + 1 : nil)
    }
    return ranks.map { PairTest(kind, $0) }
  }

  /// The first rank that is not less than a value, and the first that is greater; `nil` for none.
  private typealias Ranks<Rank> = (start: Rank?, end: Rank?)

  /// The comparison as a question about ranks; `ranks` gives those of a value that has an order here.
  private func rankTest<Rank: FixedWidthInteger & Sendable>(
    _ highest: Rank,
    _ ranks: (Value) -> Ranks<Rank>?
  ) -> RankTest<Rank>? {
    guard !test.comparator.isAboutText else { return nil }
    var ranges: [ClosedRange<Rank>] = []
    if test.comparator != .between {
      ranges = test.rights.compactMap { Self.range(test.comparator.form, ranks($0), highest) }
    } else if let lower = ranks(test.rights[0])?.start,
      let upper = Self.range(.below(orEqual: true), ranks(test.rights[1]), highest)?.upperBound,
      lower <= upper
    {
      ranges = [lower...upper]
    }
    return RankTest(ranges, isNegated: isNegated, answerForNull: test.holdsForNull)
  }

  /// The ranks of the values that compare with one as asked.
  private static func range<Rank: FixedWidthInteger>(
    _ form: Predicate.Comparator.Form,
    _ ranks: Ranks<Rank>?,
    _ highest: Rank
  ) -> ClosedRange<Rank>? {
    guard let (start, end) = ranks else { return nil }
    switch form {
    case .equality, .difference:
      guard let start, start != end else { return nil }
      return start...(end.map { $0 - 1 } ?? highest)
    case .below(let isIncluded): return range(before: isIncluded ? end : start, highest)
    case .above(false): return end.map { $0...highest }
    case .above(true), .between: return start.map { $0...highest }
    case .text, .expression, .area: return nil
    }
  }

  /// All ranks below one; all there are where that is `nil`.
  private static func range<Rank: FixedWidthInteger>(
    before end: Rank?,
    _ highest: Rank
  ) -> ClosedRange<Rank>? {
    guard let end else { return 0...highest }
    return end > 0 ? 0...end - 1 : nil
  }

  // MARK: - Text

  private var textTest: TextTest? {
    let kind = property.type.kind
    guard kind == .string || kind == .data else { return nil }
    guard test.rights.allSatisfy({ $0.isNull || $0.kind == kind }) else { return nil }
    if let right = test.rights.first, right.isNull, test.comparator != .isIn {
      // Only null is equal to null, and nothing else compares with it.
      let answer = test.holdsForNull
      return TextTest(.oneOf([]), isNegated: isNegated, answerForNull: answer)
    }
    let folding = kind == .string ? TextFolding(rawValue: options.rawValue) : []
    return ValueTest.makeTextTest(test.comparator, test.rights, folding)
  }
}
