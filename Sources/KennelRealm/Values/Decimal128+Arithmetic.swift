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

extension Decimal128: Strideable {
  /// Returns the difference to another number.
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
