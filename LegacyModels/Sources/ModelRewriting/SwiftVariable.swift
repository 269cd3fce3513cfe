/// The declaration after a `var`, as far as the rewriting depends on it.
struct SwiftVariable {
  /// `nil` for a pattern.
  private(set) var name: String?
  /// The first word of the type, if one is written.
  private(set) var typeName: String?
  private(set) var hasAccessors = false
  private(set) var hasObservers = false
  /// The commas between several variables of one `var`.
  private(set) var commas: [Int] = []
  /// Whether each of the variables has its own type or value.
  private(set) var canBeSplit = true

  var isStored: Bool { !hasAccessors }

  private let tokens: [SwiftToken]
  private var index: Int

  init(at keyword: Int, in tokens: [SwiftToken]) {
    self.tokens = tokens
    index = keyword + 1
    name = binding()
    while index < tokens.count, tokens[index].is(",") {
      commas.append(index)
      index += 1
      _ = binding()
    }
    if !commas.isEmpty, hasObservers || hasAccessors { canBeSplit = false }
  }

  private func token(_ index: Int) -> SwiftToken? { index < tokens.count ? tokens[index] : nil }

  /// Reads a name with its type, value and accessors; returns the name.
  private mutating func binding() -> String? {
    guard let first = token(index), first.kind == .word else { return nil }
    index += 1
    var isSaid = false
    if token(index)?.is(":") == true {
      index += 1
      isSaid = true
      readType()
    }
    var hasValue = false
    if token(index)?.is("=") == true {
      index += 1
      hasValue = true
      isSaid = true
      readValue()
    }
    if token(index)?.is("{") == true { readAccessors(hasValue: hasValue) }
    if !isSaid { canBeSplit = false }
    return first.text.filter { $0 != "`" }
  }

  private mutating func readType() {
    var depth = 0
    let start = index
    while let token = token(index) {
      if depth == 0 {
        if token.is("=", "{", ",", ";", "}", ")") { break }
        if token.startsLine, index > start, !continues(index) { break }
      }
      if token.is("<", "(", "[") { depth += 1 }
      if token.is(")", "]") || token.is(">") && !tokens[index - 1].is("-") { depth -= 1 }
      if typeName == nil, token.kind == .word, !["any", "some"].contains(token.text) {
        typeName = token.text
      } else if token.is("."), let next = self.token(index + 1), next.kind == .word {
        typeName = next.text
      }
      index += 1
    }
  }

  private mutating func readValue() {
    let start = index
    while let token = token(index) {
      if token.is(",", ";", "}", ")", "]") { break }
      if token.startsLine, index > start, !continues(index) { break }
      if token.is("{"), opensObservers(index) { break }
      if token.is("(", "[", "{") {
        skipBrackets()
      } else if token.is("<"), let end = endOfGenericArguments(index) {
        index = end + 1
      } else {
        index += 1
      }
    }
  }

  private mutating func readAccessors(hasValue: Bool) {
    if opensObservers(index) {
      hasObservers = true
    } else {
      // With a value before it, the brace would be a closure behind the call, which was read.
      hasAccessors = !hasValue
    }
    skipBrackets()
  }

  /// Whether a line continues the previous one.
  private func continues(_ index: Int) -> Bool {
    let (last, next) = (tokens[index - 1], tokens[index])
    if next.is("{") { return true }
    if next.kind == .punctuation, ".?:=&|+-*/%<>,".contains(next.text) { return true }
    return last.kind == .punctuation && "=:,&|+-*/%<.".contains(last.text)
  }

  private func opensObservers(_ brace: Int) -> Bool {
    var next = brace + 1
    while let token = token(next), token.kind == .attribute { next += 1 }
    return token(next)?.is("willSet", "didSet") == true
  }

  private mutating func skipBrackets() {
    var depth = 0
    while let token = token(index) {
      if token.is("(", "[", "{") { depth += 1 }
      if token.is(")", "]", "}") { depth -= 1 }
      index += 1
      if depth == 0 { return }
    }
  }

  /// The `>` of `Map<String, Int>`, or `nil` if `<` is an operator.
  private func endOfGenericArguments(_ open: Int) -> Int? {
    guard open > 0, tokens[open].range.lowerBound == tokens[open - 1].range.upperBound else {
      return nil
    }
    var depth = 0
    var index = open
    while let token = token(index) {
      if token.is("<") { depth += 1 }
      if token.is(">") {
        depth -= 1
        if depth == 0 { return index }
      }
      guard token.kind == .word || token.is("<", ">", ",", ".", "?", ":", "[", "]", "&") else {
        return nil
      }
      index += 1
    }
    return nil
  }
}
