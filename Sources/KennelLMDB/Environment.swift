import CLMDB
import Glibc
import Synchronization

/// An open file: LMDB's environment, Kennel's map of the file, and the writer thread.
///
/// A process has one per file, because closing any descriptor of a lock file drops all locks of the
/// process on it. A registry by device and inode returns the same object each time a file is opened
/// (`Environment+Opening.swift`).
///
/// What LMDB does and what Kennel does:
///
/// | | LMDB | ours |
/// |---|---|---|
/// | reader table | pins a snapshot | takes its roots from the meta page |
/// | reading pages | never | through `map`, bounds-checked (KennelStorage/Pages) |
/// | writer lock, allocation, commit | all | only the thread it happens on |
///
/// Safe to use: LMDB's handle is closed when no user, reader or writer is left.
@safe package final class Environment: @unchecked Sendable {
  /// How the caller uses the file.
  package enum Access: Sendable {
    case readWrite
    case readOnly
  }

  /// Why a file is read-only.
  package enum ReadOnlyReason: Equatable, Sendable {
    case requested
    case permissions
    case readOnlyFileSystem
  }

  /// The number of reader slots in the lock file.
  package static let readerLimit = 1024
  /// LMDB's limit of the size of keys.
  package static let maximumKeyByteCount = 511

  package let path: String
  package let readOnlyReason: ReadOnlyReason?
  package let pageSize: Int

  let handle: Handle
  let hold: FileHold
  private let forkCount = ForkCount.current
  let writer = WriterThread()
  /// Makes commits durable; `nil` if the file is read-only.
  let singleSync: SingleSyncCommit?
  /// The commit that was rolled back when the file was opened, because it had not reached the disk
  /// completely.
  package let undoneCommit: UInt64?
  /// The map made at opening; its meta pages can be read without a lock.
  private let firstMap: FileMap
  let state: Mutex<State>

  /// The mutable state, under one lock.
  ///
  /// Safe to use: its handles are used under that lock or removed from it first.
  @safe struct State: @unchecked Sendable {
    /// How often the environment was opened and not yet closed.
    var users = 1
    var pins = 0
    /// Transactions begun or being begun, including those whose caller timed out.
    var writes = 0
    var isShut = false
    /// Whether the whole file passed the check, or is new.
    var isChecked: Bool
    /// The size of LMDB's map.
    var mapSizeInBytes: Int
    /// Whether a write reached the end of the map; the next one gets a larger map.
    var needsLargerMap = false
    /// Kennel's newest map; pins keep older ones.
    var map: FileMap
    /// Idle read transactions, which keep their slots in the reader table.
    var idle: [Handle] = []
    /// LMDB's handles of the trees, once they are committed.
    var trees: [MDB_dbi] = []
  }

  /// A pointer to an object of LMDB.
  ///
  /// Safe to pass around: only using the pointer is unsafe.
  @safe struct Handle: @unchecked Sendable {
    let raw: OpaquePointer
  }

  init(
    path: String,
    readOnlyReason: ReadOnlyReason?,
    pageSize: Int,
    handle: Handle,
    hold: FileHold,
    singleSync: SingleSyncCommit?,
    undoneCommit: UInt64?,
    state: State
  ) {
    self.path = path
    self.readOnlyReason = readOnlyReason
    self.pageSize = pageSize
    self.handle = handle
    self.hold = hold
    self.singleSync = singleSync
    self.undoneCommit = undoneCommit
    firstMap = state.map
    self.state = Mutex(state)
  }

  var descriptor: Int32 { hold.descriptor }
  var identity: FileIdentity { hold.identity }

  /// The two meta pages, in a map that lives as long as the environment.
  var metaPages: UnsafeRawPointer { unsafe firstMap.base }

  package var canWrite: Bool { readOnlyReason == nil }

  package var mapSizeInBytes: Int { state.withLock { $0.mapSizeInBytes } }

  /// Whether the whole file passed the check in this process.
  ///
  /// Writing requires it.
  package var isChecked: Bool { state.withLock { $0.isChecked } }

  package func markChecked() {
    state.withLock { $0.isChecked = true }
  }

  /// The number of the newest commit of any process.
  ///
  /// Needs no lock and no system call.
  package func latestTransactionID() -> UInt64 {
    let offset = MetaPage.transactionIDOffset
    let even = unsafe firstMap.base.load(fromByteOffset: offset, as: UInt64.self)
    let odd = unsafe firstMap.base.load(fromByteOffset: pageSize + offset, as: UInt64.self)
    return max(even, odd)
  }

  /// Whether the name still leads to the file: ``LMDBError/Problem/replacedOnDisk``,
  /// ``LMDBError/Problem/goneFromDisk``, or `nil` if it does.
  package var displacement: LMDBError.Problem? {
    guard let found = FileIdentity(path: path) else { return .goneFromDisk }
    return found == identity ? nil : .replacedOnDisk
  }

  /// The current size of the file.
  package var fileSizeInBytes: Int {
    FileFacts(descriptor: descriptor)?.byteCount ?? 0
  }

  /// Frees the slots of readers whose process died, because they pin old pages.
  ///
  /// Returns how many.
  @discardableResult
  package func clearDeadReaders() -> Int {
    var count: Int32 = 0
    return unsafe mdb_reader_check(handle.raw, &count) == 0 ? Int(count) : 0
  }

  /// Reads bytes without the map, so that a truncated file is an error, not a signal.
  ///
  /// Returns the number of bytes read, which is smaller at the end of the file.
  package func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    var total = 0
    while total < buffer.count, let base = buffer.baseAddress {
      let count = unsafe pread(
        descriptor,
        base + total,
        buffer.count - total,
        off_t(offset + total)
      )
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { break }
      total += count
    }
    return total
  }

  /// The number of the oldest commit that any process has pinned, or `nil`.
  ///
  /// - Complexity: O(*n*), where *n* is the number of readers.
  package func oldestPinnedTransactionID() -> UInt64? {
    var oldest = UInt64.max
    // A line for each place: process, thread and commit, or a dash for a place at rest.
    _ = unsafe mdb_reader_list(
      handle.raw,
      { line, oldest in
        guard let line = unsafe line,
          let oldest = unsafe oldest?.assumingMemoryBound(to: UInt64.self)
        else { return 0 }
        let words = unsafe String(cString: line).split(whereSeparator: \.isWhitespace)
        if let commit = words.last.flatMap({ UInt64($0) }) {
          unsafe oldest.pointee = min(oldest.pointee, commit)
        }
        return 0
      },
      &oldest
    )
    return oldest == .max ? nil : oldest
  }

  func error(_ problem: LMDBError.Problem, _ operation: LMDBError.Operation) -> LMDBError {
    LMDBError(problem, operation, path: path)
  }

  func error(code: Int32, _ operation: LMDBError.Operation) -> LMDBError {
    LMDBError(code: code, operation, path: path)
  }

  var isOwnProcess: Bool { ForkCount.current == forkCount }

  /// A forked child shares its parent's slots and locks and must not use them.
  func requireOwnProcess(_ operation: LMDBError.Operation) throws(LMDBError) {
    if !isOwnProcess { throw error(.forkedChild, operation) }
  }
}
