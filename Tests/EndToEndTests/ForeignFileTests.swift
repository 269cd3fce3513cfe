import Foundation
import KennelBrowser
import KennelTestSupport
import Testing

/// Files of other programs, which are opened as private copies.
@Suite struct `Files of other programs` {
  private static let recorded = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("KennelRealmFileTests/Recorded")
  private static let key = (0..<64).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()

  /// The items 1 and 2 of a shop, as mongodump writes them.
  private static let archive = """
    beKZgWYAAAAQY29uY3VycmVudF9jb2xsZWN0aW9ucwABAAAAAnZlcnNpb24ABAAAADAuMQACc2VydmVyX3ZlcnNp \
    b24ABgAAADcuMC41AAJ0b29sX3ZlcnNpb24ACAAAADEwMC45LjQAALYAAAACZGIABQAAAHNob3AAAmNvbGxlY3Rp \
    b24ABgAAAGl0ZW1zAAJtZXRhZGF0YQBhAAAAeyJpbmRleGVzIjpbeyJ2IjoyLCJrZXkiOnsiX2lkIjoxfSwibmFt \
    ZSI6Il9pZF8ifV0sImNvbGxlY3Rpb25OYW1lIjoiaXRlbXMiLCJ0eXBlIjoiY29sbGVjdGlvbiJ9ABBzaXplAAAA \
    AAACdHlwZQALAAAAY29sbGVjdGlvbgAA/////zsAAAACZGIABQAAAHNob3AAAmNvbGxlY3Rpb24ABgAAAGl0ZW1z \
    AAhFT0YAABJDUkMAAAAAAAAAAAAAGQAAABBfaWQAAQAAAAJ0YWcAAgAAAGEAADAAAAAQX2lkAAIAAAAEdGFnAB0A \
    AAACMAACAAAAYgAEMQAMAAAAEDAAAwAAAAAAAP////87AAAAAmRiAAUAAABzaG9wAAJjb2xsZWN0aW9uAAYAAABp \
    dGVtcwAIRU9GAAESQ1JDAAsHTEZ5kMPGAP////8=
    """

  private let place: TemporaryPlace
  private var app: String { place.file("app.realm") }
  private var secret: String { place.file("secret.realm") }
  private var environment: [String: String] {
    ["XDG_CACHE_HOME": place.file("cache"), "XDG_STATE_HOME": place.file("state")]
  }

  init() throws {
    place = try TemporaryPlace()
    let files = FileManager.default
    let packed = Self.recorded.appendingPathComponent("sample.realm.gz")
    try files.copyItem(atPath: packed.path, toPath: app + ".gz")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/gzip")
    process.arguments = ["-d", app + ".gz"]
    try process.start()
    process.waitUntilExit()
    try #require(files.fileExists(atPath: app))
    let encrypted = Self.recorded.appendingPathComponent("sample-encrypted.realm")
    try files.copyItem(atPath: encrypted.path, toPath: secret)
  }

  private func run(
    _ arguments: String...,
    input: String = "",
    adding variables: [String: String] = [:]
  ) throws -> Outcome {
    try Kennel.run(
      all: arguments,
      input: input,
      environment: environment.merging(variables) { _, new in new }
    )
  }

  private func copies() throws -> [String] {
    guard place.exists("cache/kennel/copies") else { return [] }
    return try place.names(in: "cache/kennel/copies").filter { $0.hasSuffix(".kennel") }
  }

  // MARK: - Realm files

  @Test func `a Realm file is asked, described and exported like a database`() throws {
    let before = try place.bytes("app.realm")
    let query = try run("query", app, "Person", "id == 1", "--format", "relaxed")
    #expect(query.exitCode == 0, "\(query.messages)")
    #expect(query.output.contains("\"name\":\"日本語テキスト\""))
    #expect(try run("schema", app).output.contains("Geo {}  10 objects"))
    let models = try run("generate", "swift", app, "--realm").output
    #expect(models.contains("@Persisted(primaryKey: true) var id: Int"))
    #expect(models.contains("@Persisted var friends: MutableSet<Person>"))
    let lines = try run("export", app).output
    #expect(lines.split(separator: "\n").count { $0.hasPrefix("{\"$object\"") } == 1_018)
    #expect(try run("doctor", app).exitCode != 2)
    #expect(try run("check", app).messages == "\(app) is sound\n")
    #expect(try place.bytes("app.realm") == before)
    #expect(try place.names().filter { $0.hasPrefix("app") } == ["app.realm"])
  }

  @Test func `the copy is found again until the file changes`() throws {
    #expect(try run("stats", app).exitCode == 0)
    let first = try copies()
    #expect(first.count == 1)
    let bytes = try place.bytes("cache/kennel/copies/\(first[0])")
    #expect(try run("stats", app).exitCode == 0)
    #expect(try copies() == first)
    #expect(try place.bytes("cache/kennel/copies/\(first[0])") == bytes)
    #expect(try run("cache").output.hasSuffix(" MB  \(app)\n"))

    // Another time of change, as an app leaves it.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: 60)],
      ofItemAtPath: app
    )
    #expect(try run("stats", app).exitCode == 0)
    let second = try copies()
    #expect(second.count == 1)
    #expect(second != first)
    #expect(try run("cache", "--clear").messages == "1 copy removed\n")
    #expect(try copies() == [])
  }

  @Test func `a Realm file is imported once what is lost is allowed`() throws {
    let new = place.file("new.kennel")
    let refused = try run("import", new, app)
    #expect(refused.exitCode == 1)
    #expect(
      refused.messages == """
        kennel: Cannot import all of \(app): indexes of words (Strings.fulltext). \
        '--allow full-text-indexes' goes on without that

        """
    )
    #expect(!place.exists("new.kennel"))
    let made = try run("import", new, app, "--allow", "full-text-indexes")
    #expect(made.messages == "1018 objects imported into \(new)\n")
    #expect(try run("check", new).exitCode == 0)
    #expect(try run("export", new).output == run("export", app).output)
    let again = try run("import", new, app, "--allow", "full-text-indexes")
    #expect(again.exitCode == 1)
    #expect(again.messages.contains("A .realm file is imported into a new database"))
  }

  @Test func `an encrypted file needs its key`() throws {
    let none = try run("query", secret, "Dog")
    #expect(none.exitCode == 1)
    #expect(none.messages.contains("--key-file FILE or in $KENNEL_KEY"))
    let wrong = String(Self.key.reversed())
    let refused = try run("query", secret, "Dog", adding: ["KENNEL_KEY": wrong])
    #expect(refused.exitCode == 1)
    #expect(refused.messages.contains("The key does not decrypt"))
    let bad = try run("query", secret, "Dog", adding: ["KENNEL_KEY": "abc"])
    #expect(bad.messages.contains("64 bytes or 128 hexadecimal digits"))
    try Data(0..<64).write(to: URL(fileURLWithPath: place.file("key")))
    let opened = try run("export", secret, "--key-file", place.file("key"))
    #expect(opened.exitCode == 0, "\(opened.messages)")
    #expect(try opened.output == run("export", app).output)
  }

  @Test func `nothing of an encrypted file is written to a disk`() throws {
    let terminal = try TmuxTerminal(
      [try Executable.path("kennel"), secret],
      size: Size(columns: 100, rows: 24),
      environment: environment.merging(["KENNEL_KEY": Self.key]) { _, new in new }
    )
    try terminal.waitFor("Dog  1 of 299")
    // A filter that quotes a value, and a change that is not committed.
    try terminal.press("Enter")
    try terminal.waitFor("▸2 Dog")
    try terminal.type("fname == \"Dog 77\"")
    try terminal.press("Enter")
    try terminal.waitFor("\"Dog 77\"  1 of 1")
    try terminal.press("l e ^U")
    try terminal.type("Secretive")
    try terminal.press("Enter")
    try terminal.waitFor("DRAFT 1 change")
    let process = try terminal.process()
    try terminal.press("Q")
    try terminal.waitFor("D  discard them and quit")
    try terminal.press("D")
    _ = try terminal.waitForExit()
    let found = try FileManager.default.subpathsOfDirectory(atPath: place.path).filter { name in
      guard let bytes = FileManager.default.contents(atPath: place.file(name)) else { return false }
      return ["Dog 77", "Secretive"].contains { bytes.range(of: Data($0.utf8)) != nil }
    }
    #expect(found == ["app.realm"])
    let memory = try FileManager.default.contentsOfDirectory(atPath: "/dev/shm")
    #expect(!memory.contains { $0.hasPrefix("kennel-\(getuid())-\(process)") })
  }

  @Test func `of a damaged Realm file, what is whole is recovered, and the rest is listed`() throws
  {
    let new = place.file("new.kennel")
    let whole = try run("recover", app, new)
    #expect(whole.messages.contains("of commit 7 saved"), "\(whole.messages)")
    #expect(try run("recover", app, new).messages.contains("already exists"))
    var bytes = try place.bytes("app.realm")
    let top = bytes[..<4].reversed().reduce(0) { $0 << 8 | Int($1) }
    bytes.replaceSubrange(top..<top + 8, with: Data(repeating: 0xA5, count: 8))
    try bytes.write(to: URL(fileURLWithPath: app))
    let older = place.file("older.kennel")
    let outcome = try run("recover", app, older)
    #expect(outcome.exitCode == 1)
    #expect(outcome.output.contains("What was saved may be older than the newest commit"))
    #expect(outcome.messages.contains("of commit 6 saved; what is lost is listed"))
    #expect(try run("check", older).exitCode == 0)
    #expect(try run("query", older, "Dog", "--limit", "1").output.contains("\"name\""))
    #expect(try run("recover", app, older).messages.contains("already exists"))
    // Without its first bytes, the file is still searched.
    bytes.replaceSubrange(0..<24, with: Data(repeating: 0xA5, count: 24))
    try bytes.write(to: URL(fileURLWithPath: app))
    let searched = try run("recover", app, place.file("searched.kennel"), "--json")
    #expect(searched.exitCode == 1 && searched.output.contains("uncertainCommit"))
    #expect(try run("check", place.file("searched.kennel")).exitCode == 0)
    // Nothing is left of any commit.
    try Data(repeating: 0xA5, count: 100_000).write(to: URL(fileURLWithPath: app))
    let none = try run("recover", app, place.file("none.kennel"))
    #expect(none.exitCode == 1 && none.messages.contains("not a Realm file"), "\(none.messages)")
    #expect(!place.exists("none.kennel"))
  }

  @Test func `of a Realm file, rows that were deleted or replaced are found`() throws {
    let new = place.file("new.kennel")
    let outcome = try run("recover", "--freed", app, new)
    #expect(outcome.messages.contains("and 1003 freed rows saved"), "\(outcome.messages)")
    #expect(try run("check", new).exitCode == 0)
    #expect(try run("query", new, "FreedDog").output.contains("\"name\":\"Dog 2\""))
    let refused = try run("recover", "--freed", new, place.file("other.kennel"))
    #expect(refused.exitCode == 1 && refused.messages.contains("leave out --freed"))
    #expect(!place.exists("other.kennel"))
  }

  @Test func `a damaged Realm file is told, and nothing is left of its copy`() throws {
    var bytes = try place.bytes("app.realm")
    bytes.replaceSubrange(4_096..<200_000, with: Data(repeating: 0xA5, count: 195_904))
    try bytes.write(to: URL(fileURLWithPath: app))
    let outcome = try run("export", app)
    #expect(outcome.exitCode == 1)
    #expect(outcome.messages.contains("damaged"), "\(outcome.messages)")
    #expect(try copies() == [])
    let check = try run("check", app)
    #expect(check.exitCode == 1)
    #expect(try place.bytes("app.realm") == bytes)
  }

  @Test func `changes of a copy are committed to a file of their own`() throws {
    let before = try place.bytes("app.realm")
    let terminal = try TmuxTerminal(
      [try Executable.path("kennel"), app],
      size: Size(columns: 120, rows: 24),
      environment: environment
    )
    try terminal.waitFor("app.realm, as of ")
    try terminal.press("Enter")
    try terminal.waitFor("▸2 Dog")
    try terminal.press("l e ^U")
    try terminal.type("Rexy")
    try terminal.press("Enter")
    try terminal.waitFor("DRAFT 1 change")
    try terminal.press("4 w")
    try terminal.waitFor("commit to the new file: \(place.file("app.kennel"))")
    try terminal.press("Enter")
    try terminal.waitFor("app.kennel  Dog")
    try terminal.waitFor("NO CHANGES")
    try terminal.press("Q")
    #expect(try terminal.waitForExit() == .code(0))
    #expect(try place.bytes("app.realm") == before)
    let name = try run(
      "query",
      place.file("app.kennel"),
      "Dog",
      "name == \"Rexy\"",
      "--format",
      "csv"
    )
    #expect(name.output.contains("Rexy"))
    #expect(try run("query", app, "Dog", "name == \"Rexy\"").output.isEmpty)
    #expect(try run("check", place.file("app.kennel")).exitCode == 0)
  }

  // MARK: - Documents

  @Test func `documents are opened with the classes that they suggest`() throws {
    let table = place.file("things.csv")
    try Data("name,age\nRex,3\nMax,4\n".utf8).write(to: URL(fileURLWithPath: table))
    let found = try run("query", table, "things", "age > 3", "--format", "relaxed")
    #expect(found.output.contains("\"name\":\"Max\""))
    #expect(found.exitCode == 0, "\(found.messages)")
    #expect(try copies().count == 1)
    let lines = try run("export", app).output
    try Data(lines.utf8).write(to: URL(fileURLWithPath: place.file("all.jsonl")))
    #expect(try run("export", place.file("all.jsonl")).output == lines)
    let dump = place.file("dump")
    let sample = place.file("sample.kennel")
    #expect(try run("sample", sample, "--dogs", "20", "--people", "4").exitCode == 0)
    #expect(try run("export", sample, "--format", "dump", "--output", dump).exitCode == 0)
    let schema = try run("schema", dump)
    #expect(schema.output.contains("Person  4 objects"), "\(schema.messages)")
  }

  @Test(arguments: [false, true])
  func `an archive of mongodump is opened whatever its name is`(isPacked: Bool) throws {
    let text = Self.archive.filter { $0 != " " }
    var path = place.file("items-of-monday")
    try #require(Data(base64Encoded: text)).write(to: URL(fileURLWithPath: path))
    if isPacked {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/gzip")
      process.arguments = [path]
      try process.start()
      process.waitUntilExit()
      path += ".gz"
    }
    let schema = try run("schema", path)
    #expect(schema.output.hasPrefix("items  2 objects"), "\(schema.messages)")
    #expect(!schema.output.contains("monday"))
    let items = try run("query", path, "items", "_id == 2", "--format", "relaxed")
    #expect(items.output == #"{"_id":2,"tag":["b",[3]]}"# + "\n")
    #expect(try copies().count == 1)
  }

  @Test func `an archive that Kennel wrote keeps its classes`() throws {
    let sample = place.file("sample.kennel")
    let archive = place.file("sample.archive.gz")
    #expect(try run("sample", sample, "--dogs", "20", "--people", "4").exitCode == 0)
    let written = try run("export", sample, "--format", "archive", "--gzip", "--output", archive)
    #expect(written.exitCode == 0, "\(written.messages)")
    #expect(try run("export", archive).output == run("export", sample).output)
  }

  @Test func `what comes through a pipe is opened and leaves nothing`() throws {
    let outcome = try run("schema", "-", input: "{\"name\": \"Rex\"}\n{\"name\": \"Max\"}\n")
    #expect(outcome.exitCode == 0, "\(outcome.messages)")
    #expect(outcome.output.hasPrefix("Document  2 objects"))
    #expect(try place.names(in: "cache/kennel/copies") == [])
  }

  @Test func `a terminal shows the classes of documents and asks`() throws {
    let table = place.file("things.csv")
    try Data("name,age\nRex,3\nMax,4\n".utf8).write(to: URL(fileURLWithPath: table))
    let size = Size(columns: 100, rows: 24)
    let program = try Executable.path("kennel")
    let refused = try TmuxTerminal([program, table], size: size, environment: environment)
    try refused.waitFor("Open with these classes? [y/N]")
    try refused.press("n Enter")
    #expect(try refused.waitForExit() == .code(1))
    #expect(try copies() == [])
    let terminal = try TmuxTerminal([program, table], size: size, environment: environment)
    try terminal.waitFor("Open with these classes? [y/N]")
    try terminal.press("y Enter")
    try terminal.waitFor("things  1 of 2")
    try terminal.press("Q")
    #expect(try terminal.waitForExit() == .code(0))
  }
}
