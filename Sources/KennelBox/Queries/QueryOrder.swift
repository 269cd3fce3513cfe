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

  /// The value to compare for a value of a property.
  func key(_ value: Value, of property: EntityProperty) -> Value {
    switch value {
    case .null where flags.contains(.nullsZero):
      // A link counts as its key.
      guard case .value(var type, _, _) = property.kind else { return .int(0) }
      type.isOptional = false
      return type.initialValue
    case .int(let number) where flags.contains(.unsigned): return .int(number ^ .min)
    case .string(let text) where !flags.contains(.caseSensitive):
      return .string(String(decoding: text.utf8.map(\.lowercasedASCII), as: UTF8.self))
    case .link(let target): return .int(Int64(bitPattern: target.key.rawValue))
    case .null, .bool, .int, .float, .double, .string, .data, .date, .objectId, .uuid, .decimal128,
      .list, .set, .map:
      return value
    }
  }

  /// Whether a key comes before another; `nil` if they are equal.
  func comesBefore(_ left: Value, _ right: Value) -> Bool? {
    if left.isEquivalent(to: right) { return nil }
    if left.isNull || right.isNull { return left.isNull != flags.contains(.nullsLast) }
    return left.isOrdered(before: right) != flags.contains(.descending)
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
        let property = map.info.properties[part.number]
        if case .id = property.kind { return Value.int(Int64(bitPattern: key.rawValue)) }
        let object = ObjectIdentity(map.classKey, key)
        return part.key(try value(of: object, property: map.columns[part.number]), of: property)
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
