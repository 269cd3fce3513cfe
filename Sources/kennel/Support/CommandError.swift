import Glibc

/// Why a command failed, as a sentence.
struct CommandError: Error {
  let message: String

  init(_ message: String) {
    self.message = message
  }

  /// What the system refused, with its reason.
  static func system(_ attempt: String, _ code: Int32 = errno) -> CommandError {
    CommandError("\(attempt): \(String(cString: strerror(code)))")
  }
}

/// Writes a message to standard error, with the name of the program in front.
func complain(_ message: String) {
  try? FileOutput(descriptor: STDERR_FILENO, name: "standard error").write(
    Array("kennel: \(message)\n".utf8)
  )
}

/// Writes a note to standard error, where a person reads it and a pipe does not.
func note(_ message: String) {
  try? FileOutput(descriptor: STDERR_FILENO, name: "standard error").write(
    Array("\(message)\n".utf8)
  )
}
