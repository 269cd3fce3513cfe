internal import KennelStorage

/// Values, lists, paths and subqueries.
extension PredicateParser {
  mutating func operand() throws(PredicateError) -> Predicate.Expression {
    try descend()
    defer { ascend() }
    let source = Predicate.Source(column: token.column)
    switch token.kind {
    case .string(let text):
      advance()
      return .literal(.string(text), source: source)
    case .value(let value):
      advance()
      return .literal(value, source: source)
    case .symbol("{"): return try list(source)
    case .symbol("("):
      advance()
      let inner = try operand()
      try expect(")")
      return inner
    case .placeholder(let letters) where letters != "K":
      let value = try nextArgument()
      return try expression(value, source)
    case .variable(let name) where !scopes.contains(name):
      let value = try value(ofVariable: name)
      advance()
      return try expression(value, source)
    case .call(let name, let body):
      let value = try PredicateLiteral.call(name, body, column: token.column) {
        schema[$0]?.key
      }
      advance()
      return .literal(value, source: source)
    case .word: return try wordOperand(source)
    case .name, .at, .variable, .placeholder: return .path(try path())
    case .symbol, .end: throw unexpected("a property, a value or '{'")
    }
  }

  private mutating func wordOperand(
    _ source: Predicate.Source
  ) throws(PredicateError) -> Predicate.Expression {
    let word = token
    let value: Value
    switch word.keyword {
    case "TRUE", "YES": value = .bool(true)
    case "FALSE", "NO": value = .bool(false)
    case "NIL", "NULL": value = .null
    case "NAN", "INF", "INFINITY":
      value = try PredicateLiteral.number(word.text, column: word.column)
    case "SUBQUERY": return try subquery()
    case "SELF": return .path(try path())
    default:
      guard let keyword = word.keyword, !PredicateKeywords.all.contains(keyword) else {
        throw PredicateError(
          "'\(word.text)' is out of place",
          column: word.column,
          expected: "a property or a value; a property of this name is written #\(word.text)"
        )
      }
      return .path(try path())
    }
    advance()
    return .literal(value, source: source)
  }

  private mutating func list(
    _ source: Predicate.Source
  ) throws(PredicateError) -> Predicate.Expression {
    try expect("{")
    var elements: [Predicate.Expression] = []
    if take("}") { return .list([], source: source) }
    repeat {
      elements.append(try operand())
    } while take(",")
    guard take("}") else { throw unexpected("',' or '}'") }
    return .list(elements, source: source)
  }

  /// An argument as an expression: a list or a set of values is a list of literals.
  private mutating func expression(
    _ value: Value,
    _ source: Predicate.Source
  ) throws(PredicateError) -> Predicate.Expression {
    switch value.shape {
    case .list(let values), .set(let values):
      try descend()
      ascend()
      return .list(values.map { .literal($0, source: source) }, source: source)
    case .null, .scalar, .link, .map: return .literal(value, source: source)
    }
  }

  private mutating func nextArgument() throws(PredicateError) -> Value {
    guard argumentsUsed < arguments.count else {
      throw PredicateError(
        "No argument is left for '\(token.text)': \(arguments.count) were given",
        column: token.column
      )
    }
    argumentsUsed += 1
    advance()
    return arguments[argumentsUsed - 1]
  }

  private mutating func value(ofVariable name: String) throws(PredicateError) -> Value {
    if let position = Int(name), arguments.indices.contains(position) {
      noteArgument(at: position)
      return arguments[position]
    }
    if let value = variables[name] { return value }
    throw PredicateError(
      "The variable '$\(name)' has no value",
      column: token.column,
      suggestion: NearestName.of(name, among: scopes + variables.keys).map { "$\($0)" }
    )
  }

  // MARK: - Subqueries

  private mutating func subquery() throws(PredicateError) -> Predicate.Expression {
    advance()
    try expect("(")
    let collection = try path()
    try expect(",")
    guard case .variable(let name) = token.kind else { throw unexpected("a variable such as $x") }
    advance()
    try expect(",")
    scopes.append(name)
    let predicate = try disjunction()
    scopes.removeLast()
    try expect(")")
    guard take("."), case .at(let word) = token.kind,
      Predicate.Aggregate(named: word) == .count
    else { throw unexpected("'.@count'") }
    advance()
    return .subquery(.init(collection, variable: name, predicate))
  }

  // MARK: - Paths

  mutating func path() throws(PredicateError) -> Predicate.Path {
    var path = Predicate.Path.itself
    path.columns.start = token.column
    var needsDot = true
    switch token.kind {
    case .variable(let name):
      guard scopes.contains(name) else { throw unexpected("a path") }
      path.variable = name
      advance()
    case .word where token.keyword == "SELF": advance()
    case .word, .name, .at, .call, .string, .value, .placeholder, .symbol, .end: needsDot = false
    }
    while needsDot, isNext("[") { try brackets(into: &path) }
    while !needsDot || take(".") {
      needsDot = true
      try step(into: &path)
      while isNext("[") { try brackets(into: &path) }
    }
    return path
  }

  private func add(_ step: Predicate.Step, _ column: Int, to path: inout Predicate.Path) {
    path.steps.append(step)
    path.columns.parts.append(column)
  }

  /// `['key']` of a map, `[0]`, `[FIRST]` or `[LAST]` of a list, `[*]` of any collection.
  private mutating func brackets(into path: inout Predicate.Path) throws(PredicateError) {
    let column = token.column
    try expect("[")
    switch token.kind {
    case .string(let key): add(.entry(key), column, to: &path)
    case .value(.int(let index)): add(.index(Int(index)), column, to: &path)
    case .word where token.keyword == "FIRST": add(.index(0), column, to: &path)
    case .word where token.keyword == "LAST": add(.index(-1), column, to: &path)
    case .symbol("*"): add(.all, column, to: &path)
    case .placeholder("@"):
      let argument = try nextArgument()
      if case .string(let key) = argument {
        add(.entry(key), column, to: &path)
      } else if case .int(let index) = argument {
        add(.index(Int(index)), column, to: &path)
      } else {
        throw unexpected("a key or a position as argument")
      }
      return try expect("]")
    case .word, .name, .at, .variable, .call, .value, .placeholder, .symbol, .end:
      throw unexpected("a key in quotes, a position or *")
    }
    advance()
    try expect("]")
  }

  private mutating func step(into path: inout Predicate.Path) throws(PredicateError) {
    let column = token.column
    if path.aggregate == .count { throw unexpected("nothing after @count") }
    switch token.kind {
    case .word(let name), .name(let name):
      advance()
      add(.property(name), column, to: &path)
    case .at(let word): try special(word, column, into: &path)
    case .placeholder("K"):
      guard argumentsUsed < arguments.count, case .string(let text) = arguments[argumentsUsed]
      else {
        throw PredicateError("'%K' takes the name of a property as argument", column: column)
      }
      argumentsUsed += 1
      advance()
      for part in text.split(separator: ".", omittingEmptySubsequences: false) {
        guard part.hasPrefix("@"), let aggregate = Predicate.Aggregate(named: part.dropFirst())
        else {
          add(.property(String(part)), column, to: &path)
          continue
        }
        path.aggregate = aggregate
      }
    case .variable, .call, .string, .value, .placeholder, .symbol, .end:
      throw unexpected("a property")
    }
  }

  private mutating func special(
    _ word: String,
    _ column: Int,
    into path: inout Predicate.Path
  ) throws(PredicateError) {
    if let aggregate = Predicate.Aggregate(named: word) {
      guard path.aggregate == nil else { throw unexpected("one aggregate in a path") }
      advance()
      path.aggregate = aggregate
      return
    }
    advance()
    switch word.lowercased() {
    case "allkeys": add(.allKeys, column, to: &path)
    case "allvalues": add(.allValues, column, to: &path)
    case "type": add(.kind, column, to: &path)
    case "links":
      try expect(".")
      if case .at(let next) = token.kind, Predicate.Aggregate(named: next) == .count {
        advance()
        add(.allLinks, column, to: &path)
        path.aggregate = .count
        return
      }
      let origin = try plainName("a class, or @count")
      try expect(".")
      let property = try plainName("a link property of \(origin)")
      add(.links(origin: origin, property: property), column, to: &path)
    default:
      throw PredicateError(
        "'@\(word)' is not known",
        column: column,
        expected: (Predicate.Aggregate.allCases.map { "@\($0.rawValue)" }
          + ["@links", "@type", "@allKeys", "@allValues"]).alternatives
      )
    }
  }

  private mutating func plainName(_ expected: String) throws(PredicateError) -> String {
    switch token.kind {
    case .word(let name), .name(let name):
      advance()
      return name
    case .at, .variable, .call, .string, .value, .placeholder, .symbol, .end:
      throw unexpected(expected)
    }
  }
}
