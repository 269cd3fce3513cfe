internal import KennelStorage

/// A piece of a predicate's text, for an editor that colors and completes it.
///
/// ```swift
/// for piece in Predicate.pieces(of: "age > 3 AND name") { print(piece.kind, piece.range) }
/// ```
public struct PredicatePiece: Hashable, Sendable {
  /// The kind of a piece.
  public enum Kind: Hashable, Sendable {
    /// The name of a property or a class, without its escapes.
    case name(String)
    /// A word of the language, in capitals, such as AND or ANY.
    case keyword(String)
    /// The operator of a comparison.
    case comparator(Predicate.Comparator)
    /// A word after an at sign, such as `@count`, without the sign.
    case function(String)
    /// A variable, without its dollar sign.
    case variable(String)
    /// A value.
    case literal
    /// A dot, a comma, a parenthesis, a bracket or a brace.
    case punctuation(Character)
    /// Unreadable text, up to the end.
    case unreadable
  }

  /// The kind of the piece.
  public let kind: Kind
  /// Its characters in the text, from 0.
  public let range: Range<Int>
}

extension Predicate {
  /// Splits the text of a predicate, which need not be complete, into pieces.
  ///
  /// Linear in the length of the text. Blanks belong to no piece. No schema is needed, and the
  /// pieces need not form a valid predicate.
  ///
  /// - Parameter text: The text.
  /// - Returns: The pieces in order. Only the last can be unreadable, such as a string without its
  ///   closing quote.
  public static func pieces(of text: String) -> [PredicatePiece] {
    let tokens = PredicateLexer.readableTokens(of: text)
    var pieces: [PredicatePiece] = []
    var isStep = false
    for token in tokens where token.kind != .end {
      let kind = PredicatePiece.Kind(token, isStep: isStep)
      isStep = token.kind == .symbol(".")
      pieces.append(PredicatePiece(kind: kind, range: token.column - 1..<token.end))
    }
    guard tokens.last?.kind != .end else { return pieces }
    let characters = Array(text)
    var start = pieces.last?.range.upperBound ?? 0
    while start < characters.count, characters[start].isWhitespace { start += 1 }
    pieces.append(PredicatePiece(kind: .unreadable, range: start..<characters.count))
    return pieces
  }
}

extension PredicatePiece.Kind {
  /// - Parameters:
  ///   - token: The token.
  ///   - isStep: Whether it follows a dot, where every word is a name.
  fileprivate init(_ token: PredicateToken, isStep: Bool) {
    switch token.kind {
    case .word(let word) where isStep: self = .name(word)
    case .word(let word): self = Self.word(word, token)
    case .name(let name): self = .name(name)
    case .at(let word): self = .function(word)
    case .variable(let name): self = .variable(name)
    case .call, .string, .value, .placeholder: self = .literal
    case .symbol("&&"): self = .keyword("AND")
    case .symbol("||"): self = .keyword("OR")
    case .symbol("!"): self = .keyword("NOT")
    case .symbol(let symbol):
      self =
        PredicateParser.comparator(of: token).map(Self.comparator)
        ?? .punctuation(symbol.first ?? " ")
    case .end: self = .unreadable
    }
  }

  private static func word(_ word: String, _ token: PredicateToken) -> Self {
    if let comparator = PredicateParser.comparator(of: token) { return .comparator(comparator) }
    let keyword = word.uppercased()
    if PredicateKeywords.values.contains(keyword) { return .literal }
    return PredicateKeywords.all.contains(keyword) ? .keyword(keyword) : .name(word)
  }
}
