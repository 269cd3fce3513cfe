import Foundation
import KennelCore
import KennelTestSupport
import Testing

/// `doctor`, `diff`, `stats` and `watch`.
struct `A report` {
  private let place: TemporaryPlace
  private var file: String { place.file("family.kennel") }

  private static let schema = """
    {"$kennel":1}
    {"$class":"Dog"}
    {"$property":"name","type":"string"}
    {"$property":"age","type":"int"}
    {"$class":"Person"}
    {"$property":"id","type":"int","primaryKey":true}
    {"$property":"dogs","type":"list<link<Dog>>"}

    """

  private static let family =
    schema + """
      {"$object":"Dog/1","name":"Rex","age":5}
      {"$object":"Dog/2","name":"Bella","age":3}
      {"$object":"Dog/3","name":"Fido","age":3}
      {"$object":"Dog/4","name":"Stray\\u001b[31m","age":3}
      {"$object":"Person/1","id":7,"dogs":[{"$ref":"Dog/1"},{"$ref":"Dog/2"},{"$ref":"Dog/3"}]}

      """

  init() throws {
    place = try TemporaryPlace()
    try make("family.kennel", Self.family)
  }

  private func make(_ name: String, _ text: String) throws {
    let outcome = try Kennel.run("import", place.file(name), input: text)
    try #require(outcome.exitCode == 0, "\(outcome.messages)")
  }

  /// The lines of JSON as dictionaries.
  private func objects(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
      return try #require(object as? [String: Any])
    }
  }

  @Test func `of the doctor ends with 1 where it finds something, and its queries work`() throws {
    let outcome = try Kennel.run("doctor", file)
    #expect(outcome.exitCode == 1)
    #expect(
      outcome.output == """
        1 object of Dog has no link to it; 3 of 4 have one from Person.dogs
          Dog where @links.@count == 0

        """
    )
    #expect(outcome.messages == "\(file): 1 finding\n")
    let finding = try #require(try objects(Kennel.run("doctor", file, "--json").output).first)
    #expect(finding["finding"] as? String == "orphan")
    #expect(finding["objects"] as? [String] == ["Dog/4"])
    let query = try #require(finding["query"] as? String)
    #expect(try Kennel.run("query", file, "Dog", query).output.contains("Dog/4"))
  }

  @Test func `of the doctor ends with 0 where it finds nothing`() throws {
    try make("empty.kennel", Self.schema)
    let outcome = try Kennel.run("doctor", place.file("empty.kennel"))
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.isEmpty)
    #expect(outcome.messages == "\(place.file("empty.kennel")): nothing found\n")
  }

  @Test func `of a difference ends with 0, 1 or 2`() throws {
    try FileManager.default.copyItem(atPath: file, toPath: place.file("copy.kennel"))
    let same = try Kennel.run("diff", file, place.file("copy.kennel"))
    #expect((same.exitCode, same.output, same.messages) == (0, "", "No difference\n"))
    try make(
      "other.kennel",
      Self.family.replacing("\"age\":5", with: "\"age\":6").replacing("\"int\"", with: "\"int32\"")
    )
    let other = try Kennel.run("diff", file, place.file("other.kennel"), "--class", "Dog")
    #expect(other.exitCode == 1)
    #expect(other.output == "Dog.age: int → int32\n~ Dog/1 Rex\n    age: 5 → 6\n")
    #expect(other.messages == "1 difference of the schema, 1 object changed\n")
    let changes = try objects(
      Kennel.run("diff", file, place.file("other.kennel"), "--json", "--class", "Dog").output
    )
    #expect(changes.map { $0["change"] as? String } == ["schema", "changed"])
    #expect(changes.last?["key"] as? Int == 1)
  }

  @Test func `of a difference refuses a class whose objects are parts of others`() throws {
    let sample = place.file("sample.kennel")
    try #require(Kennel.run("sample", sample, "--dogs", "1", "--people", "1").exitCode == 0)
    let outcome = try Kennel.run("diff", sample, sample, "--class", "Address")
    #expect((outcome.exitCode, outcome.output) == (2, ""))
    #expect(
      outcome.messages.hasPrefix("kennel: Class Address is embedded, and its objects are compared")
    )
  }

  @Test func `writes nothing that a terminal would take for a command`() throws {
    try make("empty.kennel", Self.schema)
    for arguments in [
      ["diff", file, place.file("empty.kennel")], ["stats", file], ["stats", file, "Dog"],
      ["diff", file, place.file("empty.kennel"), "--json"], ["stats", file, "--json"],
    ] {
      let outcome = try Kennel.run(all: arguments)
      #expect(outcome.output.contains("Stray") || outcome.output.contains("Rex"))
      #expect(!outcome.output.contains("\u{1b}"))
    }
  }

  @Test(arguments: ["doctor", "diff", "stats", "watch"])
  func `of what is no database says why`(command: String) throws {
    try Data("text".utf8).write(to: URL(fileURLWithPath: place.file("text")))
    try place.bytes("family.kennel").prefix(9_000)
      .write(to: URL(fileURLWithPath: place.file("cut.kennel")))
    let code: Int32 = ["doctor", "diff"].contains(command) ? 2 : 1
    for (name, reason) in [
      ("missing", "no such file"), ("text", "Cannot open"), ("cut.kennel", "Cannot"),
    ] {
      let second = command == "diff" ? [file] : []
      let outcome = try Kennel.run(all: [command, place.file(name)] + second)
      #expect(outcome.exitCode == code, "\(name)")
      #expect(outcome.output.isEmpty)
      #expect(outcome.messages.hasPrefix("kennel: Cannot open \(place.file(name))"))
      #expect(outcome.messages.contains(reason))
    }
  }

  @Test func `of a class that does not exist names the nearest`() throws {
    for arguments in [
      ["stats", file, "Dgo"], ["diff", file, file, "--class", "Dgo"],
      ["watch", file, "--class", "Dgo"],
    ] {
      let outcome = try Kennel.run(all: arguments)
      #expect(outcome.exitCode == (arguments[0] == "diff" ? 2 : 1))
      #expect(
        outcome.messages
          == "kennel: There is no class Dgo in \(file): it has Dog, Person; did you mean 'Dog'?\n"
      )
    }
    let outcome = try Kennel.run("stats", file, "Dog", "aeg")
    #expect(outcome.messages.hasSuffix("it has name, age; did you mean 'age'?\n"))
  }

  @Test func `of statistics has a line for each property, or all of one`() throws {
    let all = try Kennel.run("stats", file)
    #expect(all.exitCode == 0)
    #expect(all.output.contains("Dog: 4 objects\n"))
    #expect(all.output.contains("  age  int  2 different  3 to 5\n"))
    let age = try Kennel.run("stats", file, "Dog", "age").output
    for line in ["least      3", "greatest   5", "mean       3.5", "quartiles  3, 3, 3"] {
      #expect(age.contains(line))
    }
    let dogs = try #require(
      objects(Kennel.run("stats", file, "Person", "dogs", "--json").output).first
    )
    let into = try #require(dogs["linksIn"] as? [String: Any])
    #expect(into["unlinked"] as? Int == 1)
  }

  @Test func `of what others commit comes line by line, while they commit`() throws {
    let process = Process()
    let (output, messages) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: try Executable.path("kennel"))
    process.arguments = ["watch", file]
    process.environment = Executable.environment(adding: [:], home: place.path)
    process.standardOutput = output
    process.standardError = messages
    try process.start()
    defer { process.terminate() }
    // It says that it watches before anything is committed.
    let note = String(decoding: messages.fileHandleForReading.availableData, as: UTF8.self)
    #expect(note.contains("what is committed from now on follows"))
    let outcome = try Kennel.run(
      "import",
      file,
      input: Self.schema + #"{"$object":"Dog/9","name":"New","age":1}"# + "\n"
    )
    try #require(outcome.exitCode == 0, "\(outcome.messages)")
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    let change = try #require(objects(line).first)
    #expect(change["change"] as? String == "created")
    #expect(change["class"] as? String == "Dog")
    #expect((change["commit"] as? Int ?? 0) > (change["since"] as? Int ?? 0))
    #expect((change["time"] as? String)?.hasSuffix("Z") == true)
    let values = try #require(change["values"] as? [[String: Any]])
    #expect(values.map { $0["path"] as? String } == ["name", "age"])
    #expect(values.first?["new"] as? String == "New")
  }
}
