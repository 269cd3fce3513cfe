import Foundation
import KennelCore
import KennelTestSupport
import Testing

/// Random changes of the schema and of objects, in a draft and in write transactions, beside a twin.
@Suite struct `Random changes of the schema` {
  private static let seeds = ProcessInfo.processInfo.environment["KENNEL_LONG"] == "1" ? 400 : 25

  @Test(arguments: 0..<seeds) func `agree with a twin, undone and committed`(_ seed: Int) throws {
    try withTemporaryDatabase { database in
      var run = try SchemaRun(database, seed: UInt64(seed))
      for _ in 0..<70 { try run.step() }
      try run.commit()
    }
  }
}

/// A draft and its twin.
private struct SchemaRun {
  private let database: Database
  private var draft: Draft
  private var random: SplitMix64
  private var twin = SchemaTwin()
  private var undone: [SchemaTwin] = []
  private var former: [SchemaTwin] = []
  private var log: [String] = []

  private static let classNames = ["A", "B", "C", "D"]
  private static let names = ["p", "q", "r", "s", "t"]

  init(_ database: Database, seed: UInt64) throws {
    self.database = database
    draft = try database.makeDraft()
    random = SplitMix64(seed: seed)
  }

  private var types: [PropertyType] {
    let link = PropertyType.link(firstName)
    return [
      .int, .int.optional, .string, .string.optional, .double.optional, .bool, .list(.int),
      .list(.string), link, .list(link),
    ]
  }

  private var firstName: String { twin.tables.first?.name ?? "A" }

  mutating func step() throws {
    switch random.below(20) {
    case 0..<7: try changeSchema()
    case 7..<13: try changeObject()
    case 13..<15: try undo()
    case 15..<16: try redo()
    case 16..<17: try restore()
    case 17..<18: try commit()
    case 18..<19: try changeElsewhere()
    default: try compare(draft.reader.copy(), "in a copy")
    }
    try compare(draft.reader, "in the draft")
  }

  private mutating func change() -> SchemaChange {
    // Mostly of what is there.
    let known = twin.tables.randomElement(using: &random)
    let className = random.once(in: 6) ? random.pick(Self.classNames) : known?.name ?? "A"
    let other = random.pick(Self.names)
    let property = known?.properties.randomElement(using: &random)?.name
    let name = random.once(in: 6) ? other : property ?? other
    let definition = PropertyDefinition(other, random.pick(types), isIndexed: false)
    switch random.below(16) {
    case 0..<2: return .addClass(className, isEmbedded: false)
    case 2: return .renameClass(className, to: random.pick(Self.classNames))
    case 3: return .deleteClass(className)
    case 4..<8: return .addProperty(definition, of: className)
    case 8: return .renameProperty(name, of: className, to: other)
    case 9: return .deleteProperty(name, of: className)
    case 10..<12: return .setIndexed(random.once(in: 2), name, of: className)
    default:
      return .retypeProperty(
        name,
        of: className,
        to: random.pick(types),
        clearing: random.once(in: 2)
      )
    }
  }

  private mutating func changeSchema() throws {
    let change = change()
    var next = twin
    let isPossible = next.perform(change)
    log.append("\(change)\(isPossible ? "" : " (refused)")")
    do {
      try draft.changeSchema(change)
      #expect(isPossible, "\(change) was not refused: \(log)")
    } catch {
      #expect(!isPossible, "\(error.message): \(log)")
    }
    if isPossible, next != twin { note(next) }
  }

  private mutating func note(_ next: SchemaTwin) {
    former.append(twin)
    twin = next
    undone = []
  }

  private mutating func value(_ type: PropertyType) -> Value {
    if type.collection == .list {
      return .list((0..<random.below(3)).map { _ in value(type.element) }.filter { !$0.isNull })
    }
    if type.isOptional, random.once(in: 4) { return .null }
    switch type.kind {
    case .int: return .int(Int64(random.below(4)))
    case .double: return .double(Double(random.below(6)) / 2)
    case .bool: return .bool(random.once(in: 2))
    case .string: return .string(random.pick(["", "1", "2.5", "true", "abc", " 7"]))
    default:
      guard let table = type.target.flatMap(twin.index).map({ twin.tables[$0] }),
        let key = table.objects.keys.sorted().first,
        let classKey = draft.reader.schema[table.name]?.key
      else { return .null }
      return .link(ObjectIdentity(classKey, key))
    }
  }

  private mutating func changeObject() throws {
    guard !twin.tables.isEmpty else { return }
    var next = twin
    let place = random.below(twin.tables.count)
    let table = twin.tables[place]
    let schema = try draft.reader.schema.require(table.name)
    let values = table.properties.map { value($0.type) }
    let key = table.objects.keys.sorted().randomElement(using: &random)
    if let key, random.once(in: 2) {
      let object = ObjectIdentity(schema.key, key)
      if random.once(in: 4) {
        log.append("delete \(table.name)/\(key.rawValue)")
        try draft.delete([object])
        next.remove(object, at: place)
      } else if let property = table.properties.indices.randomElement(using: &random) {
        log.append("set \(table.name)/\(key.rawValue).\(table.properties[property].name)")
        let count = draft.operationCount
        let property = (key: schema.properties[property].key, place: property)
        try draft.set(object, property: property.key, to: values[property.place])
        if draft.operationCount == count { return }
        next.tables[place].objects[key]?[property.place] = values[property.place]
      } else {
        return
      }
    } else {
      log.append("create \(table.name)")
      let pairs = zip(schema.properties.map(\.key), values)
      let made = try draft.create(schema.key, Dictionary(uniqueKeysWithValues: pairs))
      next.tables[place].objects[made.key] = values
    }
    note(next)
  }

  private mutating func undo() throws {
    // What was done before the numbers of classes changed has no twin.
    guard let last = former.popLast() else { return }
    log.append("undo")
    #expect(try draft.undo() != nil, "\(log)")
    undone.append(twin)
    twin = last
  }

  private mutating func redo() throws {
    guard let next = undone.popLast() else { return }
    log.append("redo")
    #expect(try draft.redo() != nil, "\(log)")
    former.append(twin)
    twin = next
  }

  /// As in another process, from a journal.
  private mutating func restore() throws {
    log.append("restore")
    let folder = try TemporaryFolder()
    let journal = DraftJournal(for: database, in: folder.path + "/drafts")
    try journal.keep(draft.records, number: 1)
    journal.close()
    let found = journal.findKept().first
    let restored = try database.makeDraft()
    try restored.restore(found?.records ?? [])
    found?.release()
    #expect(restored.conflicts.isEmpty, "\(log)")
    #expect(restored.schemaChanges == draft.schemaChanges, "\(log)")
    draft = restored
    undone = []
  }

  /// Another program adds a class and properties, whose numbers the draft may have given, too.
  private mutating func changeElsewhere() throws {
    log.append("another program changes the schema")
    let number = twin.tables.count + log.count
    try database.write { transaction in
      try transaction.changeSchema(.addClass("X\(number)", isEmbedded: false))
      for found in transaction.schema.classes where found.name.hasPrefix("X") {
        let definition = PropertyDefinition("x\(number)", .int)
        try transaction.changeSchema(.addProperty(definition, of: found.name))
      }
      for found in transaction.schema.classes where !found.name.hasPrefix("X") {
        let definition = PropertyDefinition("x\(number)", .int)
        try transaction.changeSchema(.addProperty(definition, of: found.name))
        try transaction.changeSchema(.deleteProperty("x\(number)", of: found.name))
      }
    }
    _ = try draft.refresh()
    #expect(draft.conflicts.isEmpty, "\(draft.conflicts.map(\.message)) \(log)")
    // Objects of a class that got another number are others.
    try read()
    undone = []
    former = []
    let restored = try database.makeDraft()
    try restored.restore(draft.records)
    draft = restored
  }

  /// Takes what is shown for right, but for what changed by the numbers of classes.
  private mutating func read() throws {
    var shown = try SchemaTwin(draft.reader)
    shown.tables.removeAll { $0.name.hasPrefix("X") }
    let plain = { (twin: SchemaTwin) in
      twin.tables.map { table in
        "\(table.name) \(table.properties) \(table.objects.count)"
      }
      .sorted()
    }
    #expect(plain(shown) == plain(twin), "\(log)")
    twin = shown
  }

  mutating func commit() throws {
    log.append("commit")
    let outcome = try draft.commit(confirming: draft.deletionPlan)
    guard case .committed(_, let identities) = outcome else {
      Issue.record("\(outcome) \(log)")
      return
    }
    twin = twin.mapped(identities, draft.reader.schema)
    former = []
    undone = []
    try compare(try database.snapshot(), "after the commit")
    for finding in try database.check() { Issue.record("\(finding) \(log)") }
  }

  private func compare(_ reader: DatabaseReader, _ when: String) throws {
    var shown = try SchemaTwin(reader)
    shown.tables.removeAll { $0.name.hasPrefix("X") }
    let sorted = { (twin: SchemaTwin) in twin.tables.sorted { $0.name < $1.name } }
    #expect(sorted(shown) == sorted(twin), "\(when): \(log)")
    for (link, count) in twin.linkCounts(reader) {
      #expect(try Self.linkCounts(reader)[link] == count, "\(link) \(when): \(log)")
    }
    #expect(try Self.linkCounts(reader).count == twin.linkCounts(reader).count, "\(when): \(log)")
    try compareIndexes(reader, when)
  }

  /// The links that the targets know.
  private static func linkCounts(_ reader: DatabaseReader) throws -> [String: Int] {
    var counts: [String: Int] = [:]
    for found in reader.schema.classes {
      for object in try reader.objects(of: found.key) {
        for group in try reader.backlinks(to: object) {
          let origin = try #require(reader.schema[group.origin])
          let name = try #require(origin[group.property]).name
          counts["\(origin.name).\(name) → \(object)"] = group.count
        }
      }
    }
    return counts
  }

  /// What an index finds is what is there.
  private func compareIndexes(_ reader: DatabaseReader, _ when: String) throws {
    for table in twin.tables {
      let classKey = try reader.schema.require(table.name).key
      for (place, property) in table.properties.enumerated() where property.isIndexed {
        for value in Set(table.objects.values.map { $0[place] }) where !value.isNull {
          let isEqual = Predicate.Comparison(.path(.init(property.name)), .equal, .literal(value))
          let count = try reader.count(of: classKey, where: .comparison(isEqual))
          let expected = table.objects.values.count { $0[place] == value }
          #expect(count == expected, "\(isEqual) \(when): \(log)")
        }
      }
    }
  }
}

extension SchemaTwin {
  /// Deletes an object with the links to it.
  fileprivate mutating func remove(_ object: ObjectIdentity, at place: Int) {
    tables[place].objects[object.key] = nil
    for table in tables.indices {
      for (key, values) in tables[table].objects {
        tables[table].objects[key] = values.map { value in
          if value == .link(object) { return .null }
          guard case .list(let elements) = value else { return value }
          return .list(elements.filter { $0 != .link(object) })
        }
      }
    }
  }

  /// The same with the keys that a commit gave.
  fileprivate func mapped(
    _ keys: [ObjectIdentity: ObjectIdentity],
    _ schema: Schema
  ) -> SchemaTwin {
    var twin = self
    for place in tables.indices {
      guard let classKey = schema[tables[place].name]?.key else { continue }
      var objects: [ObjectKey: [Value]] = [:]
      for (key, values) in tables[place].objects {
        let identity = ObjectIdentity(classKey, key)
        objects[(keys[identity] ?? identity).key] = values.map { value in
          switch value {
          case .link(let target): return .link(keys[target] ?? target)
          case .list(let elements):
            return .list(
              elements.map { element in
                if case .link(let target) = element { return .link(keys[target] ?? target) }
                return element
              }
            )
          default: return value
          }
        }
      }
      twin.tables[place].objects = objects
    }
    return twin
  }
}
