import Glibc
import KennelCore
import KennelDocuments

/// Why a command failed, as a sentence.
struct CommandError: Error {
  let message: String

  init(_ message: String) {
    self.message = message
  }

  /// What the system refused, with its reason.
  static func system(_ attempt: String, _ code: Int32 = errno) -> CommandError {
    CommandError(unsafe "\(attempt): \(String(cString: strerror(code)))")
  }
}

/// Writes a message to standard error, with the name of the program in front.
func printError(_ message: String) {
  printNote("kennel: \(message)")
}

/// Writes a note to standard error, where a person reads it and a pipe does not.
///
/// Messages name what was found in documents and arguments; none of it controls the terminal.
func printNote(_ message: String) {
  let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
  let text = lines.map { TerminalText.line(String($0)) }.joined(separator: "\n")
  try? FileOutput(descriptor: STDERR_FILENO, name: "standard error").write(
    Array("\(text)\n".utf8)
  )
}

/// A number with its word, as in `1 object` or `3 objects`.
func count(_ number: Int, _ word: String, plural: String? = nil) -> String {
  "\(number) \(number == 1 ? word : plural ?? word + "s")"
}

/// A variable of the environment.
func variable(_ name: String) -> String? {
  unsafe getenv(name).map { unsafe String(cString: $0) }
}

/// A point in time where the user is, to the minute.
func localTime(_ time: Timestamp) -> String {
  var seconds = time_t(time.seconds)
  var parts = unsafe tm()
  guard unsafe localtime_r(&seconds, &parts) != nil else { return "an unknown time" }
  var text = [CChar](repeating: 0, count: 32)
  let count = unsafe strftime(&text, text.count, "%Y-%m-%d %H:%M", &parts)
  return String(decoding: text.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
}

/// Whether an argument reached the program as it was typed: Swift mends what is not UTF-8.
func isUTF8(argument index: Int) -> Bool {
  guard index < Int(CommandLine.argc), let bytes = unsafe CommandLine.unsafeArgv[index] else {
    return true
  }
  return unsafe String(validatingCString: bytes) != nil
}
