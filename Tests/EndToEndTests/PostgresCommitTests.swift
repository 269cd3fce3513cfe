import Foundation
import KennelBrowser
import KennelTestSupport
import Testing

/// What is edited in the browser goes to the PostgreSQL database.
@Suite struct `A PostgreSQL database that is edited` {
  private let place: TemporaryPlace
  private let shop: PostgresDatabase
  private var environment: [String: String] {
    ["XDG_CACHE_HOME": place.file("cache"), "XDG_STATE_HOME": place.file("state")]
  }

  init() throws {
    place = try TemporaryPlace()
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let script = root.appendingPathComponent("sample-data/shop-postgresql.sql")
    shop = try PostgresDatabase(String(contentsOf: script, encoding: .utf8))
  }

  /// Opens the shop, at the customers.
  private func browse(_ arguments: String...) throws -> TmuxTerminal {
    let command = [try Executable.path("kennel"), "browse", "--fresh", shop.url()] + arguments
    let terminal = try TmuxTerminal(
      command,
      size: Size(columns: 120, rows: 30),
      environment: environment
    )
    try terminal.waitFor("(PostgreSQL), as of ")
    return terminal
  }

  /// Gives the first customer another name.
  private func rename(_ terminal: TmuxTerminal, to name: String) throws {
    try terminal.press("j Enter 2 l l e")
    try terminal.waitFor("name of customer/1")
    try terminal.press("^U")
    try terminal.type(name)
    try terminal.press("Enter")
    try terminal.waitFor("DRAFT 1 change")
  }

  private func name(_ code: String = "ALFKI") throws -> String {
    try shop.run("SELECT name FROM customer WHERE code = '\(code)'")
      .trimmingCharacters(in: .newlines)
  }

  @Test func `is read only unless a person asks for more`() throws {
    let terminal = try browse()
    try terminal.waitFor("READ ONLY")
    try terminal.press("j Enter 2 l l e")
    try terminal.waitFor("start with --rw to change it")
    try shop.run("UPDATE customer SET name = 'Theirs' WHERE code = 'ALFKI'")
    try terminal.press("R")
    try terminal.waitFor("Theirs")
    try terminal.press("Q")
    #expect(try terminal.waitForExit() == .code(0))
  }

  @Test func `has what was committed, said in SQL before`() throws {
    let terminal = try browse("--rw")
    try rename(terminal, to: "Zoë O'Neil")
    try terminal.press("4 Y")
    try terminal.waitFor("UPDATE ONLY \"public\".\"customer\" SET \"name\" = 'Zoë O''Neil' WHERE")
    try terminal.press("Esc w")
    try terminal.waitFor("Commit to ")
    try terminal.press("y")
    try terminal.waitFor("Committed to ")
    #expect(try name() == "Zoë O'Neil")
    try terminal.press(":")
    try terminal.type("take-back")
    try terminal.press("Enter")
    try terminal.waitFor("The draft takes commit")
    try terminal.press("4 w y")
    try terminal.waitFor("Committed to ")
    #expect(try name() == "Alfreds Futterkiste")
    try terminal.press("Q")
    #expect(try terminal.waitForExit() == .code(0))
  }

  @Test func `offers the labels of an enumeration`() throws {
    let terminal = try browse("--rw")
    try terminal.press("j j j j j j Enter")
    try terminal.waitFor("2 order  1 of 4")
    try terminal.press("2 l l l e")
    try terminal.waitFor("c  returned")
    try terminal.press("c")
    try terminal.waitFor("DRAFT 1 change")
    try terminal.press("4 w y")
    try terminal.waitFor("Committed to ")
    #expect(try shop.run("SELECT state FROM \"order\" WHERE id = 1001") == "returned\n")
    try terminal.press("Q")
  }

  @Test func `is asked whether a text is a value before the draft has it`() throws {
    let things = try PostgresDatabase(
      """
      CREATE DOMAIN short AS text CHECK (length(VALUE) < 5);
      CREATE TABLE thing (id int PRIMARY KEY, extra jsonb, code short);
      INSERT INTO thing VALUES (1, '{}', 'abc')
      """
    )
    let terminal = try TmuxTerminal(
      [try Executable.path("kennel"), "browse", "--fresh", "--rw", things.url()],
      size: Size(columns: 120, rows: 30),
      environment: environment
    )
    try terminal.waitFor("(PostgreSQL), as of ")
    try terminal.press("Enter 2 l e ^U")
    try terminal.type("[1,")
    try terminal.press("Enter")
    try terminal.waitFor("invalid input syntax for type json")
    try terminal.type(" 2]")
    try terminal.press("Enter")
    try terminal.waitFor("DRAFT 1 change")
    try terminal.press("l e ^U")
    try terminal.type("abcde")
    try terminal.press("Enter")
    try terminal.waitFor("violates check constraint")
    try terminal.press("Esc 4 w y")
    try terminal.waitFor("Committed to ")
    #expect(try things.run("SELECT extra, code FROM thing") == "[1, 2]|abc\n")
    try terminal.press("Q")
    #expect(try terminal.waitForExit() == .code(0))
  }

  @Test func `is read again when a person asks`() throws {
    let terminal = try browse("--rw")
    try terminal.press("j Enter")
    try shop.run("UPDATE customer SET name = 'Theirs' WHERE code = 'ALFKI'")
    try terminal.press("R")
    try terminal.waitFor("Theirs")
    try terminal.press("Q")
    #expect(try terminal.waitForExit() == .code(0))
  }

  @Test func `has what another program wrote, and the draft a conflict`() throws {
    let terminal = try browse("--rw")
    try rename(terminal, to: "Mine")
    try shop.run("UPDATE customer SET name = 'Theirs' WHERE code = 'ALFKI'")
    try terminal.press("4 w y")
    try terminal.waitFor("another program has changed")
    try terminal.waitFor("1 conflict")
    #expect(try name() == "Theirs")
    try terminal.press("m w y")
    try terminal.waitFor("Committed to ")
    #expect(try name() == "Mine")
    try terminal.press("Q")
    #expect(try terminal.waitForExit() == .code(0))
  }

  @Test func `is offered the draft again after a kill, at the row that it was about`() throws {
    let killed = try browse("--rw")
    try rename(killed, to: "Kept")
    let drafts = place.file("state/kennel/drafts")
    try killed.waitFor("DRAFT 1 change")
    while (try? FileManager.default.contentsOfDirectory(atPath: drafts))?.isEmpty ?? true {
      usleep(20_000)
    }
    kill(pid_t(try killed.process()), SIGKILL)
    _ = try killed.waitForExit()
    let attributes = try FileManager.default.attributesOfItem(
      atPath: drafts + "/" + FileManager.default.contentsOfDirectory(atPath: drafts)[0]
    )
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    try shop.run(
      "INSERT INTO customer (code, name, since) VALUES ('AAAAA', 'Before all', '2024-01-01')"
    )
    let sql = try Kennel.run(all: ["drafts", "--sql"], environment: environment)
    #expect(sql.output.contains("SET \"name\" = 'Kept' WHERE \"id\" = 1"), "\(sql)")
    try shop.run("ALTER DATABASE \(shop.name) ALLOW_CONNECTIONS false", in: "postgres")
    let unread = try Kennel.run(all: ["drafts", "--sql"], environment: environment)
    #expect(unread.exitCode == 0 && unread.messages.contains("cannot be read: Cannot open"))
    try shop.run("ALTER DATABASE \(shop.name) ALLOW_CONNECTIONS true", in: "postgres")
    let listed = try Kennel.run(all: ["drafts"], environment: environment)
    #expect(listed.output.contains("kept") && listed.output.contains(shop.url()), "\(listed)")
    let terminal = try browse("--rw")
    try terminal.waitFor("1 change not committed")
    try terminal.press("r")
    try terminal.waitFor("Restored 1 change")
    try terminal.press("4 w y")
    try terminal.waitFor("Committed to ")
    #expect(try name() == "Kept")
    #expect(try name("AAAAA") == "Before all")
    try terminal.press("Q")
    #expect(try terminal.waitForExit() == .code(0))
  }

  @Test func `keeps what is not committed in a file for its owner, and says so`() throws {
    let command = [try Executable.path("kennel"), "browse", "--fresh", "--rw", shop.url()]
    let text = "\(command.map { "'\($0)'" }.joined(separator: " ")); sleep 20"
    let terminal = try TmuxTerminal(
      ["/bin/sh", "-c", text],
      size: Size(columns: 120, rows: 30),
      environment: environment
    )
    try terminal.waitFor("(PostgreSQL), as of ")
    try rename(terminal, to: "Later")
    try terminal.press("Q k")
    try terminal.waitFor("in a file for you alone")
  }
}
