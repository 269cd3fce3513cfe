import Glibc
import KennelBrowser

/// Runs a line of the shell for the browser.
enum ShellCommand {
  /// More output than anybody reads.
  private static let mostBytes = 4_000_000

  /// Runs a line to its end, without the terminal.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - variables: Its variables, besides those of this program.
  ///   - isCancelled: Whether it is to end now.
  /// - Returns: What it wrote.
  static func run(
    _ line: String,
    _ variables: [String: String],
    _ isCancelled: () -> Bool
  ) -> ShellOutcome {
    guard let output = Pipe() else { return .notRun("there is no pipe for it") }
    defer { close(output.reading) }
    guard let errors = Pipe() else {
      close(output.writing)
      return .notRun("there is no pipe for it")
    }
    defer { close(errors.reading) }
    let child = start(line, variables, output.writing, errors.writing)
    close(output.writing)
    close(errors.writing)
    guard child > 0 else { return .notRun("/bin/sh cannot be started") }
    var end = End(child)
    let texts = read([output.reading, errors.reading], until: &end, isCancelled)
    if texts == nil { kill(-child, SIGKILL) }
    while !end.hasCome(waits: true) {}
    guard let texts else { return .notRun("it was stopped, or wrote too much") }
    return .ended(status: end.code, output: texts[0], errors: texts[1])
  }

  /// A pipe that no other child gets.
  private struct Pipe {
    let reading: Int32
    let writing: Int32

    init?() {
      var ends: [Int32] = [-1, -1]
      guard unsafe pipe(&ends) == 0 else { return nil }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      (reading, writing) = (ends[0], ends[1])
    }
  }

  /// The end of a child.
  private struct End {
    private let child: pid_t
    private var status: Int32?

    init(_ child: pid_t) { self.child = child }

    mutating func hasCome(waits: Bool) -> Bool {
      if status != nil { return true }
      var found: Int32 = 0
      let answer = unsafe waitpid(child, &found, waits ? 0 : WNOHANG)
      // Who does not know the child any more, cannot wait for it.
      if answer == child || answer < 0 && errno != EINTR { status = found }
      return status != nil
    }

    /// The exit code, or 128 and the signal, as shells say it.
    var code: Int {
      let status = status ?? 0
      return Int(status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F)
    }
  }

  /// Starts the shell in a process group of its own; its number, 0 where it cannot be started.
  private static func start(
    _ line: String,
    _ variables: [String: String],
    _ output: Int32,
    _ errors: Int32
  ) -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
    unsafe posix_spawn_file_actions_adddup2(&actions, errors, 2)
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var ignored = sigset_t()
    unsafe sigemptyset(&ignored)
    unsafe sigaddset(&ignored, SIGPIPE)
    unsafe sigaddset(&ignored, SIGXFSZ)
    unsafe posix_spawnattr_setsigdefault(&attributes, &ignored)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    unsafe posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP)
    )
    let words = unsafe ["sh", "-c", line].map { (word: String) in unsafe strdup(word) }
    let settings = unsafe environment(with: variables).map { (word: String) in
      unsafe strdup(word)
    }
    defer { for index in unsafe words.indices { unsafe free(words[index]) } }
    defer { for index in unsafe settings.indices { unsafe free(settings[index]) } }
    var child: pid_t = 0
    let code = unsafe posix_spawn(
      &child,
      "/bin/sh",
      &actions,
      &attributes,
      words + [nil],
      settings + [nil]
    )
    return code == 0 ? child : 0
  }

  /// The environment of this program, and the variables.
  private static func environment(with variables: [String: String]) -> [String] {
    var found: [String] = []
    var index = 0
    while let setting = unsafe environ[index] {
      let text = unsafe String(cString: setting)
      if variables[String(text.prefix { $0 != "=" })] == nil { found.append(text) }
      index += 1
    }
    return found + variables.map { "\($0)=\($1)" }
  }

  /// Reads to the ends of two pipes; `nil` if it is to end before, or there is too much.
  ///
  /// What the child has left behind in the background may have the pipes for longer.
  private static func read(
    _ files: [Int32],
    until end: inout End,
    _ isCancelled: () -> Bool
  ) -> [String]? {
    var bytes: [[UInt8]] = [[], []]
    var open = [true, true]
    var block = [UInt8](repeating: 0, count: 65_536)
    while open.contains(true) {
      if isCancelled() || bytes.contains(where: { $0.count > mostBytes }) { return nil }
      var waiting = files.indices.map {
        pollfd(fd: open[$0] ? files[$0] : -1, events: Int16(POLLIN), revents: 0)
      }
      guard unsafe poll(&waiting, 2, 50) > 0 else {
        if end.hasCome(waits: false) { break }
        continue
      }
      for index in files.indices where waiting[index].revents != 0 {
        let count = unsafe Glibc.read(files[index], &block, block.count)
        if count < 0, errno == EINTR { continue }
        if count <= 0 { open[index] = false } else { bytes[index] += block.prefix(count) }
      }
    }
    return bytes.map { String(decoding: $0, as: UTF8.self) }
  }
}
