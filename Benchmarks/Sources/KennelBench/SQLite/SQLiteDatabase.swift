import CSQLite

/// A connection to an SQLite file, set up as for a program that wants both speed and durability.
///
/// Safe to use: it owns its connection.
@safe final class SQLiteDatabase {
  private var handle: OpaquePointer?

  /// Says once in a process how SQLite is to work.
  private static let isConfigured = sqlite3_stop_counting_memory() == SQLITE_OK

  /// Opens a file: write-ahead log, synced at each commit, 256 MB of cache, 1 GB of mapped file.
  init(_ path: String) throws {
    guard Self.isConfigured else { throw BenchmarkError("SQLite cannot be configured") }
    let code = unsafe sqlite3_open_v2(
      path,
      &handle,
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
      nil
    )
    guard code == SQLITE_OK else { throw BenchmarkError("SQLite cannot open \(path): \(code)") }
    try execute(
      """
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA cache_size = -262144;
      PRAGMA mmap_size = 1073741824;
      PRAGMA foreign_keys = ON;
      """
    )
  }

  deinit { unsafe sqlite3_close(handle) }

  /// Runs statements that give nothing back.
  func execute(_ sql: String) throws {
    guard unsafe sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw error(sql) }
  }

  /// Runs a body in one transaction that writes.
  func write(_ body: () throws -> Void) throws {
    try run("BEGIN IMMEDIATE", body)
  }

  /// Runs a body in one transaction that sees one state, and takes its locks once.
  func read<Result>(_ body: () throws -> Result) throws -> Result {
    try run("BEGIN", body)
  }

  private func run<Result>(_ begin: String, _ body: () throws -> Result) throws -> Result {
    try execute(begin)
    do {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      try? execute("ROLLBACK")
      throw error
    }
  }

  /// Prepares a statement.
  func prepare(_ sql: String) throws -> SQLiteStatement {
    var statement: OpaquePointer?
    guard
      unsafe sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        == SQLITE_OK, let statement = unsafe statement
    else { throw error(sql) }
    return unsafe SQLiteStatement(statement, of: self)
  }

  /// The first integer of the only answer.
  func integer(_ sql: String) throws -> Int64 {
    let statement = try prepare(sql)
    return try statement.next() ? statement.integer(0) : 0
  }

  /// The size of the file; a small one still lies in the log.
  func fileBytes() throws -> Int {
    Int(try integer("PRAGMA page_count") * integer("PRAGMA page_size"))
  }

  /// A part of a blob, read without the rest.
  func data(
    _ table: String,
    _ column: String,
    of id: Int64,
    in range: Range<Int>
  ) throws -> [UInt8] {
    var blob: OpaquePointer?
    guard unsafe sqlite3_blob_open(handle, "main", table, column, id, 0, &blob) == SQLITE_OK else {
      throw error("opening a blob")
    }
    defer { unsafe sqlite3_blob_close(blob) }
    var code = SQLITE_OK
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      code = unsafe sqlite3_blob_read(
        blob,
        buffer.baseAddress,
        Int32(range.count),
        Int32(range.lowerBound)
      )
      count = code == SQLITE_OK ? range.count : 0
    }
    guard code == SQLITE_OK else { throw error("reading a blob") }
    return bytes
  }

  /// What went wrong last, as a sentence.
  func error(_ action: String) -> BenchmarkError {
    BenchmarkError(unsafe "SQLite: \(String(cString: sqlite3_errmsg(handle))) in '\(action)'")
  }
}
