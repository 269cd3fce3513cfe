import Glibc

/// A file whose creation was interrupted by a power failure: it has no commit.
///
/// A new file gets two meta pages of commit 0, which are synced before anything else is written.
/// After an earlier power failure, the disk has either, both or neither of them; a missing page is
/// zeros or beyond the end. Such a file counts as empty.
enum UnfinishedFile {
  /// Whether a file with this size is unfinished.
  static func isOne(_ descriptor: Int32, byteCount: Int) -> Bool {
    let pageSize = sysconf(Int32(_SC_PAGESIZE))
    guard byteCount > 0, byteCount <= 2 * pageSize else { return false }
    return unsafe withUnsafeTemporaryAllocation(byteCount: 2 * pageSize, alignment: 8) { buffer in
      guard let base = buffer.baseAddress else { return false }
      unsafe base.initializeMemory(as: UInt8.self, repeating: 0, count: 2 * pageSize)
      guard unsafe pread(descriptor, base, byteCount, 0) == byteCount else { return false }
      let pages = unsafe [base, base + pageSize]
      let isMissing = unsafe pages.map { page in
        unsafe UnsafeRawBufferPointer(start: page, count: pageSize).allSatisfy { $0 == 0 }
      }
      let isBlank = unsafe pages.allSatisfy { unsafe isOfCommitZero($0, pageSize) }
      guard !isBlank else { return false }
      return unsafe zip(pages, isMissing).allSatisfy { unsafe $1 || isOfCommitZero($0, pageSize) }
    }
  }

  /// Truncates the file, unless another process has created a database in it.
  ///
  /// - Throws: `LMDBError` if the file cannot be written.
  static func clear(_ hold: FileHold, path: String) throws(LMDBError) {
    let descriptor = unsafe Glibc.open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw LMDBError(code: errno, .open, path: path) }
    defer { Glibc.close(descriptor) }
    var code = CommitLock.take(descriptor)
    defer { CommitLock.giveBack(descriptor) }
    var status = stat()
    if code == 0, unsafe fstat(descriptor, &status) != 0 { code = errno }
    if code == 0, !CommitLock.isInUse(hold.descriptor),
      isOne(descriptor, byteCount: Int(status.st_size)), ftruncate(descriptor, 0) != 0
    {
      code = errno
    }
    guard code == 0 else { throw LMDBError(code: code, .open, path: path) }
  }

  /// Syncs a file that LMDB has just created, and its name.
  ///
  /// - Throws: `LMDBError` if the file cannot be synced.
  static func finish(_ descriptor: Int32, path: String) throws(LMDBError) {
    while fsync(descriptor) != 0 {
      if errno != EINTR { throw LMDBError(code: errno, .open, path: path) }
    }
    // Some file systems cannot sync a folder; the failure is ignored.
    let folder = unsafe Glibc.open(Environment.parent(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    Glibc.close(folder)
  }

  private static func isOfCommitZero(_ page: UnsafeRawPointer, _ pageSize: Int) -> Bool {
    let meta = unsafe MetaPage(page: page)
    return meta.defect == nil && meta.version == 1 && meta.pageSize == pageSize
      && meta.transactionID == 0
  }
}
