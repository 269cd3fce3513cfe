internal import KennelStorage

/// A comparison whose right side is known: what is asked of each value on the left.
struct ValueTest {
  let comparator: Predicate.Comparator
  /// One value; any number for IN, two for BETWEEN.
  let rights: [Value]
  /// The question about the bytes of text or data that the comparison is, if it is one that the
  /// order of values does not answer.
  let text: TextTest?

  init(
    _ comparator: Predicate.Comparator,
    _ rights: [Value],
    _ options: Predicate.StringOptions = []
  ) {
    self.comparator = comparator
    self.rights = rights
    let folding = TextFolding(rawValue: options.rawValue)
    let isOrder = !comparator.isAboutText && folding.isEmpty
    text = isOrder ? nil : Self.makeTextTest(comparator, rights, folding)
  }

  /// The comparison as a question about bytes; `nil` if a right side is neither text nor, with
  /// text, null.
  static func makeTextTest(
    _ comparator: Predicate.Comparator,
    _ rights: [Value],
    _ folding: TextFolding
  ) -> TextTest? {
    var folded: [[UInt8]] = []
    var hasNull = false
    for right in rights {
      if case .string(let text) = right {
        folded.append(folding.fold(text))
      } else if case .data(let bytes) = right {
        folded.append(bytes)
      } else if right.isNull, comparator == .isIn {
        hasNull = true
      } else {
        return nil
      }
    }
    if comparator == .isIn {
      return TextTest(.oneOf(Set(folded)), folding: folding, answerForNull: hasNull)
    }
    guard let first = folded.first else { return nil }
    if case .expression = comparator.form {
      return expressionTest(rights, ignoresCase: folding.contains(.caseInsensitive))
    }
    let bound = { (isIncluded: Bool) in TextTest.Bound(first, isIncluded: isIncluded) }
    let question: TextTest.Question
    switch comparator.form {
    case .equality, .difference: question = .equal(first)
    case .below(let isIncluded): question = .within(lower: nil, upper: bound(isIncluded))
    case .above(let isIncluded): question = .within(lower: bound(isIncluded), upper: nil)
    case .between:
      guard folded.count == 2 else { return nil }
      question = .within(lower: bound(true), upper: .init(folded[1], isIncluded: true))
    case .text(_, let made): question = made(first)
    case .expression, .area: return nil
    }
    let isNegated = comparator == .notEqual
    return TextTest(question, folding: folding, isNegated: isNegated, answerForNull: isNegated)
  }

  /// The expression of a literal that was checked.
  private static func expressionTest(_ rights: [Value], ignoresCase: Bool) -> TextTest? {
    guard case .string(let text)? = rights.first, let library = textExpressionLibrary,
      let expression = try? library.expression(text, ignoresCase: ignoresCase)
    else { return nil }
    return TextTest(.matches(expression), answerForNull: false)
  }

  /// Whether it holds for null.
  var holdsForNull: Bool { text?.answerForNull ?? holdsInOrder(.null) }

  /// - Throws: `StorageError` if a regular expression takes too many steps.
  func holds(_ value: Value) throws(StorageError) -> Bool {
    if let text {
      let right = rights.first { !$0.isNull }
      let isText = value.kind == .string || value.kind == .data
      return isText && right?.kind == value.kind ? try text.holds(for: value) : text.answerForNull
    }
    return holdsInOrder(value)
  }

  /// The answer where the order of values gives it.
  private func holdsInOrder(_ value: Value) -> Bool {
    switch comparator.form {
    case .equality: return rights.indices.contains { isEqual(value, $0) }
    case .difference: return !isEqual(value, 0)
    case .below(let isIncluded): return order(value, 0).map { $0 < (isIncluded ? 1 : 0) } ?? false
    case .above(let isIncluded): return order(value, 0).map { $0 > (isIncluded ? -1 : 0) } ?? false
    case .between:
      guard let lower = order(value, 0), let upper = order(value, 1) else { return false }
      return lower >= 0 && upper <= 0
    // Of a collection whose elements are no text: one of them is the value.
    case .text: return comparator == .contains && isEqual(value, 0)
    // An area is asked of objects, see ``PlaceTest``.
    case .expression, .area: return false
    }
  }

  private func isEqual(_ value: Value, _ index: Int) -> Bool {
    value.isNull || rights[index].isNull
      ? value.isNull && rights[index].isNull : value.compare(rights[index]) == 0
  }

  private func order(_ value: Value, _ index: Int) -> Int? {
    value.isNull || rights[index].isNull ? nil : value.compare(rights[index])
  }
}
