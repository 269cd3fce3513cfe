import KennelConversion
import KennelCore
import KennelRealmFile
import KennelTestSupport
import Testing

@Suite struct `A database made of a Realm file` {
  private let files: RecordedFiles

  init() throws {
    files = try RecordedFiles()
  }

  private func convert(
    _ bytes: [UInt8],
    _ body: (RealmFile, Snapshot) throws -> Void
  ) throws {
    let file = try RealmFile(path: files.write(bytes))
    try withTemporaryDatabase { database in
      try database.write { _ = try RealmImporter(file).run(in: $0) }
      try body(file, try database.snapshot())
    }
  }

  @Test func `has every object, bit and backlink that Realm reads`() throws {
    let tables = RecordedFiles.dump["tables"].array
    try convert(RecordedFiles.sample) { file, snapshot in
      let expected = tables.map { ExpectedClass(json: $0, classes: file.classes) }
      var comparison = try Comparison(file, expected, snapshot)
      try comparison.matchEmbedded()
      try comparison.compareObjects()
      #expect(comparison.differences == [])
      #expect(comparison.objectCount == 1_045)
      #expect(comparison.backlinkCount == 2_684)
    }
  }

  @Test func `has the classes with their types, keys and indexes`() throws {
    try convert(RecordedFiles.sample) { file, snapshot in
      let schema = snapshot.schema
      #expect(schema.classes.map(\.name) == file.classes.compactMap(\.className))
      let person = try schema.require("Person")
      #expect(try person.require("id").isPrimaryKey)
      #expect(try person.require("dogs").type == .list(.link("Dog")))
      #expect(try person.require("friends").type == .set(.link("Person")))
      #expect(try person.require("dogByRole").type == .map(.link("Dog")))
      #expect(try person.require("birthdate").type == .date.optional)
      #expect(try person.require("nicknames").type == .list(.string.optional))
      #expect(try person.require("extra").type == .mixed)
      #expect(try schema.require("Dog").require("name").isIndexed)
      #expect(try schema.require("Address").isEmbedded)
      #expect(schema.version == 0)
    }
  }

  @Test func `tells what it leaves out`() throws {
    let file = try RealmFile(path: files.write(RecordedFiles.sample))
    let losses = RealmImporter(file).losses
    #expect(losses.kinds == [.fullTextIndexes])
    #expect(losses.count(of: .fullTextIndexes) == 1)
    #expect(losses.sentence == "indexes of words (Strings.fulltext)")
  }

  @Test func `has classes whose tables have no prefix, and none of Realm's own`() throws {
    // Dog is made a table without a prefix, and Geo one that is called as the class Person is.
    var realm = EditedRealm()
    realm.rename("class_Dog", to: "Dog")
    realm.rename("class_Geo", to: "Person")
    realm.rename("class_Widths", to: "metadata")
    realm.rename("class_StringPk", to: "flx_metadata")
    try convert(realm.bytes) { file, snapshot in
      let classes = snapshot.schema.classes
      let count = try #require(file.classes.first { $0.name == "Dog" }).count
      #expect(try snapshot.count(of: snapshot.schema.require("Dog").key) == count && count > 0)
      #expect(try snapshot.schema.require("Person").require("dogs").type == .list(.link("Dog")))
      #expect(try snapshot.schema.require("metadata").require("w64").type.kind == .int)
      #expect(classes.contains { $0.name == "Person_" })
      #expect(!classes.contains { $0.name == "flx_metadata" })
      #expect(snapshot.schema.version == 0)
      let losses = RealmImporter(file).losses
      #expect(losses.examples(of: .names) == ["Person becomes Person_"])
    }
  }

  @Test func `is made in an empty database only`() throws {
    let file = try RealmFile(path: files.write(RecordedFiles.sample))
    try withTemporaryDatabase { database in
      try database.write { try $0.define([ClassDefinition("Cat")]) }
      #expect(throws: DatabaseError.self) {
        try database.write { _ = try RealmImporter(file).run(in: $0) }
      }
      #expect(try database.snapshot().schema.classes.map(\.name) == ["Cat"])
    }
  }

  @Test func `is not made when its making is stopped`() throws {
    struct Stop: Error {}
    let file = try RealmFile(path: files.write(RecordedFiles.sample))
    try withTemporaryDatabase { database in
      var last = 0.0
      #expect(throws: Stop.self) {
        try database.write { transaction in
          _ = try RealmImporter(file).run(in: transaction) { part in
            #expect(part >= last)
            last = part
            if part > 0.5 { throw Stop() }
          }
        }
      }
      let classes = try database.snapshot().schema.classes
      #expect(classes.isEmpty)
    }
  }

  @Test func `numbers the objects of a class whose keys are far apart`() throws {
    var edited = EditedRealm()
    // The objects of Person, in one cluster, get keys as a server gives them.
    let keys = edited.append((1...7).map { $0 << 40 })
    let leaf = edited.clusters("class_Person")
    edited.setElement(0, of: leaf, to: keys)
    // The backlinks to persons and the set of friends name the old keys; only what is read counts.
    let file = try RealmFile(path: files.write(edited.bytes))
    let person = try #require(file.classes.first { $0.className == "Person" })
    var found: [Int64] = []
    try file.forEachCluster(of: person) { found += $0.keys }
    #expect(found == (1...7).map { Int64($0) << 40 })
    try withTemporaryDatabase { database in
      // Persons link to each other by the old keys, which lead nowhere now.
      let error = #expect(throws: RealmImportError.self) {
        try database.write { _ = try RealmImporter(file).run(in: $0) }
      }
      #expect(error?.message.hasPrefix("Person.friends: A link leads to Person/") == true)
    }
  }
}

/// What the dump of a Realm file says, beside what a database holds.
private struct Comparison {
  private let file: RealmFile
  private let expected: [ExpectedClass]
  private let snapshot: Snapshot
  private var objects: [Int: [Int64: RecordedObject]] = [:]
  private var classes: [Int: ClassSchema] = [:]
  private var tables: [ClassKey: Int] = [:]
  private var embeddedTables: Set<Int> = []
  /// The keys in the file of the embedded objects in the database.
  private var embedded: [ObjectIdentity: Int64] = [:]
  private(set) var differences: [String] = []
  private(set) var objectCount = 0
  private(set) var backlinkCount = 0

  init(_ file: RealmFile, _ expected: [ExpectedClass], _ snapshot: Snapshot) throws {
    self.file = file
    self.expected = expected
    self.snapshot = snapshot
    for (realm, expected) in zip(file.classes, expected) {
      guard let name = realm.className else { continue }
      let schema = try snapshot.schema.require(name)
      classes[realm.tableKey] = schema
      tables[schema.key] = realm.tableKey
      if realm.kind == .embedded { embeddedTables.insert(realm.tableKey) }
      let pairs = expected.objects.map { ($0.key, $0) }
      objects[realm.tableKey] = Dictionary(pairs) { first, _ in first }
    }
  }

  private func identity(_ table: Int, _ key: Int64) -> ObjectIdentity? {
    if embeddedTables.contains(table) {
      return embedded.first { $0.value == key && tables[$0.key.classKey] == table }?.key
    }
    return classes[table].map { ObjectIdentity($0.key, ObjectKey(rawValue: UInt64(key + 1))) }
  }

  /// Finds the embedded objects by their owners.
  mutating func matchEmbedded() throws {
    for (table, objects) in objects where !embeddedTables.contains(table) {
      for (key, object) in objects {
        guard let identity = identity(table, key) else { continue }
        try match(object, identity)
      }
    }
  }

  private mutating func match(_ object: RecordedObject, _ identity: ObjectIdentity) throws {
    guard let schema = snapshot.schema[identity.classKey] else { return }
    for property in schema.properties where property.isEmbedded {
      guard let expected = object.values[property.name] else { continue }
      let found = try snapshot.value(of: identity, property: property.key)
      for (link, target) in zip(links(expected), targets(found)) {
        embedded[target] = link.key
        if let inner = objects[link.table]?[link.key] { try match(inner, target) }
      }
    }
  }

  private func links(_ value: RealmValue) -> [(table: Int, key: Int64)] {
    switch value {
    case .link(let table, let key): [(table, key)]
    case .list(let elements), .set(let elements): elements.flatMap(links)
    case .dictionary(let entries):
      entries.sorted { $0.key.hasBytes(before: $1.key) }.flatMap { links($0.value) }
    case .null, .int, .bool, .string, .data, .timestamp, .float, .double, .decimal, .objectId,
      .uuid:
      []
    }
  }

  private func targets(_ value: Value) -> [ObjectIdentity] {
    switch value {
    case .link(let target): [target]
    case .list(let elements), .set(let elements): elements.flatMap(targets)
    case .map(let entries): entries.flatMap { targets($0.value) }
    case .null, .bool, .int, .float, .double, .string, .data, .date, .objectId, .uuid, .decimal128:
      []
    }
  }

  mutating func compareObjects() throws {
    for (table, objects) in objects {
      guard let schema = classes[table] else { continue }
      if snapshot.count(of: schema.key) != objects.count {
        differences.append("\(schema.name): \(snapshot.count(of: schema.key)) objects")
      }
      for (key, object) in objects {
        guard let identity = identity(table, key) else {
          differences.append("\(schema.name)/\(key): is not there")
          continue
        }
        objectCount += 1
        for property in schema.properties {
          let found = try snapshot.value(of: identity, property: property.key)
          let value = object.values[property.name] ?? .null
          if !isEqual(value, realm(found)) {
            differences.append("\(schema.name)/\(key).\(property.name): \(found), not \(value)")
          }
        }
        try compareBacklinks(object, identity)
      }
    }
  }

  private mutating func compareBacklinks(
    _ object: RecordedObject,
    _ identity: ObjectIdentity
  ) throws {
    var found: [String: [Int64]] = [:]
    func note(_ origin: ClassKey, _ property: PropertyKey, _ source: ObjectKey) {
      let schema = snapshot.schema[origin]
      let name = "class_\(schema?.name ?? "").\(schema?[property]?.name ?? "")"
      let link = realm(.link(ObjectIdentity(origin, source)))
      if case .link(_, let key) = link { found[name, default: []].append(key) }
    }
    for group in try snapshot.backlinks(to: identity) {
      let sources = try snapshot.origins(of: group, to: identity, in: 0..<group.count).keys
      for source in sources { note(group.origin, group.property, source) }
    }
    if let owner = try snapshot.owner(of: identity) {
      note(owner.object.classKey, owner.property, owner.object.key)
    }
    backlinkCount += object.backlinks.values.reduce(0) { $0 + $1.count }
    let expected = object.backlinks.mapValues { $0.sorted() }
    if found.mapValues({ $0.sorted() }) != expected {
      differences.append("backlinks of \(identity): \(found), not \(expected)")
    }
  }

  /// The members of sets and the entries of dictionaries have no order.
  private func isEqual(_ left: RealmValue, _ right: RealmValue) -> Bool {
    switch (left, right) {
    case (.set(let left), .set(let right)):
      left.count == right.count && left.allSatisfy { right.contains($0) }
    case (.dictionary(let left), .dictionary(let right)):
      left.count == right.count
        && left.allSatisfy { entry in
          right.contains { $0.key == entry.key && isEqual($0.value, entry.value) }
        }
    case (.list(let left), .list(let right)):
      left.count == right.count && zip(left, right).allSatisfy { isEqual($0, $1) }
    default: left == right
    }
  }

  /// The value of the file that one of the database stands for.
  private func realm(_ value: Value) -> RealmValue {
    switch value {
    case .null: return .null
    case .bool(let truth): return .bool(truth)
    case .int(let number): return .int(number)
    case .float(let number): return .float(bits: number.bitPattern)
    case .double(let number): return .double(bits: number.bitPattern)
    case .string(let text): return .string(text)
    case .data(let bytes): return .data(bytes)
    case .date(let date):
      let isBefore = date.seconds < 0 && date.nanoseconds > 0
      return .timestamp(
        seconds: date.seconds + (isBefore ? 1 : 0),
        nanoseconds: Int32(date.nanoseconds) - (isBefore ? 1_000_000_000 : 0)
      )
    case .objectId(let id): return .objectId(high: id.high, low: id.low)
    case .uuid(let id): return .uuid(high: id.high, low: id.low)
    case .decimal128(let number): return .decimal(high: number.high, low: number.low)
    case .link(let target):
      let table = tables[target.classKey] ?? -1
      let key = embedded[target] ?? Int64(target.key.rawValue) - 1
      return .link(table: table, key: key)
    case .list(let elements): return .list(elements.map(realm))
    case .set(let members): return .set(members.map(realm))
    case .map(let entries):
      return .dictionary(entries.map { RealmEntry(key: $0.key, value: realm($0.value)) })
    }
  }
}
