import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

@Suite("Reading a text")
struct ReadingTests {
  /// Ninety lines, most of them of one word; one is longer than any screen.
  private static let text =
    (1...90).map { line in
      switch line {
      case 40: (1...60).map { "word\($0)" }.joined(separator: " ")
      case 70: String(repeating: "x", count: 200) + "needle" + String(repeating: "y", count: 7_000)
      case _: "line \(line)"
      }
    }.joined(separator: "\n")

  /// Browses the values of a box, whose cursor is on its text, in a file that is only read.
  private func browse(_ text: String = text, _ body: (Browser) throws -> Void) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("boxes.kennel")
    let properties = [
      PropertyDefinition("text", .string), PropertyDefinition("list", .list(.string)),
      PropertyDefinition("short", .string),
    ]
    try Database.open(path).write { transaction in
      try transaction.define([ClassDefinition("Box", properties: properties)])
      let box = try #require(transaction.schema["Box"])
      var values: [PropertyKey: Value] = [:]
      values[try #require(box["text"]).key] = .string(text)
      values[try #require(box["list"]).key] = .list([.string(text)])
      values[try #require(box["short"]).key] = .string("short")
      try transaction.create(box.key, values)
    }
    let configuration = Database.Configuration(access: .readOnly)
    let browser = try Kennels.browser(Database.open(path, configuration: configuration))
    _ = browser.screen()
    browser.press("Enter Enter")
    try body(browser)
  }

  @Test func `begins with Enter, where nothing can be changed, too`() throws {
    try browse { browser in
      #expect(browser.screen().contains("Enter read all of it"))
      browser.press("Enter")
      let screen = browser.screen()
      #expect(screen.contains("── text of Box/1  8.3 kB  1–19 of 185"))
      #expect(screen.contains("\nline 19\n"))
      browser.press("q j j j Enter")
      #expect(browser.screen().contains("short has no link"))
    }
  }

  @Test func `goes by lines, by pages and to both ends`() throws {
    try browse { browser in
      browser.press("Enter j j")
      #expect(browser.screen().contains("3–21 of 185"))
      browser.press("Space")
      #expect(browser.screen().contains("22–40 of 185"))
      browser.press("k PgUp")
      #expect(browser.screen().contains("2–20 of 185"))
      browser.press("G")
      #expect(browser.screen().contains("167–185 of 185"))
      #expect(browser.screen().contains("\nline 90\n"))
      browser.press("PgDn g")
      #expect(browser.screen().contains("1–19 of 185"))
    }
  }

  @Test func `breaks lines between words, and keeps its place when the width changes`() throws {
    try browse { browser in
      browser.press("Enter")
      browser.type("/word1 ")
      browser.press("Enter")
      #expect(browser.screen().contains("\nword1 word2 word3 word4"))
      for row in browser.screen().split(separator: "\n") where row.hasPrefix("word") {
        #expect(row.count <= 80)
        #expect(row.split(separator: " ").allSatisfy { $0.hasPrefix("word") })
      }
      let before = browser.screen().split(separator: "\n")[3]
      #expect(browser.screen(60).split(separator: "\n")[3] == before)
    }
  }

  @Test func `is searched, forwards, backwards and around the end`() throws {
    try browse { browser in
      browser.press("Enter")
      browser.type("/line 9")
      browser.press("Enter")
      #expect(browser.screen().contains("1–19 of 185"))
      browser.press("n")
      #expect(browser.screen().contains("167–185 of 185"))
      browser.press("n")
      #expect(browser.screen().contains("The search wrapped around"))
      #expect(browser.screen().contains("3–21 of 185"))
      browser.press("N")
      #expect(browser.screen().contains("167–185 of 185"))
      browser.type("/nothing")
      browser.press("Enter")
      #expect(browser.screen().contains("“nothing” is not found"))
      browser.press("/ ^T")
      browser.type("x+needle")
      browser.press("Enter Esc")
      #expect(!browser.screen().contains("── text of Box/1"))
    }
  }

  @Test(arguments: [
    "needle",
    "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy",
  ])
  func `finds what stands in two rows, and marks it in both`(wanted: String) throws {
    try browse { browser in
      browser.press("Enter")
      browser.type("/\(wanted)")
      browser.press("Enter")
      let screen = browser.draw(Size(columns: 100, rows: 24))
      let marked = (0..<24).flatMap { screen.cells(ofRow: $0) }.filter {
        $0.style.isUnderlined && $0.style.isReversed
      }
      #expect(marked.map(\.text).joined() == wanted)
    }
  }

  @Test func `of a list has the element under the cursor`() throws {
    try browse { browser in
      browser.press("j j Enter")
      #expect(browser.screen().contains("── list[0] of Box/1"))
      browser.press("Esc k Enter Enter")
      #expect(browser.screen().contains("── list[0] of Box/1"))
    }
  }

  @Test(arguments: ["", "\n", "\r\n\r\n", " ", "     wide", "a\u{301}\u{202e}漢字"])
  func `shows odd lines at any width`(text: String) throws {
    try browse(text + String(repeating: " b", count: 30)) { browser in
      browser.press("Enter")
      for width in [1, 2, 3, 8, 20, 80] { _ = browser.screen(width, 10) }
      #expect(browser.screen().contains("── text of Box/1"))
    }
  }

  @Test func `K shows it page by page, and then no more`() throws {
    try browse { browser in
      browser.press("K")
      #expect(browser.screen().contains("Peek at text of Box/1  8.3 kB"))
      #expect(browser.screen().contains("K more"))
      #expect(browser.screen().contains("│ line 5\n"))
      browser.press("K")
      #expect(!browser.screen().contains("│ line 5\n"))
      #expect(browser.screen().contains("│ line 6\n"))
      for _ in 0..<200 where browser.screen().contains("Peek at") { browser.press("K") }
      #expect(!browser.screen().contains("Peek at"))
    }
  }
}
