import Glibc

/// A file that is open, and the lock that everybody has on it who has it open.
///
/// Who uses a file shares the lock for as long as it is open; who puts another file in its place has
/// it alone. The lock is one of the file and not of a name (`flock`), so it is the same under every
/// name, and it goes with its process.
struct FileHold: Sendable {
  let descriptor: Int32
  let identity: FileIdentity

  /// Opens a file and waits for whoever has it alone; `nil` where there is no file.
  static func shared(path: String) throws(LMDBError) -> FileHold? {
    while let hold = try FileHold(opening: path) {
      // A file system that knows no such locks gives nobody a file alone.
      _ = hold.lock(LOCK_SH)
      if hold.isAt(path) { return hold }
      hold.letGo()
    }
    return nil
  }

  /// The same without waiting; `nil` also where somebody has the file alone.
  static func sharedAtOnce(path: String) throws(LMDBError) -> FileHold? {
    guard let hold = try FileHold(opening: path) else { return nil }
    if hold.lock(LOCK_SH | LOCK_NB) != EWOULDBLOCK, hold.isAt(path) { return hold }
    hold.letGo()
    return nil
  }

  /// Opens a file that nobody else has open, and nobody can open before it is let go.
  static func alone(path: String) throws(LMDBError) -> FileHold? {
    guard let hold = try FileHold(opening: path) else { return nil }
    if hold.lock(LOCK_EX | LOCK_NB) == 0, hold.isAt(path) { return hold }
    hold.letGo()
    return nil
  }

  /// `nil` where there is no file, or something else.
  private init?(opening path: String) throws(LMDBError) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw LMDBError(code: errno, .open, path: path)
    }
    guard fstat(descriptor, &status) == 0 else {
      let code = errno
      Glibc.close(descriptor)
      throw LMDBError(code: code, .open, path: path)
    }
    identity = FileIdentity(status)
  }

  /// Gives 0, or why there is no lock.
  private func lock(_ operation: Int32) -> Int32 {
    while flock(descriptor, operation) != 0 {
      if errno != EINTR { return errno }
    }
    return 0
  }

  /// Whether the path still leads to this file.
  private func isAt(_ path: String) -> Bool { FileIdentity(path: path) == identity }

  /// Closes the file.
  ///
  /// A child that was forked meanwhile has the descriptor too, so the lock is given back first.
  func letGo() {
    flock(descriptor, LOCK_UN)
    Glibc.close(descriptor)
  }
}
