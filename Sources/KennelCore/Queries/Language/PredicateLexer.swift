internal import KennelStorage

/// Cuts a predicate's text into tokens.
///
/// It goes by Unicode scalars, so that a quote followed by a combining mark is still a quote;
/// columns are counted in characters, as a person sees them.
struct PredicateLexer {
  private let scalars: [Unicode.Scalar]
  /// The column of each scalar, and of the end.
  private let columns: [Int]
  private var position = 0
  private var tokens: [PredicateToken] = []
  /// Whether `+ - * /` are operators.
  private let hasArithmetic: Bool

  /// The tokens of a text; the last is `.end`.
  static func tokens(
    of text: String,
    hasArithmetic: Bool = false
  ) throws(PredicateError) -> [PredicateToken] {
    var lexer = PredicateLexer(text, hasArithmetic: hasArithmetic)
    try lexer.run()
    return lexer.tokens
  }

  /// The tokens of a text up to what cannot be read; the last is `.end` where all can.
  static func readableTokens(of text: String) -> [PredicateToken] {
    var lexer = PredicateLexer(text, hasArithmetic: false)
    try? lexer.run()
    return lexer.tokens
  }

  private init(_ text: String, hasArithmetic: Bool) {
    self.hasArithmetic = hasArithmetic
    var scalars: [Unicode.Scalar] = []
    var columns: [Int] = []
    let byteCount = text.utf8.count
    scalars.reserveCapacity(byteCount)
    columns.reserveCapacity(byteCount + 1)
    // In ASCII each byte is a character, but for a line break of two.
    if text.utf8.allSatisfy({ $0 < 0x80 && $0 != 0x0D }) {
      for (index, byte) in text.utf8.enumerated() {
        scalars.append(Unicode.Scalar(byte))
        columns.append(index + 1)
      }
      columns.append(byteCount + 1)
      self.scalars = scalars
      self.columns = columns
      return
    }
    var column = 1
    for character in text {
      for scalar in character.unicodeScalars {
        scalars.append(scalar)
        columns.append(column)
      }
      column += 1
    }
    columns.append(column)
    self.scalars = scalars
    self.columns = columns
  }

  static func startsWord(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_"
      || scalar.value >= 0x80 && !isSpace(scalar)
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || (0x09...0x0D).contains(scalar.value)
      || scalar.value >= 0x80 && scalar.properties.isWhitespace
  }

  static func continuesWord(_ scalar: Unicode.Scalar) -> Bool {
    startsWord(scalar) || ("0"..."9").contains(scalar)
  }

  private func at(_ index: Int) -> Unicode.Scalar? {
    index < scalars.count ? scalars[index] : nil
  }

  private func isDigit(_ index: Int) -> Bool {
    at(index).map { ("0"..."9").contains($0) } ?? false
  }

  private func text(_ range: Range<Int>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[range])
    return String(text)
  }

  private mutating func take(while isPart: (Unicode.Scalar) -> Bool) -> String {
    let start = position
    while let scalar = at(position), isPart(scalar) { position += 1 }
    return text(start..<position)
  }

  private func error(
    _ message: String,
    at index: Int,
    expected: String? = nil
  ) -> PredicateError {
    PredicateError(message, column: columns[index], expected: expected)
  }

  private mutating func run() throws(PredicateError) {
    while true {
      while let scalar = at(position), Self.isSpace(scalar) { position += 1 }
      let start = position
      let kind = try next()
      tokens.append(
        PredicateToken(
          kind: kind,
          column: columns[start],
          end: columns[max(start, position - 1)],
          text: text(start..<position)
        )
      )
      if kind == .end { return }
    }
  }

  private mutating func next() throws(PredicateError) -> PredicateToken.Kind {
    guard let scalar = at(position) else { return .end }
    switch scalar {
    case "'", "\"": return .string(try quoted(by: scalar))
    case "`": return .name(try quoted(by: scalar))
    case "#": return .name(try word(after: "#", "a property name"))
    case "@":
      let names = Predicate.Aggregate.allCases.map(\.rawValue) + ["links"]
      return .at(try word(after: "@", names.alternatives))
    case "$": return .variable(try word(after: "$", "the name of a variable"))
    case "%": return .placeholder(try placeholder())
    case "0"..."9": return .value(try number())
    case "-", "+":
      let isNumber = isDigit(position + 1) || at(position + 1) == "."
      if hasArithmetic, followsOperand { break }
      if isNumber || startsInfinity(position + 1) { return .value(try number()) }
    case "." where isDigit(position + 1) && !isInPath: return .value(try number())
    case "T" where startsInstant: return .value(try instant())
    case _ where Self.startsWord(scalar):
      let word = take(while: Self.continuesWord)
      return try call(word) ?? .word(word)
    default: break
    }
    return try symbol()
  }

  /// Whether a dot at this position goes on with a path.
  private var isInPath: Bool {
    switch tokens.last?.kind {
    case .word, .name, .at, .variable, .symbol("]"), .symbol(")"): true
    case .call, .string, .value, .placeholder, .symbol, .end, nil: false
    }
  }

  /// Whether a sign at this position stands between two operands.
  private var followsOperand: Bool {
    guard let last = tokens.last else { return false }
    switch last.kind {
    case .word:
      let keyword = last.keyword ?? ""
      return keyword != "WHERE" && !PredicateKeywords.all.contains(keyword)
    case .name, .at, .variable, .call, .string, .value, .symbol("]"), .symbol(")"): return true
    case .placeholder, .symbol, .end: return false
    }
  }

  private static let pairs: Set = ["==", "!=", "<>", "<=", "=<", ">=", "=>", "&&", "||"]

  private mutating func symbol() throws(PredicateError) -> PredicateToken.Kind {
    let scalar = scalars[position]
    let pair = text(position..<min(position + 2, scalars.count))
    if Self.pairs.contains(pair) {
      position += 2
      return .symbol(pair)
    }
    guard "=<>!(){}[],.".unicodeScalars.contains(scalar) else {
      if "+-*/".unicodeScalars.contains(scalar) {
        let isWildcard = scalar == "*" && tokens.last?.kind == .symbol("[")
        if hasArithmetic || isWildcard {
          position += 1
          return .symbol(String(scalar))
        }
        throw error("Arithmetic ('\(scalar)') is not part of the predicate language", at: position)
      }
      throw error("'\(scalar)' has no meaning here", at: position, expected: meaning(of: scalar))
    }
    position += 1
    return .symbol(String(scalar))
  }

  private func meaning(of scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "~", "^":
      Predicate.Comparator.allCases.filter(\.isAboutText).map(\.rawValue).alternatives
        + " to compare text"
    case "&": "AND"
    case "|": "OR"
    default: "a comparison"
    }
  }

  private mutating func word(
    after mark: String,
    _ expected: String
  ) throws(PredicateError) -> String {
    position += 1
    let word = take(while: Self.continuesWord)
    guard !word.isEmpty else {
      throw error("'\(mark)' stands alone", at: position - 1, expected: expected)
    }
    return word
  }

  private mutating func placeholder() throws(PredicateError) -> String {
    let start = position
    position += 1
    if at(position) == "@" {
      position += 1
      return "@"
    }
    let letters = take { ("a"..."z").contains($0) || ("A"..."Z").contains($0) }
    let known = ["K", "d", "i", "u", "f", "g", "lf", "ld", "li", "lu", "lld", "lli", "llu", "zd"]
    guard known.contains(letters) else {
      throw error("'%\(letters)' is not a placeholder", at: start, expected: "%@, %K, %d or %f")
    }
    return letters
  }
}

// MARK: - Literals

extension PredicateLexer {
  private mutating func quoted(by mark: Unicode.Scalar) throws(PredicateError) -> String {
    let start = position
    position += 1
    var result = String.UnicodeScalarView()
    while let scalar = at(position) {
      position += 1
      if scalar == mark { return String(result) }
      result.append(scalar == "\\" ? try escaped() : scalar)
    }
    throw error("The text after \(mark) is not closed", at: start, expected: "a closing \(mark)")
  }

  /// `uuid(…)` and its like, whose parentheses hold text that need not be in quotes.
  private mutating func call(_ word: String) throws(PredicateError) -> PredicateToken.Kind? {
    guard PredicateLiteral.calls.contains(word.lowercased()) else { return nil }
    var index = position
    while let scalar = at(index), Self.isSpace(scalar) { index += 1 }
    guard at(index) == "(", tokens.last?.kind != .symbol(".") else { return nil }
    let start = index
    position = index + 1
    _ = take(while: Self.isSpace)
    var body = ""
    if let mark = at(position), mark == "'" || mark == "\"" {
      body = try quoted(by: mark)
      _ = take(while: Self.isSpace)
    } else {
      body = take { $0 != ")" }
      while body.last?.isWhitespace == true { body.removeLast() }
    }
    guard at(position) == ")" else {
      throw error("'\(word)(' is not closed", at: start, expected: "a closing parenthesis")
    }
    position += 1
    return .call(word, body)
  }

  private mutating func escaped() throws(PredicateError) -> Unicode.Scalar {
    guard let scalar = at(position) else {
      throw error("A backslash ends the text", at: position - 1)
    }
    position += 1
    switch scalar {
    case "n": return "\n"
    case "t": return "\t"
    case "r": return "\r"
    case "0": return "\0"
    case "u":
      let start = position
      let isBraced = at(position) == "{"
      if isBraced { position += 1 }
      let limit = isBraced ? 8 : 4
      var digits = ""
      while let digit = at(position), digits.count < limit, Character(digit).isHexDigit {
        digits.unicodeScalars.append(digit)
        position += 1
      }
      let isClosed = !isBraced || at(position) == "}"
      guard isClosed, isBraced || digits.count == 4, let number = UInt32(digits, radix: 16),
        let result = Unicode.Scalar(number)
      else {
        throw error(
          "'\\u' names no character",
          at: start - 2,
          expected: "\\u00e9 or \\u{1f436}"
        )
      }
      if isBraced { position += 1 }
      return result
    default: return scalar
    }
  }

  private func startsInfinity(_ index: Int) -> Bool {
    guard index + 2 < scalars.count else { return false }
    let start = text(index..<index + 3).lowercased()
    return start == "inf" || start == "nan"
  }

  /// Whether a date such as 2024-05-01 starts after an optional sign.
  private func startsDate(_ start: Int) -> Bool {
    var index = start
    while isDigit(index) { index += 1 }
    guard index - start >= 4, at(index) == "-", isDigit(index + 1), isDigit(index + 2) else {
      return false
    }
    return at(index + 3) == "-" && isDigit(index + 4) && isDigit(index + 5)
  }

  /// Whether a month such as 2024-05, which is no whole date, starts here.
  private var startsMonth: Bool {
    let end = position + 7
    return (position..<position + 4).allSatisfy(isDigit) && at(position + 4) == "-"
      && isDigit(position + 5) && isDigit(position + 6) && !isDigit(end) && at(end) != "-"
  }

  private mutating func number() throws(PredicateError) -> Value {
    let start = position
    if !hasArithmetic, startsMonth {
      let month = text(start..<start + 7)
      throw error("'\(month)' is not a date", at: start, expected: "a day, too: \(month)-01")
    }
    let isSigned = at(position) == "-" || at(position) == "+"
    if isSigned { position += 1 }
    if startsDate(position) {
      _ = take { Self.continuesWord($0) || ":.@+-".unicodeScalars.contains($0) }
      let text = text(start..<position)
      return .date(try PredicateLiteral.date(text, column: columns[start]))
    }
    if at(position) == "0", at(position + 1) == "x" || at(position + 1) == "X" {
      position += 2
      _ = take(while: Self.continuesWord)
    } else if startsInfinity(position) {
      _ = take(while: Self.continuesWord)
    } else {
      _ = take { ("0"..."9").contains($0) }
      if at(position) == ".", isDigit(position + 1) {
        position += 1
        _ = take { ("0"..."9").contains($0) }
      }
      if at(position) == "e" || at(position) == "E" {
        position += 1
        if at(position) == "-" || at(position) == "+" { position += 1 }
      }
      _ = take(while: Self.continuesWord)
    }
    return try PredicateLiteral.number(text(start..<position), column: columns[start])
  }

  /// Whether `T1700000000:5`, seconds and nanoseconds since 1970, stands here.
  private var startsInstant: Bool {
    var index = position + 1
    if at(index) == "-" { index += 1 }
    let digits = index
    while isDigit(index) { index += 1 }
    return index > digits && at(index) == ":"
  }

  private mutating func instant() throws(PredicateError) -> Value {
    let start = position
    position += 1
    let seconds = take { $0 == "-" || ("0"..."9").contains($0) }
    position += 1
    let nanoseconds = take { $0 == "-" || ("0"..."9").contains($0) }
    guard
      let date = PredicateLiteral.instant(seconds: seconds, nanoseconds: nanoseconds)
    else {
      throw error(
        "'\(text(start..<position))' is not a date",
        at: start,
        expected: "T, seconds, a colon, nanoseconds of the same sign"
      )
    }
    return .date(date)
  }
}
