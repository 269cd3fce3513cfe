/// Arithmetic as IEEE 754 defines it: exact where 34 digits suffice, else rounded to the nearest
/// number of 34 digits, and to the one with an even last digit where two are as near.
extension Decimal128 {
  /// Not a number.
  public static let notANumber = Decimal128(high: 0b1_1111 << 58, low: 0)

  /// The sum of two numbers.
  ///
  /// - Parameter other: The other one.
  /// - Returns: The sum; not a number for infinities of opposite signs.
  public func adding(_ other: Decimal128) -> Decimal128 {
    switch (parts, other.parts) {
    case (.notANumber, _): return self
    case (_, .notANumber): return other
    case (.infinity(let isNegative), .infinity(let otherIsNegative)):
      return isNegative == otherIsNegative ? self : .notANumber
    case (.infinity, _): return self
    case (_, .infinity): return other
    case (
      .finite(let isNegative, let coefficient, let exponent),
      .finite(let otherIsNegative, let otherCoefficient, let otherExponent)
    ):
      return Self.sum(
        Term(isNegative: isNegative, coefficient: coefficient, exponent: exponent),
        Term(isNegative: otherIsNegative, coefficient: otherCoefficient, exponent: otherExponent)
      )
    }
  }

  /// The number with its sign turned.
  public var negated: Decimal128 {
    Decimal128(high: high ^ 1 << 63, low: low)
  }

  /// The product of two numbers.
  ///
  /// - Parameter other: The other one.
  /// - Returns: The product; not a number for zero times infinity.
  public func multiplied(by other: Decimal128) -> Decimal128 {
    let isNegative = (high ^ other.high) >> 63 == 1
    switch (parts, other.parts) {
    case (.notANumber, _): return self
    case (_, .notANumber): return other
    case (.infinity, .finite(_, 0, _)), (.finite(_, 0, _), .infinity): return .notANumber
    case (.infinity, _), (_, .infinity): return .infinity(isNegative)
    case (.finite(_, let coefficient, let exponent), .finite(_, let factor, let otherExponent)):
      let product = coefficient.multipliedFullWidth(by: factor)
      // So many digits are cut that the rest fits 128 bits and still has one to round by.
      let surplus = Swift.max(0, Self.digitCount(coefficient) + Self.digitCount(factor) - 36)
      let cut = Self.powerOfTen(surplus)
      let (quotient, remainder) = cut.dividingFullWidth(product)
      return .rounded(
        Term(
          isNegative: isNegative,
          coefficient: quotient,
          exponent: exponent + otherExponent + surplus
        ),
        hasRest: remainder != 0
      )
    }
  }

  /// The quotient of two numbers.
  ///
  /// - Parameter other: The divisor.
  /// - Returns: The quotient; infinite for a division by zero, not a number for zero by zero and
  ///   infinity by infinity.
  public func divided(by other: Decimal128) -> Decimal128 {
    let isNegative = (high ^ other.high) >> 63 == 1
    switch (parts, other.parts) {
    case (.notANumber, _): return self
    case (_, .notANumber): return other
    case (.infinity, .infinity), (.finite(_, 0, _), .finite(_, 0, _)): return .notANumber
    case (.infinity, _), (_, .finite(_, 0, _)): return .infinity(isNegative)
    case (_, .infinity):
      return .rounded(Term(isNegative: isNegative, coefficient: 0, exponent: 0), hasRest: false)
    case (.finite(_, let coefficient, let exponent), .finite(_, let divisor, let otherExponent)):
      var (quotient, remainder) = coefficient.quotientAndRemainder(dividingBy: divisor)
      var exponent = exponent - otherExponent
      while remainder != 0, quotient < Self.coefficientLimit {
        let next = (remainder * 10).quotientAndRemainder(dividingBy: divisor)
        quotient = quotient * 10 + next.quotient
        remainder = next.remainder
        exponent -= 1
      }
      return .rounded(
        Term(isNegative: isNegative, coefficient: quotient, exponent: exponent),
        hasRest: remainder != 0
      )
    }
  }

  private struct Term {
    var isNegative: Bool
    var coefficient: UInt128
    var exponent: Int
  }

  static func infinity(_ isNegative: Bool) -> Decimal128 {
    Decimal128(high: (isNegative ? 1 << 63 : 0) | 0b1_1110 << 58, low: 0)
  }

  private static func sum(_ left: Term, _ right: Term) -> Decimal128 {
    var (upper, lower) = left.exponent >= right.exponent ? (left, right) : (right, left)
    // Scaled up to 36 digits, two more than count, the sum still fits 128 bits.
    while upper.exponent > lower.exponent, upper.coefficient < powerOfTen(36),
      upper.coefficient > 0
    {
      upper.coefficient *= 10
      upper.exponent -= 1
    }
    if upper.coefficient == 0 { upper.exponent = lower.exponent }
    var hasRest = false
    while lower.exponent < upper.exponent, lower.coefficient > 0 {
      let (quotient, remainder) = lower.coefficient.quotientAndRemainder(dividingBy: 10)
      lower.coefficient = quotient
      lower.exponent += 1
      hasRest = hasRest || remainder != 0
    }
    lower.exponent = upper.exponent
    if upper.isNegative == lower.isNegative {
      upper.coefficient += lower.coefficient
    } else {
      // What was cut off the lower is owed.
      let owed = lower.coefficient + (hasRest ? 1 : 0)
      if upper.coefficient >= owed {
        upper.coefficient -= owed
      } else {
        upper.coefficient = owed - upper.coefficient
        upper.isNegative = lower.isNegative
      }
    }
    if upper.coefficient == 0 { upper.isNegative = left.isNegative && right.isNegative }
    return .rounded(upper, hasRest: hasRest)
  }

  /// The nearest number of 34 digits to a term, or to one a little larger where there is a rest.
  private static func rounded(_ term: Term, hasRest: Bool) -> Decimal128 {
    var coefficient = term.coefficient
    var exponent = term.exponent
    var hasRest = hasRest
    var last: UInt128 = 0
    while coefficient >= coefficientLimit || exponent < exponents.lowerBound {
      hasRest = hasRest || last != 0
      (coefficient, last) = coefficient.quotientAndRemainder(dividingBy: 10)
      exponent += 1
      if coefficient == 0, last == 0 {
        exponent = Swift.max(exponent, exponents.lowerBound)
        break
      }
    }
    if last > 5 || last == 5 && (hasRest || coefficient % 2 == 1) {
      coefficient += 1
      if coefficient == coefficientLimit {
        coefficient /= 10
        exponent += 1
      }
    }
    while exponent > exponents.upperBound, coefficient * 10 < coefficientLimit {
      if coefficient == 0 { exponent = exponents.upperBound + 1 }
      coefficient *= 10
      exponent -= 1
    }
    let parts = Parts.finite(
      isNegative: term.isNegative,
      coefficient: coefficient,
      exponent: exponent
    )
    return Decimal128(parts) ?? .infinity(term.isNegative)
  }
}
