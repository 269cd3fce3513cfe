internal import KennelStorage

/// Reads an assignment by recursive descent and checks the types of its expression.
struct AssignmentParser {
  /// An expression and what is known of its values.
  private struct Typed {
    var expression: ValueExpression
    /// `nil` for null, and where only the values tell.
    var kind: ValueKind?
    var column: Int
  }

  private var parser: PredicateParser
  private let checker: PredicateChecker
  private let schema: ClassSchema
  private let now: Timestamp?
  private var operatorCount = 0
  /// More operators are refused: an expression is a tree that is as deep as it has operators.
  private static let mostOperators = 1_000

  init(
    _ text: String,
    _ classKey: ClassKey,
    _ schema: Schema,
    _ now: Timestamp?
  ) throws(PredicateError) {
    parser = try PredicateParser(text, schema, hasArithmetic: true)
    checker = try PredicateChecker(schema, classKey)
    guard let classSchema = schema[classKey] else {
      throw PredicateError("The schema has no class with this key", column: 0)
    }
    self.schema = classSchema
    self.now = now
  }

  mutating func parse() throws(PredicateError) -> Assignment {
    let property = try property()
    guard parser.take("=") else { throw parser.unexpected("'=' and a value") }
    var typed = try sum()
    try fit(&typed, to: property)
    var predicate: Predicate?
    if parser.take(keyword: "WHERE") {
      predicate = try parser.disjunction()
      try predicate?.check(for: schema.key, in: checker.schema)
    }
    guard parser.token.kind == .end else {
      throw parser.unexpected("an operator (+ - * /), 'where' or the end")
    }
    return Assignment(
      classKey: schema.key,
      property: property.key,
      predicate: predicate,
      expression: typed.expression
    )
  }

  private mutating func property() throws(PredicateError) -> PropertySchema {
    let token = parser.token
    let name: String
    switch token.kind {
    case .word(let word), .name(let word): name = word
    case .at, .variable, .call, .string, .value, .placeholder, .symbol, .end:
      throw parser.unexpected("a property of \(schema.name), '=' and a value")
    }
    guard let property = schema[name] else {
      throw PredicateError(
        "\(schema.name) has no property '\(name)'",
        column: token.column,
        suggestion: NearestName.of(name, among: schema.properties.map(\.name))
      )
    }
    guard !property.isCollection, !property.isEmbedded else {
      throw PredicateError(
        "'\(name)' is \(property.isEmbedded ? "embedded" : "a \(property.type.collection)")",
        column: token.column,
        expected: "a property with a single value"
      )
    }
    parser.advance()
    return property
  }

  // MARK: - Expressions

  private mutating func sum() throws(PredicateError) -> Typed {
    var left = try product()
    while let sign = sign(.add, .subtract) {
      let column = parser.token.column
      parser.advance()
      left = try joined(left, sign, try product(), column)
    }
    return left
  }

  private mutating func product() throws(PredicateError) -> Typed {
    var left = try factor()
    while let sign = sign(.multiply, .divide) {
      let column = parser.token.column
      parser.advance()
      left = try joined(left, sign, try factor(), column)
    }
    return left
  }

  private func sign(_ signs: ValueExpression.Operator...) -> ValueExpression.Operator? {
    signs.first { parser.isNext($0.rawValue) }
  }

  private mutating func joined(
    _ left: Typed,
    _ sign: ValueExpression.Operator,
    _ right: Typed,
    _ column: Int
  ) throws(PredicateError) -> Typed {
    operatorCount += 1
    guard operatorCount <= Self.mostOperators else {
      throw PredicateError(
        "The expression has more than \(Self.mostOperators) operators",
        column: column
      )
    }
    var kind: ValueKind?
    if let one = left.kind, let other = right.kind {
      let isText = sign == .add && one == .string && other == .string
      guard isText || one.isNumber && other.isNumber else {
        let phrases = "\(PredicateChecker.phrase(one)) and \(PredicateChecker.phrase(other))"
        throw PredicateError(
          "'\(sign.rawValue)' does not take \(phrases)",
          column: column,
          expected: sign == .add ? "two numbers or two texts" : "two numbers"
        )
      }
      // Whether 7 / 2 is whole, only the values tell.
      kind = isText ? .string : one == .int && other == .int && sign != .divide ? .int : .double
    }
    return Typed(
      expression: .arithmetic(sign, left.expression, right.expression),
      kind: kind,
      column: left.column
    )
  }

  private mutating func factor() throws(PredicateError) -> Typed {
    try parser.descend()
    defer { parser.ascend() }
    let column = parser.token.column
    if parser.take("-") {
      let typed = try factor()
      guard typed.kind?.isNumber != false else {
        throw PredicateError("'-' needs a number", column: column)
      }
      return Typed(expression: .negated(typed.expression), kind: typed.kind, column: column)
    }
    if parser.take("(") {
      let typed = try sum()
      try parser.expect(")")
      return typed
    }
    if case .word(let name) = parser.token.kind, parser.isFollowed(by: "(") {
      return try call(name, column)
    }
    switch try parser.operand() {
    case .literal(let value, _):
      return Typed(expression: .literal(value), kind: value.kind, column: column)
    case .path(let path):
      return try self.path(path, column)
    case .list, .subquery:
      throw PredicateError("This is not a single value", column: column)
    }
  }

  private func path(_ path: Predicate.Path, _ column: Int) throws(PredicateError) -> Typed {
    let resolved = try checker.path(path)
    guard resolved.aggregate != nil || !resolved.end.isMany else {
      throw PredicateError(
        "'\(path)' has many values",
        column: column,
        expected: "one value, or an aggregate such as '\(path).@count'"
      )
    }
    let kind = PredicateChecker.kind(of: resolved)
    return Typed(expression: .path(resolved), kind: kind == .mixed ? nil : kind, column: column)
  }

  private mutating func call(_ name: String, _ column: Int) throws(PredicateError) -> Typed {
    guard let function = Assignment.Function(rawValue: name.lowercased()) else {
      let forms = Assignment.Function.allCases.map(\.form).joined(separator: ", ")
      throw PredicateError("'\(name)' is no function", column: column, expected: forms)
    }
    parser.advance()
    try parser.expect("(")
    var arguments: [ValueExpression] = []
    if !parser.isNext(")") {
      repeat {
        let argument = try sum()
        guard argument.kind == .string || argument.kind == nil else {
          throw PredicateError("\(function.form) takes texts", column: argument.column)
        }
        arguments.append(argument.expression)
      } while parser.take(",")
    }
    guard parser.take(")"), arguments.count == function.argumentCount else {
      throw PredicateError("'\(name)(' is out of form", column: column, expected: function.form)
    }
    guard function == .now else {
      return Typed(expression: .call(function, arguments), kind: .string, column: column)
    }
    guard let now else { throw PredicateError("now() needs a clock", column: column) }
    return Typed(expression: .literal(.date(now)), kind: .date, column: column)
  }

  // MARK: - Types

  /// Makes sure that the values can have the type of the property.
  private func fit(_ typed: inout Typed, to property: PropertySchema) throws(PredicateError) {
    let type = property.type
    if case .literal(.null) = typed.expression, !property.allowsNull {
      throw PredicateError(
        "'\(property.name)' cannot be null; its type is \(type)",
        column: typed.column
      )
    }
    guard let kind = typed.kind, type.kind != .mixed, kind != type.kind else { return }
    if kind.isNumber, type.kind.isNumber { return }
    if case .literal(.string(let text)) = typed.expression, type.kind != .bool, type.kind != .link,
      !type.kind.isNumber
    {
      let value = try PredicateLiteral.value(text, as: type.element, column: typed.column)
      typed.expression = .literal(value)
      return
    }
    throw PredicateError(
      "'\(property.name)' is \(PredicateChecker.phrase(type.kind)), and this is "
        + PredicateChecker.phrase(kind),
      column: typed.column,
      expected: PredicateChecker.example(of: type.kind)
    )
  }
}
