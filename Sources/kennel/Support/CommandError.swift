import Glibc
import KennelCore
import KennelDocuments
import KennelSQL

/// Why a command failed.
struct CommandError: Error, CustomStringConvertible {
  let message: String
  /// Whether a file of another program is damaged.
  var isDamage = false
  var description: String { message }

  init(_ message: String) {
    self.message = message
  }

  /// An attempt that the system refused, with the system's message.
  static func system(_ attempt: String, _ code: Int32 = errno) -> CommandError {
    CommandError(unsafe "\(attempt): \(String(cString: strerror(code)))")
  }
}

/// The sentence of an error that this program throws; `nil` for another.
func sentence(of error: any Error) -> String? {
  switch error {
  case let error as DatabaseError: error.message
  case let error as SQLError: error.message
  case let error as CommandError: error.message
  case let error as DocumentError: error.description
  case let error as JSONSchemaError: error.description
  default: nil
  }
}

/// Prints an error to standard error, after the name of the program.
func printError(_ message: String) {
  printNote("kennel: \(message)")
}

/// Prints a message to standard error, so that it does not end up in a pipe.
///
/// Messages quote documents and arguments; their control characters do not reach the terminal.
func printNote(_ message: String) {
  var message = message
  for argument in CommandLine.arguments where PostgresURL.isURL(argument) {
    message = message.replacing(argument, with: PostgresURL.withoutPassword(argument))
  }
  let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
  let text = lines.map { TerminalText.line(String($0)) }.joined(separator: "\n")
  try? FileOutput(descriptor: STDERR_FILENO, name: "standard error").write(
    Array("\(text)\n".utf8)
  )
}

/// The value of an environment variable.
func variable(_ name: String) -> String? {
  unsafe getenv(name).map { unsafe String(cString: $0) }
}

/// The time of the clock, to the millisecond.
func currentTime() -> Timestamp {
  var now = timespec()
  unsafe clock_gettime(CLOCK_REALTIME, &now)
  let milliseconds = UInt32(now.tv_nsec / 1_000_000)
  return Timestamp(seconds: Int64(now.tv_sec), nanoseconds: milliseconds * 1_000_000)
    ?? Timestamp(seconds: Int64(now.tv_sec))
}

/// A time in the user's time zone, to the minute.
func localTime(_ time: Timestamp) -> String {
  localTime(time_t(time.seconds), "%Y-%m-%d %H:%M")
}

/// The time of day in the user's time zone, to the second.
func clockTime() -> String { localTime(time(nil), "%H:%M:%S") }

private func localTime(_ time: time_t, _ format: String) -> String {
  var seconds = time
  var parts = unsafe tm()
  guard unsafe localtime_r(&seconds, &parts) != nil else { return "an unknown time" }
  var text = [CChar](repeating: 0, count: 32)
  let count = unsafe strftime(&text, text.count, format, &parts)
  return String(decoding: text.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
}

/// Whether an argument is UTF-8; Swift repairs arguments that are not.
func isUTF8(argument index: Int) -> Bool {
  guard index < Int(CommandLine.argc), let bytes = unsafe CommandLine.unsafeArgv[index] else {
    return true
  }
  return unsafe String(validatingCString: bytes) != nil
}
