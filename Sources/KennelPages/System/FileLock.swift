#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Locks on bytes of a file, which need not be there.
///
/// | kind | belongs to | ends |
/// |---|---|---|
/// | ``process`` | the process | with the process; a forked child has none; also when the process closes any descriptor of the file, so it is for the lock file, which nobody else opens |
/// | ``descriptor`` | the open file | when its last descriptor is closed, so it is for the data file, which a program may open and close elsewhere |
enum FileLock {
  enum Kind {
    case process
    case descriptor
  }

  enum Mode {
    case shared
    case exclusive
    case none
  }

  /// Takes, changes or gives back a lock; false if another process has it.
  static func set(
    _ descriptor: Int32,
    _ kind: Kind,
    _ mode: Mode,
    at byte: Int,
    count: Int = 1,
    waits: Bool = false
  ) throws(SystemError) -> Bool {
    var lock = description(mode, byte, count)
    while unsafe fcntl(descriptor, command(kind, waits: waits), &lock) != 0 {
      if errno == EINTR { continue }
      if errno == EAGAIN || errno == EACCES { return false }
      throw .last
    }
    return true
  }

  /// Whether another process, or another open file, has a lock on one of the bytes.
  static func isTaken(
    _ descriptor: Int32,
    _ kind: Kind,
    at byte: Int,
    count: Int
  ) throws(SystemError) -> Bool {
    try taken(descriptor, kind, at: byte, count: count) != nil
  }

  /// The other process that has a lock of the kind `process` on a byte; `nil` if none has, or it cannot
  /// be seen from here.
  static func owner(_ descriptor: Int32, at byte: Int) -> Int? {
    let lock = try? taken(descriptor, .process, at: byte, count: 1)
    return lock.flatMap { $0.l_pid > 0 ? Int($0.l_pid) : nil }
  }

  /// A byte that another open file has locked; `nil` if there is none.
  static func firstTaken(
    _ descriptor: Int32,
    at byte: Int,
    count: Int
  ) throws(SystemError) -> Int? {
    try taken(descriptor, .descriptor, at: byte, count: count).map { Int($0.l_start) }
  }

  private static func taken(
    _ descriptor: Int32,
    _ kind: Kind,
    at byte: Int,
    count: Int
  ) throws(SystemError) -> flock? {
    var lock = description(.exclusive, byte, count)
    while unsafe fcntl(descriptor, question(kind), &lock) != 0 {
      if errno != EINTR { throw .last }
    }
    return lock.l_type == Int16(F_UNLCK) ? nil : lock
  }

  private static func description(_ mode: Mode, _ byte: Int, _ count: Int) -> flock {
    var lock = flock()
    lock.l_type =
      switch mode {
      case .shared: Int16(F_RDLCK)
      case .exclusive: Int16(F_WRLCK)
      case .none: Int16(F_UNLCK)
      }
    lock.l_whence = Int16(SEEK_SET)
    (lock.l_start, lock.l_len) = (off_t(byte), off_t(count))
    return lock
  }

  private static func command(_ kind: Kind, waits: Bool) -> Int32 {
    switch kind {
    case .process: waits ? F_SETLKW : F_SETLK
    #if canImport(Darwin)
    case .descriptor: waits ? 91 : 90
    #else
    case .descriptor: waits ? 38 : 37
    #endif
    }
  }

  private static func question(_ kind: Kind) -> Int32 {
    switch kind {
    case .process: F_GETLK
    #if canImport(Darwin)
    case .descriptor: 92
    #else
    case .descriptor: 36
    #endif
    }
  }
}

/// For how long something is waited for.
struct Wait {
  /// When it ends; `nil` for never.
  private let deadline: Int?
  /// Whether nobody wants it any more.
  let isCancelled: (() -> Bool)?

  /// - Parameters:
  ///   - milliseconds: How long; `nil` for as long as it takes.
  ///   - isCancelled: Whether nobody wants it any more.
  init(milliseconds: Int?, isCancelled: (() -> Bool)? = nil) {
    deadline = milliseconds.map { System.milliseconds + max(0, min($0, 1 << 50)) }
    self.isCancelled = isCancelled
  }

  /// Whether nothing but success ends it.
  var isEndless: Bool { deadline == nil && isCancelled == nil }

  var isOver: Bool {
    isCancelled?() == true || deadline.map { System.milliseconds >= $0 } == true
  }

  /// The milliseconds until it is looked at again.
  var pause: Int {
    let most = 5
    return deadline.map { max(1, min(most, $0 - System.milliseconds)) } ?? most
  }
}

/// Lets one thread at a time have something, until another time.
///
/// It may be given back on another thread than the one that took it.
///
/// Safe to use: it owns its mutex and its condition variable.
@safe final class Turn: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  /// Guarded by `mutex`.
  private var isTaken = false

  init() {
    unsafe mutex = .allocate(capacity: 1)
    unsafe changed = .allocate(capacity: 1)
    _ = unsafe pthread_mutex_init(mutex, nil)
    _ = unsafe pthread_cond_init(changed, nil)
  }

  deinit {
    _ = unsafe pthread_cond_destroy(changed)
    _ = unsafe pthread_mutex_destroy(mutex)
    unsafe changed.deallocate()
    unsafe mutex.deallocate()
  }

  /// Waits for the turn; false if the wait is over first.
  func take(_ wait: Wait) -> Bool {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while isTaken {
      if wait.isEndless {
        unsafe pthread_cond_wait(changed, mutex)
        continue
      }
      if wait.isOver { return false }
      // The clock of condition variables may be set; so no wait is long.
      var time = timespec()
      _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
      let nanoseconds = time.tv_nsec + wait.pause * 1_000_000
      time.tv_sec += nanoseconds / 1_000_000_000
      time.tv_nsec = nanoseconds % 1_000_000_000
      _ = unsafe pthread_cond_timedwait(changed, mutex, &time)
    }
    isTaken = true
    return true
  }

  func giveBack() {
    unsafe pthread_mutex_lock(mutex)
    isTaken = false
    unsafe pthread_cond_signal(changed)
    unsafe pthread_mutex_unlock(mutex)
  }
}
