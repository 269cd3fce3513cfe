import KennelCore
import KennelTestSupport
import Testing

/// The examples of the nested types of KennelCore, and of its protocols of typed properties.
///
/// The marked lines of each function are the example of a doc comment; a tidy test compares them.
@Suite struct `The examples of nested types` {
  private let temporary: TemporaryDatabase
  private let dog: ClassSchema
  private let person: ClassSchema
  private let name: PropertySchema
  private let age: PropertySchema
  private let dogs: PropertySchema
  private let rex: ObjectIdentity
  private let max: ObjectIdentity
  private let ada: ObjectIdentity
  private let license: ObjectIdentity
  private var database: Database { temporary.database }
  private var folder: String { temporary.folder.file("drafts") }

  init() throws {
    temporary = try TemporaryDatabase()
    let schema = try temporary.database.write { transaction in
      try transaction.define(Self.definitions)
      return transaction.schema
    }
    dog = try schema.require("Dog")
    person = try schema.require("Person")
    let permit = try schema.require("License")
    name = try dog.require("name")
    age = try dog.require("age")
    dogs = try person.require("dogs")
    let (dog, person, name, age, dogs) = (dog, person, name, age, dogs)
    (rex, max, ada, license) = try temporary.database.write { transaction in
      let rex = try transaction.create(
        dog.key,
        [name.key: .string("Rex"), age.key: .int(3)]
      )
      let max = try transaction.create(
        dog.key,
        [name.key: .string("Max"), age.key: .int(8)]
      )
      let ada = try transaction.create(
        person.key,
        [person.require("name").key: .string("Ada"), dogs.key: .list([.link(rex), .link(max)])]
      )
      let license = try transaction.create(
        permit.key,
        [permit.require("dog").key: .link(rex)]
      )
      return (rex, max, ada, license)
    }
  }

  private static let definitions = [
    ClassDefinition(
      "Dog",
      properties: [
        PropertyDefinition("name", .string), PropertyDefinition("age", .int),
        PropertyDefinition("nickname", .string.optional),
      ]
    ),
    ClassDefinition(
      "Person",
      properties: [
        PropertyDefinition("name", .string, isPrimaryKey: true),
        PropertyDefinition("dogs", .list(.link("Dog")), deleteRule: .cascade),
      ]
    ),
    ClassDefinition(
      "License",
      properties: [PropertyDefinition("dog", .link("Dog"), deleteRule: .deny)]
    ),
  ]

  @Test func `of reading run`() throws {
    let snapshot = try database.snapshot()
    try code(temporary.folder.file("missing.kennel"))
    try access(temporary.path)
    try changes()
    try reason(snapshot)
    try deletion(snapshot)
    try denial(snapshot)
    try position(database.makeDraft())
    temporary.finish()
  }

  @Test func `of queries run`() throws {
    let snapshot = try database.snapshot()
    try path(snapshot)
    try step(snapshot)
    try aggregate(snapshot)
    try comparison(snapshot)
    try quantifier(snapshot)
    try comparator(snapshot)
    try stringOptions(snapshot)
    try expression(snapshot)
    try subquery(snapshot)
    try source(snapshot)
  }

  @Test func `of drafts run`() throws {
    try change(database.makeDraft())
    try outcome(database.makeDraft())
    try draftChangeKind(database.makeDraft())
    try draftCommit(database.makeDraft())
    try draftItemKind(database.makeDraft())
    try conflictKind(database.makeDraft())
    temporary.finish()
  }

  @Test func `of journals run`() throws {
    let draft = try database.makeDraft()
    try draft.set(rex, property: name.key, to: .string("Rexi"))
    let journal = DraftJournal(for: database, in: folder)
    try journal.keep(draft.records, number: 1)
    journal.close()
    try listedFile()
    try listedCondition()
    try recoveredState(DraftJournal(for: database, in: folder), database.makeDraft())
  }

  @Test func `of typed properties run`() throws {
    let snapshot = try database.snapshot()
    try propertyValue(snapshot)
    try nullablePropertyValue(snapshot)
    try scalarPropertyValue(snapshot)
    elementPropertyValue()
    temporary.finish()
  }

  // MARK: - Databases and snapshots

  private func code(_ path: String) throws {
    do throws(DatabaseError) {
      _ = try Database.open(path, configuration: .init(createsIfMissing: false))
    } catch {
      if error.code == .cannotOpen { print(error.message) }
    }
    let error = #expect(throws: DatabaseError.self) {
      try Database.open(path, configuration: .init(createsIfMissing: false))
    }
    #expect(error?.code == .cannotOpen)
  }

  private func access(_ path: String) throws {
    let database = try Database.open(path, configuration: .init(access: .readOnly))
    print(database.canWrite)
    #expect(!database.canWrite)
  }

  private func changes() throws {
    let before = try database.snapshot()
    try database.write { transaction in try transaction.set(rex, property: age.key, to: .int(4)) }
    let snapshot = try database.snapshot()
    let changes = try database.changes(from: before, to: snapshot)
    changedProperty(changes, snapshot)
    changedObject(changes, snapshot)
    #expect(changes.changed.map(\.object) == [rex])
    let properties = changes.changed.flatMap(\.properties)
    #expect(properties.map(\.old) == [.int(3)] && properties.map(\.new) == [.int(4)])
  }

  private func changedProperty(_ changes: ChangeSet, _ snapshot: Snapshot) {
    for change in changes.changed.flatMap(\.properties) {
      print("\(ValueText.describe(change.old)) → \(ValueText.describe(change.new))")
    }
  }

  private func changedObject(_ changes: ChangeSet, _ snapshot: Snapshot) {
    for change in changes.changed {
      print(snapshot.describe(change.object), change.properties.map(\.property.rawValue))
    }
  }

  private func reason(_ snapshot: Snapshot) throws {
    let radius = try snapshot.blastRadius(deleting: [ada])
    let others = radius.deletions.filter { $0.reason != .asked }
    print(others.map { snapshot.describe($0.object) })
    #expect(others.map(\.reason) == Array(repeating: .cascade(from: ada, dogs.key), count: 2))
  }

  private func deletion(_ snapshot: Snapshot) throws {
    let radius = try snapshot.blastRadius(deleting: [ada])
    for deletion in radius.deletions {
      print(String(repeating: "  ", count: deletion.depth) + snapshot.describe(deletion.object))
    }
    #expect(radius.deletions.map(\.depth) == [0, 1, 1])
  }

  private func denial(_ snapshot: Snapshot) throws {
    let radius = try snapshot.blastRadius(deleting: [license])
    for denial in radius.denied {
      print("Delete \(snapshot.describe(denial.remaining)) first")
    }
    print(radius.denied.count { $0.rule == .targetRule })
    #expect(radius.denied.map(\.rule) == [.deleteRule])
    #expect(radius.denied.map(\.object) == [license] && radius.denied.map(\.target) == [rex])
  }

  private func position(_ draft: Draft) throws {
    let second = Slot(ada, dogs.key, .index(1))
    try draft.perform(.change(second, .remove))
    #expect(try draft.reader.value(of: ada, property: dogs.key) == .list([.link(rex)]))
  }

  // MARK: - Queries

  private func path(_ snapshot: Snapshot) throws {
    let ages = Predicate.Path("dogs.age")
    let predicate = Predicate.comparison(.init(.path(ages), .greater, .literal(.int(5))))
    print(try snapshot.objects(of: person.key, where: predicate).count)
    #expect("\(predicate)" == "dogs.age > 5")
    #expect(try snapshot.objects(of: person.key, where: predicate).keys.map { $0 } == [ada.key])
  }

  private func step(_ snapshot: Snapshot) throws {
    let owners = Predicate.Path([.links(origin: "Person", property: "dogs"), .property("name")])
    let isAdas = Predicate.Comparison(.path(owners), .equal, .literal(.string("Ada")))
    print(try snapshot.objects(of: dog.key, where: .comparison(isAdas)).count)
    #expect(try snapshot.objects(of: dog.key, where: .comparison(isAdas)).count == 2)
  }

  private func aggregate(_ snapshot: Snapshot) throws {
    let mean = Predicate.Path([.property("dogs"), .property("age")], aggregate: .average)
    let isHigh = Predicate.Comparison(.path(mean), .greater, .literal(.int(5)))
    print(try snapshot.objects(of: person.key, where: .comparison(isHigh)).count)
    #expect(try snapshot.objects(of: person.key, where: .comparison(isHigh)).count == 1)
  }

  private func comparison(_ snapshot: Snapshot) throws {
    let isOld = Predicate.Comparison(.path(.init("age")), .greater, .literal(.int(5)))
    print(try snapshot.objects(of: dog.key, where: .comparison(isOld)).count)
    #expect(
      try snapshot.objects(of: dog.key, where: .comparison(isOld)).keys.map { $0 } == [max.key]
    )
  }

  private func quantifier(_ snapshot: Snapshot) throws {
    let ages = Predicate.Expression.path(.init("dogs.age"))
    let allOld = Predicate.Comparison(ages, .greater, .literal(.int(5)), quantifier: .all)
    print(try snapshot.objects(of: person.key, where: .comparison(allOld)).count)
    #expect(try snapshot.objects(of: person.key, where: .comparison(allOld)).isEmpty)
  }

  private func comparator(_ snapshot: Snapshot) throws {
    let name = Predicate.Expression.path(.init("name"))
    let begins = Predicate.Comparison(name, .beginsWith, .literal(.string("R")))
    print(try snapshot.objects(of: dog.key, where: .comparison(begins)).count)
    #expect(
      try snapshot.objects(of: dog.key, where: .comparison(begins)).keys.map { $0 } == [rex.key]
    )
  }

  private func stringOptions(_ snapshot: Snapshot) throws {
    let name = Predicate.Expression.path(.init("name"))
    let rex: Predicate.Expression = .literal(.string("REX"))
    let isRex = Predicate.Comparison(name, .equal, rex, options: .caseInsensitive)
    print(try snapshot.objects(of: dog.key, where: .comparison(isRex)).count)
    #expect(
      try snapshot.objects(of: dog.key, where: .comparison(isRex)).keys.map { $0 } == [self.rex.key]
    )
  }

  private func expression(_ snapshot: Snapshot) throws {
    let ages: Predicate.Expression = .list([.literal(.int(5)), .literal(.int(9))])
    let between = Predicate.Comparison(.path(.init("age")), .between, ages)
    print(try snapshot.objects(of: dog.key, where: .comparison(between)).count)
    #expect(
      try snapshot.objects(of: dog.key, where: .comparison(between)).keys.map { $0 } == [max.key]
    )
  }

  private func subquery(_ snapshot: Snapshot) throws {
    let age = Predicate.Expression.path(.init([.property("age")], variable: "dog"))
    let isOld = Predicate.comparison(.init(age, .greater, .literal(.int(5))))
    let old = Predicate.Subquery(.init("dogs"), variable: "dog", isOld)
    let hasOne = Predicate.comparison(.init(.subquery(old), .equal, .literal(.int(1))))
    print(try snapshot.objects(of: person.key, where: hasOne).count)
    #expect(try snapshot.objects(of: person.key, where: hasOne).count == 1)
  }

  private func source(_ snapshot: Snapshot) throws {
    let predicate = try Predicate.parse("age > 3", for: dog.key, in: snapshot.schema)
    if case .comparison(let comparison) = predicate { print(comparison.source.column) }
    guard case .comparison(let found) = predicate else {
      Issue.record("\(predicate)")
      return
    }
    #expect(found.source.column == 5)
  }

  // MARK: - Drafts

  private func change(_ draft: Draft) throws {
    try draft.perform(.change(Slot(ada, dogs.key, .index(0)), .move(to: 1)))
    #expect(try draft.reader.value(of: ada, property: dogs.key) == .list([.link(max), .link(rex)]))
  }

  private func outcome(_ draft: Draft) throws {
    let outcome = try draft.perform(.delete([ada]))
    print("deleted \(outcome.deletedCount) objects")
    #expect(outcome.deletedCount == 3 && outcome.created == nil)
  }

  private func draftChangeKind(_ draft: Draft) throws {
    try draft.set(rex, property: age.key, to: .int(4))
    let changed = draft.changes.filter { $0.kind == .changed }
    print(changed.map { draft.reader.describe($0.object) })
    #expect(changed.map(\.object) == [rex])
    let summary = draft.summary
    print(summary.changeCount, summary.kinds.count)
    #expect(summary.changeCount == 1 && summary.kinds == [rex: .changed])
    #expect(summary.hasChanged(age.key, of: rex) && !summary.hasChanged(age.key, of: max))
  }

  private func draftCommit(_ draft: Draft) throws {
    let transaction = try database.beginWrite()
    _ = try draft.commit(in: transaction) { _ in
    } mirroring: { (commit) throws(DatabaseError) in
      for object in try commit.changes().created { print(commit.after.describe(object)) }
    }
  }

  private func draftItemKind(_ draft: Draft) throws {
    try draft.moveElement(from: 0, to: 1, of: ada, property: dogs.key)
    for item in draft.changes.flatMap(\.items) {
      if case .moved(let from, let to) = item.kind { print("moved from \(from) to \(to)") }
    }
    #expect(draft.changes.flatMap(\.items).map(\.kind) == [.moved(from: 0, to: 1)])
  }

  private func conflictKind(_ draft: Draft) throws {
    try draft.set(rex, property: age.key, to: .int(5))
    try database.write { transaction in try transaction.set(rex, property: age.key, to: .int(6)) }
    try draft.refresh()
    #expect(draft.conflicts.map(\.kind) == [.valueChanged])
    for conflict in draft.conflicts where conflict.kind == .valueChanged {
      try draft.resolve(conflict.id, with: .theirs)
    }
    #expect(draft.conflicts.isEmpty && draft.changeCount == 0)
  }

  // MARK: - Journals

  private func listedFile() throws {
    for listed in try DraftJournal.list(in: folder) where listed.file == .gone {
      print("\(listed.databasePath ?? "") was moved or deleted")
    }
    #expect(try DraftJournal.list(in: folder).map(\.file) == [.there])
  }

  private func listedCondition() throws {
    let readable = try DraftJournal.list(in: folder).filter { $0.condition == .readable }
    print(readable.map(\.changeCount))
    #expect(readable.map(\.changeCount) == [1])
  }

  private func recoveredState(_ journal: DraftJournal, _ draft: Draft) throws {
    for kept in journal.findKept() {
      if kept.state == .restorable { try draft.restore(kept.records) }
      kept.release()
    }
    #expect(try draft.reader.value(of: rex, property: name.key) == .string("Rexi"))
  }

  // MARK: - Typed properties

  private func propertyValue(_ snapshot: Snapshot) throws {
    func read<V: PropertyValue>(_ name: String, as type: V.Type) throws -> V {
      let property = try snapshot.schema.property(name, of: "Dog", as: type)
      return try snapshot[rex, property]
    }
    print(try read("name", as: String.self), try read("age", as: Int64.self))
    #expect(try read("name", as: String.self) == "Rex")
    #expect(try read("age", as: Int64.self) == 3)
  }

  private func nullablePropertyValue(_ snapshot: Snapshot) throws {
    func isNull<V: NullablePropertyValue>(_ property: TypedProperty<V?>) throws -> Bool {
      try snapshot[rex, property] == nil
    }
    print(try isNull(snapshot.schema.property("nickname", of: "Dog", as: String?.self)))
    #expect(try isNull(snapshot.schema.property("nickname", of: "Dog", as: String?.self)))
  }

  private func scalarPropertyValue(_ snapshot: Snapshot) throws {
    func set<V: ScalarPropertyValue>(_ property: TypedProperty<V>, to value: V) throws {
      try database.write { transaction in try transaction.set(rex, property: property, to: value) }
    }
    try set(snapshot.schema.property("age", of: "Dog"), to: Int64(4))
    #expect(try database.snapshot().value(of: rex, property: age.key) == .int(4))
  }

  private func elementPropertyValue() {
    func elements<V: ElementPropertyValue>(of value: Value, as type: V.Type) -> [V] {
      V.array(value) ?? []
    }
    print(elements(of: .list([.link(rex)]), as: ObjectIdentity.self).count)
    #expect(elements(of: .list([.link(rex)]), as: ObjectIdentity.self) == [rex])
  }
}
