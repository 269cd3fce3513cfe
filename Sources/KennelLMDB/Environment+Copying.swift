import CLMDB
import Glibc

extension Environment {
  /// Writes the newest commit to a new file, without the pages that are free.
  ///
  /// LMDB walks the whole file and trusts it, so it must have been checked. The copy counts its commits
  /// from one on. The caller keeps writers away, if the file can be written.
  ///
  /// - Throws: `LMDBError` if there is a file already, the disk is full, or the file was not checked; no
  ///   file is left then.
  package func copy(to path: String) throws(LMDBError) {
    try requireOwnProcess(.copy)
    guard isChecked else { throw error(.unchecked, .copy) }
    let target = unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard target >= 0 else { throw LMDBError(code: errno, .copy, path: path) }
    var code = unsafe mdb_env_copyfd2(handle.raw, target, UInt32(MDB_CP_COMPACT))
    if code == 0, fsync(target) != 0 { code = errno }
    Glibc.close(target)
    guard code != 0 else { return }
    unsafe unlink(path)
    throw LMDBError(code: code, .copy, path: path)
  }

  /// Opens a copy that was just made, with addresses for hardly more than it is.
  package static func openCopy(_ path: String) throws(LMDBError) -> Environment {
    var status = stat()
    let byteCount = unsafe stat(path, &status) == 0 ? Int(status.st_size) : 0
    return try open(path: path, mapSizeInBytes: MapSize.grown(byteCount))
  }

  /// Puts a copy in the place of the file, which is open alone, and closes the file.
  ///
  /// Killing the process at any moment leaves the one or the other. Whoever opens the file meanwhile
  /// waits and gets the copy.
  ///
  /// - Parameter copy: A complete file in the same folder that nobody has open; it is gone in any case.
  /// - Throws: `LMDBError` if the copy cannot be given the file's owner and permissions, or cannot be
  ///   moved; the file is as it was then.
  package func replace(with copy: String) throws(LMDBError) {
    guard let hold = try FileHold.alone(path: copy) else {
      unsafe unlink(copy)
      throw error(.replacedOnDisk, .copy)
    }
    // The lock file is not in use any more when the copy can be opened.
    defer {
      close()
      hold.letGo()
    }
    var status = stat()
    var copyStatus = stat()
    var isReady = unsafe fstat(descriptor, &status) == 0 && fstat(hold.descriptor, &copyStatus) == 0
    if isReady, status.st_uid != copyStatus.st_uid || status.st_gid != copyStatus.st_gid {
      isReady = fchown(hold.descriptor, status.st_uid, status.st_gid) == 0
    }
    guard isReady, fchmod(hold.descriptor, status.st_mode & 0o7777) == 0,
      fsync(hold.descriptor) == 0, unsafe rename(copy, path) == 0
    else {
      let code = errno
      unsafe unlink(copy)
      throw LMDBError(code: code, .copy, path: path)
    }
    // What is committed from now on must not be lost with the new name of the copy.
    try Self.synchronizeFolder(of: path)
  }

  private static func synchronizeFolder(of path: String) throws(LMDBError) {
    let folder = unsafe Glibc.open(parent(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw LMDBError(code: errno, .copy, path: path) }
    let code = fsync(folder) == 0 ? 0 : errno
    Glibc.close(folder)
    if code != 0 { throw LMDBError(code: code, .copy, path: path) }
  }
}
