// Conditions on properties, by what their values are. Each takes optional properties, too: a null
// satisfies no comparison.

public import Foundation
import KennelCore

extension Property {
  /// The property is null; a to-one relation leads nowhere.
  public func isNil() -> Condition { condition(.isNull, []) }
  /// The property is not null; a to-one relation leads somewhere.
  public func isNotNil() -> Condition { condition(.isNotNull, []) }
}

// MARK: - Ids and relations

extension Property where R == V, V: IdBase {
  /// The id is the given one.
  public func isEqual(to id: Id) -> Condition { condition(.equal, ids: [id]) }

  /// The id is not the given one.
  public func isNotEqual(to id: Id) -> Condition {
    condition(.notEqual, ids: [id])
  }

  /// The id is one of the given ones.
  public func isIn(_ ids: [V]) -> Condition {
    condition(.isIn, ids: ids.map(\.value))
  }
}

extension Property where V == EntityId<R> {
  /// The target has the given id.
  public func isEqual(to id: Id) -> Condition { condition(.equal, ids: [id]) }

  /// The target does not have the given id, and is not `nil`.
  public func isNotEqual(to id: Id) -> Condition {
    condition(.notEqual, ids: [id])
  }

  /// The target has one of the given ids.
  public func isIn(_ ids: [V]) -> Condition {
    condition(.isIn, ids: ids.map(\.value))
  }
}

extension Property {
  fileprivate func condition(_ comparison: ConditionTree.Comparison, ids: [Id]) -> Condition {
    condition(comparison, ids.map { .int(Int64(bitPattern: $0)) })
  }
}

/// The id of the object, or of its target, is the given one.
public func == <E, T, R>(
  left: Property<E, EntityId<T>, R>,
  right: EntityId<T>
) -> PropertyQueryCondition<E, EntityId<T>> {
  left.condition(.equal, ids: [right.value])
}

/// The id of the object, or of its target, is not the given one; a target that is `nil` does not
/// satisfy this.
public func != <E, T, R>(
  left: Property<E, EntityId<T>, R>,
  right: EntityId<T>
) -> PropertyQueryCondition<E, EntityId<T>> {
  left.condition(.notEqual, ids: [right.value])
}

/// The id is the given one.
public func == <E>(left: Property<E, Id, Id>, right: Id) -> PropertyQueryCondition<E, Id> {
  left.isEqual(to: right)
}

// MARK: - Values of every kind

extension Property where V: EntityPropertyValue, R == Void {
  func one(
    _ comparison: ConditionTree.Comparison,
    _ value: V.NonNull,
    caseSensitive: Bool = true
  ) -> Condition {
    several(comparison, [value], caseSensitive: caseSensitive)
  }

  func several(
    _ comparison: ConditionTree.Comparison,
    _ values: [V.NonNull],
    caseSensitive: Bool = true
  ) -> Condition {
    condition(
      comparison,
      values.map(\._storedValue),
      caseSensitive: caseSensitive,
      isUnsigned: V.NonNull.isUnsignedOf64Bits
    )
  }
}

extension EntityPropertyValue {
  /// Whether the bits of a number are stored, which are those of a negative one from 2^63 on.
  fileprivate static var isUnsignedOf64Bits: Bool { self is UInt64.Type || self is UInt.Type }
}

// MARK: - Values that are equal or not

extension Property where V: EntityPropertyValue, V.NonNull: EntityEquatable, R == Void {
  /// The value is the given one.
  public func isEqual(to value: V.NonNull) -> Condition { one(.equal, value) }

  /// The value is not the given one, and not null.
  public func isNotEqual(to value: V.NonNull) -> Condition {
    one(.notEqual, value)
  }

  /// The value is one of the given ones.
  public func isIn(_ collection: [V.NonNull]) -> Condition {
    several(.isIn, collection)
  }

  /// The value is none of the given ones, and not null.
  public func isNotIn(_ collection: [V.NonNull]) -> Condition {
    several(.isNotIn, collection)
  }

  /// The value is the given one.
  public static func == (left: Self, right: V.NonNull) -> Condition {
    left.one(.equal, right)
  }

  /// The value is not the given one, and not null.
  public static func != (left: Self, right: V.NonNull) -> Condition {
    left.one(.notEqual, right)
  }

  /// The value is one of the given ones.
  public static func ∈ (left: Self, right: [V.NonNull]) -> Condition {
    left.isIn(right)
  }

  /// The value is none of the given ones, and not null.
  public static func ∉ (left: Self, right: [V.NonNull]) -> Condition {
    left.isNotIn(right)
  }
}

// MARK: - Values in an order

extension Property where V: EntityPropertyValue, V.NonNull: EntityOrdered, R == Void {
  /// The value is less than the given one.
  public func isLessThan(_ value: V.NonNull) -> Condition { one(.less, value) }

  /// The value is greater than the given one.
  public func isGreaterThan(_ value: V.NonNull) -> Condition {
    one(.greater, value)
  }

  /// The value is the given one or less.
  public func isLessOrEqual(_ value: V.NonNull) -> Condition {
    one(.lessOrEqual, value)
  }

  /// The value is the given one or greater.
  public func isGreaterOrEqual(_ value: V.NonNull) -> Condition {
    one(.greaterOrEqual, value)
  }

  /// The value is between the two bounds, which are included and may be in either order.
  public func isBetween(_ lowerBound: V.NonNull, and upperBound: V.NonNull) -> Condition {
    several(.between, [lowerBound, upperBound])
  }

  /// The value is in a range.
  public func isIn(
    _ range: ClosedRange<V.NonNull>
  ) -> Condition where V.NonNull: Comparable {
    several(.inClosedRange, [range.lowerBound, range.upperBound])
  }

  /// The value is in a range.
  public func isIn(
    _ range: Range<V.NonNull>
  ) -> Condition where V.NonNull: Comparable {
    several(.inRange, [range.lowerBound, range.upperBound])
  }

  /// The value is less than the given one.
  public static func < (left: Self, right: V.NonNull) -> Condition {
    left.one(.less, right)
  }

  /// The value is greater than the given one.
  public static func > (left: Self, right: V.NonNull) -> Condition {
    left.one(.greater, right)
  }

  /// The value is the given one or less.
  public static func <= (left: Self, right: V.NonNull) -> Condition {
    left.one(.lessOrEqual, right)
  }

  /// The value is the given one or greater.
  public static func >= (left: Self, right: V.NonNull) -> Condition {
    left.one(.greaterOrEqual, right)
  }

  /// The value is in a range.
  public static func ∈ (left: Self, right: Range<V.NonNull>) -> Condition
  where V.NonNull: Comparable {
    left.isIn(right)
  }

  /// The value is in a range.
  public static func ∈ (left: Self, right: ClosedRange<V.NonNull>) -> Condition
  where V.NonNull: Comparable {
    left.isIn(right)
  }
}

// MARK: - What each type adds

extension Property
where
  V: EntityPropertyValue,
  V.NonNull: BinaryFloatingPoint & EntityOrdered,
  R == Void
{
  /// The value differs from the given one by at most the tolerance.
  public func isEqual(to other: V.NonNull, tolerance: V.NonNull) -> Condition {
    isBetween(other - tolerance, and: other + tolerance)
  }
}

extension Property where V: EntityPropertyValue, V.NonNull == Data, R == Void {
  /// The data is the given one or less, as `isLessOrEqual` says of other types.
  public func isLessThanEqual(_ data: Data) -> Condition { isLessOrEqual(data) }

  /// The data is the given one or greater, as `isGreaterOrEqual` says of other types.
  public func isGreaterThanEqual(_ data: Data) -> Condition {
    isGreaterOrEqual(data)
  }
}

extension Property where V: EntityPropertyValue, V.NonNull == Date, R == Void {
  /// The date is before the given one.
  public func isBefore(_ other: Date) -> Condition { one(.less, other) }

  /// The date is after the given one.
  public func isAfter(_ other: Date) -> Condition { one(.greater, other) }
}
