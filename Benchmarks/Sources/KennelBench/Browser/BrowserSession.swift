import CPseudoTerminal
import FoundationEssentials
import Glibc

/// The browser in a terminal of its own, and somebody who presses keys and looks at the screen.
///
/// All times are milliseconds. A screen is there when its last byte is, after which the terminal
/// stays quiet for a while.
final class BrowserSession {
  /// How long the terminal is quiet after a whole screen.
  private static let quiet = 20.0
  /// How long an answer may take that waits for no job.
  private static let patience = 10_000.0

  private let terminal: PseudoTerminal
  private let process: pid_t
  private var screen: ScreenText
  private let start: Double
  private var lastOutput: Double
  private var hasEnded = false

  /// Runs a program in a terminal, where nothing is left of earlier runs.
  ///
  /// - Parameters:
  ///   - arguments: The program, and its arguments.
  ///   - columns: How many columns the terminal has.
  ///   - rows: How many rows it has.
  ///   - home: A folder that is emptied, for what the program keeps.
  /// - Throws: `BenchmarkError` if there is no terminal to be had, or the program does not run.
  init(_ arguments: [String], columns: Int, rows: Int, home: String) throws {
    let terminal = try PseudoTerminal(columns: columns, rows: rows)
    try? FileManager.default.removeItem(atPath: home)
    start = Self.now()
    lastOutput = start
    process = try Self.spawn(arguments, in: terminal, home: home)
    screen = ScreenText(columns: columns, rows: rows)
    self.terminal = terminal
  }

  deinit { end() }

  private static func now() -> Double { Elapsed.seconds() * 1000 }

  // MARK: - Looking

  /// How long the first screen took, which shows a text.
  func firstScreen(with text: String) throws -> Double {
    while try !settle() || !screen.shows(text) {
      guard Self.now() - start < Self.patience else { throw unexpected("a first screen") }
    }
    return lastOutput - start
  }

  /// Presses keys, and says after how long the screen stood still.
  @discardableResult
  func press(_ keys: String) throws -> Double {
    let start = Self.now()
    try terminal.write(keys)
    while try !settle() {
      guard Self.now() - start < Self.patience else { throw unexpected("an answer to a key") }
    }
    return lastOutput - start
  }

  /// Presses keys, and says after how long a text stood on the screen; calls `watch` again and
  /// again while it does not.
  func press(_ keys: String, until text: String, watch: () -> Void = {}) throws -> Double {
    let start = Self.now()
    try terminal.write(keys)
    while !screen.shows(text) {
      try receive(within: 5)
      watch()
      guard Self.now() - start < 100 * Self.patience else { throw unexpected("'\(text)'") }
    }
    _ = try settle()
    return lastOutput - start
  }

  /// Lets everything come that is under way.
  func rest() throws {
    while try settle() {}
  }

  /// Receives all until the terminal is quiet; whether there was anything.
  private func settle() throws -> Bool {
    var isAnswered = false
    while try receive(within: Self.quiet) { isAnswered = true }
    return isAnswered
  }

  @discardableResult
  private func receive(within milliseconds: Double) throws -> Bool {
    guard let bytes = terminal.read(within: milliseconds) else {
      throw BenchmarkError("The browser has ended:\n" + text)
    }
    if bytes.isEmpty { return false }
    lastOutput = Self.now()
    screen.receive(bytes)
    return true
  }

  private var text: String {
    screen.lines.filter { $0.contains { $0 != " " } }.joined(separator: "\n")
  }

  private func unexpected(_ what: String) -> BenchmarkError {
    BenchmarkError("The browser does not show \(what):\n" + text)
  }

  // MARK: - The process

  /// The memory of the process that is no file's, in bytes.
  func memory() -> Int { Footprint.anonymousBytes(of: process) }

  /// How much of a processor the program takes while nobody presses a key, in percent.
  func idleShare(seconds: UInt32) throws -> Double {
    try rest()
    let (start, before) = (Self.now(), Footprint.processorSeconds(of: process))
    for _ in 0..<seconds { while try receive(within: 1_000) {} }
    return (Footprint.processorSeconds(of: process) - before) * 100_000 / (Self.now() - start)
  }

  /// Ends the browser as a closed window does.
  func end() {
    guard !hasEnded else { return }
    hasEnded = true
    kill(process, SIGHUP)
    for _ in 0..<200 {
      _ = terminal.read(within: 10)
      if waitpid(process, nil, WNOHANG) != 0 { return }
    }
    kill(process, SIGKILL)
    waitpid(process, nil, 0)
  }

  private static func spawn(
    _ arguments: [String],
    in terminal: PseudoTerminal,
    home: String
  ) throws -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    // The first terminal that a new session opens is its own.
    unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, terminal.path, O_RDWR, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO)
    unsafe posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO)
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGINT)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGDEF) | pseudo_terminal_session_flag()
    )
    var process = pid_t()
    let program = arguments[0]
    let failure = unsafe withPointers(arguments) { arguments in
      unsafe withPointers(environment(home: home)) { environment in
        unsafe posix_spawn(&process, program, &actions, &attributes, arguments, environment)
      }
    }
    guard failure == 0 else {
      throw BenchmarkError(unsafe "Cannot run \(program): \(String(cString: strerror(failure)))")
    }
    return process
  }

  /// The environment of this process, with what is true of the terminal.
  private static func environment(home: String) -> [String] {
    let replaced = [
      "TERM=", "LANG=", "LC_ALL=", "LC_CTYPE=", "LINES=", "COLUMNS=", "XDG_", "NO_COLOR=",
    ]
    var variables: [String] = []
    var next = unsafe environ
    while let variable = unsafe next.pointee {
      let text = unsafe String(cString: variable)
      if !replaced.contains(where: text.hasPrefix) { variables.append(text) }
      unsafe next += 1
    }
    return variables + ["TERM=xterm-256color", "LANG=C.UTF-8"]
      + ["STATE", "CONFIG", "DATA", "CACHE"].map { "XDG_\($0)_HOME=\(home)" }
  }

  private static func withPointers<Result>(
    _ texts: [String],
    _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let pointers = unsafe texts.map { unsafe strdup($0) }
    defer { for index in unsafe pointers.indices { unsafe free(pointers[index]) } }
    return unsafe body(pointers + [nil])
  }
}
