public import KennelCore

/// An error in a document, with its position.
///
/// ```swift
/// do {
///   try database.write { transaction in _ = try importer.read(into: transaction) }
/// } catch let error as DocumentError {
///   print(error.line ?? 0, error.path ?? "", error.message)
/// }
/// ```
public struct DocumentError: Error, Sendable {
  /// The file or collection; `nil` if there is only one.
  public internal(set) var file: String?
  /// The number of the document in its file, from 1; `nil` if the error concerns the whole file.
  public internal(set) var document: Int?
  /// The line in the file, from 1; `nil` if the format has no lines or the error concerns the whole
  /// file.
  public let line: Int?
  /// The class, property and element, such as `Person.dogs[2]`; `nil` if the line itself is
  /// malformed.
  public let path: String?
  /// The description of the error, without its position.
  public let message: String
  /// The database error that caused this one.
  public let cause: DatabaseError?

  init(
    file: String? = nil,
    document: Int? = nil,
    line: Int? = nil,
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

/// A text of at most so many scalars: of a longer one the beginning and the end.
private func clipped(_ text: String, to limit: Int) -> String {
  // Bytes first, which are counted at once; a scalar has one at least.
  let scalars = text.unicodeScalars
  guard text.utf8.count > limit, scalars.count > limit else { return text }
  return String(scalars.prefix(limit / 2)) + "…" + String(scalars.suffix(limit / 2))
}

extension DocumentError: CustomStringConvertible {
  /// The position and the message, such as `line 7, Person.dogs[2]: there is no object Dog/9`.
  public var description: String {
    let places = [file, document.map { "document \($0)" }, line.map { "line \($0)" }, path]
      .compactMap(\.self)
    return places.isEmpty ? message : places.joined(separator: ", ") + ": " + message
  }
}

/// A problem of a value, below the property that its caller names.
struct ValueProblem: Error {
  /// The position inside the value, such as `[2]`.
  var path = ""
  let message: String
  /// Whether the value is a link to an object that may come later.
  var isForwardLink = false
  /// The database error that caused this one.
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

/// Evaluates a step inside a value, so that its problem says where.
@inline(__always)
func inside<Result>(
  _ step: @autoclosure () -> String,
  _ body: @autoclosure () throws(ValueProblem) -> Result
) throws(ValueProblem) -> Result {
  do throws(ValueProblem) { return try body() } catch { throw error.inside(step()) }
}

/// Evaluates a step inside the entry of a map.
@inline(__always)
func inside<Result>(
  key: String,
  _ body: @autoclosure () throws(ValueProblem) -> Result
) throws(ValueProblem) -> Result {
  try inside("[\"\(key)\"]", try body())
}

/// Evaluates what the database does, so that its error is a problem of a value.
@inline(__always)
func stored<Result>(
  _ body: @autoclosure () throws(DatabaseError) -> Result
) throws(ValueProblem) -> Result {
  do throws(DatabaseError) { return try body() } catch { throw ValueProblem(error) }
}
