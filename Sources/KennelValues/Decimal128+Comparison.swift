extension Decimal128: Comparable {
  /// Whether a number is less than another by numeric value.
  ///
  /// So neither of 1.0 and 1.00 is less than the other, although `==` tells them apart.
  public static func < (left: Decimal128, right: Decimal128) -> Bool { left.compare(right) < 0 }
}

extension Decimal128 {
  /// Compares by numeric value: −1, 0 or 1.
  ///
  /// 1.0 and 1.00 are equal, and so are 0 and −0; NaN equals NaN and comes before every number.
  public func compare(_ other: Decimal128) -> Int {
    switch (parts, other.parts) {
    case (.notANumber, .notANumber): return 0
    case (.notANumber, _): return -1
    case (_, .notANumber): return 1
    case (.infinity(let left), .infinity(let right)):
      return left == right ? 0 : left ? -1 : 1
    case (.infinity(let isNegative), .finite): return isNegative ? -1 : 1
    case (.finite, .infinity(let isNegative)): return isNegative ? 1 : -1
    case (
      .finite(let isNegative, let coefficient, let exponent),
      .finite(let otherIsNegative, let otherCoefficient, let otherExponent)
    ):
      if coefficient == 0 || otherCoefficient == 0 || isNegative != otherIsNegative {
        let sign = coefficient == 0 ? 0 : isNegative ? -1 : 1
        let otherSign = otherCoefficient == 0 ? 0 : otherIsNegative ? -1 : 1
        return sign < otherSign ? -1 : sign > otherSign ? 1 : 0
      }
      let order = Self.compareMagnitudes(
        (coefficient, exponent),
        (otherCoefficient, otherExponent)
      )
      return isNegative ? -order : order
    }
  }

  /// Compares with a whole number by numeric value: −1, 0 or 1.
  public func compare(_ other: Int64) -> Int { compare(Decimal128(other)) }

  /// Compares with a floating point number by numeric value, exactly: −1, 0 or 1.
  ///
  /// NaN equals NaN and comes before every number.
  public func compare(_ other: Double) -> Int {
    if isNaN { return other.isNaN ? 0 : -1 }
    if other.isNaN { return 1 }
    if other.isInfinite || other == 0 {
      return compare(other == 0 ? Decimal128(0) : .infinity(other < 0))
    }
    guard case .finite(let isNegative, let coefficient, let exponent) = parts else {
      return high >> 63 == 1 ? -1 : 1
    }
    guard coefficient != 0 else { return other > 0 ? -1 : 1 }
    guard isNegative == (other < 0) else { return isNegative ? -1 : 1 }
    let order = Self.compareMagnitude((coefficient, exponent), other.magnitude)
    return isNegative ? -order : order
  }

  /// The closest double; infinite where the number is beyond them.
  package var nearestDouble: Double {
    switch parts {
    case .notANumber: .nan
    case .infinity(let isNegative): isNegative ? -.infinity : .infinity
    case .finite: Double(description) ?? 0
    }
  }

  /// Coefficients are not zero.
  private static func compareMagnitudes(
    _ left: (coefficient: UInt128, exponent: Int),
    _ right: (coefficient: UInt128, exponent: Int)
  ) -> Int {
    let leftLength = left.exponent + digitCount(left.coefficient)
    let rightLength = right.exponent + digitCount(right.coefficient)
    guard leftLength == rightLength else { return leftLength < rightLength ? -1 : 1 }
    // Both have the same first digit's exponent, so that scaling one stays within 34 digits.
    var scaledLeft = left.coefficient
    var scaledRight = right.coefficient
    if left.exponent > right.exponent {
      scaledLeft *= powerOfTen(left.exponent - right.exponent)
    } else {
      scaledRight *= powerOfTen(right.exponent - left.exponent)
    }
    return scaledLeft < scaledRight ? -1 : scaledLeft > scaledRight ? 1 : 0
  }

  /// Neither is zero, `right` is finite and positive.
  private static func compareMagnitude(
    _ left: (coefficient: UInt128, exponent: Int),
    _ right: Double
  ) -> Int {
    // 10^(length − 1) ≤ left < 10^length; doubles lie between 10^−324 and 10^309.
    let length = left.exponent + digitCount(left.coefficient)
    if length > 310 { return 1 }
    if length < -325 { return -1 }
    // right is a whole number times a power of two.
    let isSubnormal = right.exponentBitPattern == 0
    let hidden: UInt64 = isSubnormal ? 0 : 1 << 52
    let shift = max(Int(right.exponentBitPattern), 1) - 1075
    var scaledLeft = Magnitude(left.coefficient)
    var scaledRight = Magnitude(UInt128(right.significandBitPattern | hidden))
    if left.exponent >= 0 {
      scaledLeft.multiply(byPowerOfTen: left.exponent)
    } else {
      scaledRight.multiply(byPowerOfTen: -left.exponent)
    }
    if shift >= 0 {
      scaledRight.multiply(byPowerOfTwo: shift)
    } else {
      scaledLeft.multiply(byPowerOfTwo: -shift)
    }
    return scaledLeft.compare(scaledRight)
  }

  static func digitCount(_ coefficient: UInt128) -> Int {
    var rest = coefficient
    var count = 0
    while rest > 0 {
      rest /= 10
      count += 1
    }
    return count
  }
}

/// A whole number of any size, as far as comparing needs it.
private struct Magnitude {
  /// 32 bits each, the lowest first, without zeros at the end.
  private var limbs: [UInt32] = []

  init(_ value: UInt128) {
    var rest = value
    while rest > 0 {
      limbs.append(UInt32(truncatingIfNeeded: rest))
      rest >>= 32
    }
  }

  mutating func multiply(byPowerOfTen exponent: Int) {
    var rest = exponent
    while rest >= 9 {
      multiply(by: 1_000_000_000)
      rest -= 9
    }
    for _ in 0..<rest { multiply(by: 10) }
  }

  mutating func multiply(byPowerOfTwo exponent: Int) {
    multiply(by: 1 << UInt32(exponent % 32))
    if !limbs.isEmpty {
      limbs.insert(contentsOf: repeatElement(0, count: exponent / 32), at: 0)
    }
  }

  private mutating func multiply(by factor: UInt32) {
    var carry: UInt64 = 0
    for index in limbs.indices {
      let product = UInt64(limbs[index]) * UInt64(factor) + carry
      limbs[index] = UInt32(truncatingIfNeeded: product)
      carry = product >> 32
    }
    if carry > 0 { limbs.append(UInt32(carry)) }
  }

  func compare(_ other: Magnitude) -> Int {
    guard limbs.count == other.limbs.count else { return limbs.count < other.limbs.count ? -1 : 1 }
    for index in limbs.indices.reversed() where limbs[index] != other.limbs[index] {
      return limbs[index] < other.limbs[index] ? -1 : 1
    }
    return 0
  }
}

extension Decimal128 {
  /// How much this number is greater than a double that is closest to it, in whole numbers:
  /// rounded down, so that it grows with the number, and equals that of any int that is equal.
  package func wholeDistance(from nearest: Double) -> Int {
    let sign = compare(nearest)
    guard sign != 0, nearest.magnitude >= 0x1p53, nearest.magnitude <= 0x1p63 else {
      return sign < 0 ? -1 : 0
    }
    // The double is whole here, and so is the next one: their distance is at most 1,024.
    var low = -1024
    var high = 1024
    while low < high {
      let middle = low + (high - low + 1) / 2
      let candidate = Int128(nearest) + Int128(middle)
      if compare(whole: candidate) >= 0 { low = middle } else { high = middle - 1 }
    }
    return low
  }

  /// Compares with a whole number of up to 34 digits.
  private func compare(whole: Int128) -> Int {
    let parts = Parts.finite(
      isNegative: whole < 0,
      coefficient: whole.magnitude,
      exponent: 0
    )
    return Decimal128(parts).map(compare) ?? 0
  }
}
