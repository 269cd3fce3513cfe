import CLMDB
import Glibc

/// Makes the commits of one process last, with one sync where LMDB takes two.
///
/// `CommitRecord` says how. The caller has the writer's turn, so one commit at a time of this process;
/// those of other processes are kept out by a lock from before the seal until after the sync, since
/// LMDB gives its own lock back in between. Steps of a commit:
///
/// 1. What came before must be on the disk, since its meta page is the one to fall back on.
/// 2. The seal says that a commit has begun.
/// 3. LMDB writes the pages and the meta page, without a sync.
/// 4. The seal lists the pages.
/// 5. One sync.
///
/// A large commit has a sync in the place of 4, after which the seal says that the pages are there.
///
/// Safe to use: it owns the bytes of the record, and the environment keeps the map of the meta pages.
@safe final class SingleSyncCommit: @unchecked Sendable {
  private let descriptor: Int32
  private let pageSize: Int
  /// The two meta pages, in a map.
  private let metaPages: UnsafeRawPointer
  private let seal: CommitRecord
  private var pages = CommitPages()
  /// The newest commit that this process knows to be on the disk.
  private var durable: UInt64?
  /// A sync failed: what the disk has is not known any more.
  private(set) var hasFailed = false

  /// - Returns: `nil` where the file cannot be opened for writing, with the reason in `errno`.
  init?(path: String, pageSize: Int, metaPages: UnsafeRawPointer) {
    descriptor = unsafe Glibc.open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    self.pageSize = pageSize
    unsafe self.metaPages = metaPages
    unsafe seal = CommitRecord(bytes: .allocate(byteCount: CommitRecord.byteCount, alignment: 8))
  }

  deinit {
    Glibc.close(descriptor)
    unsafe seal.bytes.deallocate()
  }

  /// Commits and makes it last.
  ///
  /// `base` gives a map that has so many pages, where there is one.
  ///
  /// - Returns: 0, or a code of LMDB's or the system's: nothing was committed then, unless `hasFailed`.
  ///   And the pages that were written, where they were few enough to be listed.
  func commit(
    _ transaction: OpaquePointer,
    map base: (_ pageCount: Int) -> UnsafeRawPointer?
  ) -> (code: Int32, written: [PageRun]?) {
    let number = unsafe UInt64(mdb_txn_id(transaction))
    var code = CommitLock.take(descriptor)
    defer { CommitLock.giveBack(descriptor) }
    if code == 0 { code = makeLast(number &- 1) }
    let old = unsafe MetaPage(page: page(of: number &- 1))
    unsafe seal.begin(number, former: page(of: number))
    if code == 0 { code = write(number) }
    guard code == 0 else {
      unsafe mdb_txn_abort(transaction)
      return (code, nil)
    }
    code = unsafe mdb_txn_commit(transaction)
    // The disk takes the pages while they are found and summed.
    if code == 0 { kennel_begin_writing(descriptor, off_t(2 * pageSize)) }
    let new = unsafe MetaPage(page: page(of: number))
    guard code == 0, new.transactionID == number else {
      if new.transactionID != number { removeSeal(of: number) }
      return (code, nil)
    }
    let pageCount = Int(new.lastPage) + 1
    var written: [PageRun]?
    if let base = unsafe base(pageCount) {
      // A damaged page may lead behind the end of the file, where a map cannot be read.
      let readable = min(pageCount, filePageCount)
      written = unsafe pages.written(by: new, after: old, base: base, pageCount: readable)
    }
    if let written {
      seal.list(written, sum: pages.sum(of: written))
      code = write(number)
      if code == 0 { code = sync() }
    } else {
      code = keep(number)
    }
    guard code == 0 else {
      // Whoever opens the file next undoes the commit.
      hasFailed = true
      seal.setStage(.begun)
      _ = write(number)
      return (code, nil)
    }
    durable = number
    return (0, written)
  }

  /// Notes that the newest commit, if it is ours, needs no proof any more.
  ///
  /// So a page that goes bad later is taken for damage, and not for a crash.
  func finish() {
    guard let durable, !hasFailed, CommitLock.takeAtOnce(descriptor) else { return }
    defer { CommitLock.giveBack(descriptor) }
    let isNewest = unsafe MetaPage(page: page(of: durable &+ 1)).transactionID < durable
    guard isNewest, readSeal(of: durable), seal.stage == .listed else { return }
    seal.setStage(.kept)
    _ = write(durable)
  }

  // MARK: - Steps

  /// Sees that the commit before, whoever made it, is on the disk.
  private func makeLast(_ number: UInt64) -> Int32 {
    if durable == number { return 0 }
    // Without a seal LMDB alone made it, and synced it.
    guard readSeal(of: number), let stage = seal.stage, stage != .kept else { return 0 }
    // Its writer may have been killed right before its sync.
    return stage == .listed ? sync() : keep(number)
  }

  /// Syncs what is not listed, and says in the seal that it was.
  private func keep(_ number: UInt64) -> Int32 {
    var code = sync()
    guard code == 0 else { return code }
    seal.setStage(.kept)
    code = write(number)
    return code == 0 ? sync() : code
  }

  private var filePageCount: Int {
    (FileFacts(descriptor: descriptor)?.byteCount ?? 0) / pageSize
  }

  private func page(of number: UInt64) -> UnsafeRawPointer {
    unsafe metaPages + Int(number & 1) * pageSize
  }

  /// Takes the seal of a commit from its meta page; false where there is none.
  private func readSeal(of number: UInt64) -> Bool {
    let bytes = unsafe page(of: number) + CommitRecord.offset
    unsafe seal.bytes.copyMemory(from: bytes, byteCount: CommitRecord.byteCount)
    return seal.proves(number)
  }

  private func removeSeal(of number: UInt64) {
    unsafe seal.bytes.initializeMemory(as: UInt8.self, repeating: 0, count: CommitRecord.byteCount)
    _ = write(number)
  }

  private func write(_ number: UInt64) -> Int32 {
    let offset = Int(number & 1) * pageSize + CommitRecord.offset
    while true {
      let count = unsafe pwrite(descriptor, seal.bytes, CommitRecord.byteCount, off_t(offset))
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
