import KennelCore
import KennelReports
import KennelTestSupport
import Testing

@Suite("A difference")
struct DifferenceTests {
  /// The lines of a difference between the farm and one that was changed.
  private func lines(
    _ className: String? = nil,
    prepare: (WriteTransaction) throws -> Void = { _ in },
    change: (WriteTransaction) throws -> Void
  ) throws -> [String] {
    let (old, new) = (try TemporaryDatabase(), try TemporaryDatabase())
    for database in [old.database, new.database] {
      try Farm.fill(database)
      try database.write(prepare)
    }
    try new.database.write(change)
    var lines: [String] = []
    let (before, after) = (try old.database.snapshot(), try new.database.snapshot())
    try FileDifference.compare(before, after, class: className) { lines += Self.lines(of: $0) }
    return lines
  }

  static func lines(of change: ReportedChange) -> [String] {
    switch change {
    case .schema(let change): [change.text]
    case .object(let change): ["\(change.kind.sign) \(change.text)"] + change.valueTexts
    }
  }

  @Test func `of equal files is empty`() throws {
    #expect(try lines { _ in }.isEmpty)
  }

  @Test func `tells objects that were created, deleted and changed`() throws {
    let lines = try lines { transaction in
      try transaction.delete([Farm.object("Dog", 8, in: transaction)])
      try Farm.make("Dog", ["name": .string("New"), "age": .int(1)], transaction)
      try Farm.set(Farm.object("Dog", 1, in: transaction), "age", .int(7), transaction)
    }
    #expect(
      lines == [
        "~ Person 103 Person 3", "dogs[1]: - →Dog/8", "~ Dog/1 Dog 0.0", "age: 0 → 7",
        "- Dog/8 Dog 3.1", "name: \"Dog 3.1\"", "age: 3", "weight: 1.5", "+ Dog/9 New",
        "name: \"New\"", "age: 1", "weight: 0.0",
      ]
    )
  }

  @Test func `matches objects by their primary key, wherever they are`() throws {
    let lines = try lines { transaction in
      // The same person under another key.
      let person = try Farm.object("Person", 4, in: transaction)
      let classSchema = try transaction.schema.require("Person")
      let dogs = try transaction.value(of: person, property: classSchema.require("dogs").key)
      try transaction.delete([person])
      let again = try Farm.make(
        "Person",
        ["id": .int(103), "name": .string("Person 3!"), "dogs": dogs],
        transaction
      )
      let address = try transaction.createEmbedded(at: Slot(again, classSchema.require("home").key))
      try Farm.set(address, "city", .string("York"), transaction)
    }
    #expect(lines == ["~ Person 103 Person 3!", "name: \"Person 3\" → \"Person 3!\""])
  }

  @Test func `looks into what is embedded, and into maps and sets`() throws {
    let lines = try lines { transaction in
      let person = try Farm.object("Person", 1, in: transaction)
      try Farm.set(person, "notes", .map([MapEntry("a", .string("x"))]), transaction)
      try Farm.set(person, "tags", .set([.string("kind")]), transaction)
    } change: { transaction in
      let person = try Farm.object("Person", 1, in: transaction)
      try Farm.set(
        Farm.object("Address", 1, in: transaction),
        "city",
        .string("Leeds"),
        transaction
      )
      try Farm.set(
        person,
        "notes",
        .map([MapEntry("a", .string("y")), MapEntry("b", .null)]),
        transaction
      )
      try Farm.set(person, "tags", .set([.string("tall")]), transaction)
    }
    #expect(
      lines == [
        "~ Person 100 Person 0", "home.city: \"York\" → \"Leeds\"", "tags: - \"kind\"",
        "tags: + \"tall\"", "notes[\"a\"]: \"x\" → \"y\"", "notes[\"b\"]: + null",
      ]
    )
  }

  @Test func `tells the edits of a list, not all of it`() throws {
    let numbers = (1...1_000).map { Value.string("\($0)") }
    let lines = try lines { transaction in
      try Farm.set(Farm.object("Person", 1, in: transaction), "phones", .list(numbers), transaction)
    } change: { transaction in
      var changed = numbers
      changed.insert(.string("new"), at: 500)
      changed.remove(at: 10)
      try Farm.set(Farm.object("Person", 1, in: transaction), "phones", .list(changed), transaction)
    }
    #expect(
      lines == ["~ Person 100 Person 0", "phones[10]: - \"11\"", "phones[499]: + \"new\""]
    )
  }

  @Test(.timeLimit(.minutes(1)))
  func `of long lists that have nothing in common ends soon`() throws {
    let lines = try lines { transaction in
      let values = (1...20_000).map { Value.string("\($0)") }
      try Farm.set(Farm.object("Person", 1, in: transaction), "phones", .list(values), transaction)
    } change: { transaction in
      let values = (1...19_000).map { Value.string("new \($0)") }
      try Farm.set(Farm.object("Person", 1, in: transaction), "phones", .list(values), transaction)
    }
    #expect(lines.count == 39_001)
  }

  @Test(.timeLimit(.minutes(1)), arguments: [["a", "z"], ["50000"]])
  func `of a list that grew very long ends soon`(old: [String]) throws {
    let grown = ["a"] + (1...100_000).map { "\($0)" } + ["z"]
    let lines = try lines { transaction in
      let values = Value.list(old.map(Value.string))
      try Farm.set(Farm.object("Person", 1, in: transaction), "phones", values, transaction)
    } change: { transaction in
      let values = Value.list(grown.map(Value.string))
      try Farm.set(Farm.object("Person", 1, in: transaction), "phones", values, transaction)
    }
    // What is the same at both ends is left out. An element in the middle is not searched for.
    let edits = old.count == 2 ? 100_000 : 1 + 100_002
    #expect(lines.count == 1 + edits)
  }

  @Test func `follows embedded objects a hundred deep and no deeper`() throws {
    func compare(depth: Int) throws {
      try withTemporaryDatabase { database in
        try database.write { transaction in
          try transaction.define([
            ClassDefinition("Tree", properties: [PropertyDefinition("root", .link("Node"))]),
            ClassDefinition(
              "Node",
              isEmbedded: true,
              properties: [PropertyDefinition("root", .link("Node"))]
            ),
          ])
          var object = try Farm.make("Tree", [:], transaction)
          for _ in 0..<depth {
            let classSchema = try #require(transaction.schema[object.classKey])
            let root = try classSchema.require("root").key
            object = try transaction.createEmbedded(at: Slot(object, root))
          }
        }
        let snapshot = try database.snapshot()
        try FileDifference.compare(snapshot, snapshot) { _ in }
      }
    }
    try compare(depth: 100)
    let error = #expect(throws: DatabaseError.self) { try compare(depth: 101) }
    #expect(error?.message.contains("nested more than 100 deep") == true)
  }

  @Test func `tells what differs in the schema first`() throws {
    let lines = try lines { transaction in
      try transaction.define([
        ClassDefinition("Cat", properties: [PropertyDefinition("name", .string)]),
        ClassDefinition(
          "Dog",
          properties: Farm.classes[1].properties + [
            PropertyDefinition("breed", .string.optional),
            PropertyDefinition("rival", .link("Cat"), targetRule: .cascade),
          ]
        ),
      ])
      try Farm.make("Cat", ["name": .string("Tom")], transaction)
    }
    #expect(
      lines == [
        "Dog.breed: + string?", "Dog.rival: + link<Cat>, target rule cascade",
        "class Cat: + class with 1 property", "+ Cat/1 Tom", "name: \"Tom\"",
      ]
    )
  }

  @Test func `can be of one class`() throws {
    let lines = try lines("Dog") { transaction in
      try transaction.delete([Farm.object("Dog", 8, in: transaction)])
    }
    #expect(lines.first == "- Dog/8 Dog 3.1")
  }

  @Test func `between commits of a class that was deleted tells of no other`() throws {
    try Farm.withDatabase { database in
      try database.write { transaction in
        try transaction.define([
          ClassDefinition("Cat", properties: [PropertyDefinition("name", .string)])
        ])
      }
      let before = try database.snapshot()
      let cat = try before.schema.require("Cat").key
      try database.write { transaction in
        try transaction.deleteClasses(["Cat"])
        try transaction.define([
          ClassDefinition("Cow", properties: [PropertyDefinition("name", .string)])
        ])
      }
      var lines: [String] = []
      try CommitChanges.report(from: before, to: database.snapshot(), class: cat) {
        lines += Self.lines(of: $0)
      }
      #expect(lines == ["class Cat: - class with 1 property"])
    }
  }

  @Test func `between commits names the embedded objects`() throws {
    try Farm.withDatabase { database in
      let before = try database.snapshot()
      try database.write { transaction in
        try Farm.set(
          Farm.object("Address", 2, in: transaction),
          "city",
          .string("Ely"),
          transaction
        )
        try transaction.delete([Farm.object("Person", 1, in: transaction)])
        try Farm.make("Dog", ["name": .string("New")], transaction)
      }
      var lines: [String] = []
      var counts = ChangeCounts()
      try CommitChanges.report(from: before, to: database.snapshot()) { change in
        lines += Self.lines(of: change)
        counts.add(change)
      }
      #expect(lines.first == "+ Dog/9 New")
      #expect(lines.contains("~ Address/2 York") || lines.contains("~ Address/2 Ely"))
      #expect(lines.contains("city: \"York\" → \"Ely\""))
      #expect(lines.contains("- Person 100 Person 0"))
      #expect(counts.total == 4)
    }
  }
}
