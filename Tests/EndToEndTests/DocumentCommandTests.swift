import Foundation
import KennelTestSupport
import Testing

/// Documents of other programs on the command line, as `Documentation/Documents.md` shows them.
@Suite struct `Documents on the command line` {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static let family = """
    {"$kennel":1}
    {"$class":"Dog"}
    {"$property":"_id","type":"int","primaryKey":true}
    {"$property":"name","type":"string"}
    {"$property":"age","type":"int32?"}
    {"$class":"Person"}
    {"$property":"name","type":"string"}
    {"$property":"dogs","type":"list<link<Dog>>"}
    {"$property":"address","type":"link<Address>"}
    {"$class":"Address","embedded":true}
    {"$property":"city","type":"string?"}
    {"$object":"Dog/1","_id":7,"name":"Rex","age":5}
    {"$object":"Dog/2","_id":9,"name":"","age":null}
    {"$object":"Person/1","name":"Ada","dogs":[{"$ref":"Dog/1"},{"$ref":"Dog/2"}],"address":{"city":"London"}}
    {"$object":"Person/4","name":"Grace","dogs":[],"address":null}

    """

  private let place: TemporaryPlace
  private var file: String { place.file("family.kennel") }

  init() throws {
    place = try TemporaryPlace()
    let outcome = try Kennel.run("import", place.file("family.kennel"), input: Self.family)
    try #require(outcome.exitCode == 0, "\(outcome.messages)")
  }

  /// Runs a command that succeeds.
  @discardableResult
  private func run(_ arguments: String..., input: String = "") throws -> Outcome {
    let outcome = try Kennel.run(all: arguments, input: input)
    #expect(outcome.exitCode == 0, "\(arguments): \(outcome.messages)")
    return outcome
  }

  @Test(arguments: [[], ["--gzip"]])
  func `a dump and its way back give the same database`(options: [String]) throws {
    let dump = place.file("dump")
    let outcome = try Kennel.run(
      all: ["export", file, "--format", "dump", "--output", dump] + options
    )
    #expect(outcome.exitCode == 0, "\(outcome.messages)")
    let ending = options.isEmpty ? "" : ".gz"
    let names = try FileManager.default.contentsOfDirectory(atPath: dump + "/family").sorted()
    #expect(
      names
        == ["Dog.bson", "Dog.metadata.json", "Person.bson", "Person.metadata.json"]
        .map { $0 + ending }
    )
    for path in [dump, dump + "/family"] {
      let copy = place.file("copy-\(path.count).kennel")
      #expect(try run("import", copy, path).messages == "4 objects imported into \(copy)\n")
      #expect(try run("export", copy).output == Self.family)
    }
    #expect(try place.names().allSatisfy { !$0.hasSuffix(".new") })
  }

  @Test func `an archive goes through a pipe`() throws {
    let archive = place.file("family.archive")
    try run("export", file, "--format", "archive", "--gzip", "--output", archive)
    let copy = place.file("copy.kennel")
    try run("import", copy, archive)
    #expect(try run("export", copy).output == Self.family)
  }

  @Test func `a class and a predicate select what goes out`() throws {
    #expect(
      try run("export", file, "Dog", "--where", "age > 3", "--format", "relaxed").output
        == #"{"_id":7,"name":"Rex","age":5}"# + "\n"
    )
    #expect(
      try run("export", file, "Person", "--format", "json").output == """
        [
        {"_id":1,"name":"Ada","dogs":[7,9],"address":{"city":"London"}},
        {"_id":4,"name":"Grace","dogs":[]}
        ]

        """
    )
    #expect(
      try run("export", file, "Dog", "--format", "csv", "--separator", ";").output
        == "_id;name;age\n7;Rex;5\n9;\"\";\n"
    )
    #expect(
      try run("query", file, "Dog", "age > 3", "--format", "extjson").output
        == #"{"_id":{"$numberLong":"7"},"name":"Rex","age":{"$numberInt":"5"}}"# + "\n"
    )
    #expect(
      try run("query", file, "Dog", "name MATCHES[c] 'r.X'", "--format", "csv").output
        == "_id,name,age\n7,Rex,5\n"
    )
    let lines = try run("export", file, "Dog").output
    #expect(lines.contains("\"$class\":\"Person\"") && !lines.contains("Person/1"))
  }

  @Test func `a folder has a file for each class, and comes back`() throws {
    for format in ["bson", "extjson", "json", "csv"] {
      let folder = place.file(format)
      try run("export", file, "--format", format, "--output", folder)
      let copy = place.file("\(format).kennel")
      try run("import", copy, input: try run("schema", file, "--format", "jsonl").output)
      try run("import", copy, folder)
      #expect(try run("export", copy).output == Self.family, "\(format)")
    }
    let outcome = try Kennel.run("export", file, "--format", "bson")
    #expect(
      outcome.messages
        == "kennel: Cannot write 2 classes as one bson: name one class, or a folder with --output\n"
    )
  }

  @Test func `a folder that is there is left alone`() throws {
    let folder = place.file("dump")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: URL(fileURLWithPath: folder + "/notes.txt"))
    let outcome = try Kennel.run("export", file, "--format", "dump", "--output", folder)
    #expect(outcome.exitCode == 1)
    #expect(outcome.messages.contains("it is there and is no empty folder"))
    #expect(try place.text("dump/notes.txt") == "mine")
  }

  @Test func `a mistake names file, document and path, and leaves the database as it was`() throws {
    let before = try place.bytes("family.kennel")
    let text = "{\"_id\":1,\"name\":\"Max\"}\n{\"_id\":2,\"name\":\"Mo\",\"age\":3000000000}\n"
    let outcome = try Kennel.run("import", file, "--class", "Dog", input: text)
    #expect(outcome.exitCode == 1)
    #expect(outcome.messages.hasPrefix("kennel: line 2, Dog.age: "), "\(outcome.messages)")
    #expect(try place.bytes("family.kennel") == before)
    #expect(try place.names().sorted() == ["family.kennel", "family.kennel-lock"])

    let batch = try Kennel.run("import", file, "--class", "Dog", "--batch", "1", input: text)
    #expect(batch.exitCode == 1)
    #expect(try run("query", file, "Dog", "name == 'Max'", "--format", "relaxed").output != "")
  }

  @Test func `an error names the file that it is in`() throws {
    let documents = place.file("people.json")
    try Data("{\"name\":5}".utf8).write(to: URL(fileURLWithPath: documents))
    let outcome = try Kennel.run("import", file, documents, "--class", "Person")
    #expect(outcome.exitCode == 1)
    #expect(outcome.messages.hasPrefix("kennel: \(documents), line 1, Person.name: "))
  }

  @Test func `classes are not proposed for a file that is not there`() throws {
    let outcome = try Kennel.run("import", place.file("new.kennel"), "--infer", input: "{}")
    #expect(outcome.exitCode == 1)
    #expect(outcome.messages.contains("'kennel import DATABASE DOCUMENTS --infer'"))
  }

  @Test func `dangling links are refused or dropped`() throws {
    let text = #"{"name":"Linus","dogs":[7,8]}"#
    let refused = try Kennel.run("import", file, "--class", "Person", input: text)
    #expect(
      refused.messages == """
        kennel: line 1, Person.dogs[1]: there is no object with the key 8; --dangling null drops \
        such links

        """
    )
    let outcome = try run("import", file, "--class", "Person", "--dangling", "null", input: text)
    #expect(
      outcome.messages == "1 object imported into \(file); links dropped in 1 property\n"
    )
  }

  @Test func `classes come from JSON schemas`() throws {
    let schemas = place.file("schemas")
    try run("schema", file, "--format", "jsonschema", "--output", schemas)
    let copy = place.file("copy.kennel")
    let outcome = try run(
      "import",
      copy,
      "--schema",
      schemas,
      "--link",
      "Person.dogs=Dog"
    )
    #expect(outcome.messages.hasSuffix("\(copy) has 3 classes\n"), "\(outcome.messages)")
    let dump = place.file("out")
    try run("export", file, "--format", "bson", "--output", dump)
    try run("import", copy, dump)
    #expect(try run("export", copy).output.contains(#""dogs":[{"$ref":"Dog/1"},{"$ref":"Dog/2"}]"#))
  }

  @Test func `classes come from the documents, once that is wanted`() throws {
    let text = """
      {"_id":1,"name":"Rex"}
      {"_id":2,"name":"Bella","sire":1,"age":3}

      """
    let path = place.file("Dog.json")
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    let copy = place.file("copy.kennel")
    for arguments in [["import", path, "--infer"], ["import", copy, path, "--infer"]] {
      let outcome = try Kennel.run(all: arguments)
      #expect(outcome.exitCode == 0)
      #expect(outcome.output.hasPrefix("class Dog, 2 documents\n"), "\(outcome.output)")
      #expect(!FileManager.default.fileExists(atPath: copy))
    }
    try run("import", copy, path, "--infer", "--yes", "--link", "Dog.sire=Dog")
    #expect(
      try run("export", copy, "Dog", "--format", "relaxed").output
        == #"{"_id":1,"name":"Rex"}"# + "\n" + #"{"_id":2,"name":"Bella","sire":1,"age":3}"# + "\n"
    )
    let csv = place.file("Cat.csv")
    try Data("_id,name,zip,born\n1,Tom,007,2020-01-01T00:00:00Z\n2,,12,\n".utf8)
      .write(to: URL(fileURLWithPath: csv))
    let cats = place.file("cats.kennel")
    try run("import", cats, csv, "--infer", "--yes")
    let schema = try run("schema", cats).output
    for line in ["_id   int, primary key", "name  string?", "zip   string", "born  date?"] {
      #expect(schema.contains(line), "\(schema)")
    }
  }

  @Test func `what is renamed, left out or turned into text is listed, and nothing is refused`()
    throws
  {
    let path = place.file("people.json")
    let text =
      #"{"@id": "ada", "@type": "Person", "name": "Ada", "seen": {"$timestamp": {"t": 1700000000, "i": 1}}}"#
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    let new = place.file("people.kennel")
    let made = try run("import", new, path, "--infer", "--yes", "--skip", "@type")
    let guide = try String(
      contentsOf: Self.root.appendingPathComponent("Documentation/Documents.md"),
      encoding: .utf8
    )
    #expect(guide.contains("--infer --yes --skip @type\n" + made.output))
    #expect(
      made.messages == """
        1 object imported into \(new)
          left out: people.@type, 1 time
          renamed: people.@id to id, 1 time
          turned into text: people.seen, 1 time

        """
    )
    let again = try Kennel.run("import", new, path, "--rename", "@id=key", "--class", "people")
    #expect(again.exitCode == 1)
    #expect(
      again.messages.hasSuffix(
        "people.key: people has no such property; --skip key leaves it out, --rename key=NAME gives it "
          + "another name, --ignore-unknown leaves out all such members\n"
      ),
      "\(again.messages)"
    )
    for (option, value) in [("--rename", "a"), ("--rename", "a=b.c"), ("--date-format", "%d")] {
      #expect(try Kennel.run("import", new, path, option, value).exitCode == 2)
    }
    let lines = try Kennel.run("import", new, "-", "--skip", "a", input: Self.family)
    #expect(lines.exitCode == 1 && lines.messages.contains("holds a whole database"))
  }

  @Test func `a German CSV and one of pandas are read`() throws {
    let prices = place.file("Preise.csv")
    try Data("Ware;Preis;ab\nTee;1.234,50;24.12.1999\n".utf8)
      .write(to: URL(fileURLWithPath: prices))
    let shown = try run("import", prices, "--infer").output
    #expect(shown.contains("--decimal-comma reads them"))
    #expect(shown.contains("--date-format %d.%m.%Y reads them"))
    let new = place.file("new.kennel")
    let options = ["--infer", "--yes", "--decimal-comma", "--date-format", "%d.%m.%Y"]
    #expect(try Kennel.run(all: ["import", new, prices] + options).exitCode == 0)
    #expect(
      try run("export", new, "--format", "csv").output
        == "_id,Ware,Preis,ab\n1,Tee,1234.5,1999-12-24T00:00:00Z\n"
    )
    let frame = place.file("frame.csv")
    try Data(",a,when\n0,1.5,2024-01-01\n1,2,2024-01-02 10:00:00\n".utf8)
      .write(to: URL(fileURLWithPath: frame))
    let made = try run("import", place.file("frame.kennel"), frame, "--infer", "--yes")
    #expect(made.output.contains("\n  when     date    2 date"))
    #expect(made.output.hasSuffix("\nRenamed\n  frame.\"\" to column1\n"))
    #expect(made.messages.hasSuffix("  renamed: frame.\"\" to column1, 2 times\n"))
  }

  @Test func `references are links to the documents beside them or in the database`() throws {
    let folder = place.file("shop")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let id = #"{"$oid":"652d8f3a0000000000000001"}"#
    let order = #"{"_id":1,"by":{"$ref":"people","$id":\#(id),"$db":"shop"}}"#
    for (name, text) in [("people", #"{"_id":\#(id),"name":"Ada"}"#), ("orders", order)] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name).json"))
    }
    let new = place.file("shop.kennel")
    try run("import", new, folder, "--infer", "--yes")
    let line = #"{"$object":"orders/1","_id":1,"by":{"$ref":"people/1"}}"#
    #expect(try run("export", new).output.contains(line))
    let later = place.file("later.kennel")
    try run("import", later, folder + "/people.json", "--infer", "--yes")
    try run("import", later, folder + "/orders.json", "--infer", "--yes")
    #expect(try run("export", later).output.contains(line))
  }

  @Test func `the dump of the sample is fresh`() throws {
    let sample = place.file("sample.kennel")
    try run("import", sample, Self.root.appendingPathComponent("sample-data/sample.jsonl").path)
    let dump = place.file("dump")
    try run("export", sample, "--format", "dump", "--output", dump)
    let folder = Self.root.appendingPathComponent("sample-data/dump/sample")
    let names = try FileManager.default.contentsOfDirectory(atPath: dump + "/sample").sorted()
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == names,
      "kennel export sample.kennel --format dump --output sample-data/dump"
    )
    for name in names {
      let fresh = try Data(contentsOf: URL(fileURLWithPath: dump + "/sample/" + name))
      let kept = try Data(contentsOf: folder.appendingPathComponent(name))
      #expect(
        kept == fresh,
        "\(name): kennel export sample.kennel --format dump --output sample-data/dump"
      )
    }
    let copy = place.file("copy.kennel")
    try run("import", copy, folder.path)
    #expect(try run("export", copy).output == run("export", sample).output)
  }
}
