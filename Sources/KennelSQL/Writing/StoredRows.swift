internal import KennelCore

/// The rows that the objects of a copy are: the value of each column as the database stores it.
struct StoredRows: Sendable {
  /// Where the values of a class are.
  private struct Places: Sendable {
    let classKey: ClassKey
    /// The property of each column.
    let columns: [PropertyKey]
    /// The property of each link, and the one that keeps its values that lead nowhere.
    let links: [(link: PropertyKey, dangling: PropertyKey?)]
  }

  let mapping: SQLMapping
  private let places: [Places]
  private let tables: [ClassKey: Int]
  /// A value that leads to itself has no other.
  private static let mostSteps = 64

  /// - Throws: `SQLError` if a database has other classes.
  init(_ mapping: SQLMapping, _ schema: Schema) throws(SQLError) {
    self.mapping = mapping
    var places: [Places] = []
    for table in mapping.tables {
      guard let found = schema[table.className] else { throw Self.differs }
      var columns: [PropertyKey] = []
      for (index, column) in table.columns.enumerated() {
        let isLink = table.links.contains { $0.column == index }
        guard let property = found[column.property],
          isLink || property.type.kind == column.form.type.kind
        else { throw Self.differs }
        columns.append(property.key)
      }
      var links: [(PropertyKey, PropertyKey?)] = []
      for link in table.links {
        let target = mapping.tables[link.target].className
        guard let property = found[link.property], property.target == schema[target]?.key else {
          throw Self.differs
        }
        links.append((property.key, found[link.danglingProperty]?.key))
      }
      places.append(Places(classKey: found.key, columns: columns, links: links))
    }
    self.places = places
    tables = Dictionary(places.enumerated().map { ($1.classKey, $0) }) { first, _ in first }
  }

  static var differs: SQLError {
    SQLError(.changed, "its tables are not those that were read; open it again")
  }

  /// The place of the table of an object.
  func table(of object: ObjectIdentity) throws(SQLError) -> Int {
    guard let table = tables[object.classKey] else { throw Self.differs }
    return table
  }

  func classKey(_ table: Int) -> ClassKey { places[table].classKey }

  /// The property of a link.
  func property(_ table: Int, link: Int) -> PropertyKey { places[table].links[link].link }

  /// The property of a column.
  func property(_ table: Int, column: Int) -> PropertyKey { places[table].columns[column] }

  /// The columns that a property is, with those of a link.
  func columns(_ table: Int, of property: PropertyKey) -> [Int] {
    let place = places[table]
    var found = place.columns.indices.filter { place.columns[$0] == property }
    for (index, link) in place.links.enumerated()
    where link.link == property || link.dangling == property {
      let names = mapping.tables[table].links[index].key.columns
      found += names.compactMap { mapping.tables[table].index(ofColumn: $0) }
    }
    return Array(Set(found)).sorted()
  }

  // MARK: - Values

  /// The value of a column.
  ///
  /// - Throws: `SQLError` if the column cannot hold it, `DatabaseError` if the copy is damaged.
  func value(
    _ object: ObjectIdentity,
    _ column: Int,
    in reader: DatabaseReader,
    steps: Int = 0
  ) throws -> Value {
    let table = try table(of: object)
    let found = mapping.tables[table]
    if let link = found.links.firstIndex(where: { $0.column == column }) {
      return try value(object, link: link, 0, in: reader, steps: steps)
    }
    let value = try reader.value(of: object, property: places[table].columns[column])
    guard let stored = found.columns[column].form.stored(value) else {
      let name = "\(found.className).\(found.columns[column].property)"
      throw SQLError(.refused, "\(name) cannot be \(ValueText.describe(value)) there")
    }
    return stored
  }

  /// The value of a column of a foreign key, as its link says.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - link: The place of the link in its table.
  ///   - position: The position of the column in the key.
  ///   - reader: Reads the objects.
  ///   - steps: How many links have led here.
  /// - Returns: The value; null where the link leads nowhere and has no values.
  /// - Throws: As ``value(_:_:in:steps:)``.
  func value(
    _ object: ObjectIdentity,
    link: Int,
    _ position: Int,
    in reader: DatabaseReader,
    steps: Int = 0
  ) throws -> Value {
    let table = try table(of: object)
    let found = mapping.tables[table].links[link]
    let place = places[table].links[link]
    if let target = try reader.value(of: object, property: place.link).links.first {
      let name = found.targetColumns[position]
      guard steps < Self.mostSteps,
        let column = mapping.tables[found.target].index(ofColumn: name)
      else { throw SQLError(.refused, "\(name) of \(reader.describe(target)) has no value") }
      return try value(target, column, in: reader, steps: steps + 1)
    }
    guard let dangling = place.dangling else { return .null }
    let value = try reader.value(of: object, property: dangling)
    if case .list(let values) = value { return position < values.count ? values[position] : .null }
    return value
  }

  /// The columns that name the row of an object, with their values: its primary key, or the number of
  /// the row.
  func key(_ object: ObjectIdentity, in reader: DatabaseReader) throws -> RowKey {
    let table = mapping.tables[try self.table(of: object)]
    if table.table.primaryKey.isEmpty {
      guard let number = table.table.rowNumber, table.keepsNumbers else {
        throw SQLError(.refused, "no row of \(table.table.name) can be changed: it has no key")
      }
      return RowKey(columns: [number], values: [.int(Int64(clamping: object.key.rawValue))])
    }
    var key = RowKey(columns: [], values: [])
    for name in table.table.primaryKey {
      guard let column = table.index(ofColumn: name) else { continue }
      key.columns.append(name.quotedSQLName)
      key.values.append(try value(object, column, in: reader))
    }
    return key
  }
}

/// The columns that name a row, as they stand in a statement, with their values.
struct RowKey: Hashable {
  var columns: [String]
  var values: [Value]
}

extension TableMapping {
  /// The place of a column by its name.
  func index(ofColumn name: String) -> Int? {
    columns.firstIndex { $0.column.name.isSQLName(name) }
  }
}

extension ColumnContents {
  /// A value of a property as the column stores it; `nil` where it cannot hold it.
  func stored(_ value: Value) -> Value? {
    switch (self, value) {
    case (_, .null), (.int, .int), (.string, .string), (.data, .data), (.mixed, .int),
      (.mixed, .string), (.mixed, .data), (.mixed, .double), (.double, .double),
      (.float, .float), (.uuid, .uuid), (.decimal128, .decimal128):
      return value
    case (.bool, .bool(let flag)): return .int(flag ? 1 : 0)
    case (.date(let form), .date(let time)): return form.text(time).map(Value.string)
    case (.bool, _), (.int, _), (.double, _), (.string, _), (.data, _), (.date, _), (.mixed, _),
      (.float, _), (.uuid, _), (.decimal128, _):
      return nil
    }
  }
}
