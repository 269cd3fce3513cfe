import Glibc

/// An open file and its shared lock.
///
/// A process shares the lock while the file is open, and holds it exclusively to replace the file.
/// The lock (`flock`) belongs to the file, so it is the same under every name, and ends with the
/// process.
struct FileHold: Sendable {
  let descriptor: Int32
  let identity: FileIdentity

  /// Opens a file and waits for an exclusive holder; `nil` if there is no file.
  static func shared(path: String) throws(LMDBError) -> FileHold? {
    while let hold = try FileHold(opening: path) {
      // On a file system without such locks, no process gets a file exclusively.
      _ = hold.lock(LOCK_SH)
      if hold.isAt(path) { return hold }
      hold.letGo()
    }
    return nil
  }

  /// Like `shared`, but returns `nil` instead of waiting.
  static func sharedAtOnce(path: String) throws(LMDBError) -> FileHold? {
    guard let hold = try FileHold(opening: path) else { return nil }
    if hold.lock(LOCK_SH | LOCK_NB) != EWOULDBLOCK, hold.isAt(path) { return hold }
    hold.letGo()
    return nil
  }

  /// Opens a file that no other process has open, and locks others out until it is released.
  static func alone(path: String) throws(LMDBError) -> FileHold? {
    guard let hold = try FileHold(opening: path) else { return nil }
    if hold.lock(LOCK_EX | LOCK_NB) == 0, hold.isAt(path) { return hold }
    hold.letGo()
    return nil
  }

  /// `nil` if there is no regular file.
  private init?(opening path: String) throws(LMDBError) {
    guard let named = FileFacts(path: path), named.isRegularFile else { return nil }
    descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw LMDBError(code: errno, .open, path: path)
    }
    guard let facts = FileFacts(descriptor: descriptor) else {
      let code = errno
      Glibc.close(descriptor)
      throw LMDBError(code: code, .open, path: path)
    }
    identity = facts.identity
  }

  /// Returns 0, or the error code.
  private func lock(_ operation: Int32) -> Int32 {
    while flock(descriptor, operation) != 0 {
      if errno != EINTR { return errno }
    }
    return 0
  }

  /// Marks the lock file that belongs to the file; false if another process uses a different one.
  ///
  /// A file with several hard links has a lock file for each name, and processes that open it under
  /// different names do not see each other. Each process therefore locks the byte of the file whose
  /// number identifies its lock file, and checks whether another byte is locked.
  func marks(lockFile path: String) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return true }
    let number = off_t(status.st_ino & 0x3fff_ffff_ffff_ffff)
    guard mark(F_RDLCK, from: number, count: 1) else { return true }
    let isBelow = number > 0 && isMarked(from: 0, count: number)
    let above = CommitLock.firstByte - number - 1
    return !isBelow && (above == 0 || !isMarked(from: number + 1, count: above))
  }

  /// Whether another process has the file open, under any name.
  var isMarked: Bool { isMarked(from: 0, count: CommitLock.firstByte) }

  /// Open file description locks (fcntl(2)): a process would lose its own locks when it closes any
  /// other descriptor of the file.
  private static let setMark: Int32 = 37
  private static let getMark: Int32 = 36

  /// Locks bytes; false if the file system cannot.
  private func mark(_ type: Int32, from start: off_t, count: off_t) -> Bool {
    var lock = Glibc.flock()
    lock.l_type = Int16(type)
    lock.l_whence = Int16(SEEK_SET)
    (lock.l_start, lock.l_len) = (start, count)
    return unsafe fcntl(descriptor, Self.setMark, &lock) == 0
  }

  private func isMarked(from start: off_t, count: off_t) -> Bool {
    var lock = Glibc.flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    (lock.l_start, lock.l_len) = (start, count)
    return unsafe fcntl(descriptor, Self.getMark, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
  }

  /// Whether the path still leads to this file.
  private func isAt(_ path: String) -> Bool { FileIdentity(path: path) == identity }

  /// Closes the file.
  ///
  /// A forked child has the descriptor too, so the lock is released first.
  func letGo() {
    _ = mark(F_UNLCK, from: 0, count: 0)
    flock(descriptor, LOCK_UN)
    Glibc.close(descriptor)
  }
}
