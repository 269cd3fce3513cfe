public import KennelStorage

/// A path to one value, checked for a class, to read it from many objects.
///
/// ```swift
/// let owners = try ValuePath("@links.@count", of: dog.key, in: snapshot.schema)
/// print(try snapshot.value(of: rex, at: owners))
/// ```
///
/// It is any path of the query language that objects can be sorted by: through to-one links to a
/// value, or to an aggregate such as `dogs.@count` or `dogs.@avg.age`. With `allowsLinks` it may
/// also end at a link; objects cannot be sorted by such a path.
public struct ValuePath: Sendable {
  /// The path.
  public let path: Predicate.Path
  let checked: ResolvedPredicate.Path

  /// Parses a path and checks that it fits a class.
  ///
  /// - Parameters:
  ///   - text: The path.
  ///   - classKey: The class.
  ///   - schema: The schema with the class.
  ///   - allowsLinks: Whether the value may be a link.
  /// - Throws: ``PredicateError`` with the column of the error.
  public init(
    _ text: String,
    of classKey: ClassKey,
    in schema: Schema,
    allowsLinks: Bool = false
  ) throws(PredicateError) {
    var parser = try PredicateParser(text, schema)
    let path = try parser.path()
    guard parser.token.kind == .end else { throw parser.unexpected("'.' or the end") }
    try self.init(path, of: classKey, in: schema, allowsLinks: allowsLinks)
  }

  /// Checks that a path fits a class.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - classKey: The class.
  ///   - schema: The schema with the class.
  ///   - allowsLinks: Whether the value may be a link.
  /// - Throws: ``PredicateError`` that names the property that does not fit.
  public init(
    _ path: Predicate.Path,
    of classKey: ClassKey,
    in schema: Schema,
    allowsLinks: Bool = false
  ) throws(PredicateError) {
    self.path = path
    let checker = try PredicateChecker(schema, classKey)
    checked =
      try allowsLinks
      ? checker.singlePath(path, "grouped by") : checker.sortPath(path, "read as one")
  }

  /// The kind of the values.
  ///
  /// A sum of integers past 64 bits is a `double` all the same.
  public var kind: ValueKind { PredicateChecker.kind(of: checked) }
}

extension DatabaseReader {
  /// Returns the value at a path from an object.
  ///
  /// Constant for a path of links; linear in the number of values for an aggregate other than
  /// `@count`.
  ///
  /// - Parameters:
  ///   - object: The object, of the class that the path was checked for.
  ///   - path: The path, checked in this reader's schema.
  /// - Returns: The value; null where a link on the way is null.
  /// - Throws: `DatabaseError` if the object does not exist or the file is damaged.
  public final func value(
    of object: ObjectIdentity,
    at path: ValuePath
  ) throws(DatabaseError) -> Value {
    try value(of: object, at: path, limit: .max) ?? .null
  }

  /// Returns the value at a path from an object, unless a step of the path leads to many values.
  ///
  /// - Parameters:
  ///   - object: The object, of the class that the path was checked for.
  ///   - path: The path, checked in this reader's schema.
  ///   - limit: The maximum number of elements or links that a step reads.
  /// - Returns: The value, as ``value(of:at:)`` returns it; `nil` if there are more.
  /// - Throws: `DatabaseError` if the object does not exist or the file is damaged.
  @_spi(Faces)
  public final func value(
    of object: ObjectIdentity,
    at path: ValuePath,
    limit: Int
  ) throws(DatabaseError) -> Value? {
    guard try contains(object) else { throw missing(object) }
    return try storing { () throws(StorageError) in
      let interpreter = Interpreter(view: view, links: links)
      guard let values = try interpreter.values(path.checked, .init(object: object), limit: limit)
      else { return nil }
      return values.first ?? .null
    }
  }
}
