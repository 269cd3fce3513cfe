/// A token of Swift source text.
package struct SwiftToken: Hashable, Sendable {
  /// The kind of a token.
  package enum Kind: Hashable, Sendable {
    /// An identifier or keyword, with its backticks if it has any.
    case word
    /// `@name`.
    case attribute
    /// `#name`.
    case directive
    /// A whole literal, or a piece before, between or after its interpolations.
    case string
    case regularExpression
    case number
    /// One character: a bracket, a comma, a part of an operator.
    case punctuation
    case comment
  }

  package let kind: Kind
  package let text: String
  /// Its range in the UTF-8 bytes of the source.
  package let range: Range<Int>
  /// The line of its first byte, from 1.
  package let line: Int
  /// Whether it is the first token of its line, not counting comments.
  package let startsLine: Bool
}

extension SwiftToken {
  /// The content of a string literal without interpolation, or `nil`.
  package var literalText: String? {
    guard kind == .string, text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\""),
      !text.hasPrefix("\"\"\""), !text.contains("\\")
    else { return nil }
    return String(text.dropFirst().dropLast())
  }

  /// Whether it is a capitalized word, which by convention names a type.
  var isCapitalized: Bool { kind == .word && text.first?.isUppercase == true }

  func `is`(_ texts: String...) -> Bool {
    (kind == .word || kind == .punctuation) && texts.contains(text)
  }
}
