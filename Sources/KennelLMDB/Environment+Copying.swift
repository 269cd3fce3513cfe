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
    let target = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard target >= 0 else { throw LMDBError(code: errno, .copy, path: path) }
    var code = mdb_env_copyfd2(handle.raw, target, UInt32(MDB_CP_COMPACT))
    if code == 0, fsync(target) != 0 { code = errno }
    Glibc.close(target)
    guard code != 0 else { return }
    unlink(path)
    throw LMDBError(code: code, .copy, path: path)
  }
}
