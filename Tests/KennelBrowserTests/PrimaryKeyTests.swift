import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

@Suite("A primary key")
struct PrimaryKeyTests {
  /// Two orders whose numbers are not their keys, and a country that is called by its letters.
  private func browse(_ body: (Browser, Database) throws -> Void) throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        try transaction.define([
          ClassDefinition(
            "Order",
            properties: [
              PropertyDefinition("number", .int, isPrimaryKey: true),
              PropertyDefinition("goods", .string),
              PropertyDefinition("follows", .link("Order")),
              PropertyDefinition("country", .link("Country")),
            ]
          ),
          ClassDefinition(
            "Country",
            properties: [
              PropertyDefinition("code", .string, isPrimaryKey: true),
              PropertyDefinition("name", .string),
            ]
          ),
          ClassDefinition("Note", properties: [PropertyDefinition("text", .string)]),
        ])
        let schema = transaction.schema
        let (order, country) = (try schema.require("Order"), try schema.require("Country"))
        let wales = try transaction.create(
          country.key,
          [
            country.require("code").key: .string("WA"),
            country.require("name").key: .string("Wales"),
          ]
        )
        func make(_ number: Int64, _ goods: String, after: ObjectIdentity?) throws -> ObjectIdentity
        {
          try transaction.create(
            order.key,
            [
              order.require("number").key: .int(number), order.require("goods").key: .string(goods),
              order.require("follows").key: after.map { .link($0) } ?? .null,
              order.require("country").key: .link(wales),
            ]
          )
        }
        // The second order has the number that is the key of the first.
        let first = try make(1001, "leashes", after: nil)
        _ = try make(1, "bowls", after: first)
        _ = try make(3, "balls", after: nil)
        _ = try transaction.create(
          schema.require("Note").key,
          [schema.require("Note").require("text").key: .string("none")]
        )
      }
      try body(try Kennels.browser(database), database)
    }
  }

  @Test func `takes the place of the key in a table, where there is one`() throws {
    try browse { browser, _ in
      browser.press("Enter")
      let header = browser.screen().split(separator: "\n").first { $0.contains("goods") } ?? ""
      #expect(header.contains("[number]") && !header.contains("key"))
      #expect(browser.screen().contains("1001  leashes"))
      browser.press("1 G Enter")
      #expect(browser.screen().contains("[key] text"))
    }
  }

  @Test func `names an object in paths, with # where it is not the key`() throws {
    try browse { browser, _ in
      browser.press("Enter j Enter")
      #expect(browser.screen().contains("▸2 Order#1 bowls"))
      #expect(browser.screen().contains("→Order#1001 leashes"))
      #expect(browser.screen().contains("→Country#WA"))
      #expect(!browser.screen().contains("Country#WA WA"))
      browser.press("Bksp j Enter")
      #expect(browser.screen().contains("▸2 Order/3 balls"))
    }
  }

  @Test(arguments: [
    ("Order#1", "bowls"), ("Order/1", "leashes"), ("order#1001", "leashes"),
    ("Order/1001", "leashes"), ("country#WA", "Wales"),
  ])
  func `is found behind #, and a key behind /`(path: String, found: String) throws {
    try browse { browser, _ in
      browser.press(":")
      browser.type(path)
      browser.press("Enter")
      #expect(browser.screen().contains("▸2"))
      #expect(browser.screen().contains(found))
    }
  }

  @Test func `sorts, filters, counts and is edited as other properties are`() throws {
    try browse { browser, database in
      browser.press("Enter s")
      #expect(browser.screen().contains("[number↑]"))
      #expect(browser.screen().contains("    3  balls"))
      browser.press("s s ,")
      #expect(browser.screen().contains("Order where number == 1001"))
      browser.press("F I")
      #expect(browser.screen().contains("number of 3 Order"))
      browser.press("Esc gg e")
      #expect(browser.screen().contains("number of Order#1001 (int)"))
      browser.press("^U")
      browser.type("7")
      browser.press("Enter")
      #expect(browser.screen().contains("> ~       7  leashes"), "\(browser.screen())")
    }
  }

  @Test func `is found by its digits`() throws {
    try browse { browser, _ in
      browser.press("Enter j /")
      browser.type("1001")
      browser.press("Enter")
      #expect(browser.screen().contains(">      1001  leashes"), "\(browser.screen())")
    }
  }

  @Test func `of a deleted object names it still`() throws {
    try browse { browser, _ in
      browser.press("Enter d D 4")
      #expect(browser.screen().contains("- Order#1001 leashes"))
    }
  }

  @Test func `does not name what is saved or copied`() throws {
    try browse { browser, _ in
      let copied = browser.press("Enter y").compactMap {
        if case .copy(let text) = $0 { text } else { nil }
      }
      #expect(copied == ["Order/1"])
      browser.press("Enter m a")
      #expect(browser.keptState.session.bookmarks == ["a": "Order/1"])
    }
  }

  @Test func `is not needed to fill in a new object from its first property on`() throws {
    try browse { browser, _ in
      browser.press("1 G Enter o")
      #expect(browser.screen().contains("text of Note/new1"))
      browser.type("hello")
      browser.press("Enter")
      #expect(browser.screen().contains("▸2 Note/new1 hello"))
    }
  }

  @Test func `and an address are filled in as one form`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter o Tab")
      browser.type("Eve")
      browser.press("Tab Tab o")
      browser.type("Sea View")
      browser.press("Tab")
      browser.type("Whitby")
      browser.press("Enter gp")
      #expect(browser.screen().contains("Person#4 Eve"))
      #expect(browser.screen().contains("{street: Sea View, city: Whitby}"))
    }
  }
}
