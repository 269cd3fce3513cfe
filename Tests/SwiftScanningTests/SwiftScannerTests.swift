import SwiftScanning
import Testing

@Suite struct `Swift source becomes tokens` {
  private func texts(_ source: String) -> [String] {
    SwiftScanner.tokens(of: source).map(\.text)
  }

  @Test(arguments: [
    ("a /* b /* c */ d */ e", ["a", "/* b /* c */ d */", "e"]),
    ("a // b \"c\nd", ["a", "// b \"c", "d"]),
    (#""a \" b" c"#, [#""a \" b""#, "c"]),
    (##"#"a " \" b"# c"##, [##"#"a " \" b"#"##, "c"]),
    ("\"\"\"\na \" b \"\" c\n\"\"\" d", ["\"\"\"\na \" b \"\" c\n\"\"\"", "d"]),
    ("#\"\"\"\na \"\"\" b\n\"\"\"# d", ["#\"\"\"\na \"\"\" b\n\"\"\"#", "d"]),
    (#""a \(b + "c \(d)") e" f"#, [#""a \("#, "b", "+", #""c \("#, "d", #")""#, #") e""#, "f"]),
    (##"#"a \(b) \#(c) d"#"##, [##"#"a \(b) \#("##, "c", ##") d"#"##]),
    (#""\((1, (2)))" x"#, [#""\("#, "(", "1", ",", "(", "2", ")", ")", #")""#, "x"]),
    ("let r = /a\"b/ + c", ["let", "r", "=", "/a\"b/", "+", "c"]),
    ("let r = #/a\"/b/# + c", ["let", "r", "=", "#/a\"/b/#", "+", "c"]),
    ("#/\na \" b\n/# c", ["#/\na \" b\n/#", "c"]),
    ("a / b / c", ["a", "/", "b", "/", "c"]),
    ("(a)/b/c", ["(", "a", ")", "/", "b", "/", "c"]),
    (
      "@objc(name) #if `class` 1_000.5e-3 0..<3",
      [
        "@objc", "(", "name", ")", "#if", "`class`", "1_000.5e-3", "0", ".", ".", "<", "3",
      ]
    ),
    ("#!/usr/bin/swift \"\nlet a", ["let", "a"]),
    ("\"unfinished\nlet a", ["\"unfinished", "let", "a"]),
    ("é = \"é\"", ["é", "=", "\"é\""]),
    ("##\"\"## a", ["##\"\"##", "a"]),
    ("#\"\"# a", ["#\"\"#", "a"]),
    ("\"\" a", ["\"\"", "a"]),
  ])
  func `whatever hides code`(source: String, expected: [String]) {
    #expect(texts(source) == expected)
  }

  @Test func `lines count through strings and comments of several lines`() {
    let source = "a\n\"\"\"\nb \\(\nc\n) \\\nd\n\"\"\"\n/*\n\n*/ e\r\nf"
    let lines = SwiftScanner.tokens(of: source).filter { $0.kind == .word }
      .map { "\($0.text)\($0.line)" }
    #expect(lines == ["a1", "c4", "e10", "f11"])
  }

  @Test func `nothing but blanks lies between tokens, whatever the text`() {
    let pieces = [
      "\"", "\"\"\"", "#", "\\(", "\\", ")", "(", "/", "/*", "*/", "//", "\n", " ", "a", "@objc",
      "var", "1", "`", "é", "{", "}",
    ]
    var state: UInt64 = 7
    for _ in 0..<2_000 {
      var source = ""
      for _ in 0..<12 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        source += pieces[Int(state >> 33) % pieces.count]
      }
      var position = 0
      let bytes = Array(source.utf8)
      for token in SwiftScanner.tokens(of: source) {
        let gap = bytes[position..<token.range.lowerBound]
        #expect(gap.allSatisfy { [9, 10, 13, 32].contains($0) }, "\(source.debugDescription)")
        #expect(token.range.upperBound <= bytes.count)
        #expect(!token.range.isEmpty, "\(source.debugDescription)")
        position = token.range.upperBound
      }
      #expect(bytes[position...].allSatisfy { [9, 10, 13, 32].contains($0) })
    }
  }
}
