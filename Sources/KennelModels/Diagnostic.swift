/// A message about a line of a source file, in the format of compilers.
package struct Diagnostic: Error, Hashable, CustomStringConvertible {
  /// How severe the problem is.
  package enum Severity: String {
    /// No output is written.
    case error
    /// The output may differ from what was meant.
    case warning
    /// Something was omitted on purpose.
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
