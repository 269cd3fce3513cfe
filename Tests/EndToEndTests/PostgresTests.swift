import Foundation
import KennelBrowser
import KennelTestSupport
import Testing

/// PostgreSQL databases on the command line and in the browser: the shop of the documentation.
@Suite struct `PostgreSQL databases` {
  private let place: TemporaryPlace
  private let shop: PostgresDatabase
  private var url: String { shop.url() }
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

  private func run(_ arguments: String...) throws -> Outcome {
    try Kennel.run(all: arguments, environment: environment)
  }

  @Test func `are described, asked, exported and examined`() throws {
    #expect(
      try run("schema", url, "--class", "order").output == """
        order  4 objects
          id                            int, primary key, declared integer
          placed                        date, declared timestamp with time zone
          state                         string, declared public.state, one of open, sent, returned
          customer_code_dangling        string?
          customer_code           0..1  → customer, target rule deny, declared text, ON DELETE RESTRICT
                                  *     ← order_line.order_id

        """
    )
    let open = #"ANY @links.order.customer_code.state == "open""#
    #expect(
      try run("query", url, "customer", open, "--format", "relaxed").output
        .split(separator: "\n").count == 2
    )
    let total = try run("query", url, "order_line", #"order_id.customer_code.code == "ALFKI""#)
    #expect(total.output.contains(#""total":"45.00""#), "\(total.output)")
    let doctor = try run("doctor", url)
    #expect(
      doctor.output.hasPrefix(
        """
        order.customer_code refers to what does not exist in 1 object
          order where customer_code_dangling != null

        """
      )
    )
    let check = try run("check", url)
    #expect(check.output == "1 row of order refers to a row of customer that does not exist\n")
    #expect(check.exitCode == 1)
    #expect(try run("stats", url).exitCode == 0)
    #expect(try run("diff", url, url).exitCode == 0)
    let models = try run("generate", "swift", url)
    #expect(models.output.contains("support_id"), "\(models.messages)")
    let new = place.file("new.kennel")
    let imported = try run("import", new, url)
    #expect(
      imported.messages
        == "31 objects imported into \(new)\nvalues that lead nowhere: order.customer_code (1)\n"
    )
    #expect(try run("export", new).output == run("export", url).output)
    #expect(try run("check", new).exitCode == 0)
    #expect(try place.names().filter { !$0.hasSuffix("-lock") } == ["new.kennel"])
  }

  @Test func `are read in part`() throws {
    let part = try run("query", url, "order", "--table", "order", "--rows", "order=id > 1002")
    #expect(part.output.split(separator: "\n").count == 2)
    #expect(part.output.contains(#""customer_code":"GONE""#))
    let limited = try run("export", url, "--copy-limit", "3")
    #expect(
      limited.messages
        == "kennel: Cannot read \(url): product, product_tag, order, order_line have more than 3 rows; "
        + "--table NAME and --rows TABLE=CONDITION read a part of it, --copy-limit ROWS reads more\n"
    )
    let wrong = try run("schema", url, "--rows", "order")
    #expect(wrong.messages.contains("--rows takes TABLE=CONDITION, as in \"order=id > 5\""))
    #expect(wrong.exitCode == 2 || wrong.exitCode == 64, "\(wrong.exitCode)")
    let file = place.file("other.kennel")
    #expect(try run("import", file, url).exitCode == 0)
    #expect(
      try run("schema", file, "--table", "order").messages
        == "kennel: Cannot read a part of \(file): --table, --rows and --copy-limit are for "
        + "PostgreSQL databases\n"
    )
    let link = try run("schema", url, "--link", "shipment.position=order_line.order_id")
    #expect(link.messages.contains("several rows of order_line have one order_id"))
  }

  @Test func `that cannot be opened are told in a sentence, without a password`() throws {
    let folder = shop.server.folder
    let none = try run("schema", "postgresql://postgres:secret@/nix?host=\(folder)")
    #expect(
      none.messages == "kennel: Cannot open postgresql://postgres@/nix?host=\(folder): connection "
        + "to server on socket \"\(folder)/.s.PGSQL.5432\" failed: database \"nix\" does not exist\n"
    )
    #expect(none.exitCode == 1)
    let wrong = try run("schema", shop.url("keeper:simsim"))
    #expect(wrong.messages.contains("password authentication failed"))
    #expect(!wrong.messages.contains("simsim"))
    let missing = try run("schema", shop.url("keeper"))
    #expect(
      missing.messages.hasSuffix("it needs a password, which PGPASSWORD or ~/.pgpass can have\n")
    )
    var given = environment
    given["PGPASSWORD"] = "sesame"
    #expect(try Kennel.run(all: ["schema", shop.url("keeper")], environment: given).exitCode == 0)
    let malformed = try run("schema", "postgres://ada:sec%zzret@host/shop")
    #expect(
      malformed.messages
        == "kennel: Cannot open postgres://ada@host/shop: invalid percent-encoded token\n"
    )
  }

  @Test func `are walked in the browser, and nothing of them is written to a disk`() throws {
    let terminal = try TmuxTerminal(
      [try Executable.path("kennel"), shop.url("keeper:sesame")],
      size: Size(columns: 120, rows: 30),
      environment: environment
    )
    try terminal.waitFor("\(shop.name) on \(shop.server.folder) (PostgreSQL), as of ")
    try terminal.waitFor("Values that lead nowhere: order.customer_code (1)")
    try terminal.press("j Enter Enter")
    try terminal.waitFor("2 customer/1 ALFKI")
    try terminal.press("Tab j j j Enter")
    try terminal.waitFor("2 order/1001")
    try terminal.press("Bksp")
    try terminal.waitFor("2 customer/1 ALFKI")
    let process = try terminal.process()
    try terminal.press("Q")
    _ = try terminal.waitForExit()
    let state = try place.text("state/kennel/browser.json")
    #expect(state.contains("keeper@") && !state.contains("sesame") && !state.contains("ALFKI"))
    #expect(try place.names() == ["state"])
    let memory = try FileManager.default.contentsOfDirectory(atPath: "/dev/shm")
    #expect(!memory.contains { $0.hasPrefix("kennel-\(getuid())-\(process)") })
  }

  @Test func `are opened with a password that a person types`() throws {
    let terminal = try TmuxTerminal(
      [try Executable.path("kennel"), shop.url("keeper")],
      size: Size(columns: 120, rows: 30),
      environment: environment
    )
    try terminal.waitFor("Password for \(shop.url("keeper")):")
    try terminal.type("sesame")
    try terminal.press("Enter")
    let screen = try terminal.waitFor("\(shop.name) on ")
    #expect(!screen.joined().contains("sesame"))
    try terminal.press("Q")
    _ = try terminal.waitForExit()
  }
}
