import Glibc

extension Value {
  /// Compares as queries do: negative, 0 or positive; `nil` where the kinds cannot be compared.
  ///
  /// Numbers of all kinds compare by their exact value; −0.0 equals 0.0; NaN equals NaN and
  /// comes before every number. Strings compare by their UTF-8 bytes. Null equals null and
  /// compares with nothing else. Collections compare only when they are equal.
  public func compare(_ other: Value) -> Int? {
    switch (self, other) {
    case (.null, .null): 0
    case (.list, .list), (.set, .set), (.map, .map): self == other ? 0 : nil
    case (.null, _), (_, .null): nil
    default: orderRank == other.orderRank ? order(other) : nil
    }
  }

  /// Whether this comes before the other in the total order of all values.
  ///
  /// Null comes first, then truth values, numbers (NaN before all others), strings, data, dates,
  /// identifiers, links and collections. Values of which neither comes before the other are the
  /// same member of a set: see ``isEquivalent(to:)``.
  public func isOrdered(before other: Value) -> Bool { order(other) < 0 }

  /// Whether both are the same member of a set: `1`, `1.0` and decimal `1.00` are.
  public func isEquivalent(to other: Value) -> Bool { order(other) == 0 }

  /// The total order: negative, 0 or positive.
  package func order(_ other: Value) -> Int {
    let ranks = Int(orderRank) - Int(other.orderRank)
    guard ranks == 0 else { return ranks }
    switch (self, other) {
    case (.int(let left), .int(let right)): return left < right ? -1 : left > right ? 1 : 0
    case (.double(let left), .double(let right)): return Self.order(left, right)
    case (.float(let left), .float(let right)): return Self.order(Double(left), Double(right))
    case (.string(let left), .string(let right)): return left.orderBytes(right)
    case (.bool(let left), .bool(let right)): return (left ? 1 : 0) - (right ? 1 : 0)
    case (.data(let left), .data(let right)):
      return unsafe left.withUnsafeBytes { left in
        unsafe right.withUnsafeBytes { right in unsafe orderBytes(left, right) }
      }
    case (.date(let left), .date(let right)): return Self.orderComparable(left, right)
    case (.objectId(let left), .objectId(let right)): return Self.orderComparable(left, right)
    case (.uuid(let left), .uuid(let right)): return Self.orderComparable(left, right)
    case (.link(let left), .link(let right)): return Self.orderComparable(left, right)
    case (.list(let left), .list(let right)), (.set(let left), .set(let right)):
      for (left, right) in zip(left, right) {
        let order = left.order(right)
        guard order == 0 else { return order }
      }
      return left.count - right.count
    case (.map(let left), .map(let right)):
      for (left, right) in zip(left, right) {
        let order = left.key.orderBytes(right.key)
        guard order == 0 else { return order }
        let valueOrder = left.value.order(right.value)
        guard valueOrder == 0 else { return valueOrder }
      }
      return left.count - right.count
    default: return orderNumbers(other)
    }
  }

  /// Numbers of two kinds; decimals.
  private func orderNumbers(_ other: Value) -> Int {
    switch (self, other) {
    case (.decimal128(let left), .decimal128(let right)): left.compare(right)
    case (.decimal128(let left), .int(let right)): left.compare(right)
    case (.decimal128(let left), _): left.compare(other.asDouble)
    case (_, .decimal128): -other.orderNumbers(self)
    case (.int(let left), .int(let right)): Self.orderComparable(left, right)
    case (.int(let left), _): Self.order(left, other.asDouble)
    case (_, .int(let right)): -Self.order(right, asDouble)
    default: Self.order(asDouble, other.asDouble)
    }
  }

  /// A float or a double, exactly.
  private var asDouble: Double {
    switch self {
    case .float(let value): Double(value)
    case .double(let value): value
    case .null, .bool, .int, .string, .data, .date, .objectId, .uuid, .decimal128, .link, .list,
      .set,
      .map:
      0
    }
  }

  /// ``rank``, with one rank for all numbers.
  private var orderRank: UInt8 {
    switch self {
    case .int, .float, .double, .decimal128: 2
    case .null, .bool, .string, .data, .date, .objectId, .uuid, .link, .list, .set, .map: rank
    }
  }

  private static func orderComparable<Part: Comparable>(_ left: Part, _ right: Part) -> Int {
    left < right ? -1 : left == right ? 0 : 1
  }

  /// NaN first and equal to itself; −0.0 equals 0.0.
  private static func order(_ left: Double, _ right: Double) -> Int {
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

extension String {
  /// Compares by the UTF-8 bytes: negative, 0 or positive.
  package func orderBytes(_ other: String) -> Int {
    let fast = unsafe utf8.withContiguousStorageIfAvailable { left in
      unsafe other.utf8.withContiguousStorageIfAvailable { right in
        unsafe KennelValues.orderBytes(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right))
      }
    }
    if case .some(.some(let order)) = fast { return order }
    return hasSameBytes(as: other) ? 0 : hasBytes(before: other) ? -1 : 1
  }
}

/// Compares bytes, shorter ones first: negative, 0 or positive.
package func orderBytes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
  let shared = min(left.count, right.count)
  if shared > 0, let start = left.baseAddress, let other = right.baseAddress {
    let order = unsafe memcmp(start, other, shared)
    guard order == 0 else { return Int(order) }
  }
  return left.count - right.count
}
