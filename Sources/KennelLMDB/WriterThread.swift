import Glibc

/// The one thread of an environment that takes LMDB's writer lock.
///
/// The lock is a robust mutex shared between processes: it belongs to a thread, and
/// only that thread may give it back. A caller may begin a transaction on one thread
/// and commit it on another, so beginning and ending both happen here; putting and
/// deleting need no lock and happen on the caller's thread while this one sleeps.
///
/// One caller at a time holds the *turn*; it alone submits jobs.
final class WriterThread: @unchecked Sendable {
  /// When to give up waiting, by the monotonic clock; nil for never.
  typealias Deadline = timespec?

  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  /// Guarded by `mutex`, like all that follows.
  private var isTaken = false
  /// Callers that wait for the turn.
  private var waiting = 0
  private var isRunning = false
  private var isStopping = false
  private var job: (() -> Void)?

  init() {
    mutex = .allocate(capacity: 1)
    changed = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(changed, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  static func deadline(afterMilliseconds milliseconds: Int?) -> Deadline {
    guard let milliseconds else { return nil }
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let nanoseconds = time.tv_nsec + (milliseconds % 1000) * 1_000_000
    time.tv_sec += milliseconds / 1000 + nanoseconds / 1_000_000_000
    time.tv_nsec = nanoseconds % 1_000_000_000
    return time
  }

  /// Waits until no other caller holds the turn.
  ///
  /// False when the deadline has passed.
  func takeTurn(until deadline: Deadline) -> Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    waiting += 1
    defer { waiting -= 1 }
    while isTaken {
      if !wait(until: deadline) { return false }
    }
    isTaken = true
    return true
  }

  func giveTurn() {
    pthread_mutex_lock(mutex)
    isTaken = false
    // The thread itself need not be woken for it: that took a tenth of a small commit's time.
    if waiting > 0 { pthread_cond_broadcast(changed) }
    pthread_mutex_unlock(mutex)
  }

  /// Runs `work` on the thread and waits for it.
  ///
  /// The caller holds the turn.
  ///
  /// Where the deadline passes first, `whenAbandoned` is run on the thread after
  /// `work`, and false is returned at once.
  ///
  /// False also where no thread could be made.
  func perform(
    until deadline: Deadline = nil,
    _ work: @escaping () -> Void,
    whenAbandoned: @escaping () -> Void = {}
  ) -> Outcome {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    guard isRunning || start() else { return .noThread }
    let ticket = Ticket()
    job = { [self] in
      work()
      pthread_mutex_lock(mutex)
      ticket.isDone = true
      let isAbandoned = ticket.isAbandoned
      pthread_cond_broadcast(changed)
      pthread_mutex_unlock(mutex)
      if isAbandoned { whenAbandoned() }
    }
    pthread_cond_broadcast(changed)
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
    pthread_mutex_lock(mutex)
    isStopping = true
    pthread_cond_broadcast(changed)
    pthread_mutex_unlock(mutex)
  }

  private final class Ticket {
    var isDone = false
    var isAbandoned = false
  }

  /// Waits for a change.
  ///
  /// False when the deadline has passed.
  private func wait(until deadline: Deadline) -> Bool {
    guard var deadline else { return pthread_cond_wait(changed, mutex) == 0 }
    return pthread_cond_timedwait(changed, mutex, &deadline) == 0
  }

  /// Starts the thread with all signals blocked, so that handlers run elsewhere.
  private func start() -> Bool {
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let context = Unmanaged.passRetained(self)
    var thread = pthread_t()
    let code = pthread_create(
      &thread,
      nil,
      { context in
        guard let context else { return nil }
        Unmanaged<WriterThread>.fromOpaque(context).takeRetainedValue().run()
        return nil
      },
      context.toOpaque()
    )
    guard code == 0 else {
      context.release()
      return false
    }
    pthread_detach(thread)
    isRunning = true
    return true
  }

  private func run() {
    pthread_mutex_lock(mutex)
    while true {
      if let next = job {
        job = nil
        pthread_mutex_unlock(mutex)
        next()
        pthread_mutex_lock(mutex)
      } else if isStopping {
        break
      } else {
        pthread_cond_wait(changed, mutex)
      }
    }
    pthread_mutex_unlock(mutex)
  }
}
