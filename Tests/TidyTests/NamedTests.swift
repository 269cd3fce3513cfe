import Foundation
import Testing

/// The documents name the tests that hold what they promise.
@Suite struct NamedTests {
  @Test func `the tests that the architecture names are there`() throws {
    let text = try SourceTree.text("ARCHITECTURE.md")
    let tests = SourceTree.swiftFiles(in: "Tests").map(\.text).joined()
    // Between backticks, with a blank in it and in one line: a test.
    let named = text.components(separatedBy: "`").enumerated()
      .filter { $0.offset % 2 == 1 && $0.element.contains(" ") && !$0.element.contains("\n") }
      .map(\.element)
    #expect(named.count > 10)
    for name in named {
      #expect(tests.contains("func `\(name)`"), "\(name)")
    }
  }
}
