import KennelBrowser
import Testing

struct `Safe text` {
  @Test(arguments: [
    ("plain", "plain"),
    ("", ""),
    ("a\nb\tc\u{1b}[31m", "a␤b␉c␛[31m"),
    ("\0\r\u{7f}", "␀␍␡"),
    ("\u{9b}2J", "\\u{9b}2J"),
    ("\u{202e}abc", "\\u{202e}abc"),
    ("a\u{200b}b\u{feff}", "a\\u{200b}b\\u{feff}"),
    ("\u{ad}\u{e000}\u{10ffff}", "\\u{ad}\\u{e000}\\u{10ffff}"),
    ("\u{2028}", "\\u{2028}"),
    ("a\u{a0}b", "a b"),
    ("cafe\u{301}", "cafe\u{301}"),
    ("\u{301}a", "◌\u{301}a"),
    ("日本語", "日本語"),
    ("\u{1112}\u{1161}\u{11ab}", "\u{d55c}"),
    ("\u{ac00}\u{11a8}", "\u{ac01}"),
    ("\u{1161}", "\\u{1161}"),
    ("👨‍👩‍👧x", "👨⁺x"),
    ("👍🏽", "👍⁺"),
    ("❤️", "❤"),
    ("🇩🇪🇫🇷", "[DE][FR]"),
    ("🇩", "[D]"),
    ("1️⃣", "1⁺"),
    ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏴⁺"),
    ("हिन्दी", "हिन्दी"),
    ("می\u{200c}خواهم", "می⁺خواهم"),
    ("\u{1fae9}", "\\u{1fae9}"),
    ("\u{4dc0}", "\\u{4dc0}"),
  ])
  func `what a terminal must not see is shown`(text: String, shown: String) {
    #expect(Array(SafeText.string(text).unicodeScalars) == Array(shown.unicodeScalars))
  }

  @Test(arguments: [
    ("plain", "plain"),
    ("a\nb\tc\u{1b}\r\0\u{1}", "a\\nb\\tc\\e\\r\\0\\u{1}"),
    ("é", "\\u{e9}"),
    ("e\u{301}", "e\\u{301}"),
    ("日", "\\u{65e5}"),
    ("│…∅", "|~null"),
  ])
  func `a terminal without Unicode is sent ASCII`(text: String, shown: String) {
    #expect(SafeText.string(text, in: .ascii) == shown)
  }

  @Test func `no scalar of Unicode gets through that can do harm`() {
    let ideographs = UInt32(0x4E01)..<0xD700
    for value in UInt32(0)..<0xE0200 where !ideographs.contains(value) {
      guard value < 0x20000 || value >= 0xE0000 else { continue }
      guard let scalar = Unicode.Scalar(value) else { continue }
      var width = 0
      for glyph in SafeText(String(scalar)[...]) {
        width += glyph.width
        for shown in glyph.text.unicodeScalars {
          switch shown.properties.generalCategory {
          case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .surrogate,
            .privateUse:
            Issue.record("\(scalar.value) is sent as \(shown.value)")
          default: break
          }
        }
      }
      if width > 10 { Issue.record("\(scalar.value) is \(width) wide") }
    }
  }

  @Test func `the widths of characters add up to that of their text`() {
    let text = "a👨‍👩‍👧é🇩🇪🇫\u{301}हिन्दी\u{1112}\u{1161}क्षe\u{301}\u{302}❤️1️⃣\r\n日本\u{200d}"
    let sum = text.map { TextWidth.width(of: $0) }.reduce(0, +)
    #expect(sum == TextWidth.width(of: text))
    for index in text.indices {
      let halves = TextWidth.width(of: text[..<index]) + TextWidth.width(of: text[index...])
      #expect(halves == sum)
    }
  }

  @Test func `a heap of combining marks shows as such`() {
    let text = "a" + String(repeating: "\u{301}", count: 10)
    let glyphs = Array(SafeText(text[...]))
    #expect(glyphs.first?.text.unicodeScalars.count == 5)
    #expect(glyphs.allSatisfy { $0.text.unicodeScalars.count <= 5 && $0.width == 1 })
  }

  @Test(arguments: ["x", "\u{301}", "日", "\u{200d}", "👨\u{200d}", "\n", "\u{fe0f}"])
  func `a long text costs no more than what is shown of it`(unit: String) {
    let text = String(repeating: unit, count: 2_000_000)
    var screen = Screen(size: Size(columns: 80, rows: 1))
    let duration = ContinuousClock().measure {
      for _ in 0..<100 { screen.put(text, row: 0, column: 0) }
    }
    #expect(duration < .milliseconds(500))
  }
}

struct `Text width` {
  @Test(arguments: [
    ("abc", 3), ("日本", 4), ("e\u{301}", 1), ("👍", 2), ("👨‍👩‍👧", 3), ("ｱ", 1), ("Ａ", 2), ("─", 1),
    ("\n", 1), ("\u{200b}", 8), ("שלום", 4), ("❤️", 1), ("", 0),
  ])
  func `a text is as wide as what is shown of it`(text: String, width: Int) {
    #expect(TextWidth.width(of: text) == width)
  }

  @Test(arguments: [
    ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("abcdef", 1, "…"), ("abcdef", 0, ""),
    ("日本語", 6, "日本語"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("日本語", 3, "日…"),
    ("日本語", 2, "…"), ("日", 1, "…"),
  ])
  func `a text that does not fit ends in an ellipsis`(text: String, width: Int, shown: String) {
    #expect(TextWidth.clip(text, to: width) == shown)
  }

  @Test func `a padded text is as wide as asked`() {
    for width in 0..<12 {
      #expect(TextWidth.width(of: TextWidth.pad("日本é x", to: width)) == width)
    }
  }

  @Test func `counting stops above a limit`() {
    #expect(TextWidth.width(of: "abcdef", upTo: 3) == 4)
  }
}
