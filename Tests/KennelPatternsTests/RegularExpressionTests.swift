import KennelPatterns
import Testing

@Suite("Regular expressions")
struct RegularExpressionTests {
  private func match(_ expression: String, _ text: String, from first: Int = 0) throws -> String? {
    let range = try RegularExpression(expression).firstMatch(in: text, from: first)
    return range.map { String(decoding: Array(text.utf8)[$0], as: UTF8.self) }
  }

  @Test(
    arguments: [
      ("b+", "aBbc", "Bb"), ("(?-i)b+", "aBbc", "b"), ("a.c", "xabcx", "abc"), ("^b", "ab", nil),
      ("b$", "ab", "b"), ("b$", "ab\n", nil), ("a.", "a\r", nil), ("a|bc|b", "xbcx", "bc"),
      ("a??b", "aab", "ab"), ("a+?", "aaa", "a"), ("[a-c]{2}", "xabcx", "ab"),
      ("[^a-c]+", "abxyc", "xy"), ("[]x]+", "a]x", "]x"), (#"\d{2,}"#, "1 234", "234"),
      (#"\bcat\b"#, "concat cat", "cat"), (#"\w+\s\w+"#, "-ab cd-", "ab cd"),
      (#"\x41\u{e9}"#, "xaÉ", "aÉ"), (#"\u{1f436}"#, "a🐶", "🐶"), ("x*", "aaa", ""),
      ("", "abc", ""), ("é", "CAFÉ", "É"), ("[A-z]+", "é_^É", "_^"), ("[À-Þ]", "aé", "é"),
      (#"\b\w\b"#, "٣", "٣"), (#"\b🐶"#, "🐶", nil), (#"\W\b\w"#, "🐶é", "🐶é"),
      (#"(.)\1"#, "abccd", "cc"), ("a(?=b)", "acab", "a"),
    ] as [(String, String, String?)]
  )
  func `find the first place that fits`(expression: String, text: String, found: String?) throws {
    #expect(try match(expression, text) == found)
  }

  @Test func `find the next place`() throws {
    #expect(try match(#"\ba"#, "aab a", from: 1) == "a")
    #expect(try RegularExpression(#"\ba"#).firstMatch(in: "aéb a", from: 1) == 5..<6)
  }

  @Test(arguments: [
    ("ab)", "At character 3: unmatched closing parenthesis"),
    ("é(a", "At character 4: missing closing parenthesis"), ("[a", "missing terminating ]"),
    ("*a", "quantifier does not follow a repeatable item"), ("a{3,2}", "out of order"),
    ("a{99999}", "number too big"), ("((a{200}){200}){200}", "too large"), ("a\\", "\\ at end"),
    ("[z-a]", "range out of order"), (#"\u{d800}"#, "disallowed Unicode code point"),
    (#"\C"#, "\\C is disabled"), (String(repeating: "(", count: 999), "too deeply nested"),
    (String(repeating: "a", count: 10_001), "limit"), ("(?z)", "unrecognized character"),
  ])
  func `say what is wrong with them`(expression: String, message: String) {
    let error = #expect(throws: PatternError.self) { try RegularExpression(expression) }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }

  @Test(arguments: ["(((){500}){500}){500}", "(((a{0}){500}){500}){500}"])
  func `are soon read, though they repeat nothing`(expression: String) {
    let start = ContinuousClock.now
    _ = try? match(expression, "a")
    #expect(ContinuousClock.now - start < .seconds(1))
  }

  @Test(arguments: ["(a+)+$", "(a|aa)+$", "(.*){1,32}[bc]", "(a|a?)+$"])
  func `give up where they would take long, and say so`(expression: String) throws {
    let text = String(repeating: "a", count: 2_000) + String(repeating: "x", count: 40) + "!"
    let regular = try RegularExpression(expression)
    let start = ContinuousClock.now
    #expect(regular.firstMatch(in: text) == nil && regular.hasGivenUp)
    #expect(ContinuousClock.now - start < .seconds(1))
    #expect(try !RegularExpression("b").hasGivenUp)
  }
}
