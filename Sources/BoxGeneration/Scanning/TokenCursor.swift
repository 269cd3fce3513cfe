import SwiftScanning

/// A position among tokens, up to an end.
struct TokenCursor {
  let tokens: [SwiftToken]
  let end: Int
  private(set) var position: Int

  init(_ tokens: [SwiftToken], in range: Range<Int>) {
    self.tokens = tokens
    (position, end) = (range.lowerBound, range.upperBound)
  }

  init(_ text: String) {
    let tokens = SwiftScanner.tokens(of: text)
    self.init(tokens, in: tokens.indices)
  }

  /// The token here; `nil` at the end.
  var token: SwiftToken? { position < end ? tokens[position] : nil }

  mutating func skip() { position += 1 }

  /// Skips a token if it is this one.
  mutating func take(_ text: String) -> Bool {
    guard token?.is(text) == true else { return false }
    position += 1
    return true
  }

  /// Words, numbers and some other characters without a blank between them.
  mutating func word(with others: [String]) -> String {
    var text = ""
    while let token, [.word, .number].contains(token.kind) || others.contains(token.text),
      text.isEmpty || token.range.lowerBound == tokens[position - 1].range.upperBound
    {
      text += token.text
      position += 1
    }
    return text
  }
}
