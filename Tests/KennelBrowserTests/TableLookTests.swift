import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

@Suite("The columns of a table")
struct TableLookTests {
  /// A thousand things, the names of which get longer and longer.
  private func browse(_ body: (Browser) throws -> Void) throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        var properties = [PropertyDefinition("name", .string), PropertyDefinition("size", .int)]
        properties += (1...9).map { PropertyDefinition("property\($0)", .string) }
        try transaction.define([ClassDefinition("Thing", properties: properties)])
        let thing = try #require(transaction.schema["Thing"])
        let (name, size) = (try #require(thing["name"]).key, try #require(thing["size"]).key)
        for number in 1...1000 {
          // The longest are in the middle, where nobody looks beforehand.
          let text = String(repeating: "x", count: number == 500 ? 26 : number / 50)
          try transaction.create(thing.key, [name: .string(text), size: .int(Int64(number))])
        }
      }
      try body(try Kennels.browser(database))
    }
  }

  private func header(_ browser: Browser) -> String {
    browser.screen().split(separator: "\n").first { $0.contains("key") }.map { String($0) } ?? ""
  }

  /// Where a text begins in another one.
  private func place(of text: String, in row: some StringProtocol) -> Int? {
    row.indices.first { row[$0...].hasPrefix(text) }.map {
      row.distance(from: row.startIndex, to: $0)
    }
  }

  @Test(arguments: ["G", "PgDn PgDn PgDn", "^D ^D", "l l s", "l l s s"])
  func `stay where they are, whatever rows are shown`(keys: String) throws {
    try browse { browser in
      browser.press("Enter")
      let start = place(of: "property1", in: header(browser))
      browser.press(keys)
      #expect(start != nil && place(of: "property1", in: header(browser)) == start)
    }
  }

  @Test func `stay where they are when a longer value comes by, which is cut`() throws {
    try browse { browser in
      browser.press("Enter")
      let before = header(browser)
      browser.press("/")
      browser.type(String(repeating: "x", count: 26))
      browser.press("Enter")
      #expect(browser.screen().contains("500  xxx"))
      #expect(place(of: "property1", in: header(browser)) == place(of: "property1", in: before))
      #expect(browser.screen().contains("x…"))
    }
  }

  private func isBefore(_ one: String, _ other: String, _ browser: Browser) throws -> Bool {
    let row = header(browser)
    return try #require(place(of: one, in: row)) < #require(place(of: other, in: row))
  }

  @Test func `that do not fit are counted`() throws {
    try browse { browser in
      browser.press("Enter")
      #expect(browser.screen().contains(" more ›"))
      browser.press("l l l l l l l l l l l")
      #expect(browser.screen().contains("‹ "))
      #expect(browser.screen().contains("[property9]"))
      #expect(!browser.screen().contains("more ›"))
      #expect(!browser.screen(300, 30).contains("more ›"))
    }
  }

  @Test func `are cut at the edge, not left out`() throws {
    try browse { browser in
      browser.press("Enter")
      let rows = (50...60).flatMap { browser.screen($0, 24).split(separator: "\n") }
      #expect(rows.contains { $0.contains("[key]") && $0.contains(" prop…") })
    }
  }

  @Test func `are wide enough for what comes later`() throws {
    try browse { browser in
      browser.press("Enter G")
      #expect(browser.screen().contains(String(repeating: "x", count: 20)))
    }
  }

  @Test func `are at most 32 wide and show dates to the second, until they are widened`() throws {
    try withTemporaryDatabase { database in
      let properties = [PropertyDefinition("text", .string), PropertyDefinition("born", .date)]
      try database.write { transaction in
        try transaction.define([ClassDefinition("Box", properties: properties)])
        let box = try #require(transaction.schema["Box"])
        let (text, born) = (try #require(box["text"]).key, try #require(box["born"]).key)
        let long = Value.string(String(repeating: "x", count: 40))
        let date = try #require(Timestamp("2001-02-03T04:05:06.789Z"))
        try transaction.create(box.key, [text: long, born: .date(date)])
        let second = try #require(Timestamp("2001-02-03T04:05:06Z"))
        try transaction.create(box.key, [born: .date(second)])
      }
      let browser = try Kennels.browser(database)
      _ = browser.screen(120)
      browser.press("Enter l")
      #expect(browser.screen(120).contains(" \(String(repeating: "x", count: 31))…  2001"))
      #expect(browser.screen(120).contains("2001-02-03T04:05:06…\n"))
      #expect(browser.screen(120).contains("2001-02-03T04:05:06Z\n"))
      browser.press("_ l _")
      #expect(browser.screen(120).contains("\(String(repeating: "x", count: 40))  2001"))
      #expect(browser.screen(120).contains("2001-02-03T04:05:06.789Z"))
      browser.press("_")
      #expect(browser.screen(120).contains("2001-02-03T04:05:06…\n"))
    }
  }

  @Test func `of numbers have their digits below each other`() throws {
    try browse { browser in
      browser.press("Enter")
      let rows = browser.screen().split(separator: "\n")
      let ends = rows.flatMap { row in
        ["  9  ", " 10  "].compactMap { place(of: $0, in: row.dropFirst(30)) }
      }
      #expect(ends.count == 2)
      #expect(Set(ends).count == 1)
    }
  }

  @Test func `move to the left and to the right, and stay beside the key`() throws {
    try browse { browser in
      browser.press("Enter l }")
      try #expect(isBefore("size", "[name]", browser))
      browser.press("{")
      try #expect(isBefore("[name]", "size", browser))
      browser.press("! l l l l l l l l l l")
      #expect(header(browser).contains(" name ") && header(browser).contains("[property9]"))
      browser.press("1 Enter H")
      #expect(header(browser).contains(" name "))
    }
  }

  @Test func `are seen under the cursor, however many are pinned`() throws {
    try browse { browser in
      browser.press("Enter l ! l ! l ! l ! l ! l ! l ! l !")
      for number in 1...9 {
        browser.press("Enter H")
        #expect(header(browser).contains("["), "\(number)")
        browser.press("l")
      }
      #expect(header(browser).contains("[prop"))
    }
  }

  @Test func `leave no room blank that a column on the left could use`() throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        let properties = [
          PropertyDefinition("name", .string), PropertyDefinition("age", .int),
          PropertyDefinition("breed", .string),
        ]
        try transaction.define([ClassDefinition("Dog", properties: properties)])
        let dog = try #require(transaction.schema["Dog"])
        let keys = try ["name", "age", "breed"].map { try #require(dog[$0]).key }
        let long = Value.string("Rex of the long and noble line")
        try transaction.create(
          dog.key,
          [keys[0]: long, keys[1]: .int(.min), keys[2]: .string("Boxer of the north")]
        )
      }
      let browser = try Kennels.browser(database)
      browser.press("Enter")
      // A number takes no more room than is usual, and shows where it is cut; _ shows all of it.
      #expect(browser.screen().contains("-922337203685…"))
      browser.press("l l _")
      #expect(browser.screen().contains("-9223372036854775808"))
      browser.press("l")
      #expect(header(browser).contains(" name ") && header(browser).contains("[breed]"))
      browser.press("h _ l")
      #expect(header(browser).contains(" name ") && header(browser).contains("[breed]"))
      #expect(browser.screen(120, 24).contains("-9223372036854775808"))
    }
  }

  @Test(arguments: [2, 4])
  func `that a link was just given are in sight with it, until the cursor goes on`(
    steps: Int
  ) throws {
    try Kennels.browse { browser, _ in
      let (link, names) =
        steps == 2 ? ("dog", ["dog.name", "dog.age"]) : ("address", ["address.street"])
      browser.press("Enter \(String(repeating: "l", count: steps)) (")
      let header = browser.screen(80, 24)
      for name in ["[\(link)]"] + names { #expect(header.contains(name), "\(name): \(header)") }
      #expect(browser.screen(80, 24) == header, "they stay")
      browser.press("h")
      #expect(!browser.screen(80, 24).contains("[\(link)]"))
    }
  }

  @Test func `of a link's target are sorted and filtered by, and lead to it`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter l l (")
      #expect(browser.screen(120, 30).contains("dog.name"))
      browser.press("l")
      #expect(browser.screen(120, 30).contains("[dog.name]"))
      browser.press("s")
      #expect(browser.screen(120, 30).contains("[dog.name↑]"))
      browser.press(",")
      #expect(browser.screen(120, 30).contains("Person where dog.name == "))
      browser.press("F gg j Enter")
      #expect(browser.screen(120, 30).contains("▸2 Dog/1 Rex"))
      browser.press("H )")
      #expect(!browser.screen(120, 30).contains("dog.name"))
    }
  }

  @Test func `are those of before when one comes back to the class`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter l - 1 j Enter 1 k Enter")
      #expect(!header(browser).contains("name"))
    }
  }

  @Test(arguments: [
    ("@links.@count", "1"), ("dogs.@count", "3"), ("dog.name", "Rex"), ("dogs.@avg.age", "4.33"),
    ("dogs.@max.age", "7"), ("address.city", "London"),
  ])
  func `can be computed by a path`(path: String, value: String) throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter +")
      #expect(browser.screen().contains("@links.@count, dogs.@count, dog.name"))
      browser.type(path)
      browser.press("Enter !")
      #expect(browser.screen(140, 24).contains("[\(path)]"))
      let rows = browser.screen(140, 24).split(separator: "\n")
      let ada = try #require(rows.first { $0.contains("│>     1") })
      #expect(ada.contains(" \(value)"))
    }
  }

  @Test func `that are computed can be sorted and filtered by, counted, and taken away`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter +")
      browser.type("dogs.@count")
      browser.press("Enter s")
      #expect(browser.screen().contains("dogs.@count↑"))
      #expect(browser.screen().contains("  [2] kind, tall"))
      browser.press("s gg")
      #expect(browser.screen().contains("1 of 3"))
      browser.press(",")
      #expect(browser.screen().contains("Person where dogs.@count == 3  1 of 1"))
      browser.press("F I")
      #expect(browser.screen().contains("distinct"))
      browser.press("Esc -")
      #expect(browser.screen().contains("dogs.@count is no column any more"))
      browser.press("e")
    }
  }

  @Test func `that are computed of too many values say so, and the others are up to date`() throws {
    try Kennels.browse { browser, database in
      try database.write { transaction in
        let person = try transaction.schema.require("Person")
        let dogs = try person.require("dogs").key
        let dog = ObjectIdentity(try transaction.schema.require("Dog").key, ObjectKey(rawValue: 3))
        let many = Value.list(Array(repeating: .link(dog), count: 1_001))
        try transaction.set(
          ObjectIdentity(person.key, ObjectKey(rawValue: 1)),
          property: dogs,
          to: many
        )
      }
      browser.receive(.tick)
      browser.press("Enter +")
      browser.type("dogs.@sum.age")
      browser.press("Enter")
      #expect(row(1, browser).hasSuffix(" many"))
      #expect(row(2, browser).hasSuffix(" 1"))
      browser.press(",")
      #expect(browser.screen().contains("dogs.@sum.age has too many values here; f filters by it"))
      browser.press("s s gg")
      #expect(browser.screen().contains(">     1  "))
      // The age of Bella, whom Bob has.
      browser.press("1 j Enter j j l l e ^U 5 Enter 1 k Enter lllllllll")
      #expect(row(2, browser).hasSuffix(" 5"))
      browser.press("+")
      browser.type("dogs.@count")
      browser.press("Enter")
      #expect(row(1, browser).hasSuffix(" 1001"))
    }
  }

  /// The line of an object in the table, up to the end of its last column.
  private func row(_ key: Int, _ browser: Browser) -> String {
    let lines = browser.screen(160, 24).split(separator: "\n").compactMap { line in
      line.split(separator: "│").dropFirst().first.map { String($0) }
    }
    let line = lines.first { $0.contains("   \(key)  ") } ?? ""
    return String(line.reversed().drop { $0 == " " }.reversed())
  }

  @Test func `that cannot be computed are refused with a reason`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter")
      for path in ["dogs", "dogs.age", "nobody.name", "dog.", "dog.@count", "1 + 1"] {
        browser.press("+")
        browser.type(path)
        browser.press("Enter")
        #expect(browser.screen().contains("↓ "), "\(path)")
        browser.press("Esc")
      }
    }
  }

  @Test func `whose names are odd can be sorted and filtered by`() throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        let names = ["first name", "a-b", "and"]
        try transaction.define([
          ClassDefinition("Odd", properties: names.map { PropertyDefinition($0, .string) })
        ])
        let schema = transaction.schema
        let odd = try #require(schema["Odd"])
        for number in 1...3 {
          let values = odd.properties.map { ($0.key, Value.string("\($0.name) \(number)")) }
          try transaction.create(odd.key, Dictionary(uniqueKeysWithValues: values))
        }
      }
      let browser = try Kennels.browser(database)
      browser.press("Enter")
      for name in ["first name", "a-b", "and"] {
        browser.press("l s s gg")
        #expect(browser.screen().contains("\(name)↓"))
        #expect(browser.screen().contains("\(name) 3"))
        browser.press(",")
        #expect(browser.screen().contains("1 of 1"), "\(name)")
        browser.press("F")
      }
    }
  }
}
