import Foundation
import KennelBrowser
import KennelTestSupport
import Testing

/// One after the other: two of them write parts of one file where it is made anew.
@Suite("The manual", .serialized)
struct ManualTests {
  private static let guide = GoldenFile(path: "Documentation/Browser.md")

  @Test func `has the keys of the table of commands`() throws {
    let parts = try Self.guide.text().components(separatedBy: "<!-- keys -->\n")
    try #require(parts.count == 3)
    try Self.guide.expect(
      [parts[0], Manual.markdown, parts[2]].joined(separator: "<!-- keys -->\n")
    )
  }

  @Test func `has the settings, the sets of keys and the parts of the screen`() throws {
    let mark = "<!-- configuration -->\n"
    let parts = try Self.guide.text().components(separatedBy: mark)
    try #require(parts.count == 3)
    try Self.guide.expect([parts[0], Manual.configuration, parts[2]].joined(separator: mark))
  }

  @Test func `has a page that says what the help says`() throws {
    let kennel = try Executable.path("kennel")
    func output(_ argument: String) throws -> String {
      try Executable.run(kennel, [argument], environment: Executable.environment()).output
    }
    let version = try output("--version").split(separator: "\n").first ?? ""
    let page = try ManualPage(help: output("--experimental-dump-help"), version: String(version))
    try GoldenFile(path: "Documentation/kennel.1").expect(page.text)
  }

  /// A step of the tour: what to do, and what is seen then.
  private static let tour: [(number: String, does: String, sees: String)] = {
    guard let text = try? guide.text(), let start = text.range(of: "\n## A tour") else { return [] }
    let section = text[start.upperBound...].components(separatedBy: "\n## ")[0]
    return section.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|").map { String($0) }
      guard cells.count == 3, Int(cells[0].filter { $0 != " " }) != nil else { return nil }
      return (cells[0].filter { $0 != " " }, cells[1], cells[2])
    }
  }()

  @Test func `has a tour that shows what it says`() throws {
    #expect(Self.tour.count >= 12)
    try Sample.browse { terminal in
      for step in Self.tour {
        // Every other part stands between backticks: keys, or a text after the word “type”.
        let parts = step.does.components(separatedBy: "`")
        var actions = ""
        for (words, quoted) in zip(parts.striding(from: 0), parts.striding(from: 1)) {
          actions += words.contains("type") ? "= type \(quoted)\n" : "= press \(quoted)\n"
        }
        try terminal.run(Script(path: "step \(step.number)", text: actions))
        let screen = terminal.screen?.text.joined(separator: "\n") ?? ""
        let seen = step.sees.components(separatedBy: "`").striding(from: 1)
        #expect(!seen.isEmpty)
        for text in seen {
          #expect(screen.contains(text), "Step \(step.number): \(text)\n\(screen)")
        }
      }
    }
  }
}

extension Array {
  /// Every other element.
  fileprivate func striding(from first: Int) -> [Element] {
    stride(from: first, to: count, by: 2).map { self[$0] }
  }
}
