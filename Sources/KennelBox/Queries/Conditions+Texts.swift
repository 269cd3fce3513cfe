public import Foundation
import KennelCore

// MARK: - Texts

extension Property where V: EntityPropertyValue, V.NonNull == String, R == Void {
  /// The text is the given one.
  public func isEqual(
    to string: String,
    caseSensitive: Bool = true
  ) -> PropertyQueryCondition<E, V> {
    one(.equal, string, caseSensitive: caseSensitive)
  }

  /// The text is not the given one, and not null.
  public func isNotEqual(
    to string: String,
    caseSensitive: Bool = true
  ) -> PropertyQueryCondition<E, V> {
    one(.notEqual, string, caseSensitive: caseSensitive)
  }

  /// The text is less than the given one.
  public func isLessThan(
    _ string: String,
    caseSensitive: Bool = true
  ) -> PropertyQueryCondition<E, V> {
    one(.less, string, caseSensitive: caseSensitive)
  }

  /// The text is greater than the given one.
  public func isGreaterThan(
    _ string: String,
    caseSensitive: Bool = true
  ) -> PropertyQueryCondition<E, V> {
    one(.greater, string, caseSensitive: caseSensitive)
  }

  /// The text begins with the given one.
  public func startsWith(
    _ prefix: String,
    caseSensitive: Bool = true
  ) -> PropertyQueryCondition<E, V> {
    one(.startsWith, prefix, caseSensitive: caseSensitive)
  }

  /// The text begins with the given one.
  public func hasPrefix(
    _ prefix: String,
    caseSensitive: Bool = true
  ) -> PropertyQueryCondition<E, V> {
    one(.startsWith, prefix, caseSensitive: caseSensitive)
  }

  /// The text ends with the given one.
  public func endsWith(
    _ suffix: String,
    caseSensitive: Bool = true
  ) -> PropertyQueryCondition<E, V> {
    one(.endsWith, suffix, caseSensitive: caseSensitive)
  }

  /// The text ends with the given one.
  public func hasSuffix(
    _ suffix: String,
    caseSensitive: Bool = true
  ) -> PropertyQueryCondition<E, V> {
    one(.endsWith, suffix, caseSensitive: caseSensitive)
  }

  /// The text contains the given one.
  public func contains(
    _ substring: String,
    caseSensitive: Bool = true
  ) -> PropertyQueryCondition<E, V> {
    one(.contains, substring, caseSensitive: caseSensitive)
  }

  /// The text is one of the given ones.
  public func isIn(
    _ collection: [String],
    caseSensitive: Bool = true
  ) -> PropertyQueryCondition<E, V> {
    several(.isIn, collection, caseSensitive: caseSensitive)
  }
}

/// The value is the given one.
public func == <E, V>(
  left: Property<E, V, Void>,
  right: V.NonNull
) -> PropertyQueryCondition<E, V> where V: EntityPropertyValue, V.NonNull == String {
  left.isEqual(to: right)
}

/// The value is not the given one, and not null.
public func != <E, V>(
  left: Property<E, V, Void>,
  right: V.NonNull
) -> PropertyQueryCondition<E, V> where V: EntityPropertyValue, V.NonNull == String {
  left.isNotEqual(to: right)
}

/// The value is less than the given one.
public func < <E, V>(
  left: Property<E, V, Void>,
  right: V.NonNull
) -> PropertyQueryCondition<E, V> where V: EntityPropertyValue, V.NonNull == String {
  left.isLessThan(right)
}

/// The value is greater than the given one.
public func > <E, V>(
  left: Property<E, V, Void>,
  right: V.NonNull
) -> PropertyQueryCondition<E, V> where V: EntityPropertyValue, V.NonNull == String {
  left.isGreaterThan(right)
}

/// The text is one of the given ones.
public func ∈ <E, V>(
  left: Property<E, V, Void>,
  right: [String]
) -> PropertyQueryCondition<E, V> where V: EntityPropertyValue, V.NonNull == String {
  left.isIn(right)
}

// MARK: - Bytes

extension Property where V: EntityPropertyValue, V.NonNull == Data, R == Void {
  /// The value is the given one.
  public func isEqual(to value: V.NonNull) -> PropertyQueryCondition<E, V> { one(.equal, value) }

  /// The value is not the given one, and not null.
  public func isNotEqual(to value: V.NonNull) -> PropertyQueryCondition<E, V> {
    one(.notEqual, value)
  }

  /// The value is less than the given one.
  public func isLessThan(_ value: V.NonNull) -> PropertyQueryCondition<E, V> { one(.less, value) }

  /// The value is greater than the given one.
  public func isGreaterThan(_ value: V.NonNull) -> PropertyQueryCondition<E, V> {
    one(.greater, value)
  }

  /// The value is the given one or less.
  public func isLessThanEqual(_ value: V.NonNull) -> PropertyQueryCondition<E, V> {
    one(.lessOrEqual, value)
  }

  /// The value is the given one or greater.
  public func isGreaterThanEqual(_ value: V.NonNull) -> PropertyQueryCondition<E, V> {
    one(.greaterOrEqual, value)
  }
}

/// The value is the given one.
public func == <E, V>(
  left: Property<E, V, Void>,
  right: V.NonNull
) -> PropertyQueryCondition<E, V> where V: EntityPropertyValue, V.NonNull == Data {
  left.isEqual(to: right)
}

/// The value is not the given one, and not null.
public func != <E, V>(
  left: Property<E, V, Void>,
  right: V.NonNull
) -> PropertyQueryCondition<E, V> where V: EntityPropertyValue, V.NonNull == Data {
  left.isNotEqual(to: right)
}

/// The value is less than the given one.
public func < <E, V>(
  left: Property<E, V, Void>,
  right: V.NonNull
) -> PropertyQueryCondition<E, V> where V: EntityPropertyValue, V.NonNull == Data {
  left.isLessThan(right)
}

/// The value is greater than the given one.
public func > <E, V>(
  left: Property<E, V, Void>,
  right: V.NonNull
) -> PropertyQueryCondition<E, V> where V: EntityPropertyValue, V.NonNull == Data {
  left.isGreaterThan(right)
}

/// The value is the given one or less.
public func <= <E, V>(
  left: Property<E, V, Void>,
  right: V.NonNull
) -> PropertyQueryCondition<E, V> where V: EntityPropertyValue, V.NonNull == Data {
  left.isLessThanEqual(right)
}

/// The value is the given one or greater.
public func >= <E, V>(
  left: Property<E, V, Void>,
  right: V.NonNull
) -> PropertyQueryCondition<E, V> where V: EntityPropertyValue, V.NonNull == Data {
  left.isGreaterThanEqual(right)
}
