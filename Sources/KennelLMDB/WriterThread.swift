import Glibc

/// The thread of an environment that takes LMDB's writer lock.
///
/// The lock is a robust mutex shared between processes. It belongs to a thread, and only that
/// thread may release it. A caller may begin a transaction on one thread and commit it on another,
/// so this thread does both. Stores and deletions need no lock and run on the caller's thread.
///
/// One caller at a time holds the *turn*; it alone submits jobs.
///
/// Safe to use: it owns its mutex and condition variable, and its thread retains it.
@safe final class WriterThread: @unchecked Sendable {
  /// When to stop waiting, on the monotonic clock; `nil` for never.
  typealias Deadline = timespec?

  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  /// Guarded by `mutex`, like everything below.
  private var isTaken = false
  /// Callers that wait for the turn.
  private var waiting = 0
  private var isRunning = false
  private var isStopping = false
  private var job: (() -> Void)?

  init() {
    unsafe mutex = .allocate(capacity: 1)
    unsafe changed = .allocate(capacity: 1)
    unsafe pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    unsafe pthread_condattr_init(&attributes)
    unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    unsafe pthread_cond_init(changed, &attributes)
    unsafe pthread_condattr_destroy(&attributes)
  }

  deinit {
    unsafe pthread_cond_destroy(changed)
    unsafe pthread_mutex_destroy(mutex)
    unsafe changed.deallocate()
    unsafe mutex.deallocate()
  }

  static func deadline(afterMilliseconds milliseconds: Int?) -> Deadline {
    guard let milliseconds else { return nil }
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    let nanoseconds = time.tv_nsec + (milliseconds % 1000) * 1_000_000
    time.tv_sec += milliseconds / 1000 + nanoseconds / 1_000_000_000
    time.tv_nsec = nanoseconds % 1_000_000_000
    return time
  }

  /// Waits until no other caller holds the turn.
  ///
  /// Returns false if the deadline passes first.
  func takeTurn(until deadline: Deadline) -> Bool {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    waiting += 1
    defer { waiting -= 1 }
    while isTaken {
      if !wait(until: deadline) { return false }
    }
    isTaken = true
    return true
  }

  func giveTurn() {
    unsafe pthread_mutex_lock(mutex)
    isTaken = false
    // Does not wake the thread, which took a tenth of a small commit's time.
    if waiting > 0 { unsafe pthread_cond_broadcast(changed) }
    unsafe pthread_mutex_unlock(mutex)
  }

  /// Runs `work` on the thread and waits for it.
  ///
  /// The caller holds the turn.
  ///
  /// If the deadline passes first, it returns false at once, and the thread runs `whenAbandoned`
  /// after `work`. It also returns false if no thread could be created.
  func perform(
    until deadline: Deadline = nil,
    _ work: @escaping () -> Void,
    whenAbandoned: @escaping () -> Void = {}
  ) -> Outcome {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    guard isRunning || start() else { return .noThread }
    let ticket = Ticket()
    job = { [self] in
      work()
      unsafe pthread_mutex_lock(mutex)
      ticket.isDone = true
      let isAbandoned = ticket.isAbandoned
      unsafe pthread_cond_broadcast(changed)
      unsafe pthread_mutex_unlock(mutex)
      if isAbandoned { whenAbandoned() }
    }
    unsafe pthread_cond_broadcast(changed)
    while !ticket.isDone {
      if !wait(until: deadline) {
        ticket.isAbandoned = true
        return .abandoned
      }
    }
    return .done
  }

  enum Outcome {
    case done
    case abandoned
    case noThread
  }

  /// Lets the thread end when its job is done.
  func stop() {
    unsafe pthread_mutex_lock(mutex)
    isStopping = true
    unsafe pthread_cond_broadcast(changed)
    unsafe pthread_mutex_unlock(mutex)
  }

  private final class Ticket {
    var isDone = false
    var isAbandoned = false
  }

  /// Waits for a change.
  ///
  /// Returns false if the deadline passes first.
  private func wait(until deadline: Deadline) -> Bool {
    guard var deadline else { return unsafe pthread_cond_wait(changed, mutex) == 0 }
    return unsafe pthread_cond_timedwait(changed, mutex, &deadline) == 0
  }

  /// Starts the thread with all signals blocked, so that handlers run elsewhere.
  private func start() -> Bool {
    var all = sigset_t()
    var before = sigset_t()
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    let context = unsafe Unmanaged.passRetained(self)
    var thread = pthread_t()
    let code = unsafe pthread_create(
      &thread,
      nil,
      { context in
        guard let context = unsafe context else { return nil }
        unsafe Unmanaged<WriterThread>.fromOpaque(context).takeRetainedValue().run()
        return nil
      },
      unsafe context.toOpaque()
    )
    guard code == 0 else {
      unsafe context.release()
      return false
    }
    pthread_detach(thread)
    isRunning = true
    return true
  }

  private func run() {
    unsafe pthread_mutex_lock(mutex)
    while true {
      if let next = job {
        job = nil
        unsafe pthread_mutex_unlock(mutex)
        next()
        unsafe pthread_mutex_lock(mutex)
      } else if isStopping {
        break
      } else {
        unsafe pthread_cond_wait(changed, mutex)
      }
    }
    unsafe pthread_mutex_unlock(mutex)
  }
}
