import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

/// What another program's file says of its classes: the declarations of an SQL database.
@Suite("A file of another program") struct DeclarationsTests {
  private func browse(
    _ set: (inout BrowserSettings, Schema) throws -> Void,
    _ body: (Browser) throws -> Void
  ) throws {
    try withTemporaryDatabase { database in
      try Kennels.fill(database)
      var settings = BrowserSettings(fileName: "people.sqlite")
      try set(&settings, database.snapshot().schema)
      try body(try Browser(database, settings: settings))
    }
  }

  private static func title(_ browser: Browser) -> Substring {
    browser.screen().prefix { $0 != "\n" }
  }

  private static func notes(_ schema: Schema) throws -> Declarations {
    let person = try #require(schema["Person"])
    var dog = Declarations.PropertyNotes()
    dog.traits = ["declared INTEGER", "ON DELETE SET NULL"]
    dog.remarks = ["no index on person.dog: deletions of dog read the whole table"]
    var notes = Declarations()
    var ofClass = Declarations.ClassNotes()
    ofClass.traits = ["table person"]
    ofClass.properties[try #require(person["dog"]).key] = dog
    ofClass.readOnlyReason = "no row of the view person can be changed"
    notes.classes[person.key] = ofClass
    return notes
  }

  @Test func `shows in the schema of a class what its table declares`() throws {
    try browse {
      $0.declarations = try Self.notes($1)
    } _: { browser in
      browser.press("i")
      let screen = browser.screen(100, 24)
      #expect(screen.contains("class Person  3 objects, table person"))
      #expect(screen.contains("dog      link<Dog>  (declared INTEGER, ON DELETE SET NULL)"))
      #expect(screen.contains("│     ! no index on"))
    }
  }

  @Test func `has the same in the text of the schema, below the link`() throws {
    try withTemporaryDatabase { database in
      try Kennels.fill(database)
      let schema = try database.snapshot().schema
      let graph = SchemaGraph(schema, try Self.notes(schema))
      let person = try #require(schema["Person"])
      let lines = graph.lines(of: person, count: 3, .types).map(\.text)
      #expect(lines.first == "Person  3 objects, table person")
      let link = "  dog      0..1  → Dog, declared INTEGER, ON DELETE SET NULL"
      let place = try #require(lines.firstIndex(of: link))
      #expect(
        lines[place + 1] == "    ! no index on person.dog: deletions of dog read the whole table"
      )
    }
  }

  @Test func `says in the title that a class is read only, and changes nothing of it`() throws {
    try browse {
      $0.declarations = try Self.notes($1)
    } _: { browser in
      #expect(Self.title(browser).hasSuffix(" READ ONLY"))
      for keys in ["Enter d", "o", "l e", "p"] {
        browser.press(keys)
        #expect(browser.screen().contains("! No row of the view person can be changed"), "\(keys)")
      }
    }
    try browse {
      $0.declarations = try Self.notes($1)
    } _: { browser in
      browser.press("j Enter")
      #expect(Self.title(browser).hasSuffix(" NO CHANGES"))
      browser.press("l e ^U x Enter")
      #expect(Self.title(browser).hasSuffix(" DRAFT 1 change"))
    }
  }

  @Test func `is read only where the command line says so`() throws {
    try browse { settings, _ in
      settings.isReadOnly = true
      settings.readOnlyAdvice = "start without --read-only to change it"
    } _: { browser in
      #expect(Self.title(browser).hasSuffix(" READ ONLY"))
      browser.press("Enter d")
      #expect(
        browser.screen(110, 24).contains(
          "! This file is read only: it was opened read-only; start without --read-only to change it"
        )
      )
      browser.press("Enter j Enter")
      #expect(browser.screen().contains("\nname has no link\n"))
    }
  }
}
