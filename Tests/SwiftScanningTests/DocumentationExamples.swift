import SwiftScanning
import Testing

/// The marked lines of each function are the example of a doc comment; a tidy test compares them.
@Suite struct `The examples of SwiftScanning` {
  private let source = "var name: String // of the dog\nlet age = 3"

  // MARK: - Tokens

  @Test func `of scanners run`() {
    let tokens = SwiftScanner.tokens(of: "let age = 3 // years")
    print(tokens.map(\.text))
    #expect(tokens.map(\.text) == ["let", "age", "=", "3", "// years"])
  }

  @Test func `of tokens run`() {
    let firsts = SwiftScanner.tokens(of: source).filter(\.startsLine)
    for token in firsts { print("\(token.line): \(token.text)") }
    #expect(firsts.map(\.text) == ["var", "let"] && firsts.map(\.line) == [1, 2])
  }

  @Test func `of kinds of tokens run`() {
    let code = SwiftScanner.tokens(of: source).filter { $0.kind != .comment }
    print(code.map(\.text).joined(separator: " "))
    #expect(code.map(\.text).joined(separator: " ") == "var name : String let age = 3")
  }

  @Test func `of bytes run`() {
    let lines = source.utf8.split(separator: ASCII.newline)
    print(lines.count)
    #expect(lines.count == 2)
  }

  // MARK: - Declarations

  @Test func `of variables run`() {
    let tokens = SwiftScanner.tokens(of: "var name: String")
    let variable = SwiftVariable(at: 0, in: tokens)
    print(variable.name ?? "", variable.typeName ?? "")
    #expect(variable.name == "name" && variable.typeName == "String")
  }

  @Test func `of bindings run`() {
    let tokens = SwiftScanner.tokens(of: "var width = 2, height = 3")
    let bindings = SwiftVariable(at: 0, in: tokens).bindings
    for binding in bindings { print(tokens[binding.name].text, tokens[binding.value].count) }
    #expect(bindings.map { tokens[$0.name].text } == ["width", "height"])
  }

  // MARK: - Texts

  @Test func `of texts run`() {
    let code = "var \(SwiftText.name("class")) = \(SwiftText.literal("a \"good\" dog"))"
    print(code)
    #expect(code == #"var `class` = "a \"good\" dog""#)
  }

  // MARK: - Diagnostics

  @Test func `of diagnostics run`() {
    let problem = Diagnostic(.error, "Dog.swift", line: 3, "The class has no name")
    print(problem)
    #expect("\(problem)" == "Dog.swift:3: error: The class has no name")
  }

  @Test func `of severities run`() {
    let diagnostics = [
      Diagnostic(.note, "Dog.swift", line: 1, "A method was left out"),
      Diagnostic(.error, "Dog.swift", line: 3, "The class has no name"),
    ]
    let errors = diagnostics.filter { $0.severity == .error }
    for error in errors { print(error) }
    #expect(errors.map(\.line) == [3])
  }
}
