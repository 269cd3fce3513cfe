import KennelBrowser
import Testing

@Suite("Regular expressions")
struct RegularExpressionTests {
  private func match(_ expression: String, _ text: String) throws -> String? {
    let scalars = Array(text.unicodeScalars)
    let range = try RegularExpression(expression).firstMatch(in: scalars)
    return range.map { range in
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars[range])
      return String(view)
    }
  }

  @Test(
    arguments: [
      ("b+", "aBbc", "Bb"), ("(?-i)b+", "aBbc", "b"), ("a.c", "xabcx", "abc"), ("^b", "ab", nil),
      ("b$", "ab", "b"), ("a|bc|b", "xbcx", "bc"), ("a??b", "aab", "ab"), ("a+?", "aaa", "a"),
      ("[a-c]{2}", "xabcx", "ab"), ("[^a-c]+", "abxyc", "xy"), ("[]x]+", "a]x", "]x"),
      ("[A-C-]+", "xa-c", "a-c"), (#"\d{2,}"#, "1 234", "234"), (#"\bcat\b"#, "concat cat", "cat"),
      (#"\w+\s\w+"#, "-ab cd-", "ab cd"), (#"\x41\u{e9}"#, "xaÉ", "aÉ"),
      (#"a\.b"#, "axb a.b", "a.b"),
      ("(ab){2,3}", "ababababx", "ababab"), ("x*", "aaa", ""), ("(a*)*b", "aaab", "aaab"),
      ("", "abc", ""), ("é", "CAFÉ", "É"), (#"[\d_]+"#, "a1_2", "1_2"), (#"[^\D]+"#, "a12", "12"),
      ("(|a)b", "ab", "ab"), ("ß", "ß", "ß"), (#"\Bb"#, "b ab", "b"),
      ("[A-z]+", "é_^É", "_^"), ("[+-Z]+", "_a+Z_", "a+Z"), ("[A-_]+", "é^_Z", "^_Z"),
      ("(?-i)[+-Z]+", "aA+", "A+"), ("[^A-C]+", "bxyC", "xy"), ("[À-Þ]", "aé", "é"),
      (#"\b\w\b"#, "٣", "٣"), (#"\b🐶"#, "🐶", nil), (#"\w"#, "🐶", nil), (#"\W\b\w"#, "🐶é", "🐶é"),
    ] as [(String, String, String?)]
  )
  func `find the first place that fits`(expression: String, text: String, found: String?) throws {
    #expect(try match(expression, text) == found)
  }

  @Test(arguments: [
    ("a)", "‘)’ has no ‘(’ before it"), ("(a", "‘(’ is not closed"), ("[a", "‘[’ is not closed"),
    ("*a", "‘*’ has nothing before it to repeat"), ("a{2", "‘{2’ is no {2}, {2,} or {2,5}"),
    ("a{3,2}", "is no {2}, {2,} or {2,5}"), ("a{999}", "500 times at most"),
    ("((a{200}){200}){200}", "too long"), ("a**", "Two repetitions follow each other"),
    ("(?=a)", "‘(?’ begins only (?:…)"), (#"(a)\1"#, "backreferences are not supported"),
    (#"\q"#, "‘\\q’ has no meaning"), ("a\\", "A ‘\\’ ends the expression"),
    ("[z-a]", "from a character to a later one"), (#"\u{d800}"#, "names no character"),
    (String(repeating: "(", count: 99), "nested too deeply"),
  ])
  func `say what is wrong with them`(expression: String, message: String) {
    let error = #expect(throws: ValidationError.self) { try RegularExpression(expression) }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }

  @Test(arguments: ["(((){500}){500}){500}", "(((a{0}){500}){500}){500}"])
  func `are soon read, though they repeat nothing`(expression: String) throws {
    let start = ContinuousClock.now
    #expect(try match(expression, "a") == "")
    #expect(ContinuousClock.now - start < .seconds(1))
  }

  @Test(arguments: ["(a+)+$", "(a|aa)+$", "(a*)*$", "(.*){1,32}[bc]", "(x+x+)+y", "(a|a?)+$"])
  func `take time in proportion to the text`(expression: String) throws {
    let text = Array((String(repeating: "a", count: 2_000) + "!").unicodeScalars)
    let regular = try RegularExpression(expression)
    let start = ContinuousClock.now
    _ = regular.firstMatch(in: text)
    #expect(ContinuousClock.now - start < .seconds(2))
  }
}
