import Foundation
import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

private let family = """
  {"$kennel":1}
  {"$class":"Dog"}
  {"$property":"name","type":"string"}
  {"$object":"Dog/1","name":"Rex"}

  """

/// What one may read and not write, and what others may do with what one writes.
@Suite struct `Permissions` {
  private let place: TemporaryPlace
  private var file: String { place.file("box/family.kennel") }

  init() throws {
    place = try TemporaryPlace()
    try makeFolder("box")
    let outcome = try Kennel.run("import", place.file("box/family.kennel"), input: family)
    try #require(outcome.exitCode == 0, "\(outcome.messages)")
  }

  private func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: place.file(name),
      withIntermediateDirectories: false
    )
  }

  private func mode(_ name: String) -> mode_t {
    var facts = stat()
    return unsafe stat(place.file(name), &facts) == 0 ? facts.st_mode & 0o777 : 0
  }

  /// Runs a shell script with `kennel` as $1, and the folder of the test as its own.
  private func run(
    _ script: String,
    input: String = ""
  ) throws -> (exitCode: Int32, messages: String) {
    try Data(input.utf8).write(to: URL(fileURLWithPath: place.file("input")))
    let script = "cd '\(place.path)' && exec 2>&1 <input && \(script)"
    let (status, output) = try Executable.run(
      Executable.system("sh"),
      ["-c", script, "sh", Executable.path("kennel")],
      environment: Executable.environment()
    )
    return (status >> 8, output)
  }

  // MARK: - Reading what may not be written

  /// What precedes a program so that permissions hold, also for root.
  private static let obeying =
    geteuid() == 0
    ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all"] : []

  /// Runs `kennel` where the folder may not be written; it must stay as it is.
  private func withLockedFolder(_ body: () throws -> Void) throws {
    unsafe unlink(file + "-lock")
    unsafe chmod(place.file("box"), 0o555)
    defer { unsafe chmod(place.file("box"), 0o755) }
    try body()
    #expect(try place.names(in: "box") == ["family.kennel"])
  }

  @Test(
    arguments: [
      "query FILE Dog", "export FILE", "schema FILE", "check FILE", "stats FILE", "space FILE",
      "doctor FILE", "diff FILE FILE", "generate swift FILE", "FILE --screen 80x24",
    ] as [String]
  )
  func `are not needed by a command that only reads`(command: String) throws {
    let words = command.replacing("FILE", with: file)
    let expected = try run("\"$1\" \(words)")
    #expect(expected.exitCode == 0)
    try withLockedFolder {
      let found = try run("exec \(Self.obeying.joined(separator: " ")) \"$1\" \(words)")
      #expect(found.exitCode == 0)
      guard !words.contains("--screen") else {
        #expect(found.messages.contains("READ ONLY"))
        return
      }
      #expect(found.messages == expected.messages)
    }
  }

  @Test func `to write are missing, and the error says which`() throws {
    try withLockedFolder {
      let obeying = Self.obeying.joined(separator: " ")
      let imported = try run("exec \(obeying) \"$1\" import \(file)", input: family)
      #expect(imported.exitCode == 1)
      #expect(
        imported.messages == """
          kennel: Cannot write to \(file): its lock file family.kennel-lock cannot be made or written \
          (Permission denied)

          """
      )
      let watched = try run("exec \(obeying) \"$1\" watch \(file)")
      #expect(watched.exitCode == 1)
      #expect(watched.messages.hasPrefix("kennel: Cannot watch \(file): new commits are seen only"))
    }
  }

  @Test(arguments: [[], ["--read-only"]])
  func `to write are missing, and the browser says so`(options: [String]) throws {
    try withLockedFolder {
      let command = try Self.obeying.first.map { [try Executable.system($0)] } ?? []
      let terminal = try TmuxTerminal(
        command + Self.obeying.dropFirst() + [try Executable.path("kennel"), file] + options,
        size: Size(columns: 110, rows: 24),
        environment: ["XDG_STATE_HOME": place.file("state")]
      )
      try terminal.waitFor("READ ONLY")
      let reason = options.isEmpty ? "its lock file cannot be written" : "it was opened read-only"
      try terminal.waitFor("This file is read only: \(reason); new commits are not seen")
      try terminal.press("Enter l e")
      try terminal.waitFor("This file is read only: \(reason)")
    }
  }

  // MARK: - What others may do

  @Test func `of a file for others are those of the umask, and of a database the owner's`() throws {
    let script = """
      umask 027; k="$1"; f=box/family.kennel
      $k export $f -o out.jsonl && $k export $f -f csv -o out.csv Dog && $k export $f -f dump -o dump
      $k generate swift $f -o Models.swift; $k schema $f --format jsonschema --output schemas
      $k sample new.kennel --dogs 1 --people 1 --mode 664
      $k import own.kennel out.jsonl; $k import shared.kennel out.jsonl --mode 640
      : > empty.kennel; chmod 604 empty.kennel; $k import empty.kennel out.jsonl
      : > old; chmod 666 old; $k export $f -o old
      : > secret; chmod 600 secret; $k export $f -o secret
      """
    #expect(try run(script).exitCode == 0)
    let wanted: KeyValuePairs<String, mode_t> = [
      "out.jsonl": 0o640, "out.csv": 0o640, "dump": 0o750, "dump/family": 0o750,
      "dump/family/Dog.bson": 0o640, "Models.swift": 0o640, "schemas": 0o750,
      "schemas/Dog.json": 0o640, "new.kennel": 0o664, "own.kennel": 0o600,
      "shared.kennel": 0o640, "empty.kennel": 0o604, "old": 0o666, "secret": 0o600,
    ]
    for (name, mode) in wanted { #expect(self.mode(name) == mode, "\(name)") }
  }

  @Test func `of a database that is there are not the import's to change`() throws {
    let outcome = try Kennel.run("import", file, "--mode", "640", input: family)
    #expect(outcome.exitCode == 1)
    #expect(
      outcome.messages
        == "kennel: --mode is for a new database, and \(file) is there: change it with chmod\n"
    )
  }

  /// In a folder for all, others may know which names a program is going to use.
  @Test func `of a file that a link leads to are nobody else's`() throws {
    try makeFolder("precious")
    try Data("precious".utf8).write(to: URL(fileURLWithPath: place.file("precious/file")))
    let script = """
      ln -s precious out.$$.new; ln -s precious/file new.kennel.$$.new
      ln -s precious/none new.kennel.$$.new-lock
      ln -s precious/file box/family.kennel-lock.2; mv -f box/family.kennel-lock.2 box/family.kennel-lock
      """
    let exported = try run(script + "\nexec \"$1\" export box/family.kennel -f dump -o out")
    #expect(exported.exitCode == 0, "\(exported.messages)")
    let imported = try run(script + "\nexec \"$1\" import new.kennel", input: family)
    #expect(imported.exitCode == 0, "\(imported.messages)")
    let written = try run("exec \"$1\" import box/family.kennel", input: family)
    #expect(written.exitCode == 1)
    #expect(written.messages.hasSuffix("family.kennel-lock is not a lock file; remove it\n"))
    #expect(try place.names(in: "precious") == ["file"])
    #expect(try place.text("precious/file") == "precious")
  }
}

/// Commands that have to wait for the writer of another process: this one.
struct `A command that waits for another program` {
  private let place: TemporaryPlace
  private let database: Database
  private var file: String { place.file("family.kennel") }

  init() throws {
    place = try TemporaryPlace()
    try #require(try Kennel.run("import", place.file("family.kennel"), input: family).exitCode == 0)
    try Data(family.utf8).write(to: URL(fileURLWithPath: place.file("more.jsonl")))
    database = try Database.open(place.file("family.kennel"))
  }

  /// Imports while this process writes, as soon as it says so.
  private func importMore(_ body: (PseudoTerminal) throws -> Void) throws -> PseudoTerminal {
    try database.write { _ in
      let terminal = try PseudoTerminal(
        Executable.path("kennel"),
        ["import", file, place.file("more.jsonl")]
      )
      try terminal.waitUntil("it says who writes") { $0.text.contains("waiting until it is done") }
      #expect(terminal.text.contains("process \(getpid()) is writing to it"))
      try body(terminal)
      return terminal
    }
  }

  @Test func `says at a terminal for which, and goes on when that is done`() throws {
    let terminal = try importMore { _ in }
    #expect(try terminal.waitForExit() == .code(0))
    let query = try Kennel.run("query", file, "Dog", "--format", "text")
    #expect(query.output.split(separator: "\n").count { $0.contains("Rex") } == 2)
  }

  @Test func `is ended by Ctrl-C, and writes nothing`() throws {
    let terminal = try importMore { terminal in
      terminal.send("\u{3}")
      let end = try terminal.waitForExit()
      #expect(end == .signal(SIGINT))
    }
    #expect(terminal.text.contains("Interrupted: \(file) is unchanged"))
    let query = try Kennel.run("query", file, "Dog", "--format", "text")
    #expect(query.output.split(separator: "\n").count { $0.contains("Rex") } == 1)
  }
}
