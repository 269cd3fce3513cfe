/// A piece of Swift source text that stands for itself.
package struct SwiftToken: Hashable, Sendable {
  /// What kind of piece.
  package enum Kind: Hashable, Sendable {
    /// An identifier or keyword; one between grave accents keeps them.
    case word
    /// `@name`.
    case attribute
    /// `#name`.
    case directive
    /// A whole literal, or what lies before, between and behind its interpolations.
    case string
    case regularExpression
    case number
    /// One character: a bracket, a comma, a part of an operator.
    case punctuation
    case comment
  }

  package let kind: Kind
  package let text: String
  /// Its place among the UTF-8 bytes of the source.
  package let range: Range<Int>
  /// The line of its first byte, from 1.
  package let line: Int
  /// Whether it is the first one of its line, comments not counted.
  package let startsLine: Bool
}

extension SwiftToken {
  /// What a string literal without interpolation says; `nil` of anything else.
  package var literalText: String? {
    guard kind == .string, text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\""),
      !text.hasPrefix("\"\"\""), !text.contains("\\")
    else { return nil }
    return String(text.dropFirst().dropLast())
  }

  /// Whether it is a word that may name a type, by the custom of capital letters.
  var isCapitalized: Bool { kind == .word && text.first?.isUppercase == true }

  func `is`(_ texts: String...) -> Bool {
    (kind == .word || kind == .punctuation) && texts.contains(text)
  }
}
