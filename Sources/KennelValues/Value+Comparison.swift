import Glibc

extension Value {
  /// Compares as queries do: negative, 0 or positive; `nil` where the kinds cannot be compared.
  ///
  /// Numbers of all kinds compare by their exact value; −0.0 equals 0.0; NaN equals NaN and
  /// comes before every number. Strings compare by their UTF-8 bytes. Null equals null and
  /// compares with nothing else. Collections compare only when they are equal.
  public func compare(_ other: Value) -> Int? {
    if let order = orderOfSameKind(other) { return order }
    if isCollection || other.isCollection { return self == other ? 0 : nil }
    return rank == other.rank ? order(other) : nil
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
    if let order = orderOfSameKind(other) { return order }
    let ranks = Int(rank) - Int(other.rank)
    guard ranks == 0 else { return ranks }
    if let number, let other = other.number { return number.order(other) }
    switch shape {
    case .null: return 0
    case .scalar(let scalar): return scalar.order(with: other)
    case .link(let target):
      guard case .link(let other) = other else { return 0 }
      return target < other ? -1 : target == other ? 0 : 1
    case .list(let values), .set(let values):
      let others = other.listed ?? []
      for (left, right) in zip(values, others) {
        let order = left.order(right)
        guard order == 0 else { return order }
      }
      return values.count - others.count
    case .map(let entries):
      guard case .map(let others) = other else { return 0 }
      for (left, right) in zip(entries, others) {
        let order = left.key.orderBytes(right.key)
        guard order == 0 else { return order }
        let valueOrder = left.value.order(right.value)
        guard valueOrder == 0 else { return valueOrder }
      }
      return entries.count - others.count
    }
  }

  /// The order of two values of the most frequent kinds, soon found out; `nil` for others.
  private func orderOfSameKind(_ other: Value) -> Int? {
    if case .int(let left) = self, case .int(let right) = other {
      return left < right ? -1 : left > right ? 1 : 0
    }
    if case .double(let left) = self, case .double(let right) = other {
      return NumericValue.order(left, right)
    }
    if case .string(let left) = self, case .string(let right) = other {
      return left.orderBytes(right)
    }
    return nil
  }

  /// The place among the kinds of values that do not compare with each other.
  private var rank: UInt8 {
    switch shape {
    case .null: 0
    case .scalar(let scalar): type(of: scalar).rank
    case .link: 11
    case .list: 12
    case .set: 13
    case .map: 14
    }
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
