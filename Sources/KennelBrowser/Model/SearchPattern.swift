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

  /// Whether a text shows what is looked for; linear in its length.
  func isFound(in text: String) -> Bool {
    if let expression { return expression.firstMatch(in: Array(text.unicodeScalars)) != nil }
    return Self.contains(text, needle)
  }

  private static func contains(_ text: String, _ needle: [UInt8]) -> Bool {
    let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    let bytes = isASCII ? text.utf8.map(small) : folded(text)
    guard let first = needle.first, bytes.count >= needle.count else { return false }
    for start in 0...(bytes.count - needle.count) where bytes[start] == first {
      if bytes[start..<start + needle.count].elementsEqual(needle) { return true }
    }
    return false
  }

  private static func small(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte + 32 : byte
  }

  /// The characters of a text that are what is looked for, from 0.
  func ranges(in text: String) -> [Range<Int>] {
    let characters = Array(text)
    guard let expression else {
      return Self.ranges(of: Array(self.text.lowercased()), in: characters)
    }
    return Self.ranges(of: expression, in: characters)
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
