/// What is looked for: a text, or what a regular expression fits; the case of letters never counts,
/// unless the expression begins with `(?-i)`.
struct SearchPattern: Hashable, Sendable {
  let text: String
  /// The text's letters in one case.
  private let needle: [UInt8]
  private let expression: RegularExpression?

  /// A text.
  init(_ text: String) {
    self.text = text
    needle = Self.folded(text)
    expression = nil
  }

  /// A regular expression.
  ///
  /// - Parameter text: The expression.
  /// - Throws: Why it is none.
  init(expression text: String) throws(ValidationError) {
    self.text = text
    needle = []
    expression = try RegularExpression(text)
  }

  var isExpression: Bool { expression != nil }

  /// As sentences name it.
  var name: String { isExpression ? "/\(text)/" : "“\(text)”" }

  /// The bytes of the text with small letters; empty for an expression.
  var folded: [UInt8] { needle }

  static func folded(_ text: String) -> [UInt8] { Array(text.lowercased().utf8) }

  /// Whether a text shows what is looked for.
  ///
  /// Takes the length of the text times that of what is looked for, at most.
  func isFound(in text: String) -> Bool {
    if let expression { return expression.firstMatch(in: Array(text.unicodeScalars)) != nil }
    return Self.contains(text, needle)
  }

  private static func contains(_ text: String, _ needle: [UInt8]) -> Bool {
    guard text.utf8.allSatisfy({ $0 < 0x80 }) else {
      return contains(folded(text).span, needle)
    }
    return contains(text.utf8Span.span, needle)
  }

  /// Whether bytes, but for capitals, have others in them.
  private static func contains(_ bytes: Span<UInt8>, _ needle: [UInt8]) -> Bool {
    guard !needle.isEmpty, bytes.count >= needle.count else { return false }
    for start in 0...(bytes.count - needle.count) {
      var length = 0
      while length < needle.count, small(bytes[start + length]) == needle[length] { length += 1 }
      if length == needle.count { return true }
    }
    return false
  }

  private static func small(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte + 32 : byte
  }

  /// The characters of a text that are what is looked for, from 0.
  ///
  /// An expression is searched again behind each match: for the short texts of the screen.
  func ranges(in text: String) -> [Range<Int>] {
    if let expression { return Self.ranges(of: expression, in: Array(text)) }
    guard Self.contains(text, needle) else { return [] }
    return Self.ranges(of: Array(self.text.lowercased()), in: Array(text))
  }

  private static func ranges(of needle: [Character], in characters: [Character]) -> [Range<Int>] {
    guard !needle.isEmpty else { return [] }
    let folded = characters.map { $0.lowercased() }
    let wanted = needle.map { String($0) }
    var ranges: [Range<Int>] = []
    var start = 0
    while start + wanted.count <= folded.count {
      if folded[start..<start + wanted.count].elementsEqual(wanted) {
        ranges.append(start..<start + wanted.count)
        start += wanted.count
      } else {
        start += 1
      }
    }
    return ranges
  }

  private static func ranges(
    of expression: RegularExpression,
    in characters: [Character]
  ) -> [Range<Int>] {
    var scalars: [Unicode.Scalar] = []
    /// The character of each scalar.
    var owners: [Int] = []
    for (index, character) in characters.enumerated() {
      for scalar in character.unicodeScalars {
        scalars.append(scalar)
        owners.append(index)
      }
    }
    var ranges: [Range<Int>] = []
    var start = 0
    while start < scalars.count, let match = expression.firstMatch(in: scalars, from: start) {
      start = max(match.upperBound, start + 1)
      guard !match.isEmpty else { continue }
      ranges.append(owners[match.lowerBound]..<owners[match.upperBound - 1] + 1)
    }
    return ranges
  }
}
