public import KennelStorage

extension Predicate {
  /// Parses a predicate and checks that it fits a class.
  ///
  /// `%@` stands for the next argument, `%K` for the next argument as a path, `$0` for the first
  /// argument, and `$name` for a variable.
  ///
  /// - Parameters:
  ///   - text: The predicate, such as `age > 3 AND name BEGINSWITH[c] "re"`.
  ///   - classKey: The class.
  ///   - schema: The schema with the class.
  ///   - arguments: The values of the placeholders.
  ///   - variables: The values of the variables, by name.
  /// - Returns: The predicate.
  /// - Throws: ``PredicateError`` with the column of the error.
  public static func parse(
    _ text: String,
    for classKey: ClassKey,
    in schema: Schema,
    arguments: [Value] = [],
    variables: [String: Value] = [:]
  ) throws(PredicateError) -> Predicate {
    let predicate = try read(text, in: schema, arguments: arguments, variables: variables)
    try predicate.check(for: classKey, in: schema)
    return predicate
  }

  /// Parses a predicate without checking that it fits a class.
  ///
  /// It is for programs that use property names other than those in the file, and replace them in
  /// the predicate afterwards.
  ///
  /// - Parameters:
  ///   - text: The predicate.
  ///   - schema: The schema that has the classes named in literals such as `object(Dog/42)`.
  ///   - arguments: The values of the placeholders.
  ///   - variables: The values of the variables, by name.
  /// - Returns: The predicate.
  /// - Throws: ``PredicateError`` with the column of the error.
  public static func read(
    _ text: String,
    in schema: Schema,
    arguments: [Value] = [],
    variables: [String: Value] = [:]
  ) throws(PredicateError) -> Predicate {
    var parser = try PredicateParser(text, schema, arguments: arguments, variables: variables)
    return try parser.parse()
  }
}

/// Reads the predicate language by recursive descent; names are not looked up here.
struct PredicateParser {
  private let tokens: [PredicateToken]
  private(set) var position = 0
  /// The values of the placeholders.
  let arguments: [Value]
  let variables: [String: Value]
  /// Where the classes of `object(Dog/42)` are looked up.
  let schema: Schema
  /// How many arguments `%@` and `%K` have taken.
  var argumentsUsed = 0
  /// The variables of the subqueries around the current position.
  var scopes: [String] = []
  private var depth = 0
  /// The deepest level of the comparison that is read, as its description will write it.
  private var reached = 0
  /// The name of the whole text in messages.
  private let subject: String
  /// Deeper nesting is refused, so that no text can exhaust the stack.
  private static let deepest = 100

  init(
    _ text: String,
    _ schema: Schema,
    arguments: [Value] = [],
    variables: [String: Value] = [:],
    hasArithmetic: Bool = false
  ) throws(PredicateError) {
    tokens = try PredicateLexer.tokens(of: text, hasArithmetic: hasArithmetic)
    self.arguments = arguments
    self.variables = variables
    self.schema = schema
    subject = hasArithmetic ? "expression" : "predicate"
  }

  var token: PredicateToken { tokens[position] }

  mutating func advance() {
    if position < tokens.count - 1 { position += 1 }
  }

  func isNext(_ symbol: String) -> Bool {
    token.kind == .symbol(symbol)
  }

  /// Whether the token after the next one is the symbol.
  func isFollowed(by symbol: String) -> Bool {
    position + 1 < tokens.count && tokens[position + 1].kind == .symbol(symbol)
  }

  /// Takes the symbol if it is next.
  mutating func take(_ symbol: String) -> Bool {
    guard isNext(symbol) else { return false }
    advance()
    return true
  }

  /// Takes the keyword if it is next.
  mutating func take(keyword: String) -> Bool {
    guard token.keyword == keyword else { return false }
    advance()
    return true
  }

  func unexpected(_ expected: String) -> PredicateError {
    let message =
      token.kind == .end
      ? "The \(subject) is not complete"
      : "'\(token.text)' is out of place"
    return PredicateError(message, column: token.column, expected: expected)
  }

  mutating func expect(_ symbol: String) throws(PredicateError) {
    guard take(symbol) else { throw unexpected("'\(symbol)'") }
  }

  /// Goes one level down; the caller comes back up with ``ascend()``.
  mutating func descend() throws(PredicateError) {
    depth += 1
    try reach(depth)
  }

  private mutating func reach(_ level: Int) throws(PredicateError) {
    reached = max(reached, level)
    guard level <= Self.deepest else {
      throw PredicateError("The \(subject) is nested too deeply", column: token.column)
    }
  }

  mutating func ascend() { depth -= 1 }

  mutating func noteArgument(at position: Int) {
    argumentsUsed = Swift.max(argumentsUsed, position + 1)
  }

  // MARK: - The grammar from the top

  mutating func parse() throws(PredicateError) -> Predicate {
    let predicate = try disjunction()
    guard token.kind == .end else {
      let isText = token.isName && position > 0 && tokens[position - 1].isName
      throw unexpected(isText ? "text in quotes, AND, OR or the end" : "AND, OR or the end")
    }
    guard argumentsUsed == arguments.count else {
      throw PredicateError(
        "\(arguments.count) arguments were given, \(argumentsUsed) are used",
        column: token.column
      )
    }
    return predicate
  }

  mutating func disjunction() throws(PredicateError) -> Predicate {
    var parts = [try conjunction()]
    while token.keyword == "OR" || isNext("||") {
      advance()
      parts.append(try conjunction())
    }
    return parts.count == 1 ? parts[0] : .or(parts)
  }

  private mutating func conjunction() throws(PredicateError) -> Predicate {
    var parts = [try negation()]
    while token.keyword == "AND" || isNext("&&") {
      advance()
      parts.append(try negation())
    }
    return parts.count == 1 ? parts[0] : .and(parts)
  }

  private mutating func negation() throws(PredicateError) -> Predicate {
    try descend()
    defer { ascend() }
    if token.keyword == "NOT" || isNext("!") {
      advance()
      // The description has parentheses behind each NOT: they are no level of their own.
      if let group = try group() { return .not(group) }
      return .not(try negation())
    }
    if take(keyword: "TRUEPREDICATE") { return .constant(true) }
    if take(keyword: "FALSEPREDICATE") { return .constant(false) }
    if let group = try group() { return group }
    return try comparison()
  }

  /// A predicate in parentheses, if one is next.
  private mutating func group() throws(PredicateError) -> Predicate? {
    guard isNext("("), !isOperandInParentheses else { return nil }
    advance()
    let inner = try disjunction()
    guard take(")") else { throw unexpected("')', AND or OR") }
    return inner
  }

  /// Whether the parenthesis at this position encloses one side of a comparison: what follows
  /// its end compares.
  private var isOperandInParentheses: Bool {
    var open = 0
    var index = position
    while index < tokens.count {
      if tokens[index].kind == .symbol("(") { open += 1 }
      if tokens[index].kind == .symbol(")") {
        open -= 1
        if open == 0 { break }
      }
      index += 1
    }
    guard index + 1 < tokens.count else { return false }
    return Self.comparator(of: tokens[index + 1]) != nil
  }

  private mutating func quantifier() -> Predicate.Quantifier? {
    let name = token.keyword == "SOME" ? "ANY" : token.keyword
    guard let quantifier = name.flatMap(Predicate.Quantifier.init) else { return nil }
    advance()
    return quantifier
  }

  static func comparator(of token: PredicateToken) -> Predicate.Comparator? {
    switch token.kind {
    case .symbol("="): .equal
    case .symbol("<>"): .notEqual
    case .symbol("=<"): .lessOrEqual
    case .symbol("=>"): .greaterOrEqual
    case .symbol(let text): .init(rawValue: text)
    case .word: token.keyword.flatMap { .init(rawValue: $0) }
    case .name, .at, .variable, .call, .string, .value, .placeholder, .end: nil
    }
  }

  private mutating func comparison() throws(PredicateError) -> Predicate {
    let outside = reached
    reached = depth
    defer { reached = max(reached, outside) }
    let leftQuantifier = quantifier()
    let left = try operand()
    let isNegated = token.keyword == "NOT"
    if isNegated { advance() }
    let column = token.column
    guard var comparator = Self.comparator(of: token) else {
      if !isNegated, leftQuantifier == nil, endsOperand, case .path = left {
        let truth = Predicate.Expression.literal(.bool(true))
        return .comparison(.init(left, .equal, truth, source: .init(impliedAt: column)))
      }
      throw missingComparison
    }
    advance()
    let options = try stringOptions(comparator)
    let rightQuantifier = quantifier()
    let area = token
    let right = try operand()
    if comparator == .isIn, case .literal(.string(let text), _) = right, GeoArea(text) != nil {
      comparator = .geoWithin
    }
    if comparator != .geoWithin, case .call(let name, _) = area.kind,
      GeoArea.forms[name.lowercased()] != nil
    {
      throw PredicateError("An area is no value", column: column, expected: "GEOWITHIN before it")
    }
    var comparison = Predicate.Comparison(
      left,
      comparator,
      right,
      options: options,
      quantifier: leftQuantifier,
      source: .init(column: column)
    )
    if let rightQuantifier {
      comparison = try turned(comparison, rightQuantifier)
    }
    guard isNegated else { return .comparison(comparison) }
    // The description has this NOT around all that was read.
    try reach(reached + 1)
    return .not(.comparison(comparison))
  }

  /// The error where a comparison should be; for a word of another language, it names the one of this.
  private var missingComparison: PredicateError {
    let error = unexpected("a comparison such as ==, >, IN or CONTAINS")
    guard case .word(let word) = token.kind,
      let meant = PredicateKeywords.foreign[word.uppercased()]
        ?? NearestName.of(word, among: PredicateKeywords.comparators)
    else { return error }
    return PredicateError(error.message, column: error.column, suggestion: meant)
  }

  /// Whether what stands here can follow a whole comparison.
  private var endsOperand: Bool {
    switch token.kind {
    case .end, .symbol(")"), .symbol("&&"), .symbol("||"): true
    case .word: token.keyword == "AND" || token.keyword == "OR"
    case .name, .at, .variable, .call, .string, .value, .placeholder, .symbol: false
    }
  }

  /// The comparison with its sides exchanged, so that the quantifier stands on the left.
  private func turned(
    _ comparison: Predicate.Comparison,
    _ quantifier: Predicate.Quantifier
  ) throws(PredicateError) -> Predicate.Comparison {
    let comparator =
      comparison.comparator == .isIn && quantifier == .any
      ? .isIn : comparison.comparator.mirrored
    guard let comparator, comparison.quantifier == nil else {
      throw PredicateError(
        "\(quantifier.rawValue) cannot stand on this side",
        column: comparison.source.column,
        expected: "\(quantifier.rawValue) before the left side"
      )
    }
    if comparator == .isIn { return comparison }
    return Predicate.Comparison(
      comparison.right,
      comparator,
      comparison.left,
      options: comparison.options,
      quantifier: quantifier,
      source: comparison.source
    )
  }

  private mutating func stringOptions(
    _ comparator: Predicate.Comparator
  ) throws(PredicateError) -> Predicate.StringOptions {
    guard take("[") else { return [] }
    var options: Predicate.StringOptions = []
    guard case .word(let letters) = token.kind else { throw unexpected("c, d or cd") }
    for letter in letters.lowercased() {
      switch letter {
      case "c": options.insert(.caseInsensitive)
      case "d": options.insert(.diacriticInsensitive)
      default: throw unexpected("c, d or cd")
      }
    }
    guard comparator != .between, comparator != .geoWithin else {
      throw PredicateError(
        "\(comparator.rawValue) does not take [\(letters)]",
        column: token.column
      )
    }
    advance()
    try expect("]")
    return options
  }
}
