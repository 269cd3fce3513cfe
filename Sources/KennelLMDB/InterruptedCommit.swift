import Glibc

/// A commit whose pages did not all reach the disk before a power failure, or whose process was
/// killed before it listed them.
///
/// The next process to open the file rolls it back; it was never acknowledged.
struct InterruptedCommit {
  private let transactionID: UInt64
  /// Bytes 16 to 151 of the previous meta page.
  private let former: [UInt8]
  /// The offset of the meta page.
  private let offset: Int

  /// Checks the newest commit before LMDB reads the file, and rolls it back if it is incomplete.
  ///
  /// A process that has the file open has already checked it, and sees the same pages, even if they
  /// are not on disk yet.
  ///
  /// - Returns: The number of the commit that was rolled back.
  /// - Throws: `LMDBError` if a commit must be rolled back and the file cannot be written.
  static func undo(
    in hold: FileHold,
    path: String,
    _ access: Environment.Access
  ) throws(LMDBError) -> UInt64? {
    let reader = hold.descriptor
    if CommitLock.isInUse(reader) {
      CommitLock.markUse(reader)
      return nil
    }
    let code = CommitLock.share(reader)
    guard code == 0 else { throw LMDBError(code: code, .open, path: path) }
    let isWhole = InterruptedCommit(descriptor: reader) == nil
    // A use that is marked under the lock is visible to the next holder of the lock.
    if isWhole { CommitLock.markUse(reader) }
    CommitLock.giveBack(reader)
    return isWhole ? nil : try undoAlone(in: hold, path: path, access)
  }

  private static func undoAlone(
    in hold: FileHold,
    path: String,
    _ access: Environment.Access
  ) throws(LMDBError) -> UInt64? {
    let reader = hold.descriptor
    guard access == .readWrite else { throw LMDBError(.interruptedCommit, .open, path: path) }
    let writer = unsafe Glibc.open(path, O_RDWR | O_CLOEXEC)
    guard writer >= 0 else { throw LMDBError(.interruptedCommit, .open, path: path) }
    defer { Glibc.close(writer) }
    var code = CommitLock.take(writer)
    guard code == 0 else { throw LMDBError(code: code, .open, path: path) }
    // Another process may have been faster.
    let isInUse = CommitLock.isInUse(reader)
    let commit = isInUse ? nil : InterruptedCommit(descriptor: writer)
    if let commit { code = commit.undo(writer) }
    // A failed rollback must not count as done.
    guard code == 0 else { throw LMDBError(code: code, .open, path: path) }
    CommitLock.markUse(reader)
    return commit?.transactionID
  }

  /// Checks the newest commit; `nil` if nothing contradicts it.
  private init?(descriptor: Int32) {
    let byteCount = CommitRecord.sectorByteCount
    let room = UnsafeMutableRawPointer.allocate(byteCount: 2 * byteCount, alignment: 8)
    defer { unsafe room.deallocate() }
    guard unsafe pread(descriptor, room, byteCount, 0) == byteCount else { return nil }
    let first = unsafe MetaPage(page: room)
    guard first.defect == nil, first.version == 1,
      unsafe pread(descriptor, room + byteCount, byteCount, off_t(first.pageSize)) == byteCount
    else { return nil }
    let second = unsafe MetaPage(page: room + byteCount)
    guard second.defect == nil, second.version == 1, second.pageSize == first.pageSize else {
      return nil
    }
    let isSecond = second.transactionID > first.transactionID
    let newest = isSecond ? second : first
    let record = unsafe CommitRecord(
      bytes: (isSecond ? room + byteCount : room) + CommitRecord.offset
    )
    guard record.proves(newest.transactionID), record.stage != .kept else { return nil }
    if record.stage == .listed, Self.hasPages(of: record, descriptor, newest) { return nil }
    transactionID = newest.transactionID
    guard unsafe Self.isMetaPage(record.former, before: transactionID, like: room) else {
      return nil
    }
    former = unsafe Array(record.former)
    offset = isSecond ? first.pageSize : 0
  }

  /// Whether the bytes can be the previous meta page, that of the commit before last.
  ///
  /// Nothing else replaces a meta page, whatever a record contains.
  private static func isMetaPage(
    _ former: UnsafeRawBufferPointer,
    before transactionID: UInt64,
    like page: UnsafeRawPointer
  ) -> Bool {
    guard let bytes = former.baseAddress else { return false }
    return unsafe withUnsafeTemporaryAllocation(byteCount: MetaPage.byteCount, alignment: 8) {
      buffer in
      guard let room = buffer.baseAddress else { return false }
      unsafe room.copyMemory(from: page, byteCount: CommitRecord.metaRange.lowerBound)
      unsafe (room + CommitRecord.metaRange.lowerBound).copyMemory(
        from: bytes,
        byteCount: former.count
      )
      let meta = unsafe MetaPage(page: room)
      return meta.defect == nil && meta.version == 1
        && meta.transactionID == (transactionID < 2 ? 0 : transactionID - 2)
    }
  }

  /// Whether the pages on disk are the pages that a record lists.
  private static func hasPages(
    of record: CommitRecord,
    _ descriptor: Int32,
    _ meta: MetaPage
  ) -> Bool {
    var sum = PageSum()
    let size = meta.pageSize
    // One page at a time, because their number comes from the file.
    let page = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 8)
    defer { unsafe page.deallocate() }
    for run in record.runs {
      guard run.first + UInt64(run.count) <= meta.lastPage + 1 else { return false }
      for number in Int(run.first)..<Int(run.first) + run.count {
        let offset = off_t(number) * off_t(size)
        guard unsafe pread(descriptor, page.baseAddress, size, offset) == size else { return false }
        unsafe sum.add(UnsafeRawBufferPointer(page))
      }
    }
    return sum.value == record.pagesSum
  }

  /// Restores the previous meta page, without a record.
  private func undo(_ descriptor: Int32) -> Int32 {
    let start = CommitRecord.metaRange.lowerBound
    var bytes = former
    let rest = CommitRecord.sectorByteCount - start - bytes.count
    bytes.append(contentsOf: repeatElement(0, count: rest))
    let count = unsafe bytes.withUnsafeBytes {
      unsafe pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset + start))
    }
    guard count == bytes.count else { return count < 0 ? errno : EIO }
    return fdatasync(descriptor) == 0 ? 0 : errno
  }
}
