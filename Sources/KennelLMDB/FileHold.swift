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

  /// Gives 0, or why there is no lock.
  private func lock(_ operation: Int32) -> Int32 {
    while flock(descriptor, operation) != 0 {
      if errno != EINTR { return errno }
    }
    return 0
  }

  /// Says which lock file goes with the file; false where somebody who has it open has another one.
  ///
  /// A file with several names, hard links, has a lock file for each, and who opens it by one of them
  /// does not know of those who opened it by another. So everybody marks, in the file itself, the byte
  /// whose number is that of their lock file, and looks whether another is marked.
  func marks(lockFile path: String) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return true }
    let number = off_t(status.st_ino & 0x3fff_ffff_ffff_ffff)
    guard mark(F_RDLCK, from: number, count: 1) else { return true }
    let isBelow = number > 0 && isMarked(from: 0, count: number)
    let above = CommitLock.firstByte - number - 1
    return !isBelow && (above == 0 || !isMarked(from: number + 1, count: above))
  }

  /// Whether somebody else has the file open, by whatever name.
  var isMarked: Bool { isMarked(from: 0, count: CommitLock.firstByte) }

  /// Locks of the open file and not of the process, which would lose them when it closes any other
  /// descriptor of the file (fcntl(2), open file description locks).
  private static let setMark: Int32 = 37
  private static let getMark: Int32 = 36

  /// Marks bytes; false where the file system cannot.
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
  /// A child that was forked meanwhile has the descriptor too, so the lock is given back first.
  func letGo() {
    _ = mark(F_UNLCK, from: 0, count: 0)
    flock(descriptor, LOCK_UN)
    Glibc.close(descriptor)
  }
}
