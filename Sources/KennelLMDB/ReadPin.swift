import CLMDB
import Glibc
import Synchronization

/// A snapshot that stays readable: its pages are not reused while it is pinned.
///
/// The pin is a slot in LMDB's reader table; LMDB does nothing else for it. The roots are read from
/// the meta page of this commit in Kennel's own map.
///
/// Safe to use: it keeps the map that its `base` points into.
@safe package final class ReadPin: @unchecked Sendable {
  package let environment: Environment
  /// The number of the commit.
  package let transactionID: UInt64
  package let pageSize: Int
  /// The number of pages of the snapshot, up to the last page in use.
  package let pageCount: Int
  /// The number of pages that can be read without a signal: pages of the snapshot that both the
  /// file, when it was pinned, and the map contain.
  ///
  /// A free page at the end may never have been written.
  package let readablePageCount: Int
  /// The first byte of page 0, valid until the pin is released.
  package let base: UnsafeRawPointer
  package let mainTree: TreeRoot
  package let freeTree: TreeRoot

  private let map: FileMap
  private let handle: Mutex<Environment.Handle?>

  init(_ environment: Environment, _ meta: MetaPage, _ map: FileMap, _ handle: Environment.Handle) {
    self.environment = environment
    self.map = map
    self.handle = Mutex(handle)
    transactionID = meta.transactionID
    pageSize = environment.pageSize
    pageCount = Int(meta.lastPage) + 1
    readablePageCount = min(
      pageCount,
      environment.fileSizeInBytes / pageSize,
      map.byteCount / pageSize
    )
    unsafe base = map.base
    mainTree = meta.mainTree
    freeTree = meta.freeTree
  }

  deinit { release() }

  /// Releases the snapshot.
  ///
  /// None of it may be used afterwards. Can be called again.
  package func release() {
    let handle = handle.withLock { handle in
      defer { handle = nil }
      return handle
    }
    if let handle = handle { environment.release(handle) }
  }

  /// Releases the snapshot and pins the newest one.
  ///
  /// - Throws: `LMDBError` if the newest one cannot be pinned; this one is released anyway.
  package func renew() throws(LMDBError) -> ReadPin {
    release()
    return try environment.beginRead()
  }
}

extension Environment {
  /// Pins the newest snapshot.
  ///
  /// - Throws: `LMDBError` if living readers use all slots, the file is damaged or closed, or this
  ///   process is a forked child.
  package func beginRead() throws(LMDBError) -> ReadPin {
    try requireOwnProcess(.beginRead)
    var attempts = 0
    var newestID: UInt64 = 0
    var candidate: MetaPage?
    while true {
      let handle = try takeReadTransaction()
      do throws(LMDBError) {
        let transactionID = unsafe UInt64(mdb_txn_id(handle.raw))
        // If another commit was faster, this is not damage.
        if transactionID > newestID { attempts = 0 }
        newestID = transactionID
        if let meta = try metaPage(of: transactionID, &candidate, isLastAttempt: attempts == 200) {
          let map = try mapHolding(pages: Int(meta.lastPage) + 1)
          return ReadPin(self, meta, map, handle)
        }
      } catch {
        release(handle)
        throw error
      }
      release(handle)
      attempts += 1
      sched_yield()
    }
  }

  /// The meta page of commit `transactionID`, or `nil` if it may be torn.
  ///
  /// The page belongs to commits n, n+2, n+4 …; a writer begins to overwrite n with
  /// n+2 only after n+1 stands in the other page and LMDB's readers are given n+1. So a
  /// copy is whole if the other page says n-1 after it was made. It is whole, too, if a
  /// reader is still given n after it was made: a writer is about to sync n+1, or was
  /// killed before it could say so. Hence a copy becomes the candidate for the next
  /// attempt. Otherwise a newer commit is there to be pinned, and the caller tries again.
  private func metaPage(
    of transactionID: UInt64,
    _ candidate: inout MetaPage?,
    isLastAttempt: Bool
  ) throws(LMDBError) -> MetaPage? {
    let own = unsafe metaPages + Int(transactionID & 1) * pageSize
    let other = unsafe metaPages + Int(~transactionID & 1) * pageSize + MetaPage.transactionIDOffset
    var copy = unsafe MetaPage(page: own)
    atomicMemoryFence(ordering: .acquiring)
    let otherID = unsafe other.load(as: UInt64.self)
    var isWhole = otherID == transactionID &- 1 || transactionID == 0 && otherID == 0
    if let earlier = candidate, earlier.transactionID == transactionID,
      otherID == transactionID &+ 1
    {
      copy = earlier
      isWhole = true
    }
    guard copy.transactionID == transactionID, isWhole else {
      candidate = copy.transactionID == transactionID ? copy : nil
      if isLastAttempt {
        let problem =
          candidate == nil
          ? "its newest commit is not \(transactionID)"
          : "its meta pages do not belong together"
        throw error(.damagedHeader(problem), .beginRead)
      }
      return nil
    }
    if let defect = copy.defect { throw error(.damagedHeader(defect), .beginRead) }
    if copy.pageSize != pageSize {
      throw error(.damagedHeader("its page size has changed"), .beginRead)
    }
    return copy
  }

  /// A map with all pages of a snapshot; a new one if the file outgrew the last.
  func mapHolding(pages: Int) throws(LMDBError) -> FileMap {
    let map = state.withLock { state -> FileMap? in
      if state.map.byteCount >= pages * pageSize { return state.map }
      let size = min(pages * pageSize, fileSizeInBytes)
      if state.map.byteCount < size {
        let wanted = MapSize.grown(size)
        if let map = FileMap.reserve(descriptor: descriptor, wanted: wanted, needed: size) {
          state.map = map
        }
      }
      return state.map.byteCount < size ? nil : state.map
    }
    guard let map else { throw error(.outOfMemory, .grow) }
    return map
  }

  /// An idle read transaction, or a new one.
  private func takeReadTransaction() throws(LMDBError) -> Handle {
    var hasCleared = false
    var hasGrown = false
    while true {
      let (code, transaction) = try beginReadTransaction()
      switch code {
      case 0:
        if let transaction = transaction { return transaction }
        throw error(.outOfMemory, .beginRead)
      case MDB_READERS_FULL where !hasCleared:
        hasCleared = true
        clearDeadReaders()
      case MDB_MAP_RESIZED where !hasGrown:
        hasGrown = true
        try adoptMapSize()
      default:
        throw error(code: code, .beginRead)
      }
    }
  }

  private func beginReadTransaction() throws(LMDBError) -> (Int32, Handle?) {
    let result = state.withLock { state -> (Int32, Handle?)? in
      if state.isShut { return nil }
      while let idle = state.idle.popLast() {
        let code = unsafe mdb_txn_renew(idle.raw)
        if code == 0 {
          state.pins += 1
          return (0, idle)
        }
        unsafe mdb_txn_abort(idle.raw)
        if code != MDB_BAD_RSLOT { return (code, nil) }
      }
      var raw: OpaquePointer?
      let code = unsafe mdb_txn_begin(handle.raw, nil, UInt32(MDB_RDONLY), &raw)
      guard code == 0, let raw = unsafe raw else { return (code, nil) }
      state.pins += 1
      return unsafe (0, Handle(raw: raw))
    }
    guard let result = result else { throw error(.closed, .beginRead) }
    return result
  }

  /// Returns a read transaction.
  ///
  /// In a forked child it belongs to the parent.
  func release(_ transaction: Handle) {
    guard isOwnProcess else { return }
    let isUnused = state.withLock { state in
      if state.idle.count < 8 {
        unsafe mdb_txn_reset(transaction.raw)
        state.idle.append(transaction)
      } else {
        unsafe mdb_txn_abort(transaction.raw)
      }
      state.pins -= 1
      return state.pins == 0 && state.users == 0
    }
    if isUnused { shutDownIfUnused() }
  }

  /// Maps the file again after another process made it larger than LMDB's map.
  ///
  /// LMDB moves its map only while this process has no write transaction. Read transactions are not
  /// affected, because they read through Kennel's own maps.
  private func adoptMapSize() throws(LMDBError) {
    let hasTurn = canWrite
    if hasTurn { _ = writer.takeTurn(until: nil) }
    defer { if hasTurn { writer.giveTurn() } }
    try resizeMap(to: MapSize.grown(fileSizeInBytes), .beginRead)
  }

  /// Enlarges LMDB's map.
  ///
  /// The caller holds the writer's turn, and there is no write transaction.
  func resizeMap(to wanted: Int, _ operation: LMDBError.Operation) throws(LMDBError) {
    let code = state.withLock { state -> Int32 in
      let size = max(wanted, state.mapSizeInBytes)
      // LMDB releases its map before it makes the new one: check first that it can.
      guard let probe = FileMap(descriptor: descriptor, byteCount: size) else { return ENOMEM }
      _ = consume probe
      let code = unsafe mdb_env_set_mapsize(handle.raw, size)
      if code == 0 {
        state.mapSizeInBytes = size
        state.needsLargerMap = false
      }
      return code
    }
    if code != 0 { throw error(code: code, operation) }
  }
}
