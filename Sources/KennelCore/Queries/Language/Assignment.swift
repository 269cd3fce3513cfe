public import KennelStorage

/// A value to compute for each object of a class and to store in one of its properties.
///
/// ```swift
/// let text = "age = age + 1 where breed == 'Beagle'"
/// let assignment = try Assignment.parse(text, for: dog.key, in: snapshot.schema)
/// for object in try snapshot.objects(of: dog.key, where: assignment.predicate) {
///   print(try snapshot.value(of: assignment, for: object))
/// }
/// ```
///
/// The expression has literals and paths of the predicate language, `+`, `-`, `*`, `/`,
/// parentheses, and the functions of ``Function``.
///
/// - Integers are exact. It is an error if an integer overflows, if an integer must become a double
///   but has no exact one, or if a fraction is assigned to an integer property. 7 / 2 is 3.5.
/// - `+` joins strings. Nothing else is converted to a string, or parsed from one.
/// - An expression with null is null.
public struct Assignment: Sendable {
  /// A function of an expression.
  ///
  /// ```swift
  /// let text = "name = replace(trim(name), 'Mr ', '')"
  /// print(try Assignment.parse(text, for: dog.key, in: snapshot.schema).property)
  /// ```
  public enum Function: String, Hashable, Sendable, CaseIterable {
    /// A string in capitals.
    case upper
    /// A string in small letters.
    case lower
    /// A string without white space at its ends.
    case trim
    /// A string in which each occurrence of a second one is replaced by a third.
    case replace
    /// The time that was passed to the parser.
    case now

    /// How it is written.
    public var form: String {
      switch self {
      case .upper: "upper(text)"
      case .lower: "lower(text)"
      case .trim: "trim(text)"
      case .replace: "replace(text, old, new)"
      case .now: "now()"
      }
    }

    var argumentCount: Int {
      switch self {
      case .upper, .lower, .trim: 1
      case .replace: 3
      case .now: 0
      }
    }
  }

  /// The class.
  public let classKey: ClassKey
  /// The property.
  public let property: PropertyKey
  /// Which objects it is for; `nil` if the text does not say.
  public let predicate: Predicate?
  let expression: ValueExpression

  /// Parses an assignment, such as `age = age + 1 where breed == "Boxer"`, and checks its types.
  ///
  /// - Parameters:
  ///   - text: The property, `=`, the expression, and `where` with a predicate if not for all
  ///     objects.
  ///   - classKey: The class.
  ///   - schema: The schema with the class.
  ///   - now: The value of `now()`; `nil` if there is no clock.
  /// - Returns: The assignment.
  /// - Throws: ``PredicateError`` with the column of the error.
  public static func parse(
    _ text: String,
    for classKey: ClassKey,
    in schema: Schema,
    now: Timestamp? = nil
  ) throws(PredicateError) -> Assignment {
    var parser = try AssignmentParser(text, classKey, schema, now)
    return try parser.parse()
  }
}

/// An expression whose names were found in a schema.
indirect enum ValueExpression: Sendable {
  enum Operator: String {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
  }

  case literal(Value)
  case path(ResolvedPredicate.Path)
  case negated(ValueExpression)
  case arithmetic(Operator, ValueExpression, ValueExpression)
  case call(Assignment.Function, [ValueExpression])
}
