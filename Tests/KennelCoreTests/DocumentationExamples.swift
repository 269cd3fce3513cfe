import KennelCore
import KennelEncryption
import KennelTestSupport
import Testing

/// Each function is the example of a doc comment, line by line; a tidy test compares them.
@Suite struct `The examples of KennelCore` {
  private let temporary: TemporaryDatabase
  private let dog: ClassSchema
  private let name: PropertySchema
  private let age: PropertySchema
  private let dogs: PropertySchema
  private let rex: ObjectIdentity
  private let ada: ObjectIdentity
  private var database: Database { temporary.database }
  private var folder: String { temporary.folder.file("drafts") }

  init() throws {
    temporary = try TemporaryDatabase()
    (dog, dogs, rex, ada) = try temporary.database.write { transaction in
      try transaction.define([
        ClassDefinition(
          "Dog",
          properties: [PropertyDefinition("name", .string), PropertyDefinition("age", .int)]
        ),
        ClassDefinition(
          "Person",
          properties: [
            PropertyDefinition("name", .string, isPrimaryKey: true),
            PropertyDefinition("dogs", .list(.link("Dog"))),
          ]
        ),
      ])
      let dog = try transaction.schema.require("Dog")
      let person = try transaction.schema.require("Person")
      let dogs = try person.require("dogs")
      let rex = try transaction.create(dog.key, [dog.require("name").key: .string("Rex")])
      let ada = try transaction.create(person.key, [person.require("name").key: .string("Ada")])
      try transaction.set(ada, property: dogs.key, to: .list([.link(rex)]))
      return (dog, dogs, rex, ada)
    }
    name = try dog.require("name")
    age = try dog.require("age")
  }

  @Test func `of databases and snapshots run`() throws {
    try openDatabase(temporary.folder.file("pets.kennel"))
    try openInMemory()
    try encryption(
      temporary.folder.file("secret.kennel"),
      backup: temporary.folder.file("backup.kennel")
    )
    try configuration(temporary.path)
    try snapshot()
    try reader()
    try changeSet()
    try observation()
    let snapshot = try database.snapshot()
    try blastRadius(snapshot)
    try slot(snapshot)
    try backlinkGroup(snapshot)
    try preview(snapshot)
    try property(snapshot, ada)
    temporary.finish()
  }

  @Test func `of queries run`() throws {
    let snapshot = try database.snapshot()
    try objects(snapshot)
    try predicate(snapshot)
    predicateError(snapshot)
    try sortKey(snapshot)
    try queryProgress(snapshot)
    try valuePath(snapshot)
    try linkEdge(snapshot)
    objectSet()
  }

  @Test func `of write transactions run`() throws {
    try databaseError()
    try classDefinition()
    schemaForm()
    try writeTransaction()
    try newObject()
    try database.write { transaction in
      try propertyDefinition(transaction)
      try backlinkDefinition(transaction)
      try require(transaction)
      try migrationStep(transaction)
    }
    temporary.finish()
  }

  @Test func `of drafts run`() throws {
    try draft()
    let draft = try database.makeDraft()
    try database.write { transaction in try editing(transaction, draft) }
    try operation(draft)
    try draftChange(draft)
    let journal = DraftJournal(for: database, in: folder)
    try draftRecord(draft, journal)
    try listedDraft()
    journal.close()
    recoveredDraft(DraftJournal(for: database, in: folder))
    let newest = try database.snapshot()
    try takingBack(try database.makeDraft(), newest, newest)
    draftNames(UUIDValue(high: 1, low: 2)) {
      "\($0.key)"
    } find: { _ in
      nil
    }
    try draftJournal(try database.makeDraft())
    try draft.refresh()
    conflict(draft)
    try resolution(draft)
    try draftCopy(draft, to: temporary.folder.file("copy.kennel"))
    try draftItem(draft)
    try commitOutcome(draft)
    temporary.finish()
  }

  // MARK: - Databases and snapshots

  private func openDatabase(_ path: String) throws {
    let database = try Database.open(path)
    try database.write { transaction in
      try transaction.define([
        ClassDefinition("Dog", properties: [PropertyDefinition("name", .string)])
      ])
      let dog = try transaction.schema.require("Dog")
      try transaction.create(dog.key, [dog.require("name").key: .string("Rex")])
    }
  }

  private func newObject() throws {
    var new = NewObject()
    new.set(name.key, to: .string("Rex"))
    let rex = try database.write { transaction in
      try transaction.create(new, of: dog.key, in: transaction)
    }
    print(rex)
  }

  private func openInMemory() throws {
    let database = try Database.openInMemory()
    print(try database.snapshot().schema.classes.isEmpty)
  }

  private func configuration(_ path: String) throws {
    let database = try Database.open(path, configuration: .init(createsIfMissing: false))
    print(database.canWrite)
  }

  private func snapshot() throws {
    let snapshot = try database.snapshot()
    print(snapshot.count(of: dog.key), try snapshot.value(of: rex, property: name.key))
  }

  private func reader() throws {
    func firstName(in reader: DatabaseReader) throws -> Value? {
      let first = try reader.objects(of: dog.key, limit: 1).first
      return try first.map { try reader.value(of: $0, property: name.key) }
    }
    print(try firstName(in: database.snapshot()) ?? .null)
    try database.write { transaction in print(try firstName(in: transaction) ?? .null) }
  }

  private func changeSet() throws {
    let before = try database.snapshot()
    try database.write { transaction in try transaction.set(rex, property: age.key, to: .int(4)) }
    let changes = try database.changes(from: before, to: database.snapshot())
    for change in changes.changed { print(change.object, change.properties.count) }
  }

  private func observation() throws {
    let observation = try database.observe { result in
      if case .success(let changes) = result { print(changes.created.count) }
    }
    observation.stop()
  }

  private func blastRadius(_ snapshot: Snapshot) throws {
    let radius = try snapshot.blastRadius(deleting: [ada])
    for deletion in radius.deletions { print(snapshot.describe(deletion.object)) }
  }

  private func slot(_ snapshot: Snapshot) throws {
    let first = Slot(ada, dogs.key, .index(0))
    if let target = try snapshot.target(of: first) { print(snapshot.describe(target)) }
  }

  private func backlinkGroup(_ snapshot: Snapshot) throws {
    for group in try snapshot.backlinks(to: rex) {
      print(snapshot.schema[group.origin]?.name ?? "", group.count)
    }
  }

  private func preview(_ snapshot: Snapshot) throws {
    let preview = try snapshot.preview(of: ada, property: dogs.key, limit: 10)
    print(preview.isCut ? "\(preview.count) dogs" : "\(preview.value)")
  }

  private func property(_ snapshot: Snapshot, _ person: ObjectIdentity) throws {
    let age = try snapshot.schema.property("age", of: "Dog", as: Int64.self)
    let dogs = try snapshot.schema.property("dogs", of: "Person", as: [ObjectIdentity].self)
    var sum: Int64 = 0
    try snapshot.forEachTarget(of: person, property: dogs) { dog in sum += try snapshot[dog, age] }
    print(sum)
  }

  // MARK: - Queries

  private func objects(_ snapshot: Snapshot) throws {
    let dogs = try snapshot.objects(of: dog.key)
    for dog in dogs { print(try snapshot.displayName(of: dog)) }
  }

  private func predicate(_ snapshot: Snapshot) throws {
    let predicate = try Predicate.parse("age > 3", for: dog.key, in: snapshot.schema)
    for object in try snapshot.objects(of: dog.key, where: predicate) {
      print(snapshot.describe(object))
    }
  }

  private func assignment(_ snapshot: Snapshot) throws {
    let text = "age = age + 1 where breed == 'Beagle'"
    let assignment = try Assignment.parse(text, for: dog.key, in: snapshot.schema)
    for object in try snapshot.objects(of: dog.key, where: assignment.predicate) {
      print(try snapshot.value(of: assignment, for: object))
    }
  }

  private func assignmentFunction(_ snapshot: Snapshot) throws {
    let text = "name = replace(trim(name), 'Mr ', '')"
    print(try Assignment.parse(text, for: dog.key, in: snapshot.schema).property)
  }

  private func predicateError(_ snapshot: Snapshot) {
    do throws(PredicateError) {
      _ = try Predicate.parse("aeg > 3", for: dog.key, in: snapshot.schema)
    } catch {
      print(error.column, error.message, error.suggestion ?? "")
    }
  }

  private func predicatePieces() {
    for piece in Predicate.pieces(of: "age > 3 AND name") { print(piece.kind, piece.range) }
  }

  private func sortKey(_ snapshot: Snapshot) throws {
    let sort = try SortKey.parse("age DESC, name", for: dog.key, in: snapshot.schema)
    for object in try snapshot.objects(of: dog.key, sort: sort) { print(snapshot.describe(object)) }
  }

  private func valuePath(_ snapshot: Snapshot) throws {
    let owners = try ValuePath("@links.@count", of: dog.key, in: snapshot.schema)
    print(try snapshot.value(of: rex, at: owners))
  }

  private func linkEdge(_ snapshot: Snapshot) throws {
    let edges = try LinkEdge.parse("dogs", in: snapshot.schema)
    let objects = try snapshot.closure(of: [ada], along: Set(edges), depth: 2)
    print(objects.count)
  }

  private func objectSet() {
    var seen = ObjectSet()
    if seen.insert(rex) { print(seen.count, seen.objects(of: dog.key).count) }
  }

  private func queryProgress(_ snapshot: Snapshot) throws {
    let progress = QueryProgress(isCancelled: { Task.isCancelled }, report: { print($0) })
    print(try snapshot.objects(of: dog.key, progress: progress).count)
  }

  // MARK: - Write transactions

  private func databaseError() throws {
    do {
      try database.write { transaction in try transaction.set(rex, property: age.key, to: .int(4)) }
    } catch let error as DatabaseError where error.code == .diskFull {
      print(error.message)
    }
  }

  private func classDefinition() throws {
    let dog = ClassDefinition("Dog", properties: [PropertyDefinition("name", .string)])
    try database.write { transaction in try transaction.define([dog]) }
  }

  private func writeTransaction() throws {
    let transaction = try database.beginWrite()
    try transaction.set(rex, property: age.key, to: .int(6))
    try transaction.commit()
  }

  private func propertyDefinition(_ transaction: WriteTransaction) throws {
    let name = PropertyDefinition("name", .string, isPrimaryKey: true)
    let dogs = PropertyDefinition("dogs", .list(.link("Dog")), deleteRule: .cascade)
    try transaction.define([ClassDefinition("Owner", properties: [name, dogs])])
  }

  private func schemaForm() {
    let id = PropertyDefinition("_id", .objectId, schemaForm: [.required, .short])
    print(id.schemaForm ?? [])
  }

  private func backlinkDefinition(_ transaction: WriteTransaction) throws {
    let owners = BacklinkDefinition("owners", origin: "Person", property: "dogs")
    try transaction.define([ClassDefinition("Dog", backlinks: [owners])])
  }

  private func require(_ transaction: WriteTransaction) throws {
    let dog = try transaction.schema.require("Dog")
    let rex = try transaction.create(dog.key, [dog.require("name").key: .string("Rex")])
    print(transaction.describe(rex))
  }

  private func migrationStep(_ transaction: WriteTransaction) throws {
    let dog = ClassDefinition("Dog", properties: [PropertyDefinition("nickname", .string)])
    let rename = MigrationStep.renameProperty(className: "Dog", from: "name", to: "nickname")
    try transaction.define([dog], migration: [rename])
  }

  // MARK: - Drafts

  private func editing(_ transaction: WriteTransaction, _ draft: Draft) throws {
    func rename(_ object: ObjectIdentity, in editing: some Editing) throws {
      try editing.set(object, property: name.key, to: .string("Max"))
    }
    try rename(rex, in: transaction)
    try rename(rex, in: draft)
  }

  private func operation(_ draft: Draft) throws {
    try draft.perform(.change(Slot(rex, name.key), .set(.string("Max"))))
  }

  private func draft() throws {
    let draft = try database.makeDraft()
    try draft.set(rex, property: name.key, to: .string("Max"))
    try draft.undo()
    try draft.set(rex, property: age.key, to: .int(5))
    print(draft.changeCount, try draft.commit())
  }

  private func draftChange(_ draft: Draft) throws {
    for change in draft.changes {
      print(draft.reader.describe(change.object), change.kind, change.items.count)
    }
  }

  private func draftItem(_ draft: Draft) throws {
    for item in draft.changes.flatMap(\.items) where item.isConflicting {
      print(item.old ?? "absent", item.new ?? "absent")
      try draft.drop([item.id])
    }
  }

  private func draftRecord(_ draft: Draft, _ journal: DraftJournal) throws {
    try journal.keep(draft.records, number: 1)
  }

  private func takingBack(_ draft: Draft, _ before: Snapshot, _ after: Snapshot) throws {
    let records = try database.recordsTakingBack(from: before, to: after)
    try draft.restore(records)
  }

  private func draftNames(
    _ id: UUIDValue,
    name: @escaping @Sendable (ObjectIdentity) -> String?,
    find: @escaping @Sendable (String) -> ObjectIdentity?
  ) {
    let names = DraftNames(path: "postgres://db.example.com/shop", id: id, name: name, find: find)
    let journal = DraftJournal(for: database, in: folder, named: names)
    print(journal.folder)
  }

  private func draftJournal(_ draft: Draft) throws {
    let journal = DraftJournal(for: database, in: folder)
    for kept in journal.findKept() where kept.state == .restorable {
      try draft.restore(kept.records)
      journal.adopt(kept)
      break
    }
  }

  private func listedDraft() throws {
    for listed in try DraftJournal.list(in: folder) where !listed.isInUse {
      print(listed.id, listed.changeCount)
    }
  }

  private func recoveredDraft(_ journal: DraftJournal) {
    for kept in journal.findKept() {
      print(kept.state, kept.records.count)
      kept.release()
    }
  }

  private func conflict(_ draft: Draft) {
    for conflict in draft.conflicts {
      let values = [conflict.base, conflict.mine, conflict.theirs]
      print(conflict.message, values.map { $0.map(ValueText.describe) ?? "nothing" })
    }
  }

  private func resolution(_ draft: Draft) throws {
    for conflict in draft.conflicts {
      try draft.resolve(conflict.id, with: conflict.canKeepMine ? .mine : .theirs)
    }
  }

  private func commitOutcome(_ draft: Draft) throws {
    switch try draft.commit() {
    case .committed(let number, _): print("commit \(number)")
    case .conflicts(let conflicts): print("\(conflicts.count) conflicts")
    case .deletionsGrew(let radius): print("deletes \(radius.deletionCount) objects")
    case .nothingIncluded: print("every change was left out")
    }
  }

  private func draftCopy(_ draft: Draft, to path: String) throws {
    try draft.copy.write(to: path)
  }

  private func encryption(_ path: String, backup: String) throws {
    let old = try encryptedDatabase(path)
    let new = try Database.Key(bytes: Array(repeating: 1, count: 32))
    let database = try Database.open(path, configuration: .init(key: old))
    try database.addKey(new, beside: old)
    try database.removeKey(old)
    let key = new
    try database.writeCopy(to: backup, encryption: .key(key))
  }

  private func encryptedDatabase(_ path: String) throws -> Database.Key {
    let key = try Database.Key(passphrase: "correct horse battery staple")
    let database = try Database.open(path, configuration: .init(key: key))
    #expect(database.isEncrypted)
    return key
  }
}
