import KennelStorage

/// Whether a value may be stored in a property, and what is wrong with it if not.
internal struct ValueCheck {
  let schema: Schema
  let className: String
  let property: PropertySchema

  /// Checks a whole value.
  func check(_ value: Value) throws(DatabaseError) {
    switch (property.type.collection, value) {
    case (.none, _): try checkElement(value)
    case (.list, .list(let elements)):
      for element in elements { try checkElement(element) }
    case (.set, .set(let members)):
      for member in members { try checkElement(member) }
    case (.map, .map(let entries)):
      for entry in entries { try checkElement(entry.value) }
    default: throw wrongType(value)
    }
  }

  /// Checks one element of a collection, or the value of a property that is none.
  func checkElement(_ value: Value) throws(DatabaseError) {
    let type = property.type
    switch (type.kind, value) {
    case (_, .null):
      guard allowsNull else {
        throw error(.wrongType, "it cannot be null; its type is \(type)")
      }
    case (.int, .int(let number)):
      let limit = type.bitWidth == 64 ? Int64.max : Int64(1) << (type.bitWidth - 1) - 1
      guard number <= limit, number >= -limit - 1 else {
        throw error(.outOfRange, "it holds \(-limit - 1) to \(limit)")
      }
    case (.link, .link(let target)):
      guard target.classKey == property.target else {
        throw error(
          .wrongType,
          "it links to \(type.target ?? "?"), not to \(schema[target.classKey]?.name ?? "?")"
        )
      }
    case (.mixed, .link(let target)):
      if let targetClass = schema[target.classKey], targetClass.isEmbedded {
        throw error(.ownership, "a mixed value cannot hold an embedded object")
      }
    case (.mixed, .list), (.mixed, .set), (.mixed, .map):
      throw error(.wrongType, "a mixed value cannot hold a collection")
    case (.mixed, _): return
    case (let kind, _):
      guard value.kind == kind else { throw wrongType(value) }
    }
  }

  private var allowsNull: Bool {
    let type = property.type
    if type.kind == .mixed { return true }
    if type.kind == .link { return type.collection == .none || type.collection == .map }
    return type.isOptional
  }

  private func wrongType(_ value: Value) -> DatabaseError {
    error(.wrongType, "its type is \(property.type), the value is a \(value.kindName)")
  }

  private func error(_ code: DatabaseError.Code, _ reason: String) -> DatabaseError {
    DatabaseError(
      code,
      "Cannot set \(className).\(property.name): \(reason)",
      className: className,
      propertyName: property.name
    )
  }
}

extension Value {
  /// The kind of the value as an error names it.
  internal var kindName: String {
    switch self {
    case .null: "null"
    case .bool: "bool"
    case .int: "int"
    case .float: "float"
    case .double: "double"
    case .string: "string"
    case .data: "data"
    case .date: "date"
    case .objectId: "objectId"
    case .uuid: "uuid"
    case .decimal128: "decimal128"
    case .link: "link"
    case .list: "list"
    case .set: "set"
    case .map: "map"
    }
  }

  /// The same collection with the members of sets and the entries of maps in their order, each
  /// once; the last entry of a key wins.
  internal var canonical: Value {
    switch self {
    case .set(let members):
      var kept: [Value] = []
      for member in members.sorted(by: { $0.isOrdered(before: $1) })
      where !(kept.last?.isEquivalent(to: member) ?? false) {
        kept.append(member)
      }
      return .set(kept)
    case .map(let entries):
      var kept: [MapEntry] = []
      let sorted = entries.enumerated().sorted {
        $0.element.key.hasSameBytes(as: $1.element.key)
          ? $0.offset < $1.offset : $0.element.key.hasBytes(before: $1.element.key)
      }
      for (_, entry) in sorted {
        if let last = kept.last, last.key.hasSameBytes(as: entry.key) { kept.removeLast() }
        kept.append(entry)
      }
      return .map(kept)
    default: return self
    }
  }
}
