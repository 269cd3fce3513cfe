import Glibc

/// A file that was being made when the machine stopped: nothing was ever committed to it.
///
/// A new file gets two meta pages of commit 0, which are synced before anything else is written. After
/// a power failure before that, the disk may have either of them, both or none: what is missing is not
/// there, or zeros. Such a file is as good as an empty one.
enum UnfinishedFile {
  /// Whether a file of a length is one.
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

  /// Makes it an empty file; does nothing where another process has made a database of it meanwhile.
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

  /// Brings a file that LMDB has just made, and its name, to the disk.
  ///
  /// - Throws: `LMDBError` if the file cannot be synced.
  static func finish(_ descriptor: Int32, path: String) throws(LMDBError) {
    while fsync(descriptor) != 0 {
      if errno != EINTR { throw LMDBError(code: errno, .open, path: path) }
    }
    // Some file systems cannot sync a folder; they are no worse off than without.
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
