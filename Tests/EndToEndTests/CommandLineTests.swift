import Foundation
import Testing

private let family = """
  {"$kennel":1}
  {"$class":"Dog"}
  {"$property":"name","type":"string"}
  {"$property":"age","type":"int"}
  {"$class":"Person"}
  {"$property":"dogs","type":"list<link<Dog>>"}
  {"$object":"Dog/1","name":"Rex","age":5}
  {"$object":"Dog/2","name":"","age":3}
  {"$object":"Person/1","dogs":[{"$ref":"Dog/1"},{"$ref":"Dog/1"}]}

  """

@Suite struct `The command line` {
  private let place: TemporaryPlace
  private var file: String { place.file("family.kennel") }

  init() throws {
    place = try TemporaryPlace()
    let outcome = try Kennel.run("import", place.file("family.kennel"), input: family)
    try #require(outcome.exitCode == 0, "\(outcome.messages)")
  }

  @Test func `imports from a pipe and exports the same text`() throws {
    let outcome = try Kennel.run("export", file)
    #expect(outcome.exitCode == 0)
    #expect(outcome.output == family)
    #expect(outcome.messages.isEmpty)
  }

  @Test func `exports to a file that appears when it is complete`() throws {
    let outcome = try Kennel.run("export", file, "--output", place.file("out.jsonl"))
    #expect(outcome.exitCode == 0)
    #expect(try place.text("out.jsonl") == family)
    #expect(try place.names().filter { $0.hasSuffix(".new") }.isEmpty)
  }

  @Test func `a failing import leaves the bytes of the file as they were`() throws {
    let before = try place.bytes("family.kennel")
    let wrong = family + #"{"$object":"Person/2","dogs":[{"$ref":"Dog/1"},{"$ref":"Dog/9"}]}"#
    let outcome = try Kennel.run("import", file, input: wrong)
    #expect(outcome.exitCode == 1)
    #expect(outcome.output.isEmpty)
    #expect(
      outcome.messages
        == "kennel: line 10, Person.dogs[1]: there is no object Dog/9; --dangling null drops such links\n"
    )
    #expect(try place.bytes("family.kennel") == before)
  }

  @Test func `a failing import into a new file leaves none`() throws {
    let outcome = try Kennel.run("import", place.file("new.kennel"), input: "{\"$kennel\":1}\n[]")
    #expect(outcome.exitCode == 1)
    #expect(outcome.messages.hasPrefix("kennel: line 2: Expected"))
    #expect(try place.names().filter { $0.hasPrefix("new") }.isEmpty)
  }

  @Test func `a look at a file does not change it`() throws {
    let before = try place.bytes("family.kennel")
    let modified =
      try FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date
    for arguments in [
      ["export", file], ["schema", file], ["check", file], ["query", file, "Dog"],
    ] {
      let outcome = try Kennel.run(all: arguments)
      #expect(outcome.exitCode == 0, "\(arguments): \(outcome.messages)")
    }
    #expect(try place.bytes("family.kennel") == before)
    let after = try FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date
    #expect(after == modified)
  }

  @Test func `queries as lines of JSON and as text`() throws {
    let json = try Kennel.run("query", file, "Dog", "age > 4")
    #expect(json.output == "{\"$object\":\"Dog/1\",\"name\":\"Rex\",\"age\":5}\n")
    let text = try Kennel.run("query", file, "Dog", "--sort", "age", "--format", "text")
    #expect(text.output == "object\tname\tage\nDog/2\t\"\"\t3\nDog/1\tRex\t5\n")
    let limited = try Kennel.run("query", file, "Dog", "--sort", "age DESC", "--limit", "1")
    #expect(limited.output.contains("Dog/1") && !limited.output.contains("Dog/2"))
  }

  @Test func `an error in a predicate points at its place`() throws {
    let outcome = try Kennel.run("query", file, "Dog", "naem == 'Rex'")
    #expect(outcome.exitCode == 1)
    #expect(outcome.output.isEmpty)
    #expect(outcome.messages.contains("Column 1"))
    #expect(outcome.messages.contains("name"))
    #expect(outcome.messages.hasSuffix("\n  naem == 'Rex'\n  ^\n"))
  }

  @Test func `an error in a long predicate shows what is around its place`() throws {
    let long = Array(repeating: "age > 1", count: 1_000).joined(separator: " AND ")
    let outcome = try Kennel.run("query", file, "Dog", "\(long) AND naem == 'Rex' AND \(long)")
    let lines = outcome.messages.split(separator: "\n")
    #expect(lines.count == 3 && lines.allSatisfy { $0.count < 200 })
    let mark = try #require(lines.last?.firstIndex(of: "^")).utf16Offset(in: lines[2])
    #expect(lines[1].dropFirst(mark).hasPrefix("naem == 'Rex'"))
    #expect(lines[1].hasPrefix("  …") && lines[1].hasSuffix("…"))
  }

  @Test func `a check of a sound file says so, of a damaged one what is wrong`() throws {
    let sound = try Kennel.run("check", file)
    #expect(sound.exitCode == 0)
    #expect(sound.output.isEmpty && sound.messages.hasSuffix("is sound\n"))
    var bytes = try place.bytes("family.kennel")
    for position in stride(from: 8192, to: bytes.count, by: 512) { bytes[position] ^= 0x55 }
    try bytes.write(to: URL(fileURLWithPath: place.file("damaged.kennel")))
    let damaged = try Kennel.run("check", place.file("damaged.kennel"))
    #expect(damaged.exitCode == 1)
    #expect(damaged.messages.hasPrefix("kennel: "))
  }

  @Test func `compacts a file, unless a program has it open`() throws {
    let outcome = try Kennel.run("compact", file)
    #expect(outcome.exitCode == 0 && outcome.output.isEmpty)
    let size = try place.bytes("family.kennel").count
    #expect(outcome.messages.hasSuffix(" to \(size) bytes\n"))
    #expect(try Kennel.run("export", file).output == family)
    #expect(try Set(place.names()) == ["family.kennel", "family.kennel-lock"])
    // What every program does that opens a file.
    let descriptor = unsafe open(file, O_RDONLY)
    defer { close(descriptor) }
    var use = flock(l_type: Int16(F_RDLCK), l_whence: 0, l_start: 1 << 62, l_len: 1, l_pid: 0)
    let setLockOfDescriptor: Int32 = 37
    #expect(unsafe fcntl(descriptor, setLockOfDescriptor, &use) == 0)
    let refused = try Kennel.run("compact", file)
    #expect(refused.exitCode == 1 && refused.output.isEmpty)
    #expect(refused.messages.hasPrefix("kennel: \(file) stays as it is: a program has it open"))
  }

  @Test func `tells the schema as text and as lines`() throws {
    let text = try Kennel.run("schema", file)
    #expect(
      text.output == """
        Dog  2 objects
          name        string
          age         int
                *     ← Person.dogs

        Person  1 object
          dogs  *     → Dog

        """
    )
    let lines = try Kennel.run("schema", file, "--format", "jsonl")
    #expect(family.hasPrefix(lines.output) && lines.output.contains("$class"))
  }

  @Test(arguments: [
    ["frobnicate", "a", "b"], ["export"], ["query"], ["sample"], ["export", "a", "--colour"],
    ["query", "a", "Dog", "--limit", "-1"], ["query", "a", "Dog", "--format", "xml"],
    ["sample", "a", "--dogs", "many"], ["sample", "a", "--reset"],
  ])
  func `wrong arguments are said so with code 2`(_ arguments: [String]) throws {
    let outcome = try Kennel.run(all: arguments)
    #expect(outcome.exitCode == 2)
    #expect(outcome.output.isEmpty)
    #expect(outcome.messages.hasPrefix("kennel: "))
    #expect(outcome.messages.contains("Usage: kennel"))
  }

  @Test(arguments: [
    (["query", "a", "Dog", "--limit"], "of 0 or more", "--limit <limit>"),
    (["query", "a", "Dog", "-l"], "of 0 or more", "-l <limit>"),
    (["export", "a", "--closure", "Dog/1", "--depth"], "of 0 or more", "--depth <depth>"),
    (["import", "a", "--batch"], "of 1 or more", "--batch <batch>"),
    (["import", "a", "--line-limit"], "from 1 to 4095", "--line-limit <line-limit>"),
    (["sample", "a", "--dogs"], "from 0 to 1000000000", "--dogs <dogs>"),
    (["sample", "a", "--people"], "from 0 to 1000000000", "--people <people>"),
  ])
  func `a number that is none is said so`(
    _ arguments: [String],
    range: String,
    option: String
  ) throws {
    for number in ["-1", "-99999999999999999999", "99999999999999999999", "many", "1.5", ""] {
      let outcome = try Kennel.run(all: arguments + [number])
      let isTooLarge = number.hasPrefix("9") && range.hasSuffix("more")
      #expect(outcome.exitCode == 2)
      #expect(
        outcome.messages.hasPrefix(
          "kennel: The value '\(number)' is invalid for '\(option)': it takes a whole number "
            + "\(range)\(isTooLarge ? ", and this one is too large" : "")\n"
        )
      )
    }
  }

  @Test func `a number may be as large as there are numbers`() throws {
    let most = "\(Int.max)"
    let query = try Kennel.run("query", file, "Dog", "--limit", most)
    #expect(query.exitCode == 0 && query.output.contains("Dog/2"))
    let export = try Kennel.run("export", file, "--closure", "Person/1", "--depth", most)
    #expect(export.exitCode == 0 && export.output.contains("Dog/1"))
    let more = try Kennel.run("import", file, "--batch", most, input: family)
    #expect(more.exitCode == 0)
  }

  @Test func `permissions are those of a file that its owner can use`() throws {
    for text in ["-1", "800", "rw", "1640", "040", ""] {
      let outcome = try Kennel.run("import", place.file("new.kennel"), "--mode", text)
      #expect(outcome.exitCode == 2)
      #expect(outcome.messages.contains("it takes an octal number from 600 to 777, such as 640"))
    }
  }

  @Test(arguments: [
    "export", "query", "schema", "check", "compact", "stats", "space", "watch", "browse",
  ])
  func `a file that is missing or no database fails with code 1`(_ command: String) throws {
    try Data("not a database".utf8).write(to: URL(fileURLWithPath: place.file("text.kennel")))
    for name in ["missing.kennel", "text.kennel"] {
      let arguments = [command, place.file(name)] + (command == "query" ? ["Dog"] : [])
      let outcome = try Kennel.run(all: arguments)
      #expect(outcome.exitCode == 1)
      #expect(outcome.output.isEmpty)
      #expect(outcome.messages.hasPrefix("kennel: ") && outcome.messages.contains(name))
      #expect(!outcome.messages.contains("terminal"))
    }
    #expect(!place.exists("missing.kennel"))
  }

  @Test func `help has examples and goes to standard output`() throws {
    let help = try Kennel.run("--help").output
    let list = try #require(help.split(separator: "SUBCOMMANDS:\n").last)
    let commands = list.matches(of: /(?m)^  ([a-z]+)/).map { String($0.1) }
    #expect(commands.count > 15)
    for command in [[]] + commands.map({ [$0] }) {
      let outcome = try Kennel.run(all: command + ["--help"])
      #expect(outcome.exitCode == 0)
      #expect(outcome.messages.isEmpty)
      #expect(outcome.output.contains("Examples:\n"), "\(command)")
      #expect(outcome.output.contains("  kennel"))
    }
  }

  @Test func `the help says first how to open a file`() throws {
    let outcome = try Kennel.run("--help")
    #expect(outcome.output.contains("USAGE: kennel [<file>] [--read-only]\n"))
  }

  @Test func `browsing needs a terminal`() throws {
    for arguments in [[file], ["browse", file], ["browse", "--read-only", file], []] {
      let outcome = try Kennel.run(all: arguments)
      #expect(outcome.exitCode == 1)
      #expect(outcome.output.isEmpty)
      #expect(outcome.messages.hasPrefix("kennel: Cannot browse: "))
    }
  }
}
