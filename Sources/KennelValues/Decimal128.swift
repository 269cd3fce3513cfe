/// A decimal number of 34 digits, as its 128 bits in IEEE 754's binary integer encoding.
///
/// ```swift
/// let price: Decimal128 = 19.9
/// let total = price.multiplied(by: 3)
/// print(total, total > 50)
/// ```
///
/// `==` compares the bits: 1.0 and 1.00 are not equal, although ``compare(_:)`` returns 0
/// for them, and neither is less than the other. Queries compare by numeric value.
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

extension Decimal128: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
  /// Makes a number of a whole literal.
  public init(integerLiteral value: Int64) { self.init(value) }

  /// Makes the number that the shortest text of a literal spells: `19.9` is 19.9 exactly.
  ///
  /// A literal of more than 15 digits may lose some; use `Decimal128("…")` for those.
  public init(floatLiteral value: Double) { self = Decimal128("\(value)") ?? Decimal128(0) }
}

extension Decimal128: PairValue {
  /// The kind of the properties that hold it.
  @inlinable public static var kind: ValueKind { .decimal128 }
  /// 0, without decimals.
  public static var initial: Decimal128 { Decimal128(high: 0x3040_0000_0000_0000, low: 0) }

  /// That of numbers.
  public static var rank: UInt8 { NumericValue.rank }
  /// All bytes of the second word.
  public static var byteCount: Int { 8 }
  /// Bits are not in the order of numbers.
  public static var orderMask: UInt64? { nil }
  /// Digits.
  public static var textForm: String {
    "a decimal number of at most 34 digits, such as 1.50 or 1E+5"
  }
  /// Short.
  public static var literalNames: [String] { ["decimal"] }
  /// An example.
  public static var literalForm: String { "a number" }
  /// MongoDB's name.
  public static var schemaName: String { "decimal" }
  /// The digits, or the bits of a number that they do not say exactly.
  public var valueText: String {
    let text = description
    if Decimal128(text) == self { return text }
    return "0x" + high.digits(16, radix: 16) + low.digits(16, radix: 16)
  }
  /// By its bits.
  public var swiftLiteral: String? { "Decimal128(high: \(high), low: \(low))" }
  /// Itself.
  public var number: NumericValue? { .decimal128(self) }

  /// Reads digits, or bits behind `0x`.
  public static func parse(_ text: String) throws(ValueTextError) -> Decimal128? {
    guard text.hasPrefix("0x") else { return Decimal128(text) }
    return hexadecimalWords(text.utf8.dropFirst(2), digits: 32).map {
      Decimal128(high: $0.high, low: $0.low)
    }
  }

  /// Compares the numbers.
  public func order(_ other: Decimal128) -> Int { compare(other) }

  /// Makes it from its words.
  @inlinable
  public static func fromStored(_ pair: (UInt64, UInt64)) -> Decimal128? {
    Decimal128(high: pair.0, low: pair.1)
  }

  /// Its bits.
  @inlinable public var storedPair: (UInt64, UInt64) { (high, low) }

  /// The value to store.
  public var value: Value { .decimal128(self) }
}
