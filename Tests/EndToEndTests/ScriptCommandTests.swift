import Foundation
import KennelTestSupport
import Testing

/// Keys without a terminal: `kennel FILE --script KEYS --screen 120x34`.
@Suite("Keys without a terminal")
struct ScriptCommandTests {
  private let place: TemporaryPlace

  init() throws {
    place = try TemporaryPlace()
  }

  private func browse(_ arguments: String..., keys: String = "") throws -> Outcome {
    try Kennel.run(all: arguments, input: keys, environment: ["XDG_DATA_HOME": place.path])
  }

  private func names(_ predicate: String) throws -> String {
    try Kennel.run("query", place.file("kennel/sample.kennel"), "Dog", predicate).output
  }

  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  @Test func `print the screen that they lead to`() throws {
    let outcome = try browse("--script", "-", "--screen", "60x12", keys: "= press j Enter l\n")
    #expect(outcome.exitCode == 0 && outcome.messages == "")
    let rows = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(rows.count == 13 && rows.allSatisfy { $0.count <= 60 })
    #expect(outcome.output.contains("Dog  1 of 16") && outcome.output.contains("READ ONLY"))
  }

  @Test func `draw the pictures of the documentation`() throws {
    for (name, options) in [("table-dark", ["--svg"]), ("table-light", ["--svg", "--light"])] {
      let folder = Self.root.appendingPathComponent("Documentation/Screens").path
      let outcome = try Kennel.run(
        all: ["--rw", "--script", "\(folder)/table.script"] + options,
        environment: ["XDG_DATA_HOME": place.path]
      )
      #expect(
        try outcome.output == String(contentsOfFile: "\(folder)/\(name).svg", encoding: .utf8)
      )
    }
  }

  @Test func `are the same each time`() throws {
    let keys = "= press Enter Enter gr\n= tick\n"
    let first = try browse("--script", "-", "--screen", "120x34", "--svg", keys: keys).output
    let second = try browse("--script", "-", "--screen", "120x34", "--svg", keys: keys).output
    #expect(first == second && first.hasPrefix("<svg "))
  }

  @Test func `change nothing, unless they may`() throws {
    let rename = "= press j Enter l e ^U\n= type Max the Dog\n= press Enter 4 w\n= press y\n"
    let refused = try browse("--script", "-", keys: rename)
    #expect(refused.exitCode == 0 && refused.output.contains("READ ONLY"))
    #expect(try names("name == 'Max the Dog'") == "")

    let done = try browse("--script", "-", "--rw", keys: rename)
    #expect(done.output.contains("Committed as number"), "\(done.output)")
    #expect(try names("name == 'Max the Dog'").contains("Dog/1"))
  }

  @Test func `show why a file cannot be written, as a sentence`() throws {
    let keys = "= press :\n= type export /nonexistent/dogs.jsonl\n= press Enter\n"
    let outcome = try browse("--script", "-", "--screen", "120x20", keys: keys)
    #expect(outcome.output.contains("Cannot write /nonexistent/dogs.jsonl: No such file"))
    #expect(!outcome.output.contains("CommandError"))
  }

  @Test func `leave no draft behind`() throws {
    let keys = "= press j Enter l e ^U\n= type Draft\n= press Enter\n"
    #expect(try browse("--script", "-", "--rw", keys: keys).output.contains("DRAFT 1 change"))
    let state = ["XDG_STATE_HOME": place.path]
    #expect(try Kennel.run("drafts", environment: state).output == "")
    #expect(!place.exists("kennel/drafts"))
  }

  @Test func `with a mistake fail with its file and line`() throws {
    let file = place.file("keys.txt")
    try "= press j\n\n= jump\n".write(toFile: file, atomically: true, encoding: .utf8)
    let outcome = try browse("--script", file)
    #expect(outcome.exitCode == 1 && outcome.output == "")
    #expect(outcome.messages.hasPrefix("kennel: \(file):3: ‘jump’ is no action; there are open,"))
    let missing = try browse("--script", place.file("none"))
    #expect(missing.exitCode == 1 && missing.messages.contains("Cannot read"))
  }

  @Test(arguments: [
    ["--screen", "0x5"], ["--screen", "1001x1"], ["--screen", "big"], ["--svg"],
    ["--screen", "80x24", "--light"], ["--screen", "80x24", "--rw", "--read-only"],
  ])
  func `with wrong options are refused`(options: [String]) throws {
    let outcome = try Kennel.run(all: options, environment: ["XDG_DATA_HOME": place.path])
    #expect(outcome.exitCode == 2 && outcome.output == "")
  }

  @Test func `fit the smallest and the largest screen`() throws {
    #expect(try browse("--screen", "1x1").output.split(separator: "\n").count <= 1)
    let rows = try browse("--screen", "1000x1000").output.split(
      separator: "\n",
      omittingEmptySubsequences: false
    )
    #expect(rows.count == 1_001)
  }
}
