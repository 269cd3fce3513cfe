import Glibc
import KennelTerminal
import Synchronization

/// Cleans up when ^C, SIGTERM or SIGHUP ends a command.
///
/// A thread waits for these signals, because it can do what a signal handler cannot: it prints what
/// happened to the file, removes unfinished files, and ends the process by the signal, as a shell
/// expects. A signal that cannot be caught leaves no unfinished file under the requested name
/// either, because the file gets that name last.
enum Interruption {
  private struct State {
    var isWatching = false
    var sentence: String?
    var leftovers: [String] = []
  }

  private static let state = Mutex(State())

  /// Starts to wait for signals, which print `sentence`.
  ///
  /// Call it before starting other threads, which would receive the signals.
  static func watch(_ sentence: String) {
    let isFirst = state.withLock { state in
      defer { state.isWatching = true }
      state.sentence = sentence
      return !state.isWatching
    }
    guard isFirst else { return }
    startThread()
  }

  /// Changes the sentence that a signal prints.
  static func say(_ sentence: String) {
    state.withLock { $0.sentence = sentence }
  }

  /// Removes these files if a signal or a crash ends the program.
  static func willLeave(_ paths: String...) {
    state.withLock { state in
      state.leftovers += paths.filter { !state.leftovers.contains($0) }
    }
    for path in paths { CrashHandler.willRemove(path) }
  }

  /// Runs a step that creates files; a signal waits for its end and then removes them.
  static func hold<Result>(_ step: () throws -> Result) rethrows -> Result {
    try state.withLock { _ in try step() }
  }

  /// Runs the last step, which no signal interrupts; nothing is removed or printed after it.
  static func settle<Result>(_ step: () throws -> Result) rethrows -> Result {
    try state.withLock { state in
      let result = try step()
      state.sentence = nil
      state.leftovers = []
      CrashHandler.forget()
      return result
    }
  }

  /// The sentence for a file that stays as it is.
  static func leavingAlone(_ path: String) -> String {
    exists(path) ? "\(path) is unchanged" : "\(path) was not created"
  }

  /// The signals that end the program, except ignored ones, such as SIGHUP under `nohup`.
  private static var signals: sigset_t {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(number) {
      unsafe sigaddset(&signals, number)
    }
    return signals
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard unsafe sigaction(number, nil, &action) == 0 else { return false }
    let ignoring = unsafe unsafeBitCast(SIG_IGN, to: Int.self)
    return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == ignoring
  }

  private static func startThread() {
    var signals = signals
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    if !BackgroundThread.start({ wait() }) { unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil) }
  }

  private static func wait() -> Never {
    var signals = signals
    while true {
      var number: Int32 = 0
      guard unsafe sigwait(&signals, &number) == 0 else { continue }
      state.withLock { state in
        if let sentence = state.sentence {
          // Behind what the terminal shows of ^C, and below a bar of progress.
          if isatty(STDERR_FILENO) != 0 { printNote("") }
          printError("Interrupted: \(sentence)")
        }
        // Folders were named before what lies in them.
        for path in state.leftovers.reversed() where unlink(path) != 0 { rmdir(path) }
        signal(number, SIG_DFL)
        var one = sigset_t()
        unsafe sigemptyset(&one)
        unsafe sigaddset(&one, number)
        unsafe pthread_sigmask(SIG_UNBLOCK, &one, nil)
        raise(number)
      }
    }
  }
}
