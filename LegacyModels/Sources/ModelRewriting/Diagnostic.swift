/// What is to be said about a place of a source file, in the form that compilers use.
package struct Diagnostic: Error, Hashable, CustomStringConvertible {
  /// How bad it is.
  package enum Severity: String {
    /// Nothing is written.
    case error
    /// What is written may not be what was meant.
    case warning
    /// Something was left out on purpose.
    case note
  }

  package let severity: Severity
  package let path: String
  /// From 1.
  package let line: Int
  package let message: String

  package init(_ severity: Severity = .error, _ path: String, line: Int, _ message: String) {
    self.severity = severity
    self.path = path
    self.line = line
    self.message = message
  }

  package var description: String { "\(path):\(line): \(severity): \(message)" }
}
