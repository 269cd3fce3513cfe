/// What a property of an object can hold.
///
/// ```swift
/// let age = try snapshot.value(of: rex, property: dog.require("age").key)
/// if case .int(let years) = age { print(years + 1) }
/// ```
///
/// `null`, `""` and absence are different things. Two values are equal when they are the same
/// to the last bit: strings by their UTF-8 bytes (composed and decomposed é differ), floating
/// point numbers by their bits (a NaN equals itself, −0.0 differs from 0.0). Queries compare
/// differently: see ``Value/compare(_:)``.
public enum Value: Sendable {
  /// No value.
  case null
  /// A truth value.
  case bool(Bool)
  /// A whole number.
  case int(Int64)
  /// A floating point number of 32 bits.
  case float(Float)
  /// A floating point number of 64 bits.
  case double(Double)
  /// Text.
  case string(String)
  /// Bytes.
  case data([UInt8])
  /// A point in time.
  case date(Timestamp)
  /// An identifier of 12 bytes.
  case objectId(ObjectId)
  /// An identifier of 16 bytes.
  case uuid(UUIDValue)
  /// A decimal number of 34 digits.
  case decimal128(Decimal128)
  /// A link to an object.
  case link(ObjectIdentity)
  /// The elements of a list, in order.
  case list([Value])
  /// The members of a set, in the order of ``Value/isOrdered(before:)``.
  case set([Value])
  /// The entries of a map, in the order of their keys' UTF-8 bytes.
  case map([MapEntry])

  /// What kind of value this is; `nil` for null and collections, which have no kind.
  public var kind: ValueKind? {
    switch self {
    case .null, .list, .set, .map: nil
    case .bool: .bool
    case .int: .int
    case .float: .float
    case .double: .double
    case .string: .string
    case .data: .data
    case .date: .date
    case .objectId: .objectId
    case .uuid: .uuid
    case .decimal128: .decimal128
    case .link: .link
    }
  }

  /// Whether this is ``null``.
  @inlinable
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }
}

extension Value: CustomStringConvertible, CustomDebugStringConvertible {
  /// The value as text; see ``ValueText/describe(_:)``.
  public var description: String { ValueText.describe(self) }

  /// The value as text that says its kind; see ``ValueText/describeMixed(_:)``.
  public var debugDescription: String { ValueText.describeMixed(self) }
}

/// One entry of a map.
///
/// ```swift
/// let meals: Value = .map([MapEntry("evening", .int(2)), MapEntry("morning", .int(1))])
/// if case .map(let entries) = meals { print(entries.map(\.key)) }
/// ```
public struct MapEntry: Hashable, Sendable {
  /// The key, compared by its UTF-8 bytes.
  public let key: String
  /// The value.
  public let value: Value

  /// Makes an entry.
  public init(_ key: String, _ value: Value) {
    self.key = key
    self.value = value
  }

  /// Whether the keys have the same UTF-8 bytes and the values are equal.
  public static func == (left: Self, right: Self) -> Bool {
    left.key.hasSameBytes(as: right.key) && left.value == right.value
  }

  /// Feeds the key's bytes and the value.
  public func hash(into hasher: inout Hasher) {
    key.hashBytes(into: &hasher)
    hasher.combine(value)
  }
}

extension Value: Hashable {
  /// Whether both are the same to the last bit.
  public static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.int(let left), .int(let right)): left == right
    case (.float(let left), .float(let right)): left.bitPattern == right.bitPattern
    case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    case (.data(let left), .data(let right)): left == right
    case (.date(let left), .date(let right)): left == right
    case (.objectId(let left), .objectId(let right)): left == right
    case (.uuid(let left), .uuid(let right)): left == right
    case (.decimal128(let left), .decimal128(let right)): left == right
    case (.link(let left), .link(let right)): left == right
    case (.list(let left), .list(let right)): left == right
    case (.set(let left), .set(let right)): left == right
    case (.map(let left), .map(let right)): left == right
    default: false
    }
  }

  /// Feeds what ``==(_:_:)`` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(rank)
    switch self {
    case .null: break
    case .bool(let value): hasher.combine(value)
    case .int(let value): hasher.combine(value)
    case .float(let value): hasher.combine(value.bitPattern)
    case .double(let value): hasher.combine(value.bitPattern)
    case .string(let value): value.hashBytes(into: &hasher)
    case .data(let value): hasher.combine(value)
    case .date(let value): hasher.combine(value)
    case .objectId(let value): hasher.combine(value)
    case .uuid(let value): hasher.combine(value)
    case .decimal128(let value): hasher.combine(value)
    case .link(let value): hasher.combine(value)
    case .list(let values), .set(let values): hasher.combine(values)
    case .map(let entries): hasher.combine(entries)
    }
  }

  /// The place of the kind of value among the kinds; numbers share one when they are compared.
  package var rank: UInt8 {
    switch self {
    case .null: 0
    case .bool: 1
    case .int: 2
    case .float: 3
    case .double: 4
    case .decimal128: 5
    case .string: 6
    case .data: 7
    case .date: 8
    case .objectId: 9
    case .uuid: 10
    case .link: 11
    case .list: 12
    case .set: 13
    case .map: 14
    }
  }
}

extension String {
  /// Whether both strings have the same UTF-8 bytes.
  ///
  /// `==` of the standard library compares canonical equivalents, which would let a lookup of
  /// composed é find a decomposed one.
  @inlinable
  public func hasSameBytes(as other: String) -> Bool {
    utf8.elementsEqual(other.utf8)
  }

  /// Whether the UTF-8 bytes of this string come before those of the other.
  @inlinable
  public func hasBytes(before other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }

  package func hashBytes(into hasher: inout Hasher) {
    var copy = self
    copy.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
