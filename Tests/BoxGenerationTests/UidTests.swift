import BoxGeneration
import SwiftScanning
import Testing

@Suite struct `A UID` {
  private let tag = "\nclass Tag: Entity { var id: Id = 0 }\n"

  private func code(_ members: String) -> String {
    "class Note: Entity {\nvar id: Id = 0\n\(members)\n}\(tag)"
  }

  /// A model, and the UIDs of what it has.
  private func model(of source: String) throws -> (text: String, uid: (String) -> String) {
    let text = try #require(generate(source).model)
    let uids = text.matches(of: /"id": "\d+:(\d+)",(\n *"lastP.*)?\n *"name": "(\w+)"/).reduce(
      into: [:]
    ) { $0[String($1.output.3)] = String($1.output.1) }
    return (text, { uids[$0] ?? "none" })
  }

  private func mistakes(_ source: String, _ model: String) -> [String] {
    let result = generate(source, model: model)
    #expect(result.code == nil && result.model == nil)
    return result.diagnostics.map(\.description)
  }

  private func taken(_ line: Int, _ kind: String, _ uid: String, _ name: String) -> [String] {
    [
      "App.swift:\(line): error: The UID \(uid) is that of the \(kind) '\(name)', which exists, too; "
        + "remove the annotation, or to rename '\(name)' to 'other', remove the declaration of "
        + "'\(name)' (a new \(kind) of that name can be added after a build)"
    ]
  }

  @Test(arguments: [("property", "title", "Int"), ("relation", "tags", "ToMany<Tag>")])
  func `of a property that is still there is refused`(
    kind: String,
    name: String,
    type: String
  ) throws {
    let members = "var title: Int\nvar text: Int\nvar tags: ToMany<Tag>"
    let (model, uid) = try model(of: code(members))
    let other = "// objectbox: uid = \(uid(name))\nvar other: \(type)\n"
    #expect(mistakes(code(other + members), model) == taken(3, kind, uid(name), name))
    // Once it is renamed, a new one can have its name.
    let gone = members.replacing("var \(name): \(type)", with: "")
    let renamed = try #require(generate(code(other + gone), model: model).model)
    #expect(generate(code(other + members), model: renamed).diagnostics.isEmpty)
  }

  @Test func `of an entity that is still there is refused`() throws {
    let (model, uid) = try model(of: code(""))
    let other = "\n// objectbox: uid = \(uid("Tag"))\nclass other: Entity { var id: Id = 0 }"
    #expect(mistakes(code("") + other, model) == taken(7, "entity", uid("Tag"), "Tag"))
  }

  @Test func `exchanges the names of two properties with another`() throws {
    let (model, uid) = try model(of: code("var a = 0\nvar b = \"\""))
    let exchanged = code(
      "// objectbox: uid = \(uid("a"))\nvar b = 0\n// objectbox: uid = \(uid("b"))\nvar a = \"\""
    )
    let result = generate(exchanged, model: model)
    #expect(result.diagnostics.isEmpty)
    let text = "uid: \(uid("a")), formerNames: [\"a\"])"
    #expect(result.code?.contains(#".value("b", Swift.Int.self, id: 2, "# + text) == true)
  }

  @Test func `leads to no type of Byte, unless model.json said it before`() throws {
    let entry = #/"name": "size"(,\n *"type": 2,\n *"flags": 8192)?\n/#
    let result = generate(code("var size: Byte = 0"))
    #expect(result.code?.contains(#".value("size", Swift.UInt8.self, id: 2, "#) == true)
    let model = try #require(result.model)
    #expect(try #require(model.firstMatch(of: entry)).output.1 == nil)
    let known = try #require(generate(code("var size: UInt8 = 0"), model: model).model)
    #expect(try #require(known.firstMatch(of: entry)).output.1 != nil)
    #expect(generate(code("var size: Byte = 0"), model: known).model == nil)
  }
}
