import CLMDB
import Glibc

/// The disk space of a lock file.
///
/// LMDB maps its lock file and writes to the map. If the disk is full, SIGBUS ends the process. So
/// the space is allocated before LMDB opens the file.
enum LockFileRoom {
  /// The size of LMDB's reader slots, rounded up to a page.
  private static let byteCount = Environment.readerLimit * 64 + 4096

  /// Allocates the space of a lock file that this process does not have open.
  ///
  /// Other problems of the lock file are left to LMDB, which may not need it.
  static func take(_ path: String, mode: mode_t) throws(LMDBError) {
    let lockFile = path + "-lock"
    var descriptor = unsafe open(lockFile, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    let isNew = descriptor >= 0
    if !isNew { descriptor = unsafe open(lockFile, O_RDWR | O_CLOEXEC) }
    guard descriptor >= 0 else {
      try requireRoom(errno, path)
      return
    }
    defer { close(descriptor) }
    guard kennel_reserve(descriptor, byteCount) != 0 else { return }
    let code = errno
    if isNew, code == ENOSPC || code == EDQUOT { unsafe unlink(lockFile) }
    try requireRoom(code, path)
  }

  private static func requireRoom(_ code: Int32, _ path: String) throws(LMDBError) {
    if code == ENOSPC || code == EDQUOT {
      throw LMDBError(.lockFileUnavailable(code: code), .open, path: path)
    }
  }
}
