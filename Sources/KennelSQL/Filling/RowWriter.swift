internal import KennelCore

/// Makes the objects of a table, each with all of its values.
struct RowWriter {
  /// How the value of a column is set.
  private enum Setter {
    case bool(TypedProperty<Bool?>)
    case int(TypedProperty<Int64?>)
    case float(TypedProperty<Float?>)
    case double(TypedProperty<Double?>)
    case string(TypedProperty<String?>)
    case data(TypedProperty<[UInt8]?>)
    case date(TypedProperty<Timestamp?>)
    case uuid(TypedProperty<UUIDValue?>)
    case decimal128(TypedProperty<Decimal128?>)
    case mixed(PropertyKey)
    /// Its value is the key of the target.
    case link(DirectLink)
    /// It is set with the object, or when all objects exist.
    case later
  }

  let classKey: ClassKey
  private let table: TableMapping
  private let transaction: WriteTransaction
  private var setters: [Setter] = []
  /// The place of the primary key among the columns of a row.
  private var primaryKey: (column: Int, property: PropertySchema)?
  private var wholeNumberKey: TypedProperty<Int64>?
  /// The key that the next object gets.
  private var nextKey: UInt64 = 1

  /// - Parameters:
  ///   - table: The table.
  ///   - links: The links whose values are keys of objects that exist, by column.
  ///   - transaction: The transaction.
  /// - Throws: `DatabaseError` if the class is another.
  init(
    _ table: TableMapping,
    links: [Int: DirectLink],
    _ transaction: WriteTransaction
  ) throws {
    self.table = table
    self.transaction = transaction
    let schema = try transaction.schema.require(table.className)
    classKey = schema.key
    for (index, column) in table.columns.enumerated() {
      if column.isPrimaryKey {
        primaryKey = (index, try schema.require(column.property))
        if case .int = column.form {
          wholeNumberKey = try transaction.schema.property(column.property, of: table.className)
        }
        setters.append(.later)
      } else if table.links.contains(where: { $0.column == index }) {
        setters.append(links[index].map(Setter.link) ?? .later)
      } else {
        setters.append(try Self.setter(column, of: schema, transaction))
      }
    }
  }

  private static func setter(
    _ column: ColumnMapping,
    of schema: ClassSchema,
    _ transaction: WriteTransaction
  ) throws(DatabaseError) -> Setter {
    let (name, className, all) = (column.property, schema.name, transaction.schema)
    switch column.form {
    case .bool: return .bool(try all.property(name, of: className))
    case .int: return .int(try all.property(name, of: className))
    case .float: return .float(try all.property(name, of: className))
    case .double: return .double(try all.property(name, of: className))
    case .string: return .string(try all.property(name, of: className))
    case .data: return .data(try all.property(name, of: className))
    case .date: return .date(try all.property(name, of: className))
    case .uuid: return .uuid(try all.property(name, of: className))
    case .decimal128: return .decimal128(try all.property(name, of: className))
    case .mixed: return .mixed(try schema.require(name).key)
    }
  }

  /// Makes the object of a row.
  mutating func write(_ row: some SQLRows) throws {
    let offset = table.table.rowNumber == nil ? 0 : 1
    let object = try create(row, offset)
    for (index, setter) in setters.enumerated() {
      let column = index + offset
      // A new object has nulls.
      if row.isNull(column) { continue }
      switch setter {
      case .later: break
      case .int(let property):
        try transaction.set(object, property: property, to: row.integer(column))
      case .string(let property):
        try transaction.set(object, property: property, to: row.text(column))
      case .double(let property):
        try transaction.set(object, property: property, to: row.real(column))
      case .float(let property):
        try transaction.set(object, property: property, to: row.float(column))
      case .link(let link): try link.set(object, row.integer(column), in: transaction)
      case .bool(let property):
        try transaction.set(object, property: property, to: row.integer(column) != 0)
      case .date(let property):
        let time = try held(row.timestamp(column), index)
        try transaction.set(object, property: property, to: time)
      case .uuid(let property):
        let identifier = try held(row.uuid(column), index)
        try transaction.set(object, property: property, to: identifier)
      case .decimal128(let property):
        let number = try held(row.decimal(column), index)
        try transaction.set(object, property: property, to: number)
      case .data(let property):
        try transaction.set(object, property: property, to: row.bytes(column))
      case .mixed(let property):
        let value = row.value(column)
        try transaction.set(object, property: property, to: value)
      }
    }
  }

  /// A value that the property of a column can hold, as all could when they were looked at.
  private func held<Result>(_ value: Result?, _ column: Int) throws(SQLError) -> Result {
    if let value { return value }
    let name = "\(table.table.name).\(table.columns[column].column.name)"
    throw SQLError(.changed, "\(name) has another value each time it is read")
  }

  private mutating func create(_ row: some SQLRows, _ offset: Int) throws -> ObjectIdentity {
    var key = nextKey
    if table.keepsNumbers { key = UInt64(exactly: row.integer(0)) ?? key }
    let isNext = key == nextKey
    nextKey = key + 1
    if isNext, let wholeNumberKey, let column = primaryKey?.column {
      return try transaction.create(wholeNumberKey, row.integer(column + offset))
    }
    guard let (column, property) = primaryKey else {
      return isNext
        ? try transaction.create(classKey)
        : try transaction.create(classKey, key: ObjectKey(rawValue: key), [:])
    }
    let values = [property.key: row.value(column + offset)]
    return isNext
      ? try transaction.create(classKey, values)
      : try transaction.create(classKey, key: ObjectKey(rawValue: key), values)
  }
}

/// A link whose values are the keys of its targets, which exist.
final class DirectLink {
  private let property: TypedProperty<ObjectIdentity?>
  private let target: ClassKey
  private let dangling: DanglingValues

  init(
    _ property: TypedProperty<ObjectIdentity?>,
    to target: ClassKey,
    _ dangling: DanglingValues
  ) {
    self.property = property
    self.target = target
    self.dangling = dangling
  }

  func set(
    _ object: ObjectIdentity,
    _ number: Int64,
    in transaction: WriteTransaction
  ) throws {
    if number > 0, number < Int64(ObjectKey.firstProvisional) {
      let found = ObjectIdentity(target, ObjectKey(rawValue: UInt64(number)))
      if try transaction.contains(found) {
        return try transaction.set(object, property: property, to: found)
      }
    }
    try dangling.keep([.int(number)], of: object, in: transaction)
  }
}

/// The values of a foreign key that lead nowhere: a property beside the link, which the class has only if
/// there are any.
final class DanglingValues {
  let className: String
  let link: LinkMapping
  private let form: ColumnContents?
  private var property: PropertySchema?
  private(set) var count = 0

  init(_ link: LinkMapping, of table: TableMapping) {
    className = table.className
    self.link = link
    form = link.column.map { table.columns[$0].form }
  }

  /// Keeps the values of an object, one for each column of the key.
  func keep(
    _ values: [Value],
    of object: ObjectIdentity,
    in transaction: WriteTransaction
  ) throws {
    let property = try property ?? define(in: transaction)
    self.property = property
    count += 1
    let value = values.count == 1 ? values[0] : .list(values)
    try transaction.set(object, property: property.key, to: value)
  }

  private func define(in transaction: WriteTransaction) throws -> PropertySchema {
    let known = [.int, .string].contains(form) ? form : nil
    let type = known?.type.optional ?? .mixed
    let properties = [PropertyDefinition(link.danglingProperty, type)]
    try transaction.define([ClassDefinition(className, properties: properties)])
    return try transaction.schema.require(className).require(link.danglingProperty)
  }
}
