import CLMDB
import Glibc
import Synchronization

/// The only write transaction of a file across all processes.
///
/// It sees its own changes; others see them after `commit`. If a step fails, the transaction can
/// only be aborted, and the file is unchanged. It can be used from any thread, one at a time.
///
/// Safe to use: a call after the end is an error. Returned bytes are valid until the next change.
@safe package final class WriteTransaction: @unchecked Sendable {
  package let environment: Environment
  /// The number that the commit will have.
  package let transactionID: UInt64
  /// The pages that the commit wrote; `nil` before it, and if they are too many to list.
  package private(set) var writtenPages: [PageRun]?

  @exclusivity(unchecked) private var transaction: OpaquePointer?
  private let trees: [MDB_dbi]
  /// One cursor per tree, opened on first use.
  ///
  /// It stays on its page, so neighbouring keys are found without
  /// a descent.
  ///
  /// LMDB frees them with the transaction.
  @exclusivity(unchecked) private var cursors: [OpaquePointer?]
  @exclusivity(unchecked) private var ends: TreeEnds
  private var failure: LMDBError?
  /// The thread that began it and must end it; `nil` if the writer thread began it.
  private let owner: pthread_t?

  init(
    _ environment: Environment,
    _ transaction: OpaquePointer,
    trees: [MDB_dbi],
    owner: pthread_t?
  ) {
    self.owner = owner
    self.environment = environment
    unsafe self.transaction = transaction
    self.trees = trees
    transactionID = unsafe UInt64(mdb_txn_id(transaction))
    unsafe cursors = Array(repeating: nil, count: trees.count)
    unsafe ends = TreeEnds(count: trees.count)
  }

  deinit { abort() }

  /// Whether the transaction has neither been committed nor aborted.
  package var isAlive: Bool { unsafe transaction != nil }

  // MARK: - Reading

  /// The value of a key, valid until the next change in this transaction.
  ///
  /// - Throws: `LMDBError` if LMDB cannot follow its pages, or the transaction is over.
  package func get(_ tree: Tree, _ key: UInt64) throws(LMDBError) -> UnsafeRawBufferPointer? {
    var key = key
    return try unsafe withUnsafeBytes(of: &key) { (bytes) throws(LMDBError) in
      try unsafe get(tree, key: bytes)
    }
  }

  /// The value of a key, valid until the next change in this transaction.
  ///
  /// - Throws: `LMDBError` if LMDB cannot follow its pages, or the transaction is over.
  package func get(
    _ tree: Tree,
    key: UnsafeRawBufferPointer
  ) throws(LMDBError) -> UnsafeRawBufferPointer? {
    var lmdbKey = unsafe MDB_val(key)
    var value = unsafe MDB_val()
    let code = unsafe mdb_cursor_get(try cursor(tree), &lmdbKey, &value, MDB_SET)
    if code == MDB_NOTFOUND { return nil }
    try require(code, .read)
    return unsafe UnsafeRawBufferPointer(value)
  }

  /// Whether a key is known to be greater than all keys of a tree; false if unknown.
  package func isPastEnd(_ tree: Tree, _ key: UnsafeRawBufferPointer) -> Bool {
    unsafe ends.isKnown(tree) && ends.isPast(tree, key)
  }

  // MARK: - Changing

  /// Stores a value and replaces any other with the same key.
  ///
  /// A key greater than all others is appended: pages are filled completely, and none is searched.
  /// With `append`, any other key is an error.
  ///
  /// - Throws: `LMDBError` if the disk or the map is full, or a key is out of order.
  package func put(
    _ tree: Tree,
    _ key: UInt64,
    _ value: UnsafeRawBufferPointer,
    append: Bool = false
  ) throws(LMDBError) {
    var key = key
    try unsafe withUnsafeBytes(of: &key) { (bytes) throws(LMDBError) in
      try unsafe put(tree, key: bytes, value, append: append)
    }
  }

  /// Stores a value and replaces any other with the same key.
  ///
  /// A key greater than all others is appended: pages are filled completely, and none is searched.
  /// With `append`, any other key is an error.
  ///
  /// - Throws: `LMDBError` if the disk or the map is full, or a key is out of order.
  package func put(
    _ tree: Tree,
    key: UnsafeRawBufferPointer,
    _ value: UnsafeRawBufferPointer,
    append: Bool = false
  ) throws(LMDBError) {
    let flags = try unsafe moveEnd(tree, key) || append ? UInt32(MDB_APPEND) : 0
    var lmdbKey = unsafe MDB_val(key)
    var lmdbValue = unsafe MDB_val(value)
    try unsafe require(mdb_cursor_put(try cursor(tree), &lmdbKey, &lmdbValue, flags), .write)
  }

  /// Reserves `byteCount` bytes for a value, to be filled before the next call to this transaction.
  ///
  /// Appends like ``put(_:_:_:append:)``.
  ///
  /// - Throws: `LMDBError` if the disk or the map is full, or a key is out of order.
  package func reserve(
    _ tree: Tree,
    _ key: UInt64,
    byteCount: Int,
    append: Bool = false
  ) throws(LMDBError) -> UnsafeMutableRawBufferPointer {
    var key = key
    return try unsafe withUnsafeBytes(of: &key) { (bytes) throws(LMDBError) in
      let isAppended = try unsafe moveEnd(tree, bytes) || append
      let flags = UInt32(MDB_RESERVE) | (isAppended ? UInt32(MDB_APPEND) : 0)
      var lmdbKey = unsafe MDB_val(bytes)
      var value = unsafe MDB_val(mv_size: byteCount, mv_data: nil)
      try unsafe require(mdb_cursor_put(try cursor(tree), &lmdbKey, &value, flags), .write)
      return unsafe UnsafeMutableRawBufferPointer(start: value.mv_data, count: byteCount)
    }
  }

  /// Whether a key that is about to be stored is greater than all others of its tree.
  @inline(__always)
  private func moveEnd(
    _ tree: Tree,
    _ key: UnsafeRawBufferPointer
  ) throws(LMDBError) -> Bool {
    if unsafe !ends.isKnown(tree) { try learnEnd(tree) }
    return unsafe ends.advance(tree, to: key)
  }

  @inline(never)
  private func learnEnd(_ tree: Tree) throws(LMDBError) {
    var key = unsafe MDB_val()
    var value = unsafe MDB_val()
    let code = unsafe mdb_cursor_get(try cursor(tree), &key, &value, MDB_LAST)
    if code != MDB_NOTFOUND { try require(code, .read) }
    unsafe ends.set(tree, code == MDB_NOTFOUND ? nil : UnsafeRawBufferPointer(key))
  }

  /// Removes a key.
  ///
  /// Returns false if there was none.
  ///
  /// - Throws: `LMDBError` if the disk or the map is full.
  @discardableResult
  package func delete(_ tree: Tree, _ key: UInt64) throws(LMDBError) -> Bool {
    var key = key
    return try unsafe withUnsafeBytes(of: &key) { (bytes) throws(LMDBError) in
      try unsafe delete(tree, key: bytes)
    }
  }

  /// Removes a key.
  ///
  /// Returns false if there was none.
  ///
  /// - Throws: `LMDBError` if the disk or the map is full.
  @discardableResult
  package func delete(_ tree: Tree, key: UnsafeRawBufferPointer) throws(LMDBError) -> Bool {
    let cursor = try unsafe cursor(tree)
    var lmdbKey = unsafe MDB_val(key)
    var value = unsafe MDB_val()
    let code = unsafe mdb_cursor_get(cursor, &lmdbKey, &value, MDB_SET)
    if code == MDB_NOTFOUND { return false }
    try require(code, .write)
    try unsafe require(mdb_cursor_del(cursor, 0), .write)
    return true
  }

  /// The number of entries of a tree.
  ///
  /// - Throws: `LMDBError` if the transaction is over.
  package func entryCount(_ tree: Tree) throws(LMDBError) -> Int {
    var facts = MDB_stat()
    try unsafe require(mdb_stat(try alive(.read), trees[tree.rawValue], &facts), .read)
    return Int(facts.ms_entries)
  }

  /// A new cursor for iteration.
  ///
  /// - Throws: `LMDBError` if the transaction is over.
  package func iterate(_ tree: Tree) throws(LMDBError) -> WriteCursor {
    var raw: OpaquePointer?
    try unsafe require(mdb_cursor_open(try alive(.read), trees[tree.rawValue], &raw), .read)
    guard let raw = unsafe raw else { throw environment.error(.outOfMemory, .read) }
    return unsafe WriteCursor(self, raw)
  }

  // MARK: - The main tree

  /// The header in the main tree, valid until the next change.
  ///
  /// - Throws: `LMDBError` if LMDB cannot follow its pages, or the transaction is over.
  package func headerInMainTree() throws(LMDBError) -> UnsafeRawBufferPointer? {
    var (tree, key, value) = unsafe (try mainTree(.read), MDB_val(Tree.headerKey), MDB_val())
    let code = unsafe mdb_get(try alive(.read), tree, &key, &value)
    if code == MDB_NOTFOUND { return nil }
    try require(code, .read)
    return unsafe UnsafeRawBufferPointer(value)
  }

  /// Stores the header in the main tree.
  ///
  /// Every commit writes a page of the main tree, so the header costs no page.
  ///
  /// - Throws: `LMDBError` if the disk or the map is full.
  package func putHeaderInMainTree(_ value: UnsafeRawBufferPointer) throws(LMDBError) {
    var (tree, key, value) = unsafe (try mainTree(.write), MDB_val(Tree.headerKey), MDB_val(value))
    try unsafe require(mdb_put(try alive(.write), tree, &key, &value, 0), .write)
  }

  private func mainTree(_ operation: LMDBError.Operation) throws(LMDBError) -> MDB_dbi {
    var tree: MDB_dbi = 0
    try unsafe require(mdb_dbi_open(try alive(operation), nil, 0, &tree), operation)
    return tree
  }

  // MARK: - The end

  /// Commits the changes; they are durable when it returns.
  ///
  /// - Throws: `LMDBError` if an earlier step failed, the disk is full, or the file was replaced.
  ///   The file is then unchanged.
  package func commit() throws(LMDBError) {
    let transaction = try unsafe alive(.commit)
    guard isOnItsThread else { throw environment.error(.wrongThread, .commit) }
    if let failure {
      abort()
      throw failure
    }
    if let displacement = environment.displacement {
      abort()
      throw environment.error(displacement, .commit)
    }
    unsafe self.transaction = nil
    let (code, written) = unsafe environment.endWrite(
      transaction,
      commit: true,
      trees: trees,
      onThisThread: owner != nil
    )
    if code != 0 { throw environment.error(code: code, .commit) }
    writtenPages = written
  }

  /// Rolls the changes back.
  ///
  /// Does nothing after a commit, when called again, or on another thread than the one that
  /// promised to end it.
  package func abort() {
    guard let transaction = unsafe transaction, isOnItsThread else { return }
    unsafe self.transaction = nil
    _ = unsafe environment.endWrite(
      transaction,
      commit: false,
      trees: trees,
      onThisThread: owner != nil
    )
  }

  private var isOnItsThread: Bool {
    guard let owner else { return true }
    return pthread_equal(owner, pthread_self()) != 0
  }

  // MARK: - Plumbing

  func alive(_ operation: LMDBError.Operation) throws(LMDBError) -> OpaquePointer {
    guard let transaction = unsafe transaction else {
      throw environment.error(.transactionFinished, operation)
    }
    return unsafe transaction
  }

  private func cursor(_ tree: Tree) throws(LMDBError) -> OpaquePointer {
    if unsafe transaction != nil, let cursor = unsafe cursors[tree.rawValue] {
      return unsafe cursor
    }
    var raw: OpaquePointer?
    try unsafe require(mdb_cursor_open(try alive(.read), trees[tree.rawValue], &raw), .read)
    guard let raw = unsafe raw else { throw environment.error(.outOfMemory, .read) }
    unsafe cursors[tree.rawValue] = raw
    return unsafe raw
  }

  /// Keeps the first failure, because LMDB later reports only that something failed.
  func require(_ code: Int32, _ operation: LMDBError.Operation) throws(LMDBError) {
    if code == 0 { return }
    var error = environment.error(code: code, operation)
    if code == MDB_MAP_FULL {
      let size = environment.state.withLock { state in
        state.needsLargerMap = true
        return state.mapSizeInBytes
      }
      error = environment.error(.mapFull(sizeInBytes: size), operation)
    }
    if failure == nil, operation != .read { failure = error }
    throw error
  }
}

/// Iterates over a tree in key order, with the changes of its transaction.
///
/// Returned bytes are valid until the next change in the transaction.
///
/// Safe to use: it retains its transaction and checks it before each move.
@safe package final class WriteCursor {
  package typealias Entry = (key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)

  private let transaction: WriteTransaction
  private let raw: OpaquePointer

  init(_ transaction: WriteTransaction, _ raw: OpaquePointer) {
    self.transaction = transaction
    unsafe self.raw = raw
  }

  /// LMDB frees the cursors of a write transaction when it ends.
  deinit {
    if transaction.isAlive { unsafe mdb_cursor_close(raw) }
  }

  /// The first entry whose key is `key` or greater.
  ///
  /// - Throws: `LMDBError` if LMDB cannot follow its pages, or the transaction is over.
  package func seek(atOrAfter key: UnsafeRawBufferPointer) throws(LMDBError) -> Entry? {
    try unsafe move(MDB_SET_RANGE, MDB_val(key))
  }

  /// The first entry whose key is `key` or greater.
  ///
  /// - Throws: `LMDBError` if LMDB cannot follow its pages, or the transaction is over.
  package func seek(atOrAfter key: UInt64) throws(LMDBError) -> Entry? {
    var key = key
    return try unsafe withUnsafeBytes(of: &key) { (bytes) throws(LMDBError) in
      try unsafe seek(atOrAfter: bytes)
    }
  }

  /// - Throws: `LMDBError` if LMDB cannot follow its pages, or the transaction is over.
  package func first() throws(LMDBError) -> Entry? { try unsafe move(MDB_FIRST) }

  /// - Throws: `LMDBError` if LMDB cannot follow its pages, or the transaction is over.
  package func last() throws(LMDBError) -> Entry? { try unsafe move(MDB_LAST) }

  /// - Throws: `LMDBError` if LMDB cannot follow its pages, or the transaction is over.
  package func next() throws(LMDBError) -> Entry? { try unsafe move(MDB_NEXT) }

  /// - Throws: `LMDBError` if LMDB cannot follow its pages, or the transaction is over.
  package func previous() throws(LMDBError) -> Entry? { try unsafe move(MDB_PREV) }

  private func move(
    _ operation: MDB_cursor_op,
    _ start: MDB_val = unsafe MDB_val()
  ) throws(LMDBError) -> Entry? {
    _ = try unsafe transaction.alive(.read)
    var key = unsafe start
    var value = unsafe MDB_val()
    let code = unsafe mdb_cursor_get(raw, &key, &value, operation)
    if code == MDB_NOTFOUND { return nil }
    try transaction.require(code, .read)
    return unsafe (UnsafeRawBufferPointer(key), UnsafeRawBufferPointer(value))
  }
}

extension MDB_val {
  init(_ bytes: UnsafeRawBufferPointer) {
    unsafe self.init(
      mv_size: bytes.count,
      mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress)
    )
  }
}

extension UnsafeRawBufferPointer {
  init(_ value: MDB_val) {
    unsafe self.init(start: value.mv_data, count: value.mv_size)
  }
}
