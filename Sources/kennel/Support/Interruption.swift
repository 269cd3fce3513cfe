import Glibc
import KennelTerminal
import Synchronization

/// What a command leaves behind when ^C, SIGTERM or SIGHUP ends it: nothing but a sentence.
///
/// A thread waits for these signals, so that it may do what no signal handler may: it says what became
/// of the file, removes what is half made, and ends the process by the signal, as a shell expects.
/// What a signal cannot be caught by leaves no half file under the wanted name either, as that is
/// given last of all.
enum Interruption {
  private struct State {
    var isWatching = false
    var sentence: String?
    var leftovers: [String] = []
  }

  private static let state = Mutex(State())

  /// From now on the signals are waited for, and `sentence` is what they say.
  ///
  /// To be called before there are other threads, which would take the signals.
  static func watch(_ sentence: String) {
    let isFirst = state.withLock { state in
      defer { state.isWatching = true }
      state.sentence = sentence
      return !state.isWatching
    }
    guard isFirst else { return }
    startThread()
  }

  /// What the signals say from now on.
  static func say(_ sentence: String) {
    state.withLock { $0.sentence = sentence }
  }

  /// A file that is removed if the program is ended, or crashes.
  static func willLeave(_ paths: String...) {
    state.withLock { $0.leftovers += paths }
    for path in paths { CrashHandler.willRemove(path) }
  }

  /// A step that makes files; a signal waits for its end, so that all of them are there to be removed.
  static func hold<Result>(_ step: () throws -> Result) rethrows -> Result {
    try state.withLock { _ in try step() }
  }

  /// The last step, which no signal interrupts; after it nothing is left to be removed or said.
  static func settle<Result>(_ step: () throws -> Result) rethrows -> Result {
    try state.withLock { state in
      let result = try step()
      state.sentence = nil
      state.leftovers = []
      CrashHandler.forget()
      return result
    }
  }

  /// What is said where a file is left alone.
  static func leavingAlone(_ path: String) -> String {
    exists(path) ? "\(path) is as it was" : "\(path) was not made"
  }

  /// The signals that end a program and are not ignored, as a program under `nohup` ignores SIGHUP.
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
    var thread = pthread_t()
    let result = unsafe pthread_create(&thread, nil, { _ in Interruption.wait() }, nil)
    if result == 0 {
      pthread_detach(thread)
    } else {
      unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }
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
        for path in state.leftovers.reversed() where unsafe unlink(path) != 0 { unsafe rmdir(path) }
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
