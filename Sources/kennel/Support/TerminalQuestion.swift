import Glibc

/// Questions to the person at the terminal, whatever the standard streams are.
enum TerminalQuestion {
  /// Asks a question that is answered with yes or no.
  static func ask(_ question: String) throws -> Bool {
    let terminal = try open()
    defer { close(terminal) }
    try FileOutput(descriptor: terminal, name: "the terminal")
      .write(Array("\(question) [y/N] ".utf8))
    let answer = readLine(from: terminal) ?? []
    return ["y", "yes"].contains(String(decoding: answer, as: UTF8.self).lowercased())
  }

  /// Asks for a secret, which is not shown; `nil` where there is no terminal, or no answer.
  static func askForSecret(_ question: String) throws -> [UInt8]? {
    guard let terminal = try? open() else { return nil }
    defer { close(terminal) }
    let screen = FileOutput(descriptor: terminal, name: "the terminal")
    try screen.write(Array(question.utf8))
    var old = termios()
    guard unsafe tcgetattr(terminal, &old) == 0 else { return nil }
    var quiet = old
    quiet.c_lflag &= ~tcflag_t(ECHO)
    unsafe tcsetattr(terminal, TCSAFLUSH, &quiet)
    defer { unsafe tcsetattr(terminal, TCSAFLUSH, &old) }
    let line = readLine(from: terminal)
    try screen.write([UInt8(ascii: "\n")])
    return line
  }

  /// Makes the terminal the standard input, from which a program reads keys.
  static func takeKeysFromTerminal() throws {
    let terminal = try open()
    defer { close(terminal) }
    guard dup2(terminal, STDIN_FILENO) >= 0 else {
      throw CommandError.system("Cannot read keys from the terminal")
    }
  }

  private static func open() throws -> Int32 {
    let terminal = unsafe Glibc.open("/dev/tty", O_RDWR | O_CLOEXEC)
    if terminal < 0 { throw CommandError.system("Cannot ask on the terminal") }
    return terminal
  }

  private static func readLine(from descriptor: Int32) -> [UInt8]? {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while line.count < 1024 {
      let count = unsafe read(descriptor, &byte, 1)
      if count < 0, errno == EINTR { continue }
      if count <= 0 || byte == UInt8(ascii: "\n") { return line.isEmpty ? nil : line }
      line.append(byte)
    }
    return line
  }
}
