/// A message about a line of a source file, in the format of compilers.
///
/// ```swift
/// let problem = Diagnostic(.error, "Dog.swift", line: 3, "The class has no name")
/// print(problem)
/// ```
public struct Diagnostic: Error, Hashable, CustomStringConvertible {
  /// How severe the problem is.
  ///
  /// ```swift
  /// let errors = diagnostics.filter { $0.severity == .error }
  /// for error in errors { print(error) }
  /// ```
  public enum Severity: String, Sendable {
    /// No output is written.
    case error
    /// The output may differ from what was meant.
    case warning
    /// Something was omitted on purpose.
    case note
  }

  /// How severe the problem is.
  public let severity: Severity
  /// The source file.
  public let path: String
  /// From 1.
  public let line: Int
  /// A sentence without the period.
  public let message: String

  /// Makes a message about a line.
  public init(_ severity: Severity = .error, _ path: String, line: Int, _ message: String) {
    self.severity = severity
    self.path = path
    self.line = line
    self.message = message
  }

  /// The line that compilers print.
  public var description: String { "\(path):\(line): \(severity): \(message)" }
}
