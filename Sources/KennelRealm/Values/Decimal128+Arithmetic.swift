import KennelCore

/// Arithmetic with 34 digits; what needs more is rounded to the nearest, halves to even.
extension Decimal128: SignedNumeric {
  /// The number without its sign.
  public var magnitude: Decimal128 {
    stored.compare(KennelCore.Decimal128(0)) < 0 ? Decimal128(stored.negated) : self
  }

  /// Returns the sum.
  public static func + (left: Decimal128, right: Decimal128) -> Decimal128 {
    Decimal128(left.stored.adding(right.stored))
  }

  /// Returns the difference.
  public static func - (left: Decimal128, right: Decimal128) -> Decimal128 {
    Decimal128(left.stored.adding(right.stored.negated))
  }

  /// Returns the number with the other sign.
  public static prefix func - (number: Decimal128) -> Decimal128 {
    Decimal128(number.stored.negated)
  }

  /// Returns the product.
  public static func * (left: Decimal128, right: Decimal128) -> Decimal128 {
    Decimal128(left.stored.multiplied(by: right.stored))
  }

  /// Returns the quotient; infinite for a division by zero.
  public static func / (left: Decimal128, right: Decimal128) -> Decimal128 {
    Decimal128(left.stored.divided(by: right.stored))
  }

  /// Multiplies the number.
  public static func *= (left: inout Decimal128, right: Decimal128) { left = left * right }

  /// Divides the number.
  public static func /= (left: inout Decimal128, right: Decimal128) { left = left / right }
}

/// The arithmetic operations and comparisons, under their names in Objective-C.
extension Decimal128 {
  /// Returns the sum.
  public func decimalNumber(byAdding other: Decimal128) -> Decimal128 { self + other }

  /// Returns the difference.
  public func decimalNumber(bySubtracting other: Decimal128) -> Decimal128 { self - other }

  /// Returns the product.
  public func decimalNumberByMultiplying(by other: Decimal128) -> Decimal128 { self * other }

  /// Returns the quotient; infinite for a division by zero.
  public func decimalNumberByDividing(by other: Decimal128) -> Decimal128 { self / other }

  /// Whether the number is greater; NaN is less than all others.
  public func isGreaterThan(_ other: Decimal128) -> Bool { self > other }

  /// Whether the number is greater or equal; NaN is less than all others.
  public func isGreaterThanOrEqual(to other: Decimal128) -> Bool { self >= other }

  /// Whether the number is less; NaN is less than all others.
  public func isLessThan(_ other: Decimal128) -> Bool { self < other }

  /// Whether the number is less or equal; NaN is less than all others.
  public func isLessThanOrEqual(to other: Decimal128) -> Bool { self <= other }
}

extension Decimal128: Strideable {
  /// Returns the distance to another number: the other one minus this one.
  ///
  /// - Parameter other: The other number.
  /// - Returns: The difference.
  public func distance(to other: Decimal128) -> Decimal128 { other - self }

  /// Returns the sum with another number.
  ///
  /// - Parameter amount: The other number.
  /// - Returns: The sum.
  public func advanced(by amount: Decimal128) -> Decimal128 { self + amount }
}
