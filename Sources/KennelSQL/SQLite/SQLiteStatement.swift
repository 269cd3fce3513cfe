internal import CSQLite3
internal import KennelCore

/// A statement of a connection and its present row.
@safe package final class SQLiteStatement: SQLRows {
  /// How a value is stored.
  enum Storage {
    case null, integer, real, text, blob
  }

  private let statement: OpaquePointer
  private let connection: SQLiteConnection
  private let isUTF16: Bool
  let columnCount: Int

  init(_ statement: OpaquePointer, _ connection: SQLiteConnection) {
    unsafe self.statement = statement
    self.connection = connection
    isUTF16 = connection.isUTF16
    columnCount = Int(unsafe sqlite3_column_count(statement))
  }

  deinit { unsafe sqlite3_finalize(statement) }

  /// Nothing is in the way of another query.
  func finish() {}

  /// Goes to the next row.
  ///
  /// - Returns: Whether there is one.
  /// - Throws: `SQLError` if it cannot be read.
  package func step() throws(SQLError) -> Bool {
    let code = unsafe sqlite3_step(statement)
    if code == SQLITE_ROW { return true }
    guard code == SQLITE_DONE else { throw connection.error(code) }
    return false
  }

  /// Begins anew with other values of its parameters.
  ///
  /// - Throws: `SQLError` if it has no such parameter, or a value is too long.
  func bind(_ values: [Value]) throws(SQLError) {
    unsafe sqlite3_reset(statement)
    for (index, value) in values.enumerated() {
      let code = bind(value, CInt(truncatingIfNeeded: index + 1))
      guard code == SQLITE_OK else { throw connection.error(code) }
    }
  }

  private func bind(_ value: Value, _ index: CInt) -> CInt {
    switch value {
    case .int(let number): unsafe sqlite3_bind_int64(statement, index, number)
    case .double(let number): unsafe sqlite3_bind_double(statement, index, number)
    case .string(var text):
      text.withUTF8 { bytes in
        unsafe bytes.withMemoryRebound(to: CChar.self) { bytes in
          unsafe kennel_sqlite_bind_text(
            statement,
            index,
            bytes.baseAddress,
            CInt(clamping: bytes.count)
          )
        }
      }
    case .data(let data):
      unsafe data.withUnsafeBytes {
        unsafe kennel_sqlite_bind_blob(statement, index, $0.baseAddress, CInt(clamping: $0.count))
      }
    // Whatever else is not among the values of rows.
    default: unsafe sqlite3_bind_null(statement, index)
    }
  }

  /// How the value of a column is stored.
  func storage(_ column: Int) -> Storage {
    switch unsafe sqlite3_column_type(statement, CInt(truncatingIfNeeded: column)) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }

  func isNull(_ column: Int) -> Bool {
    unsafe sqlite3_column_type(statement, CInt(truncatingIfNeeded: column)) == SQLITE_NULL
  }

  func integer(_ column: Int) -> Int64 {
    unsafe sqlite3_column_int64(statement, CInt(truncatingIfNeeded: column))
  }

  func real(_ column: Int) -> Double {
    unsafe sqlite3_column_double(statement, CInt(truncatingIfNeeded: column))
  }

  func timestamp(_ column: Int) -> Timestamp? {
    withText(column) { DateForm.read($0)?.time }
  }

  // SQLite has no values of these types.
  func float(_ column: Int) -> Float { Float(real(column)) }
  func uuid(_ column: Int) -> UUIDValue? { UUIDValue(text(column)) }
  func decimal(_ column: Int) -> Decimal128? { Decimal128(text(column)) }

  /// A text; bytes that are no UTF-8 are replaced.
  package func text(_ column: Int) -> String {
    unsafe String(decoding: textBytes(column), as: UTF8.self)
  }

  /// Runs a body with the UTF-8 bytes of a text.
  func withText<Result>(_ column: Int, _ body: (Span<UInt8>) -> Result) -> Result {
    unsafe body(textBytes(column).span)
  }

  /// The UTF-8 bytes of a text, which are there until the next step.
  private func textBytes(_ column: Int) -> UnsafeBufferPointer<UInt8> {
    let column = CInt(truncatingIfNeeded: column)
    // A text would be copied to end with a zero.
    let isStored = unsafe !isUTF16 && sqlite3_column_type(statement, column) == SQLITE_TEXT
    let start =
      isStored
      ? unsafe sqlite3_column_blob(statement, column)?.assumingMemoryBound(to: UInt8.self)
      : unsafe sqlite3_column_text(statement, column)
    let count = Int(unsafe sqlite3_column_bytes(statement, column))
    return unsafe UnsafeBufferPointer(start: start, count: start == nil ? 0 : count)
  }

  /// The bytes of a blob, or of a text as it is stored.
  func bytes(_ column: Int) -> [UInt8] {
    let column = CInt(truncatingIfNeeded: column)
    let start = unsafe sqlite3_column_blob(statement, column)
    let count = Int(unsafe sqlite3_column_bytes(statement, column))
    return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }

  /// Whether a text is one: a database may hold any bytes as text.
  func isValidText(_ column: Int) -> Bool {
    if isUTF16 {
      // In the order of this machine's bytes, before SQLite replaces what is no text.
      let column = CInt(truncatingIfNeeded: column)
      let start = unsafe sqlite3_column_text16(statement, column)
      let count = Int(unsafe sqlite3_column_bytes16(statement, column)) / 2
      guard let start = unsafe start else { return true }
      let units = unsafe UnsafeRawBufferPointer(start: start, count: count * 2)
      return (0..<count).isValidUTF16 {
        unsafe units.loadUnaligned(fromByteOffset: $0 * 2, as: UInt16.self)
      }
    }
    return unsafe textBytes(column).isValidUTF8
  }

  /// A value as it is stored; a text that is none is bytes.
  func value(_ column: Int) -> Value {
    switch storage(column) {
    case .null: .null
    case .integer: .int(integer(column))
    case .real: .double(real(column))
    case .text:
      isValidText(column) ? .string(text(column)) : .data(bytes(column))
    case .blob: .data(bytes(column))
    }
  }
}

extension Range<Int> {
  /// Whether units of UTF-16 are a text.
  fileprivate func isValidUTF16(_ unit: (Int) -> UInt16) -> Bool {
    var isHigh = false
    for index in self {
      switch unit(index) {
      case 0xD800...0xDBFF:
        if isHigh { return false }
        isHigh = true
      case 0xDC00...0xDFFF:
        if !isHigh { return false }
        isHigh = false
      default:
        if isHigh { return false }
      }
    }
    return !isHigh
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether the bytes are UTF-8; most are ASCII, eight of which are looked at in one step.
  fileprivate var isValidUTF8: Bool {
    let raw = UnsafeRawBufferPointer(self)
    var index = 0
    while index + 8 <= count {
      let word = unsafe raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      if word & 0x8080_8080_8080_8080 != 0 { break }
      index += 8
    }
    while index < count, unsafe self[index] < 0x80 { index += 1 }
    if index == count { return true }
    return unsafe String(validating: UnsafeBufferPointer(rebasing: self[index...]), as: UTF8.self)
      != nil
  }
}
