import CLMDB
import Glibc
import Synchronization

extension Environment {
  /// Begins a write transaction; waits for other writers of all processes.
  ///
  /// With `endsOnThisThread`, the caller promises to end the transaction on this thread. No other
  /// thread is woken, and no other thread can commit or abort it.
  ///
  /// - Throws: `LMDBError` if the file cannot be written, was not checked or was replaced, or if
  ///   other writers take longer than `timeoutInMilliseconds`.
  package func beginWrite(
    timeoutInMilliseconds: Int? = nil,
    endsOnThisThread: Bool = false
  ) throws(LMDBError) -> WriteTransaction {
    try requireOwnProcess(.beginWrite)
    if let readOnlyReason { throw error(.readOnly(readOnlyReason), .beginWrite) }
    let isUsable = state.withLock { state -> LMDBError.Problem? in
      if state.isShut { return .closed }
      return state.isChecked ? nil : .unchecked
    }
    if let isUsable { throw error(isUsable, .beginWrite) }
    if let displacement { throw error(displacement, .beginWrite) }
    let deadline = WriterThread.deadline(afterMilliseconds: timeoutInMilliseconds)
    guard writer.takeTurn(until: deadline) else { throw error(.writerBusy, .beginWrite) }
    state.withLock { $0.writes += 1 }
    let attempt = Attempt()
    if endsOnThisThread, deadline == nil {
      attempt.code = beginOnWriter(attempt)
      return try transaction(attempt, owner: pthread_self())
    }
    let outcome = writer.perform(until: deadline) { [self] in
      attempt.code = beginOnWriter(attempt)
    } whenAbandoned: { [self] in
      if let transaction = unsafe attempt.transaction { unsafe mdb_txn_abort(transaction) }
      finishTurn()
    }
    switch outcome {
    case .abandoned:
      throw error(.writerBusy, .beginWrite)
    case .noThread:
      finishTurn()
      throw error(.outOfMemory, .beginWrite)
    case .done:
      return try transaction(attempt, owner: nil)
    }
  }

  private func transaction(
    _ attempt: Attempt,
    owner: pthread_t?
  ) throws(LMDBError) -> WriteTransaction {
    guard attempt.code == 0, let transaction = unsafe attempt.transaction else {
      finishTurn()
      throw attempt.failure ?? error(code: attempt.code, .beginWrite)
    }
    return unsafe WriteTransaction(self, transaction, trees: attempt.trees, owner: owner)
  }

  /// The result of the writer thread; read by the caller when it is done.
  ///
  /// Safe to use: its LMDB transaction is passed to a `WriteTransaction` or aborted.
  @safe private final class Attempt {
    var code: Int32 = 0
    var failure: LMDBError?
    var transaction: OpaquePointer?
    var trees: [MDB_dbi] = []
    var written: [PageRun]?
  }

  /// Runs on the thread that ends the transaction.
  private func beginOnWriter(_ attempt: Attempt) -> Int32 {
    if singleSync?.hasFailed == true { return MDB_PANIC }
    do throws(LMDBError) {
      let (needsLargerMap, size) = state.withLock { ($0.needsLargerMap, $0.mapSizeInBytes) }
      if needsLargerMap { try resizeMap(to: MapSize.grown(size), .beginWrite) }
      var raw: OpaquePointer?
      var code = unsafe mdb_txn_begin(handle.raw, nil, 0, &raw)
      if code == MDB_MAP_RESIZED {
        try resizeMap(to: MapSize.grown(fileSizeInBytes), .beginWrite)
        code = unsafe mdb_txn_begin(handle.raw, nil, 0, &raw)
      }
      guard code == 0, let raw = unsafe raw else { return code }
      attempt.trees = state.withLock { $0.trees }
      if attempt.trees.isEmpty {
        code = unsafe openTrees(raw, &attempt.trees)
        if code != 0 {
          unsafe mdb_txn_abort(raw)
          return code
        }
      }
      unsafe attempt.transaction = raw
      return 0
    } catch {
      attempt.failure = error
      return EINVAL
    }
  }

  /// Opens the fixed trees and creates missing ones.
  private func openTrees(_ transaction: OpaquePointer, _ trees: inout [MDB_dbi]) -> Int32 {
    for tree in Tree.allCases {
      var handle: MDB_dbi = 0
      let flags = MDB_CREATE | (tree.hasIntegerKeys ? MDB_INTEGERKEY : 0)
      let code = unsafe mdb_dbi_open(transaction, tree.name, UInt32(flags), &handle)
      if code != 0 { return code }
      trees.append(handle)
    }
    return 0
  }

  /// Ends a transaction on the thread that began it, and releases the turn.
  ///
  /// Returns 0 or the error code, and the written pages if they are known.
  func endWrite(
    _ transaction: OpaquePointer,
    commit: Bool,
    trees: [MDB_dbi],
    onThisThread: Bool
  ) -> (code: Int32, written: [PageRun]?) {
    guard isOwnProcess else { return (EINVAL, nil) }
    let result = Attempt()
    if onThisThread {
      unsafe endHere(transaction, commit: commit, trees, result)
    } else {
      _ = writer.perform { [self] in unsafe endHere(transaction, commit: commit, trees, result) }
    }
    finishTurn()
    // LMDB reports a partial write as an input/output error.
    if result.code == EIO, isDiskFull { return (ENOSPC, nil) }
    if result.code == EIO, isAtSizeLimit { return (EFBIG, nil) }
    return (result.code, result.written)
  }

  private func endHere(
    _ transaction: OpaquePointer,
    commit: Bool,
    _ trees: [MDB_dbi],
    _ result: Attempt
  ) {
    guard commit, let singleSync else {
      unsafe mdb_txn_abort(transaction)
      return
    }
    (result.code, result.written) = unsafe singleSync.commit(transaction) {
      try? unsafe mapHolding(pages: $0).base
    }
    // The handles of an aborted transaction end with it; committed ones stay.
    if result.code == 0 { state.withLock { $0.trees = trees } }
    if result.code == MDB_MAP_FULL { state.withLock { $0.needsLargerMap = true } }
  }

  private var isDiskFull: Bool {
    var facts = statvfs()
    guard unsafe fstatvfs(descriptor, &facts) == 0 else { return false }
    return facts.f_bavail * facts.f_frsize < 1 << 20
  }

  /// Whether the file has reached the file size limit of the process.
  private var isAtSizeLimit: Bool {
    var limit = rlimit()
    var facts = stat()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0,
      limit.rlim_cur != rlim_t.max, unsafe fstat(descriptor, &facts) == 0
    else { return false }
    return UInt64(max(0, facts.st_size)) + UInt64(pageSize) > limit.rlim_cur
  }

  private func finishTurn() {
    let isUnused = state.withLock { state in
      state.writes -= 1
      return state.writes == 0 && state.users == 0
    }
    writer.giveTurn()
    if isUnused { shutDownIfUnused() }
  }
}
