public import KennelStorage

/// A path that objects are sorted by, with its direction.
///
/// ```swift
/// let sort = try SortKey.parse("age DESC, name", for: dog.key, in: snapshot.schema)
/// for key in try snapshot.query(dog.key, nil, sort: sort) { print(key.rawValue) }
/// ```
///
/// Null sorts first, then NaN, then values in ascending order; strings compare by their UTF-8 bytes.
/// Descending is the exact reverse, but objects that compare equal stay in the order of their keys.
public struct SortKey: Hashable, Sendable {
  /// The path to the value, over to-one links.
  public var path: Predicate.Path
  /// Whether the smallest value comes first.
  public var isAscending: Bool
  /// Whether objects that the path leads nowhere from, because a link on the way is null, come last
  /// and not first; descending, it is the other way round.
  public var putsNullLinksLast: Bool

  /// Makes a sort key.
  public init(_ path: Predicate.Path, isAscending: Bool = true, putsNullLinksLast: Bool = false) {
    self.path = path
    self.isAscending = isAscending
    self.putsNullLinksLast = putsNullLinksLast
  }

  /// Reads sort keys and checks that they fit a class.
  ///
  /// - Parameters:
  ///   - text: The keys, separated by commas, as in `age DESC, dog.name`.
  ///   - classKey: The class whose objects are sorted.
  ///   - schema: The schema that has the class.
  /// - Returns: The sort keys, the most significant first.
  /// - Throws: ``PredicateError`` with the column of what cannot be read or does not fit.
  public static func parse(
    _ text: String,
    for classKey: ClassKey,
    in schema: Schema
  ) throws(PredicateError) -> [SortKey] {
    var parser = try PredicateParser(text, [], [:], schema)
    let checker = try PredicateChecker(schema, classKey)
    var keys: [SortKey] = []
    repeat {
      let path = try parser.path()
      _ = try checker.sortPath(path)
      var key = SortKey(path)
      switch parser.token.keyword {
      case "ASC", "ASCENDING": parser.advance()
      case "DESC", "DESCENDING":
        key.isAscending = false
        parser.advance()
      default: break
      }
      keys.append(key)
    } while parser.take(",")
    guard parser.token.kind == .end else { throw parser.unexpected("ASC, DESC, ',' or the end") }
    return keys
  }

  /// Says whether objects of a class can be sorted by this.
  ///
  /// - Parameters:
  ///   - classKey: The class.
  ///   - schema: The schema that has it.
  /// - Throws: ``PredicateError`` that names the property that does not fit.
  public func check(for classKey: ClassKey, in schema: Schema) throws(PredicateError) {
    _ = try PredicateChecker(schema, classKey).sortPath(path)
  }
}

extension SortKey: CustomStringConvertible {
  /// The key as ``parse(_:for:in:)`` reads it.
  public var description: String {
    isAscending ? "\(path)" : "\(path) DESC"
  }
}
