public import KennelStorage

extension Predicate {
  /// Checks that the predicate fits a class.
  ///
  /// - Parameters:
  ///   - classKey: The class.
  ///   - schema: The schema with the class.
  /// - Throws: ``PredicateError`` that names the property or comparison that does not fit.
  public func check(for classKey: ClassKey, in schema: Schema) throws(PredicateError) {
    _ = try PredicateChecker(schema, classKey).condition(self)
  }
}

/// Finds the names of a predicate in a schema and makes sure that what is compared can be.
struct PredicateChecker {
  let schema: Schema
  let classKey: ClassKey
  /// The variables of the subqueries around.
  var variables: [String: PathEnd] = [:]

  init(_ schema: Schema, _ classKey: ClassKey) throws(PredicateError) {
    guard schema[classKey] != nil else {
      throw PredicateError("The schema has no class with this key", column: 0)
    }
    self.schema = schema
    self.classKey = classKey
  }

  func condition(_ predicate: Predicate) throws(PredicateError) -> ResolvedPredicate {
    switch predicate {
    case .constant(let holds): return .constant(holds)
    case .and(let parts): return .and(try conditions(parts))
    case .or(let parts): return .or(try conditions(parts))
    case .not(let part): return .not(try condition(part))
    case .comparison(let comparison): return .comparison(try self.comparison(comparison))
    }
  }

  private func conditions(_ parts: [Predicate]) throws(PredicateError) -> [ResolvedPredicate] {
    var conditions: [ResolvedPredicate] = []
    for part in parts { conditions.append(try condition(part)) }
    return conditions
  }

  // MARK: - Comparisons

  /// An operand and what is known of its values.
  private struct Typed {
    var operand: ResolvedPredicate.Operand
    /// `nil` for null and for lists.
    var kind: ValueKind?
    var end: PathEnd?
    var expression: Predicate.Expression
    var column: Int
    var isLiteral = false

    /// Whether it is the name of the kind of a mixed value.
    var isKind: Bool {
      if case .path(let path) = operand, case .kind? = path.hops.last { true } else { false }
    }

    /// How a message speaks of it; few predicates need one.
    var name: String {
      switch expression {
      case .literal(let value, _): PredicateLiteral.text(value)
      case .list: "the list"
      case .path(let path): "'\(path)'"
      case .subquery: "the count of a SUBQUERY"
      }
    }
  }

  private func comparison(
    _ comparison: Predicate.Comparison
  ) throws(PredicateError) -> ResolvedPredicate.Comparison {
    if comparison.comparator == .geoWithin { return try placeComparison(comparison) }
    var left = try typed(comparison.left)
    var right = try typed(comparison.right, comparedWith: left)
    let column = comparison.source.column
    if comparison.source.isImplied, left.kind != .bool, left.kind != .mixed {
      throw PredicateError(
        "\(left.name) is \(Self.article(left)), so the comparison is missing",
        column: column,
        expected: "a comparison such as ==, >, IN or CONTAINS"
      )
    }
    if case .list = left.operand {
      throw PredicateError(
        "A list cannot stand on the left side",
        column: left.column,
        expected: "a list on the right of IN or BETWEEN"
      )
    }
    if let quantifier = comparison.quantifier, left.end?.isMany != true {
      throw PredicateError(
        "\(quantifier.rawValue) needs many values, and \(left.name) has one",
        column: left.column > 0 ? left.column : column,
        expected: "a path over a collection or a backlink"
      )
    }
    if left.isLiteral { left = try converted(left, toFit: right, comparison) }
    right = try converted(right, toFit: left, comparison)
    right.operand = wholeList(right.operand, comparedWith: left.kind, comparison.comparator)
    right.operand = try kindNames(
      right.operand,
      comparedWith: left.operand,
      column: right.column > 0 ? right.column : column
    )
    var comparison = comparison
    if case .list = right.operand, left.isKind, comparison.comparator == .equal {
      comparison.comparator = .isIn
    }
    try checkComparable(left, right, comparison)
    return ResolvedPredicate.Comparison(
      quantifier: comparison.quantifier ?? .any,
      left: left.operand,
      comparator: comparison.comparator,
      options: comparison.options,
      right: right.operand
    )
  }

  private func typed(_ expression: Predicate.Expression) throws(PredicateError) -> Typed {
    switch expression {
    case .literal(let value, let source):
      return Typed(
        operand: .literal(value),
        kind: value.kind,
        expression: expression,
        column: source.column,
        isLiteral: true
      )
    case .list(let elements, let source):
      var operands: [ResolvedPredicate.Operand] = []
      for element in elements { operands.append(try typed(element).operand) }
      return Typed(operand: .list(operands), expression: expression, column: source.column)
    case .path(let path):
      let resolved = try self.path(path)
      return Typed(
        operand: .path(resolved),
        kind: Self.kind(of: resolved),
        end: resolved.aggregate == nil ? resolved.end : nil,
        expression: expression,
        column: path.columns.start
      )
    case .subquery(let subquery):
      let collection = try path(subquery.collection)
      guard collection.aggregate == nil, collection.end.isMany else {
        throw PredicateError(
          "SUBQUERY needs a collection, and '\(subquery.collection)' is not one",
          column: subquery.collection.columns.start,
          expected: "a list, a set, a map or a backlink"
        )
      }
      var inner = self
      var element = collection.end
      element.isMany = false
      element.lastCollection = nil
      inner.variables[subquery.variable] = element
      let condition = try inner.condition(subquery.predicate)
      return Typed(
        operand: .subquery(collection, variable: subquery.variable, condition),
        kind: .int,
        expression: expression,
        column: subquery.collection.columns.start
      )
    }
  }

  /// The right side, where a word that names no property was meant as text.
  private func typed(
    _ expression: Predicate.Expression,
    comparedWith left: Typed
  ) throws(PredicateError) -> Typed {
    guard case .path(let path) = expression, path.variable == nil, path.steps.count == 1,
      case .property(let word) = path.steps[0], left.kind == .string || left.kind == .date
    else { return try typed(expression) }
    do {
      return try typed(expression)
    } catch {
      let wanted = left.kind == .string ? "text in quotes: \"\(word)\"" : Self.example(of: .date)
      throw PredicateError(
        error.message,
        column: error.column,
        expected: wanted,
        suggestion: error.suggestion
      )
    }
  }

  static func kind(of path: ResolvedPredicate.Path) -> ValueKind {
    path.aggregate?.result(of: path.end.kind) ?? path.end.kind
  }

  private static func article(_ typed: Typed) -> String {
    typed.kind.map { phrase($0) } ?? "a list"
  }

  /// The kind with its article, as messages use it.
  static func phrase(_ kind: ValueKind) -> String {
    kind == .int || kind == .objectId ? "an \(kind)" : "a \(kind)"
  }

  // MARK: - What can be compared with what

  /// The literals of an operand as values of the other side's type.
  private func converted(
    _ operand: Typed,
    toFit other: Typed,
    _ comparison: Predicate.Comparison
  ) throws(PredicateError) -> Typed {
    guard let kind = other.kind else { return operand }
    var result = operand
    switch operand.operand {
    case .literal(let value):
      let fitted = try fitted(value, to: kind, of: other, operand.column, comparison)
      result.operand = .literal(fitted)
      result.kind = fitted.kind
    case .list(let elements):
      guard case .list(let expressions, _) = comparison.right else { break }
      var operands: [ResolvedPredicate.Operand] = []
      for (element, expression) in zip(elements, expressions) {
        var typed = try typed(expression)
        typed.operand = element
        typed = try converted(typed, toFit: other, comparison)
        try checkKinds(other, typed, comparison)
        operands.append(typed.operand)
      }
      result.operand = .list(operands)
    case .path, .subquery, .place: break
    }
    return result
  }

  private func fitted(
    _ value: Value,
    to kind: ValueKind,
    of other: Typed,
    _ column: Int,
    _ comparison: Predicate.Comparison
  ) throws(PredicateError) -> Value {
    switch (value, kind) {
    case (.string(let text), .date):
      return .date(try PredicateLiteral.date(text, column: column))
    case (.string(let text), .data):
      let hasForm = text.hasPrefix("hex:") || text.hasPrefix("base64:")
      guard hasForm else { return .data(Array(text.utf8)) }
      return try PredicateLiteral.value(text, as: .data, column: column)
    case (.int(0), .bool): return .bool(false)
    case (.int(1), .bool): return .bool(true)
    case (.double(let number), .float): return .float(Float(number))
    case (.double, .decimal128): return value.number?.decimal.map(Value.decimal128) ?? value
    case (.decimal128, .double), (.decimal128, .float):
      let text = ValueText.describe(value)
      guard let number = Double(text), number.isFinite else { return value }
      return kind == .float ? .float(Float(number)) : .double(number)
    case (.string(let text), _) where kind != .float && kind.scalar?.literalNames.isEmpty == false:
      return try PredicateLiteral.value(text, as: PropertyType(kind), column: column)
    case (_, _): return value
    }
  }

  private func checkComparable(
    _ left: Typed,
    _ right: Typed,
    _ comparison: Predicate.Comparison
  ) throws(PredicateError) {
    let column = comparison.source.column
    switch comparison.comparator.form {
    case .equality where comparison.comparator == .isIn:
      if case .list = right.operand { return }
      guard right.end?.isMany == true else {
        throw PredicateError(
          "IN needs several values, and \(right.name) is one",
          column: right.column > 0 ? right.column : column,
          expected: "a list such as {1, 2} or a path over a collection"
        )
      }
      guard left.end?.isMany != true || comparison.quantifier != .all else {
        throw PredicateError("ALL with many values on both sides has no meaning", column: column)
      }
    case .between:
      guard case .list(let bounds) = right.operand, bounds.count == 2 else {
        throw PredicateError(
          "BETWEEN needs two bounds",
          column: right.column > 0 ? right.column : column,
          expected: "a list such as {1, 5}"
        )
      }
      try checkOrder(left, comparison)
      return
    case .below, .above:
      try checkOrder(left, comparison)
      try checkOrder(right, comparison)
    case .text: return try checkText(left, right, comparison)
    case .expression:
      try checkText(left, right, comparison)
      let text: Value? = if case .literal(let value) = right.operand { value } else { nil }
      return try comparison.checkExpression(
        text,
        column: right.column > 0 ? right.column : column
      )
    case .equality, .difference, .area: break
    }
    if case .list = right.operand {
      throw PredicateError(
        "'\(comparison.comparator.rawValue)' compares with one value, not with a list",
        column: right.column > 0 ? right.column : column,
        expected: "IN before the list"
      )
    }
    try checkKinds(left, right, comparison)
  }

  private func checkKinds(
    _ left: Typed,
    _ right: Typed,
    _ comparison: Predicate.Comparison
  ) throws(PredicateError) {
    guard let kind = left.kind, let otherKind = right.kind else { return }
    let isSame = kind == otherKind || kind.isNumber && otherKind.isNumber
    let leftClass = left.end?.classKey ?? classKey(of: left.operand)
    let rightClass = right.end?.classKey ?? classKey(of: right.operand)
    let areClassesSame = leftClass == nil || rightClass == nil || leftClass == rightClass
    if isSame && areClassesSame || kind == .mixed || otherKind == .mixed { return }
    let column = right.column > 0 ? right.column : comparison.source.column
    if kind == .link || otherKind == .link {
      throw PredicateError(
        "\(left.name) and \(right.name) do not link to the same class",
        column: column,
        expected: "an object of that class, as in object(Dog/42)"
      )
    }
    throw PredicateError(
      "\(left.name) is \(Self.phrase(kind)), \(right.name) is \(Self.phrase(otherKind))",
      column: column,
      expected: Self.example(of: kind, insteadOf: right.operand)
    )
  }

  private func classKey(of operand: ResolvedPredicate.Operand) -> ClassKey? {
    if case .literal(.link(let object)) = operand { object.classKey } else { nil }
  }

  private func checkOrder(
    _ typed: Typed,
    _ comparison: Predicate.Comparison
  ) throws(PredicateError) {
    guard typed.kind == .bool || typed.kind == .link else { return }
    throw PredicateError(
      "\(typed.name) is \(Self.article(typed)), which has no order",
      column: comparison.source.column,
      expected: "== or !="
    )
  }

  private func checkText(
    _ left: Typed,
    _ right: Typed,
    _ comparison: Predicate.Comparison
  ) throws(PredicateError) {
    let word = comparison.comparator.rawValue
    let isMembership = comparison.comparator == .contains && left.end?.isMany == true
    for side in [left, right] {
      switch side.kind {
      case .string, .mixed, nil: continue
      case .data where comparison.comparator.looksIntoData: continue
      case _?: break
      }
      if isMembership {
        try checkKinds(left, right, comparison)
        continue
      }
      throw PredicateError(
        "\(word) compares text, and \(side.name) is \(Self.article(side))",
        column: side.column > 0 ? side.column : comparison.source.column,
        expected: side.isLiteral ? "text in quotes" : "==, <, IN or BETWEEN"
      )
    }
    if case .list = right.operand {
      throw PredicateError(
        "\(word) compares with one value, not with a list",
        column: right.column > 0 ? right.column : comparison.source.column
      )
    }
    try checkKinds(left, right, comparison)
  }

  /// An example for a value of a kind, made of the literal that stands there where it can be.
  private static func example(
    of kind: ValueKind,
    insteadOf operand: ResolvedPredicate.Operand
  ) -> String {
    switch (operand, kind) {
    case (.literal(.int(let year)), .date) where (1000...9999).contains(year):
      return "a date: \(year)-01-01"
    case (.literal(.int(let number)), .string): return "text in quotes: \"\(number)\""
    case (.literal(.bool(let value)), .string): return "text in quotes: \"\(value)\""
    case (.literal(.string(let text)), .int) where Int64(text) != nil:
      return "a number: \(text)"
    case (.literal(.string(let text)), .double) where Double(text)?.isFinite == true:
      return "a number: \(text)"
    case (.literal, _), (.path, _), (.list, _), (.subquery, _), (.place, _):
      return example(of: kind)
    }
  }

  static func example(of kind: ValueKind) -> String {
    switch kind {
    case .link: "an object such as object(Dog/42), or null"
    case .mixed: "a value"
    case let kind: kind.scalar?.literalForm ?? "a value"
    }
  }
}
