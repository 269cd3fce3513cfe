import Foundation
import Testing

@Suite struct `kennel schema` {
  private let place: TemporaryPlace
  private let file: String

  init() throws {
    place = try TemporaryPlace()
    file = place.file("family.kennel")
    let document = """
      {"$kennel":1}
      {"$class":"Dog"}
      {"$property":"_id","type":"objectId","primaryKey":true}
      {"$property":"name","type":"string"}
      {"$class":"Person"}
      {"$property":"name","type":"string?"}
      {"$property":"dogs","type":"list<link<Dog>>","targetRule":"deny"}
      {"$property":"home","type":"link<Address>"}
      {"$class":"Address","embedded":true}
      {"$property":"city","type":"string?"}
      """
    let made = try Kennel.run("import", file, input: document + "\n")
    #expect(made.exitCode == 0, "\(made.messages)")
  }

  private func lines(_ arguments: String...) throws -> [Substring] {
    let made = try Kennel.run(all: ["schema", file] + arguments)
    #expect(made.exitCode == 0, "\(made.messages)")
    return made.output.split(separator: "\n")
  }

  @Test func `prints a JSON schema for each class, or for one`() throws {
    let all = try lines("--format", "jsonschema")
    #expect(
      all.filter { $0.hasPrefix("  \"title\"") } == [
        "  \"title\": \"Dog\",", "  \"title\": \"Person\",",
      ]
    )
    let dog = try lines("--format", "jsonschema", "--class", "Dog")
    #expect(Array(all.prefix(dog.count)) == dog)
    let address = try lines("--format", "jsonschema", "--class", "Address")
    #expect(address.contains("  \"title\": \"Address\","))
  }

  @Test func `prints the diagram of the browser, with the types of the properties`() throws {
    #expect(
      try lines() == [
        "Dog  0 objects",
        "  _id         objectId, primary key",
        "  name        string",
        "        *     ← Person.dogs",
        "Person  0 objects",
        "  name        string?",
        "  dogs  *     → Dog, target rule deny",
        "  home  0..1  ◆ Address {}",
        "Address {}  0 objects",
        "  city        string?",
        "        1     ◇ Person.home",
      ]
    )
    #expect(try lines("--class", "Dog").count == 4)
  }

  @Test func `draws the classes for Graphviz`() throws {
    let dot = try lines("--format", "dot")
    #expect(dot.first == "digraph schema {" && dot.last == "}")
    #expect(
      dot.contains(#"  "Dog" [label="{Dog|_id:\ objectId\lname:\ string\l}"];"#)
    )
    #expect(dot.contains { $0.contains(#""Address" [label="{Address|"#) && $0.contains("dashed") })
    #expect(dot.contains(#"  "Person" -> "Dog" [label="dogs (target rule deny)", headlabel="*"];"#))
    #expect(
      dot.contains {
        $0.contains(#""Person" -> "Address" [label="home"#) && $0.contains("arrowtail=diamond")
      }
    )
  }

  @Test func `draws the classes for Mermaid`() throws {
    let mermaid = try lines("--format", "mermaid")
    #expect(mermaid.first == "classDiagram")
    #expect(mermaid.contains("    string? name"))
    #expect(mermaid.contains("    <<embedded>>"))
    #expect(mermaid.contains(#"  Person --> "*" Dog : dogs (target rule deny)"#))
    #expect(mermaid.contains(#"  Person *-- "0..1" Address : home"#))
    #expect(
      try lines("--format", "mermaid", "--class", "Dog").filter { $0.contains("class ") } == [
        "  class Dog {"
      ]
    )
  }

  @Test func `writes a file for each class`() throws {
    let folder = place.file("schemas")
    #expect(try lines("--format", "jsonschema", "--output", folder).isEmpty)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == [
        "Dog.json", "Person.json",
      ]
    )
    let dog = try lines("--format", "jsonschema", "--class", "Dog")
    #expect(try place.text("schemas/Dog.json").split(separator: "\n") == dog)
    // Once more, in place of what is there, and with links.
    #expect(try lines("--format", "jsonschema", "--output", folder, "--app-services").isEmpty)
    #expect(
      try place.text("schemas/Person/relationships.json").contains("mongodb-atlas/family/Dog")
    )
    #expect(try place.text("schemas/Person/schema.json") == place.text("schemas/Person.json"))
  }

  @Test func `explains what it cannot do`() throws {
    let missing = try Kennel.run("schema", file, "--class", "Cat")
    #expect(missing.exitCode == 1)
    #expect(missing.messages.hasPrefix("kennel: There is no class Cat in \(file): it has "))
    #expect(try Kennel.run("schema", file, "--output", place.file("x")).exitCode == 2)
    #expect(try Kennel.run("schema", file, "--app-services").exitCode == 2)
    #expect(try Kennel.run("schema", file, "--class", "Dog", "--format", "jsonl").exitCode == 2)
    let taken = try Kennel.run("schema", file, "--format", "jsonschema", "--output", file)
    #expect(taken.exitCode == 1)
    #expect(taken.messages.hasPrefix("kennel: Cannot create the folder \(file): "))
  }

  @Test func `comes back as model classes, from the file and from its schemas`() throws {
    let models = try Kennel.run("generate", "swift", file, "--realm")
    #expect(models.exitCode == 0, "\(models.messages)")
    #expect(
      models.output == """
        import KennelRealm

        class Dog: Object {
          @Persisted(primaryKey: true) var _id: ObjectId
          @Persisted var name: String
        }

        class Person: Object {
          @Persisted var name: String?
          @Persisted var dogs: List<Dog>
          @Persisted var home: Address?
        }

        class Address: EmbeddedObject {
          @Persisted var city: String?
        }

        """
    )
    let native = try Kennel.run("generate", "swift", file)
    #expect(native.exitCode == 0 && native.messages.isEmpty)
    #expect(
      native.output == """
        import Kennel

        struct Dog: Model {
          let _id = Property<ObjectId>(.primaryKey)
          let name = Property<String>()
        }

        struct Person: Model {
          let name = Property<String?>()
          let dogs = Property<[Object<Dog>]>(targetRule: .deny)
          let home = Property<Object<Address>?>()
        }

        struct Address: EmbeddedModel {
          let city = Property<String?>()
        }

        """
    )
    let entities = try Kennel.run("generate", "swift", file, "--box")
    #expect(entities.output.contains("class Dog: Entity {\n  var id: Id = 0\n"))
    #expect(entities.messages.hasSuffix("Address: an embedded class cannot be an entity\n"))
    #expect(try Kennel.run("generate", "swift", file, "--box", "--realm").exitCode == 2)
    let folder = place.file("schemas")
    _ = try lines("--format", "jsonschema", "--output", folder)
    let linked = try Kennel.run(
      "generate",
      "swift",
      folder,
      "--realm",
      "--link",
      "Person.dogs=Dog"
    )
    #expect(linked.output == models.output, "\(linked.messages)")
    let files = ["\(folder)/Dog.json", "\(folder)/Person.json"]
    let unlinked = try Kennel.run(all: ["generate", "swift"] + files + ["--realm"])
    #expect(unlinked.output.contains("var dogs: List<ObjectId>"))
    let services = place.file("services")
    _ = try lines("--format", "jsonschema", "--output", services, "--app-services")
    let output = place.file("Models.swift")
    let written = try Kennel.run("generate", "swift", services, "--realm", "--output", output)
    #expect(written.output.isEmpty)
    // What App Services do not require may be null.
    let optional = models.output.replacing("name: String\n", with: "name: String?\n")
    #expect(try place.text("Models.swift") == optional)
  }

  @Test func `generate says which schema is wrong, and where`() throws {
    let schema = place.file("Dog.json")
    try #"{"properties": {"age": {"bsonType": "integer"}}}"#
      .write(toFile: schema, atomically: true, encoding: .utf8)
    let made = try Kennel.run("generate", "swift", schema, "--realm")
    #expect(made.exitCode == 1)
    #expect(made.output.isEmpty)
    #expect(
      made.messages == "kennel: Dog.json: properties.age.bsonType: \"integer\" is not a type, such "
        + "as string, int, long, double, objectId or array\n"
    )
    #expect(try Kennel.run("generate", "swift", file, "--realm", "--link", "a.b=c").exitCode == 1)
    let empty = try Kennel.run("generate", "swift", place.path, "--realm", "--from-objc", schema)
    #expect(empty.exitCode == 2)
    let both = try Kennel.run("generate", "swift", file, schema, "--realm")
    #expect(both.messages == "kennel: \(file) is a database, not a JSON schema; give it alone\n")
  }

  @Test func `writes schemas of App Services as they were read`() throws {
    let club = """
      {
        "title": "Club",
        "bsonType": "object",
        "required": [
          "_id",
          "name",
          "rooms"
        ],
        "properties": {
          "_id": "objectId",
          "name": {
            "bsonType": "string"
          },
          "rooms": {
            "bsonType": "array",
            "items": {
              "bsonType": "string"
            }
          }
        }
      }

      """
    let schema = place.file("Club.json")
    try club.write(toFile: schema, atomically: true, encoding: .utf8)
    let (new, folder) = (place.file("new.kennel"), place.file("out"))
    #expect(try Kennel.run("import", new, "--schema", schema).exitCode == 0)
    let arguments = ["schema", new, "--format", "jsonschema", "--output", folder, "--app-services"]
    #expect(try Kennel.run(all: arguments).exitCode == 0)
    #expect(try place.text("out/Club/schema.json") == club)
    // Neither a compacted copy nor one made of its lines is another.
    #expect(try Kennel.run("compact", new).exitCode == 0)
    #expect(try Kennel.run(all: arguments).exitCode == 0)
    #expect(try place.text("out/Club/schema.json") == club)
  }

  @Test func `reads the schemas of single collections`() throws {
    let services = place.file("services")
    _ = try lines("--format", "jsonschema", "--output", services, "--app-services")
    let folders = try Kennel.run(
      "generate",
      "swift",
      services + "/Person/",
      services + "/Dog",
      "--realm"
    )
    #expect(folders.exitCode == 0, "\(folders.messages)")
    #expect(folders.output.contains("var dogs: List<Dog>"))
    let files = ["Dog/schema.json", "Person/schema.json", "Person/relationships.json"]
    let paths = files.map { "\(services)/\($0)" }
    let single = try Kennel.run(all: ["generate", "swift"] + paths + ["--realm"])
    #expect(single.output.contains("var dogs: List<Dog>"))
  }
}

@Suite struct `The schemas of the sample` {
  @Test func `are those that its database has`() throws {
    let place = try TemporaryPlace()
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let sample = root.appendingPathComponent("sample-data/sample.jsonl").path
    let folder = root.appendingPathComponent("sample-data/schemas").path
    let file = place.file("sample.kennel")
    _ = try Kennel.run("import", file, sample)
    let made = place.file("schemas")
    let arguments = ["schema", file, "--format", "jsonschema", "--output", made, "--app-services"]
    #expect(try Kennel.run(all: arguments).exitCode == 0)
    let names = try FileManager.default.subpathsOfDirectory(atPath: made).sorted()
    #expect(try FileManager.default.subpathsOfDirectory(atPath: folder).sorted() == names)
    #expect(names.count == 36)
    for name in names where name.hasSuffix(".json") {
      let stored = FileManager.default.contents(atPath: "\(folder)/\(name)")
      #expect(stored == FileManager.default.contents(atPath: "\(made)/\(name)"), "\(name)")
    }
  }

  @Test func `and plain documents make the objects of the sample, links to keyless classes too`()
    throws
  {
    let place = try TemporaryPlace()
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let (file, copy) = (place.file("sample.kennel"), place.file("copy.kennel"))
    let sample = root.appendingPathComponent("sample-data/sample.jsonl").path
    let schemas = root.appendingPathComponent("sample-data/schemas").path
    #expect(try Kennel.run("import", file, sample).exitCode == 0)
    let plain = place.file("plain")
    #expect(try Kennel.run("export", file, "--format", "bson", "--output", plain).exitCode == 0)
    #expect(try Kennel.run("import", copy, "--schema", schemas).exitCode == 0)
    let outcome = try Kennel.run("import", copy, plain)
    #expect(outcome.exitCode == 0, "\(outcome.messages)")
    let predicate = "@links.@count > 0"
    let linked = try [file, copy].map { try Kennel.run("query", $0, "Dog", predicate).output }
    #expect(linked[0] == linked[1] && !linked[0].isEmpty)
  }
}
