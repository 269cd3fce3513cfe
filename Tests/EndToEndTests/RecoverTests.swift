import Foundation
import Testing

/// `kennel recover`, on a file in which pages were zeroed.
@Suite struct `Recovering on the command line` {
  private let place: TemporaryPlace
  private var file: String { place.file("family.kennel") }
  private var saved: String { place.file("saved.kennel") }

  init() throws {
    place = try TemporaryPlace()
    let outcome = try Kennel.run("sample", place.file("family.kennel"))
    try #require(outcome.exitCode == 0, "\(outcome.messages)")
  }

  private func zero(_ pages: Range<Int>) throws {
    let url = URL(fileURLWithPath: file)
    var bytes = try Data(contentsOf: url)
    let range = pages.lowerBound * 4096..<pages.upperBound * 4096
    bytes.replaceSubrange(range, with: Data(count: range.count))
    try bytes.write(to: url)
  }

  @Test func `saves a sound file whole`() throws {
    let before = try Kennel.run("export", file).output
    let outcome = try Kennel.run("recover", file, saved)
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.isEmpty)
    #expect(outcome.messages.contains("nothing is lost"))
    #expect(try Kennel.run("diff", file, saved).exitCode == 0)
    #expect(try Kennel.run("export", saved).output == before)
  }

  @Test func `saves what there is without meta pages, and says what that means`() throws {
    let before = try Kennel.run("export", file).output
    try zero(0..<2)
    #expect(try Kennel.run("export", file).exitCode == 1)
    let outcome = try Kennel.run("recover", file, saved)
    #expect(outcome.exitCode == 1)
    #expect(outcome.output.contains("What was saved may be older than the newest commit"))
    #expect(try Kennel.run("export", saved).output == before)
  }

  @Test func `lists what is lost, also as JSON, and makes a sound file`() throws {
    try zero(4..<9)
    let outcome = try Kennel.run("recover", file, saved)
    #expect(outcome.exitCode == 1)
    #expect(outcome.output.contains(": lost "))
    #expect(try Kennel.run("check", saved).exitCode == 0)
    let json = try Kennel.run("recover", file, place.file("other.kennel"), "--json")
    #expect(json.exitCode == 1)
    #expect(json.output.split(separator: "\n").allSatisfy { $0.hasPrefix("{\"loss\":\"") })
    let again = try Kennel.run("recover", file, saved)
    #expect(again.exitCode == 1 && again.messages.contains("it already exists"))
  }

  @Test func `of what is no database leaves no file`() throws {
    try Data("not a database".utf8).write(to: URL(fileURLWithPath: file))
    for name in [file, place.file("missing.kennel")] {
      let outcome = try Kennel.run("recover", name, saved)
      #expect(outcome.exitCode == 1)
      #expect(outcome.messages.contains(name))
    }
    #expect(try place.names().filter { $0.hasPrefix("saved") }.isEmpty)
  }

  @Test func `of a file that was cut off goes on, though the free pages that it lists are gone`()
    throws
  {
    let file = place.file("large.kennel")
    #expect(try Kennel.run("sample", file, "--dogs", "3000").exitCode == 0)
    for number in 1...3 {
      let object = "{\"$object\":\"Dog/\(number)\",\"name\":\"Rex\"}"
      let lines = "{\"$kennel\":1}\n{\"$class\":\"Dog\"}\n\(object)\n"
      #expect(try Kennel.run("import", file, input: lines).exitCode == 0)
    }
    let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    for count in 1...4 {
      let cut = place.file("cut\(count).kennel")
      try bytes.dropLast(count * 4096).write(to: URL(fileURLWithPath: cut))
      let outcome = try Kennel.run("recover", cut, place.file("saved\(count).kennel"))
      #expect(outcome.messages.contains("objects of commit"), "\(outcome)")
    }
  }
}
