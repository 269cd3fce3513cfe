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
  package var text: [String] { changes.map { $0.text(dialect.literal) + ";" } }

  // MARK: - Rows

  private mutating func update(_ changed: ChangeSet.ChangedObject) throws {
    let object = changed.object
    let index = try rows.table(of: object)
    let table = rows.mapping.tables[index]
    let properties = Set(changed.properties.map(\.property))
    let touched = Set(properties.flatMap { rows.columns(index, of: $0) }).sorted()
    var columns: [RowChange.ChangedColumn] = []
    var old: [Int: Value] = [:]
    var new: [Int: Value] = [:]
    for column in touched {
      let name = table.columns[column].column.name
      let before = try rows.value(object, column, in: commit.before)
      let after = try newValue(object, column, properties)
      if before == after { continue }
      guard !table.columns[column].column.isGenerated else {
        throw SQLError(.refused, "\(table.table.name).\(name) is computed and cannot be changed")
      }
      if isSetToDefault(object, column, index, after) {
        defaultCount += 1
        continue
      }
      (old[column], new[column]) = (before, after)
      columns.append(try changedColumn(table.columns[column].column, before, after))
    }
    if columns.isEmpty { return }
    try requireWritable(table)
    var change = RowChange(
      dialect: dialect,
      kind: .update,
      table: dialect.name(of: table.table, .update),
      key: try rows.key(object, in: commit.before),
      columns: columns,
      name: commit.before.describe(object)
    )
    try note(&change.references, index, object, isOld: true, within: Set(old.keys))
    try note(&change.references, index, object, isOld: false, within: Set(new.keys))
    changes.append(change)
  }

  private func changedColumn(
    _ column: CatalogColumn,
    _ old: Value,
    _ new: Value
  ) throws(SQLError) -> RowChange.ChangedColumn {
    guard dialect.canHold(old, in: column), dialect.canHold(new, in: column) else {
      throw SQLError(.refused, "\(column.name) cannot be \(ValueText.describe(new)) there")
    }
    let name = column.name.quotedSQLName
    return .init(name: name, compared: dialect.compared(column), old: old, new: new)
  }

  /// The value that a column gets: where a link beside it has changed and the column has not, that of
  /// the target.
  private func newValue(
    _ object: ObjectIdentity,
    _ column: Int,
    _ properties: Set<PropertyKey>
  ) throws -> Value {
    let index = try rows.table(of: object)
    let table = rows.mapping.tables[index]
    let own = rows.property(index, column: column)
    for (place, link) in table.links.enumerated() where link.column == nil {
      guard !properties.contains(own), properties.contains(rows.property(index, link: place)),
        let position = link.key.columns.firstIndex(where: {
          $0.isSQLName(table.columns[column].column.name)
        })
      else { continue }
      return try rows.value(object, link: place, position, in: commit.after)
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
      let property = rows.property(index, link: place)
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
        key.columns.append(dialect.compared(column.column))
        key.values.append(try rows.value(object, place, in: commit.before))
      }
    }
    var change = RowChange(
      dialect: dialect,
      kind: .delete,
      table: dialect.name(of: table.table, .delete),
      key: key,
      columns: [],
      name: commit.before.describe(object)
    )
    try note(&change.references, index, object, isOld: true, within: nil)
    try notePair(.delete, object)
    changes.append(change)
  }

  private mutating func insert(_ object: ObjectIdentity) throws {
    let index = try rows.table(of: object)
    let table = rows.mapping.tables[index]
    try requireWritable(table)
    let linked = Set(
      try table.links.indices.map { rows.property(index, link: $0) }.filter {
        try !commit.after.value(of: object, property: $0).isNull
      }
    )
    var change = RowChange(
      dialect: dialect,
      kind: .insert,
      table: dialect.name(of: table.table, .insert),
      key: RowKey(columns: [], values: []),
      columns: [],
      name: commit.after.describe(object)
    )
    for (column, mapped) in table.columns.enumerated() where !mapped.column.isGenerated {
      var value = try rows.value(object, column, in: commit.after)
      if value.isNull { value = try newValue(object, column, linked) }
      // What is left open is for the database to fill in.
      if value.isNull, mapped.column.defaultExpression != nil { continue }
      change.columns.append(try changedColumn(mapped.column, .null, value))
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
    let table = rows.mapping.tables[index]
    let reader = isOld ? commit.before : commit.after
    func reference(
      _ place: Int,
      _ names: [String],
      _ keyNames: [String]
    ) throws
      -> RowReferences.Reference?
    {
      let found = names.compactMap { table.index(ofColumn: $0) }
      guard found.count == names.count,
        columns.map({ !$0.isDisjoint(with: found) }) ?? true
      else { return nil }
      let values = try found.map { try rows.value(object, $0, in: reader) }
      if values.contains(where: \.isNull) { return nil }
      return .init(table: place, columns: keyNames.map(\.foldedSQLName), values: values)
    }
    for names in table.table.uniqueColumns {
      guard let key = try reference(index, names, names) else { continue }
      if isOld { references.takes.append(key) } else { references.gives.append(key) }
    }
    for link in table.links {
      guard let key = try reference(link.target, link.key.columns, link.targetColumns) else {
        continue
      }
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
    let through = rows.mapping.tables[set.through]
    var key = RowKey(columns: [], values: [])
    var references: [RowReferences.Reference] = []
    for (link, end) in [(set.own, owner), (set.other, member)] {
      let target = rows.mapping.tables[link.target]
      guard let column = target.index(ofColumn: link.targetColumns[0]) else { continue }
      let value = try rows.value(end, column, in: reader)
      key.columns.append(link.key.columns[0].quotedSQLName)
      key.values.append(value)
      references.append(
        .init(
          table: link.target,
          columns: link.targetColumns.map(\.foldedSQLName),
          values: [value]
        )
      )
    }
    let columns = zip(key.columns, key.values).map {
      RowChange.ChangedColumn(name: $0, compared: $0, old: .null, new: $1)
    }
    var change = RowChange(
      dialect: dialect,
      kind: kind,
      table: dialect.name(of: through.table, kind),
      key: kind == .insert ? RowKey(columns: [], values: []) : key,
      columns: kind == .insert ? columns : [],
      name: "\(reader.describe(owner)).\(set.property)"
    )
    if kind == .insert { change.references.needs = references }
    if kind == .delete { change.references.frees = references }
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

extension CatalogTable {
  /// The columns of which no two rows have the same values, set by set.
  fileprivate var uniqueColumns: [[String]] {
    var found = primaryKey.isEmpty ? [] : [primaryKey]
    for index in indexes where index.isUnique && !index.isPartial {
      let names = index.columns.compactMap(\.self)
      if names.count == index.columns.count, names != primaryKey { found.append(names) }
    }
    return found
  }
}
