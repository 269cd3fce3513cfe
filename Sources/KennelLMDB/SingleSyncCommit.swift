import CLMDB
import Glibc

/// Commits durably with one sync where LMDB uses two.
///
/// `CommitRecord` describes the idea. The caller holds the writer's turn, so this process makes one
/// commit at a time. A lock keeps other processes out from before the record is written until after
/// the sync, because LMDB releases its own lock in between. The steps of a commit:
///
/// 1. Make sure that the previous commit is on disk, because a rollback returns to its meta page.
/// 2. Write a record that a commit has begun.
/// 3. LMDB writes the pages and the meta page, without a sync.
/// 4. Write a record that lists the pages.
/// 5. Sync once.
///
/// A large commit syncs instead of step 4 and then writes a record that the pages are on disk.
///
/// Safe to use: it owns the bytes of the record, and the environment keeps the map of the meta
/// pages.
@safe final class SingleSyncCommit: @unchecked Sendable {
  private let descriptor: Int32
  private let pageSize: Int
  /// The two meta pages, in a map.
  private let metaPages: UnsafeRawPointer
  private let record: CommitRecord
  private var pages = CommitPages()
  /// The newest commit that is known to be on disk.
  private var durable: UInt64?
  /// Whether a sync failed, so that the state of the disk is unknown.
  private(set) var hasFailed = false

  /// - Returns: `nil` if the file cannot be opened for writing; `errno` has the reason.
  init?(path: String, pageSize: Int, metaPages: UnsafeRawPointer) {
    descriptor = unsafe Glibc.open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    self.pageSize = pageSize
    unsafe self.metaPages = metaPages
    unsafe record = CommitRecord(bytes: .allocate(byteCount: CommitRecord.byteCount, alignment: 8))
  }

  deinit {
    Glibc.close(descriptor)
    unsafe record.bytes.deallocate()
  }

  /// Commits durably.
  ///
  /// `base` returns a map of at least this many pages, if there is one.
  ///
  /// - Returns: 0, or an error code of LMDB or the system, which means that nothing was committed
  ///   unless `hasFailed`; and the written pages, if they are few enough to be listed.
  func commit(
    _ transaction: OpaquePointer,
    map base: (_ pageCount: Int) -> UnsafeRawPointer?
  ) -> (code: Int32, written: [PageRun]?) {
    let number = unsafe UInt64(mdb_txn_id(transaction))
    var code = CommitLock.take(descriptor)
    defer { CommitLock.giveBack(descriptor) }
    if code == 0 { code = makeLast(number &- 1) }
    let old = unsafe MetaPage(page: page(of: number &- 1))
    unsafe record.begin(number, former: page(of: number))
    if code == 0 { code = write(number) }
    guard code == 0 else {
      unsafe mdb_txn_abort(transaction)
      return (code, nil)
    }
    code = unsafe mdb_txn_commit(transaction)
    // The disk writes the pages while they are found and summed.
    if code == 0 { kennel_begin_writing(descriptor, off_t(2 * pageSize)) }
    let new = unsafe MetaPage(page: page(of: number))
    guard code == 0, new.transactionID == number else {
      if new.transactionID != number { removeRecord(of: number) }
      return (code, nil)
    }
    let pageCount = Int(new.lastPage) + 1
    var written: [PageRun]?
    if let base = unsafe base(pageCount) {
      // A damaged page can lead beyond the end of the file, where a map cannot be read.
      let readable = min(pageCount, filePageCount)
      written = unsafe pages.written(by: new, after: old, base: base, pageCount: readable)
    }
    if let written {
      record.list(written, sum: pages.sum(of: written))
      code = write(number)
      if code == 0 { code = sync() }
    } else {
      code = keep(number)
    }
    guard code == 0 else {
      // The next process to open the file rolls the commit back.
      hasFailed = true
      record.setStage(.begun)
      _ = write(number)
      return (code, nil)
    }
    durable = number
    return (0, written)
  }

  /// Records that the newest commit, if this process made it, is durable.
  ///
  /// A page that is damaged later then counts as damage, not as a crash.
  func finish() {
    guard let durable, !hasFailed, CommitLock.takeAtOnce(descriptor) else { return }
    defer { CommitLock.giveBack(descriptor) }
    let isNewest = unsafe MetaPage(page: page(of: durable &+ 1)).transactionID < durable
    guard isNewest, readRecord(of: durable), record.stage == .listed else { return }
    record.setStage(.kept)
    _ = write(durable)
  }

  // MARK: - Steps

  /// Makes sure that the previous commit, of any process, is on disk.
  private func makeLast(_ number: UInt64) -> Int32 {
    if durable == number { return 0 }
    // A commit without a record was made and synced by LMDB alone.
    guard readRecord(of: number), let stage = record.stage, stage != .kept else { return 0 }
    // Its writer may have been killed before its sync.
    return stage == .listed ? sync() : keep(number)
  }

  /// Syncs pages that are not listed, and records that.
  private func keep(_ number: UInt64) -> Int32 {
    var code = sync()
    guard code == 0 else { return code }
    record.setStage(.kept)
    code = write(number)
    return code == 0 ? sync() : code
  }

  private var filePageCount: Int {
    (FileFacts(descriptor: descriptor)?.byteCount ?? 0) / pageSize
  }

  private func page(of number: UInt64) -> UnsafeRawPointer {
    unsafe metaPages + Int(number & 1) * pageSize
  }

  /// Reads the record of a commit from its meta page; false if there is none.
  private func readRecord(of number: UInt64) -> Bool {
    let bytes = unsafe page(of: number) + CommitRecord.offset
    unsafe record.bytes.copyMemory(from: bytes, byteCount: CommitRecord.byteCount)
    return record.proves(number)
  }

  private func removeRecord(of number: UInt64) {
    unsafe record.bytes.initializeMemory(
      as: UInt8.self,
      repeating: 0,
      count: CommitRecord.byteCount
    )
    _ = write(number)
  }

  private func write(_ number: UInt64) -> Int32 {
    let offset = Int(number & 1) * pageSize + CommitRecord.offset
    while true {
      let count = unsafe pwrite(descriptor, record.bytes, CommitRecord.byteCount, off_t(offset))
      if count == CommitRecord.byteCount { return 0 }
      if count >= 0 { return ENOSPC }
      if errno != EINTR { return errno }
    }
  }

  private func sync() -> Int32 {
    while fdatasync(descriptor) != 0 {
      if errno != EINTR { return errno }
    }
    return 0
  }
}
