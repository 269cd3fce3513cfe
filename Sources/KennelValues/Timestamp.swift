/// A point in time: seconds and nanoseconds since 1970-01-01T00:00:00Z, both kept exactly.
///
/// ```swift
/// let born = Timestamp("2024-05-01T00:00:00.5Z")
/// print(born?.seconds ?? 0, born?.nanoseconds ?? 0)
/// ```
///
/// `nanoseconds` is in `0..<1_000_000_000` whatever the sign of `seconds`: half a second before
/// the epoch is −1 seconds and 500,000,000 nanoseconds.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Whole seconds since the epoch, negative before it.
  public let seconds: Int64
  /// Nanoseconds after `seconds`, below 1,000,000,000.
  public let nanoseconds: UInt32

  /// Makes a point in time; `nil` when the nanoseconds are not below 1,000,000,000.
  @inlinable
  public init?(seconds: Int64, nanoseconds: UInt32) {
    guard nanoseconds < 1_000_000_000 else { return nil }
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// Makes a point in time of whole seconds.
  @inlinable
  public init(seconds: Int64) {
    self.seconds = seconds
    nanoseconds = 0
  }

  /// The earlier one first.
  @inlinable
  public static func < (left: Self, right: Self) -> Bool {
    left.seconds == right.seconds
      ? left.nanoseconds < right.nanoseconds : left.seconds < right.seconds
  }
}

extension Timestamp: PairValue {
  /// The kind of the properties that hold it.
  @inlinable public static var kind: ValueKind { .date }
  /// The epoch.
  public static var initial: Timestamp { Timestamp(seconds: 0) }

  /// Behind data.
  public static var rank: UInt8 { 8 }
  /// Nanoseconds take four bytes.
  public static var byteCount: Int { 4 }
  /// Seconds are signed.
  public static var orderMask: UInt64? { 1 << 63 }
  /// ISO 8601.
  public static var textForm: String { "a date such as 2024-05-01 or 2024-05-01T12:30:00.5Z" }
  /// The name of the kind.
  public static var literalNames: [String] { ["date"] }
  /// An example.
  public static var literalForm: String {
    "a date such as 2024-05-01 or date(2024-05-01T12:00:00Z)"
  }
  /// Whole seconds by their number.
  public var swiftLiteral: String? {
    nanoseconds == 0 ? "Timestamp(seconds: \(seconds))" : nil
  }

  /// Makes it from its words; `nil` where the nanoseconds are not below 1,000,000,000.
  @inlinable
  public static func fromStored(_ pair: (UInt64, UInt64)) -> Timestamp? {
    guard pair.1 < 1_000_000_000 else { return nil }
    return Timestamp(
      seconds: Int64(bitPattern: pair.0),
      nanoseconds: UInt32(truncatingIfNeeded: pair.1)
    )
  }

  /// The seconds and the nanoseconds.
  @inlinable public var storedPair: (UInt64, UInt64) {
    (UInt64(bitPattern: seconds), UInt64(nanoseconds))
  }

  /// The value to store.
  public var value: Value { .date(self) }
}
