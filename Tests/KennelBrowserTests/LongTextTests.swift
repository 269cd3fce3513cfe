import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

/// Texts in which a character takes many bytes: 10 kB of Hindi, and one letter with 200 kB of marks.
@Suite("A text of long characters")
struct LongTextTests {
  private static let texts = [
    String(repeating: "सभी मनुष्यों को गौरव ", count: 200),
    "e" + String(repeating: "\u{301}", count: 100_000),
  ]

  /// Browses an object that has a text wherever a value can be.
  private func browse(_ text: String, _ body: (Browser) throws -> Void) throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        try transaction.define([
          ClassDefinition(
            "Box",
            properties: [
              PropertyDefinition("list", .list(.string)), PropertyDefinition("set", .set(.string)),
              PropertyDefinition("map", .map(.string)), PropertyDefinition("nested", .mixed),
              PropertyDefinition("mixed", .mixed), PropertyDefinition("mixes", .list(.mixed)),
              PropertyDefinition("text", .string),
            ]
          )
        ])
        let value = Value.string(text)
        let nested = Value.map([MapEntry(text, .list([value]))])
        let values: [String: Value] = [
          "list": .list([value]), "set": .set([value]), "map": .map([MapEntry(text, value)]),
          "nested": nested, "mixed": value, "mixes": .list([value, nested]), "text": value,
        ]
        let box = try #require(transaction.schema["Box"])
        var byKey: [PropertyKey: Value] = [:]
        for (name, value) in values { byKey[try #require(box[name]).key] = value }
        _ = try transaction.create(box.key, byKey)
      }
      try body(try Kennels.browser(database))
    }
  }

  /// Whether a screen shows a text, which need not end where a character does.
  private func shows(_ browser: Browser, _ text: String, columns: Int, rows: Int) -> Bool {
    browser.screen(columns, rows).unicodeScalars.contains(text.unicodeScalars)
  }

  @Test(arguments: texts)
  func `is shown in tables, in objects and among elements`(text: String) throws {
    let beginning = String(String.UnicodeScalarView(text.unicodeScalars.prefix(4)))
    try browse(text) { browser in
      browser.press("Enter")
      #expect(shows(browser, "[1] \(beginning)", columns: 120, rows: 34))
      #expect(shows(browser, beginning, columns: 80, rows: 24))
      browser.press("Enter")
      for part in ["{\"", " \"", " "] {
        #expect(shows(browser, part + beginning, columns: 120, rows: 34))
      }
      for _ in 0..<7 {
        browser.press("Enter")
        #expect(shows(browser, beginning, columns: 120, rows: 34))
        browser.press("Bksp j")
        #expect(shows(browser, beginning, columns: 80, rows: 24))
      }
    }
  }

  @Test(arguments: texts)
  func `among mixed values is cut after 60 scalars`(text: String) throws {
    try browse(text) { browser in
      browser.press("Enter Enter")
      #expect(shows(browser, "\"…: [\"", columns: 2_000, rows: 34))
      #expect(shows(browser, "\"…]}", columns: 2_000, rows: 34))
    }
  }

  @Test func `among mixed values is whole where it has fewer scalars, but more bytes`() throws {
    let text = "नमस्ते दुनिया, यह एक छोटा पाठ है"
    try browse(text) { browser in
      browser.press("Enter Enter")
      #expect(shows(browser, "{\"\(text)\": [\"\(text)\"]}", columns: 400, rows: 34))
    }
  }
}
