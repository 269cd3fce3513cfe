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
    ("#\"\"\"# a", ["#\"\"\"#", "a"]),
    ("##\"\"\"a\"# b\"## c", ["##\"\"\"a\"# b\"##", "c"]),
    ("#/\r\na \" b\r\n/# c", ["#/\r\na \" b\r\n/#", "c"]),
    ("\u{feff}let a\r\n", ["let", "a"]),
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

  @Test(arguments: [
    ("\"\"\"\na\n\"\"\"", 3), ("/*\r\n\r\n*/", 3), ("#/\na\n/#", 3), ("a", 1),
  ])
  func `a token knows its last line`(source: String, line: Int) {
    #expect(SwiftScanner.tokens(of: source).map(\.lastLine) == [line])
  }

  @Test(arguments: [
    ("@Wrapper var a", 0), ("@Wrapper(1) var a", 3), ("@Module.Wrapper var a", 2),
    ("@Module.Wrapper<[Int: (A) -> B]>(by: 1) var a", 19), ("@Wrapper<Int> (a)", 3),
    ("private(set) var a", 3), ("private (a)", 0),
  ])
  func `an attribute ends behind its arguments`(source: String, end: Int) {
    #expect(SwiftScanner.tokens(of: source).endOfArguments(0) == end)
  }

  @Test(arguments: [
    ("a", "a"), ("class", "`class`"), ("Type", "`Type`"), ("any", "`any`"), ("klass", "klass"),
  ])
  func `a keyword is a name in backticks`(name: String, source: String) {
    #expect(SwiftText.name(name) == source)
  }

  @Test func `a text is a literal of ASCII and letters`() {
    #expect(SwiftText.literal("é \\ \"") == #""é \\ \"""#)
    #expect(SwiftText.literal("\r\n\u{1}🐕") == #""\u{d}\n\u{1}\u{1f415}""#)
  }

  @Test func `variables share a type, and patterns are none`() {
    let shared = SwiftScanner.tokens(of: "var a, b: Int, c = 1, d: Bool")
    let variable = SwiftVariable(at: 0, in: shared)
    #expect(
      variable.bindings.map { shared[$0.type].map(\.text) } == [["Int"], ["Int"], [], ["Bool"]]
    )
    #expect(!variable.canBeSplit)
    let tokens = SwiftScanner.tokens(of: "var (a, b) = (1, 2), c = 3; let d = 4")
    let pattern = SwiftVariable(at: 0, in: tokens)
    #expect(pattern.patterns.map(\.name) == [1] && pattern.bindings.map(\.name) == [13])
    #expect(tokens[pattern.end].text == ";" && pattern.name == nil)
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
