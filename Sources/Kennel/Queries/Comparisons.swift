// swift-format-ignore-file: NoLeadingUnderscores

internal import KennelCore

extension Operand where V: SingleStorable {
  fileprivate func compare(_ comparator: Predicate.Comparator, _ value: V) -> Condition {
    compare(comparator, literal(value))
  }
}

extension Operand {
  fileprivate func literal<W: SingleStorable>(_ value: W) -> Predicate.Expression {
    path.context.require(value._belongs(to:))
    return .literal(value._singleValue)
  }

  fileprivate func compare(
    _ comparator: Predicate.Comparator,
    _ right: Predicate.Expression,
    options: Predicate.StringOptions = []
  ) -> Condition {
    Condition(.comparison(.init(expression, comparator, right, options: options)))
  }
}

extension Operand where V: SingleStorable {
  /// Equal to a value.
  public static func == (left: Operand, right: V) -> Condition { left.compare(.equal, right) }
  /// Not equal to a value; true for a property that is null, unless the value is `nil`.
  public static func != (left: Operand, right: V) -> Condition { left.compare(.notEqual, right) }
  /// Equal to another operand.
  public static func == (left: Operand, right: Operand) -> Condition {
    left.compare(.equal, right.expression)
  }
  /// Not equal to another operand.
  public static func != (left: Operand, right: Operand) -> Condition {
    left.compare(.notEqual, right.expression)
  }

  /// Equal to one of several values.
  public func isIn(_ values: some Sequence<V>) -> Condition {
    compare(.isIn, .list(values.map(literal)))
  }
}

extension Operand where V: Scalar {
  /// Equal to a value; false for `nil`, which the property never is.
  public static func == (left: Operand, right: V?) -> Condition {
    right.map { left == $0 } ?? Condition(.constant(false))
  }
  /// Not equal to a value; true for `nil`, which the property never is.
  public static func != (left: Operand, right: V?) -> Condition {
    right.map { left != $0 } ?? Condition(.constant(true))
  }
}

extension Operand where V: Ordered {
  /// Less than a value.
  public static func < (left: Operand, right: V) -> Condition { left.compare(.less, right) }
  /// Less than a value, or equal.
  public static func <= (left: Operand, right: V) -> Condition {
    left.compare(.lessOrEqual, right)
  }
  /// Greater than a value.
  public static func > (left: Operand, right: V) -> Condition { left.compare(.greater, right) }
  /// Greater than a value, or equal.
  public static func >= (left: Operand, right: V) -> Condition {
    left.compare(.greaterOrEqual, right)
  }
  /// Less than another operand.
  public static func < (left: Operand, right: Operand) -> Condition {
    left.compare(.less, right.expression)
  }
  /// Less than another operand, or equal.
  public static func <= (left: Operand, right: Operand) -> Condition {
    left.compare(.lessOrEqual, right.expression)
  }
  /// Greater than another operand.
  public static func > (left: Operand, right: Operand) -> Condition {
    left.compare(.greater, right.expression)
  }
  /// Greater than another operand, or equal.
  public static func >= (left: Operand, right: Operand) -> Condition {
    left.compare(.greaterOrEqual, right.expression)
  }

  /// Between two values, inclusive.
  public func isBetween(_ lowest: V, _ highest: V) -> Condition {
    compare(.between, .list([literal(lowest), literal(highest)]))
  }
}

/// A type of texts that queries search: `String` and `String?`.
///
/// ```swift
/// func mentions<V: TextStorable>(_ word: String, in text: Operand<V>) -> Condition {
///   text.contains(word, .caseInsensitive)
/// }
/// print(try database.snapshot().objects(Dog.self).filter { mentions("REX", in: $0.name) }.count)
/// ```
public protocol TextStorable: Storable {}

extension String: TextStorable {}
extension Optional: TextStorable where Wrapped == String {}

/// How queries compare texts, if not by their UTF-8 bytes.
///
/// ```swift
/// let dogs = try database.snapshot().objects(Dog.self)
/// print(try dogs.filter { $0.name.hasPrefix("r", .caseInsensitive) }.count)
/// ```
public struct TextOptions: OptionSet, Hashable, Sendable {
  /// The bits of the options.
  public let rawValue: UInt8

  /// Creates options from their bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Ignores case.
  public static let caseInsensitive = TextOptions(rawValue: 1)
  /// Ignores diacritics.
  public static let diacriticInsensitive = TextOptions(rawValue: 2)
}

extension Operand where V: TextStorable {
  private func compare(
    _ comparator: Predicate.Comparator,
    _ text: String,
    _ options: TextOptions
  ) -> Condition {
    compare(comparator, .literal(.string(text)), options: .init(rawValue: options.rawValue))
  }

  // Two of each, and none with a default: `filter` would be that of `Sequence`, where `hasPrefix` of a
  // `String` has one argument.

  /// Contains a text.
  public func contains(_ text: String) -> Condition { compare(.contains, text, []) }
  /// Contains a text; the options say whether case and diacritics are ignored.
  public func contains(_ text: String, _ options: TextOptions) -> Condition {
    compare(.contains, text, options)
  }
  /// Begins with a text.
  public func hasPrefix(_ text: String) -> Condition { compare(.beginsWith, text, []) }
  /// Begins with a text; the options say whether case and diacritics are ignored.
  public func hasPrefix(_ text: String, _ options: TextOptions) -> Condition {
    compare(.beginsWith, text, options)
  }
  /// Ends with a text.
  public func hasSuffix(_ text: String) -> Condition { compare(.endsWith, text, []) }
  /// Ends with a text; the options say whether case and diacritics are ignored.
  public func hasSuffix(_ text: String, _ options: TextOptions) -> Condition {
    compare(.endsWith, text, options)
  }
  /// Equal to a text; the options say whether case and diacritics are ignored.
  public func equals(_ text: String, _ options: TextOptions) -> Condition {
    compare(.equal, text, options)
  }
  /// Matches a pattern: `*` is any text, `?` one character.
  public func isLike(_ pattern: String, _ options: TextOptions = []) -> Condition {
    compare(.like, pattern, options)
  }
}
