import Foundation
import KennelBrowser
import KennelTestSupport
import Testing

/// The first rows of an SQL database in a terminal, while a view takes its time.
@Suite struct `First rows` {
  private static let name = "herd.sqlite"
  private let shop: ShopPlace
  private var herd: String { shop.place.file(Self.name) }

  init() throws {
    shop = try ShopPlace()
    try shop.sqlite(
      """
      CREATE TABLE owner (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
      CREATE TABLE dog (id INTEGER PRIMARY KEY, name TEXT NOT NULL, owner_id REFERENCES owner);
      INSERT INTO owner VALUES (1, 'Ada');
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
      INSERT INTO dog SELECT i, 'Rex ' || i, 1 FROM n;
      CREATE VIEW slow AS
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000000)
      SELECT max(i) AS most FROM n;
      """,
      herd
    )
  }

  private func open(_ file: String) throws -> TmuxTerminal {
    try run([try Executable.path("kennel"), file])
  }

  private func run(_ command: [String]) throws -> TmuxTerminal {
    try TmuxTerminal(
      command,
      size: Size(columns: 120, rows: 30),
      environment: shop.environment
    )
  }

  /// What lies in the folder of private copies.
  private var copies: [String] {
    let folder = shop.place.file("cache/kennel/copies")
    return (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }

  @Test func `are walked until all are there, and then one goes on where one was`() throws {
    let terminal = try open(herd)
    try terminal.waitFor("FIRST ROWS")
    try terminal.waitFor(" dog           200│")
    try terminal.press("j Enter j j")
    let all = try terminal.waitFor("All rows are there now")
    #expect(all.contains { $0.contains("2 dog  3 of 1000") })
    #expect(all.contains { $0.contains(">     3  Rex 3     →owner/1 Ada") })
    #expect(!all.joined().contains("FIRST ROWS"))
    try terminal.press("Q")
    #expect(try terminal.waitForExit() == .code(0))
    #expect(copies.allSatisfy { !$0.contains(".new") })
  }

  @Test func `are left without a trace when one quits`() throws {
    let terminal = try open(herd)
    try terminal.waitFor("FIRST ROWS")
    try terminal.press("Q")
    #expect(try terminal.waitForExit() == .code(0))
    #expect(copies.allSatisfy { !$0.hasSuffix(".kennel") })
  }

  @Test func `of a server are shown, too, and nothing is written to a disk`() throws {
    let database = try PostgresDatabase(
      """
      CREATE TABLE dog (id int PRIMARY KEY, name text NOT NULL);
      INSERT INTO dog SELECT i, 'Rex ' || i FROM generate_series(1, 1000) AS i;
      CREATE VIEW slow AS SELECT pg_sleep(1)::text AS nothing;
      """
    )
    let terminal = try open(database.url())
    try terminal.waitFor("FIRST ROWS")
    try terminal.press("Enter j")
    let all = try terminal.waitFor("All rows are there now")
    #expect(all.contains { $0.contains("2 dog  2 of 1000") })
    let process = try terminal.process()
    try terminal.press("Q")
    #expect(try terminal.waitForExit() == .code(0))
    #expect(copies.isEmpty)
    let memory = try FileManager.default.contentsOfDirectory(atPath: "/dev/shm")
    #expect(!memory.contains { $0.hasPrefix("kennel-\(getuid())-\(process)") })
  }

  @Test func `give way to a sentence where the rest cannot be read`() throws {
    let file = URL(fileURLWithPath: herd)
    var bytes = try Data(contentsOf: file)
    // The last page but one of the table's rows; the last one is read to know how many they are.
    let end = bytes.count - 4_096
    bytes.replaceSubrange((end - 4_096)..<end, with: Data(count: 4_096))
    try bytes.write(to: file)
    let line = "'\(try Executable.path("kennel"))' '\(herd)'; echo \"Status: $?\"; read line"
    let terminal = try run(["sh", "-c", line])
    try terminal.waitFor("FIRST ROWS")
    try terminal.waitFor("Status: 1")
    #expect(try terminal.screen().joined().contains("kennel: Cannot read \(herd): it is damaged"))
  }
}
