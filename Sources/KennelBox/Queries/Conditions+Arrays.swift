// Conditions on the elements of arrays.

import KennelCore

// MARK: - Texts

extension Property where V: EntityPropertyValue, V.NonNull == [String], R == Void {
  /// One of the texts is the given one.
  public func contains(_ string: String, caseSensitive: Bool = true) -> Condition {
    condition(.containsElement, [.string(string)], caseSensitive: caseSensitive)
  }

  /// One of the texts is the given one.
  public func containsElement(element: String, caseSensitive: Bool = true) -> Condition {
    contains(element, caseSensitive: caseSensitive)
  }
}

// MARK: - Numbers

/// A type of numbers.
///
/// A condition can search an array of them for an element.
///
/// ```swift
/// func largest<Number: EntityArrayNumber>(_ numbers: [Number]) -> Number? { numbers.max() }
/// print(largest([1, 2] as [Int32]) ?? 0)
/// ```
public protocol EntityArrayNumber: EntityArrayElement, EntityScalar, Comparable {}
extension Int32: EntityArrayNumber {}
extension Int64: EntityArrayNumber {}
extension Float: EntityArrayNumber {}

extension Property where V: EntityPropertyValue, R == Void {
  /// One of the numbers is the given one.
  public func isEqual<Number: EntityArrayNumber>(
    to element: Number
  ) -> Condition where V.NonNull == [Number] {
    condition(.containsElement, [element._storedValue])
  }

  /// One of the numbers is less than the given one.
  public func isLessThan<Number: EntityArrayNumber>(
    _ element: Number
  ) -> Condition where V.NonNull == [Number] {
    condition(.less, [element._storedValue])
  }

  /// One of the numbers is the given one or less.
  public func isLessOrEqual<Number: EntityArrayNumber>(
    _ element: Number
  ) -> Condition where V.NonNull == [Number] {
    condition(.lessOrEqual, [element._storedValue])
  }

  /// One of the numbers is greater than the given one.
  public func isGreaterThan<Number: EntityArrayNumber>(
    _ element: Number
  ) -> Condition where V.NonNull == [Number] {
    condition(.greater, [element._storedValue])
  }

  /// One of the numbers is the given one or greater.
  public func isGreaterOrEqual<Number: EntityArrayNumber>(
    _ element: Number
  ) -> Condition where V.NonNull == [Number] {
    condition(.greaterOrEqual, [element._storedValue])
  }
}
