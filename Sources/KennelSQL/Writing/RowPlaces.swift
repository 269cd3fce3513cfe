internal import KennelCore

/// Where the values of the rows of a table are: its names, looked up once.
struct RowPlaces: Sendable {
  /// A foreign key.
  struct Link: Sendable {
    let property: PropertyKey
    /// The property that keeps the values that lead nowhere.
    let dangling: PropertyKey?
    /// The place of the target in the mapping.
    let target: Int
    /// The columns, and those of the target.
    let columns: [Int?]
    let targetColumns: [Int?]
  }

  let classKey: ClassKey
  /// The property of each column.
  let columns: [PropertyKey]
  /// The link that each column is shown as.
  let columnLinks: [Int?]
  /// The columns of the primary key, as they stand in a statement.
  let primaryKey: [(name: String, column: Int)]
  /// The columns of which no two rows have the same values, set by set.
  let uniqueColumns: [[Int]]
  let links: [Link]
  /// Whether each column is in a unique set of columns or in a foreign key.
  let areInKeys: [Bool]
  private let columnsOfProperties: [PropertyKey: [Int]]

  /// - Throws: `SQLError` if a database has other classes.
  init(_ table: TableMapping, _ mapping: SQLMapping, _ schema: Schema) throws(SQLError) {
    guard let found = schema[table.className] else { throw Self.differs }
    var columns: [PropertyKey] = []
    var columnLinks: [Int?] = []
    for (index, column) in table.columns.enumerated() {
      columnLinks.append(table.links.firstIndex { $0.column == index })
      guard let property = found[column.property],
        columnLinks[index] != nil || property.type.kind == column.form.type.kind
      else { throw Self.differs }
      columns.append(property.key)
    }
    var links: [Link] = []
    for link in table.links {
      let target = mapping.tables[link.target]
      guard let property = found[link.property], property.target == schema[target.className]?.key
      else { throw Self.differs }
      links.append(
        Link(
          property: property.key,
          dangling: found[link.danglingProperty]?.key,
          target: link.target,
          columns: link.key.columns.map(table.index(ofColumn:)),
          targetColumns: link.targetColumns.map(target.index(ofColumn:))
        )
      )
    }
    classKey = found.key
    (self.columns, self.columnLinks, self.links) = (columns, columnLinks, links)
    primaryKey = table.table.primaryKey.compactMap { name in
      table.index(ofColumn: name).map { (name.quotedSQLName, $0) }
    }
    uniqueColumns = table.table.uniqueColumns.compactMap { names in
      let found = names.compactMap(table.index(ofColumn:))
      return found.count == names.count ? found : nil
    }
    let keys = Set(uniqueColumns.joined()).union(links.flatMap { $0.columns.compactMap(\.self) })
    areInKeys = columns.indices.map(keys.contains)
    columnsOfProperties = Self.columnsOfProperties(columns, links)
  }

  private static func columnsOfProperties(
    _ columns: [PropertyKey],
    _ links: [Link]
  ) -> [PropertyKey: [Int]] {
    var found: [PropertyKey: Set<Int>] = [:]
    for (column, property) in columns.enumerated() { found[property, default: []].insert(column) }
    for link in links {
      for property in [link.property, link.dangling].compactMap(\.self) {
        found[property, default: []].formUnion(link.columns.compactMap(\.self))
      }
    }
    return found.mapValues { $0.sorted() }
  }

  /// Whether a property is one column and nothing else.
  func isColumn(_ property: PropertyKey) -> Bool {
    let columns = columns(of: property)
    return columns.count == 1 && self.columns[columns[0]] == property
      && columnLinks[columns[0]] == nil
  }

  /// The columns that a property is, with those of a link.
  func columns(of property: PropertyKey) -> [Int] { columnsOfProperties[property] ?? [] }

  static var differs: SQLError {
    SQLError(.changed, "its tables are not those that were read; open it again")
  }
}

extension TableMapping {
  /// The place of a column by its name.
  fileprivate func index(ofColumn name: String) -> Int? {
    columns.firstIndex { $0.column.name.isSQLName(name) }
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
