import ModelRewriting
import SwiftScanning
import Testing

@Suite struct `Models of the older syntax are rewritten` {
  private func rewrite(_ text: String) -> ModelRewriter.Result {
    ModelRewriter.rewrite(text, path: "Old.swift")
  }

  /// The body of a model class, rewritten.
  private func member(_ text: String, of head: String = "class A: Object") -> String {
    let result = rewrite("\(head) {\n\(text)\n}")
    #expect(result.diagnostics.isEmpty, "\(result.diagnostics)")
    let lines = result.text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.dropFirst().dropLast().joined(separator: "\n")
  }

  @Test(arguments: [
    ("@objc dynamic var a = 0", "@Persisted var a = 0"),
    ("  @objc dynamic var a: Int? = nil // age", "  @Persisted var a: Int? = nil // age"),
    ("@objc dynamic private var a = 0", "@Persisted private var a = 0"),
    ("private @objc dynamic var a = 0", "private @Persisted var a = 0"),
    ("@objc public private(set) dynamic var a = 0", "@Persisted public private(set) var a = 0"),
    ("dynamic @objc var a = 0", "@Persisted var a = 0"),
    ("@objc(theA) dynamic var a = 0", "@Persisted var a = 0"),
    ("@objc (theA) dynamic var a = 0", "@Persisted var a = 0"),
    ("@objc\n  dynamic\n  var a = 0", "@Persisted\n  \n  var a = 0"),
    ("@objc/* x */dynamic/* y */var a = 0", "@Persisted/* x *//* y */var a = 0"),
    (
      "@available(*, deprecated) @objc dynamic var a = 0",
      "@available(*, deprecated) @Persisted var a = 0"
    ),
    ("@objc dynamic var `default` = \"\"", "@Persisted var `default` = \"\""),
    ("@objc dynamic var a = \"@objc dynamic var b\"", "@Persisted var a = \"@objc dynamic var b\""),
    ("// @objc dynamic var a = 0", "// @objc dynamic var a = 0"),
    ("/* @objc /* dynamic */ var */ var a = 0", "/* @objc /* dynamic */ var */ var a = 0"),
    (
      "let s = \"\"\"\n  @objc dynamic var a = 0\n  \"\"\"",
      "let s = \"\"\"\n  @objc dynamic var a = 0\n  \"\"\""
    ),
  ])
  func `a stored property is persisted`(old: String, new: String) {
    #expect(member(old) == new)
  }

  @Test(arguments: [
    ("@objc dynamic var a = 0, b = \"\"", "@Persisted var a = 0; @Persisted var b = \"\""),
    (
      "@objc dynamic var a: Int = 0, b: Map<String, Int>",
      "@Persisted var a: Int = 0; @Persisted var b: Map<String, Int>"
    ),
    (
      "@objc private dynamic var a = f(1, 2), b = [1, 2]",
      "@Persisted private var a = f(1, 2); @Persisted private var b = [1, 2]"
    ),
    ("@objc dynamic var a = Map<String, Int>()", "@Persisted var a = Map<String, Int>()"),
  ])
  func `several properties of one var are told apart`(old: String, new: String) {
    #expect(member(old) == new)
  }

  @Test(arguments: [
    (
      "@objc dynamic var a: Int = 0 { didSet { b() } }",
      "@Persisted var a: Int = 0 { didSet { b() } }"
    ),
    (
      "@objc dynamic var a: Int\n  {\n  willSet { b() }\n  }",
      "@Persisted var a: Int\n  {\n  willSet { b() }\n  }"
    ),
    (
      "@objc dynamic var a: Int = { 1 }() { didSet {} }",
      "@Persisted var a: Int = { 1 }() { didSet {} }"
    ),
    ("@objc dynamic var a = make { 1 }", "@Persisted var a = make { 1 }"),
  ])
  func `observers and closures do not make a property computed`(old: String, new: String) {
    #expect(member(old) == new)
  }

  @Test(arguments: [
    ("@objc dynamic var a: Int { 1 }", "var a: Int { 1 }"),
    (
      "@objc dynamic var a: Int\n  {\n  get { 1 } set {} }", "var a: Int\n  {\n  get { 1 } set {} }"
    ),
    ("@objc dynamic var a: [String: Int] { return [:] }", "var a: [String: Int] { return [:] }"),
    ("@objc static dynamic var a = 0", "static var a = 0"),
    ("@objc class dynamic var a: Int { 0 }", "class var a: Int { 0 }"),
    ("@objc override dynamic var a: Int { didSet {} }", "override var a: Int { didSet {} }"),
    ("@objc dynamic func a() { f(\"\\(b)\") }", "func a() { f(\"\\(b)\") }"),
    ("@objc(doA:) func a(_ b: Int) {}", "func a(_ b: Int) {}"),
    ("@nonobjc @objc init(a: Int) { super.init() }", "init(a: Int) { super.init() }"),
    ("dynamic var a = 0", "dynamic var a = 0"),
    ("var a = 0", "var a = 0"),
    ("let tasks = List<Task>()", "let tasks = List<Task>()"),
    (
      "let users = LinkingObjects(fromType: User.self, property: \"tasks\")",
      "let users = LinkingObjects(fromType: User.self, property: \"tasks\")"
    ),
    (
      "override static func primaryKey() -> String? {\n  return \"_id\"\n}",
      "override static func primaryKey() -> String? {\n  return \"_id\"\n}"
    ),
  ])
  func `what is not stored only loses its attributes`(old: String, new: String) {
    #expect(member(old) == new)
  }

  @Test(arguments: [
    ("@objc enum Color: Int { case red }", "enum Color: Int { case red }"),
    ("@objc(A) class A: NSObject {}", "class A: NSObject {}"),
    ("@objc(TheA) class A: Unknown {}", "class A: Unknown {}"),
    (
      "@objc(TheA) @objcMembers public class A: Object {}",
      "public class A: Object { public override class func className() -> String "
        + "{ self == A.self ? \"TheA\" : super.className() };}"
    ),
    (
      "@objc(TheA)\nclass A: RealmSwift.Object\n{\n}",
      "\nclass A: KennelRealm.Object\n{ override class func className() -> String "
        + "{ self == A.self ? \"TheA\" : super.className() };\n}"
    ),
    (
      "class B: Object {}; @objc(C) class A: B {}",
      "class B: Object {}; class A: B { override class func className() -> String "
        + "{ self == A.self ? \"C\" : super.className() };}"
    ),
    (
      "@objc(C) class A: Object { override class func className() -> String { \"D\" } }",
      "class A: Object { override class func className() -> String { \"D\" } }"
    ),
    ("@objc extension A { @objc func f() {} }", "extension A { func f() {} }"),
    ("@objc protocol P { @objc func f() }", "protocol P { func f() }"),
    ("import RealmSwift", "import KennelRealm"),
    ("@_exported import RealmSwift; let a = 1", "@_exported import KennelRealm; let a = 1"),
    ("import class RealmSwift.Object", "import class KennelRealm.Object"),
    ("import Realm\nimport Foundation", "\nimport Foundation"),
    (
      "let a = RealmSwift.List<Int>(); b.RealmSwift()",
      "let a = KennelRealm.List<Int>(); b.RealmSwift()"
    ),
    ("#if canImport(RealmSwift)\n#endif", "#if canImport(KennelRealm)\n#endif"),
    ("let a = #keyPath(Dog.owner.name)", "let a = \"owner.name\""),
    ("let a = \"\\(#keyPath(name)) == %@\"", "let a = \"\\(\"name\") == %@\""),
    ("class A: NSObject { @objc dynamic var a = 0 }", "class A: NSObject { var a = 0 }"),
    ("class A { @objc dynamic var a = 0 }", "class A { var a = 0 }"),
    ("extension A: P { @objc dynamic var a: Int { 0 } }", "extension A: P { var a: Int { 0 } }"),
  ])
  func `declarations and imports go without Objective-C`(old: String, new: String) {
    let result = rewrite(old)
    #expect(result.diagnostics.isEmpty)
    #expect(result.text == new)
  }

  @Test func `all members of an objcMembers class count`() {
    let text = """
      @objcMembers class A: Object {
        dynamic var a = 0
        private dynamic var hidden = 0
        dynamic private(set) var b: String?
        class B: Object {
          dynamic var c = 0
        }
        dynamic var d = 0
        var e: Int { 1 }
      }
      """
    #expect(
      rewrite(text).text == """
        class A: Object {
          @Persisted var a = 0
          private dynamic var hidden = 0
          @Persisted private(set) var b: String?
          class B: Object {
            dynamic var c = 0
          }
          @Persisted var d = 0
          var e: Int { 1 }
        }
        """
    )
  }

  @Test func `properties that a class ignores are not persisted`() {
    let text = """
      class A<T: Object>: Base<T>, P where T: Q {
        @objc dynamic var a = 0
        @objc dynamic var image: Image?
        @objc dynamic lazy var path = f { $0 }
        override static func ignoredProperties() -> [String] {
          return ["image", #keyPath(A.path)]
        }
      }
      """
    #expect(
      rewrite(text).text == """
        class A<T: Object>: Base<T>, P where T: Q {
          @Persisted var a = 0
          var image: Image?
          lazy var path = f { $0 }
          override static func ignoredProperties() -> [String] {
            return ["image", "path"]
          }
        }
        """
    )
  }

  @Test(arguments: [
    ("class A: Object {\n  @objc dynamic let a = 0\n}", 2, "has to be a var"),
    ("class A: Object {\n\n  @objc dynamic lazy var a = 0\n}", 3, "is lazy"),
    ("class A: Object {\n  @objc dynamic weak var a: B?\n}", 2, "cannot be weak"),
    ("class A: Object {\n  @objc dynamic var (a, b) = (1, 2)\n}", 2, "one property per line"),
    ("class A: Object {\n  @objc dynamic var a, b: Int\n}", 2, "on a line of its own"),
    ("class A: Object {\n  @objc dynamic var a: NSString = \"\"\n}", 2, "declare it as String"),
    ("class A: Object {\n  @objc dynamic var a: Foundation.NSDate?\n}", 2, "declare it as Date"),
    ("let a = 1\nlet s = #selector(f)", 2, "Objective-C runtime"),
    ("@objc protocol P {\n  @objc optional func f()\n}", 2, "in an extension of the protocol"),
    (
      "class A: Object {\n  required init(realm: RLMRealm, schema: RLMObjectSchema) {}\n}", 2,
      "remove this initializer"
    ),
  ])
  func `what cannot be rewritten is told with its line`(text: String, line: Int, says: String) {
    let result = rewrite(text)
    #expect(!result.isUsable)
    #expect(result.diagnostics.count == 1)
    let message = result.diagnostics.first?.description ?? ""
    #expect(message.hasPrefix("Old.swift:\(line): error: "), "\(message)")
    #expect(message.contains(says), "\(message)")
  }

  @Test func `a property that is not dynamic is warned of`() {
    let result = rewrite("class A: Object {\n  @objc var a = 0\n}")
    #expect(result.isUsable)
    #expect(result.text == "class A: Object {\n  var a = 0\n}")
    #expect(
      result.diagnostics.map(\.description) == [
        "Old.swift:2: warning: 'a' is @objc but not dynamic, so it is not stored; "
          + "write '@objc dynamic var' to store it"
      ]
    )
  }

  @Test func `every line keeps its number`() {
    let text = """
      import RealmSwift
      import Realm

      @objc(
        Dog
      )
      @objcMembers
      final class Dog: Object {
        @objc
        dynamic
        var name = "",
          age = 0
        #if DEBUG
        dynamic var debug: String? { didSet {
        } }
        #endif
      }
      let last = #keyPath(
        Dog.name
      )
      let end = 0
      """
    let new = rewrite(text).text
    let lines = new.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == text.split(separator: "\n", omittingEmptySubsequences: false).count)
    #expect(lines.last == "let end = 0")
    #expect(
      lines[10...11].joined(separator: "\n") == "  var name = \"\"; @Persisted var\n    age = 0"
    )
  }

  @Test func `the compiler is told which file it is`() {
    #expect(
      ModelRewriter.located("let a = 1\n", path: "a \"b\"\\c.swift")
        == "#sourceLocation(file: \"a \\\"b\\\"\\\\c.swift\", line: 1)\nlet a = 1\n"
    )
  }

  @Test func `the model of the documentation is rewritten`() {
    let text = """
      class User: Object {
      @objc dynamic var _id: ObjectId = ObjectId.generate()
      @objc dynamic var name: String = ""
      // A user can have many tasks.
      let tasks = List<Task>()
      override static func primaryKey() -> String? {
      return "_id"
      }
      }
      """
    #expect(
      rewrite(text).text
        == text.split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.hasPrefix("@objc dynamic") ? "@Persisted" + $0.dropFirst(13) : String($0) }
        .joined(separator: "\n")
    )
  }
}
