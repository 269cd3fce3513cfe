import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

@Suite("The review")
struct ReviewTests {
  @Test func `shows what a new object has`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter l o e ^U")
      browser.type("Pup")
      browser.press("Enter 4")
      let screen = browser.screen()
      #expect(screen.contains("+ Dog/new1 Pup"))
      #expect(screen.contains("name: Pup"))
      #expect(screen.contains("age: 0"))
      #expect(screen.contains("DRAFT 1 change\n"))
      #expect(!screen.contains("breed"))
    }
  }

  @Test func `counts a copy with what it owns as one change`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter O Enter 4")
      let screen = browser.screen()
      #expect(screen.contains("DRAFT 1 change\n"))
      #expect(screen.contains("address: {street: High Street 1, city: London}"))
      #expect(!screen.contains("+ Address"))
    }
  }

  @Test func `finds a text in its changes`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter l e ^U")
      browser.type("Pup")
      browser.press("Enter j e ^U")
      browser.type("Pip")
      browser.press("Enter 4 /")
      browser.type("Pip")
      browser.press("Enter")
      #expect(browser.screen().contains(">~ Dog/2 Pip"))
      #expect(browser.screen().contains("1 of 2"))
    }
  }

  /// Calls a body with a browser in whose draft so many dogs are older.
  private func browse(dogs: Int, _ body: (Browser) throws -> Void) throws {
    try withTemporaryDatabase { database in
      try Kennels.fill(database)
      try database.write { transaction in
        let dog = try transaction.schema.require("Dog").key
        for _ in 3..<dogs { _ = try transaction.create(dog, [:]) }
      }
      let browser = try Kennels.browser(database)
      browser.press("j Enter : ^U")
      browser.type("set age = age + 1")
      browser.press("Enter y")
      try body(browser)
    }
  }

  @Test func `keeps its cursor beside a dropped change that comes back`() throws {
    try browse(dogs: 603) { browser in
      browser.press("4 G k k")
      #expect(browser.screen().contains(">~ Dog/500"))
      browser.press("x u")
      #expect(browser.screen().contains("~ Dog/500"))
    }
  }

  @Test func `says at its end how many changes are not listed, and lists more there`() throws {
    try browse(dogs: 2_503) { browser in
      browser.press("4 G")
      #expect(browser.screen().contains("more objects: Enter lists more"))
      browser.press("g g")
      #expect(!browser.screen().contains("more objects"))
      browser.press("G Enter")
      #expect(browser.screen().contains(">~ Dog/"))
      #expect(!browser.screen().contains("more objects"))
      browser.press("G")
      #expect(browser.screen().contains("more objects: Enter lists more"))
      browser.press("Enter G")
      #expect(!browser.screen().contains("more objects"))
    }
  }

  @Test func `lists no more where the rest was set back`() throws {
    try browse(dogs: 501) { browser in
      browser.press("G l l e ^U")
      browser.type("0")
      browser.press("Enter 4 G")
      #expect(browser.screen().contains("… and 1 more object: Enter lists more"))
      browser.press("Enter")
      #expect(!browser.screen().contains("more objects"))
      #expect(browser.screen().contains("~ Dog/500"))
    }
  }

  @Test func `lists each kind of what many deletions take with them`() throws {
    try withTemporaryDatabase { database in
      try Kennels.fill(database)
      try database.write { transaction in
        let dog = try transaction.schema.require("Dog").key
        let person = try transaction.schema.require("Person")
        let dogs = try #require(person["dogs"])
        let owner = try #require(try transaction.objects(of: person.key).first)
        for _ in 0..<300 {
          let made = try transaction.create(dog, [:])
          try transaction.insert(.link(made), at: 0, of: owner, property: dogs.key)
        }
      }
      let browser = try Kennels.browser(database)
      browser.press("j Enter g A d")
      #expect(browser.screen().contains("links leave their list or set: see below"))
      browser.type("303")
      browser.press("D 4 G")
      #expect(browser.screen().contains("  … and 104 more"))
      #expect(browser.screen().contains("Ada .dogs[104]"))
    }
  }

  @Test func `says nothing of a value that was set back`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter llll e t e f")
      #expect(browser.screen().contains("NO CHANGES"))
      browser.press("4")
      #expect(browser.screen().contains("Nothing has changed"))
      #expect(!browser.screen().contains("drop"))
      #expect(!browser.screen().contains("false → false"))
    }
  }

  @Test func `tells what is absent from what is null`() throws {
    try Kennels.browse { browser, database in
      try database.write { transaction in
        let person = try #require(transaction.schema["Person"])
        let ada = ObjectIdentity(person.key, ObjectKey(rawValue: 1))
        let notes = try #require(person["notes"]).key
        try transaction.setEntry("a", to: .null, of: ada, property: notes)
        try transaction.setEntry("b", to: .null, of: ada, property: notes)
      }
      _ = JobRunner.send(.tick, to: browser)
      browser.press("Enter Enter G k x 4")
      #expect(browser.screen().contains(#"notes["b"]: ∅ → absent"#))
    }
  }

  @Test func `says that the object of a conflict is gone, not that it is null`() throws {
    try Kennels.browse { browser, database in
      browser.press("j Enter jj l e ^U")
      browser.type("Mine")
      browser.press("Enter")
      try database.write { transaction in
        let dog = try #require(transaction.schema["Dog"])
        try transaction.delete([ObjectIdentity(dog.key, ObjectKey(rawValue: 3))])
      }
      _ = JobRunner.send(.tick, to: browser)
      browser.press("4")
      #expect(browser.screen().contains("theirs  absent"))
      #expect(browser.screen().contains("Changed by another program too: t takes theirs"))
      #expect(!browser.screen().contains("m mine"))
    }
  }

  @Test func `names mine before a commit only where that is possible`() throws {
    try Kennels.browse { browser, database in
      browser.press("j Enter jj l e ^U")
      browser.type("Mine")
      browser.press("Enter")
      try database.write { transaction in
        let dog = try #require(transaction.schema["Dog"])
        try transaction.delete([ObjectIdentity(dog.key, ObjectKey(rawValue: 3))])
      }
      _ = JobRunner.send(.tick, to: browser)
      browser.press("4 w")
      #expect(browser.screen().contains("Resolve the conflicts first: t takes theirs"))
    }
  }

  @Test func `tells what a list has become, not how`() throws {
    try Kennels.browse { browser, _ in
      // Rex, Fido, Rex: Bella is added and taken out, Fido goes, Rex goes to the end.
      browser.press("Enter lll Enter j o")
      browser.type("Bella")
      browser.press("Enter x k x 4")
      #expect(!browser.screen().contains("Bella"), "\(browser.screen())")
      #expect(browser.screen().contains("dogs[1]: - →Dog/2 Fido"))
    }
  }

  @Test func `tells what a list of thousands of elements has become, not how`() throws {
    try withTemporaryDatabase { database in
      try Kennels.fill(database)
      try database.write { transaction in
        let person = try #require(transaction.schema["Person"])
        let dog = try #require(transaction.schema["Dog"])
        let ada = ObjectIdentity(person.key, ObjectKey(rawValue: 1))
        func link(_ key: UInt64) -> Value {
          .link(ObjectIdentity(dog.key, ObjectKey(rawValue: .init(key))))
        }
        let dogs = [link(1), link(2)] + Array(repeating: link(1), count: 5_000)
        try transaction.set(ada, property: try #require(person["dogs"]).key, to: .list(dogs))
      }
      let browser = try Kennels.browser(database)
      browser.press("Enter lll Enter j o")
      browser.type("Bella")
      browser.press("Enter x k x 4")
      #expect(!browser.screen().contains("Bella"), "\(browser.screen())")
      #expect(browser.screen().contains("dogs[1]: - →Dog/2 Fido"))
    }
  }

  @Test func `tells an element that was moved as moved, whatever came before it`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter lll Enter j gK o")
      browser.type("Bella")
      browser.press("Enter 4")
      let screen = browser.screen()
      #expect(screen.contains("dogs[0] moved to [2]: →Dog/1 Rex"), "\(screen)")
      #expect(screen.contains("dogs[1]: + →Dog/3 Bella"))
    }
  }

  @Test func `says so where the edits of a list cancel each other, and drops them together`() throws
  {
    try Kennels.browse { browser, _ in
      browser.press("Enter lll Enter j gK gJ 4")
      #expect(browser.screen().contains("dogs: as before"))
      browser.press("G x")
      #expect(!browser.screen().contains("dogs: as before"))
      #expect(browser.screen().contains("NO CHANGES"))
    }
  }

  @Test func `is not the only place that shows a conflict`() throws {
    try Kennels.browse { browser, database in
      browser.press("j Enter l e ^U")
      browser.type("Mine")
      browser.press("Enter")
      try database.write { transaction in
        let dog = try #require(transaction.schema["Dog"])
        let rex = ObjectIdentity(dog.key, ObjectKey(rawValue: 1))
        try transaction.set(rex, property: try #require(dog["name"]).key, to: .string("Theirs"))
      }
      _ = JobRunner.send(.tick, to: browser)
      #expect(browser.screen().contains("1 !Theirs"))
      browser.press("Enter")
      #expect(browser.screen().contains("! theirs Theirs, mine Mine"))
    }
  }
}

@Suite("A commit")
struct CommitTests {
  @Test func `says of the plan of its deletions alone that it opens nothing`() throws {
    try Kennels.browse { browser, _ in
      browser.press("4 Enter")
      #expect(!browser.screen().contains("opens nothing"))
      browser.press("2 j Enter d D 4 G Enter")
      #expect(browser.screen().contains("opens nothing"), "\(browser.screen())")
    }
  }

  @Test func `counts the embedded objects that it creates`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter G Enter")
      browser.press("/ a d d r Enter o Esc 4 w")
      #expect(browser.screen().contains("create  1 Address"), "\(browser.screen())")
    }
  }

  @Test func `says what it writes and waits for y`() throws {
    try Kennels.browse { browser, database in
      rename(browser, "j Enter l", to: "Max")
      browser.press("j d D o Enter 4 w")
      let screen = browser.screen()
      #expect(screen.contains("Commit to people.kennel?"))
      #expect(screen.contains("create  1 Dog"))
      #expect(screen.contains("change  1 Dog"))
      #expect(screen.contains("delete  1 Dog"))
      let before = database.commitNumber
      browser.press("w Enter")
      #expect(browser.screen().contains("y commits, Esc goes back"))
      browser.press("Esc")
      #expect(database.commitNumber == before)
      browser.press("w y")
      #expect(browser.screen().contains("Committed as number"))
      #expect(database.commitNumber == before + 1)
    }
  }

  @Test func `leaves out what Space excludes, and keeps it in the draft`() throws {
    try Kennels.browse { browser, database in
      rename(browser, "j Enter l", to: "Max")
      rename(browser, "j", to: "Moritz")
      browser.press("4 Space")
      #expect(browser.screen().contains("~ Dog/1 Max  (left out)"))
      browser.press("w")
      #expect(browser.screen().contains("1 change left out, kept in the draft"))
      browser.press("y")
      #expect(browser.screen().contains("1 change left in the draft"))
      try expect(["Rex", "Moritz", "Bella"], in: database)
      #expect(browser.screen().contains("name: Rex → Max"))
      browser.press("w y")
      try expect(["Max", "Moritz", "Bella"], in: database)
      #expect(browser.screen().contains("NO CHANGES"))
    }
  }

  @Test func `leaves out one property of an object`() throws {
    try Kennels.browse { browser, database in
      rename(browser, "j Enter l", to: "Max")
      browser.press("l e ^U 9 Enter 4 j Space")
      #expect(browser.screen().contains("~ Dog/1 Max  (left out in part)"))
      browser.press("w y")
      try expect(["Rex", "Fido", "Bella"], in: database)
      #expect(browser.screen().contains("name: Rex → Max"))
      #expect(!browser.screen().contains("age: 3 → 9"))
    }
  }

  @Test func `leaves out what depends on what is left out`() throws {
    try Kennels.browse { browser, database in
      rename(browser, "j Enter o", to: "Pup")
      browser.press("1 gg Enter ll e")
      browser.type("Pup")
      browser.press("Enter 4 Space")
      #expect(browser.screen().contains("with 1 that depends on it"))
      #expect(browser.screen().contains("Person/1 Ada  (left out)"))
      browser.press("G Space")
      #expect(browser.screen().contains("! It depends on Dog/new1 Pup, which is left out"))
      browser.press("w")
      #expect(browser.screen().contains("! Every change is left out"))
      browser.press("gg Space w y")
      try expect(["Rex", "Fido", "Bella", "Pup"], in: database)
      #expect(browser.screen().contains("dog: →Dog/1 Rex → →Dog/4 Pup"))
      browser.press("w y")
      #expect(browser.screen().contains("NO CHANGES"))
    }
  }

  @Test func `counts what stays since something else was left out as left out, too`() throws {
    try Kennels.browse { browser, database in
      // The list is emptied, and has a new element; a name is changed.
      browser.press("Enter lll C e Enter")
      browser.press("Enter o")
      browser.type("Bella")
      browser.press("Enter H")
      rename(browser, "j hh", to: "Bert")
      browser.press("4 gg j Space w")
      #expect(browser.screen().contains("change  1 Person"), "\(browser.screen())")
      browser.press("y")
      try expectDogs([1, 2, 1], of: 1, in: database)
    }
  }

  @Test func `says before a commit what its deletions do to objects that stay`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter d D 4 w")
      #expect(browser.screen().contains("delete  1 Person, 1 Address"))
      #expect(browser.screen().contains("1 link leaves its list or set"))
    }
  }

  @Test func `leaves the other changes of a list where they belong`() throws {
    try Kennels.browse { browser, database in
      browser.press("Enter lll Enter j x o")
      browser.type("Bella")
      browser.press("Enter 4 j Space w y")
      try expectDogs([1, 2, 1, 3], of: 1, in: database)
      browser.press("w y")
      try expectDogs([1, 1, 3], of: 1, in: database)
    }
  }

  @Test func `keeps the steps of undo of what it leaves out`() throws {
    try Kennels.browse { browser, database in
      browser.press("j Enter Space Space")
      rename(browser, "l", to: "Both")
      rename(browser, "y Esc G", to: "Third")
      browser.press("4 Space j j Space w y")
      try expect(["Rex", "Fido", "Third"], in: database)
      #expect(browser.screen().contains("DRAFT 2 changes"))
      browser.press("u")
      #expect(browser.screen().contains("NO CHANGES"))
    }
  }

  private func rename(_ browser: Browser, _ keys: String, to name: String) {
    browser.press(keys + " e ^U")
    browser.type(name)
    browser.press("Enter")
  }

  private func expect(
    _ names: [String],
    in database: Database,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let snapshot = try database.snapshot()
    let dog = try #require(snapshot.schema["Dog"])
    let found = try snapshot.objects(of: dog.key, limit: 9).keys.map {
      try snapshot.displayName(of: ObjectIdentity(dog.key, $0), limit: 20)
    }
    #expect(found == names, sourceLocation: location)
  }

  private func expectDogs(
    _ dogs: [UInt64],
    of person: UInt64,
    in database: Database,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let snapshot = try database.snapshot()
    let schema = try #require(snapshot.schema["Person"])
    let object = ObjectIdentity(schema.key, ObjectKey(rawValue: person))
    let found = try snapshot.elements(
      of: object,
      property: try #require(schema["dogs"]).key,
      in: 0..<9
    )
    .compactMap { if case .link(let target) = $0 { target.key.rawValue } else { nil } }
    #expect(found == dogs, sourceLocation: location)
  }
}

@Suite("What another program changes")
struct NewsTests {
  private func isPainted(_ browser: Browser) -> Bool {
    JobRunner.send(.tick, to: browser).contains { if case .paint = $0 { true } else { false } }
  }

  @Test func `is painted when it is seen, and nothing is while nothing happens`() throws {
    try Kennels.browse { browser, database in
      browser.press("j Enter")
      #expect(!isPainted(browser))
      try database.write { transaction in
        let dog = try transaction.schema.require("Dog")
        let rex = ObjectIdentity(dog.key, ObjectKey(rawValue: 1))
        try transaction.set(rex, property: dog.require("age").key, to: .int(4))
      }
      #expect(isPainted(browser))
      #expect(!isPainted(browser))
      // What stood out stops to.
      #expect((0..<20).contains { _ in isPainted(browser) })
      #expect(!isPainted(browser))
    }
  }

  /// The cells of a text on the screen, in a line that has another text, too.
  private func cells(
    _ text: String,
    beside other: String,
    _ browser: Browser
  ) throws -> [KennelBrowser.Cell] {
    let screen = browser.draw(Size(columns: 80, rows: 24))
    for row in 0..<24 {
      let line = screen.cells(ofRow: row)
      let letters = line.map(\.text)
      let wanted = text.map { String($0) }
      guard other.isEmpty || letters.joined().contains(other) else { continue }
      for start in 0..<max(0, letters.count - wanted.count)
      where Array(letters[start..<start + wanted.count]) == wanted {
        return Array(line.dropFirst(start).prefix(wanted.count))
      }
    }
    return try #require(nil as [KennelBrowser.Cell]?, "\(text) is not on the screen")
  }

  private func expect(
    _ text: String,
    beside other: String = "",
    standsOut: Bool,
    _ browser: Browser
  ) throws {
    let cells = try cells(text, beside: other, browser)
    #expect(cells.allSatisfy { $0.style.isReversed == standsOut }, "\(text)")
  }

  private func rename(_ database: Database, _ dog: UInt64, to name: String) throws {
    try database.write { transaction in
      let schema = try #require(transaction.schema["Dog"])
      let object = ObjectIdentity(schema.key, ObjectKey(rawValue: dog))
      try transaction.set(object, property: try #require(schema["name"]).key, to: .string(name))
    }
  }

  @Test func `stands out until the next key`() throws {
    try Kennels.browse { browser, database in
      browser.press("j Enter")
      try rename(database, 2, to: "Theirs")
      _ = JobRunner.send(.tick, to: browser)
      try expect("Theirs", standsOut: true, browser)
      try expect("Bella", standsOut: false, browser)
      browser.press("l")
      try expect("Theirs", standsOut: false, browser)
    }
  }

  @Test func `stands out in an object, and for three seconds`() throws {
    try Kennels.browse { browser, database in
      browser.press("j Enter j Enter j")
      try rename(database, 2, to: "Theirs")
      for _ in 0..<3 { _ = JobRunner.send(.tick, to: browser) }
      try expect("Theirs", beside: "string", standsOut: true, browser)
      for _ in 0..<12 { _ = JobRunner.send(.tick, to: browser) }
      try expect("Theirs", beside: "string", standsOut: false, browser)
    }
  }

  @Test func `leaves the sign of one's own change beside the number that was changed`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter ll e ^U")
      browser.type("6")
      browser.press("Enter")
      #expect(browser.screen().contains("~6"))
    }
  }

  @Test func `is told from one's own changes, which have a sign of their own`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter ll e ^U")
      browser.type("9")
      browser.press("Enter")
      let rows = browser.screen().split(separator: "\n").filter { $0.contains("  Rex") }
      #expect(rows.contains { $0.count { $0 == "~" } == 2 })
      #expect(browser.screen().contains("> ~  1  Rex"))
      browser.press("Enter")
      #expect(browser.screen().contains("~age"))
      #expect(!browser.screen().contains("~name"))
    }
  }
}

@Suite("Undo")
struct UndoTests {
  @Test func `of a creation leaves the object that is gone, and redo goes there again`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter o Esc")
      #expect(browser.screen().contains("▸2 Dog/new1"))
      browser.press("u")
      #expect(browser.screen().contains("▸2 Dog  1 of 3"))
      #expect(!browser.screen().contains("was deleted"))
      browser.press("U")
      #expect(browser.screen().contains("▸2 Dog/new1"))
    }
  }

  @Test func `in the review stays there, and shows behind it what there is`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter Enter Bksp d D 4 u")
      #expect(browser.screen().contains("4 Changes (0)"))
      browser.press("q")
      #expect(browser.screen().contains("Person/1"))
      browser.press("Bksp j Enter o 4 u q")
      #expect(!browser.screen().contains("was deleted"))
    }
  }

  @Test func `of a deletion puts the cursor on what came back`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter j d D gg")
      #expect(browser.screen().contains(">    1  Rex"))
      browser.press("u")
      #expect(browser.screen().contains(">    2  Fido"))
    }
  }
}
