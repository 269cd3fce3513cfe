@_spi(Faces) package import KennelCore

/// Brings the copy of a database to a newer state: changes what differs, and nothing else.
///
/// The new state is another copy, made as the first was. A row is the object with its primary key, or with its
/// number where the table has no key; so objects stay what they are in the drafts and on the screens of
/// whoever has the copy open.
package final class CopyUpdate {
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
  /// - Returns: Whether anything differed.
  /// - Throws: `SQLError` of the kind `changed` if the classes are others now, `DatabaseError` if the
  ///   copy cannot take a change.
  @discardableResult
  package static func run(
    _ mapping: SQLMapping,
    from source: DatabaseReader,
    in transaction: WriteTransaction
  ) throws -> Bool {
    let hadSchema = transaction.schema
    try addDanglingProperties(mapping, from: source, in: transaction)
    let update = try CopyUpdate(mapping, source, transaction)
    var gone: [ObjectIdentity] = []
    for table in mapping.tables.indices { gone += try update.match(table) }
    for table in mapping.tables.indices { try update.bring(table) }
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
  ///
  /// - Returns: The objects of the copy that are no rows any more.
  private func match(_ table: Int) throws -> [ObjectIdentity] {
    let classKey = rows.places[table].classKey
    let sourceKey = sourceRows.places[table].classKey
    var others: Set<ObjectIdentity> = []
    let keys = source.schema[sourceKey]?.primaryKey.flatMap { key in
      transaction.schema[classKey]?.primaryKey.map { [(key, $0)] }
    }
    try forEach(table, thatDiffersIn: hasKey(table) ? keys : []) { object in
      let counterpart = ObjectIdentity(classKey, object.key)
      guard try transaction.contains(counterpart), try areOneRow(object, counterpart, table) else {
        others.insert(object)
        return
      }
    }
    let matchedCount = source.count(of: sourceKey) - others.count
    var left: [ObjectIdentity] = []
    if matchedCount < transaction.count(of: classKey) {
      try forEachStep(classKey, of: transaction) { objects in
        for object in objects {
          let row = ObjectIdentity(sourceKey, object.key)
          if try others.contains(row) || !source.contains(row) { left.append(object) }
        }
      }
    }
    var byKey: [RowKey: ObjectIdentity] = [:]
    if !others.isEmpty, hasKey(table) {
      for object in left { byKey[try rows.key(object, in: transaction)] = object }
    }
    var kept: Set<ObjectIdentity> = []
    for object in others.sorted() {
      var found: ObjectIdentity?
      if !byKey.isEmpty {
        found = byKey.removeValue(forKey: try sourceRows.key(object, in: source))
      }
      if found == nil { hasChanged = true }
      let counterpart = try found ?? make(object, table)
      kept.insert(counterpart)
      if counterpart.key != object.key { counterparts[object] = counterpart }
    }
    return left.filter { !kept.contains($0) }
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

  private func bring(_ table: Int) throws {
    let others = source.schema[sourceRows.places[table].classKey]
    let own = (transaction.schema[rows.places[table].classKey]?.properties ?? [])
      .filter { !$0.isPrimaryKey }.map { ($0, others?[$0.name]) }
    let compared = own.map { property, other in other.map { ($0, property) } }
    // An object, or the target of a link, that has the same key may be another row.
    let areComparable = counterparts.isEmpty && !compared.contains { $0 == nil }
    try forEach(table, thatDiffersIn: areComparable ? compared.compactMap(\.self) : nil) {
      object in
      let counterpart = translated(object)
      for (property, other) in own {
        // Values that lead nowhere may be gone.
        let found = try other.map { try source.value(of: object, property: $0.key) }
        let new = translated(found ?? .null)
        let old = try transaction.value(of: counterpart, property: property.key)
        if new != old { try set(counterpart, property, from: old, to: new) }
      }
    }
  }

  private func set(
    _ object: ObjectIdentity,
    _ property: PropertySchema,
    from old: Value,
    to new: Value
  ) throws {
    hasChanged = true
    if property.isUnique, !new.isNull {
      if !old.isNull, property.type.isOptional {
        try transaction.set(object, property: property.key, to: .null)
      }
      later.append((object, property.key, new))
    } else {
      try transaction.set(object, property: property.key, to: new)
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

  /// Goes through the objects of the source but those that the copy has under the same key with the same values.
  ///
  /// - Parameters:
  ///   - table: Their table.
  ///   - properties: The properties that are compared, of the source and of the copy; `nil` for all objects.
  ///   - body: What is done with each.
  /// - Throws: What it throws; `DatabaseError` if a file is damaged.
  private func forEach(
    _ table: Int,
    thatDiffersIn properties: [(own: PropertySchema, other: PropertySchema)]?,
    _ body: (ObjectIdentity) throws -> Void
  ) throws {
    try forEachStep(sourceRows.places[table].classKey, of: source) { objects in
      guard let properties else { return try objects.forEach(body) }
      let classKey = rows.places[table].classKey
      try source.differing(objects, from: transaction, classKey, in: properties).forEach(body)
    }
  }

  private func forEachStep(
    _ classKey: ClassKey,
    of reader: DatabaseReader,
    _ body: (Objects) throws -> Void
  ) throws {
    var next: ObjectKey?
    while true {
      let objects = try reader.objects(of: classKey, from: next, limit: Self.objectsPerStep)
      try body(objects)
      guard let last = objects.last else { return }
      next = ObjectKey(rawValue: last.key.rawValue + 1)
    }
  }
}
