import Foundation
import KennelTestSupport
import Testing

/// `blast`: what a deletion would do.
struct `The plan of a deletion` {
  private let place: TemporaryPlace
  private var file: String { place.file("family.kennel") }

  private static let classes = "Dog, Person, License, Visit"

  init() throws {
    place = try TemporaryPlace()
    let family = """
      {"$kennel":1}
      {"$class":"Dog"}
      {"$property":"name","type":"string"}
      {"$property":"friend","type":"link<Dog>"}
      {"$class":"Person"}
      {"$property":"code","type":"string","primaryKey":true}
      {"$property":"dogs","type":"list<link<Dog>>","deleteRule":"cascade"}
      {"$property":"license","type":"link<License>"}
      {"$class":"License"}
      {"$property":"holder","type":"link<Person>","targetRule":"deny"}
      {"$class":"Visit"}
      {"$property":"of","type":"link<Person>","targetRule":"cascade"}
      {"$object":"Dog/1","name":"Rex","friend":{"$ref":"Dog/3"}}
      {"$object":"Dog/2","name":"Bella\\u001b[31m"}
      {"$object":"Dog/3","name":"Fido","friend":{"$ref":"Dog/2"}}
      {"$object":"Person/1","code":"ada","dogs":[{"$ref":"Dog/1"},{"$ref":"Dog/2"}]}
      {"$object":"Person/2","code":"2","license":{"$ref":"License/1"}}
      {"$object":"License/1","holder":{"$ref":"Person/2"}}
      {"$object":"Visit/7","of":{"$ref":"Person/1"}}

      """
    let outcome = try Kennel.run("import", file, input: family)
    try #require(outcome.exitCode == 0, "\(outcome.messages)")
  }

  @Test func `says what is deleted and why, and what it does to what stays`() throws {
    let before = try place.bytes("family.kennel")
    let outcome = try Kennel.run("blast", file, "Person", "ada")
    #expect(
      outcome.output == """
        Deletes 2 Dog, 1 Person, 1 Visit:
          † Person/1 ada
          ├ † Dog/1 Rex  (cascade: Person/1.dogs)
          ├ † Dog/2 Bella\\u{1b}[31m  (cascade: Person/1.dogs)
          └ † Visit/7  (its of goes: Person/1)
        1 link becomes null:
          Dog/3 Fido .friend
        1 object is left with no link to it:
          Dog/3 Fido

        """
    )
    #expect(outcome.messages == "\(file): the deletion is possible\n")
    #expect(outcome.exitCode == 0)
    #expect(try place.bytes("family.kennel") == before)
  }

  @Test func `writes so many lines of each kind, and how many more there are`() throws {
    let outcome = try Kennel.run("blast", file, "Person", "ada", "--limit", "1")
    #expect(
      outcome.output.hasPrefix(
        """
        Deletes 2 Dog, 1 Person, 1 Visit:
          † Person/1 ada
          … and 3 more
        1 link becomes null:
        """
      )
    )
  }

  @Test func `ends with 1 where a rule forbids the deletion, and names the link`() throws {
    let outcome = try Kennel.run("blast", file, "Person", "2")
    #expect(outcome.exitCode == 1)
    #expect(
      outcome.output.hasSuffix(
        "✗ License/1.holder forbids it while it links to Person/2 2\n"
      )
    )
    #expect(outcome.messages == "\(file): the deletion is not possible: a link forbids it\n")
    let both = try Kennel.run("blast", file, "Person", "2", "Person/1")
    #expect(both.exitCode == 1)
  }

  @Test func `is an object of JSON`() throws {
    let outcome = try Kennel.run("blast", file, "Person", "ada", "--json", "--limit", "2")
    #expect(
      outcome.output == """
        {"possible":true,"objects":["Person/1"],"deletionCount":4,\
        "deleted":{"Dog":2,"Person":1,"Visit":1},"deletions":[\
        {"object":"Person/1","primaryKey":"ada","name":"ada","depth":0,"reason":"asked"},\
        {"object":"Dog/1","name":"Rex","depth":1,"reason":"cascade","from":"Person/1",\
        "property":"dogs"}],"nulledCount":1,"nulled":[{"object":"Dog/3","property":"friend"}],\
        "removedCount":0,"removed":[],"orphanedCount":1,\
        "orphaned":[{"object":"Dog/3","name":"Fido"}],"deniedCount":0,"denied":[],"triggers":[]}

        """
    )
    let refused = try Kennel.run("blast", file, "Person", "2", "--json")
    #expect(refused.exitCode == 1)
    #expect(refused.output.hasPrefix(#"{"possible":false,"#))
    #expect(
      refused.output.contains(
        """
        "denied":[{"object":"License/1","property":"holder","target":"Person/2",\
        "rule":"targetRule","remaining":"License/1"}]
        """
      )
    )
  }

  @Test func `ends with 2 where there is no such object`() throws {
    for (className, key, message) in [
      ("Person", "1", "There is no Person in \(file) whose code is 1"),
      ("Person", "Person/9", "There is no Person in \(file) whose code is Person/9"),
      ("Dog", "9", "There is no Dog in \(file) with the key 9"),
      ("Dog", "Rex", "There is no Dog in \(file) with the key Rex"),
      (
        "Dgo", "1",
        "There is no class Dgo in \(file): it has \(Self.classes); did you mean 'Dog'?"
      ),
    ] {
      let outcome = try Kennel.run("blast", file, className, key)
      #expect(outcome.messages == "kennel: \(message)\n")
      #expect((outcome.exitCode, outcome.output) == (2, ""))
    }
    #expect(try Kennel.run("blast", place.file("missing"), "Dog", "1").exitCode == 2)
    #expect(try Kennel.run("blast", file, "Dog").exitCode == 2)
  }
}
