extension Decimal128 {
  /// The parts that the 128 bits encode.
  enum Parts {
    /// coefficient × 10^exponent.
    case finite(isNegative: Bool, coefficient: UInt128, exponent: Int)
    case infinity(isNegative: Bool)
    case notANumber(isNegative: Bool, isSignaling: Bool, payload: UInt128)
  }

  /// The exponent of a coefficient's last digit, at least and at most.
  static let exponents = -6176...6111
  /// The digits of a coefficient.
  static let digitLimit = 34
  /// 10^34, which no coefficient reaches.
  static let coefficientLimit = powerOfTen(34)

  var parts: Parts {
    let isNegative = high >> 63 == 1
    let bits = UInt128(high) << 64 | UInt128(low)
    switch high >> 58 & 0b1_1111 {
    case 0b1_1110:
      return .infinity(isNegative: isNegative)
    case 0b1_1111:
      let payload = bits & (1 << 110 - 1)
      return .notANumber(
        isNegative: isNegative,
        isSignaling: high >> 57 & 1 == 1,
        // Payloads of 10^33 and more are zeros by the standard.
        payload: payload < Self.powerOfTen(33) ? payload : 0
      )
    case 0b1_1000...0b1_1101:
      // The long form of the coefficient: always past the limit, so zero by the standard.
      let exponent = Int(high >> 47 & 0x3FFF) + Self.exponents.lowerBound
      return .finite(isNegative: isNegative, coefficient: 0, exponent: exponent)
    default:
      let coefficient = bits & (1 << 113 - 1)
      return .finite(
        isNegative: isNegative,
        coefficient: coefficient < Self.coefficientLimit ? coefficient : 0,
        exponent: Int(high >> 49 & 0x3FFF) + Self.exponents.lowerBound
      )
    }
  }

  /// Makes a number of parts; `nil` where they exceed the format.
  init?(_ parts: Parts) {
    switch parts {
    case .finite(let isNegative, let coefficient, let exponent):
      guard coefficient < Self.coefficientLimit, Self.exponents.contains(exponent) else {
        return nil
      }
      let biased = UInt64(exponent - Self.exponents.lowerBound)
      let upper = UInt64(truncatingIfNeeded: coefficient >> 64)
      self.init(
        high: (isNegative ? 1 << 63 : 0) | biased << 49 | upper,
        low: UInt64(truncatingIfNeeded: coefficient)
      )
    case .infinity(let isNegative):
      self = .infinity(isNegative)
    case .notANumber(let isNegative, let isSignaling, let payload):
      guard payload < Self.powerOfTen(33) else { return nil }
      let sign: UInt64 = isNegative ? 1 << 63 : 0
      let upper = UInt64(truncatingIfNeeded: payload >> 64)
      self.init(
        high: sign | 0b1_1111 << 58 | (isSignaling ? 1 << 57 : 0) | upper,
        low: UInt64(truncatingIfNeeded: payload)
      )
    }
  }

  /// 10^exponent, for exponents of 0…38.
  static func powerOfTen(_ exponent: Int) -> UInt128 {
    var power: UInt128 = 1
    for _ in 0..<exponent { power *= 10 }
    return power
  }
}

extension Decimal128 {
  /// Makes a whole number.
  public init(_ value: Int64) {
    high = 6176 << 49 | (value < 0 ? 1 << 63 : 0)
    low = value.magnitude
  }

  /// Whether the number is NaN.
  public var isNaN: Bool { high >> 58 & 0b1_1111 == 0b1_1111 }

  /// Whether the number is neither infinite nor NaN.
  public var isFinite: Bool { high >> 59 & 0b1111 != 0b1111 }
}
