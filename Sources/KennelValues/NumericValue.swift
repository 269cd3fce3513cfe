/// A number of any kind.
public enum NumericValue: Sendable {
  /// A whole number.
  case int(Int64)
  /// A floating point number of 32 bits.
  case float(Float)
  /// A floating point number of 64 bits.
  case double(Double)
  /// A decimal number.
  case decimal128(Decimal128)

  /// The place of numbers in the order of all values.
  static let rank: UInt8 = 2

  /// The number as a value.
  public var value: Value {
    switch self {
    case .int(let value): .int(value)
    case .float(let value): .float(value)
    case .double(let value): .double(value)
    case .decimal128(let value): .decimal128(value)
    }
  }

  /// The nearest double; infinite where a decimal is beyond them.
  public var nearestDouble: Double {
    switch self {
    case .int(let value): Double(value)
    case .float(let value): Double(value)
    case .double(let value): value
    case .decimal128(let value): value.nearestDouble
    }
  }

  /// The number as a decimal, a floating point one by its shortest text; `nil` if it has too many
  /// digits.
  public var decimal: Decimal128? {
    switch self {
    case .int(let value): Decimal128(value)
    case .float(let value): Decimal128("\(value)")
    case .double(let value): Decimal128("\(value)")
    case .decimal128(let value): value
    }
  }

  /// Compares the exact values: negative, 0 or positive; NaN first and equal to itself.
  func order(_ other: NumericValue) -> Int {
    switch (self, other) {
    case (.decimal128(let left), .decimal128(let right)): left.compare(right)
    case (.decimal128(let left), .int(let right)): left.compare(right)
    case (.decimal128(let left), .float), (.decimal128(let left), .double):
      left.compare(other.nearestDouble)
    case (.int, .decimal128), (.float, .decimal128), (.double, .decimal128): -other.order(self)
    case (.int(let left), .int(let right)): left < right ? -1 : left == right ? 0 : 1
    case (.int(let left), .float), (.int(let left), .double):
      Self.order(left, other.nearestDouble)
    case (.float, .int(let right)), (.double, .int(let right)): -Self.order(right, nearestDouble)
    case (.float, .float), (.float, .double), (.double, .float), (.double, .double):
      Self.order(nearestDouble, other.nearestDouble)
    }
  }

  /// NaN first and equal to itself; −0.0 equals 0.0.
  static func order(_ left: Double, _ right: Double) -> Int {
    if left < right { return -1 }
    if left > right { return 1 }
    if left == right { return 0 }
    return (left.isNaN ? 0 : 1) - (right.isNaN ? 0 : 1)
  }

  /// Exactly, though a double has only 53 bits and an int no fractions.
  private static func order(_ left: Int64, _ right: Double) -> Int {
    if right.isNaN { return 1 }
    if right >= 0x1p63 { return -1 }
    if right < -0x1p63 { return 1 }
    let whole = Int64(right)
    if left != whole { return left < whole ? -1 : 1 }
    let fraction = right - Double(whole)
    return fraction > 0 ? -1 : fraction < 0 ? 1 : 0
  }
}
