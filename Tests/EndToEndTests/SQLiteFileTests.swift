import Foundation
import KennelBrowser
import KennelTestSupport
import Testing

/// SQLite databases on the command line and in the browser: the shop of the documentation.
@Suite struct `SQLite databases` {
  private let shopPlace: ShopPlace
  private var place: TemporaryPlace { shopPlace.place }
  private var shop: String { shopPlace.shop }
  private var environment: [String: String] { shopPlace.environment }

  init() throws {
    shopPlace = try ShopPlace()
  }

  private func sqlite(_ statements: String, _ file: String? = nil) throws {
    try shopPlace.sqlite(statements, file)
  }

  private func run(_ arguments: String...) throws -> Outcome {
    try Kennel.run(all: arguments, environment: environment)
  }

  @Test func `are described, asked, exported and examined`() throws {
    let before = try place.bytes("shop.sqlite")
    #expect(
      try run("schema", shop, "--class", "order").output == """
        order  4 objects
          id                            int, primary key, declared INTEGER
          placed                        date, declared DATETIME
          state                         string, declared TEXT
          customer_code_dangling        string?
          customer_code           0..1  → customer, target rule deny, declared TEXT, ON DELETE RESTRICT
                                  *     ← order_line.order_id

        """
    )
    let open = #"ANY @links.order.customer_code.state == "open""#
    #expect(
      try run("query", shop, "customer", open, "--format", "relaxed").output
        .split(separator: "\n").count == 2
    )
    let lines = try run("query", shop, "order_line", #"order_id.customer_code.code == "ALFKI""#)
    #expect(lines.output.split(separator: "\n").count == 3)
    let doctor = try run("doctor", shop)
    #expect(
      doctor.output.hasPrefix(
        """
        order.customer_code refers to what does not exist in 1 object
          order where customer_code_dangling != null

        """
      )
    )
    let check = try run("check", shop)
    #expect(check.output == "1 row of order refers to a row of customer that does not exist\n")
    #expect(check.exitCode == 1)
    #expect(try run("stats", shop).exitCode == 0)
    #expect(try run("diff", shop, shop).exitCode == 0)
    let models = try run("generate", "swift", shop)
    #expect(models.output.contains("support_id"), "\(models.messages)")
    let new = place.file("new.kennel")
    let imported = try run("import", new, shop)
    #expect(
      imported.messages
        == "31 objects imported into \(new)\nvalues that lead nowhere: order.customer_code (1)\n"
    )
    #expect(try run("export", new).output == run("export", shop).output)
    #expect(try run("check", new).exitCode == 0)
    #expect(try place.bytes("shop.sqlite") == before)
    #expect(try place.names().filter { $0.hasPrefix("shop") } == ["shop.sqlite"])
  }

  @Test func `say what their tables declare`() throws {
    try sqlite(
      """
      CREATE TABLE "sales.order" (b INT, a INT, product VARCHAR(9) REFERENCES product, PRIMARY KEY (a, b));
      """
    )
    #expect(
      try run("schema", shop, "--class", "sales_order").output == """
        sales_order  0 objects, table sales.order, primary key (a, b)
          b              int?, declared INT
          a              int?, indexed, declared INT
          product  0..1  → product, target rule deny, declared VARCHAR(9), ON DELETE NO ACTION
            ! no index on sales.order.product: deletions of product read the whole table

        """
    )
    let shipment = try run("schema", shop, "--class", "shipment").output
    #expect(shipment.contains(", foreign key (order_id, position) ON DELETE CASCADE\n"))
    #expect(
      try run("schema", shop, "--class", "turnover").output.hasPrefix("turnover  2 objects, view\n")
    )
    let row = try run("blast", shop, "turnover", "1")
    #expect(
      row.messages
        == "kennel: Cannot delete from \(shop): no row of the view turnover can be changed\n"
    )
    #expect(row.exitCode == 2)
    let keys = "= open 120x30\n= press j j j j j j j j j Enter d\n"
    try Data(keys.utf8).write(to: URL(fileURLWithPath: place.file("keys.script")))
    let screen = try run("--script", place.file("keys.script"), "--rw", shop).output
    #expect(screen.contains("turnover") && screen.contains("READ ONLY"))
    #expect(screen.contains("! No row of the view turnover can be changed"))
  }

  @Test func `say what a deletion takes with it, and which triggers it runs`() throws {
    try sqlite(
      "CREATE TRIGGER log AFTER DELETE ON shipment BEGIN DELETE FROM tag; END;"
        + "CREATE TRIGGER other AFTER DELETE ON employee BEGIN DELETE FROM tag; END;"
    )
    let before = try place.bytes("shop.sqlite")
    let order = try run("blast", shop, "order", "1001")
    #expect(
      order.output == """
        Deletes 1 order, 2 order_line, 2 shipment:
          † order/1001 sent
          ├ † order_line/1  (its order_id goes: order/1001)
          │ └ † shipment/1 shipment 1  (its line goes: order_line/1)
          └ † order_line/2  (its order_id goes: order/1001)
            └ † shipment/2 shipment 2  (its line goes: order_line/2)
        Only the database knows what triggers do:
          log of shipment

        """
    )
    #expect(order.exitCode == 0)
    let json = try run("blast", shop, "order", "1001", "--json")
    #expect(json.output.hasSuffix(#""triggers":[{"table":"shipment","name":"log"}]}"# + "\n"))
    let customer = try run("blast", shop, "customer", "1")
    #expect(
      customer.output.hasSuffix(
        """
        ✗ order/1001 sent.customer_code forbids it while it links to customer/1 ALFKI
        ✗ order/1002 open.customer_code forbids it while it links to customer/1 ALFKI

        """
      )
    )
    #expect(customer.messages == "\(shop): the deletion is not possible: 2 links forbid it\n")
    #expect(customer.exitCode == 1)
    #expect(try place.bytes("shop.sqlite") == before)
  }

  @Test func `are read again when they or their logs change`() throws {
    func customers() throws -> Int {
      try run("query", shop, "customer").output.split(separator: "\n").count
    }
    #expect(try customers() == 3)
    let copies = try place.names(in: "cache/kennel/copies")
    #expect(try customers() == 3)
    #expect(try place.names(in: "cache/kennel/copies") == copies)
    try sqlite("INSERT INTO customer (code, name, since) VALUES ('NEW', 'New', '2024-01-01')")
    #expect(try customers() == 4)

    // A program has the file open in WAL mode, and commits.
    let program = Process()
    let input = Pipe()
    program.executableURL = URL(fileURLWithPath: try Executable.system("sqlite3"))
    program.arguments = [shop]
    program.standardInput = input
    program.standardOutput = Pipe()
    try program.run()
    defer { program.waitUntilExit() }
    defer { try? input.fileHandleForWriting.close() }
    let statements = """
      PRAGMA journal_mode = WAL; DELETE FROM profile;
      INSERT INTO customer (code, name, since) VALUES ('LOG', 'Log', '2024-01-01');

      """
    try input.fileHandleForWriting.write(contentsOf: Data(statements.utf8))
    var count = 0
    for _ in 0..<200 where count != 5 {
      usleep(20_000)
      count = try customers()
    }
    #expect(count == 5)
    let names = try place.names().filter { $0.hasPrefix("shop") }
    #expect(names == ["shop.sqlite", "shop.sqlite-shm", "shop.sqlite-wal"])
    // As a crash leaves them: without the index of the log.
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: shop + suffix,
        toPath: place.file("left.db" + suffix)
      )
    }
    let left = try run("query", place.file("left.db"), "customer")
    #expect(left.output.split(separator: "\n").count == 5, "\(left.messages)")
    #expect(try place.names().filter { $0.hasPrefix("left") } == ["left.db", "left.db-wal"])
    let kept = try place.names(in: "cache/kennel/copies").filter { $0.hasPrefix("original") }
    #expect(kept == [])
  }

  @Test func `have links that a person names`() throws {
    let plain = place.file("plain.db")
    try sqlite(
      """
      CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE "order" (id INTEGER PRIMARY KEY, customer_id INT);
      INSERT INTO customer VALUES (1, 'Ada'); INSERT INTO "order" VALUES (1, 1);
      """,
      plain
    )
    let link = "order.customer_id=customer.id"
    let schema = try run("schema", plain)
    #expect(schema.output.contains("customer_id  int?"))
    #expect(
      try run("import", place.file("plain.kennel"), plain).messages.hasSuffix(
        "\nlinks that no key declares: --link order.customer_id=customer.id\n"
      )
    )
    #expect(
      try run("schema", plain, "--link", link).output.contains("customer_id  0..1  → customer")
    )
    let new = place.file("new.kennel")
    #expect(try run("import", new, plain, "--link", link).exitCode == 0)
    #expect(try run("query", new, "order", "customer_id.name == \"Ada\"").output != "")
    let wrong = try run("schema", plain, "--link", "order.customer=customer.id")
    #expect(
      wrong.messages == "kennel: Cannot read \(plain): the table order has no column customer\n"
    )
    #expect(
      try run("schema", plain, "--link", "customer").messages.hasPrefix(
        "kennel: Cannot add the link 'customer': expected TABLE.COLUMN=TABLE.COLUMN"
      )
    )
    #expect(
      try run("schema", new, "--link", link).messages
        == "kennel: Cannot add links to \(new): --link is for SQL databases\n"
    )
  }

  @Test func `that cannot be read are told in a sentence`() throws {
    let bytes = try place.bytes("shop.sqlite")
    let secret = place.file("secret.db")
    try Data(bytes.map { $0 ^ 0x5A }).write(to: URL(fileURLWithPath: secret))
    #expect(
      try run("export", secret).messages
        == "kennel: Cannot read \(secret): it is not an SQLite database, or it is encrypted\n"
    )
    let short = place.file("short.sqlite")
    try bytes.prefix(9_000).write(to: URL(fileURLWithPath: short))
    let cut = try run("export", short)
    #expect(cut.messages.hasPrefix("kennel: Cannot read \(short): it is damaged: "))
    #expect(cut.exitCode == 1)
    #expect(try run("check", short).exitCode == 1)
    let copies = place.file("cache/kennel/copies")
    let made = (try? FileManager.default.contentsOfDirectory(atPath: copies)) ?? []
    #expect(!made.contains { $0.hasSuffix(".kennel") })
  }

  @Test func `are walked in the browser, from a customer to what it bought and back`() throws {
    let terminal = try TmuxTerminal(
      [try Executable.path("kennel"), shop],
      size: Size(columns: 120, rows: 30),
      environment: environment
    )
    try terminal.waitFor("shop.sqlite (SQLite)  ")
    try terminal.waitFor("Values that lead nowhere: order.customer_code (1)")
    try terminal.press("j Enter Enter")
    try terminal.waitFor("2 customer/1 ALFKI")
    // The pane of links: its first order, that order's first line, the line's product.
    try terminal.press("Tab j j j Enter")
    try terminal.waitFor("2 order/1001 sent")
    try terminal.press("Tab j Enter")
    try terminal.waitFor("2 order_line/1")
    try terminal.press("Tab j j j Enter")
    try terminal.waitFor("2 product/1 Bone")
    try terminal.waitFor("order_line.product_id [2]")
    try terminal.press("Bksp Bksp Bksp")
    try terminal.waitFor("2 customer/1 ALFKI")
    try terminal.press("Q")
    _ = try terminal.waitForExit()
  }
}
