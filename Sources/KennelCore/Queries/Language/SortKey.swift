public import KennelStorage

/// A path that objects are sorted by, with its direction.
///
/// ```swift
/// let sort = try SortKey.parse("age DESC, name", for: dog.key, in: snapshot.schema)
/// for object in try snapshot.objects(of: dog.key, sort: sort) { print(snapshot.describe(object)) }
/// ```
///
/// Null sorts first, then NaN, then values in ascending order; strings compare by their UTF-8 bytes.
/// Descending is the exact reverse, but objects that compare equal stay in the order of their keys.
public struct SortKey: Hashable, Sendable {
  /// The path to the value, through to-one links.
  public var path: Predicate.Path
  /// Whether the smallest value sorts first.
  public var isAscending: Bool
  /// Whether objects with a null link on the path come last in ascending order and first in
  /// descending order, instead of the other way round.
  public var putsNullLinksLast: Bool

  /// Creates a sort key.
  public init(_ path: Predicate.Path, isAscending: Bool = true, putsNullLinksLast: Bool = false) {
    self.path = path
    self.isAscending = isAscending
    self.putsNullLinksLast = putsNullLinksLast
  }

  /// Parses sort keys and checks that they fit a class.
  ///
  /// - Parameters:
  ///   - text: The sort keys, separated by commas, such as `age DESC, dog.name`.
  ///   - classKey: The class.
  ///   - schema: The schema with the class.
  /// - Returns: The sort keys, the most significant first.
  /// - Throws: ``PredicateError`` with the column of the error.
  public static func parse(
    _ text: String,
    for classKey: ClassKey,
    in schema: Schema
  ) throws(PredicateError) -> [SortKey] {
    var parser = try PredicateParser(text, schema)
    let checker = try PredicateChecker(schema, classKey)
    var keys: [SortKey] = []
    repeat {
      let path = try parser.path()
      _ = try checker.sortPath(path)
      var key = SortKey(path)
      let directions = ["ASC": true, "ASCENDING": true, "DESC": false, "DESCENDING": false]
      if let isAscending = parser.token.keyword.flatMap({ directions[$0] }) {
        key.isAscending = isAscending
        parser.advance()
      }
      keys.append(key)
    } while parser.take(",")
    guard parser.token.kind == .end else { throw parser.unexpected("ASC, DESC, ',' or the end") }
    return keys
  }

  /// Checks that the sort key fits a class.
  ///
  /// - Parameters:
  ///   - classKey: The class.
  ///   - schema: The schema with the class.
  /// - Throws: ``PredicateError`` that names the property that does not fit.
  public func check(for classKey: ClassKey, in schema: Schema) throws(PredicateError) {
    _ = try PredicateChecker(schema, classKey).sortPath(path)
  }
}

extension SortKey: CustomStringConvertible {
  /// The path and the direction, as ``parse(_:for:in:)`` takes them.
  public var description: String {
    isAscending ? "\(path)" : "\(path) DESC"
  }
}
