internal import CTerminalSignals

/// Handles a crash of the program: says one sentence, removes half-made files, and ends at once.
package enum CrashHandler {
  /// Installs the handler for the rest of the program.
  ///
  /// Where the environment has `SWIFT_BACKTRACE=enable=yes`, the runtime's own handler stays, which
  /// shows a developer where it happened.
  package static func install() {
    crash_handler_install()
  }

  /// Has a crash remove a file.
  package static func willRemove(_ path: String) {
    _ = unsafe crash_handler_will_remove(path)
  }

  /// Has a crash say so if another program has overwritten a database since, which is read in place.
  package static func watch(_ path: String) {
    unsafe crash_handler_watch(path)
  }

  /// Has a crash remove nothing any more, since what was half made is complete.
  package static func forget() {
    crash_handler_forget()
  }
}
