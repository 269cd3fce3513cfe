import BoxGeneration
import SwiftScanning
import Testing

@Suite struct `Declarations of an entity` {
  @Test(arguments: [
    ("var a: Int", "Swift.Int"),
    ("var a: Swift.Int?", "Swift.Int?"),
    ("var a: Optional<String>", "Swift.String?"),
    ("var a: Int!", "Swift.Int?"),
    ("var a: (Int)?", "Swift.Int?"),
    ("var a: Foundation.Date", "Foundation.Date"),
    ("var a: TimeInterval", "Swift.Double"),
    ("var a: [UInt8]?", "[Swift.UInt8]?"),
    ("var a: Array<String>", "[Swift.String]"),
    ("var a: [Float]", "[Swift.Float]"),
    ("var a: [Int64] = []", "[Swift.Int64]"),
    ("var a: Data", "Foundation.Data"),
    ("var a: Id", "KennelBox.Id"),
    ("var a: EntityId<Tag>?", "KennelBox.EntityId<Tag>?"),
    ("var a: Money", "Money"),
    ("var a = 0", "Swift.Int"),
    ("var a = -0xff", "Swift.Int"),
    ("var a = 60 * (60 + 1)", "Swift.Int"),
    ("var a = 0.5 + 1", "Swift.Double"),
    ("var a = 1e3", "Swift.Double"),
    ("var a = !true", "Swift.Bool"),
    ("var a = \"\"", "Swift.String"),
    ("var a = \"\\(1) of \\(2)\"", "Swift.String"),
    ("var a = \"\"\"\n  a \"b\"\n  \"\"\"", "Swift.String"),
    ("var a = \"a\" + \"b\"", "Swift.String"),
    ("var a = UInt8.max", "Swift.UInt8"),
    ("var a = Double.pi", "Swift.Double"),
    ("var a = Date()", "Foundation.Date"),
    ("var a = Date(timeIntervalSince1970: 5)", "Foundation.Date"),
    ("var a = [String]()", "[Swift.String]"),
    ("var a = UInt16(3)", "Swift.UInt16"),
  ])
  func `a type is written, or that of an obvious value`(declaration: String, type: String) {
    #expect(properties(inClass: declaration) == [".value(\"a\", \(type).self)"])
  }

  @Test(arguments: [
    ("var a = 0, b: String?, c = true", ["a: Swift.Int", "b: Swift.String?", "c: Swift.Bool"]),
    ("var a = \"\" { didSet { b = 1 } }; var b = 0", ["a: Swift.String", "b: Swift.Int"]),
    ("var a: Int {\n willSet {\n}\n}", ["a: Swift.Int"]),
    ("@Wrapped(by: 3) var a: Int = 0", ["a: Swift.Int"]),
    ("var a, b: Int; var c = \"\"", ["a: Swift.Int", "b: Swift.Int", "c: Swift.String"]),
    ("let s = #\"\"\"# // objectbox: transient\nvar a = 0", ["a: Swift.Int"]),
    ("// objectbox: transient\nvar (x, y) = (1, 2)\nvar a = 0", ["a: Swift.Int"]),
    ("static let (x, y) = (1, 2)\nvar a = 0", ["a: Swift.Int"]),
    ("var a: Int { 3 }; var b: Int { get { 1 } set { } }", []),
    ("lazy var a = 0; static var b = 0; class var c: Int { 3 }; static let d = Foo()", []),
    ("func f() { var a = 0 }\ninit() { let b = 1 }\nsubscript(i: Int) -> Int { i }", []),
    ("#if DEBUG\nfunc f() {}\nvar a: Int { 3 }\n#endif\nvar b = 0", ["b: Swift.Int"]),
    (
      "struct Inner { var a = 0 }\nenum E { case a; var b: Int { 0 } }\nvar c = 0", ["c: Swift.Int"]
    ),
    ("typealias Name = String; var a: Name?", ["a: Swift.String?"]),
    ("typealias Names = [Text]; typealias Text = String; var a: Names", ["a: [Swift.String]"]),
    ("internal var `class` = 0", ["class: Swift.Int"]),
    ("// objectbox: transient\nprivate let a = Set<Int>()", []),
  ])
  func `stored properties count, and nothing else`(members: String, expected: [String]) {
    let found = properties(inClass: members)
    #expect(
      found
        == expected.map { name in
          let parts = name.split(separator: ":", maxSplits: 1)
          return ".value(\"\(parts[0])\",\(parts[1]).self)"
        }
    )
  }

  @Test(arguments: [
    "class A: Entity { var id: Id = 0 }",
    "final class A: Base, KennelBox.Entity { var id: EntityId<A> = 0 }",
    "public struct A: ObjectBox.Entity, Codable { var id: Id }",
    "class A: Codable & Entity { var id: Id = 0 }",
    "class A: Base, @unchecked Sendable, nonisolated Entity { var id: Id = 0 }",
    "extension A: Entity {}\nclass A { var id: Id = 0 }",
    "enum Space { struct A { var id: Id } }\nextension Space.A: Codable, KennelBox.Entity {}",
    "class A { var id: Id = 0 }\ntypealias B = A\nextension B: Entity {}",
    "class Base { static var a = 0; func b() {} }\nclass A: Base, Entity { var id: Id = 0 }",
    "class Base {\n  // objectbox: transient\n  var a = 0\n}\nclass A: Base, Entity { var id: Id = 0 }",
    "// objectbox: entity\nclass A { var id: Id = 0 }",
    "// ObjectBox:Entity\nstruct A { let id: Id }",
    "/* objectbox: entity */ class A { var id: Id = 0 }",
    "/**\n * Text.\n * objectbox: entity\n */\n@objcMembers class A { var id: Id = 0 }",
    "enum Space { class A: Entity { var id: Id = 0 } }",
    "extension Space.Inner { struct A: Entity { var id: EntityId<A> } }",
    "#if DEBUG\nimport X\n#endif\nfunc f() { class B: Entity {} }\nclass A: Entity { var id: Id = 0 }",
    "class A: Entity {\n  // objectbox: id\n  var number: Int64 = 0; var id: Id = 0\n}",
    "class A: Entity { var number: Id = 0; var ID: EntityId<A> = 0; var other: EntityId<B> = 0 }",
    "class A: Entity { typealias Key = EntityId<A>; var id: Key = 0 }",
    "// objectbox: name = \"A\"\nclass lazy: Entity { var id: Id = 0 }",
    "class A: Entity { var id: Id = 0; init(a: Int = 0, b: [Int] = [1, 2]) {} }",
    "class A: Entity { var id: Id = 0; init(_ a: Int) {} }\nextension A { convenience init() {} }",
    "struct A: Entity { var id: Id; var a = 0; init(id: Id, more: Int = 0, a: Int) {} }",
  ])
  func `an entity is a class or struct that says so`(source: String) {
    let result = generate(source)
    #expect(result.diagnostics.isEmpty, "\(result.diagnostics)")
    #expect(result.code?.contains("name: \"A\"") == true)
  }

  @Test func `an extension that makes an entity does so once`() throws {
    let code = try #require(generate("class A { var id: Id = 0 }\nextension A: Entity {}").code)
    #expect(code.contains("extension A: KennelBox.EntityInspectable"))
  }

  @Test func `lines may end as on Windows, and files begin with a mark`() throws {
    let source =
      "\u{feff}/*\n objectbox: entity, name = \"Memo\"\n*/\nclass Note {\n  var id: Id = 0\n"
      + "  /** Text.\n   * objectbox: index\n   */\n  var a = 0\n  var b = 0 // objectbox: transient\n}\n"
    let result = generate(source.replacing("\n", with: "\r\n"), model: nil)
    #expect(result.diagnostics.isEmpty)
    #expect(result.code == generate(source).code)
    #expect(result.code?.contains("\"a\", Swift.Int.self, id: 2") == true)
    let model = try #require(result.model)
    let other = model.replacing("\n", with: "\r\n")
    let again = generate(source, model: other)
    #expect(again.model == nil && again.code == result.code)
  }

  @Test(arguments: [
    ("var tag: ToOne<Tag> = nil", #".toOne("tag", Tag.self)"#),
    ("var tags: ToMany<Tag>", #".toMany("tags", Tag.self)"#),
    ("var tags = ToMany<Tag>()", #".toMany("tags", Tag.self)"#),
    ("var notes: KennelBox.ToMany<Note>", #".toMany("notes", Note.self)"#),
    (
      "// objectbox: backlink = \"note\"\nvar tags: ToMany<Tag> = nil",
      #".backlink("tags", Tag.self, through: "note")"#
    ),
  ])
  func `relations lead to entities`(member: String, expected: String) {
    #expect(properties(inClass: member) == [expected])
  }

  @Test func `a backlink finds a to-many relation and its name in the database`() {
    let source = """
      class A: Entity {
        var id: Id = 0
        // objectbox: backlink = "others"
        var owners: ToMany<B> = nil
      }
      class B: Entity {
        var id: Id = 0
        // objectbox: name = "friends"
        var others: ToMany<A> = nil
      }
      """
    #expect(properties(source).last == #".backlink("owners", B.self, through: "friends")"#)
  }

  @Test func `several files make one model, in the order of names`() {
    let result = BoxGeneration.generate(
      target: "App",
      sources: [
        .init(path: "B.swift", text: "class B: Entity { var id: Id = 0; var a: ToOne<A> = nil }"),
        .init(path: "A.swift", text: "class A: Entity { var id: Id = 0; var kind: Kind? = nil }"),
        .init(path: "Kind.swift", text: "typealias Kind = Int"),
      ],
      model: nil,
      modelPath: "model.json"
    )
    #expect(result.diagnostics.isEmpty)
    let order = result.code?.matches(of: /struct (\w+)Binding/).map { String($0.output.1) }
    #expect(order == ["A", "B"])
    #expect(result.code?.contains(".value(\"kind\", Swift.Int?.self") == true)
  }

  @Test(arguments: [
    ("import KennelBox\nclass A: Entity { var id: Id = 0 }", "\nimport KennelBox\n"),
    (
      "internal import KennelBox\nclass A: Entity { var id: Id = 0 }",
      "\ninternal import KennelBox\n"
    ),
    (
      "public import KennelBox\nclass A: Entity { var id: Id = 0 }", "\ninternal import KennelBox\n"
    ),
    (
      "public import KennelBox\npublic class A: Entity { public var id: Id = 0 }",
      "\npublic import KennelBox\n"
    ),
    ("import ObjectBox\npublic class A: Entity { public var id: Id = 0 }", "\nimport KennelBox\n"),
  ])
  func `imports have the access level of the sources`(source: String, line: String) {
    #expect(generate(source).code?.contains(line) == true)
  }

  @Test func `a target without entities has nothing to generate and is warned of`() {
    let result = generate("struct A {}")
    #expect(
      result.model == nil && result.code == "// Generated from the entities of App. Do not edit.\n"
    )
    #expect(
      result.diagnostics.map(\.description) == [
        "model.json:1: warning: App has no entity; write 'class Note: Entity', or remove the plugin "
          + "from it"
      ]
    )
  }
}
