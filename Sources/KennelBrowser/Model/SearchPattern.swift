internal import KennelPatterns

/// A search for a text, or for a regular expression; the case of letters never counts,
/// unless the expression begins with `(?-i)`.
struct SearchPattern: Hashable, Sendable {
  let text: String
  /// The bytes of the text with small letters; empty for an expression.
  let folded: [UInt8]
  private let expression: RegularExpression?

  /// A text.
  init(_ text: String) {
    self.text = text
    folded = Self.folded(text)
    expression = nil
  }

  /// A regular expression.
  ///
  /// - Parameter text: The expression.
  /// - Throws: Why it is none.
  init(expression text: String) throws(ValidationError) {
    self.text = text
    folded = []
    do throws(PatternError) {
      expression = try RegularExpression(text)
    } catch {
      throw ValidationError(error.message)
    }
  }

  var isExpression: Bool { expression != nil }

  /// That it is not found; an expression may have taken too long on a text that it fits.
  var notFound: String {
    let reason = "; it takes too long on some texts, make it simpler"
    return "\(name) is not found\(expression?.hasGivenUp == true ? reason : "")"
  }

  /// As sentences name it.
  var name: String { isExpression ? "/\(text)/" : "“\(text)”" }

  static func folded(_ text: String) -> [UInt8] { Array(text.lowercased().utf8) }

  /// Whether a text shows what is looked for.
  ///
  /// Takes the length of the text times that of what is looked for, at most.
  func isFound(in text: String) -> Bool {
    if let expression { return expression.firstMatch(in: text) != nil }
    return Self.contains(text, folded)
  }

  private static func contains(_ text: String, _ needle: [UInt8]) -> Bool {
    guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return contains(folded(text).span, needle) }
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
    if let expression { return Self.ranges(of: expression, in: text) }
    guard Self.contains(text, self.folded) else { return [] }
    let wanted = self.text.lowercased().map { String($0) }
    let folded = text.map { $0.lowercased() }
    var ranges: [Range<Int>] = []
    for start in folded.indices where start >= ranges.last?.upperBound ?? 0 {
      if folded[start...].starts(with: wanted) { ranges.append(start..<start + wanted.count) }
    }
    return ranges
  }

  private static func ranges(of expression: RegularExpression, in text: String) -> [Range<Int>] {
    let bytes = Array(text.utf8)
    /// The character of each byte.
    let owners = zip(0..., text).flatMap { Array(repeating: $0, count: $1.utf8.count) }
    var ranges: [Range<Int>] = []
    var start = 0
    while start < bytes.count, let match = expression.firstMatch(in: text, from: start) {
      if match.isEmpty {
        start = match.upperBound + 1
        while start < bytes.count, UTF8.isContinuation(bytes[start]) { start += 1 }
      } else {
        start = match.upperBound
        ranges.append(owners[match.lowerBound]..<owners[match.upperBound - 1] + 1)
      }
    }
    return ranges
  }
}
