import Foundation
import KennelCore
import KennelTestSupport
import Testing

@Suite struct `A program without models` {
  /// Stands here as it stands there, but for the place of its file.
  private func run(_ folder: TemporaryFolder) throws -> Database {
    // Begin.
    let database = try Database.open(folder.file("family.kennel"))
    try database.write { transaction in
      try transaction.define([
        ClassDefinition("Dog", properties: [PropertyDefinition("name", .string)]),
        ClassDefinition(
          "Person",
          properties: [
            PropertyDefinition("name", .string, isPrimaryKey: true),
            PropertyDefinition("dogs", .list(.link("Dog"))),
          ]
        ),
      ])
      let dog = try transaction.schema.require("Dog")
      let person = try transaction.schema.require("Person")
      let rex = try transaction.create(dog.key, [dog.require("name").key: .string("Rex")])
      let ada = try transaction.create(person.key, [person.require("name").key: .string("Ada")])
      try transaction.set(ada, property: person.require("dogs").key, to: .list([.link(rex)]))
    }
    // End.
    return database
  }

  @Test func `makes a dog that knows who has it`() throws {
    let folder = try TemporaryFolder()
    let snapshot = try run(folder).snapshot()
    let groups = try snapshot.backlinks(to: snapshot.identity("Dog/1"))
    #expect(groups.map(\.count) == [1])
    #expect(try snapshot.value("Person/1", "name") == .string("Ada"))
  }

  @Test func `stands in the documentation as it was run here`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    func words(_ text: Substring) -> [Substring] { text.split { $0 == " " || $0 == "\n" } }
    let page = root.appendingPathComponent("Documentation/Transactions.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
    let there = try #require(text.firstMatch(of: /import KennelCore\n(?<code>[^`]*)```/))
    let here = try #require(source.firstMatch(of: /\/\/ Begin\.\n(?<code>(?s).*?)\/\/ End\./))
    let path = here.output.code.replacing(
      #"folder.file("family.kennel")"#,
      with: #""family.kennel""#
    )
    #expect(words(there.output.code) == words(path[...]))
  }
}
