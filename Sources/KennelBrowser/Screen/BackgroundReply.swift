/// The answer of a terminal to the question for its background (OSC 11), as in `rgb:1e1e/1e1e/2e2e`.
package enum BackgroundReply {
  /// No answer is longer.
  package static let longest = 64

  /// Whether dark text stands out on the background; `nil` where the answer names no color.
  package static func isLight(_ text: String) -> Bool? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == "rgb" || parts[0] == "rgba" else { return nil }
    let numbers = parts[1].split(separator: "/", omittingEmptySubsequences: false)
    guard numbers.count == parts[0].count else { return nil }
    let shares = numbers.compactMap(share)
    guard shares.count == numbers.count else { return nil }
    // The eye takes green for brighter than red, and both for brighter than blue.
    return 299 * shares[0] + 587 * shares[1] + 114 * shares[2] > 500 * full
  }

  private static let full = 1_000

  /// How much of ``full`` one to four hexadecimal digits are.
  private static func share(_ digits: Substring) -> Int? {
    guard (1...4).contains(digits.utf8.count), digits.allSatisfy(\.isHexDigit),
      let number = Int(digits, radix: 16)
    else { return nil }
    return number * full / (1 << (4 * digits.utf8.count) - 1)
  }
}
