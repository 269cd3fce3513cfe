internal import CSQLite3
internal import KennelCore

/// A connection to an SQLite file, for one thread.
///
/// Only this folder knows libsqlite3. A connection that reads changes nothing, and creates nothing beside its
/// file: see ``Access``. What a file says of itself is not trusted: its schema can call no function that
/// reaches beyond it.
@safe package final class SQLiteConnection {
  /// How a file is opened.
  package enum Access: Hashable, Sendable {
    /// With shared locks, as every reader: no writer comes between.
    case locked
    /// Without locks, since they would take files beside it: whoever reads must see afterwards
    /// whether the file changed.
    case unlocked
    /// With a write-ahead log, whose index is read as it is, or made again in memory.
    case withLog
    /// A copy of this program's own, which may be recovered.
    case own
    /// To be changed: foreign keys are enforced.
    case writing
  }

  /// So long a reader waits for a writer.
  private static let mostMilliseconds: CInt = 5_000
  /// A longer value is an error: it would be in memory twice.
  static let mostValueBytes: CInt = 256 << 20
  /// How many steps of its machine SQLite takes between two looks at the clock.
  private static let stepsPerLook: CInt = 20_000

  let handle: OpaquePointer
  /// Whether texts are stored as UTF-16.
  private(set) var isUTF16 = true
  var rowLimit: Int?
  /// The temporary tables with the rows of views, by the names of the views.
  var copies: [String: String] = [:]
  private let deadline = Deadline()

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: The path; links in it are followed.
  ///   - access: How.
  /// - Throws: `SQLError` if it cannot be opened, or is no database.
  package init(_ path: String, _ access: Access) throws(SQLError) {
    let options =
      switch access {
      case .locked: "mode=ro"
      case .unlocked: "mode=ro&immutable=1"
      case .withLog: "mode=ro&readonly_shm=1"
      case .own, .writing: "mode=rw"
      }
    let flags =
      SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
      | (access == .own || access == .writing ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY)
    var opened: OpaquePointer?
    let name = "file:\(Self.escaped(path))?\(options)"
    let code = unsafe sqlite3_open_v2(name, &opened, flags, nil)
    guard code == SQLITE_OK, let opened = unsafe opened else {
      let error = unsafe Self.error(code, opened)
      unsafe sqlite3_close_v2(opened)
      throw error
    }
    unsafe handle = opened
    unsafe sqlite3_extended_result_codes(handle, 1)
    unsafe sqlite3_busy_timeout(handle, Self.mostMilliseconds)
    unsafe sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Self.mostValueBytes)
    unsafe kennel_sqlite_distrust(handle)
    try run("PRAGMA cell_size_check = ON")
    if access == .writing { try run("PRAGMA foreign_keys = ON") }
    let encoding = try prepare("PRAGMA encoding")
    if try encoding.step() { isUTF16 = encoding.text(0).hasPrefix("UTF-16") }
  }

  deinit { unsafe sqlite3_close_v2(handle) }

  /// The path in a URI.
  private static func escaped(_ path: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in path.utf8 {
      let isPlain = (33...126).contains(byte) && !"%?#".utf8.contains(byte)
      bytes +=
        isPlain ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    // Of two slashes at the beginning, a host would follow.
    return (path.hasPrefix("/") ? "//" : "") + String(decoding: bytes, as: UTF8.self)
  }

  // MARK: - Statements

  /// Runs a statement without a result.
  func run(_ text: String) throws(SQLError) {
    let statement = try prepare(text)
    while try statement.step() {}
  }

  /// Prepares a statement.
  ///
  /// - Parameters:
  ///   - text: The statement; names in it are quoted by `quotedSQLName`.
  ///   - values: The values of its parameters.
  /// - Returns: The statement, before its first row.
  /// - Throws: `SQLError` if it cannot be run.
  package func prepare(_ text: String, _ values: String...) throws(SQLError) -> SQLiteStatement {
    try prepare(text, binding: values.map(Value.string))
  }

  func prepare(_ text: String, binding values: [Value]) throws(SQLError) -> SQLiteStatement {
    var statement: OpaquePointer?
    let code = unsafe sqlite3_prepare_v2(handle, text, -1, &statement, nil)
    guard code == SQLITE_OK, let statement = unsafe statement else { throw error(code) }
    let prepared = unsafe SQLiteStatement(statement, self)
    if !values.isEmpty { try prepared.bind(values) }
    return prepared
  }

  /// Has statements end with an error after a time; `nil` gives them all the time.
  ///
  /// One that writes must not end so: SQLite would end the transaction.
  func limitTime(to end: ContinuousClock.Instant?) {
    guard let end else { return unsafe sqlite3_progress_handler(handle, 0, nil, nil) }
    deadline.end = end
    unsafe sqlite3_progress_handler(
      handle,
      Self.stepsPerLook,
      { pointer in
        guard let pointer = unsafe pointer else { return 0 }
        return unsafe Unmanaged<Deadline>.fromOpaque(pointer).takeUnretainedValue().isOver ? 1 : 0
      },
      Unmanaged.passUnretained(deadline).toOpaque()
    )
  }

  /// The end of the time that statements have.
  private final class Deadline {
    var end = ContinuousClock.now
    var isOver: Bool { .now > end }
  }

  /// How many rows the last statement changed by itself.
  var changedCount: Int64 { unsafe sqlite3_changes64(handle) }

  /// How many rows all statements changed, with triggers and the actions of foreign keys.
  var totalChangedCount: Int64 { unsafe sqlite3_total_changes64(handle) }

  // MARK: - Errors

  /// The message of the last call.
  func error(_ code: CInt) -> SQLError {
    unsafe Self.error(code, handle)
  }

  private static func error(_ code: CInt, _ handle: OpaquePointer?) -> SQLError {
    if kennel_sqlite_needs_recovery(code) != 0 {
      return SQLError(.needsRecovery, "a program that wrote it was interrupted")
    }
    if kennel_sqlite_is_refusal(code) != 0, let handle = unsafe handle {
      return SQLError(.refused, unsafe String(cString: sqlite3_errmsg(handle)))
    }
    // Without a connection, there was no memory for one.
    let text = unsafe String(cString: handle == nil ? sqlite3_errstr(code) : sqlite3_errmsg(handle))
    switch code & 0xFF {
    case SQLITE_NOTADB:
      return SQLError(.notADatabase, "it is not an SQLite database, or it is encrypted")
    case SQLITE_CORRUPT: return SQLError(.damaged, "it is damaged: \(text)")
    case SQLITE_BUSY, SQLITE_LOCKED:
      return SQLError(
        .busy,
        "another program has been writing it for \(mostMilliseconds / 1_000) s"
      )
    case SQLITE_TOOBIG:
      return SQLError(.failed, "it has a value of more than \(mostValueBytes >> 20) MB")
    case SQLITE_READONLY: return SQLError(.failed, "it can only be read")
    case SQLITE_FULL: return SQLError(.failed, "the disk is full")
    case SQLITE_INTERRUPT: return SQLError(.tookTooLong, "it takes too long")
    default: return SQLError(.failed, text)
    }
  }
}
