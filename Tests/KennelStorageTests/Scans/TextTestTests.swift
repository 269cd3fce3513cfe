import KennelStorage
import Testing

/// What questions about text say.
struct TextTestTests {
  private enum Form {
    case equal, contains, starts, ends, like, above, atMost, below
  }

  private func asks(
    _ text: String,
    _ form: Form,
    _ other: String,
    _ folding: TextFolding = []
  ) -> Bool {
    let bytes = folding.fold(other)
    let question: TextTest.Question =
      switch form {
      case .equal: .equal(bytes)
      case .contains: .contains(bytes)
      case .starts: .starts(bytes)
      case .ends: .ends(bytes)
      case .like: .like(TextPattern(bytes))
      case .above: .within(lower: .init(bytes, isIncluded: false), upper: nil)
      case .atMost: .within(lower: nil, upper: .init(bytes, isIncluded: true))
      case .below: .within(lower: nil, upper: .init(bytes, isIncluded: false))
      }
    let test = TextTest(question, folding: folding, answerForNull: false)
    return (try? test.holds(for: .string(text))) == true
  }

  @Test(arguments: [
    ("", "", true), ("", "*", true), ("", "?", false), ("Rex", "Rex", true), ("Rex", "rex", false),
    ("Rex", "R*", true), ("Rex", "*x", true), ("Rex", "R?x", true), ("Rex", "R??", true),
    ("Rex", "R???", false), ("Rex", "*e*", true), ("Rex", "**", true), ("Rex", "*a*", false),
    ("aab", "*ab", true), ("abab", "*ab", true), ("ababc", "*ab", false), ("é", "?", true),
    ("🐶x", "?x", true), ("a*b", #"a\*b"#, true), ("axb", #"a\*b"#, false), ("a?b", #"a\?b"#, true),
    (#"a\"#, #"a\\"#, true), ("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", "*a*a*a*a*a*a*a*c", false),
  ])
  func `a pattern matches a text as a whole`(text: String, pattern: String, matches: Bool) {
    #expect(asks(text, .like, pattern) == matches)
  }

  static let foldings: [(String, String, TextFolding, Bool)] = [
    ("REX", "rex", TextFolding.caseInsensitive, true), ("É", "é", .caseInsensitive, true),
    ("é", "e", .caseInsensitive, false), ("é", "e", .diacriticInsensitive, true),
    ("e\u{301}", "é", .diacriticInsensitive, true), ("e\u{301}", "é", .caseInsensitive, false),
    ("É", "e", .diacriticInsensitive, false),
    ("É", "e", [.caseInsensitive, .diacriticInsensitive], true),
    ("ΟΔΟΣ", "οδος", .caseInsensitive, true), ("Straße", "STRAẞE", .caseInsensitive, true),
    ("Ế", "e", [.caseInsensitive, .diacriticInsensitive], true),
    ("犬", "犬", [.caseInsensitive, .diacriticInsensitive], true),
    ("a", "b", .caseInsensitive, false),
  ]

  @Test(arguments: foldings)
  func `folded texts are equal`(left: String, right: String, folding: TextFolding, isEqual: Bool) {
    #expect(asks(left, .equal, right, folding) == isEqual)
    #expect(asks("-\(left)-", .contains, right, folding) == isEqual)
  }

  @Test(arguments: [
    ("Dog 9991", "999", true), ("Dog 99", "999", false), ("999", "999", true),
    ("9 99 999", "999", true),
    ("", "", true), ("x", "", true), ("", "x", false), ("aaab", "aab", true), ("9", "999", false),
  ])
  func `a text is found in another`(text: String, other: String, isFound: Bool) {
    #expect(asks(text, .contains, other) == isFound)
  }

  @Test func `bytes are found wherever they are`() {
    var dice = Dice(3)
    for _ in 0..<600 {
      let letters = "abcd".prefix(Int.random(in: 1...4, using: &dice))
      func text(_ count: Int) -> String {
        String((0..<count).map { _ in letters.randomElement(using: &dice) ?? "a" })
      }
      let (long, short) = (
        text(Int.random(in: 0..<40, using: &dice)), text(Int.random(in: 1...5, using: &dice))
      )
      let isThere = (0...long.count).contains { long.dropFirst($0).hasPrefix(short) }
      #expect(asks(long, .contains, short) == isThere)
    }
  }

  @Test func `starts, ends and bounds go by bytes`() {
    #expect(asks("Rex", .starts, "Re"))
    #expect(!asks("R", .starts, "Re"))
    #expect(asks("Rex", .ends, "ex"))
    #expect(!asks("x", .ends, "ex"))
    #expect(asks("a\0", .above, "a"))
    #expect(!asks("a", .above, "a"))
    #expect(asks("a", .atMost, "a"))
    #expect(asks("Z", .below, "a"))
  }
}
