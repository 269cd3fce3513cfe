import KennelCore
import KennelTestSupport
import Testing

/// Notes that link to others through a property of each shape, all with one target rule.
private func withNotes(
  _ rule: TargetRule,
  and deleteRule: DeleteRule = .nullify,
  _ count: Int,
  fileID: String = #fileID,
  filePath: String = #filePath,
  line: Int = #line,
  column: Int = #column,
  _ body: (WriteTransaction, [ObjectIdentity]) throws -> Void
) throws {
  let shapes: KeyValuePairs<String, PropertyType> = [
    "link": .link("Note"), "list": .list(.link("Note")), "set": .set(.link("Note")),
    "map": .map(.link("Note").optional), "any": .mixed, "anyList": .list(.mixed),
  ]
  var note = define("Note", shapes)
  for index in note.properties.indices {
    note.properties[index].targetRule = rule
    note.properties[index].deleteRule = deleteRule
  }
  note.properties.append(PropertyDefinition("parts", .list(.link("Part"))))
  let part = ClassDefinition(
    "Part",
    isEmbedded: true,
    properties: [PropertyDefinition("of", .link("Note"), targetRule: rule)]
  )
  try withClasses([note, part], fileID: fileID, filePath: filePath, line: line, column: column) {
    transaction,
    _ in
    try body(transaction, (0..<count).map { _ in try transaction.make("Note") })
  }
}

extension WriteTransaction {
  /// The numbers of the notes that are there.
  fileprivate func notes() throws -> [UInt64] {
    try objects(of: classKey("Note")).map(\.key.rawValue)
  }

  /// Has the second, third … note link to the first, each through another property.
  fileprivate func linkInEveryShape(to notes: [ObjectIdentity]) throws {
    let link = Value.link(notes[0])
    try put(notes[1], "link", link)
    try put(notes[2], "list", .list([link, link]))
    try put(notes[3], "set", .set([link]))
    try put(notes[4], "map", .map([MapEntry("a", link)]))
    try put(notes[5], "any", .list([.int(1), .map([MapEntry("b", link)])]))
    try put(notes[6], "anyList", .list([.int(1), link]))
  }
}

@Suite struct `A target rule` {
  @Test func `nullify leaves the object, without the link`() throws {
    try withNotes(.nullify, 7) { transaction, notes in
      try transaction.linkInEveryShape(to: notes)
      let radius = try transaction.deleteAsPlanned([notes[0]])
      #expect(radius.deletionCount == 1 && radius.nulled.count == 3 && radius.removed.count == 4)
      #expect(try transaction.notes() == [2, 3, 4, 5, 6, 7])
    }
  }

  @Test func `cascade deletes the object, in whatever the link stands`() throws {
    try withNotes(.cascade, 8) { transaction, notes in
      try transaction.linkInEveryShape(to: notes)
      let radius = try transaction.deleteAsPlanned([notes[0]])
      let link = try transaction.key(notes[0], "link")
      #expect(radius.deletions[1].reason == .targetDeleted(notes[0], link))
      #expect(radius.deletions.map(\.depth) == [0, 1, 1, 1, 1, 1, 1])
      #expect(radius.nulled.isEmpty && radius.removed.isEmpty && radius.denied.isEmpty)
      #expect(try transaction.notes() == [8])
    }
  }

  @Test func `cascade goes along chains, cycles and links to oneself, each object once`() throws {
    try withNotes(.cascade, 5) { transaction, notes in
      for (note, next) in [(1, 0), (2, 1), (0, 2), (3, 3)] {
        try transaction.put(notes[note], "link", .link(notes[next]))
      }
      #expect(try transaction.deleteAsPlanned([notes[3]]).deletionCount == 1)
      let radius = try transaction.deleteAsPlanned([notes[1]])
      #expect(radius.deletions.map(\.object) == [notes[1], notes[2], notes[0]])
      #expect(try transaction.notes() == [5])
    }
  }

  @Test func `cascade deletes what the object owns, and an embedded object without its owner`()
    throws
  {
    try withNotes(.cascade, 3) { transaction, notes in
      try transaction.put(notes[1], "link", .link(notes[0]))
      _ = try transaction.embed(notes[1], "parts", .index(0))
      let part = try transaction.embed(notes[2], "parts", .index(0))
      try transaction.put(part, "of", .link(notes[0]))
      let radius = try transaction.deleteAsPlanned([notes[0]])
      #expect(radius.deletionCount == 4)
      #expect(try transaction.notes() == [3])
      #expect(try transaction.value(notes[2], "parts") == .list([]))
    }
  }

  @Test func `cascade does nothing when the link is cut or leads elsewhere`() throws {
    try withNotes(.cascade, 3) { transaction, notes in
      try transaction.put(notes[1], "link", .link(notes[0]))
      try transaction.put(notes[1], "link", .link(notes[2]))
      try transaction.delete([notes[0]])
      #expect(try transaction.notes() == [2, 3])
      try transaction.put(notes[1], "link", .null)
      #expect(try transaction.notes() == [2, 3])
    }
  }

  @Test func `cascade spares the object whose last link let the target go`() throws {
    try withNotes(.cascade, and: .cascadeIfLast, 3) { transaction, notes in
      try transaction.put(notes[0], "list", .list([.link(notes[1]), .link(notes[1])]))
      let edge = try transaction.slot(notes[0], "list", .index(0))
      #expect(try transaction.blastRadius(unlinking: edge).deletionCount == 0)
      let whole = try transaction.slot(notes[0], "list")
      let radius = try transaction.blastRadius(overwriting: [whole])
      #expect(radius.deletions.map(\.object) == [notes[1]])
      try transaction.put(notes[0], "list", .list([]))
      #expect(try transaction.notes() == [1, 3])
    }
  }

  @Test func `deny refuses while another object links, and says who and how many`() throws {
    try withNotes(.deny, 7) { transaction, notes in
      try transaction.linkInEveryShape(to: notes)
      try transaction.put(notes[5], "link", .link(notes[0]))
      let error = #expect(throws: DatabaseError.self) { try transaction.delete([notes[0]]) }
      #expect(error?.code == .deletionDenied)
      #expect(error?.className == "Note")
      #expect(error?.propertyName == "link")
      #expect(error?.object == notes[1])
      #expect(
        error?.message
          == "Cannot delete Note/1: Note/2 and 1 more of its class still link to it, and the target "
          + "rule of Note.link is deny. Unlink or delete them first"
      )
      let radius = try transaction.blastRadius(deleting: [notes[0]])
      #expect(radius.denied.count == 7)
      #expect(radius.denied.allSatisfy { $0.rule == .targetRule && $0.target == notes[0] })
      #expect(Set(radius.denied.map(\.remaining)) == Set(notes[1...]))
      #expect(radius.nulled.isEmpty && radius.removed.isEmpty && !radius.isHarmless)
      #expect(try transaction.notes().count == 7)
    }
  }

  @Test func `deny allows what goes together, whatever the order`() throws {
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
      try withNotes(.deny, 3) { transaction, notes in
        try transaction.put(notes[1], "link", .link(notes[0]))
        try transaction.put(notes[2], "list", .list([.link(notes[1]), .link(notes[0])]))
        try transaction.put(notes[0], "set", .set([.link(notes[0])]))
        #expect(code { try transaction.delete([notes[0], notes[1]]) } == .deletionDenied)
        try transaction.delete(order.map { notes[$0] })
        #expect(try transaction.notes().isEmpty)
      }
    }
  }

  @Test func `deny holds back the end of a last link, and the change that would cut it`() throws {
    let keeper = ClassDefinition(
      "Keeper",
      properties: [PropertyDefinition("kept", .link("Thing"), deleteRule: .cascadeIfLast)]
    )
    let user = ClassDefinition(
      "User",
      properties: [PropertyDefinition("used", .link("Thing"), targetRule: .deny)]
    )
    try withClasses([define("Thing", [:]), keeper, user]) { transaction, _ in
      let thing = try transaction.make("Thing")
      let keeper = try transaction.make("Keeper", ["kept": .link(thing)])
      let user = try transaction.make("User", ["used": .link(thing)])
      #expect(code { try transaction.put(keeper, "kept", .null) } == .deletionDenied)
      #expect(try transaction.value(keeper, "kept") == .link(thing))
      #expect(code { try transaction.delete([keeper]) } == .deletionDenied)
      try transaction.put(user, "used", .null)
      try transaction.put(keeper, "kept", .null)
      #expect(try !transaction.contains(thing))
    }
  }

  @Test func `stays in the file, and only a migration changes it`() throws {
    let dog = ClassDefinition(
      "Dog",
      properties: [PropertyDefinition("best", .link("Dog"), targetRule: .deny)]
    )
    func set(_ rule: TargetRule) -> [MigrationStep] {
      [.setTargetRule(className: "Dog", property: "best", rule)]
    }
    try withTemporaryDatabase { database in
      try database.write { try $0.define([dog]) }
      let schema = try Database.open(database.path).snapshot().schema
      #expect(schema["Dog"]?["best"]?.targetRule == .deny)
      #expect(schema.definitions == [dog])
      try database.write { transaction in
        try transaction.define([define("Dog", ["best": .link("Dog")])])
        #expect(transaction.schema["Dog"]?["best"]?.targetRule == .deny)
        var other = dog
        other.properties[0].targetRule = .cascade
        #expect(code { try transaction.define([other]) } == .schemaMismatch)
        try transaction.define([other], migration: set(.cascade))
        #expect(transaction.schema["Dog"]?["best"]?.targetRule == .cascade)
      }
      try database.write { try $0.define([], migration: set(.nullify)) }
      try #expect(database.snapshot().schema["Dog"]?["best"]?.targetRule == .nullify)
    }
  }

  @Test func `acts on links that are older than it`() throws {
    try withNotes(.nullify, 2) { transaction, notes in
      try transaction.put(notes[1], "link", .link(notes[0]))
      let step = MigrationStep.setTargetRule(className: "Note", property: "link", .cascade)
      #expect(try transaction.blastRadius(deleting: [notes[0]]).deletionCount == 1)
      try transaction.define([], migration: [step])
      #expect(try transaction.deleteAsPlanned([notes[0]]).deletionCount == 2)
    }
  }
}

@Suite struct `A large deletion by target rules` {
  @Test func `of a long chain and of an object that very many link to is as planned`() throws {
    try withNotes(.cascade, 20_000) { transaction, notes in
      for (note, next) in zip(notes[1..<10_000], notes) {
        try transaction.put(note, "link", .link(next))
      }
      for note in notes[10_000...] { try transaction.put(note, "list", .list([.link(notes[0])])) }
      #expect(try transaction.deleteAsPlanned([notes[0]]).deletionCount == 20_000)
    }
  }

  @Test func `stops at a limit and says so`() throws {
    for rule in [TargetRule.cascade, .deny] {
      try withNotes(rule, 3000) { transaction, notes in
        for note in notes[1...] { try transaction.put(note, "link", .link(notes[0])) }
        let bounded = try transaction.blastRadius(deleting: [notes[0]], limit: 100)
        #expect(!bounded.isComplete)
        #expect(bounded.deletionCount == (rule == .deny ? 1 : 100))
        #expect(try transaction.smallBlastRadius(deleting: [notes[0]], limit: 100) == nil)
      }
    }
  }
}
