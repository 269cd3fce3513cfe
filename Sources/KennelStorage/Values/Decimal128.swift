/// A decimal number of 34 digits, as its 128 bits in IEEE 754's binary integer encoding.
///
/// Equality is that of the bits: 1.0 and 1.00 are different values that compare as equal.
public struct Decimal128: Hashable, Sendable {
  /// The upper 64 bits: sign, exponent, start of the coefficient.
  public let high: UInt64
  /// The lower 64 bits of the coefficient.
  public let low: UInt64

  /// Makes a number from its bits.
  @inlinable
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}
