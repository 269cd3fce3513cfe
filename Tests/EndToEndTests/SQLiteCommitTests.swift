import Foundation
import KennelTestSupport
import Testing

/// What is edited in the browser goes to the SQLite database, and what others commit there is seen.
@Suite struct `An SQLite database that is edited` {
  private let place: ShopPlace

  init() throws {
    place = try ShopPlace()
  }

  /// Opens the shop, at the employees.
  private func browse(_ arguments: String...) throws -> TmuxTerminal {
    let command = [try Executable.path("kennel"), "browse", "--fresh", place.shop] + arguments
    let terminal = try TmuxTerminal(command, environment: place.environment)
    try terminal.waitFor("employee  1 of 3")
    while try terminal.screen().joined().contains("FIRST ROWS") { usleep(10_000) }
    return terminal
  }

  /// Gives the first employee another name.
  private func rename(_ terminal: TmuxTerminal, to name: String) throws {
    try terminal.press("2 l e")
    try terminal.waitFor("name of employee/1")
    try terminal.press("^U")
    try terminal.type(name)
    try terminal.press("Enter")
    try terminal.waitFor("DRAFT 1 change")
  }

  private func name(_ id: Int) throws -> String {
    try place.ask("SELECT name FROM employee WHERE id = \(id)")
  }

  @Test func `has what was committed, said in SQL before`() throws {
    let terminal = try browse()
    try rename(terminal, to: "Zoë O'Neil")
    try terminal.press("4 Y")
    try terminal.waitFor("UPDATE \"employee\" SET \"name\" = 'Zoë O''Neil' WHERE \"id\" = 1")
    try terminal.press("Esc")
    #expect(try name(1) == "Vera")
    try terminal.press("w")
    try terminal.waitFor("Commit to ")
    try terminal.press("y")
    try terminal.waitFor("Committed to ")
    #expect(try name(1) == "Zoë O'Neil")
    try terminal.press("Q")
    #expect(try terminal.waitForExit() == .code(0))
    #expect(try place.files == ["shop.sqlite"])
    #expect(try place.ask("PRAGMA integrity_check") == "ok")
  }

  @Test func `shows within a second what another program commits`() throws {
    let terminal = try browse()
    try place.sqlite(
      "UPDATE employee SET name = 'Theirs' WHERE id = 2; DELETE FROM employee WHERE id = 3"
    )
    try terminal.waitFor("Theirs")
    try terminal.waitFor("employee  1 of 2")
    try place.sqlite("ALTER TABLE employee ADD COLUMN phone TEXT")
    try terminal.waitFor("are others now")
    try terminal.press("Q")
    #expect(try terminal.waitForExit() == .code(0))
  }

  @Test func `has one of two values of one field, and the other is a conflict`() throws {
    let (first, second) = (try browse(), try browse())
    try rename(first, to: "First")
    try rename(second, to: "Second")
    try first.press("4 w y")
    try first.waitFor("Committed to ")
    try second.waitFor("1 conflict")
    try second.press("4")
    try second.waitFor("First")
    try second.press("w")
    try second.waitFor("Resolve the conflicts first")
    #expect(try name(1) == "First")
    try second.press("m w y")
    try second.waitFor("Committed to ")
    #expect(try name(1) == "Second")
    for terminal in [first, second] {
      try terminal.press("Q")
      #expect(try terminal.waitForExit() == .code(0))
    }
  }

  @Test func `gets nothing from a browser whose copy another one has replaced`() throws {
    let old = try browse()
    try rename(old, to: "Old")
    try place.sqlite("ALTER TABLE employee ADD COLUMN phone TEXT")
    try old.waitFor("others now")
    let new = try browse()
    try new.waitFor("phone")
    try old.press("4 w y")
    try old.waitFor("another file has taken its place")
    #expect(try name(1) == "Vera")
    try rename(new, to: "New")
    try new.press("4 w y")
    try new.waitFor("Committed to ")
    #expect(try name(1) == "New")
    try old.press("Q")
    try old.waitFor("keep them for the next time")
    try old.press("k")
    #expect(try old.waitForExit() == .code(0))
    try new.press("Q")
    #expect(try new.waitForExit() == .code(0))
  }

  @Test func `keeps a draft that was killed, and says it in SQL`() throws {
    let terminal = try browse()
    try rename(terminal, to: "Kept")
    usleep(300_000)
    kill(try terminal.process(), SIGKILL)
    _ = try terminal.waitForExit()
    let listed = try place.run("drafts", "--sql")
    #expect(listed.output.contains("1 change of \(place.shop)"))
    #expect(listed.output.contains("'Kept'"))
    try place.sqlite("UPDATE employee SET name = 'Otto 2' WHERE id = 2")
    let again = try browse()
    try again.waitFor("1 change not committed")
    try again.press("r")
    try again.waitFor("Restored 1 change")
    try again.press("4 w y")
    try again.waitFor("Committed to ")
    try again.press("Q")
    #expect(try again.waitForExit() == .code(0))
    #expect(try (name(1), name(2)) == ("Kept", "Otto 2"))
  }

  @Test(arguments: [0, 2, 5, 8, 12, 18, 30, 60])
  func `has all or nothing of a commit that was killed`(milliseconds: Int) throws {
    let terminal = try browse()
    try rename(terminal, to: "Maybe")
    usleep(300_000)
    try terminal.press("4 w")
    try terminal.waitFor("y commits")
    let process = try terminal.process()
    try terminal.press("y")
    usleep(useconds_t(milliseconds * 1_000))
    kill(process, SIGKILL)
    _ = try terminal.waitForExit()
    let isStored = try name(1) == "Maybe"
    let again = try browse()
    if isStored {
      try again.waitFor("NO CHANGES")
    } else {
      try again.waitFor("1 change not committed")
      try again.press("r")
      try again.waitFor("Restored 1 change")
      try again.press("4 w y")
      try again.waitFor("Committed to ")
    }
    try again.press("Q")
    #expect(try again.waitForExit() == .code(0))
    #expect(try name(1) == "Maybe")
    #expect(try place.run("drafts").output.isEmpty)
    #expect(try place.files == ["shop.sqlite"])
  }

  @Test func `says what it refuses, and keeps the draft`() throws {
    try place.sqlite(
      """
      CREATE TRIGGER no BEFORE UPDATE ON employee BEGIN SELECT RAISE(ABORT, 'not today'); END
      """
    )
    let terminal = try browse()
    try rename(terminal, to: "No")
    try terminal.press("4 w y")
    try terminal.waitFor("not today")
    try terminal.waitFor("DRAFT 1 change")
    #expect(try name(1) == "Vera")
  }

  @Test func `is not changed where it is opened for reading`() throws {
    let terminal = try browse("--read-only")
    try terminal.waitFor("READ ONLY")
    try terminal.press("Enter l e")
    try terminal.waitFor("! This file is read only: it was opened read-only; start without")
    try place.sqlite("UPDATE employee SET name = 'Theirs' WHERE id = 1")
    try terminal.waitFor("Theirs")
  }

  @Test func `stays as it is where it cannot be written`() throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: place.shop)
    // Root may write everything.
    if geteuid() == 0 { return }
    let terminal = try browse()
    try rename(terminal, to: "Elsewhere")
    try terminal.press("4 w")
    try terminal.waitFor("The original stays as it is")
    #expect(try name(1) == "Vera")
  }
}

/// The shop of the documentation as an SQLite file, and the program `sqlite3`.
struct ShopPlace {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  let place: TemporaryPlace
  var shop: String { place.file("shop.sqlite") }
  var environment: [String: String] {
    ["XDG_CACHE_HOME": place.file("cache"), "XDG_STATE_HOME": place.file("state")]
  }

  init() throws {
    place = try TemporaryPlace()
    let script = Self.root.appendingPathComponent("sample-data/shop.sql")
    try sqlite(try String(contentsOf: script, encoding: .utf8))
  }

  /// The files of the shop.
  var files: [String] {
    get throws { try place.names().filter { $0.hasPrefix("shop") } }
  }

  /// Runs statements by the program `sqlite3`.
  func sqlite(_ statements: String, _ file: String? = nil) throws {
    let script = place.file("script.sql")
    try Data(statements.utf8).write(to: URL(fileURLWithPath: script))
    let (status, output) = try Executable.run(
      Executable.system("sqlite3"),
      [file ?? shop, ".read \(script)"],
      environment: Executable.environment()
    )
    try #require(status == 0, "\(output)")
    try FileManager.default.removeItem(atPath: script)
  }

  /// What the program `sqlite3` answers to a query.
  func ask(_ query: String) throws -> String {
    let (status, output) = try Executable.run(
      Executable.system("sqlite3"),
      [shop, query],
      environment: Executable.environment()
    )
    try #require(status == 0, "\(output)")
    return output.trimmingCharacters(in: .newlines)
  }

  func run(_ arguments: String...) throws -> Outcome {
    try Kennel.run(all: arguments, environment: environment)
  }
}
