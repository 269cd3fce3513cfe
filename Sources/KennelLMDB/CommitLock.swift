import Glibc

/// Bytes far beyond the end of the file that processes lock to coordinate commits.
///
/// These are open file description locks (fcntl(2)). A process would lose its own locks when it
/// closes any other descriptor of the file. They end with their process.
enum CommitLock {
  /// The bytes before these identify lock files (`FileHold.marks`).
  static let firstByte: off_t = 1 << 62
  /// Held exclusively to commit.
  private static let commitByte = firstByte
  /// Shared while the file is open.
  private static let useByte = firstByte + 1

  private static let (getLock, setLock, setLockAndWait): (Int32, Int32, Int32) = (36, 37, 38)

  /// Waits for other commits and locks them out.
  ///
  /// - Parameter descriptor: A file open for writing.
  /// - Returns: 0, or the error code.
  static func take(_ descriptor: Int32) -> Int32 {
    lock(descriptor, F_WRLCK, commitByte, setLockAndWait)
  }

  /// Like `take`, but does not wait.
  static func takeAtOnce(_ descriptor: Int32) -> Bool {
    lock(descriptor, F_WRLCK, commitByte, setLock) == 0
  }

  /// Waits for commits to end; shared with other readers.
  static func share(_ descriptor: Int32) -> Int32 {
    lock(descriptor, F_RDLCK, commitByte, setLockAndWait)
  }

  static func giveBack(_ descriptor: Int32) {
    _ = lock(descriptor, F_UNLCK, commitByte, setLock)
  }

  /// Marks the file as open here, with its last commit checked, until it is closed.
  static func markUse(_ descriptor: Int32) {
    _ = lock(descriptor, F_RDLCK, useByte, setLock)
  }

  /// Whether another process has marked it.
  static func isInUse(_ descriptor: Int32) -> Bool {
    var lock = description(F_WRLCK, useByte)
    return unsafe fcntl(descriptor, getLock, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
  }

  private static func lock(
    _ descriptor: Int32,
    _ type: Int32,
    _ byte: off_t,
    _ command: Int32
  ) -> Int32 {
    var lock = description(type, byte)
    while unsafe fcntl(descriptor, command, &lock) != 0 {
      if errno != EINTR { return errno }
    }
    return 0
  }

  private static func description(_ type: Int32, _ byte: off_t) -> Glibc.flock {
    var lock = Glibc.flock()
    lock.l_type = Int16(type)
    lock.l_whence = Int16(SEEK_SET)
    (lock.l_start, lock.l_len) = (byte, 1)
    return lock
  }
}
