import Glibc

/// A thread that looks for new commits and calls a body for each look that may find one.
///
/// The number of the newest commit stands in the file's map, so a look costs a load. The thread
/// looks every 50 ms, for the commits of other processes, and at once after a commit of this one.
package final class CommitWatcher: @unchecked Sendable {
  private static let intervalInMilliseconds = 50

  private let state: State
  private var thread = pthread_t()

  /// State that the thread and its owner share; the thread holds it, not the watcher.
  private final class State: @unchecked Sendable {
    /// Written under the lock of ``CommitSignal``.
    var isStopped = false
    let look: @Sendable () -> Void

    init(_ look: @escaping @Sendable () -> Void) {
      self.look = look
    }

    func run() {
      var seen = CommitSignal.shared.count
      while true {
        guard
          let next = CommitSignal.shared.wait(
            past: seen,
            milliseconds: CommitWatcher.intervalInMilliseconds,
            unless: { self.isStopped }
          )
        else { return }
        seen = next
        look()
      }
    }
  }

  /// Starts to look; `nil` where the process may have no more threads.
  ///
  /// - Parameter look: Called on the thread, often: it compares commit numbers first.
  package init?(_ look: @escaping @Sendable () -> Void) {
    state = State(look)
    // Signals belong to the main thread; those of a crash cannot be kept away.
    var all = sigset_t()
    var before = sigset_t()
    unsafe sigfillset(&all)
    for number in [SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGTRAP, SIGFPE] {
      unsafe sigdelset(&all, number)
    }
    unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    let box = unsafe Unmanaged.passRetained(state)
    let result = unsafe pthread_create(
      &thread,
      nil,
      { argument in
        if let argument = unsafe argument {
          unsafe Unmanaged<State>.fromOpaque(argument).takeRetainedValue().run()
        }
        return nil
      },
      unsafe box.toOpaque()
    )
    guard result == 0 else {
      unsafe box.release()
      return nil
    }
  }

  /// Ends the thread, and waits for it unless this is the thread itself.
  ///
  /// To be called once.
  package func stop() {
    CommitSignal.shared.change { state.isStopped = true }
    if pthread_equal(thread, pthread_self()) != 0 {
      pthread_detach(thread)
    } else {
      pthread_join(thread, nil)
    }
  }
}

/// Tells the watchers of this process at once that one of its writers has committed.
///
/// Safe to use: it owns its mutex and its condition variable, and lives as long as the process.
@safe package final class CommitSignal: @unchecked Sendable {
  package static let shared = CommitSignal()

  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  /// Commits so far, of whatever file; guarded by `mutex`.
  private var commits = 0

  /// It lives as long as the process.
  private init() {
    unsafe mutex = .allocate(capacity: 1)
    unsafe changed = .allocate(capacity: 1)
    unsafe pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    unsafe pthread_condattr_init(&attributes)
    unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    unsafe pthread_cond_init(changed, &attributes)
    unsafe pthread_condattr_destroy(&attributes)
  }

  /// Says that there is a new commit.
  package func post() {
    change { commits += 1 }
  }

  fileprivate func change(_ body: () -> Void) {
    unsafe pthread_mutex_lock(mutex)
    body()
    unsafe pthread_cond_broadcast(changed)
    unsafe pthread_mutex_unlock(mutex)
  }

  fileprivate var count: Int {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return commits
  }

  /// Waits for a commit after the `seen` first ones, or until the time is over.
  ///
  /// Returns how many there were; `nil` where the caller is to end.
  fileprivate func wait(
    past seen: Int,
    milliseconds: Int,
    unless isStopped: () -> Bool
  ) -> Int? {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    var deadline = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &deadline)
    deadline.tv_nsec += milliseconds * 1_000_000
    deadline.tv_sec += deadline.tv_nsec / 1_000_000_000
    deadline.tv_nsec %= 1_000_000_000
    while !isStopped(), commits == seen {
      if unsafe pthread_cond_timedwait(changed, mutex, &deadline) == ETIMEDOUT { break }
    }
    return isStopped() ? nil : commits
  }
}
