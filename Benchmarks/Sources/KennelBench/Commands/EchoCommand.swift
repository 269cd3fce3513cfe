import ArgumentParser
import Glibc

/// The floor under what the browser does with a key: a program in a terminal that writes two lines
/// for each.
struct EchoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "echo",
    abstract: "Answer each key with two lines of the terminal.",
    shouldDisplay: false
  )

  @Option(help: "How many columns the terminal has.")
  var columns = 200

  func run() throws {
    var attributes = termios()
    unsafe tcgetattr(STDIN_FILENO, &attributes)
    unsafe cfmakeraw(&attributes)
    unsafe tcsetattr(STDIN_FILENO, TCSANOW, &attributes)
    Self.write("ready")
    var key: UInt8 = 0
    var count = 0
    while unsafe read(STDIN_FILENO, &key, 1) == 1 {
      count += 1
      let line = String(repeating: count.isMultiple(of: 2) ? "a" : "b", count: columns - 1)
      Self.write("\u{1B}[3;1H\(line)\u{1B}[4;1H\(line)")
    }
  }

  private static func write(_ text: String) {
    let bytes = Array(text.utf8)
    _ = unsafe Glibc.write(STDOUT_FILENO, bytes, bytes.count)
  }
}
