internal import Glibc

/// Threads that signals never interrupt: the main thread is there for them.
package enum BackgroundThread {
  /// The body of a new thread.
  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
      self.run = run
    }
  }

  /// Runs a body on a new thread, or at once where the system has none.
  static func run(_ body: @escaping @Sendable () -> Void) {
    // Without threads the screen waits, but the work is done.
    if !start(body) { body() }
  }

  /// Runs a body on a new thread; false where the system has none.
  package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    var all = sigset_t()
    var before = sigset_t()
    unsafe sigfillset(&all)
    for number in [SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGTRAP, SIGFPE] {
      unsafe sigdelset(&all, number)
    }
    unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }

    let box = unsafe Unmanaged.passRetained(Body(body))
    var thread = pthread_t()
    let result = unsafe pthread_create(
      &thread,
      nil,
      { argument in
        if let argument = unsafe argument {
          unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
        }
        return nil
      },
      unsafe box.toOpaque()
    )
    guard result == 0 else {
      unsafe box.release()
      return false
    }
    pthread_detach(thread)
    return true
  }
}
