import Glibc
import KennelBrowser
import KennelTerminal

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
    let child = Shell.start([line], variables, writing: (output.writing, errors.writing))
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
