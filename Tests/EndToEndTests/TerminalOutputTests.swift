import Foundation
import KennelTestSupport
import Testing

/// Values come from anywhere, too: a terminal is shown them, and obeys none of them.
@Suite struct `What is written to a terminal` {
  private let place: TemporaryPlace
  private let file: String

  /// Commands to a terminal: as ESC, as single characters, and without a new line.
  private static let odd = "a\u{1B}]0;title\u{7}\u{9B}2J\u{9D}\u{202E}\u{7F}\u{8}\rz"
  private static let shown =
    "a\\u{1b}]0;title\\u{7}\\u{9b}2J\\u{9d}\\u{202e}\\u{7f}\\u{8}\\u{d}z"
  /// Characters of several bytes, in more blocks than one.
  private static let long = String(repeating: "añ日🐕", count: 20_000)

  init() throws {
    place = try TemporaryPlace()
    file = place.file("odd.kennel")
    let lines = [
      "{\"$kennel\":1}", "{\"$class\":\"Dog\"}", "{\"$property\":\"name\",\"type\":\"string\"}",
      try Self.line(1, Self.odd), try Self.line(2, Self.long),
    ]
    let outcome = try Kennel.run("import", file, input: lines.joined(separator: "\n"))
    try #require(outcome.exitCode == 0, "\(outcome.messages)")
  }

  private static func line(_ key: Int, _ name: String) throws -> String {
    let json = try JSONEncoder().encode(name)
    return "{\"$object\":\"Dog/\(key)\",\"name\":\(String(decoding: json, as: UTF8.self))}"
  }

  private func onTerminal(_ arguments: String...) throws -> String {
    let terminal = try PseudoTerminal(Executable.path("kennel"), arguments)
    _ = try terminal.waitForExit()
    return terminal.text.replacing("\r\n", with: "\n")
  }

  private func expectHarmless(_ text: String) {
    let odd = text.unicodeScalars.filter { scalar in
      scalar != "\n" && scalar != "\t" && scalar.properties.generalCategory == .control
        || scalar == "\u{202E}"
    }
    #expect(odd.isEmpty, "\(odd.map(\.value))")
  }

  @Test func `shows escapes, where a file or a pipe gets the values`() throws {
    for arguments in [["query", file, "Dog", "--format"], ["export", file, "Dog", "--format"]] {
      let terminal = try PseudoTerminal(Executable.path("kennel"), arguments + ["csv"])
      _ = try terminal.waitForExit()
      let text = terminal.text.replacing("\r\n", with: "\n")
      expectHarmless(text)
      #expect(text.contains(Self.shown) && text.contains(Self.long))
      #expect(try Kennel.run(all: arguments + ["csv"]).output.contains(Self.odd))
      for format in ["text", "jsonl", "extjson", "bson"] {
        let terminal = try PseudoTerminal(Executable.path("kennel"), arguments + [format])
        _ = try terminal.waitForExit()
        expectHarmless(terminal.text.replacing("\r\n", with: "\n"))
      }
    }
    expectHarmless(try onTerminal("export", file, "--format", "archive"))
    expectHarmless(try onTerminal("export", file, "Dog", "--format", "csv", "--output", "/dev/tty"))
  }

  @Test func `is escaped by reports and messages, too`() throws {
    let other = place.file("other.kennel")
    _ = try Kennel.run("import", other, input: try Kennel.run("export", file).output)
    let bad = place.file("bad.jsonl")
    let line = "{\"$object\":\"Dog/9\",\"\u{9B}2J\":1}"
    try line.write(toFile: bad, atomically: true, encoding: .utf8)
    for arguments in [
      ["stats", file, "Dog", "name"], ["stats", file], ["schema", file], ["doctor", file],
      ["diff", file, other], ["import", other, bad], ["query", file, "\u{9B}2J"],
      ["query", file, "Dog", "name == '\u{1B}[2J"],
      ["import", place.file("x"), bad, "--infer", "--yes"],
      ["space", file], ["check", file],
    ] {
      let terminal = try PseudoTerminal(Executable.path("kennel"), arguments)
      _ = try terminal.waitForExit()
      // The terminal ends lines so, and a bar of progress goes back to the start of its own.
      expectHarmless(String(terminal.text.unicodeScalars.filter { $0 != "\r" }))
    }
  }
}
