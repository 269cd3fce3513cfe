public import Foundation
public import KennelCore
import Synchronization

/// A decimal number with 34 digits.
///
/// ```swift
/// let price: Decimal128 = "19.90"
/// print(price + 1)
/// ```
///
/// Numbers with the same value are equal: 1.0 equals 1.00.
public struct Decimal128: Sendable {
  /// Shared by copies, since ``negate()`` changes them all.
  private let shared: Shared

  private final class Shared: Sendable {
    let number: Mutex<KennelCore.Decimal128>

    init(_ number: KennelCore.Decimal128) { self.number = Mutex(number) }
  }

  @usableFromInline internal var stored: KennelCore.Decimal128 { shared.number.withLock { $0 } }

  @usableFromInline
  internal init(_ stored: KennelCore.Decimal128) {
    shared = Shared(stored)
  }

  /// Changes the sign of the number and of all its copies, of constants, too.
  ///
  /// As in Realm, where decimal numbers are objects. `-number` is another number.
  public func negate() { shared.number.withLock { $0 = $0.negated } }

  /// Zero.
  public init() {
    self.init(KennelCore.Decimal128(0))
  }

  /// Creates a number from text.
  ///
  /// - Parameter string: The text, such as `-1.5E+3`.
  /// - Throws: ``Realm/Error`` if the text is not a number or needs more than 34 digits.
  public init(string: String) throws {
    guard let number = KennelCore.Decimal128(string) else {
      throw Realm.Error(.fail, "Cannot make a Decimal128 of '\(string)': it is no number")
    }
    self.init(number)
  }

  /// Creates a number from a Foundation number.
  public init(number: NSNumber) {
    self.init(value: number)
  }

  /// Creates a number from a number of any type, or from text.
  ///
  /// - Parameter value: A Swift or Foundation number, or text. `NSNull` gives NaN; anything else
  ///   stops the program.
  public init(value: Any) {
    guard let number = Decimal128.number(value) else {
      throwRealmException(
        "Cannot convert value '\(value)' of type '\(type(of: value))' to Decimal128"
      )
    }
    self = number
  }

  internal static func number(_ value: Any) -> Decimal128? {
    switch value {
    case let value as Decimal128: return Decimal128(value.stored)
    case let value as Double: return Decimal128(value)
    case is any BinaryInteger, is Float, is String, is Decimal:
      return KennelCore.Decimal128("\(value)").map { Decimal128($0) }
    case let value as NSNumber:
      return KennelCore.Decimal128(value.stringValue).map { Decimal128($0) }
    case is NSNull: return Decimal128(.nan)
    default: return nil
    }
  }

  /// The number that a double's shortest text says.
  internal init(_ value: Double) {
    let text = value.isNaN ? "NaN" : "\(value)"
    self.init(KennelCore.Decimal128(text) ?? KennelCore.Decimal128(0))
  }

  /// Creates a number from an integer that fits.
  ///
  /// - Parameter source: The integer.
  public init?<T: BinaryInteger>(exactly source: T) {
    guard let number = KennelCore.Decimal128("\(source)") else { return nil }
    self.init(number)
  }

  /// The nearest double.
  public var doubleValue: Double {
    Double(stored.description) ?? .nan
  }

  /// Whether it is not a number.
  public var isNaN: Bool { stored.isNaN }

  /// Whether it is a NaN; quiet and signaling NaNs are not distinguished, as in Realm.
  public var isSignaling: Bool { isNaN }

  /// Whether it is a NaN; quiet and signaling NaNs are not distinguished, as in Realm.
  public var isSignalingNaN: Bool { isNaN }

  /// The smallest finite number.
  public static var min: Decimal128 { Decimal128("-9.999999999999999999999999999999999E+6144") }

  /// The largest finite number.
  public static var max: Decimal128 { Decimal128("9.999999999999999999999999999999999E+6144") }
}

extension Decimal128: Hashable {
  /// Returns whether both have the same value.
  public static func == (left: Decimal128, right: Decimal128) -> Bool {
    left.stored.compare(right.stored) == 0
  }

  /// Hashes the value.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(doubleValue)
  }
}

extension Decimal128: Comparable {
  /// Returns whether a number is less than another; NaN is less than all others.
  public static func < (left: Decimal128, right: Decimal128) -> Bool {
    left.stored.compare(right.stored) < 0
  }
}

extension Decimal128: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral
{
  /// Creates a number from a literal.
  public init(integerLiteral value: Int64) {
    self.init(KennelCore.Decimal128(value))
  }

  /// Creates a number from the shortest decimal text of a literal.
  public init(floatLiteral value: Double) {
    self.init(value)
  }

  /// Creates a number from a literal; NaN if it is invalid.
  public init(stringLiteral value: String) {
    self = KennelCore.Decimal128(value).map { Decimal128($0) } ?? Decimal128(.nan)
  }
}

extension Decimal128: CustomStringConvertible {
  /// The number as decimal text, without trailing zeros.
  public var description: String {
    let parts = stored.description.split(separator: "E", maxSplits: 1)
    var digits = parts.first.map(String.init) ?? ""
    if digits.contains(".") {
      while digits.hasSuffix("0") { digits.removeLast() }
      if digits.hasSuffix(".") { digits.removeLast() }
    }
    guard parts.count > 1 else { return digits }
    return "\(digits)E\(parts[1].hasPrefix("+") ? parts[1].dropFirst() : parts[1])"
  }
}

extension Decimal128: Codable {
  /// Decodes a number from text or a number.
  ///
  /// - Parameter decoder: The decoder to read from.
  /// - Throws: An error if there is no number.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      try self.init(string: text)
    } else if let number = try? container.decode(Int64.self) {
      self.init(KennelCore.Decimal128(number))
    } else {
      self.init(try container.decode(Double.self))
    }
  }

  /// Encodes the number as text.
  ///
  /// - Parameter encoder: The encoder to write to.
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
