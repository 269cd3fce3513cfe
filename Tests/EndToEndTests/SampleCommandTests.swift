import Foundation
import Testing

@Suite struct `kennel sample` {
  private let place: TemporaryPlace

  init() throws {
    place = try TemporaryPlace()
  }

  @Test func `makes dogs and people of any number`() throws {
    let file = place.file("small.kennel")
    let made = try Kennel.run("sample", file, "--dogs", "300", "--people", "40")
    #expect(made.exitCode == 0, "\(made.messages)")
    #expect(made.output.isEmpty)
    let text = try Kennel.run("export", file).output
    #expect(
      text.contains(
        "{\"$object\":\"Dog/300\",\"name\":\"Dog 299\",\"age\":19,\"breed\":\"Corgi\"}\n"
      )
    )
    #expect(
      text.contains(
        #""id":7,"name":"Person 7","birthdate":"1970-01-01T00:00:07Z","favourite":{"$ref":"Dog/234"}"#
      )
    )
    #expect(text.contains(#""postalCode":"PC7"}"#))
    #expect(try Kennel.run("check", file).exitCode == 0)
  }

  @Test func `makes people without dogs and nothing at all`() throws {
    for (dogs, people) in [("0", "3"), ("0", "0")] {
      let file = place.file("\(dogs)-\(people).kennel")
      #expect(try Kennel.run("sample", file, "--dogs", dogs, "--people", people).exitCode == 0)
      #expect(try Kennel.run("check", file).exitCode == 0)
    }
  }

  @Test func `overwrites nothing`() throws {
    let file = place.file("mine.kennel")
    try Data("mine".utf8).write(to: URL(fileURLWithPath: file))
    let outcome = try Kennel.run("sample", file)
    #expect(outcome.exitCode == 1)
    #expect(outcome.messages == "kennel: Cannot create \(file): it already exists\n")
    #expect(try place.text("mine.kennel") == "mine")
  }

  @Test func `resets the private copy in the data folder`() throws {
    let environment = ["XDG_DATA_HOME": place.file("data")]
    let outcome = try Kennel.run("sample", "--reset", environment: environment)
    #expect(outcome.exitCode == 0, "\(outcome.messages)")
    let copy = place.file("data/kennel/sample.kennel")
    let change = """
      {"$kennel":1}
      {"$object":"Trophy/1","name":"mine"}
      """
    #expect(try Kennel.run("import", copy, input: change).exitCode == 0)
    let trophies = { try Kennel.run("export", copy).output }
    #expect(try trophies().contains("mine"))
    #expect(try Kennel.run("sample", "--reset", environment: environment).exitCode == 0)
    #expect(try !trophies().contains("mine"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: place.file("data/kennel"))
        .filter { $0.hasSuffix(".new") }.isEmpty
    )
  }

  @Test func `is the text that lies in the checkout`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let file = place.file("a.kennel")
    let text = root.appendingPathComponent("sample-data/sample.jsonl").path
    let imported = try Kennel.run("import", file, text)
    #expect(imported.exitCode == 0, "\(imported.messages)")
    let environment = ["XDG_DATA_HOME": place.path]
    #expect(try Kennel.run("sample", "--reset", environment: environment).exitCode == 0)
    let installed = try Kennel.run("export", place.file("kennel/sample.kennel")).output
    #expect(try Kennel.run("export", file).output == installed)
    #expect(installed.contains("Whitby Walkers"))
  }
}
