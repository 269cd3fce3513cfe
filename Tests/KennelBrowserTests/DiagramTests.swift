import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

@Suite("The diagram of the schema")
struct DiagramTests {
  @Test func `has each class with its links, their multiplicity and what leads to it`() throws {
    try Kennels.browse { browser, _ in
      browser.press("g s")
      let screen = browser.screen(80, 40)
      #expect(screen.contains("Diagram of the schema  4 classes, 5 links"))
      #expect(screen.contains("Person  3 objects"))
      #expect(screen.contains("  dog      0..1  → Dog"))
      #expect(screen.contains("  dogs     *     → Dog"))
      #expect(screen.contains("  address  0..1  ◆ Address {}"))
      #expect(screen.contains("  clubs    *     ← DogClub.members"))
      #expect(screen.contains("  1     ◇ Person.address"))
    }
  }

  @Test func `is walked along the links, and back`() throws {
    try Kennels.browse { browser, _ in
      browser.press("g s j")
      #expect(browser.screen().contains(">  dog "))
      #expect(browser.screen().contains("Enter go to Dog"))
      browser.press("l")
      #expect(browser.screen().contains(">Dog  3 objects"))
      #expect(browser.screen().contains("│ Person"))
      browser.press("h")
      #expect(browser.screen().contains(">  dog "))
      browser.press("h")
      #expect(browser.screen().contains(">Person  3 objects"))
    }
  }

  @Test func `leads to the objects and the schema of a class, and back to its place`() throws {
    try Kennels.browse { browser, _ in
      browser.press("g s j Enter i")
      #expect(browser.screen().contains("Schema of Dog  4 properties"))
      browser.press("Enter")
      #expect(browser.screen().contains("Dog  1 of 3"))
      browser.press("H H")
      #expect(browser.screen().contains(">Dog  3 objects"))
    }
  }

  @Test func `is searched, and opens at the class that is shown`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter g s")
      #expect(browser.screen().contains(">Dog  3 objects"))
      browser.press("/")
      browser.type("offices")
      browser.press("Enter")
      #expect(browser.screen().contains(">  offices  *     ◆ Address {}"))
    }
  }

  /// What an embedded object links to stands below its owner, also where it owns its own kind.
  @Test func `nests embedded classes, and scrolls through many`() throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        let parts = [
          ClassDefinition(
            "Part",
            isEmbedded: true,
            properties: [
              PropertyDefinition("parts", .list(.link("Part"))),
              PropertyDefinition("maker", .link("Class 1")),
            ]
          )
        ]
        let others = (0..<50).map { number in
          ClassDefinition(
            "Class \(number)",
            properties: [PropertyDefinition("part", .link("Part"))]
              + (1...4).map {
                let target = PropertyType.link("Class \((number + $0 * 7) % 50)")
                return PropertyDefinition(
                  "link\($0)",
                  target,
                  deleteRule: .cascade,
                  targetRule: .deny
                )
              }
          )
        }
        try transaction.define(others + parts)
      }
      let browser = try Kennels.browser(database)
      browser.press("g s")
      let screen = browser.screen()
      #expect(screen.contains("51 classes, 252 links"))
      #expect(screen.contains("  part     0..1  ◆ Part {}"))
      #expect(screen.contains("    parts  *     ◆ Part {} (as above)"))
      #expect(screen.contains("    maker  0..1  → Class 1"))
      #expect(screen.contains("  link1    0..1  → Class 7, delete rule cascade, target rul"))
      browser.press("G")
      #expect(browser.screen().contains(">    "))
      browser.press("k")
      browser.press("g g")
      #expect(browser.screen().contains(">Class 0  0 objects"))
      browser.press("j j j j l")
      #expect(browser.screen().contains(">Class 7  0 objects"))
      #expect(browser.screen().contains("link4"))
    }
  }

  /// Six classes of embedded objects, each of which owns objects of all of them.
  @Test func `shows what embedded objects own once for each of their classes`() throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        let names = (1...6).map { "Part\($0)" }
        let parts = names.map { name in
          ClassDefinition(
            name,
            isEmbedded: true,
            properties: names.map { PropertyDefinition("to\($0)", .link($0)) }
          )
        }
        let whole = PropertyDefinition("part", .link("Part1"))
        try transaction.define([ClassDefinition("Whole", properties: [whole])] + parts)
      }
      let graph = SchemaGraph(try database.snapshot().schema)
      let whole = try #require(try database.snapshot().schema["Whole"])
      let lines = graph.lines(of: whole, count: 0, .names).filter { $0.kind == .link }
      #expect(lines.count == 1 + 6 * 6)
      #expect(
        Set(lines.map { "\($0.edge?.origin, default: "")\($0.edge?.property, default: "")" }).count
          == lines.count
      )
    }
  }
}
