/// The declaration after a `var` or `let`.
///
/// ```swift
/// let tokens = SwiftScanner.tokens(of: "var name: String")
/// let variable = SwiftVariable(at: 0, in: tokens)
/// print(variable.name ?? "", variable.typeName ?? "")
/// ```
public struct SwiftVariable {
  /// One of the variables that a declaration names.
  ///
  /// ```swift
  /// let tokens = SwiftScanner.tokens(of: "var width = 2, height = 3")
  /// let bindings = SwiftVariable(at: 0, in: tokens).bindings
  /// for binding in bindings { print(tokens[binding.name].text, tokens[binding.value].count) }
  /// ```
  public struct Binding {
    /// The token of its name.
    public let name: Int
    /// The tokens of its type; empty if none is written.
    public fileprivate(set) var type: Range<Int>
    /// The tokens of its value; empty if it has none.
    public fileprivate(set) var value: Range<Int>
  }

  /// The variables; empty for a pattern.
  public private(set) var bindings: [Binding] = []
  /// The patterns, such as `(x, y)`; the name of each is its parenthesis.
  public private(set) var patterns: [Binding] = []
  /// Whether it is computed.
  public private(set) var hasAccessors = false
  /// Whether it has `willSet` or `didSet`.
  public private(set) var hasObservers = false
  /// The commas between several variables of one `var`.
  public private(set) var commas: [Int] = []
  /// Whether each of the variables has its own type or value.
  public private(set) var canBeSplit = true
  /// The token after the declaration.
  public private(set) var end: Int

  /// Whether it has a value of its own.
  public var isStored: Bool { !hasAccessors }

  /// The name of the first variable, or `nil` for a pattern.
  public var name: String? {
    guard patterns.isEmpty else { return nil }
    return bindings.first.map { tokens[$0.name].text.filter { $0 != "`" } }
  }

  /// The first word of the first variable's type, or the last of a dotted name.
  public var typeName: String? {
    guard let type = bindings.first?.type else { return nil }
    var name: String?
    for index in type {
      let token = tokens[index]
      if name == nil, token.kind == .word, !["any", "some"].contains(token.text) {
        name = token.text
      } else if token.is("."), let next = self.token(index + 1), next.kind == .word {
        name = next.text
      }
    }
    return name
  }

  private let tokens: [SwiftToken]
  private var index: Int {
    get { end }
    set { end = newValue }
  }

  /// Reads the declaration from its keyword.
  public init(at keyword: Int, in tokens: [SwiftToken]) {
    self.tokens = tokens
    end = keyword + 1
    readBinding()
    while index < tokens.count, tokens[index].is(",") {
      commas.append(index)
      index += 1
      readBinding()
    }
    // `var a, b: Int` gives both the type.
    for (last, next) in zip(bindings.indices, bindings.indices.dropFirst()).reversed()
    where bindings[last].type.isEmpty && bindings[last].value.isEmpty {
      bindings[last].type = bindings[next].type
    }
    if !commas.isEmpty, hasObservers || hasAccessors { canBeSplit = false }
  }

  private func token(_ index: Int) -> SwiftToken? { index < tokens.count ? tokens[index] : nil }

  /// Reads a name with its type, value and accessors.
  private mutating func readBinding() {
    guard let first = token(index), first.kind == .word || first.is("(") else { return }
    var binding = Binding(name: index, type: 0..<0, value: 0..<0)
    index = (first.is("(") ? tokens.closing(index) : index) + 1
    if token(index)?.is(":") == true {
      let start = index + 1
      readType()
      binding.type = start..<index
    }
    if token(index)?.is("=") == true {
      let start = index + 1
      readValue()
      binding.value = start..<index
    }
    if token(index)?.is("{") == true { readAccessors(hasValue: !binding.value.isEmpty) }
    if binding.type.isEmpty, binding.value.isEmpty { canBeSplit = false }
    if first.is("(") { patterns.append(binding) } else { bindings.append(binding) }
  }

  private mutating func readType() {
    index += 1
    var depth = 0
    let start = index
    while let token = token(index) {
      if depth == 0 {
        if token.is("=", "{", ",", ";", "}", ")") { break }
        if token.startsLine, index > start, !continues(index) { break }
      }
      if token.is("<", "(", "[") { depth += 1 }
      if token.is(")", "]") || token.is(">") && !tokens[index - 1].is("-") { depth -= 1 }
      index += 1
    }
  }

  private mutating func readValue() {
    index += 1
    let start = index
    while let token = token(index) {
      if token.is(",", ";", "}", ")", "]") { break }
      if token.startsLine, index > start, !continues(index) { break }
      if token.is("{"), opensObservers(index) { break }
      if token.is("(", "[", "{") {
        index = tokens.closing(index) + 1
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
    index = tokens.closing(index) + 1
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
