import Foundation
import Testing

/// A name means one thing; where several modules declare a type of one name, a table says which and why.
@Suite struct `Names of types` {
  @Test func `that several modules have are those of the table`() throws {
    var modules: [String: Set<String>] = [:]
    for file in SourceTree.swiftFiles(in: "Sources") {
      for name in file.types { modules[name, default: []].insert(file.target) }
    }
    #expect(modules.count > 500)
    let shared = modules.filter { $0.value.count > 1 }
    let table = try Self.table()
    for (name, found) in shared.sorted(by: { $0.key < $1.key }) {
      #expect(table[name] == found, "\(name): \(found.sorted().joined(separator: ", "))")
    }
    for name in table.keys.sorted() where shared[name] == nil {
      Issue.record("\(name) is no type of several modules any more")
    }
  }

  @Test func `are found whatever stands before them`() {
    let text = """
      @frozen public struct A {}
      final class B: C {
        struct Nested {}
      }
      @unsafe @usableFromInline indirect enum D {}
      public typealias E = Int
      extension F {}
      """
    #expect(SourceFile.types(in: text.components(separatedBy: "\n")) == ["A", "B", "D", "E"])
  }

  /// The names of the table in the architecture, each with its modules.
  private static func table() throws -> [String: Set<String>] {
    let section = try SourceTree.text("ARCHITECTURE.md")
      .components(separatedBy: "\n## Names that several modules have\n").dropFirst().joined()
    let rows = section.prefix(upTo: section.range(of: "\n## ")?.lowerBound ?? section.endIndex)
      .split(separator: "\n").filter { $0.hasPrefix("| `") }
    return try rows.reduce(into: [:]) { table, row in
      let cells = row.split(separator: "|").map { $0.split(separator: "`").map(String.init) }
      let name = try #require(cells[0].first { $0 != " " })
      table[name] = Set(cells[1].filter { $0.first?.isLetter == true })
    }
  }
}

extension SourceFile {
  /// The types that the file declares, without those that are parts of another.
  var types: [String] { Self.types(in: lines) }

  static func types(in lines: [String]) -> [String] {
    let words = #/(?:struct|class|enum|protocol|actor|typealias) (?<name>\w+)/#
    return lines.compactMap { line in
      guard line.first.map({ $0.isLetter || $0 == "@" }) == true,
        !line.hasPrefix("extension"), !line.hasPrefix("private"), !line.hasPrefix("fileprivate"),
        let match = line.firstMatch(of: words)
      else { return nil }
      return String(match.name)
    }
  }
}
