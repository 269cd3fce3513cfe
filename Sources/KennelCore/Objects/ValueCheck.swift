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
    case (.list, .list), (.set, .set), (.map, .map):
      for element in value.elements { try checkElement(element.value) }
    case (.list, _), (.set, _), (.map, _): throw wrongType(value)
    }
  }

  /// Checks one element of a collection, or the value of a property that is none.
  func checkElement(_ value: Value) throws(DatabaseError) {
    let type = property.type
    switch (type.kind, value) {
    case (_, .null):
      guard property.allowsNull else {
        throw error(.wrongType, "it cannot be null; its type is \(type)")
      }
    case (.int, .int(let number)):
      let range = type.intRange
      guard range.contains(number) else {
        throw error(.outOfRange, "it holds \(range.lowerBound) to \(range.upperBound)")
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
    case (.mixed, .list), (.mixed, .set), (.mixed, .map): try checkNested(value)
    case (_, let value):
      if type.kind != .mixed, type.kind != value.kind { throw wrongType(value) }
    }
  }

  /// Checks a list or map that a mixed value is.
  private func checkNested(_ value: Value) throws(DatabaseError) {
    guard property.type.collection != .set else {
      throw error(.wrongType, "a set of mixed values cannot hold a \(value.kindName)")
    }
    guard value.nesting <= Value.deepestNesting else {
      throw error(
        .outOfRange,
        "collections in a mixed value may be nested \(Value.deepestNesting) deep, not deeper"
      )
    }
    try checkParts(of: value)
  }

  private func checkParts(of value: Value) throws(DatabaseError) {
    switch value.shape {
    case .set: throw error(.wrongType, "a mixed value cannot hold a set; use a list")
    case .list(let elements): for element in elements { try checkParts(of: element) }
    case .map(let entries): for entry in entries { try checkParts(of: entry.value) }
    case .null, .scalar, .link: try checkElement(value)
    }
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

extension PropertySchema {
  /// Whether the value, or an element of the collection, can be null.
  internal var allowsNull: Bool {
    if type.kind == .mixed { return true }
    if type.kind == .link { return type.collection == .none || type.collection == .map }
    return type.isOptional
  }
}

extension Value {
  /// The kind of the value as an error names it.
  internal var kindName: String {
    switch shape {
    case .null: "null"
    case .scalar(let scalar): "\(type(of: scalar).kind)"
    case .link: "link"
    case .list: "list"
    case .set: "set"
    case .map: "map"
    }
  }

  /// The same value with the members of sets and the entries of maps in their order, each once, also
  /// inside it; the last entry of a key wins.
  internal var canonical: Value {
    switch shape {
    case .set(let members):
      var kept: [Value] = []
      for member in members.sorted(by: { $0.isOrdered(before: $1) })
      where !(kept.last?.isEquivalent(to: member) ?? false) {
        kept.append(member)
      }
      return .set(kept)
    case .map(let entries):
      if entries.areCanonical { return self }
      var kept: [MapEntry] = []
      let sorted = entries.enumerated().sorted {
        $0.element.key.hasSameBytes(as: $1.element.key)
          ? $0.offset < $1.offset : $0.element.key.hasBytes(before: $1.element.key)
      }
      for (_, entry) in sorted {
        if let last = kept.last, last.key.hasSameBytes(as: entry.key) { kept.removeLast() }
        kept.append(MapEntry(entry.key, entry.value.canonical))
      }
      return .map(kept)
    case .list(let elements):
      return elements.contains(where: \.isCollection) ? .list(elements.map(\.canonical)) : self
    case .null, .scalar, .link: return self
    }
  }
}

extension [MapEntry] {
  /// Whether the keys ascend and no value is a collection, as nearly all entries are.
  fileprivate var areCanonical: Bool {
    for (index, entry) in enumerated() {
      if entry.value.isCollection { return false }
      if index > 0, self[index - 1].key.orderBytes(entry.key) >= 0 { return false }
    }
    return true
  }
}
