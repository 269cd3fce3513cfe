import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

@Suite("A value as a tree")
struct TreeTests {
  /// Shows a value, a text or data, of an object.
  private func browse(_ value: Value, _ body: (Browser) throws -> Void) throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        try transaction.define([
          ClassDefinition(
            "Box",
            properties: [PropertyDefinition("text", .string), PropertyDefinition("data", .data)]
          )
        ])
        let box = try transaction.schema.require("Box")
        let isText = if case .string = value { true } else { false }
        try transaction.create(box.key, [box.require(isText ? "text" : "data").key: value])
      }
      let browser = try Kennels.browser(database)
      if case .string = value {
        browser.press("Enter Enter Enter")
      } else {
        browser.press("Enter Enter j Enter")
      }
      try body(browser)
    }
  }

  private static let json = """
    {"name": "Rex \\u00e9", "age": 5.50, "owners": [{"name": "Ada", "isGood": true}, null], \
    "none": {}, "name": "again"}
    """

  private func rows(_ browser: Browser) -> [String] {
    browser.screen(100, 30).split(separator: "\n").map { String($0) }
  }

  @Test(arguments: [true, false])
  func `is that of JSON in a text or in data, as it is written`(isText: Bool) throws {
    let value: Value = isText ? .string(Self.json) : .data(Array(Self.json.utf8))
    try browse(value) { browser in
      let rows = rows(browser)
      for row in [
        "> - {5}", "      name: \"Rex \\u00e9\"", "      age: 5.50", "    - owners: [2]",
        "      - 0: {2}", "          name: \"Ada\"", "          isGood: true", "        1: null",
        "      none: {0}", "      name: \"again\"",
      ] {
        #expect(rows.contains { $0.hasPrefix(row) }, "\(row): \(rows)")
      }
    }
  }

  @Test(arguments: [(#"{"a": 1}"#, "a: 1"), ("[true]", "0: true")])
  func `is that of JSON that its line has room for, too`(text: String, row: String) throws {
    try browse(.string(text)) { browser in
      #expect(rows(browser).contains { $0.contains("    \(row)") })
    }
  }

  @Test(arguments: ["{}", "[]", "{not JSON}", "1"])
  func `is not that of a short text that has no parts`(text: String) throws {
    try browse(.string(text)) { browser in #expect(!browser.screen().contains("> - {")) }
  }

  @Test func `folds by Enter, Space and h, and opens by l`() throws {
    try browse(.string(Self.json)) { browser in
      browser.press("j j j Enter")
      #expect(rows(browser).contains { $0.hasPrefix(">   + owners: [2]") })
      #expect(!rows(browser).contains { $0.contains("name: \"Ada\"") })
      browser.press("j")
      #expect(rows(browser).contains { $0.hasPrefix(">     none: {0}") })
      browser.press("k l j j")
      #expect(rows(browser).contains { $0.hasPrefix(">         name: \"Ada\"") })
      // From a leaf to what it is a part of, which folds then.
      browser.press("h h")
      #expect(rows(browser).contains { $0.hasPrefix(">     + 0: {2}") })
      browser.press("- G")
      #expect(rows(browser).contains { $0.hasPrefix("    + owners: [2]") })
      browser.press("+ g Space")
      #expect(rows(browser).contains { $0.hasPrefix("> + {5}") })
      #expect(!rows(browser).contains { $0.contains("owners: [") })
    }
  }

  @Test func `gives way to the text, or to the bytes`() throws {
    try browse(.string(Self.json)) { browser in
      browser.press("t")
      #expect(browser.screen(100, 30).contains(#""age": 5.50"#))
    }
    try browse(.data(Array(Self.json.utf8))) { browser in
      #expect(browser.screen(100, 30).contains("data of Box/1: JSON text"))
      browser.press("t")
      #expect(browser.screen(100, 30).contains("00000000  7b 22"))
    }
  }

  @Test(arguments: [
    #"{"a": 1, "b": [1, 2, 3], "c": "a text that is long"} x"#,
    #"{"a": 01, "b": [1, 2, 3], "c": "a text that is long"}"#,
    #"{"a": 1, "b": [1, 2, 3,], "c": "a text that is long"}"#,
    #"{"a": 1, "b": [1, 2, 3], "c": "a text that is long""#,
    #"{"a": 1, "b": [1, 2, 3}, "c": "a text that is long"]"#,
    #"[tru, false, null, "a text that is long enough to be read"]"#,
    #"["\x a text that is long enough to be read as a text"]"#,
  ])
  func `is not that of a text that is almost JSON`(text: String) throws {
    try browse(.string(text)) { browser in
      #expect(browser.screen(100, 30).contains("/ find"))
      #expect(browser.screen(100, 30).contains(text))
    }
  }

  @Test func `is not that of JSON that is nested to do harm`() throws {
    let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
    try browse(.string(deep)) { browser in
      #expect(browser.screen(100, 30).contains("/ find"))
    }
  }

  /// A message with a number, a text, a message with a number, bytes, and both fixed widths.
  private static let message: [UInt8] =
    [0x08, 0x96, 0x01] + [0x12, 0x07] + Array("testing".utf8) + [0x1A, 0x03, 0x08, 0xAC, 0x02]
    + [0x22, 0x02, 0xFF, 0xFE] + [0x2D, 0, 0, 0xC0, 0x3F]
    + [0x31, 0, 0, 0, 0, 0, 0, 0xF8, 0x3F]

  @Test func `is that of the fields of a protocol buffer`() throws {
    try browse(.data(Self.message)) { browser in
      #expect(browser.screen(100, 30).contains("data of Box/1: protobuf-like, 6 fields, 35 bytes"))
      let rows = rows(browser)
      for row in [
        ">   1: 150", "    2: \"testing\"", "  - 3: {1}", "      1: 300", "    4: 2 bytes  ff fe",
        "    5: 1069547520, or 1.5", "    6: 4609434218613702656, or 1.5",
      ] {
        #expect(rows.contains { $0.hasPrefix(row) }, "\(row): \(rows)")
      }
    }
  }

  @Test func `is not that of a message that is cut, or of other bytes`() throws {
    for length in [33, 20, 11] {
      try browse(.data(Array(Self.message.prefix(length)))) { browser in
        #expect(browser.screen(100, 30).contains("data of Box/1: data, \(length) bytes"))
        #expect(browser.screen(100, 30).contains("00000000  08 96 01"))
      }
    }
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<200 {
      let bytes = (0..<64).map { _ in UInt8.random(in: 0...255, using: &generator) }
      try browse(.data(bytes)) { #expect(!$0.screen(100, 30).contains("protobuf")) }
    }
  }
}
