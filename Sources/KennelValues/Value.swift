/// A value that a property of an object can hold.
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

  /// The kind of the value; `nil` for null and collections, which have no kind.
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

  /// The value as one of the few shapes that values have, whatever their kinds.
  public var shape: ValueShape {
    switch self {
    case .null: .null
    case .bool(let value): .scalar(value)
    case .int(let value): .scalar(value)
    case .float(let value): .scalar(value)
    case .double(let value): .scalar(value)
    case .string(let value): .scalar(value)
    case .data(let value): .scalar(value)
    case .date(let value): .scalar(value)
    case .objectId(let value): .scalar(value)
    case .uuid(let value): .scalar(value)
    case .decimal128(let value): .scalar(value)
    case .link(let value): .link(value)
    case .list(let values): .list(values)
    case .set(let values): .set(values)
    case .map(let entries): .map(entries)
    }
  }

  /// Whether this is ``null``.
  @inlinable
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }
}

/// The shape of a value, whatever its kind: see ``Value/shape``.
public enum ValueShape {
  /// No value.
  case null
  /// One value of a kind of scalar.
  case scalar(any ScalarKind)
  /// A link to an object.
  case link(ObjectIdentity)
  /// The elements of a list.
  case list([Value])
  /// The members of a set.
  case set([Value])
  /// The entries of a map.
  case map([MapEntry])
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
    if case .int(let left) = left, case .int(let right) = right { return left == right }
    if case .string(let left) = left, case .string(let right) = right {
      return left.hasSameBytes(as: right)
    }
    guard left.kind == right.kind else { return false }
    switch (left.shape, right.shape) {
    case (.null, .null): return true
    case (.scalar(let left), .scalar(let right)): return left.stored == right.stored
    case (.link(let left), .link(let right)): return left == right
    case (.list(let left), .list(let right)), (.set(let left), .set(let right)):
      return left == right
    case (.map(let left), .map(let right)): return left == right
    case (.null, _), (.scalar, _), (.link, _), (.list, _), (.set, _), (.map, _): return false
    }
  }

  /// Feeds what ``==(_:_:)`` compares.
  public func hash(into hasher: inout Hasher) {
    if let kind { hasher.combine(kind.rawValue) }
    switch shape {
    case .null: hasher.combine(0)
    case .scalar(let scalar): scalar.stored.hash(into: &hasher)
    case .link(let target): target.hash(into: &hasher)
    case .list(let values), .set(let values): values.hash(into: &hasher)
    case .map(let entries): entries.hash(into: &hasher)
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
