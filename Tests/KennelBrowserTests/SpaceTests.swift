import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

@Suite("The space of a file")
struct SpaceTests {
  private func number(_ name: String, in screen: String) -> Int? {
    let row = screen.split(separator: "\n").first { $0.contains(name) }
    let after = row?.split(separator: "│").last?.replacing(name, with: "").split(separator: " ")
    return after?.compactMap { Int($0) }.first
  }

  @Test func `is listed by class and property, the largest first`() throws {
    try withTemporaryDatabase { database in
      try Kennels.fill(database)
      try database.write { transaction in
        let dog = try transaction.schema.require("Dog")
        let text = String(repeating: "long ", count: 60_000)
        _ = try transaction.create(dog.key, [dog.require("name").key: .string(text)])
      }
      let browser = try Kennels.browser(database)
      browser.press(":")
      browser.type("space")
      browser.press("Enter")
      let screen = browser.screen(120, 40)
      #expect(screen.contains("class and property"))
      let dog = try #require(number("> Dog ", in: screen))
      #expect(dog > 300_000 && dog < 340_000, "\(screen)")
      #expect(screen.contains("> Dog"))
      browser.press("j Enter")
      #expect(browser.screen().contains("Dog  1 of 4"))
      browser.press("H")
      #expect(browser.screen().contains("2 Space"))
    }
  }

  /// What is measured adds up to the size of the file, whatever was done to it.
  @Test func `adds up to the size of the file`() throws {
    try withTemporaryDatabase { database in
      try Kennels.fill(database)
      for round in 0..<5 {
        try database.write { transaction in
          let dog = try transaction.schema.require("Dog")
          let first = try transaction.objects(of: dog.key, limit: round % 2 == 1 ? 50 : 0).keys
          _ = try transaction.delete(first.map { ObjectIdentity(dog.key, $0) })
          let name = try dog.require("name").key
          for count in 0..<300 {
            let text = String(repeating: "x", count: count * round)
            _ = try transaction.create(dog.key, [name: .string(text)])
          }
        }
        let report = try database.space()
        let parts = report.parts.reduce(0) { $0 + $1.byteCount }
        let rest = report.freeByteCount + report.unfilledByteCount + report.structureByteCount
        #expect(parts + rest == report.fileByteCount)
        #expect(report.structureByteCount > 0 && report.unfilledByteCount >= 0)
        #expect(parts > 0 && report.structureByteCount < 200_000)
      }
    }
  }

  @Test func `has indexes and backlinks of each property`() throws {
    try Kennels.browse { _, database in
      let schema = try database.snapshot().schema
      let person = try schema.require("Person")
      let report = try database.space()
      func part(_ name: String) throws -> SpaceReport.Part {
        let key = try person.require(name).key
        return try #require(
          report.parts.first { $0.classKey == person.key && $0.property == key }
        )
      }
      #expect(try part("id").indexByteCount > 0)
      #expect(try part("name").indexByteCount == 0)
      #expect(try part("dogs").backlinkByteCount > 0)
      #expect(try part("name").backlinkByteCount == 0)
    }
  }

  @Test func `is not measured any further once it is stopped`() throws {
    try withTemporaryDatabase { database in
      try Kennels.fill(database)
      try database.write { transaction in
        let person = try transaction.schema.require("Person")
        for id in 10..<2_000 {
          _ = try transaction.create(person.key, [person.require("id").key: .int(Int64(id))])
        }
      }
      #expect(throws: DatabaseError.self) { try database.space { _ in false } }
    }
  }
}
