public import KennelCore

/// Why a document could not be read.
public struct DocumentError: Error, Sendable {
  /// The file or collection, where there may be several.
  public internal(set) var file: String?
  /// The number of the document in its file, from 1; `nil` where the whole is meant.
  public internal(set) var document: Int?
  /// The line of the file, from 1; `nil` where the format has none, or the whole is meant.
  public let line: Int?
  /// The class, property and element, as in `Person.dogs[2]`; `nil` where the line as such is wrong.
  public let path: String?
  /// What is wrong.
  public let message: String
  /// What the database said, where it refused something.
  public let cause: DatabaseError?

  init(
    file: String? = nil,
    document: Int? = nil,
    line: Int?,
    path: String? = nil,
    _ message: String,
    cause: DatabaseError? = nil
  ) {
    self.file = file
    self.document = document
    self.line = line
    self.path = path.map { clipped($0, to: 300) }
    self.message = clipped(message, to: 1_000)
    self.cause = cause
  }
}

/// A text of at most so many characters: of a longer one the beginning and the end.
private func clipped(_ text: String, to limit: Int) -> String {
  // Bytes first, which are counted at once; a character has one at least.
  guard text.utf8.count > limit, text.count > limit else { return text }
  return "\(text.prefix(limit / 2))…\(text.suffix(limit / 2))"
}

extension DocumentError: CustomStringConvertible {
  /// The place and what is wrong there, as in `line 7, Person.dogs[2]: there is no object Dog/9`.
  public var description: String {
    let places = [file, document.map { "document \($0)" }, line.map { "line \($0)" }, path]
      .compactMap(\.self)
    return places.isEmpty ? message : places.joined(separator: ", ") + ": " + message
  }
}

/// What is wrong with a value, below the property that its caller names.
struct ValueProblem: Error {
  /// Where in the value, as in `[2]`.
  var path = ""
  let message: String
  /// Whether it is a link to an object that may still come.
  var isForwardLink = false
  /// What the database said, where it refused something.
  var cause: DatabaseError?

  init(_ message: String, isForwardLink: Bool = false) {
    self.message = message
    self.isForwardLink = isForwardLink
  }

  init(_ cause: DatabaseError) {
    message = cause.message
    self.cause = cause
  }

  func inside(_ step: String) -> ValueProblem {
    var problem = self
    problem.path = step + path
    return problem
  }
}
