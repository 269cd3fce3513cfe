package import KennelCore

/// Brings the copy of a database to a newer state: changes what differs, and nothing else.
///
/// The new state is another copy, made as the first was. A row is the object with its primary key, or with its
/// number where the table has no key; so objects stay what they are in the drafts and on the screens of
/// whoever has the copy open.
package struct CopyUpdate {
  /// So many objects are looked at together.
  private static let objectsPerStep = 4_096

  private let source: DatabaseReader
  private let transaction: WriteTransaction
  private let mapping: SQLMapping
  private let sourceRows: StoredRows
  private let rows: StoredRows
  /// The objects of the copy, by those of the source, where they have other keys.
  private var counterparts: [ObjectIdentity: ObjectIdentity] = [:]
  private var hasChanged = false
  /// Unique values are set when those that go are gone.
  private var later: [(object: ObjectIdentity, property: PropertyKey, value: Value)] = []

  /// Changes a copy.
  ///
  /// - Parameters:
  ///   - mapping: The tables of the new state.
  ///   - source: The new state.
  ///   - transaction: A transaction of the copy. If this throws, roll it back.
  ///   - progress: Called now and then. What it throws ends the update.
  /// - Returns: Whether anything differed.
  /// - Throws: `SQLError` of the kind `changed` if the classes are others now, `DatabaseError` if the
  ///   copy cannot take a change, and what `progress` throws.
  @discardableResult
  package static func run(
    _ mapping: SQLMapping,
    from source: DatabaseReader,
    in transaction: WriteTransaction,
    progress: () throws -> Void = {}
  ) throws -> Bool {
    let hadSchema = transaction.schema
    try addDanglingProperties(mapping, from: source, in: transaction)
    var update = try CopyUpdate(mapping, source, transaction)
    var gone: [ObjectIdentity] = []
    var pairs: [Int: [(ObjectIdentity, ObjectIdentity)]] = [:]
    for table in mapping.tables.indices {
      pairs[table] = try update.match(table, &gone)
      try progress()
    }
    for table in mapping.tables.indices {
      try update.bring(table, pairs.removeValue(forKey: table) ?? [], progress)
    }
    if !gone.isEmpty { try transaction.delete(gone) }
    for change in update.later {
      try transaction.set(change.object, property: change.property, to: change.value)
    }
    return update.hasChanged || !gone.isEmpty || transaction.schema != hadSchema
  }

  private init(
    _ mapping: SQLMapping,
    _ source: DatabaseReader,
    _ transaction: WriteTransaction
  ) throws {
    self.mapping = mapping
    self.source = source
    self.transaction = transaction
    sourceRows = try StoredRows(mapping, source.schema)
    rows = try StoredRows(mapping, transaction.schema)
    guard source.schema.classes.count == transaction.schema.classes.count else {
      throw RowPlaces.differs
    }
  }

  /// A class has properties for values that lead nowhere as soon as there are any.
  private static func addDanglingProperties(
    _ mapping: SQLMapping,
    from source: DatabaseReader,
    in transaction: WriteTransaction
  ) throws {
    for table in mapping.tables {
      for link in table.links {
        guard let found = source.schema[table.className]?[link.danglingProperty],
          let known = transaction.schema[table.className], known[link.danglingProperty] == nil
        else { continue }
        let property = PropertyDefinition(link.danglingProperty, found.type)
        try transaction.define([ClassDefinition(table.className, properties: [property])])
      }
    }
  }

  // MARK: - Rows

  /// Finds the objects of the copy that are the rows of the source, and makes those that are missing.
  private mutating func match(
    _ table: Int,
    _ gone: inout [ObjectIdentity]
  ) throws -> [(ObjectIdentity, ObjectIdentity)] {
    var pairs: [(ObjectIdentity, ObjectIdentity)] = []
    var unmatched: [ObjectIdentity] = []
    try Self.forEach(sourceRows.places[table].classKey, of: source) { object in
      let same = ObjectIdentity(rows.places[table].classKey, object.key)
      if try transaction.contains(same), try areOneRow(object, same, table) {
        pairs.append((object, same))
      } else {
        unmatched.append(object)
      }
    }
    var left: [ObjectIdentity] = []
    if pairs.count < transaction.count(of: rows.places[table].classKey) {
      let known = Set(pairs.map(\.1))
      try Self.forEach(rows.places[table].classKey, of: transaction) { object in
        if !known.contains(object) { left.append(object) }
      }
    }
    var byKey: [RowKey: ObjectIdentity] = [:]
    if !unmatched.isEmpty, hasKey(table) {
      for object in left { byKey[try rows.key(object, in: transaction)] = object }
    }
    for object in unmatched {
      var found: ObjectIdentity?
      if !byKey.isEmpty {
        found = byKey.removeValue(forKey: try sourceRows.key(object, in: source))
      }
      if found == nil { hasChanged = true }
      let counterpart = try found ?? make(object, table)
      counterparts[object] = counterpart
      pairs.append((object, counterpart))
    }
    let kept = Set(counterparts.values)
    gone += left.filter { !kept.contains($0) }
    return pairs
  }

  private func hasKey(_ table: Int) -> Bool { !mapping.tables[table].table.primaryKey.isEmpty }

  private func areOneRow(
    _ object: ObjectIdentity,
    _ other: ObjectIdentity,
    _ table: Int
  ) throws -> Bool {
    guard hasKey(table) else { return true }
    if let own = transaction.schema[other.classKey]?.primaryKey?.key,
      let key = source.schema[object.classKey]?.primaryKey?.key
    {
      return try source.value(of: object, property: key)
        == transaction.value(of: other, property: own)
    }
    return try sourceRows.key(object, in: source) == rows.key(other, in: transaction)
  }

  private func make(_ object: ObjectIdentity, _ table: Int) throws -> ObjectIdentity {
    let classKey = rows.places[table].classKey
    var values: [PropertyKey: Value] = [:]
    var keys: [PropertyKey: Value] = [:]
    for property in transaction.schema[classKey]?.properties ?? [] {
      guard property.isPrimaryKey || property.isUnique,
        let own = source.schema[object.classKey]?[property.name]
      else { continue }
      values[property.key] = try source.value(of: object, property: own.key)
      if property.isPrimaryKey { keys = [property.key: values[property.key] ?? .null] }
    }
    do {
      return try make(object.key, table, values)
    } catch let error as DatabaseError where error.code == .duplicateValue {
      // An object that goes still has a value.
      return try make(object.key, table, keys)
    }
  }

  private func make(
    _ key: ObjectKey,
    _ table: Int,
    _ values: [PropertyKey: Value]
  ) throws -> ObjectIdentity {
    let classKey = rows.places[table].classKey
    // Without a key, an object has the number of its row, also one that another row had before.
    let isRow = !hasKey(table) && mapping.tables[table].keepsNumbers
    if isRow || key.rawValue >= transaction.firstUnusedKey(of: classKey).rawValue {
      return try transaction.create(classKey, key: key, values)
    }
    return try transaction.create(classKey, values)
  }

  // MARK: - Values

  private mutating func bring(
    _ table: Int,
    _ pairs: [(ObjectIdentity, ObjectIdentity)],
    _ progress: () throws -> Void
  ) throws {
    let others = source.schema[sourceRows.places[table].classKey]
    let own = (transaction.schema[rows.places[table].classKey]?.properties ?? [])
      .filter { !$0.isPrimaryKey }.map { ($0, others?[$0.name]?.key) }
    for (number, pair) in pairs.enumerated() {
      if number % Self.objectsPerStep == 0 { try progress() }
      for (property, other) in own {
        // Values that lead nowhere may be gone.
        let found = try other.map { try source.value(of: pair.0, property: $0) }
        let new = translated(found ?? .null)
        let old = try transaction.value(of: pair.1, property: property.key)
        if new == old { continue }
        hasChanged = true
        if property.isUnique, !new.isNull {
          if !old.isNull, property.type.isOptional {
            try transaction.set(pair.1, property: property.key, to: .null)
          }
          later.append((pair.1, property.key, new))
        } else {
          try transaction.set(pair.1, property: property.key, to: new)
        }
      }
    }
  }

  /// A value of the source with the objects of the copy.
  private func translated(_ value: Value) -> Value {
    if case .link(let object) = value { return .link(translated(object)) }
    guard case .set(let members) = value else { return value }
    return .set(members.map(translated).sorted { $0.isOrdered(before: $1) })
  }

  private func translated(_ object: ObjectIdentity) -> ObjectIdentity {
    if let found = counterparts[object] { return found }
    guard let table = try? sourceRows.table(of: object) else { return object }
    return ObjectIdentity(rows.places[table].classKey, object.key)
  }

  private static func forEach(
    _ classKey: ClassKey,
    of reader: DatabaseReader,
    _ body: (ObjectIdentity) throws -> Void
  ) throws {
    var next: ObjectKey?
    while true {
      let objects = try reader.objects(of: classKey, from: next, limit: objectsPerStep)
      for object in objects { try body(object) }
      guard let last = objects.last else { return }
      next = ObjectKey(rawValue: last.key.rawValue + 1)
    }
  }
}
