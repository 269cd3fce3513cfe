import Glibc

/// Bytes of the file, far behind its end, that processes lock to agree on commits.
///
/// They are locks of an open file and not of a process, which would lose them when it closes any other
/// descriptor of the file (fcntl(2), open file description locks). They go with their process.
enum CommitLock {
  /// The bytes before these are for the numbers of lock files (`FileHold.marks`).
  static let firstByte: off_t = 1 << 62
  /// Whoever commits has it alone.
  private static let commitByte = firstByte
  /// Whoever has the file open shares it.
  private static let useByte = firstByte + 1

  private static let (getLock, setLock, setLockAndWait): (Int32, Int32, Int32) = (36, 37, 38)

  /// Waits until nobody else commits, and keeps everybody else from it.
  ///
  /// - Parameter descriptor: A file that is open for writing.
  /// - Returns: 0, or why there is no lock.
  static func take(_ descriptor: Int32) -> Int32 {
    lock(descriptor, F_WRLCK, commitByte, setLockAndWait)
  }

  /// The same without waiting.
  static func takeAtOnce(_ descriptor: Int32) -> Bool {
    lock(descriptor, F_WRLCK, commitByte, setLock) == 0
  }

  /// Waits until nobody commits; others may look at the same time.
  static func share(_ descriptor: Int32) -> Int32 {
    lock(descriptor, F_RDLCK, commitByte, setLockAndWait)
  }

  static func giveBack(_ descriptor: Int32) {
    _ = lock(descriptor, F_UNLCK, commitByte, setLock)
  }

  /// Says that the file is open here and its last commit was looked at, until it is closed.
  static func markUse(_ descriptor: Int32) {
    _ = lock(descriptor, F_RDLCK, useByte, setLock)
  }

  /// Whether somebody else has said so.
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
