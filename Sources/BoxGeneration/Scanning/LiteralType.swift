import SwiftScanning

extension TypeName {
  /// The type of a variable without one, by its default value; `nil` if it is not obvious.
  static func ofValue(_ range: Range<Int>, in tokens: [SwiftToken]) -> TypeName? {
    guard !range.isEmpty else { return nil }
    return ofLiteral(tokens[range]) ?? ofConstant(tokens[range]) ?? ofCall(range, in: tokens)
  }

  /// Numbers, strings and Booleans, also with operators between them.
  private static func ofLiteral(_ tokens: ArraySlice<SwiftToken>) -> TypeName? {
    var kinds: Set<String> = []
    // What an interpolation holds does not matter.
    if let first = tokens.first, first.kind == .string, let last = tokens.last,
      last.kind == .string, first.literalText == nil || tokens.count == 1
    {
      return .simple("String")
    }
    for token in tokens {
      switch token.kind {
      case .string: kinds.insert("String")
      case .number: kinds.insert(isInteger(token.text) ? "Int" : "Double")
      case .word where ["true", "false"].contains(token.text): kinds.insert("Bool")
      case .punctuation where "+-*/%()!&|".contains(token.text): break
      case .word, .punctuation, .attribute, .directive, .regularExpression, .comment: return nil
      }
    }
    if kinds == ["Int", "Double"] { return .simple("Double") }
    return kinds.count == 1 ? kinds.first.map(TypeName.simple) : nil
  }

  private static func isInteger(_ text: String) -> Bool {
    let lower = text.lowercased()
    if lower.hasPrefix("0x") { return !lower.contains(".") && !lower.contains("p") }
    return !lower.contains(".") && !lower.contains("e")
  }

  /// `Int.min`, `Date.now`.
  private static func ofConstant(_ tokens: ArraySlice<SwiftToken>) -> TypeName? {
    let texts = tokens.map(\.text)
    guard texts.count == 3, texts[1] == ".", EntityPropertyType.named(texts[0]) != nil,
      constants.contains(texts[2])
    else { return nil }
    return .simple(texts[0])
  }

  private static let constants: Set = [
    "min", "max", "zero", "pi", "infinity", "nan", "greatestFiniteMagnitude",
    "leastNormalMagnitude",
    "leastNonzeroMagnitude", "ulpOfOne", "now", "distantPast", "distantFuture",
  ]

  /// `Date()`, `[String]()`, `EntityId<Note>(0)`.
  private static func ofCall(_ range: Range<Int>, in tokens: [SwiftToken]) -> TypeName? {
    let last = range.upperBound - 1
    guard tokens[last].is(")"),
      let open = range.first(where: { tokens[$0].is("(") && tokens.closing($0) == last }),
      open > range.lowerBound
    else { return nil }
    let type = TypeName(range.lowerBound..<open, of: tokens)
    // A name in lower case is a function or `Type.init`, whose result is not written.
    switch type {
    case .named(let path, _):
      return path.last?.first?.isUppercase == true ? type : nil
    case .array: return type
    case .optional, .other: return nil
    }
  }
}
