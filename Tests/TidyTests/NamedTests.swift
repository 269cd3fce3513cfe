import Foundation
import Testing

/// The documentation names the tests that hold what it promises.
@Suite struct NamedTests {
  @Test func `the tests that the architecture names are there`() throws {
    // Between backticks, with a blank in it and in one line: a test.
    let named = quoted(in: try SourceTree.text("ARCHITECTURE.md"))
      .filter { $0.contains(" ") && !$0.contains("\n") }
    #expect(named.count > 10)
    expectTests(named)
  }

  @Test func `the tests that the coverage of Realm's interface names are there`() throws {
    let text = try SourceTree.text("Documentation/RealmCoverage.md")
    // The last cell of each row names tests, and suites after the word.
    let cells = text.split(separator: "\n").filter { $0.hasPrefix("| ") && $0 != "| what | test |" }
      .compactMap { $0.split(separator: "|").last.map { String($0) } }
    #expect(cells.count > 50)
    for cell in cells {
      let named = quoted(in: cell.replacing("suite `", with: "`suite "))
        .filter { $0.contains(" ") && !$0.hasPrefix("suite ") && !$0.hasPrefix("@") }
      expectTests(named)
      #expect(!named.isEmpty || cell.contains("later:") || cell.contains("Tests/"), "\(cell)")
    }
  }

  @Test func `the files that the guide for contributors names are there`() throws {
    let named = quoted(in: try SourceTree.text("CONTRIBUTING.md")).filter { $0.hasSuffix(".swift") }
    #expect(named.count > 20)
    let paths = (SourceTree.swiftFiles(in: "Sources") + SourceTree.swiftFiles(in: "Tests"))
      .map { "/" + $0.path }
    for name in named { #expect(paths.contains { $0.hasSuffix("/" + name) }, "\(name)") }
  }

  @Test func `the tests that the guide to the browser names are there, in their suites`() throws {
    let text = try SourceTree.text("Documentation/Browser.md")
    let table = text.components(separatedBy: "\n## Tests of each feature\n").dropFirst().joined()
    let rows = table.split(separator: "\n").filter {
      $0.hasPrefix("| ") && !$0.hasSuffix("| test |")
    }
    #expect(rows.count > 80)
    let tests = SourceTree.swiftFiles(in: "Tests")
    let walks = SourceTree.files(in: "Tests") { $0.hasSuffix(".walk") }
    for row in rows {
      let cell = String(row.split(separator: "|").last ?? "")
      var count = 0
      for match in cell.matches(of: /\*([^*]+)\* `([^`]+)`/) {
        let isThere = tests.contains { $0.has(test: match.output.2, of: match.output.1) }
        #expect(isThere, "*\(match.output.1)* `\(match.output.2)`")
        count += 1
      }
      for match in cell.matches(of: /`([\w-]+\.walk)`/) {
        let isThere = walks.contains { $0.path.hasSuffix("/" + match.output.1) }
        #expect(isThere, "\(match.output.1)")
        count += 1
      }
      #expect(count > 0 && cell.filter { $0 == "`" }.count == 2 * count, "\(row)")
    }
  }

  private func quoted(in text: String) -> [String] {
    text.components(separatedBy: "`").enumerated()
      .filter { $0.offset % 2 == 1 }
      .map(\.element)
  }

  private func expectTests(_ names: [String]) {
    let files =
      SourceTree.swiftFiles(in: "Tests") + SourceTree.swiftFiles(in: "LegacyModels/Tests")
    let tests = files.map(\.text).joined()
    for name in names { #expect(tests.contains("func `\(name)`"), "\(name)") }
  }
}

extension SourceFile {
  /// Whether the file has a suite of tests, by the name that is printed, with a test in it.
  fileprivate func has(test: Substring, of suite: Substring) -> Bool {
    let isSuite =
      text.contains("@Suite(\"\(suite)\"") || text.contains("struct `\(suite)`")
      || text.contains("struct \(suite) {")
    return isSuite && (text.contains("func `\(test)`") || text.contains("@Test(\"\(test)\""))
  }
}
