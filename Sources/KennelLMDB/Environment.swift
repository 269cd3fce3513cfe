import CLMDB
import Glibc
import Synchronization

/// An open file: LMDB's environment, our map of it, and the thread that writes.
///
/// There is one per file and process, because closing any descriptor of a lock file
/// drops all locks that the process has on it: a registry by device and inode hands
/// the same object to everybody who opens the file (`Environment+Opening.swift`).
///
/// Who does what:
///
/// | | LMDB | ours |
/// |---|---|---|
/// | reader table | pins a snapshot | takes its roots from the meta page |
/// | reading pages | never | through `map`, bounds-checked (KennelStorage/Pages) |
/// | writer lock, allocation, commit | all | only the thread it happens on |
///
/// Safe to use: LMDB's handle is closed when nobody has the environment open and nothing reads or writes.
@safe package final class Environment: @unchecked Sendable {
  /// What the caller wants to do with the file.
  package enum Access: Sendable {
    case readWrite
    case readOnly
  }

  /// Why a file can only be read.
  package enum ReadOnlyReason: Equatable, Sendable {
    case requested
    case permissions
    case readOnlyFileSystem
  }

  /// Places for readers in the lock file.
  package static let readerLimit = 1024
  /// LMDB's limit for keys, in bytes.
  package static let maximumKeyByteCount = 511

  package let path: String
  package let readOnlyReason: ReadOnlyReason?
  package let pageSize: Int

  let handle: Handle
  let hold: FileHold
  private let forkCount = ForkCount.current
  let writer = WriterThread()
  /// Makes commits last; `nil` where the file can only be read.
  let singleSync: SingleSyncCommit?
  /// The commit that opening the file has undone, since it had not reached the disk when the machine
  /// stopped.
  package let undoneCommit: UInt64?
  /// The map made at opening: its meta pages can be looked at without a lock.
  private let firstMap: FileMap
  let state: Mutex<State>

  /// What changes, under one lock.
  ///
  /// Safe to use: its handles are used under that lock, or taken out of it.
  @safe struct State: @unchecked Sendable {
    /// How many times the environment was opened and not closed.
    var users = 1
    var pins = 0
    /// Transactions begun or being begun, also those whose caller gave up waiting.
    var writes = 0
    var isShut = false
    /// The whole-file check was passed, or the file is new.
    var isChecked: Bool
    /// The addresses that LMDB has for the file.
    var mapSizeInBytes: Int
    /// A write met the end of the map; the next one finds a larger one.
    var needsLargerMap = false
    /// Our newest map; older ones live in their pins.
    var map: FileMap
    /// Read transactions at rest, which keep their place in the reader table.
    var idle: [Handle] = []
    /// LMDB's handles of the trees, once a commit has made them last.
    var trees: [MDB_dbi] = []
  }

  /// A pointer of LMDB's.
  ///
  /// Safe to hand around: whoever gives it to LMDB says so.
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

  /// The two meta pages, in the map that lives as long as the environment.
  var metaPages: UnsafeRawPointer { unsafe firstMap.base }

  package var canWrite: Bool { readOnlyReason == nil }

  package var mapSizeInBytes: Int { state.withLock { $0.mapSizeInBytes } }

  /// Whether the whole-file check was passed in this process.
  ///
  /// Without it there is no writing.
  package var isChecked: Bool { state.withLock { $0.isChecked } }

  package func markChecked() {
    state.withLock { $0.isChecked = true }
  }

  /// The number of the newest commit, from whatever process.
  ///
  /// Free: no lock, no system call.
  package func latestTransactionID() -> UInt64 {
    let offset = MetaPage.transactionIDOffset
    let even = unsafe firstMap.base.load(fromByteOffset: offset, as: UInt64.self)
    let odd = unsafe firstMap.base.load(fromByteOffset: pageSize + offset, as: UInt64.self)
    return max(even, odd)
  }

  /// What became of the file's name: ``LMDBError/Problem/replacedOnDisk``,
  /// ``LMDBError/Problem/goneFromDisk``, or `nil` where it still leads to the file.
  package var displacement: LMDBError.Problem? {
    guard let found = FileIdentity(path: path) else { return .goneFromDisk }
    return found == identity ? nil : .replacedOnDisk
  }

  /// The size of the file now.
  package var fileSizeInBytes: Int {
    FileFacts(descriptor: descriptor)?.byteCount ?? 0
  }

  /// Frees the places of readers whose process has died, which pin old pages.
  ///
  /// Returns how many.
  @discardableResult
  package func clearDeadReaders() -> Int {
    var count: Int32 = 0
    return unsafe mdb_reader_check(handle.raw, &count) == 0 ? Int(count) : 0
  }

  /// Reads bytes of the file without the map, so that a cut file is an error and not a signal.
  ///
  /// Returns how many bytes were read; fewer than asked for at the end of the file.
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

  /// The number of the oldest commit that somebody has pinned, in whatever process; `nil` where nobody
  /// has.
  ///
  /// Linear in the number of readers.
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

  /// A child after a fork shares the parent's places and locks: it must not touch them.
  func requireOwnProcess(_ operation: LMDBError.Operation) throws(LMDBError) {
    if !isOwnProcess { throw error(.forkedChild, operation) }
  }
}
