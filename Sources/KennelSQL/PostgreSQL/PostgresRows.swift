internal import KennelCore

/// The rows of a query in the binary format of PostgreSQL's `COPY`.
///
/// Each length that the server gives is checked before it is used.
final class PostgresRows: SQLRows {
  private static let signature = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00]
  /// Bytes that were read are thrown away when there are so many.
  private static let mostRead = 1 << 20
  /// The seconds from 1970 to 2000, from which PostgreSQL counts.
  private static let epoch: Int64 = 946_684_800

  private let connection: PostgresConnection
  private let forms: [ColumnContents?]
  private let mostBytes: Int
  /// Bytes that came and are not read yet, from a position on; before it lies the present row.
  private var buffer: [UInt8] = []
  private var position = 0
  private var byteCount = 0
  private var hasHeader = false
  private var isAtEnd = false
  /// Where the values of the present row lie; `nil` for null.
  private var fields: [Range<Int>?] = []

  /// - Parameters:
  ///   - query: The query.
  ///   - connection: The connection, for nothing else until the last row is read.
  ///   - mostBytes: More bytes are an error.
  /// - Throws: `SQLError` if the query cannot be run.
  init(_ query: RowQuery, _ connection: PostgresConnection, mostBytes: Int) throws(SQLError) {
    self.connection = connection
    self.mostBytes = mostBytes
    forms = query.columns
    try connection.copy(query.text)
  }

  func step() throws(SQLError) -> Bool {
    if isAtEnd { return false }
    if position == buffer.count {
      buffer.removeAll(keepingCapacity: true)
      position = 0
    } else if position > Self.mostRead {
      buffer.removeFirst(position)
      position = 0
    }
    if !hasHeader { try readHeader() }
    let count = Int16(truncatingIfNeeded: try number(bytes: 2))
    if count == -1 {
      while try connection.readCopy(into: &buffer) {}
      isAtEnd = true
      return false
    }
    guard count == forms.count else { throw Self.malformed }
    fields.removeAll(keepingCapacity: true)
    for _ in forms {
      let length = Int32(truncatingIfNeeded: try number(bytes: 4))
      if length == -1 {
        fields.append(nil)
        continue
      }
      guard length >= 0 else { throw Self.malformed }
      try need(Int(length))
      fields.append(position..<position + Int(length))
      position += Int(length)
    }
    return true
  }

  private func readHeader() throws(SQLError) {
    try need(Self.signature.count)
    guard buffer[position..<position + Self.signature.count].elementsEqual(Self.signature) else {
      throw Self.malformed
    }
    position += Self.signature.count
    let flags = try number(bytes: 4)
    // The upper flags change the format.
    guard flags >> 16 == 0 else { throw Self.malformed }
    let length = Int(try number(bytes: 4))
    try need(length)
    position += length
    hasHeader = true
  }

  private static var malformed: SQLError {
    SQLError(.failed, "the server sent what is no row")
  }

  /// Reads until so many bytes are there.
  private func need(_ count: Int) throws(SQLError) {
    while buffer.count - position < count {
      let before = buffer.count
      guard try connection.readCopy(into: &buffer) else { throw Self.malformed }
      byteCount += buffer.count - before
      guard byteCount <= mostBytes else {
        throw SQLError(.tooLarge, "it has more than \(mostBytes >> 20) MB")
      }
    }
  }

  private func number(bytes count: Int) throws(SQLError) -> UInt64 {
    try need(count)
    defer { position += count }
    return word(position..<position + count)
  }

  /// A number of at most eight bytes, the highest first.
  private func word(_ range: Range<Int>) -> UInt64 {
    var word: UInt64 = 0
    for index in range.prefix(8) { word = word << 8 | UInt64(buffer[index]) }
    return word
  }

  // MARK: - Values

  func isNull(_ column: Int) -> Bool { fields[column] == nil }

  func integer(_ column: Int) -> Int64 {
    guard let field = fields[column] else { return 0 }
    let word = word(field)
    return switch field.count {
    case 2: Int64(Int16(truncatingIfNeeded: word))
    case 4: Int64(Int32(truncatingIfNeeded: word))
    default: Int64(bitPattern: word)
    }
  }

  func float(_ column: Int) -> Float {
    Float(bitPattern: UInt32(truncatingIfNeeded: fields[column].map(word) ?? 0))
  }

  func real(_ column: Int) -> Double {
    Double(bitPattern: fields[column].map(word) ?? 0)
  }

  func text(_ column: Int) -> String {
    fields[column].map { String(decoding: buffer[$0], as: UTF8.self) } ?? ""
  }

  func bytes(_ column: Int) -> [UInt8] {
    fields[column].map { Array(buffer[$0]) } ?? []
  }

  /// A day since 2000, or a microsecond; the greatest and the least stand for infinity.
  func timestamp(_ column: Int) -> Timestamp? {
    guard let field = fields[column] else { return nil }
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
    guard let field = fields[column], field.count == 16 else { return nil }
    return UUIDValue(high: word(field.prefix(8)), low: word(field.suffix(8)))
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
