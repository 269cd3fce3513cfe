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

  var node: any ScanNode {
    if !property.isCollection {
      switch ColumnType(property.type).form {
      case .words: if let wordTest { return WordNode(view, property, wordTest) }
      case .pairs: if let pairTest { return PairNode(view, property, pairTest) }
      case .cells: if let textTest { return TextNode(view, property, textTest) }
      case .keys, .collections: break
      }
    }
    return ValueNode(view, property, test, isAll: isAll)
  }

  private var isNegated: Bool { test.comparator == .notEqual }

  // MARK: - Words

  private var wordTest: WordTest? {
    guard !test.comparator.isAboutText else { return nil }
    let order = WordOrder(property.type.kind)
    var ranges: [ClosedRange<UInt64>] = []
    for right in rights { ranges += wordRanges(order, right) }
    if test.comparator == .between {
      guard let upper = wordRanges(order, test.rights[1], as: .lessOrEqual).first else {
        ranges = []
        return WordTest(order, [], answerForNull: false)
      }
      ranges = ranges.compactMap { range in
        range.lowerBound <= upper.upperBound ? range.lowerBound...upper.upperBound : nil
      }
    }
    return WordTest(order, ranges, isNegated: isNegated, answerForNull: test.holds(.null))
  }

  /// The right sides that have ranges of their own.
  private var rights: ArraySlice<Value> {
    test.comparator == .between ? test.rights.prefix(1) : test.rights[...]
  }

  private func wordRanges(
    _ order: WordOrder,
    _ value: Value,
    as comparator: Predicate.Comparator? = nil
  ) -> [ClosedRange<UInt64>] {
    if case .link(let object) = value {
      guard object.classKey == property.target else { return [] }
      return [object.key.rawValue...object.key.rawValue]
    }
    guard !value.isNull, let ranks = order.ranks(equalTo: value) else { return [] }
    let highest = order.highest
    switch comparator ?? test.comparator {
    case .equal, .notEqual, .isIn:
      guard let start = ranks.start else { return [] }
      let last = ranks.end.map { $0 &- 1 } ?? highest
      return ranks.end == start ? [] : [start...last]
    case .less: return Self.range(before: ranks.start, highest)
    case .lessOrEqual: return Self.range(before: ranks.end, highest)
    case .greater: return ranks.end.map { [$0...highest] } ?? []
    case .greaterOrEqual, .between: return ranks.start.map { [$0...highest] } ?? []
    case .contains, .beginsWith, .endsWith, .like, .geoWithin: return []
    }
  }

  /// All ranks below one; all there are where that is `nil`.
  private static func range(before end: UInt64?, _ highest: UInt64) -> [ClosedRange<UInt64>] {
    guard let end else { return [0...highest] }
    return end > 0 ? [0...end - 1] : []
  }

  // MARK: - Pairs

  private var pairTest: PairTest? {
    let kind = property.type.kind
    guard !test.comparator.isAboutText, let turn = kind.pairOrderMask else { return nil }
    var ranges: [PairTest.Range] = []
    let highest = (UInt64.max, UInt64.max)
    for (index, right) in rights.enumerated() {
      guard !right.isNull, test.rights[index].compare(right) != nil, isOfKind(right),
        let pair = right.pair
      else { continue }
      let turned = (pair.0 ^ turn, pair.1)
      switch test.comparator {
      case .equal, .notEqual, .isIn: ranges.append(.init(turned, turned))
      case .less: if let end = Self.before(turned) { ranges.append(.init((0, 0), end)) }
      case .lessOrEqual: ranges.append(.init((0, 0), turned))
      case .greater: if let start = Self.after(turned) { ranges.append(.init(start, highest)) }
      case .greaterOrEqual: ranges.append(.init(turned, highest))
      case .between:
        if isOfKind(test.rights[1]), let end = test.rights[1].pair {
          ranges.append(.init(turned, (end.0 ^ turn, end.1)))
        }
      case .contains, .beginsWith, .endsWith, .like, .geoWithin: break
      }
    }
    return PairTest(kind, ranges, isNegated: isNegated, answerForNull: test.holds(.null))
  }

  private func isOfKind(_ value: Value) -> Bool {
    let kind = property.type.kind
    return value.kind == kind && kind.pairOrderMask != nil
  }

  private static func before(_ pair: (UInt64, UInt64)) -> (UInt64, UInt64)? {
    if pair.1 > 0 { return (pair.0, pair.1 - 1) }
    return pair.0 > 0 ? (pair.0 - 1, .max) : nil
  }

  private static func after(_ pair: (UInt64, UInt64)) -> (UInt64, UInt64)? {
    if pair.1 < .max { return (pair.0, pair.1 + 1) }
    return pair.0 < .max ? (pair.0 + 1, 0) : nil
  }

  // MARK: - Text

  private var textTest: TextTest? {
    let kind = property.type.kind
    guard kind == .string || kind == .data else { return nil }
    guard test.rights.allSatisfy({ $0.isNull || $0.kind == kind }) else { return nil }
    if let right = test.rights.first, right.isNull, test.comparator != .isIn {
      // Only null is equal to null, and nothing else compares with it.
      let answer = test.holds(.null)
      return TextTest(.oneOf([]), isNegated: isNegated, answerForNull: answer)
    }
    let folding = kind == .string ? TextFolding(rawValue: options.rawValue) : []
    return ValueTest.makeTextTest(test.comparator, test.rights, folding)
  }
}
