import Foundation
import Testing

/// What an object links to, written to be imported on its own.
@Suite("A closure")
struct ClosureCommandTests {
  private let place: TemporaryPlace
  private let file: String

  init() throws {
    place = try TemporaryPlace()
    file = place.file("family.kennel")
    let document = """
      {"$kennel":1}
      {"$class":"Person"}
      {"$property":"name","type":"string"}
      {"$property":"dogs","type":"list<link<Dog>>"}
      {"$property":"spouse","type":"link<Person>"}
      {"$property":"byName","type":"map<link<Dog>>"}
      {"$property":"anything","type":"mixed"}
      {"$property":"homes","type":"list<link<Home>>"}
      {"$class":"Dog"}
      {"$property":"name","type":"string"}
      {"$backlink":"keepers","origin":"Person","property":"dogs"}
      {"$class":"Home","embedded":true}
      {"$property":"city","type":"string?"}
      {"$property":"watchdog","type":"link<Dog>"}
      {"$object":"Person/1","name":"Ada","dogs":[{"$ref":"Dog/1"},{"$ref":"Dog/2"},{"$ref":"Dog/1"}],"spouse":{"$ref":"Person/2"},"byName":{"Rex":{"$ref":"Dog/1"}},"anything":{"$ref":"Dog/4"},"homes":[{"city":"York","watchdog":{"$ref":"Dog/3"}}]}
      {"$object":"Person/2","name":"Bob","dogs":[{"$ref":"Dog/5"}],"spouse":{"$ref":"Person/3"},"byName":{},"anything":5,"homes":[]}
      {"$object":"Person/3","name":"Cy","dogs":[],"spouse":{"$ref":"Person/1"},"byName":{},"anything":null,"homes":[]}
      {"$object":"Dog/1","name":"Rex"}
      {"$object":"Dog/2","name":"Fido"}
      {"$object":"Dog/3","name":"Bella"}
      {"$object":"Dog/4","name":"Max"}
      {"$object":"Dog/5","name":"Bo"}
      """
    let made = try Kennel.run("import", file, input: document + "\n")
    #expect(made.exitCode == 0, "\(made.messages)")
  }

  private func objects(_ arguments: String...) throws -> [Substring] {
    let made = try Kennel.run(all: ["export", file] + arguments)
    #expect(made.exitCode == 0, "\(made.messages)")
    return made.output.split(separator: "\n").filter { $0.contains("$object") }
  }

  private func names(_ lines: [Substring]) -> [String] {
    lines.map { $0.split(separator: "\"")[3].description }
  }

  @Test func `has all that can be reached, also through embedded objects, maps and mixed values`()
    throws
  {
    let all = try objects("--closure", "Person/1")
    #expect(names(all).count == 8)
    #expect(try objects() == all)
  }

  @Test func `ends at a depth, where links to other objects are left out`() throws {
    let near = try objects("--closure", "Person/1", "--depth", "1")
    #expect(names(near) == ["Person/1", "Person/2", "Dog/1", "Dog/2", "Dog/3", "Dog/4"])
    #expect(near[1].contains(#""dogs":[],"spouse":null"#))
    #expect(near[0].contains(#""spouse":{"$ref":"Person/2"}"#))
    let alone = try objects("--closure", "Person/1", "--depth", "0")
    #expect(
      alone == [
        #"{"$object":"Person/1","name":"Ada","dogs":[],"spouse":null,"byName":{},"anything":null,"homes":[{"city":"York","watchdog":null}]}"#
      ]
    )
  }

  @Test func `follows the links that are named, backlinks among them`() throws {
    #expect(
      names(try objects("--closure", "Person/2", "--edges", "dogs")) == ["Person/2", "Dog/5"]
    )
    #expect(
      names(try objects("--closure", "Dog/2", "--edges", "keepers,Home.watchdog"))
        == ["Person/1", "Dog/2", "Dog/3"]
    )
    #expect(
      names(try objects("--closure", "Person/3", "--edges", "@links.Person.spouse", "--depth", "1"))
        == ["Person/2", "Person/3"]
    )
  }

  @Test(arguments: [nil, "0", "1", "2"])
  func `is imported again as it was`(depth: String?) throws {
    let first = place.file("first.jsonl")
    let options = depth.map { ["--depth", $0] } ?? []
    let made = try Kennel.run(
      all: ["export", file, "--closure", "Person/1", "--output", first] + options
    )
    #expect(made.exitCode == 0, "\(made.messages)")
    let copy = place.file("copy.kennel")
    let imported = try Kennel.run("import", copy, first)
    #expect(imported.exitCode == 0, "\(imported.messages)")
    let again = try Kennel.run("export", copy)
    try #expect(again.output == place.text("first.jsonl"))
    #expect(try Kennel.run("check", copy).exitCode == 0)
  }

  @Test(arguments: ["bson", "csv", "json", "extjson", "dump"])
  func `is written in every format, a file for each class`(format: String) throws {
    let folder = place.file("out")
    let made = try Kennel.run(
      "export",
      file,
      "--closure",
      "Person/1",
      "--format",
      format,
      "--output",
      folder
    )
    #expect(made.exitCode == 0, "\(made.messages)")
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
    #expect(files.contains { $0.contains("Person.") } && files.contains { $0.contains("Dog.") })
  }

  @Test func `of what there is not is refused with what to write`() throws {
    func message(_ arguments: String...) throws -> String {
      let made = try Kennel.run(all: ["export", file] + arguments)
      #expect(made.exitCode != 0 && made.output.isEmpty)
      return made.messages
    }
    #expect(try message("--closure", "Person").contains("write a class and a key, as in Dog/42"))
    #expect(try message("--closure", "Person/9").contains("There is no Person/9 in"))
    #expect(try message("--closure", "Cat/1").contains("There is no class Cat"))
    #expect(
      try message("--closure", "Person/1", "--edges", "dgos").contains("did you mean dogs?")
    )
    #expect(try message("--depth", "1").contains("need --closure"))
    #expect(try message("Dog", "--closure", "Dog/1").contains("name no class beside it"))
  }
}
