/// A type of PostgreSQL, by how its values are read.
enum PostgresType: Hashable {
  case bool, int, oid, float, double, text, bytes, uuid
  /// With so many digits at most; `nil` without a limit.
  case numeric(digits: Int?)
  case date, timestamp, timestampWithZone
  /// Any other, which is read as the server's own text.
  case other

  /// The type of the values of a column.
  init(_ column: CatalogColumn) {
    self.init(named: column.baseType ?? column.declaredType)
  }

  /// A type by the name that the server gives it; one of another schema than `pg_catalog` has a point.
  private init(named name: String) {
    let stem = name.prefix { $0 != "(" }
    let rest = name.dropFirst(stem.count)
    let modifier = rest.prefix { $0 != ")" }.dropFirst()
    self =
      switch stem + rest.dropFirst(modifier.count + 2) {
      case "boolean": .bool
      case "smallint", "integer", "bigint": .int
      case "oid": .oid
      case "real": .float
      case "double precision": .double
      case "text", "character varying", "character", "bpchar", "name": .text
      case "bytea": .bytes
      case "uuid": .uuid
      case "numeric": .numeric(digits: modifier.split(separator: ",").first.flatMap { Int($0) })
      case "date": .date
      case "timestamp without time zone": .timestamp
      case "timestamp with time zone": .timestampWithZone
      default: .other
      }
  }

  /// The form of values that all fit, or of those of which some do not.
  func form(fits: Bool) -> ColumnContents {
    switch self {
    case .bool: .bool
    case .int, .oid: .int
    case .float: .float
    case .double: .double
    case .text, .other: fits ? .string : .mixed
    case .bytes: .data
    case .uuid: .uuid
    case .numeric: fits ? .decimal128 : .string
    case .date: fits ? .date(DateForm()) : .string
    case .timestamp, .timestampWithZone:
      fits
        ? .date(
          DateForm(
            separator: UInt8(ascii: " "),
            fractionDigits: 6,
            hasZone: self == .timestampWithZone
          )
        ) : .string
    }
  }

  /// The condition that a value fits; `nil` where all do.
  ///
  /// - Parameters:
  ///   - value: The value in SQL.
  ///   - hasAnyBytes: Whether a text may have bytes that are no text.
  /// - Returns: The condition.
  func condition(_ value: String, hasAnyBytes: Bool) -> String? {
    switch self {
    case .bool, .int, .oid, .float, .double, .bytes, .uuid: nil
    case .text, .other:
      hasAnyBytes ? "\(value)::pg_catalog.text OPERATOR(pg_catalog.!~) '[^\\x01-\\x7F]'" : nil
    case .numeric(let digits?) where digits <= Self.mostDigits: nil
    case .numeric:
      // Of a number that is none or infinite, there is no scale.
      "pg_catalog.length(pg_catalog.ltrim(pg_catalog.translate(\(value)::pg_catalog.text, '-.', ''), "
        + "'0')) OPERATOR(pg_catalog.<=) \(Self.mostDigits) "
        + "AND coalesce(pg_catalog.scale(\(value)), 0) OPERATOR(pg_catalog.<=) \(Self.mostScale)"
    case .date: Self.isBetween(value, "date")
    case .timestamp: Self.isBetween(value, "timestamp")
    case .timestampWithZone: Self.isBetween(value, "timestamptz", zone: "+00")
    }
  }

  /// The digits of a decimal number.
  private static let mostDigits = 34
  /// Below the greatest negative exponent of a decimal number with all its digits.
  private static let mostScale = 6_000

  /// The condition that a point in time lies in years of four digits.
  private static func isBetween(_ value: String, _ type: String, zone: String = "") -> String {
    let time = zone.isEmpty ? "" : " 00:00:00" + zone
    return "\(value) OPERATOR(pg_catalog.>=) pg_catalog.\(type) '0001-01-01\(time)' "
      + "AND \(value) OPERATOR(pg_catalog.<) pg_catalog.\(type) '10000-01-01\(time)'"
  }
}
