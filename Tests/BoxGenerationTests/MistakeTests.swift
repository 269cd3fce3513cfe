import BoxGeneration
import SwiftScanning
import Testing

@Suite struct `Mistakes in the code` {
  private func messages(_ source: String, severity: Diagnostic.Severity = .error) -> [String] {
    let result = generate(source)
    #expect(severity == .warning || result.code == nil && result.model == nil)
    return result.diagnostics.filter { $0.severity == severity }.map { "\($0.line): \($0.message)" }
  }

  @Test(arguments: [
    (
      "class A: Entity {\n}",
      ["1: 'A' needs an ID property, such as 'var id: Id = 0' or 'var id: EntityId<A> = 0'"]
    ),
    (
      "class A: Entity {\n  var id: UInt64 = 0\n}",
      [
        "1: 'A' needs an ID property; put '// objectbox: id' in front of 'id', or declare it as 'var id: Id = 0'"
      ]
    ),
    (
      "class A: Entity {\n  var id: EntityId<B> = 0\n}",
      [
        "1: 'A' needs an ID property; put '// objectbox: id' in front of 'id', or declare it as 'var id: Id = 0'"
      ]
    ),
    (
      "class A: Entity {\n  // objectbox: id\n  var a: Id = 0\n  // objectbox: id\n  var b: Int64 = 0\n}",
      ["5: 'a' and 'b' are both annotated with 'id'; an entity has one ID property"]
    ),
    (
      "class A: Entity { var a: Id = 0; var b: EntityId<A> = 0 }",
      [
        "1: 'A' has several properties that could be its ID: 'a' and 'b'; put '// objectbox: id' in front of one"
      ]
    ),
    (
      "class A: Entity {\n  // objectbox: id\n  var id = \"\"\n}",
      ["3: An ID property has the type Id, EntityId<A>, Int64 or UInt64"]
    ),
    (
      "class A: Entity {\n  // objectbox: id\n  var id: Id?\n}",
      ["3: An ID property has the type Id, EntityId<A>, Int64 or UInt64"]
    ),
    ("enum A: Entity {}", ["1: An entity is a class or a struct; 'A' is an enum"]),
    ("actor A: Entity {}", ["1: An entity is a class or a struct; 'A' is an actor"]),
    (
      "class A<T>: Entity { var id: Id = 0 }",
      ["1: An entity cannot be generic; give 'A' fixed types"]
    ),
    (
      "struct Box<T> {\n  enum Inner {}\n}\nextension Box.Inner { class A: Entity { var id: Id = 0 } }",
      ["4: 'A' stands inside a generic type, so it is generic, too; move it out"]
    ),
    (
      "class A_B: Entity { var id: Id = 0 }\nenum A { class B: Entity { var id: Id = 0 } }",
      ["2: The bindings of 'A.B' and 'A_B' would have the same name; rename one of the types"]
    ),
    (
      "class A { var id: Id = 0 }\n#if DEBUG\nextension A: Entity {}\n#endif",
      [
        "3: 'A' becomes an entity inside #if, which the generator cannot decide; move the extension out of the condition"
      ]
    ),
    (
      "extension Other.A: Entity {}",
      [
        "1: 'Other.A' is not declared in this target; the target that declares it can make it an entity"
      ]
    ),
    (
      "class A { var id: Id = 0 }\n// objectbox: entity\nextension A {}",
      [
        "2: Annotations of a type stand at its declaration; move this one there from the extension"
      ]
    ),
    (
      "class Base {\n  var a = 0\n}\nclass Middle: Base {}\nclass A: Middle, Entity { var id: Id = 0 }",
      [
        "2: 'a' is not stored with the entity 'A', which inherits it; declare it in 'A', or put '// objectbox: transient' in front of it"
      ]
    ),
    (
      "class A: Entity { var id: Id = 0 }\nclass M: A {}\n// objectbox: entity\nclass B: M {}",
      ["4: 'B' inherits from the entity 'A'; entities cannot inherit from each other"]
    ),
    (
      "private class A: Entity { var id: Id = 0 }",
      ["1: 'A' is private, so the generated code cannot use it; make it internal"]
    ),
    (
      "fileprivate enum Space {\n  struct A: Entity { var id: Id }\n}",
      ["2: 'A' is fileprivate, so the generated code cannot use it; make it internal"]
    ),
    (
      "#if DEBUG\nclass A: Entity { var id: Id = 0 }\n#endif",
      ["2: 'A' stands inside #if, which the generator cannot decide; move it out of the condition"]
    ),
    (
      "class A: Entity { var id: Id = 0 }\n// objectbox: entity\nclass B: A { var id2: Id = 0 }",
      ["3: 'B' inherits from the entity 'A'; entities cannot inherit from each other"]
    ),
    (
      "// objectbox: entty\nclass A {}",
      ["1: Unknown annotation 'entty'; did you mean 'entity'? A type can have: entity, name, uid"]
    ),
    (
      "class A: Entity { var id: Id = 0 }\n// objectbox: name = \"a\"\nclass B: Entity { var id: Id = 0 }",
      [
        "3: 'B' and 'A' have the same name in the database; give one another with '// objectbox: name = \"…\"'"
      ]
    ),
    (
      "class A: Entity {\n  var id: Id = 0\n  var text = \"\"\n  var Text = \"\"\n}",
      [
        "4: 'Text' and 'text' have the same name in the database, where upper and lower case are the same; give one another with '// objectbox: name = \"…\"'"
      ]
    ),
    (
      "class A: Entity {\n  var id: Id = 0\n  init(_ a: Int) {}\n}",
      [
        "1: 'A' needs an initializer that can be called without arguments, such as 'required init() {}'"
      ]
    ),
    (
      "class A: Entity {\n  var id: Id = 0\n  private init() {}; init?(a: Int = 0) {}; init(b: Int = 0) throws {}\n}",
      [
        "1: 'A' needs an initializer that can be called without arguments, such as 'required init() {}'"
      ]
    ),
    (
      "struct A: Entity {\n  var id: Id\n  var b = 0\n  init(b: Int, id: Id) {}\n}",
      ["1: 'A' needs an initializer that takes its properties in their order: 'init(id: b:)'"]
    ),
    (
      "struct A: Entity {\n  var id: Id\n  // objectbox: transient\n  private var b = 0\n}",
      ["4: 'b' is private and makes the initializer of 'A' private, too; write 'init(id:)'"]
    ),
    (
      "struct A: Entity {\n  var id: Id\n  // objectbox: transient\n  var b: Int\n}",
      ["4: 'b' is transient and needs a default value, because objects are made without it"]
    ),
    (
      "struct A: Entity {\n  var id: Id\n  let b = 0\n}",
      ["3: 'b' is a let with a value, so no other can be read into it; make it a var"]
    ),
    (
      "// objectbox: uid = 300\nclass A: Entity {\n  var id: Id = 0\n  // objectbox: uid = 300\n  var b = 0\n}",
      ["4: The UID 300 is in the code twice; each stands for one thing"]
    ),
  ])
  func `of entities are errors that say what to do`(source: String, expected: [String]) {
    #expect(messages(source) == expected)
  }

  @Test(arguments: [
    ("var a = f()", "The type of 'a' is not obvious from its value; write it, as in 'a: Int'"),
    (
      "var a = Foo.init()",
      "The type of 'a' is not obvious from its value; write it, as in 'a: Int'"
    ),
    ("var a = [1, 2]", "The type of 'a' is not obvious from its value; write it, as in 'a: Int'"),
    ("var a = nil", "The type of 'a' is not obvious from its value; write it, as in 'a: Int'"),
    (
      "private var a = 0",
      "'a' is private, so the generated code cannot store it; make it internal, or put '// objectbox: transient' in front of it"
    ),
    (
      "private(set) var a = 0",
      "'a' can be set in its class alone, so no value can be read into it; make its setter internal, or put '// objectbox: transient' in front of it"
    ),
    (
      "let a: Int",
      "'a' is a let, so no value can be read into it; make it a var, or put '// objectbox: transient' in front of it"
    ),
    (
      "var (a, b) = (1, 2)",
      "'(a, b)' names several properties at once; declare each on a line of its own, or put '// objectbox: transient' in front of it"
    ),
    (
      "var a = 0, (b, c) = (1, 2)",
      "'(b, c)' names several properties at once; declare each on a line of its own, or put '// objectbox: transient' in front of it"
    ),
    (
      "let (a, b): (Int, Int) = (1, 2)",
      "'(a, b)' names several properties at once; declare each on a line of its own, or put '// objectbox: transient' in front of it"
    ),
    (
      "weak var a: Note?",
      "'a' is weak or unowned and cannot be stored; declare a relation as ToOne, or put '// objectbox: transient' in front of it"
    ),
    (
      "#if DEBUG\n  var a = 0\n  #endif",
      "'a' stands inside #if, which the generator cannot decide; move it out of the condition, or put '// objectbox: transient' in front of it"
    ),
    (
      "// objectbox: name = \"c\"\n  var a = 0, b = 0",
      "'name' is for one property; declare each on a line of its own"
    ),
    (
      "var a: [String: Int]",
      "'a' cannot be stored as [String: Int]; store it with '// objectbox: convert', or put '// objectbox: transient' in front of it"
    ),
    (
      "var a: (Int, Int)",
      "'a' cannot be stored as (Int, Int); store it with '// objectbox: convert', or put '// objectbox: transient' in front of it"
    ),
    (
      "var a: any Error",
      "'a' cannot be stored as any Error; store it with '// objectbox: convert', or put '// objectbox: transient' in front of it"
    ),
    (
      "var a: [Int]",
      "'a' cannot be stored as [Int]; store it with '// objectbox: convert', or put '// objectbox: transient' in front of it"
    ),
    (
      "var a: Set<Int>",
      "'a' cannot be stored as Set<Int>; store it with '// objectbox: convert', or put '// objectbox: transient' in front of it"
    ),
    (
      "var a: URL?",
      "'a' cannot be stored as URL?; store it with '// objectbox: convert', or put '// objectbox: transient' in front of it"
    ),
    ("var a: NSDate", "'a' cannot be stored as NSDate; declare it as Date"),
    (
      "enum Kind { case a }; var a: Kind",
      "'a' is the enum 'Kind'; put '// objectbox: convert = { \"dbType\": \"Int\", \"converter\": \"…\" }' in front of it, or '// objectbox: transient'"
    ),
    (
      "enum Kind: Int { case a }; var a: Kind?",
      "'a' is the enum 'Kind'; put '// objectbox: convert = { \"default\": \".…\" }' in front of it, or '// objectbox: transient'"
    ),
    (
      "struct Point {}; var a: Point",
      "'a' cannot be stored as Note.Point; store it with '// objectbox: convert', or put '// objectbox: transient' in front of it"
    ),
    ("var a: Note?", "'Note' is an entity; declare 'a' as ToOne<Note>"),
    ("var a: [Note]", "'a' holds entities; declare it as ToMany<Note>"),
    ("// objectbox: index\n  var a = 0.5", "'index' is not for Double; remove it"),
    ("// objectbox: unique\n  var a: [String]", "'unique' is not for [String]; remove it"),
    ("var a: ToOne<Note>?", "'a' is never optional; write 'var a: ToOne<Note> = nil'"),
    ("var a: ToOne = nil", "'a' needs the entity that it leads to, as in 'ToOne<Customer>'"),
    (
      "var a: ToOne<Elsewhere.Thing> = nil",
      "'Elsewhere.Thing' is not declared in this target; a relation leads to an entity of the same target"
    ),
    (
      "struct Point {}; var a: ToMany<Point> = nil",
      "'Note.Point' is no entity; write 'struct Point: Entity', or put '// objectbox: entity' in front of it"
    ),
    (
      "// objectbox: unique\n  var a: ToOne<Note> = nil", "'unique' is not for relations; remove it"
    ),
    (
      "// objectbox: backlink\n  var a: ToMany<Note> = nil",
      "'backlink' needs the name of the property that links here; write '// objectbox: backlink = \"…\"'"
    ),
    (
      "// objectbox: backlink = \"b\"\n  var a: ToMany<Note> = nil",
      "'Note' has no relation 'b' to 'Note'; declare a ToOne<Note> in 'Note'"
    ),
    (
      "// objectbox: backlink = \"b\"\n  var a: ToMany<Note> = nil; var c: ToOne<Note> = nil",
      "'Note' has no relation 'b' to 'Note'; 'Note' has 'c'"
    ),
    (
      "// objectbox: backlink = \"b\"\n  var a: ToMany<Note> = nil; var b = 0",
      "'Note.b' is no relation, so it has no backlink; declare a ToOne<Note> in 'Note'"
    ),
  ])
  func `of properties are errors that say what to do`(member: String, message: String) {
    let found = mistakes(inClass: "  \(member)")
    #expect(found.count == 1)
    let isAboutLine3 = !member.contains("\n") || message.hasPrefix("'backlink' needs")
    #expect(found.first == "App.swift:\(isAboutLine3 ? 3 : 4): error: \(message)")
  }

  @Test func `all of a file are reported at once, in order`() {
    let source = """
      class A: Entity {
        var id: Id = 0
        var a: URL
        // objectbox: uniqe
        var b = 0
      }
      class B: Entity {
      }
      """
    #expect(generate(source).diagnostics.map(\.line) == [3, 4, 7])
  }

  @Test func `a backlink on a ToOne is warned of`() {
    let source = """
      class A: Entity { var id: Id = 0; var books: ToMany<B> = nil }
      class B: Entity {
        var id: Id = 0
        // objectbox: backlink = "books"
        var author: ToOne<A> = nil
      }
      """
    #expect(
      messages(source, severity: .warning) == [
        "4: 'backlink' belongs to a ToMany; did you mean '// objectbox: backlink = \"author\"' on a "
          + "ToMany of 'A'?"
      ]
    )
    #expect(generate(source).code != nil)
  }
}
