import Foundation
import KennelTestSupport
import Testing

/// Mistakes that are easily made on a command line, and cost nothing.
@Suite struct `A mistake on the command line` {
  private let place: TemporaryPlace
  private var file: String { place.file("family.kennel") }

  private static let family = """
    {"$kennel":1}
    {"$class":"Dog"}
    {"$property":"name","type":"string"}
    {"$object":"Dog/1","name":"Rex"}

    """

  init() throws {
    place = try TemporaryPlace()
    let outcome = try Kennel.run("import", place.file("family.kennel"), input: Self.family)
    try #require(outcome.exitCode == 0, "\(outcome.messages)")
    #expect(outcome.messages == "1 object imported into \(place.file("family.kennel"))\n")
  }

  @Test func `does not write a document over a database`() throws {
    try Kennel.run("export", file).output.write(
      toFile: place.file("family.jsonl"),
      atomically: true,
      encoding: .utf8
    )
    _ = try Kennel.run("import", place.file("other.kennel"), place.file("family.jsonl"))
    for name in ["family.kennel", "other.kennel"] {
      let before = try place.bytes(name)
      let outcome = try Kennel.run("export", file, "--output", place.file(name))
      #expect(outcome.exitCode == 1)
      #expect(outcome.messages.contains("a database lies there; choose another name"))
      #expect(try place.bytes(name) == before)
    }
  }

  @Test func `such as a database in the place of a document is told as that`() throws {
    let outcome = try Kennel.run("import", place.file("new.kennel"), file)
    #expect(outcome.exitCode == 1)
    #expect(
      outcome.messages.contains("it is a database, not a document; 'kennel export' makes one")
    )
    #expect(!place.exists("new.kennel"))
  }

  @Test func `such as a folder that is to be compacted is told as that`() throws {
    for path in [place.path, "/dev/null"] {
      let outcome = try Kennel.run("compact", path)
      #expect(outcome.exitCode == 1)
      #expect(outcome.messages == "kennel: Cannot open \(path): it is not a regular file\n")
    }
  }

  @Test func `is not answered with an advice that cannot be followed`() throws {
    let bytes = try place.bytes("family.kennel")
    try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: place.file("cut.kennel")))
    let outcome = try Kennel.run("export", place.file("cut.kennel"))
    #expect(outcome.exitCode == 1)
    #expect(outcome.messages.hasSuffix("Restore it from a copy\n"), "\(outcome.messages)")
  }

  @Test func `does not put a file in the place of a link, a device or a pipe`() throws {
    try FileManager.default.createSymbolicLink(
      atPath: place.file("link"),
      withDestinationPath: "target"
    )
    try Data("old".utf8).write(to: URL(fileURLWithPath: place.file("target")))
    #expect(try Kennel.run("export", file, "--output", place.file("link")).exitCode == 0)
    #expect(try place.text("target") == Self.family)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: place.file("link")) == "target"
    )
    let kennel = try Executable.path("kennel")
    let script = "mkfifo \"$1\" && { cat \"$1\" & } && \(kennel) export \"$2\" -o \"$1\" && wait"
    let piped = try Executable.run(
      "/bin/sh",
      ["-c", script, "sh", place.file("pipe"), file],
      environment: Executable.environment()
    )
    #expect(piped.output == Self.family)
    #expect(try Kennel.run("export", file, "--output", "/dev/null").exitCode == 0)
    let dashed = try Kennel.run("export", file, "--output", "-")
    #expect(dashed.output == Self.family)
  }

  @Test func `is told without bytes that control the terminal`() throws {
    let red = "{\"$kennel\":1}\n{\"$class\":\"\\u001b[31mDog\"}\n"
    let outcome = try Kennel.run("import", place.file("red.kennel"), input: red)
    #expect(outcome.exitCode == 1)
    #expect(outcome.messages.contains("\\u{1b}[31mDog"))
    #expect(!outcome.messages.contains("\u{1b}"))
  }

  @Test func `in the name of a command is told as that`() throws {
    let outcome = try Kennel.run("quary", file, "Dog")
    #expect(outcome.exitCode == 2)
    #expect(outcome.messages.contains("neither a command nor a file named 'quary'"))
    #expect(outcome.messages.contains("import, export, query"))
  }

  @Test func `such as a name that is not UTF-8 is told, not mended`() throws {
    let kennel = try Executable.path("kennel")
    let script = "\(kennel) query \"$1\" Dog \"name == '$(printf '\\377')'\" 2>&1; echo $?"
    let outcome = try Executable.run(
      "/bin/sh",
      ["-c", script, "sh", file],
      environment: Executable.environment()
    )
    #expect(outcome.output.hasPrefix("kennel: Argument 4, "))
    #expect(outcome.output.contains("is not UTF-8"))
    #expect(outcome.output.hasSuffix("\n2\n"))
    let plain = try Kennel.run("query", file, "Dog", "name != '\u{fffd}'")
    #expect(plain.output.contains("Rex"))
  }
}
