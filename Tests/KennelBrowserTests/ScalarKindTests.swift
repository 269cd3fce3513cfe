import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

@Suite struct `Each kind of scalar` {
  @Test func `is edited in its place`() throws {
    try withTemporaryDatabase { database in
      let object = try EveryKind.make(in: database, isFilled: false)
      let browser = try Kennels.browser(database)
      browser.press("Enter Enter")
      for kind in EveryKind.scalars {
        browser.press("j e")
        if kind == .bool {
          browser.press("t")
        } else {
          browser.press("^U")
          browser.type(ValueText.describe(EveryKind.value(kind)))
          browser.press("Enter")
        }
      }
      #expect(browser.screen().contains("DRAFT \(EveryKind.scalars.count) changes"))
      browser.press("4 w y")
      try EveryKind.expectFilled(object, in: database.snapshot())
    }
  }

  @Test func `is offered for a mixed value`() throws {
    try withTemporaryDatabase { database in
      try EveryKind.make(in: database)
      let browser = try Kennels.browser(database)
      browser.press("Enter Enter G e")
      let screen = browser.screen()
      for kind in EveryKind.scalars + [.link] {
        #expect(screen.contains("  \(kind)"), "\(kind)")
      }
    }
  }

  @Test func `may be typed without the 0 before its point`() throws {
    try withTemporaryDatabase { database in
      let kinds: [ValueKind] = [.float, .double, .decimal128]
      try database.write { transaction in
        let properties = kinds.map { PropertyDefinition("\($0)", PropertyType($0)) }
        try transaction.define([ClassDefinition("Thing", properties: properties)])
        _ = try transaction.create(try #require(transaction.schema["Thing"]).key, [:])
      }
      let browser = try Kennels.browser(database)
      browser.press("Enter Enter")
      for text in [".5", "-.25"] {
        browser.press("gg")
        for _ in kinds {
          browser.press("e ^U")
          browser.type(text)
          browser.press("Enter j")
        }
        let lines = browser.screen().split(separator: "\n")
        let wanted = text.replacing(".", with: "0.")
        #expect(lines.count { $0.hasSuffix("  \(wanted)") } == kinds.count)
      }
    }
  }

  @Test func `is told from others among mixed values`() throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        let mixed = PropertyDefinition("value", .mixed)
        try transaction.define([ClassDefinition("Thing", properties: [mixed])])
        let thing = try #require(transaction.schema["Thing"])
        let key = try #require(thing["value"]).key
        for value: Value in [
          .int(5), .string("5"), .double(5), .null, .string("null"), .bool(true),
        ] {
          _ = try transaction.create(thing.key, [key: value])
        }
      }
      let browser = try Kennels.browser(database)
      browser.press("Enter")
      let rows = browser.screen().split(separator: "\n").map(String.init)
      for text in [" 5", #""5""#, "5.0", "∅", #""null""#, "true"] {
        #expect(rows.contains { $0.hasSuffix(text) }, "\(text)")
      }
      browser.press("j Enter")
      #expect(browser.screen().contains(#"  "5""#) && !browser.screen().contains(#"""5"#))
    }
  }
}
