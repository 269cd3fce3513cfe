import Foundation
import KennelTestSupport
import Testing

/// Names come from files, and a file from anywhere: a terminal is told nothing by them.
@Suite struct `A name from a file` {
  private let place: TemporaryPlace

  init() throws {
    place = try TemporaryPlace()
  }

  /// A mark that turns the direction of text, and one that isolates what follows.
  private static let odd = "Dog\u{202E}\u{2066}"

  /// Makes a file whose names have characters that a terminal would obey.
  private func makeFile() throws -> String {
    let file = place.file("odd.kennel")
    let objects = (1...300).map {
      "{\"$object\":\"\(Self.odd)/\($0)\",\"\(Self.odd)name\":\"Rex \($0)\",\"\(Self.odd)friend\":{\"$ref\":\"\(Self.odd)/1\"}}"
    }
    let lines =
      [
        "{\"$kennel\":1}", "{\"$class\":\"\(Self.odd)\"}",
        "{\"$property\":\"\(Self.odd)name\",\"type\":\"string\"}",
        "{\"$property\":\"\(Self.odd)friend\",\"type\":\"link<\(Self.odd)>\"}",
        "{\"$backlink\":\"\(Self.odd)friends\",\"origin\":\"\(Self.odd)\",\"property\":\"\(Self.odd)friend\"}",
      ] + objects
    let outcome = try Kennel.run("import", file, input: lines.joined(separator: "\n"))
    #expect(outcome.exitCode == 0, "\(outcome.messages)")
    return file
  }

  private func expectPlain(_ outcome: Outcome) {
    let text = outcome.output + outcome.messages
    #expect(
      !text.unicodeScalars.contains { $0 == "\u{202E}" || $0 == "\u{2066}" || $0 == "\u{1B}" }
    )
  }

  @Test func `is written with escapes by schema, query, export and messages`() throws {
    let file = try makeFile()
    let schema = try Kennel.run("schema", file)
    #expect(schema.output.contains("Dog\\u{202e}\\u{2066}  300 objects"))
    #expect(schema.output.contains("→ Dog\\u{202e}\\u{2066}"))
    expectPlain(schema)
    let query = try Kennel.run("query", file, Self.odd, "--format", "text", "--limit", "2")
    #expect(query.output.contains("Dog\\u{202e}\\u{2066}/2\t"))
    expectPlain(query)
    expectPlain(try Kennel.run("schema", file, "--format", "jsonl"))
    expectPlain(try Kennel.run("query", file, Self.odd, "--limit", "2"))
    expectPlain(try Kennel.run("export", file))
    let wrong = try Kennel.run("query", file, "Cat")
    #expect(wrong.exitCode == 1 && wrong.messages.contains("Dog\\u{202e}"))
    expectPlain(wrong)
  }

  @Test(arguments: ["\\u001b[31mDog", "Dog\\u009b2J", "Dog\\u2028", "", "Dog/1"])
  func `is refused where it could not be told from a command`(name: String) throws {
    let file = place.file("new.kennel")
    let lines = ["{\"$kennel\":1}", "{\"$class\":\"\(name)\"}"]
    let outcome = try Kennel.run("import", file, input: lines.joined(separator: "\n"))
    #expect(outcome.exitCode == 1)
    #expect(outcome.messages.contains("names have 1 to 255 bytes and no control characters"))
    expectPlain(outcome)
    #expect(!place.exists("new.kennel"))
  }
}
