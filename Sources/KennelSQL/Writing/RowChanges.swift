package import KennelCore

/// The statements that a commit of a draft is for a database.
package struct RowChanges {
  /// The statements, in the order in which they are run.
  package private(set) var changes: [RowChange] = []
  /// Whether some statements wait for each other, so that a foreign key may do what another statement says.
  private(set) var hasCircle = false
  /// How many rows a foreign key sets to its default without a statement.
  private(set) var defaultCount = 0

  private let dialect: SQLDialect
  private let commit: DraftCommit
  private let rows: StoredRows
  private let tables: [WrittenTable]
  private let difference: ChangeSet
  private let deleted: Set<ObjectIdentity>

  /// - Parameters:
  ///   - commit: What is committed.
  ///   - mapping: The tables that the classes are.
  ///   - dialect: How the engine writes them.
  /// - Throws: `SQLError` if the database cannot hold a value, or a row has no key; `DatabaseError` if
  ///   the copy is damaged.
  package init(
    _ commit: DraftCommit,
    _ mapping: SQLMapping,
    _ dialect: SQLDialect = .sqlite
  ) throws {
    self.commit = commit
    self.dialect = dialect
    rows = try StoredRows(mapping, commit.before.schema)
    tables = mapping.tables.map { WrittenTable($0.table, $0.columns, dialect) }
    difference = try commit.changes()
    deleted = Set(difference.deleted)
    for changed in difference.changed { try update(changed) }
    for object in difference.deleted { try delete(object) }
    for object in difference.created { try insert(object) }
    for changed in difference.changed { try changeSets(of: changed) }
    for object in difference.created { try fillSets(of: object) }
    (changes, hasCircle) = changes.ordered()
  }

  static var circle: SQLError {
    SQLError(.refused, "changes depend on each other in a circle; commit a part of them first")
  }

  static var tookMore: SQLError {
    SQLError(.changed, "a deletion would take other rows than those shown")
  }

  /// The statements as a person reads them and a program of the engine runs them.
  package var text: [String] { changes.map { $0.statement(hasLiterals: true).text + ";" } }

  /// Names the row of a statement in a message.
  func name(of change: RowChange) -> String {
    let reader = change.kind == .insert ? commit.after : commit.before
    return reader.describe(change.object) + (change.set.map { ".\($0)" } ?? "")
  }

  /// The error that the row of a statement is not what was seen.
  func stale(_ change: RowChange) -> SQLError {
    SQLError(.changed, "another program has changed \(name(of: change))")
  }

  // MARK: - Rows

  private mutating func update(_ changed: ChangeSet.ChangedObject) throws {
    let object = changed.object
    let index = try rows.table(of: object)
    var columns: [RowChange.ChangedColumn] = []
    var keys: Set<Int> = []
    for (column, before, after) in try values(of: changed, index) where before != after {
      guard !rows.mapping.tables[index].columns[column].column.isGenerated else {
        let table = rows.mapping.tables[index]
        let name = "\(table.table.name).\(table.columns[column].column.name)"
        throw SQLError(.refused, "\(name) is computed and cannot be changed")
      }
      if isSetToDefault(object, column, index, after) {
        defaultCount += 1
        continue
      }
      if rows.places[index].areInKeys[column] { keys.insert(column) }
      columns.append(try changedColumn(index, column, before, after))
    }
    if columns.isEmpty { return }
    try requireWritable(rows.mapping.tables[index])
    var change = change(.update, index, object, key: try rows.key(object, in: commit.before))
    change.columns = columns
    if !keys.isEmpty {
      try note(&change.references, index, object, isOld: true, within: keys)
      try note(&change.references, index, object, isOld: false, within: keys)
    }
    changes.append(change)
  }

  /// The columns that the properties of an object are, in their order, with the values before and after.
  private func values(
    of changed: ChangeSet.ChangedObject,
    _ index: Int
  ) throws -> [(column: Int, before: Value, after: Value)] {
    let places = rows.places[index]
    if changed.properties.allSatisfy({ places.isColumn($0.property) }) {
      return try changed.properties.map { change in
        let column = places.columns(of: change.property)[0]
        let before = try rows.stored(change.old, index, column)
        return (column, before, try rows.stored(change.new, index, column))
      }.sorted { $0.column < $1.column }
    }
    let properties = Set(changed.properties.map(\.property))
    return try Set(properties.flatMap(places.columns(of:))).sorted().map { column in
      let before = try rows.value(changed.object, column, in: commit.before)
      return (column, before, try newValue(changed.object, column, properties))
    }
  }

  private func changedColumn(
    _ table: Int,
    _ column: Int,
    _ old: Value,
    _ new: Value
  ) throws(SQLError) -> RowChange.ChangedColumn {
    let stored = rows.mapping.tables[table].columns[column].column
    guard dialect.canHold(old, in: stored), dialect.canHold(new, in: stored) else {
      throw SQLError(.refused, "\(stored.name) cannot be \(ValueText.describe(new)) there")
    }
    let written = tables[table].columns[column]
    return .init(name: written.name, compared: written.compared, old: old, new: new)
  }

  /// The value that a column gets: where a link beside it has changed and the column has not, that of
  /// the target.
  private func newValue(
    _ object: ObjectIdentity,
    _ column: Int,
    _ properties: Set<PropertyKey>
  ) throws -> Value {
    let index = try rows.table(of: object)
    let places = rows.places[index]
    if !properties.contains(places.columns[column]) {
      for (place, link) in places.links.enumerated() where properties.contains(link.property) {
        guard rows.mapping.tables[index].links[place].column == nil,
          let position = link.columns.firstIndex(of: column)
        else { continue }
        return try rows.value(object, link: place, position, in: commit.after)
      }
    }
    return try rows.value(object, column, in: commit.after)
  }

  /// Whether the database sets a foreign key to its default when its target goes.
  private func isSetToDefault(
    _ object: ObjectIdentity,
    _ column: Int,
    _ index: Int,
    _ after: Value
  ) -> Bool {
    guard after.isNull else { return false }
    return rows.mapping.tables[index].links.enumerated().contains { place, link in
      guard link.column == column, link.key.isDeclared, link.key.onDelete == .setDefault else {
        return false
      }
      let property = rows.places[index].links[place].property
      let target = try? commit.before.value(of: object, property: property).links.first
      return target.map(deleted.contains) ?? false
    }
  }

  private mutating func delete(_ object: ObjectIdentity) throws {
    let index = try rows.table(of: object)
    let table = rows.mapping.tables[index]
    try requireWritable(table)
    var key = try rows.key(object, in: commit.before)
    if table.table.primaryKey.isEmpty {
      // The number of a row may be another one's by now.
      for (place, column) in table.columns.enumerated() where !column.column.isGenerated {
        key.columns.append(tables[index].columns[place].compared)
        key.values.append(try rows.value(object, place, in: commit.before))
      }
    }
    var change = change(.delete, index, object, key: key)
    try note(&change.references, index, object, isOld: true, within: nil)
    try notePair(.delete, object)
    changes.append(change)
  }

  private mutating func insert(_ object: ObjectIdentity) throws {
    let index = try rows.table(of: object)
    let table = rows.mapping.tables[index]
    try requireWritable(table)
    let linked = Set(
      try rows.places[index].links.map(\.property).filter {
        try !commit.after.value(of: object, property: $0).isNull
      }
    )
    var change = change(.insert, index, object)
    for (column, mapped) in table.columns.enumerated() where !mapped.column.isGenerated {
      var value = try rows.value(object, column, in: commit.after)
      if value.isNull { value = try newValue(object, column, linked) }
      // What is left open is for the database to fill in.
      if value.isNull, mapped.column.defaultExpression != nil { continue }
      change.columns.append(try changedColumn(index, column, .null, value))
    }
    if let number = table.table.rowNumber, table.keepsNumbers, !table.table.hasNumberKey {
      // The row and the object keep one number.
      let key = Value.int(Int64(clamping: object.key.rawValue))
      if !object.key.isProvisional {
        change.columns.append(.init(name: number, compared: number, old: .null, new: key))
      }
    }
    try note(&change.references, index, object, isOld: false, within: nil)
    try notePair(.insert, object)
    changes.append(change)
  }

  /// A statement on a row of a table, as yet without the columns that get a value.
  private func change(
    _ kind: RowChange.Kind,
    _ index: Int,
    _ object: ObjectIdentity,
    key: RowKey = RowKey()
  ) -> RowChange {
    let table = kind == .insert ? tables[index].new : tables[index].name
    return RowChange(dialect: dialect, kind: kind, table: table, key: key, object: object)
  }

  private func requireWritable(_ table: TableMapping) throws(SQLError) {
    guard let reason = table.readOnlyReason else { return }
    throw SQLError(.refused, reason)
  }

  // MARK: - Keys and references

  /// Notes the keys and the references of a row before or after a statement.
  private func note(
    _ references: inout RowReferences,
    _ index: Int,
    _ object: ObjectIdentity,
    isOld: Bool,
    within columns: Set<Int>?
  ) throws {
    let places = rows.places[index]
    let reader = isOld ? commit.before : commit.after
    /// The key of a table whose columns are some of the row.
    func reference(_ table: Int, _ keys: [Int?], _ own: [Int?]) throws -> RowReferences.Reference? {
      if let columns, !own.contains(where: { $0.map(columns.contains) == true }) { return nil }
      return try .init(
        table,
        keys,
        own.map { try $0.map { try rows.value(object, $0, in: reader) } ?? .null }
      )
    }
    for unique in places.uniqueColumns {
      guard let key = try reference(index, unique, unique) else { continue }
      if isOld { references.takes.append(key) } else { references.gives.append(key) }
    }
    for link in places.links {
      guard let key = try reference(link.target, link.targetColumns, link.columns) else { continue }
      if isOld { references.frees.append(key) } else { references.needs.append(key) }
    }
  }

  // MARK: - Sets

  private mutating func changeSets(of changed: ChangeSet.ChangedObject) throws {
    let index = try rows.table(of: changed.object)
    for set in rows.mapping.tables[index].sets {
      guard let property = commit.before.schema[changed.object.classKey]?[set.property],
        let change = changed.properties.first(where: { $0.property == property.key })
      else { continue }
      let (old, new) = (Set(change.old.links), Set(change.new.links))
      for member in old.subtracting(new).sorted() where !deleted.contains(member) {
        try pair(set, changed.object, member, .delete, in: commit.before)
      }
      for member in new.subtracting(old).sorted() {
        try pair(set, changed.object, member, .insert, in: commit.after)
      }
    }
  }

  private mutating func fillSets(of object: ObjectIdentity) throws {
    for set in rows.mapping.tables[try rows.table(of: object)].sets {
      guard let property = commit.after.schema[object.classKey]?[set.property] else { continue }
      let members = try commit.after.value(of: object, property: property.key).links
      for member in members.sorted() {
        try pair(set, object, member, .insert, in: commit.after)
      }
    }
  }

  /// Adds or removes the row of a table of two foreign keys.
  private mutating func pair(
    _ set: SetMapping,
    _ owner: ObjectIdentity,
    _ member: ObjectIdentity,
    _ kind: RowChange.Kind,
    in reader: DatabaseReader
  ) throws {
    var key = RowKey()
    var references: [RowReferences.Reference] = []
    let through = rows.places[set.through]
    for (link, end) in zip(through.links, [owner, member]) {
      guard let column = link.columns[0], let target = link.targetColumns[0] else { continue }
      let value = try rows.value(end, target, in: reader)
      key.columns.append(tables[set.through].columns[column].name)
      key.values.append(value)
      if let reference = RowReferences.Reference(link.target, [target], [value]) {
        references.append(reference)
      }
    }
    var change = change(kind, set.through, owner)
    change.set = set.property
    if kind == .insert {
      change.columns = zip(key.columns, key.values).map {
        .init(name: $0, compared: $0, old: .null, new: $1)
      }
      change.references.needs = references
    } else {
      change.key = key
      change.references.frees = references
    }
    let row = PairedRow(kind: kind, table: set.through, values: key.values)
    if paired.insert(row).inserted { changes.append(change) }
  }

  /// A row of a table of two foreign keys.
  private struct PairedRow: Hashable {
    let kind: RowChange.Kind
    let table: Int
    let values: [Value]
  }

  /// The rows that were added or removed as objects, so that they are not again as members of a set.
  private var paired: Set<PairedRow> = []

  private mutating func notePair(_ kind: RowChange.Kind, _ object: ObjectIdentity) throws {
    let index = try rows.table(of: object)
    let links = rows.mapping.tables[index].links
    guard links.count == 2, rows.mapping.tables[index].columns.count == 2 else { return }
    let reader = kind == .insert ? commit.after : commit.before
    let values = try links.indices.map { try rows.value(object, link: $0, 0, in: reader) }
    paired.insert(PairedRow(kind: kind, table: index, values: values))
  }
}

/// A table and its columns as they stand in a statement.
private struct WrittenTable {
  /// The table where a row is inserted, and where one is changed or deleted.
  let new: String
  let name: String
  let columns: [(name: String, compared: String)]

  init(_ table: CatalogTable, _ columns: [ColumnMapping], _ dialect: SQLDialect) {
    new = dialect.name(of: table, .insert)
    name = dialect.name(of: table, .update)
    self.columns = columns.map {
      ($0.column.name.quotedSQLName, dialect.compared($0.column))
    }
  }
}
