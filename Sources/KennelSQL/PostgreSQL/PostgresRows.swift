internal import KennelCore

/// The rows of a query of PostgreSQL.
final class PostgresRows: SQLRows {
  /// The seconds from 1970 to 2000, from which PostgreSQL counts.
  private static let epoch: Int64 = 946_684_800

  private var reader: CopyReader
  private let forms: [ColumnContents?]

  /// - Parameters:
  ///   - query: The query.
  ///   - connection: The connection, for nothing else until the last row is read.
  ///   - mostBytes: More bytes are an error.
  /// - Throws: `SQLError` if the query cannot be run.
  init(_ query: RowQuery, _ connection: PostgresConnection, mostBytes: Int) throws(SQLError) {
    forms = query.columns
    reader = CopyReader(connection, columnCount: forms.count, mostBytes: mostBytes)
    try connection.copy(query.text)
  }

  func step() throws(SQLError) -> Bool { try reader.step() }

  func finish() throws(SQLError) {
    while try reader.step() {}
  }

  func isNull(_ column: Int) -> Bool { reader.fields[column] == nil }

  func integer(_ column: Int) -> Int64 {
    guard let field = reader.fields[column] else { return 0 }
    let word = reader.word(field)
    return switch field.count {
    case 2: Int64(Int16(truncatingIfNeeded: word))
    case 4: Int64(Int32(truncatingIfNeeded: word))
    default: Int64(bitPattern: word)
    }
  }

  func float(_ column: Int) -> Float {
    Float(bitPattern: UInt32(truncatingIfNeeded: reader.number(column)))
  }

  func real(_ column: Int) -> Double {
    Double(bitPattern: reader.number(column))
  }

  func text(_ column: Int) -> String {
    String(decoding: reader.bytes(column), as: UTF8.self)
  }

  func bytes(_ column: Int) -> [UInt8] {
    Array(reader.bytes(column))
  }

  /// A day since 2000, or a microsecond; the greatest and the least stand for infinity.
  func timestamp(_ column: Int) -> Timestamp? {
    guard let field = reader.fields[column] else { return nil }
    let number = integer(column)
    if field.count == 4 {
      guard number != Int32.max, number != Int32.min else { return nil }
      return Timestamp(seconds: number * 86_400 + Self.epoch)
    }
    guard number != .max, number != .min else { return nil }
    var (seconds, rest) = number.quotientAndRemainder(dividingBy: 1_000_000)
    if rest < 0 { (seconds, rest) = (seconds - 1, rest + 1_000_000) }
    return Timestamp(seconds: seconds + Self.epoch, nanoseconds: UInt32(rest) * 1_000)
  }

  func uuid(_ column: Int) -> UUIDValue? {
    guard let field = reader.fields[column], field.count == 16 else { return nil }
    return UUIDValue(high: reader.word(field.prefix(8)), low: reader.word(field.suffix(8)))
  }

  func decimal(_ column: Int) -> Decimal128? { Decimal128(text(column)) }

  func value(_ column: Int) -> Value {
    if isNull(column) { return .null }
    return switch forms[column] {
    case nil, .int: .int(integer(column))
    case .bool: .bool(integer(column) != 0)
    case .float: .float(float(column))
    case .double: .double(real(column))
    case .string: .string(text(column))
    case .data: .data(bytes(column))
    case .date: timestamp(column).map(Value.date) ?? .null
    case .uuid: uuid(column).map(Value.uuid) ?? .null
    case .decimal128: decimal(column).map(Value.decimal128) ?? .null
    // Texts of a server that stores any bytes as text.
    case .mixed:
      String(validating: bytes(column), as: UTF8.self).map(Value.string) ?? .data(bytes(column))
    }
  }
}
