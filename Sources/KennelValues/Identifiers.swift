/// An identifier of 12 bytes, as MongoDB and Realm use it.
///
/// ```swift
/// let id = ObjectId("66318a00a1b2c3d4e5f60718")
/// print(id?.description ?? "")
/// ```
public struct ObjectId: Hashable, Comparable, Sendable {
  /// The first 8 bytes, as a big-endian number.
  public let high: UInt64
  /// The last 4 bytes.
  public let low: UInt32

  /// Makes an identifier from its bytes read as big-endian numbers.
  @inlinable
  public init(high: UInt64, low: UInt32) {
    self.high = high
    self.low = low
  }

  /// Makes an identifier from 24 hexadecimal digits; `nil` for any other text.
  public init?(_ text: String) {
    guard let words = hexadecimalWords(text.utf8, digits: 24) else { return nil }
    high = words.high << 32 | words.low >> 32
    low = UInt32(truncatingIfNeeded: words.low)
  }

  /// By the bytes.
  @inlinable
  public static func < (left: Self, right: Self) -> Bool {
    left.high == right.high ? left.low < right.low : left.high < right.high
  }
}

/// An identifier of 16 bytes.
///
/// ```swift
/// let id = UUIDValue("0F8FAD5B-D9CB-469F-A165-70867728950E")
/// print(id?.description ?? "")
/// ```
public struct UUIDValue: Hashable, Comparable, Sendable {
  /// The first 8 bytes, as a big-endian number.
  public let high: UInt64
  /// The last 8 bytes.
  public let low: UInt64

  /// Makes an identifier from its bytes read as big-endian numbers.
  @inlinable
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Makes an identifier from its text, 8-4-4-4-12 hexadecimal digits; `nil` for any other text.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    let hyphen = UInt8(ascii: "-")
    guard bytes.count == 36, [8, 13, 18, 23].allSatisfy({ bytes[$0] == hyphen }) else { return nil }
    let digits = bytes.filter { $0 != hyphen }
    guard let words = hexadecimalWords(digits, digits: 32) else { return nil }
    high = words.high
    low = words.low
  }

  /// By the bytes.
  @inlinable
  public static func < (left: Self, right: Self) -> Bool {
    left.high == right.high ? left.low < right.low : left.high < right.high
  }
}

extension ObjectId: LosslessStringConvertible {
  /// 24 hexadecimal digits in lower case.
  public var description: String {
    high.digits(16, radix: 16) + low.digits(8, radix: 16)
  }
}

extension UUIDValue: LosslessStringConvertible {
  /// 8-4-4-4-12 hexadecimal digits in lower case.
  public var description: String {
    let digits = Array((high.digits(16, radix: 16) + low.digits(16, radix: 16)).utf8)
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
      .map { String(decoding: digits[$0], as: UTF8.self) }.joined(separator: "-")
  }
}

extension ObjectId: PairValue {
  /// The kind of the properties that hold it.
  @inlinable public static var kind: ValueKind { .objectId }
  /// All zeros.
  public static var initial: ObjectId { ObjectId(high: 0, low: 0) }

  /// Behind dates.
  public static var rank: UInt8 { 9 }
  /// A primary key can be an identifier.
  public static var canBePrimaryKey: Bool { true }
  /// Four bytes of the second word.
  public static var byteCount: Int { 4 }
  /// As bytes.
  public static var orderMask: UInt64? { 0 }
  /// Hexadecimal digits.
  public static var textForm: String { "24 hexadecimal digits" }
  /// Two names.
  public static var literalNames: [String] { ["oid", "objectid"] }
  /// An example.
  public static var literalForm: String { "an id such as oid(507f1f77bcf86cd799439011)" }
  /// By its words.
  public var swiftLiteral: String? { "\(Self.self)(high: \(high), low: \(low))" }

  /// Makes it from its words.
  @inlinable
  public static func fromStored(_ pair: (UInt64, UInt64)) -> ObjectId? {
    ObjectId(high: pair.0, low: UInt32(truncatingIfNeeded: pair.1))
  }

  /// The first 8 bytes and the last 4.
  @inlinable public var storedPair: (UInt64, UInt64) { (high, UInt64(low)) }

  /// The value to store.
  public var value: Value { .objectId(self) }
}

extension UUIDValue: PairValue {
  /// The kind of the properties that hold it.
  @inlinable public static var kind: ValueKind { .uuid }
  /// All zeros.
  public static var initial: UUIDValue { UUIDValue(high: 0, low: 0) }

  /// Behind object ids.
  public static var rank: UInt8 { 10 }
  /// A primary key can be an identifier.
  public static var canBePrimaryKey: Bool { true }
  /// All bytes of the second word.
  public static var byteCount: Int { 8 }
  /// As bytes.
  public static var orderMask: UInt64? { 0 }
  /// Hexadecimal digits.
  public static var textForm: String { "a UUID such as 123e4567-e89b-12d3-a456-426614174000" }
  /// The name of the kind.
  public static var literalNames: [String] { ["uuid"] }
  /// An example.
  public static var literalForm: String {
    "an id such as uuid(123e4567-e89b-12d3-a456-426614174000)"
  }
  /// By its words.
  public var swiftLiteral: String? { "\(Self.self)(high: \(high), low: \(low))" }

  /// Makes it from its words.
  @inlinable
  public static func fromStored(_ pair: (UInt64, UInt64)) -> UUIDValue? {
    UUIDValue(high: pair.0, low: pair.1)
  }

  /// The first 8 bytes and the last 8.
  @inlinable public var storedPair: (UInt64, UInt64) { (high, low) }

  /// The value to store.
  public var value: Value { .uuid(self) }
}

/// The number that exactly `digits` hexadecimal digits spell, in two words.
func hexadecimalWords(
  _ text: some Collection<UInt8>,
  digits: Int
) -> (high: UInt64, low: UInt64)? {
  guard text.count == digits else { return nil }
  var high: UInt64 = 0
  var low: UInt64 = 0
  for byte in text {
    guard let digit = BytesText.digit(byte) else { return nil }
    high = high << 4 | low >> 60
    low = low << 4 | UInt64(digit)
  }
  return (high, low)
}
