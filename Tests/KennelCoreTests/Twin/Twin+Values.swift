import KennelCore

/// What values may be.
extension Twin {
  func targets(in value: Value) -> [ObjectIdentity] {
    switch value {
    case .link(let target): [target]
    case .list(let elements), .set(let elements): elements.flatMap { targets(in: $0) }
    case .map(let entries): entries.flatMap { targets(in: $0.value) }
    default: []
    }
  }

  /// Sets in order and without doubles, the first wins; maps in order of their keys, the last wins.
  func normal(_ value: Value) -> Value {
    switch value {
    case .set(let members):
      var kept: [Value] = []
      for member in members where !kept.contains(where: { $0.isEquivalent(to: member) }) {
        kept.insert(member, at: kept.firstIndex { member.isOrdered(before: $0) } ?? kept.count)
      }
      return .set(kept)
    case .map(let entries):
      var kept: [MapEntry] = []
      for entry in entries {
        kept.removeAll { $0.key.hasSameBytes(as: entry.key) }
        let index = kept.firstIndex { entry.key.hasBytes(before: $0.key) } ?? kept.count
        kept.insert(MapEntry(entry.key, normal(entry.value)), at: index)
      }
      return .map(kept)
    case .list(let elements): return .list(elements.map { normal($0) })
    default: return value
    }
  }

  /// Whether a whole value fits, and its targets exist.
  func check(_ value: Value, _ property: Property) throws {
    let elements: [Value]
    switch (property.type.collection, value) {
    case (.none, _): elements = [value]
    case (.list, .list(let list)): elements = list
    case (.set, .set(let members)): elements = members
    case (.map, .map(let entries)): elements = entries.map(\.value)
    default: throw Refusal(.wrongType)
    }
    for element in elements { try checkKind(element, property) }
    for element in elements { try checkTarget(element) }
  }

  func checkElement(_ value: Value, _ property: Property) throws {
    try checkKind(value, property)
    try checkTarget(value)
  }

  private func checkTarget(_ value: Value) throws {
    for target in targets(in: value) where objects[target] == nil {
      throw Refusal(.noSuchObject)
    }
  }

  private func checkKind(_ value: Value, _ property: Property) throws {
    let type = property.type
    let isLinkOfCollection = type.kind == .link && [.list, .set].contains(type.collection)
    let mayBeNull = type.kind == .mixed || (type.isOptional && !isLinkOfCollection)
    switch (type.kind, value) {
    case (_, .null): if !mayBeNull { throw Refusal(.wrongType) }
    case (.bool, .bool), (.float, .float), (.double, .double), (.string, .string),
      (.data, .data), (.date, .date), (.objectId, .objectId), (.uuid, .uuid),
      (.decimal128, .decimal128):
      break
    case (.int, .int(let number)):
      let fits =
        switch type.bitWidth {
        case 8: Int8(exactly: number) != nil
        case 16: Int16(exactly: number) != nil
        case 32: Int32(exactly: number) != nil
        default: true
        }
      if !fits { throw Refusal(.outOfRange) }
    case (.link, .link(let target)):
      if target.classKey != property.target { throw Refusal(.wrongType) }
    case (.mixed, .link(let target)):
      if classes[target.classKey]?.isEmbedded == true { throw Refusal(.ownership) }
    case (.mixed, .set): throw Refusal(.wrongType)
    case (.mixed, .list(let elements)):
      if type.collection == .set { throw Refusal(.wrongType) }
      for element in elements { try checkKind(element, property) }
    case (.mixed, .map(let entries)):
      if type.collection == .set { throw Refusal(.wrongType) }
      for entry in entries { try checkKind(entry.value, property) }
    case (.mixed, _): break
    default: throw Refusal(.wrongType)
    }
  }
}
