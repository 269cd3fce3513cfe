import CLMDB
import Glibc

/// The room of a lock file on the disk.
///
/// LMDB maps its lock file and writes to the map, which ends the process by SIGBUS where the disk has no
/// room for what is written. So the room is taken before LMDB opens the file.
enum LockFileRoom {
  /// What LMDB takes for its places for readers, and the page of which it takes a part.
  private static let byteCount = Environment.readerLimit * 64 + 4096

  /// Takes the room, in a lock file that this process does not have open.
  ///
  /// What else is wrong with the lock file is left to LMDB, which knows what it can do without.
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
