import CSQLite

/// A prepared statement.
///
/// What is bound is not copied: it has to stay where it is until the statement is run.
///
/// Safe to use: it owns what was prepared and keeps its connection.
@safe final class SQLiteStatement {
  private let handle: OpaquePointer
  private let database: SQLiteDatabase

  init(_ handle: OpaquePointer, of database: SQLiteDatabase) {
    unsafe self.handle = handle
    self.database = database
  }

  deinit { unsafe sqlite3_finalize(handle) }

  @inline(__always)
  func bind(_ index: Int32, _ value: Int64) {
    unsafe sqlite3_bind_int64(handle, index, value)
  }

  @inline(__always)
  func bind(_ index: Int32, _ value: Double) {
    unsafe sqlite3_bind_double(handle, index, value)
  }

  @inline(__always)
  func bindNull(_ index: Int32) {
    unsafe sqlite3_bind_null(handle, index)
  }

  @inline(__always)
  func bind(_ index: Int32, _ text: StaticString) {
    unsafe text.utf8Start.withMemoryRebound(to: CChar.self, capacity: text.utf8CodeUnitCount) {
      _ = unsafe sqlite3_bind_text(handle, index, $0, Int32(text.utf8CodeUnitCount), nil)
    }
  }

  @inline(__always)
  func bind(_ index: Int32, _ label: LabelBuffer) {
    unsafe sqlite3_bind_text(handle, index, label.characters, label.count, nil)
  }

  /// Binds bytes as data.
  @inline(__always)
  func bind(_ index: Int32, bytes: UnsafeRawBufferPointer) {
    unsafe sqlite3_bind_blob(handle, index, bytes.baseAddress, Int32(bytes.count), nil)
  }

  /// Whether there is another answer.
  @inline(__always)
  func next() throws -> Bool {
    switch unsafe sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw unsafe database.error(String(cString: sqlite3_sql(handle)))
    }
  }

  /// Runs a statement that gives nothing back, and makes it ready to be run again.
  @inline(__always)
  func run() throws {
    let code = unsafe sqlite3_step(handle)
    guard code == SQLITE_DONE || code == SQLITE_ROW else {
      throw unsafe database.error(String(cString: sqlite3_sql(handle)))
    }
    unsafe sqlite3_reset(handle)
  }

  /// Makes it ready to be run again.
  @inline(__always)
  func reset() {
    unsafe sqlite3_reset(handle)
  }

  @inline(__always)
  func integer(_ column: Int32) -> Int64 {
    unsafe sqlite3_column_int64(handle, column)
  }

  @inline(__always)
  func double(_ column: Int32) -> Double {
    unsafe sqlite3_column_double(handle, column)
  }

  func text(_ column: Int32) -> String {
    guard let characters = unsafe sqlite3_column_text(handle, column) else { return "" }
    return unsafe String(cString: characters)
  }
}

/// Memory of its own for a label that is bound without a copy.
///
/// Safe to use: it owns its bytes.
@safe final class LabelBuffer {
  private let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: Label.capacity)
  let characters: UnsafePointer<CChar>?
  private(set) var count: Int32 = 0

  init() {
    unsafe characters = UnsafeRawPointer(buffer.baseAddress)?.assumingMemoryBound(to: CChar.self)
  }

  deinit { unsafe buffer.deallocate() }

  @inline(__always)
  func set(_ prefix: StaticString, _ number: Int) {
    let length = Label.length(prefix, number)
    unsafe Label.write(prefix, number, length: length, into: buffer)
    count = Int32(length)
  }
}
