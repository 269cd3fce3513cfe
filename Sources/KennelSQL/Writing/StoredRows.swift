internal import KennelCore

/// The rows that the objects of a copy are: the value of each column as the database stores it.
struct StoredRows: Sendable {
  let mapping: SQLMapping
  /// The places of the tables, in their order.
  let places: [RowPlaces]
  private let tables: [ClassKey: Int]
  /// A value that leads to itself has no other.
  private static let mostSteps = 64

  /// - Throws: `SQLError` if a database has other classes.
  init(_ mapping: SQLMapping, _ schema: Schema) throws(SQLError) {
    self.mapping = mapping
    var places: [RowPlaces] = []
    for table in mapping.tables { places.append(try RowPlaces(table, mapping, schema)) }
    self.places = places
    tables = Dictionary(places.enumerated().map { ($1.classKey, $0) }) { first, _ in first }
  }

  /// The place of the table of an object.
  func table(of object: ObjectIdentity) throws(SQLError) -> Int {
    guard let table = tables[object.classKey] else { throw RowPlaces.differs }
    return table
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
    if let link = places[table].columnLinks[column] {
      return try value(object, link: link, 0, in: reader, steps: steps)
    }
    return try stored(
      reader.value(of: object, property: places[table].columns[column]),
      table,
      column
    )
  }

  /// A value of a property as its column stores it.
  ///
  /// - Throws: `SQLError` if the column cannot hold it.
  func stored(_ value: Value, _ table: Int, _ column: Int) throws(SQLError) -> Value {
    guard let stored = mapping.tables[table].columns[column].form.stored(value) else {
      let name =
        "\(mapping.tables[table].className).\(mapping.tables[table].columns[column].property)"
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
    let place = places[table].links[link]
    if let target = try reader.value(of: object, property: place.property).links.first {
      guard steps < Self.mostSteps, let column = place.targetColumns[position] else {
        let name = mapping.tables[table].links[link].targetColumns[position]
        throw SQLError(.refused, "\(name) of \(reader.describe(target)) has no value")
      }
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
    let index = try self.table(of: object)
    if mapping.tables[index].table.primaryKey.isEmpty {
      let table = mapping.tables[index]
      guard let number = table.table.rowNumber, table.keepsNumbers else {
        throw SQLError(.refused, "no row of \(table.table.name) can be changed: it has no key")
      }
      return RowKey(columns: [number], values: [.int(Int64(clamping: object.key.rawValue))])
    }
    var key = RowKey()
    for (name, column) in places[index].primaryKey {
      key.columns.append(name)
      key.values.append(try value(object, column, in: reader))
    }
    return key
  }
}

/// The columns that name a row, as they stand in a statement, with their values.
struct RowKey: Hashable {
  var columns: [String] = []
  var values: [Value] = []
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
