import KennelBrowser
import KennelCore
import KennelSQL

extension Declarations {
  /// The declarations of a database of an SQL engine, for the classes of its copy.
  init(_ mapping: SQLMapping, _ schema: Schema) {
    self.init()
    for table in mapping.tables {
      guard let classSchema = schema[table.className] else { continue }
      classes[classSchema.key] = ClassNotes(table, classSchema, in: mapping)
    }
  }
}

extension Declarations.ClassNotes {
  fileprivate init(_ mapping: TableMapping, _ classSchema: ClassSchema, in all: SQLMapping) {
    self.init()
    let table = mapping.table
    switch table.kind {
    case .table: break
    case .view: traits.append("view")
    case .virtual: traits.append("virtual table")
    }
    if !table.name.hasSameBytes(as: mapping.className) { traits.append("table \(table.name)") }
    if table.primaryKey.count > 1 { traits.append("primary key \(Self.list(table.primaryKey))") }
    readOnlyReason = mapping.readOnlyReason
    if mapping.readOnlyReason != nil, table.kind == .table { traits.append("no key") }
    for column in mapping.columns {
      note(column.property, classSchema) { notes in
        let name = column.column.name
        if !name.hasSameBytes(as: column.property) { notes.traits.append("column \(name)") }
        let type = column.column.declaredType
        if !type.isEmpty { notes.traits.append("declared \(type)") }
        let labels = column.column.labels
        notes.labels = labels
        notes.isParsed = column.column.isParsed && column.form == .string
        if !labels.isEmpty { notes.traits.append("one of \(labels.joined(separator: ", "))") }
      }
    }
    for link in mapping.links where link.key.isDeclared {
      let target = all.tables[link.target].table.name
      note(link.property, classSchema) { notes in
        let isOfColumns = link.column == nil
        let columns = isOfColumns ? "foreign key \(Self.list(link.key.columns)) " : ""
        notes.traits.append("\(columns)ON DELETE \(link.key.onDelete.rawValue)")
        guard table.kind == .table, !table.hasIndex(beginningWith: link.key.columns) else { return }
        let names = link.key.columns.map { "\(table.name).\($0)" }.joined(separator: ", ")
        notes.remarks.append("no index on \(names): deletions of \(target) read the whole table")
      }
    }
  }

  private mutating func note(
    _ property: String,
    _ classSchema: ClassSchema,
    _ add: (inout Declarations.PropertyNotes) -> Void
  ) {
    guard let key = classSchema[property]?.key else { return }
    add(&properties[key, default: Declarations.PropertyNotes()])
  }

  private static func list(_ columns: [String]) -> String {
    "(\(columns.joined(separator: ", ")))"
  }
}
