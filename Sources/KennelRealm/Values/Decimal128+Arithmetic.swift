import KennelCore

/// Arithmetic with 34 digits; what needs more is rounded to the nearest, halves to even.
extension Decimal128: SignedNumeric {
  /// The number without its sign.
  public var magnitude: Decimal128 {
    stored.compare(KennelCore.Decimal128(0)) < 0 ? Decimal128(stored.negated) : self
  }

  /// The sum.
  public static func + (left: Decimal128, right: Decimal128) -> Decimal128 {
    Decimal128(left.stored.adding(right.stored))
  }

  /// The difference.
  public static func - (left: Decimal128, right: Decimal128) -> Decimal128 {
    Decimal128(left.stored.adding(right.stored.negated))
  }

  /// The product.
  public static func * (left: Decimal128, right: Decimal128) -> Decimal128 {
    Decimal128(left.stored.multiplied(by: right.stored))
  }

  /// The quotient; infinite for a division by zero.
  public static func / (left: Decimal128, right: Decimal128) -> Decimal128 {
    Decimal128(left.stored.divided(by: right.stored))
  }

  /// Multiplies the number.
  public static func *= (left: inout Decimal128, right: Decimal128) { left = left * right }

  /// Divides the number.
  public static func /= (left: inout Decimal128, right: Decimal128) { left = left / right }
}

extension Decimal128: Strideable {
  /// How much has to be added to reach another number.
  ///
  /// - Parameter other: The other number.
  /// - Returns: The difference.
  public func distance(to other: Decimal128) -> Decimal128 { other - self }

  /// The number with another one added.
  ///
  /// - Parameter amount: The other number.
  /// - Returns: The sum.
  public func advanced(by amount: Decimal128) -> Decimal128 { self + amount }
}
