import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

@Suite("Groups of objects")
struct GroupTests {
  @Test func `are counted by a property, and lead to their objects and back`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter l l &")
      let screen = browser.screen()
      #expect(screen.contains("Person by dog  2 values of 3 objects"))
      #expect(screen.contains("> →Dog/1 Rex"))
      #expect(screen.contains("2  66.7 %"))
      browser.press("Enter")
      #expect(browser.screen().contains("Person where dog == object(#1/1)  1 of 2"))
      browser.press("H j Enter")
      #expect(browser.screen().contains("Person where dog == null  1 of 1"))
      browser.press("H")
      #expect(browser.screen().contains("Person by dog  2 values"))
      #expect(browser.screen().contains("> ∅"))
    }
  }

  @Test func `are found by a path through links, with the sum of a number`() throws {
    try Kennels.browse { browser, _ in
      browser.press(":")
      browser.type("group dog.name dog.age")
      browser.press("Enter")
      let screen = browser.screen(120, 24)
      #expect(screen.contains("Person by dog.name"))
      #expect(screen.contains("sum dog.age   average   least   greatest"))
      #expect(
        screen.contains("Rex             2  66.7 %             6       3.0       3          3")
      )
      browser.press("Enter")
      #expect(browser.screen().contains("Person where dog.name == 'Rex'  1 of 2"))
    }
  }

  @Test func `have a list by the number of its elements`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter l l l & j Enter")
      #expect(browser.screen().contains("Person where dogs.@count == 1  1 of 1"))
      browser.press("H H h h h &")
      browser.type("dogs")
      browser.press("Enter")
      #expect(browser.screen().contains("Person by dogs.@count"))
    }
  }

  @Test func `are those of the objects that a filter leaves`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter f")
      browser.type("age > 1")
      browser.press("Enter l l l &")
      #expect(browser.screen().contains("Dog where age > 1 by breed  2 values of 2 objects"))
      browser.press("Enter")
      #expect(browser.screen(120, 24).contains("Dog where (age > 1) AND breed == "))
      #expect(browser.screen(120, 24).contains("  1 of 1"))
    }
  }

  @Test func `are sorted by any column, in both directions`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter l l &")
      func values() -> [String] {
        browser.screen().split(separator: "\n").dropFirst(3).prefix(3)
          .map { $0.drop { $0 != "│" }.dropFirst(3).prefix { $0 != " " }.description }
      }
      browser.press("h s")
      #expect(values() == ["1", "3", "7"])
      browser.press("s")
      #expect(values() == ["7", "3", "1"])
      #expect(browser.screen().contains("[age↓]"))
    }
  }

  @Test(arguments: ["s", "n"])
  func `are sorted and searched beside the screen`(key: Character) throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter l l & /")
      browser.type("7")
      browser.press("Enter")
      browser.press("gg h")
      let before = browser.screen()
      browser.receive(.key(Key(key)))
      let jobs = browser.takeEffects().compactMap { effect in
        if case .run(let job) = effect { job } else { nil }
      }
      #expect(before.contains("[age] ") && browser.screen().contains("[age] "))
      for job in jobs { browser.run(job) {} }
      #expect(jobs.count == 1)
      #expect(browser.screen().contains(key == "s" ? "[age↑]" : "> 7 "))
    }
  }

  @Test func `are sorted when they are counted, and not counted again for that`() throws {
    try Kennels.browse { browser, database in
      browser.press("j Enter l l &")
      let dog = try #require(try database.snapshot().schema["Dog"])
      try database.write { _ = try $0.create(dog.key, [:]) }
      browser.press("h")
      func jobs() -> [Job] {
        browser.takeEffects().compactMap { if case .run(let job) = $0 { job } else { nil } }
      }
      browser.receive(.tick)
      let counting = jobs()
      #expect(counting.count == 1)
      browser.receive(.key(Key("s")))
      #expect(jobs().isEmpty)
      #expect(browser.screen().contains("Grouping by age…"))
      for job in counting { browser.run(job) {} }
      for job in jobs() { browser.run(job) {} }
      #expect(browser.screen().contains("4 values of 4 objects"))
      #expect(browser.screen().contains("[age↑]"))
      #expect(jobs().isEmpty)
    }
  }

  @Test func `add up numbers near the ends of their range exactly`() throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        let properties = [PropertyDefinition("name", .string), PropertyDefinition("size", .int)]
        try transaction.define([ClassDefinition("Thing", properties: properties)])
        let thing = try #require(transaction.schema["Thing"])
        let key = try #require(thing["size"]).key
        for size: Int64 in [.max, .max, .min, .min, 4] {
          try transaction.create(thing.key, [key: .int(size)])
        }
      }
      let browser = try Kennels.browser(database)
      browser.press(":")
      browser.type("group name size")
      browser.press("Enter")
      #expect(browser.screen(120, 24).contains(" 2       0.4 "))
    }
  }

  @Test func `are counted anew when the data changes`() throws {
    try Kennels.browse { browser, database in
      browser.press("j Enter l l l &")
      #expect(browser.screen().contains("3 values of 3 objects"))
      let dog = try #require(try database.snapshot().schema["Dog"])
      try database.write { _ = try $0.create(dog.key, [:]) }
      _ = JobRunner.send(.tick, to: browser)
      #expect(browser.screen().contains("3 values of 4 objects"))
    }
  }

  @Test(arguments: [
    ("nme", "did you mean name?"), ("name name", "name is no number"),
    ("a b c", "as in ‘city age’"),
  ])
  func `of what there is not are refused with what to write`(path: String, advice: String) throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter &")
      browser.type(path)
      browser.press("Enter")
      #expect(browser.screen().contains(advice), "\(browser.screen())")
    }
  }

  @Test func `are stopped by Esc, and counted again by R`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter l")
      browser.receive(.key(Key("&")))
      #expect(browser.screen().contains("Grouping by name…"))
      browser.press("Esc")
      #expect(browser.screen().contains("Stopped: Grouping by name"))
      browser.press("R")
      #expect(browser.screen().contains("Person by name  3 values"))
    }
  }

  @Test func `are so many at most, and the rest is counted together`() throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        try transaction.define([
          ClassDefinition("Thing", properties: [PropertyDefinition("number", .int)])
        ])
        let thing = try transaction.schema.require("Thing")
        let number = try thing.require("number").key
        for value in 0..<100_005 {
          try transaction.create(thing.key, [number: .int(Int64(value))])
        }
      }
      let browser = try Kennels.browser(database)
      browser.press("Enter l &")
      let screen = browser.screen(120, 24)
      #expect(screen.contains("100000 values of 100005 objects, 5 with other values"))
      #expect(screen.contains("> other values"))
    }
  }

  @Test func `do not tell long texts apart`() throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        let note = PropertyDefinition("note", .string)
        try transaction.define([ClassDefinition("Thing", properties: [note])])
        let thing = try transaction.schema.require("Thing")
        let key = try thing.require("note").key
        let long = String(repeating: "a", count: 1_025)
        for note in ["short", "short", String(long.dropLast()), long, long, long + "b"] {
          try transaction.create(thing.key, [key: .string(note)])
        }
      }
      let browser = try Kennels.browser(database)
      browser.press("Enter l &")
      let screen = browser.screen(120, 24)
      #expect(screen.contains("2 values of 6 objects, 3 with other values"))
    }
  }

  @Test func `of what links to a new object are those of its final key after the commit`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter o Esc Bksp G y 1 gg Enter l l p Enter 3 Enter")
      #expect(browser.screen().contains("Person.dog → Dog/new1"))
      browser.press("l &")
      #expect(browser.screen(120, 24).contains("1 value of 1 object"))
      browser.press("4 w y 2")
      let screen = browser.screen(120, 24)
      #expect(screen.contains("Person.dog → Dog/4"))
      #expect(screen.contains("1 value of 1 object"))
    }
  }

  @Test(arguments: EveryKind.scalars + [.mixed])
  func `have the objects that their filter finds, whatever the kind`(kind: ValueKind) throws {
    try withTemporaryDatabase { database in
      try EveryKind.make(in: database)
      try database.write { transaction in
        let schema = try transaction.schema.require("Specimen")
        let (id, double) = (try schema.require("id").key, try schema.require("double").key)
        let mixed = try schema.require("mixed").key
        for (index, number) in [0.0, -0.0, .nan].enumerated() {
          let values: [PropertyKey: Value] = [
            id: .int(Int64(index + 2)), double: .double(number),
            mixed: EveryKind.value(EveryKind.scalars[index + 4]),
          ]
          try transaction.create(schema.key, values)
        }
      }
      let browser = try Kennels.browser(database)
      browser.press("Enter :")
      browser.type("group \(kind)")
      browser.press("Enter h s")
      let counts: [Int] =
        switch kind {
        case .double: [1, 1, 2]
        case .mixed: [1, 1, 1, 1]
        default: [3, 1]
        }
      #expect(browser.screen().contains("\(counts.count) values of 4 objects"))
      for count in counts.sorted() {
        browser.press("Enter")
        #expect(counts.contains { browser.screen().contains("  1 of \($0)") }, "\(count)")
        #expect(!browser.screen().contains("!"), "\(browser.screen())")
        browser.press("H j")
      }
    }
  }
}
