import CLMDB
import Glibc

extension Environment {
  /// Writes the newest commit to a new file, without free pages.
  ///
  /// LMDB walks the whole file and trusts it, so the file must have passed the check. The commits
  /// of the copy are numbered from 1. The caller keeps writers out.
  ///
  /// - Throws: `LMDBError` if the target exists, the disk is full, or the file was not checked. No
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

  /// Opens a new copy with a map hardly larger than the file.
  package static func openCopy(_ path: String) throws(LMDBError) -> Environment {
    var status = stat()
    let byteCount = unsafe stat(path, &status) == 0 ? Int(status.st_size) : 0
    return try open(path: path, mapSizeInBytes: MapSize.grown(byteCount))
  }

  /// Replaces the file, which is open exclusively, by a copy, and closes it.
  ///
  /// If the process is killed, the file or the copy is there. A process that opens the file
  /// meanwhile waits and gets the copy.
  ///
  /// - Parameter copy: A complete file in the same folder that no process has open. It is removed
  ///   in any case.
  /// - Throws: `LMDBError` if the copy cannot get the file's owner and permissions or cannot be
  ///   renamed. The file is then unchanged.
  package func replace(with copy: String) throws(LMDBError) {
    guard let hold = try FileHold.alone(path: copy) else {
      unsafe unlink(copy)
      throw error(.replacedOnDisk, .copy)
    }
    // The lock file must be unused before the copy can be opened.
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
    // Sync the rename, so that later commits are not lost with it.
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
