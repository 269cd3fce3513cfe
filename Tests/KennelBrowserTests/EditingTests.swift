import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

@Suite struct EditingTests {
  @Test func `a value is edited in its place and undone`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter l e ^U")
      browser.type("Max")
      browser.press("Enter")
      #expect(browser.screen().contains("> ~  1 ~Max"))
      #expect(browser.screen().contains("DRAFT 1 change"))
      browser.press("u")
      #expect(browser.screen().contains("Rex"))
      #expect(browser.screen().contains("NO CHANGES"))
      browser.press("^R")
      #expect(browser.screen().contains("Max"))
    }
  }

  @Test func `what is not a number of its width is refused with the range`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter ll e ^U")
      browser.type("300")
      browser.press("Enter")
      #expect(browser.screen().contains("“300” is not a whole number from -128 to 127"))
      browser.press("Esc")
      #expect(browser.screen().contains("NO CHANGES"))
      #expect(browser.screen().contains("Rex         3"))
    }
  }

  @Test(arguments: ["12abc", "1.5", "", "+3", "0x10"])
  func `nothing is made of what is not understood`(_ text: String) throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter ll e ^U")
      browser.type(text)
      browser.press("Enter Esc")
      #expect(browser.screen().contains("NO CHANGES"))
    }
  }

  @Test func `a value that is not changed is not written`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter l e Enter")
      #expect(browser.screen().contains("Unchanged"))
      #expect(browser.screen().contains("NO CHANGES"))
    }
  }

  @Test func `null is a choice and not a text`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter lll C n")
      #expect(browser.screen().contains("breed of Dog/1 is ∅"))
      browser.press("e Enter")
      #expect(browser.screen().contains("Unchanged"))
      browser.press("C e")
      #expect(browser.screen().contains("breed of Dog/1 is \"\""))
    }
  }

  @Test func `a pasted line break is kept`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter l e ^U")
      browser.receive(.key(Key(.paste("two\nlines"))))
      browser.press("Enter")
      #expect(browser.screen().contains("two␤lines"))
    }
  }

  @Test func `the target of a link is picked by typing`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter ll e")
      browser.type("3")
      browser.press("Enter")
      #expect(browser.screen().contains("dog of Person/1 is →Dog/3 Bella"))
    }
  }

  @Test func `x cuts the link and leaves its target`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter ll x")
      #expect(browser.screen().contains("dog of Person/1 is null"))
      browser.press("1 j Enter")
      #expect(browser.screen().contains("1 of 3"))
    }
  }

  @Test func `the right one of two equal elements is taken out`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter lll Enter jj x")
      let screen = browser.screen()
      #expect(screen.contains("dogs of Person/1 [2]"))
      #expect(screen.contains("0  →Dog/1 Rex"))
      #expect(screen.contains("1  →Dog/2 Fido"))
    }
  }

  @Test func `an element moves and the cursor with it`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter lll Enter j gK")
      #expect(browser.screen().contains("> 0  →Dog/2 Fido"))
      browser.press("gJ gJ")
      #expect(browser.screen().contains("> 2  →Dog/2 Fido"))
      browser.press(":")
      browser.type("move 0")
      browser.press("Enter")
      #expect(browser.screen().contains("> 0  →Dog/2 Fido"))
    }
  }

  @Test func `an element is added after that of the cursor`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter lll Enter o j j Enter")
      #expect(browser.screen().contains("dogs of Person/1 [3]"))
      browser.press("Esc o Down Down Enter")
      #expect(browser.screen().contains("> 1  →Dog/3 Bella"))
    }
  }

  @Test func `a set takes a member once`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter lllll Enter o")
      browser.type("kind")
      browser.press("Enter")
      #expect(browser.screen().contains("kind is already in the set"))
      browser.press("o")
      browser.type("new")
      browser.press("Enter")
      #expect(browser.screen().contains("tags of Person/1 [3]"))
    }
  }

  @Test func `a map gets an entry and its value`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter lllllll Enter o")
      browser.type("color")
      browser.press("Enter")
      browser.type("blue")
      browser.press("Enter")
      #expect(browser.screen().contains("color  blue"))
      browser.press("x")
      #expect(browser.screen().contains("notes of Person/1 [0]"))
    }
  }

  @Test func `a key that the largest map has is refused`() throws {
    try Kennels.browse { browser, database in
      try database.write { transaction in
        let person = try transaction.schema.require("Person")
        let entries = (0..<10_100).map { MapEntry("\(10_000 + $0)", .string("old")) }
        try transaction.set(
          ObjectIdentity(person.key, ObjectKey(rawValue: 1)),
          property: person.require("notes").key,
          to: .map(entries)
        )
      }
      browser.receive(.tick)
      browser.press("Enter lllllll Enter o")
      browser.type("20099")
      browser.press("Enter")
      #expect(browser.screen().contains("There is already an entry “20099”"))
      #expect(browser.screen().contains("NO CHANGES"))
    }
  }

  @Test func `Tab sets a value and edits the next property, to the last one`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter o")
      browser.type("Mila")
      #expect(browser.screen().contains("Enter set  Tab set, next"))
      browser.press("Tab")
      #expect(browser.screen().contains("age of Dog/new1"))
      // The value that it has gives way to what is typed.
      browser.type("x")
      // What is wrong stays, and is said.
      browser.press("Tab")
      #expect(browser.screen().contains("Enter set  Tab set, next"))
      browser.press("Bksp")
      browser.type("4")
      browser.press("Tab Tab")
      #expect(browser.screen().contains("Tab set, next"))
      #expect(browser.screen().contains("> f  false"))
      browser.press("t")
      let words = browser.screen().split(separator: " ").joined(separator: " ")
      #expect(words.contains("string Mila") && words.contains("4\n"))
      #expect(words.contains("string? ∅") && words.contains("bool true"))
      browser.press("e Tab")
      #expect(browser.screen().contains("isGood of Dog/new1 is true"))
    }
  }

  @Test func `a key is proposed also where the newest object has the largest number`() throws {
    try Kennels.browse { browser, database in
      try database.write { transaction in
        let person = try transaction.schema.require("Person")
        try transaction.create(person.key, [person.require("id").key: .int(.max)])
      }
      browser.receive(.tick)
      browser.press("Enter o Enter")
      #expect(browser.screen().contains("▸2 Person#5"))
    }
  }

  @Test func `Tab fills in a new object from its primary key on, and leaves links as they are`()
    throws
  {
    try Kennels.browse { browser, _ in
      browser.press("Enter o Tab")
      #expect(browser.screen().contains("name of Person#4"))
      browser.type("Eve")
      browser.press("Tab")
      #expect(browser.screen().contains("dog of Person#4 links to"))
      browser.press("Tab")
      #expect(browser.screen().contains("address of Person#4"))
      browser.press("Tab")
      #expect(browser.screen().contains("This was the last property"))
      #expect(browser.screen().contains("Eve") && !browser.screen().contains("→Dog"))
      browser.press("k k k e Tab Down Tab")
      #expect(browser.screen().contains("→Dog/2 Fido"))
    }
  }

  @Test func `Tab goes on to the next column of a table`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter l e")
      browser.type("!")
      browser.press("Tab ^U")
      browser.type("9")
      browser.press("Enter")
      #expect(browser.screen().contains("Rex!") && browser.screen().contains("age of Dog/1 is 9"))
    }
  }

  @Test func `an object is created with the next primary key`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter o")
      #expect(browser.screen().contains("id of the new Person"))
      browser.press("Enter")
      #expect(browser.screen().contains("▸2 Person#4"))
      browser.press("Bksp G")
      #expect(browser.screen().contains(">"))
      #expect(browser.screen().contains("1 of 4") || browser.screen().contains("4 of 4"))
    }
  }

  @Test func `a copy owns copies and links to the same`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter O Enter")
      let screen = browser.screen()
      #expect(screen.contains("▸2 Person#4 Ada"))
      #expect(screen.contains("→Dog/1 Rex"))
      #expect(screen.contains("{street: High Street 1, city: L"))
      browser.press("1 jjj Enter")
      #expect(browser.screen().contains("1 of 4"))
    }
  }

  @Test func `an embedded object is created in its slot`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter jj llll e")
      #expect(browser.screen().contains("street of Address/new1"))
      browser.press("^U")
      browser.type("Sea View")
      browser.press("Enter gp")
      #expect(browser.screen().contains("{street: Sea View"))
    }
  }

  @Test func `replacing an embedded object shows what dies first`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter llll e r")
      #expect(browser.screen().contains("Replace address of Person/1?"))
      #expect(browser.screen().contains("† Address/1 High Street 1"))
      browser.press("D")
      #expect(browser.screen().contains("street of Address/new1"))
    }
  }

  @Test(arguments: [
    ("yesterday", "2024-03-30T00:00:00Z"), ("-1mo", "2024-02-29T15:30:00Z"),
    (" 2023-07 ", "2023-07-01T00:00:00Z"), ("+90min", "2024-03-31T17:00:00Z"),
  ])
  func `a date may be said by its distance from now, and is shown before it is set`(
    typed: String,
    date: String
  ) throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        try transaction.define([
          ClassDefinition("Person", properties: [PropertyDefinition("born", .date)])
        ])
        try transaction.create(transaction.schema.require("Person").key)
      }
      let now = try #require(Timestamp("2024-03-31T15:30:00Z"))
      var settings = BrowserSettings(fileName: "x")
      settings.now = { now }
      let browser = try Browser(database, settings: settings)
      browser.press("Enter l e ^U")
      browser.type(typed)
      #expect(browser.screen().contains(" is \(date)"))
      browser.press("Enter")
      #expect(browser.screen().contains("born of Person/1 is \(date); u undoes"))
      browser.press("e ^U")
      browser.type("+3x")
      #expect(browser.screen().contains("Expected a date such as 2024-05-01, today, -3d, +2h or"))
    }
  }
}

@Suite("A list")
struct ListEditingTests {
  @Test func `gets a new element after that of the cursor, with O before it`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter lll Enter o")
      browser.type("Bella")
      browser.press("Enter")
      #expect(browser.screen().contains("> 1  →Dog/3 Bella"))
      browser.press("gg O")
      browser.type("Bella")
      browser.press("Enter")
      #expect(browser.screen().contains("> 0  →Dog/3 Bella"))
      #expect(browser.screen().contains("  1  →Dog/1 Rex"))
      browser.press("G o")
      browser.type("Fido")
      browser.press("Enter")
      #expect(browser.screen().contains("> 5  →Dog/2 Fido"))
    }
  }

  @Test func `gets one in the object's own lines, too`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter Enter jjjjj o")
      browser.type("Bella")
      browser.press("Enter")
      let lines = browser.screen().split(separator: "\n")
      #expect(lines.contains { $0.contains(">   2 ") && $0.hasSuffix("→Dog/3 Bella") })
      browser.press("u O")
      #expect(browser.screen().contains("Add to dogs of Person/1"))
    }
  }

  @Test func `of embedded objects gets one at the cursor`() throws {
    try Kennels.browse { browser, _ in
      browser.press("jj Enter lll Enter O")
      #expect(browser.screen().contains("Address/new1"))
      browser.press("^U")
      browser.type("First")
      browser.press("Enter Bksp")
      #expect(browser.screen().contains("0  {street: First"))
      #expect(browser.screen().contains("1  {street: Office Park"))
    }
  }
}

@Suite("Pasting")
struct PastingTests {
  @Test func `a value sets a cell, and that of all marked objects`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter lll y j p")
      #expect(browser.screen().contains("breed of Dog/2 is Boxer; u undoes"))
      browser.press("u gg Space Space Space gg h h y")
      #expect(browser.screen().contains("DRAFT") == false)
      browser.press("Esc y l p")
      #expect(browser.screen().contains("! Cannot set Dog.age: its type is int8"))
      browser.press("lh gg l y Space Space Space p y")
      #expect(browser.screen().contains("breed of 3 marked Dog objects is Boxer"))
    }
  }

  @Test func `null stays null, and a text stays a text`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter lll j y k p")
      #expect(browser.screen().contains("breed of Dog/1 is ∅"))
    }
  }

  @Test func `as many values as objects sets one in each`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter l Space Space gg y")
      browser.press("Esc j Space Space p")
      #expect(browser.screen().contains("Paste 2 values into name of 2 marked Dog objects?"))
      #expect(browser.screen().contains("Fido → Rex"))
      browser.press("y")
      let screen = browser.screen()
      #expect(screen.contains("Pasted 2 values; u undoes"))
      #expect(screen.contains("2 ~Rex"))
      #expect(screen.contains("3 ~Fido"))
      browser.press("Esc p")
      #expect(browser.screen().contains("! 2 values were copied: mark 2 objects"))
    }
  }

  @Test func `objects creates copies, with what they own`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter Space Space gg y Esc p")
      #expect(browser.screen().contains("Created 2 copies of Person objects; u undoes"))
      browser.press("G k Enter")
      let screen = browser.screen()
      #expect(screen.contains("Person#4 Ada"))
      #expect(screen.contains("{street: High Street 1"))
      let lines = screen.split(separator: "\n")
      #expect(lines.contains { $0.contains("int key") && $0.hasSuffix(" 4") })
      browser.press("Bksp u")
      #expect(browser.screen().contains("NO CHANGES"))
    }
  }

  @Test func `one object of a class with keys asks for its key`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter y p")
      #expect(browser.screen().contains("id of the new Person (int)"))
      browser.press("Enter")
      #expect(browser.screen().contains("Person#4 Ada"))
    }
  }

  @Test func `an object into a link links to it, and into a list inserts it at the cursor`() throws
  {
    try Kennels.browse { browser, _ in
      browser.press("j Enter G y 1 gg Enter ll p")
      #expect(browser.screen().contains("dog of Person/1 is →Dog/3 Bella"))
      browser.press("l Enter p")
      #expect(browser.screen().contains("> 1  →Dog/3 Bella"))
      browser.press("Bksp hhh p")
      #expect(browser.screen().contains("! A Dog is pasted into a link to Dog, or into a table"))
    }
  }

  @Test func `elements inserts them in their order`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter lll y j Enter jjjjj p")
      let screen = browser.screen()
      #expect(screen.contains("  0  →Dog/3 Bella"))
      #expect(screen.contains("  1  →Dog/1 Rex"))
      #expect(screen.contains("  2  →Dog/2 Fido"))
      #expect(screen.contains("> 3  →Dog/1 Rex"))
    }
  }

  @Test func `an embedded object puts a copy in its place, after what it replaces is shown`() throws
  {
    try Kennels.browse { browser, _ in
      browser.press("Enter llll y j p")
      #expect(browser.screen().contains("Replace address of Person/2?"))
      browser.press("D")
      #expect(browser.screen().contains("Pasted 1 copy of Address; u undoes"))
      browser.press("Enter")
      #expect(browser.screen().contains("Address/new1"))
      #expect(browser.screen().contains("High Street 1"))
    }
  }

  /// Orders with boxes, in which there are boxes.
  private func browseOrders(_ body: (Browser) throws -> Void) throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        try transaction.define([
          ClassDefinition(
            "Order",
            properties: [
              PropertyDefinition("box", .link("Box")),
              PropertyDefinition("others", .list(.link("Box"))),
            ]
          ),
          ClassDefinition(
            "Box",
            isEmbedded: true,
            properties: [
              PropertyDefinition("name", .string), PropertyDefinition("inner", .link("Box")),
            ]
          ),
        ])
        let (order, box) = (
          try transaction.schema.require("Order"), try transaction.schema.require("Box")
        )
        let new = try transaction.create(order.key, [:])
        let inner = try box.require("inner").key
        func fill(_ slot: Slot, _ name: String) throws -> ObjectIdentity {
          let new = try transaction.createEmbedded(at: slot)
          try transaction.set(new, property: box.require("name").key, to: .string(name))
          return new
        }
        let outer = try fill(Slot(new, try order.require("box").key), "outer")
        let middle = try fill(Slot(outer, inner), "middle")
        _ = try fill(Slot(middle, inner), "smallest")
        let others = try order.require("others").key
        _ = try fill(Slot(new, others, .index(0)), "one")
        _ = try fill(Slot(new, others, .index(1)), "two")
      }
      try body(try Kennels.browser(database))
    }
  }

  @Test func `an embedded object over itself or what owns it keeps all that it owns`() throws {
    try browseOrders { browser in
      browser.press("Enter l y p D")
      #expect(browser.screen().contains("Pasted 1 copy of Box; u undoes"))
      browser.press("Enter j Enter j Enter")
      #expect(browser.screen().contains("smallest"))
      browser.press("Bksp Bksp y Bksp p D Enter")
      #expect(browser.screen().contains("middle"))
      browser.press("j Enter")
      #expect(browser.screen().contains("smallest"))
    }
  }

  @Test func `several embedded objects do not go where one does`() throws {
    try browseOrders { browser in
      browser.press("Enter l l y h p")
      #expect(browser.screen().contains("! 2 Box were copied, and box takes one"))
    }
  }

  @Test func `what is gone says so`() throws {
    try Kennels.browse { browser, _ in
      browser.press("p")
      #expect(browser.screen().contains("does nothing here"))
      browser.press("j Enter p")
      #expect(browser.screen().contains("Nothing was copied; y copies what the cursor is on"))
      browser.press("y d D p")
      #expect(browser.screen().contains("! Dog/1 no longer exists; copy again"))
    }
  }
}
