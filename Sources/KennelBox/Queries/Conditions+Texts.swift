// Conditions on texts, which can ignore case.

import KennelCore

extension Property where V: EntityPropertyValue, V.NonNull == String, R == Void {
  /// The text is the given one.
  public func isEqual(to string: String, caseSensitive: Bool = true) -> Condition {
    one(.equal, string, caseSensitive: caseSensitive)
  }

  /// The text is not the given one, and not null.
  public func isNotEqual(to string: String, caseSensitive: Bool = true) -> Condition {
    one(.notEqual, string, caseSensitive: caseSensitive)
  }

  /// The text is less than the given one.
  public func isLessThan(_ string: String, caseSensitive: Bool = true) -> Condition {
    one(.less, string, caseSensitive: caseSensitive)
  }

  /// The text is greater than the given one.
  public func isGreaterThan(_ string: String, caseSensitive: Bool = true) -> Condition {
    one(.greater, string, caseSensitive: caseSensitive)
  }

  /// The text begins with the given one.
  public func startsWith(_ prefix: String, caseSensitive: Bool = true) -> Condition {
    one(.startsWith, prefix, caseSensitive: caseSensitive)
  }

  /// The text begins with the given one.
  public func hasPrefix(_ prefix: String, caseSensitive: Bool = true) -> Condition {
    one(.startsWith, prefix, caseSensitive: caseSensitive)
  }

  /// The text ends with the given one.
  public func endsWith(_ suffix: String, caseSensitive: Bool = true) -> Condition {
    one(.endsWith, suffix, caseSensitive: caseSensitive)
  }

  /// The text ends with the given one.
  public func hasSuffix(_ suffix: String, caseSensitive: Bool = true) -> Condition {
    one(.endsWith, suffix, caseSensitive: caseSensitive)
  }

  /// The text contains the given one.
  public func contains(_ substring: String, caseSensitive: Bool = true) -> Condition {
    one(.contains, substring, caseSensitive: caseSensitive)
  }

  /// The text is one of the given ones.
  public func isIn(_ collection: [String], caseSensitive: Bool = true) -> Condition {
    several(.isIn, collection, caseSensitive: caseSensitive)
  }
}
