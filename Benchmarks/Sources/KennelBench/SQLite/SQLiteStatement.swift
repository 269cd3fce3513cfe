import CSQLite

/// A prepared statement.
///
/// What is bound is not copied: it has to stay where it is until the statement is run.
final class SQLiteStatement {
  private let handle: OpaquePointer
  private let database: SQLiteDatabase

  init(_ handle: OpaquePointer, of database: SQLiteDatabase) {
    self.handle = handle
    self.database = database
  }

  deinit { sqlite3_finalize(handle) }

  @inline(__always)
  func bind(_ index: Int32, _ value: Int64) {
    sqlite3_bind_int64(handle, index, value)
  }

  @inline(__always)
  func bind(_ index: Int32, _ value: Double) {
    sqlite3_bind_double(handle, index, value)
  }

  @inline(__always)
  func bindNull(_ index: Int32) {
    sqlite3_bind_null(handle, index)
  }

  @inline(__always)
  func bind(_ index: Int32, _ text: StaticString) {
    text.utf8Start.withMemoryRebound(to: CChar.self, capacity: text.utf8CodeUnitCount) {
      _ = sqlite3_bind_text(handle, index, $0, Int32(text.utf8CodeUnitCount), nil)
    }
  }

  @inline(__always)
  func bind(_ index: Int32, _ label: LabelBuffer) {
    sqlite3_bind_text(handle, index, label.characters, label.count, nil)
  }

  /// Binds bytes as data.
  @inline(__always)
  func bind(_ index: Int32, bytes: UnsafeRawBufferPointer) {
    sqlite3_bind_blob(handle, index, bytes.baseAddress, Int32(bytes.count), nil)
  }

  /// Whether there is another answer.
  @inline(__always)
  func next() throws -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw database.error(String(cString: sqlite3_sql(handle)))
    }
  }

  /// Runs a statement that gives nothing back, and makes it ready to be run again.
  @inline(__always)
  func run() throws {
    let code = sqlite3_step(handle)
    guard code == SQLITE_DONE || code == SQLITE_ROW else {
      throw database.error(String(cString: sqlite3_sql(handle)))
    }
    sqlite3_reset(handle)
  }

  /// Makes it ready to be run again.
  @inline(__always)
  func reset() {
    sqlite3_reset(handle)
  }

  @inline(__always)
  func integer(_ column: Int32) -> Int64 {
    sqlite3_column_int64(handle, column)
  }

  @inline(__always)
  func double(_ column: Int32) -> Double {
    sqlite3_column_double(handle, column)
  }

  func text(_ column: Int32) -> String {
    guard let characters = sqlite3_column_text(handle, column) else { return "" }
    return String(cString: characters)
  }
}

/// Memory of its own for a label that is bound without a copy.
final class LabelBuffer {
  private let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: Label.capacity)
  let characters: UnsafePointer<CChar>?
  private(set) var count: Int32 = 0

  init() {
    characters = UnsafeRawPointer(buffer.baseAddress)?.assumingMemoryBound(to: CChar.self)
  }

  deinit { buffer.deallocate() }

  @inline(__always)
  func set(_ prefix: StaticString, _ number: Int) {
    let length = Label.length(prefix, number)
    Label.write(prefix, number, length: length, into: buffer)
    count = Int32(length)
  }
}
