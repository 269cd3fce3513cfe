import CPseudoTerminal
import Glibc

/// A program that runs in a pseudo terminal of its own.
///
/// Nobody interprets what it writes: this shows the bytes, the modes of the terminal and the way
/// the program ends. For what a person would see, take `TmuxTerminal`.
package final class PseudoTerminal {
  /// How a program ended.
  package enum Exit: Hashable, Sendable {
    case code(Int32)
    case signal(Int32)
  }

  package let process: Int32
  private let terminal: Int32
  private var exit: Exit?

  /// Everything that the program has written so far.
  package private(set) var output: [UInt8] = []

  /// The modes of the terminal before the program could change them.
  package let modesAtStart: Modes

  package init(
    _ path: String,
    _ arguments: [String] = [],
    environment: [String: String] = Executable.environment(adding: ["TERM": "xterm-256color"]),
    columns: Int = 80,
    rows: Int = 24
  ) throws {
    var terminal: Int32 = -1
    var modes = termios()
    process = unsafe withCStrings([path] + arguments) { words in
      unsafe withCStrings(environment.map { "\($0)=\($1)" }) { variables in
        unsafe pseudo_terminal_spawn(
          &terminal,
          path,
          words,
          variables,
          Int32(rows),
          Int32(columns),
          &modes
        )
      }
    }
    guard process > 0 else { throw TestFailure("Cannot start \(path): \(errno)") }
    self.terminal = terminal
    _ = fcntl(terminal, F_SETFL, O_NONBLOCK)
    modesAtStart = Modes(modes)
  }

  deinit {
    if exit == nil {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
    hangUp()
  }

  // MARK: - Talking to the program

  package func send(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe write(terminal, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        read(for: .milliseconds(5))
      } else if errno != EINTR {
        return
      }
    }
  }

  package func signal(_ number: Int32) {
    kill(process, number)
  }

  package func resize(columns: Int, rows: Int) {
    var size = winsize(
      ws_row: UInt16(rows),
      ws_col: UInt16(columns),
      ws_xpixel: 0,
      ws_ypixel: 0
    )
    _ = unsafe ioctl(terminal, UInt(TIOCSWINSZ), &size)
  }

  private var isOpen = true

  /// Takes the terminal away, as when a window is closed.
  package func hangUp() {
    if isOpen { close(terminal) }
    isOpen = false
  }

  // MARK: - Watching the program

  /// Everything that the program has written so far, as text.
  package var text: String {
    read(for: .zero)
    return String(decoding: output, as: UTF8.self)
  }

  /// Forgets what the program has written so far.
  package func forgetOutput() {
    read(for: .zero)
    output = []
  }

  /// Waits until the program has written a text.
  package func waitFor(_ text: String, timeout: Duration = .seconds(20)) throws {
    try waitUntil("it writes \(text.debugDescription)", timeout: timeout) {
      $0.text.contains(text)
    }
  }

  package func waitUntil(
    _ what: String,
    timeout: Duration = .seconds(20),
    _ condition: (PseudoTerminal) -> Bool
  ) throws {
    let end = ContinuousClock.now + timeout
    while !condition(self) {
      guard ContinuousClock.now < end else {
        throw TestFailure("Waited in vain until \(what); it wrote: \(text.debugDescription)")
      }
      read(for: .milliseconds(5))
    }
  }

  /// Waits until the program ends.
  package func waitForExit(timeout: Duration = .seconds(20)) throws -> Exit {
    let end = ContinuousClock.now + timeout
    while exit == nil {
      read(for: .milliseconds(2))
      var status: Int32 = 0
      if unsafe waitpid(process, &status, WNOHANG) == process {
        let signal = status & 0x7F
        exit = signal == 0 ? .code(status >> 8 & 0xFF) : .signal(signal)
      } else if ContinuousClock.now > end {
        throw TestFailure("The program does not end; it wrote: \(text.debugDescription)")
      }
    }
    read(for: .zero)
    return exit ?? .code(-1)
  }

  /// The modes of the terminal now.
  package var modes: Modes { Modes(of: terminal) }

  /// Reads what is there, waiting up to a time for the first of it.
  private func read(for time: Duration) {
    guard isOpen else { return }
    var descriptor = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
    _ = unsafe poll(&descriptor, 1, Int32(time / .milliseconds(1)))
    var block = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe Glibc.read(terminal, &block, block.count)
      guard count > 0 else { return }
      output += block.prefix(count)
    }
  }

  /// How a terminal treats what passes through it.
  package struct Modes: Hashable, Sendable, CustomStringConvertible {
    package let input: UInt32
    package let output: UInt32
    package let control: UInt32
    package let local: UInt32

    init(of terminal: Int32) {
      var settings = termios()
      unsafe tcgetattr(terminal, &settings)
      self.init(settings)
    }

    init(_ settings: termios) {
      input = settings.c_iflag
      output = settings.c_oflag
      control = settings.c_cflag
      local = settings.c_lflag
    }

    /// Whether lines are edited and shown by the terminal, as a shell expects it.
    package var isSane: Bool {
      let wanted = UInt32(ICANON | ECHO | ISIG)
      return local & wanted == wanted && input & UInt32(ICRNL) != 0 && output & UInt32(OPOST) != 0
    }

    package var description: String {
      [input, output, control, local].map { String($0, radix: 8) }.joined(separator: " ")
    }
  }
}
