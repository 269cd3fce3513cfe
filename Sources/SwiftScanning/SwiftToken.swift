/// A token of Swift source text.
///
/// ```swift
/// let firsts = SwiftScanner.tokens(of: source).filter(\.startsLine)
/// for token in firsts { print("\(token.line): \(token.text)") }
/// ```
public struct SwiftToken: Hashable, Sendable {
  /// The kind of a token.
  ///
  /// ```swift
  /// let code = SwiftScanner.tokens(of: source).filter { $0.kind != .comment }
  /// print(code.map(\.text).joined(separator: " "))
  /// ```
  public enum Kind: Hashable, Sendable {
    /// An identifier or keyword, with its backticks if it has any.
    case word
    /// `@name`.
    case attribute
    /// `#name`.
    case directive
    /// A whole literal, or a piece before, between or after its interpolations.
    case string
    /// `/…/` or `#/…/#`.
    case regularExpression
    /// A literal of a number, without its sign.
    case number
    /// One character: a bracket, a comma, a part of an operator.
    case punctuation
    /// `// …` or `/* … */`.
    case comment
  }

  /// The kind of the token.
  public let kind: Kind
  /// Its text in the source.
  public let text: String
  /// Its range in the UTF-8 bytes of the source.
  public let range: Range<Int>
  /// The line of its first byte, from 1.
  public let line: Int
  /// Whether it is the first token of its line, not counting comments.
  public let startsLine: Bool
}

extension SwiftToken {
  /// The line of its last byte, from 1.
  public var lastLine: Int { line + text.utf8.count { $0 == ASCII.newline } }

  /// The content of a string literal without interpolation, or `nil`.
  public var literalText: String? {
    guard kind == .string, text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\""),
      !text.hasPrefix("\"\"\""), !text.contains("\\")
    else { return nil }
    return String(text.dropFirst().dropLast())
  }

  /// Whether it is a capitalized word, which by convention names a type.
  public var isCapitalized: Bool { kind == .word && text.first?.isUppercase == true }

  /// Whether it is one of these words, attributes or characters.
  public func `is`(_ texts: String...) -> Bool {
    [.word, .attribute, .punctuation].contains(kind) && texts.contains(text)
  }
}
