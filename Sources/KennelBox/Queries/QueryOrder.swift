import KennelCore

/// A property that results are ordered by.
struct QueryOrder: Sendable {
  let number: Int
  let flags: Set<OrderFlags>

  /// The engine's equal sort key; `nil` if it has none.
  ///
  /// There a null comes first, and last in a descending order; texts are ordered by their bytes.
  func sortKey(in schema: Schema, _ info: EntityInfo) -> SortKey? {
    guard let property = schema[info.name]?[info.properties[number].name],
      flags.isDisjoint(with: [.unsigned, .nullsZero])
    else { return nil }
    let isDescending = flags.contains(.descending)
    switch property.type.kind {
    case .bool, .int, .float, .double, .date: break
    case .string: guard flags.contains(.caseSensitive) else { return nil }
    case .data, .objectId, .uuid, .decimal128, .mixed, .link: return nil
    }
    guard property.type.collection == .none,
      !property.type.isOptional || flags.contains(.nullsLast) == isDescending
    else { return nil }
    return SortKey(Predicate.Path([.property(property.name)]), isAscending: !isDescending)
  }

  /// What is compared.
  enum Key {
    case null
    case number(Int64)
    case unsigned(UInt64)
    case real(Double)
    case text([UInt8])
    case date(Timestamp)
  }

  /// The key of a value.
  func key(_ value: Value) -> Key {
    switch value {
    case .null: return flags.contains(.nullsZero) ? .number(0) : .null
    case .bool(let value): return .number(value ? 1 : 0)
    case .int(let value):
      return flags.contains(.unsigned) ? .unsigned(UInt64(bitPattern: value)) : .number(value)
    case .float(let value): return .real(Double(value))
    case .double(let value): return .real(value)
    case .string(let text):
      let bytes = Array(text.utf8)
      return .text(flags.contains(.caseSensitive) ? bytes : bytes.map(\.lowercasedASCII))
    case .data(let bytes): return .text(bytes)
    case .date(let date): return .date(date)
    case .link(let target): return .unsigned(target.key.rawValue)
    case .objectId, .uuid, .decimal128, .list, .set, .map: return .null
    }
  }

  /// Whether a key comes before another; `nil` if they are equal.
  func comesBefore(_ left: Key, _ right: Key) -> Bool? {
    let isLess: Bool
    switch (left, right) {
    case (.null, .null): return nil
    case (.null, _): return !flags.contains(.nullsLast)
    case (_, .null): return flags.contains(.nullsLast)
    case (.number(let left), .number(let right)):
      if left == right { return nil }
      isLess = left < right
    case (.unsigned(let left), .unsigned(let right)):
      if left == right { return nil }
      isLess = left < right
    case (.text(let left), .text(let right)):
      if left == right { return nil }
      isLess = left.lexicographicallyPrecedes(right)
    case (.date(let left), .date(let right)):
      if left == right { return nil }
      isLess = left < right
    default:
      let (left, right) = (left.asReal, right.asReal)
      if left == right { return nil }
      isLess = left < right
    }
    return isLess != flags.contains(.descending)
  }
}

extension QueryOrder.Key {
  /// As a floating point number, for a null that counts as 0 beside one.
  fileprivate var asReal: Double {
    switch self {
    case .number(let value): Double(value)
    case .unsigned(let value): Double(value)
    case .real(let value): value
    case .date(let value): Double(value.seconds) + Double(value.nanoseconds) / 1e9
    case .null, .text: 0
    }
  }
}

extension UInt8 {
  fileprivate var lowercasedASCII: UInt8 { self >= 0x41 && self <= 0x5a ? self | 0x20 : self }
}

extension DatabaseReader {
  /// Sorts objects; those that are equal stay in their order.
  func sort(
    _ keys: [ObjectKey],
    of map: EntityMap,
    by order: [QueryOrder]
  ) throws -> [ObjectKey] {
    if order.isEmpty { return keys }
    let rows = try keys.map { key in
      try order.map { part in
        if case .id = map.info.properties[part.number].kind {
          return QueryOrder.Key.unsigned(key.rawValue)
        }
        let object = ObjectIdentity(map.classKey, key)
        return part.key(try value(of: object, property: map.columns[part.number]))
      }
    }
    let positions = keys.indices.sorted { left, right in
      for (part, rule) in order.enumerated() {
        if let isBefore = rule.comesBefore(rows[left][part], rows[right][part]) { return isBefore }
      }
      return left < right
    }
    return positions.map { keys[$0] }
  }
}
