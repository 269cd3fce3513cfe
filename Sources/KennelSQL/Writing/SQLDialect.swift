internal import KennelCore

/// How an engine writes what differs between the statements of engines.
package enum SQLDialect: Hashable, Sendable {
  case sqlite
  case postgres

  /// A table as it stands in a statement.
  func name(of table: CatalogTable, _ kind: RowChange.Kind) -> String {
    let parts = table.qualifiedName.map { [$0.schema, $0.table] } ?? [table.name]
    let name = parts.map(\.quotedSQLName).joined(separator: ".")
    // The rows of tables that inherit from it are not its own.
    let isAlone = self == .postgres && kind != .insert && !table.isRoot
    return isAlone ? "ONLY \(name)" : name
  }

  /// A column as it is compared with a value that was read.
  func compared(_ column: CatalogColumn) -> String {
    let name = column.name.quotedSQLName
    guard self == .postgres else { return name }
    let type = PostgresType(column)
    if type == .text { return "\(name) COLLATE \"C\"" }
    return type == .other ? "\(name)::pg_catalog.text" : name
  }

  /// Whether a column can hold a value at all; the engine decides the rest.
  func canHold(_ value: Value, in column: CatalogColumn) -> Bool {
    switch (self, value) {
    case (.postgres, .data): PostgresType(column) == .bytes
    case (.postgres, .string(let text)): !text.utf8.contains(0)
    case (.sqlite, .double(let number)): !number.isNaN
    default: true
    }
  }

  /// A parameter of a statement, by its number from 1.
  func parameter(_ number: Int) -> String { self == .sqlite ? "?" : "$\(number)" }

  /// The words between the columns and the values of a row that is inserted.
  var override: String { self == .sqlite ? "" : "OVERRIDING SYSTEM VALUE " }

  /// A value as a literal.
  func literal(_ value: Value) -> String {
    switch (self, value) {
    case (_, .int(let number)): "\(number)"
    case (.sqlite, .double(let number)):
      // There is no literal of an infinite number, but of one that is too large.
      number.isFinite ? "\(number)" : number < 0 ? "-9e999" : "9e999"
    case (.sqlite, .string(let text)) where text.utf8.contains(0):
      "CAST(\(literal(.data(Array(text.utf8)))) AS TEXT)"
    case (.sqlite, .data(let bytes)): "x'\(bytes.valueText.dropFirst(4))'"
    case (.sqlite, .string(let text)): "'\(text.replacing("'", with: "''"))'"
    case (.postgres, _): text(value).map { "'\($0.replacing("'", with: "''"))'" } ?? "NULL"
    case (.sqlite, _): "NULL"
    }
  }

  /// A value as the text of a parameter of PostgreSQL; `nil` for null.
  func text(_ value: Value) -> String? {
    switch value {
    case .int(let number): "\(number)"
    case .float(let number): Self.text(Double(number), "\(number)")
    case .double(let number): Self.text(number, "\(number)")
    case .string(let text): text
    case .data(let bytes): "\\x" + bytes.valueText.dropFirst(4)
    case .uuid(let uuid): "\(uuid)"
    case .decimal128(let number): "\(number)"
    default: nil
    }
  }

  private static func text(_ number: Double, _ digits: String) -> String {
    if number.isNaN { return "NaN" }
    return number.isFinite ? digits : number < 0 ? "-Infinity" : "Infinity"
  }
}
