/// A syntax error in a predicate or a sort order, or a name or type that does not match the schema.
///
/// ```swift
/// do throws(PredicateError) {
///   _ = try Predicate.parse("aeg > 3", for: dog.key, in: snapshot.schema)
/// } catch {
///   print(error.column, error.message, error.suggestion ?? "")
/// }
/// ```
public struct PredicateError: Error, Hashable, Sendable {
  /// The description of the error, without a period.
  public let message: String
  /// The column, counted in characters from 1; 0 if the predicate was not parsed from text.
  public let column: Int
  /// The expected text, where it is known.
  public let expected: String?
  /// The most similar valid name.
  public let suggestion: String?

  /// Creates an error.
  public init(
    _ message: String,
    column: Int,
    expected: String? = nil,
    suggestion: String? = nil
  ) {
    self.message = message
    self.column = column
    self.expected = expected
    self.suggestion = suggestion
  }
}

extension PredicateError: CustomStringConvertible {
  /// The error in one line.
  public var description: String {
    var text = column > 0 ? "Column \(column): \(message)" : message
    if let expected { text += "; expected \(expected)" }
    if let suggestion { text += "; did you mean '\(suggestion)'?" }
    return text
  }
}

/// The name that somebody probably meant.
@_spi(Faces)
public enum NearestName {
  /// A longer word, which is nobody's slip of the fingers, is not compared letter by letter.
  private static let longest = 100

  /// The nearest of the names; `nil` when none is near enough to be a slip of the fingers.
  public static func of(_ name: String, among names: some Sequence<String>) -> String? {
    let lowered = Array(name.lowercased())
    guard lowered.count <= longest else { return nil }
    var best: (name: String, distance: Int)?
    for candidate in names {
      let other = Array(candidate.lowercased())
      let limit = Swift.min(lowered.count, other.count) / 3 + 1
      // As many letters as one has more are missing at least.
      guard abs(lowered.count - other.count) <= limit else { continue }
      let distance = distance(lowered, other)
      guard distance <= limit, distance < lowered.count, distance < best?.distance ?? .max else {
        continue
      }
      best = (candidate, distance)
    }
    return best?.name
  }

  /// How many letters have to be added, left out, changed or swapped with the next.
  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    guard !left.isEmpty, !right.isEmpty else { return left.count + right.count }
    var rows = Array(
      repeating: Array(repeating: 0, count: right.count + 1),
      count: left.count + 1
    )
    for row in 0...left.count { rows[row][0] = row }
    for column in 0...right.count { rows[0][column] = column }
    for row in 1...left.count {
      for column in 1...right.count {
        let isSame = left[row - 1] == right[column - 1]
        var least = rows[row - 1][column - 1] + (isSame ? 0 : 1)
        least = Swift.min(least, rows[row - 1][column] + 1, rows[row][column - 1] + 1)
        if row > 1, column > 1, left[row - 1] == right[column - 2],
          left[row - 2] == right[column - 1]
        {
          least = Swift.min(least, rows[row - 2][column - 2] + 1)
        }
        rows[row][column] = least
      }
    }
    return rows[left.count][right.count]
  }
}

extension [String] {
  /// The texts as in `a, b or c`.
  var alternatives: String { dropLast().joined(separator: ", ") + " or \(last ?? "")" }
}
