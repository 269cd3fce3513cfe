import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

@Suite("A list or a map in a mixed value")
struct NestedValueTests {
  private static let text = #"[1, "a", {"dog": →Dog/1 Rex}]"#

  /// Two boxes, of which the first has a nested value with a link, and two dogs.
  private func browse(_ body: (Browser, Database) throws -> Void) throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        try transaction.define([
          ClassDefinition(
            "Box",
            properties: [
              PropertyDefinition("held", .mixed), PropertyDefinition("list", .list(.mixed)),
            ]
          ),
          ClassDefinition("Dog", properties: [PropertyDefinition("name", .string)]),
        ])
        let box = try #require(transaction.schema["Box"])
        let dog = try #require(transaction.schema["Dog"])
        let name = try #require(dog["name"]).key
        let rex = try transaction.create(dog.key, [name: .string("Rex")])
        _ = try transaction.create(dog.key, [name: .string("Fido")])
        let nested = Value.list([
          .int(1), .string("a"), .map([MapEntry("dog", .link(rex))]),
        ])
        let (held, list) = (try #require(box["held"]).key, try #require(box["list"]).key)
        try transaction.create(box.key, [held: nested, list: .list([nested])])
        try transaction.create(box.key, [held: .int(7)])
      }
      try body(try Kennels.browser(database), database)
    }
  }

  private func held(_ number: UInt64, _ database: Database) throws -> Value {
    let snapshot = try database.snapshot()
    let box = try #require(snapshot.schema["Box"])
    let object = ObjectIdentity(box.key, ObjectKey(rawValue: number))
    return try snapshot.value(of: object, property: try #require(box["held"]).key)
  }

  @Test func `is shown in a cell and among its object's values, links by name`() throws {
    try browse { browser, _ in
      browser.press("Enter")
      #expect(browser.screen(120, 24).contains(Self.text))
      browser.press("Enter")
      #expect(browser.screen(160, 24).contains(Self.text))
      #expect(browser.screen(160, 24).contains("[1] " + Self.text) == false)
    }
  }

  @Test func `is shortened in a cell, and shown line by line by Enter`() throws {
    try browse { browser, _ in
      browser.press("Enter j l C t a ^U")
      let numbers = (1...30).map { "\($0)" }.joined(separator: ", ")
      browser.type("[[\(numbers)], {\"b\": \"x\"}]")
      browser.press("Enter")
      #expect(browser.screen(200, 24).contains("21, 22, …], …]"))
      browser.press("Enter Enter")
      let screen = browser.screen(100, 80)
      #expect(screen.contains("held of Box/2"))
      #expect(screen.contains("    29,"))
      #expect(screen.contains(#"  {"b": "x"}"#))
    }
  }

  @Test func `is edited as text, said what is wrong with it, undone and committed`() throws {
    try browse { browser, database in
      browser.press("Enter l e")
      browser.type("]")
      #expect(browser.screen(120).contains("Expected the end of the value"))
      browser.press("Bksp Bksp")
      browser.type(", {}]")
      browser.press("Enter")
      #expect(browser.screen(120).contains(#"{"dog": →Dog/1 Rex}, {}]"#))
      browser.press("u")
      #expect(browser.screen(120).contains(Self.text))
      browser.press("^R _ W")
      #expect(browser.screen(160).contains(#"{"dog": →Dog/1 Rex}, {}]"#))
      browser.press("W")
      browser.press("Esc")
    }
  }

  @Test func `takes the place of a single value by the menu of types`() throws {
    try browse { browser, _ in
      browser.press("Enter j l C t p")
      browser.press("Bksp")
      browser.type(#""key": [null, date(2024-05-01)]}"#)
      browser.press("Enter")
      #expect(browser.screen(120).contains(#"{"key": [null, date(2024-05-01T00:00:00Z)]}"#))
      browser.press("C t a")
      browser.press("Enter")
      #expect(browser.screen(120).contains("held of Box/2 is []"))
    }
  }

  @Test func `is edited in the editor over several lines, and mended where it is wrong`() throws {
    try browse { browser, _ in
      browser.press("Enter l")
      func edit(_ text: String) throws -> String {
        let effects = browser.press("E")
        let (old, token) = try #require(
          effects.compactMap { effect -> (String, Int)? in
            if case .editExternally(let text, let token) = effect { (text, token) } else { nil }
          }.first
        )
        browser.receive(.edited(token: token, .saved(text)))
        return old
      }
      #expect(try edit("{\"a\":\n  [1,\n 2]}\n").contains("  1,\n  \"a\",\n"))
      #expect(browser.screen(120).contains(#"{"a": [1, 2]}"#))
      _ = try edit("{\"a\": [1, 2}\n")
      #expect(browser.screen(120).contains("At character 12: Expected a comma or ]"))
      browser.press("^U")
      browser.type("[3]")
      browser.press("Enter")
      #expect(browser.screen(120).contains("held of Box/1 is [3]"))
    }
  }

  @Test func `is copied and pasted with its type`() throws {
    try browse { browser, _ in
      browser.press("Enter l l _ h y j p")
      #expect(browser.screen(120).components(Self.text) == 4)
    }
  }

  @Test func `has its links listed with the way to them, and followed`() throws {
    try browse { browser, _ in
      browser.press("Enter Enter 3")
      #expect(browser.screen(160).contains(#"held[2]["dog"] →Dog/1 Rex"#))
      #expect(browser.screen(160).contains(#"0[2]["dog"] →Dog/1 Rex"#))
      browser.press("Enter")
      #expect(browser.screen(160).contains("Dog/1"))
      #expect(browser.screen(160).contains("Box.held [1]"))
    }
  }

  @Test func `is found by the names of what it links to`() throws {
    try browse { browser, _ in
      browser.press("Enter j /")
      browser.type("rex")
      browser.press("Enter")
      #expect(browser.screen(120).contains(">    1"))
    }
  }

  @Test func `is named by a deletion that empties it, and linked elsewhere`() throws {
    try browse { browser, database in
      browser.press("j Enter d")
      #expect(browser.screen(120, 30).contains("Box/1 .held"))
      browser.press("j j t")
      #expect(browser.screen().contains("Link all 2 to another Dog"))
      browser.press("Enter")
      #expect(browser.screen(120, 30).contains("Box/1 .held links to Dog/2 Fido"))
      browser.press("D 4 w y")
      let dog = try #require(try database.snapshot().schema["Dog"]).key
      let fido = ObjectIdentity(dog, ObjectKey(rawValue: 2))
      #expect(
        try held(1, database)
          == .list([.int(1), .string("a"), .map([MapEntry("dog", .link(fido))])])
      )
    }
  }

  @Test func `is offered with its keys, positions and kinds in the line of a filter`() throws {
    try browse { browser, _ in
      browser.press("Enter f")
      browser.type("held")
      let screen = browser.screen(100, 50)
      for step in [#"[""#, "[0]", "[*]", "@type", "@count"] {
        #expect(screen.contains("\(step) "), "\(step)")
      }
      browser.type(".@type == ")
      #expect(browser.screen(100, 50).contains(#"│ "list""#))
      browser.type(#""list""#)
      browser.press("Enter")
      #expect(browser.screen(100, 50).contains("1 of 1"))
    }
  }
}

extension String {
  /// How often a text occurs.
  fileprivate func components(_ text: String) -> Int { ranges(of: text).count }
}
