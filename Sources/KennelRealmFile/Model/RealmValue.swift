/// A value of a property, to the last bit.
public enum RealmValue: Sendable, Hashable {
  /// No value.
  case null
  /// An integer.
  case int(Int64)
  /// A truth value.
  case bool(Bool)
  /// A text.
  case string(String)
  /// Bytes.
  case data([UInt8])
  /// Seconds since 1970 and nanoseconds, which have the sign of the seconds.
  case timestamp(seconds: Int64, nanoseconds: Int32)
  /// The bits of a 32-bit floating-point number.
  case float(bits: UInt32)
  /// The bits of a 64-bit floating-point number.
  case double(bits: UInt64)
  /// The bits of a decimal number in the binary integer encoding of IEEE 754.
  case decimal(high: UInt64, low: UInt64)
  /// The first eight bytes of an identifier and its last four, as big-endian words.
  case objectId(high: UInt64, low: UInt32)
  /// The bytes of an identifier as two big-endian words.
  case uuid(high: UInt64, low: UInt64)
  /// An object by the table key of its class and its key.
  case link(table: Int, key: Int64)
  /// The elements of a list.
  case list([RealmValue])
  /// The elements of a set, in the order of the file.
  case set([RealmValue])
  /// The entries of a dictionary, in the order of the file.
  case dictionary([RealmEntry])
}

/// An entry of a dictionary.
public struct RealmEntry: Sendable, Hashable {
  /// The key.
  public let key: String
  /// The value.
  public let value: RealmValue

  /// Makes an entry.
  public init(key: String, value: RealmValue) {
    self.key = key
    self.value = value
  }
}
