import Foundation
import Testing

/// The documents name the tests that hold what they promise.
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
