import KennelCore

/// Lists and maps that mixed values hold, from what documents hold.
extension ValueReader {
  /// The list or map that an array or a document in a mixed value is; `nil` if it is neither.
  ///
  /// A link inside it that leads nowhere and is dropped becomes null.
  func nested(
    _ value: DocumentValue,
    depth: Int,
    _ resolve: Resolver
  ) throws(ValueProblem) -> Value? {
    guard let content = try nestedContent(value) else { return nil }
    guard depth < Value.deepestNesting else {
      throw ValueProblem(
        "lists and maps in a mixed value may be nested \(Value.deepestNesting) deep, not deeper"
      )
    }
    switch content {
    case .array(let elements):
      var values: [Value] = []
      values.reserveCapacity(elements.count)
      for (position, element) in elements.enumerated() {
        values.append(try inside("[\(position)]", try mixed(element, depth: depth + 1, resolve)))
      }
      return .list(values)
    case .entries(let members):
      var entries: [MapEntry] = []
      for member in members {
        let (key, value) = (member.name, member.value)
        entries.append(
          MapEntry(key, try inside(key: key, try mixed(value, depth: depth + 1, resolve)))
        )
      }
      return .map(entries)
    }
  }

  private func mixed(
    _ value: DocumentValue,
    depth: Int,
    _ resolve: Resolver
  ) throws(ValueProblem) -> Value {
    if let nested = try nested(value, depth: depth, resolve) { return nested }
    return try scalar(value, .mixed, nil, resolve) ?? .null
  }

  private enum NestedContent {
    case array([DocumentValue])
    case entries([Document.Member])
  }

  /// What a list or a map holds, as a document says it; `nil` for a single value, also one that is
  /// written as a document: a link or an exact form.
  private func nestedContent(
    _ value: DocumentValue
  ) throws(ValueProblem) -> NestedContent? {
    switch form == .lines ? try parsed(value) : value {
    case .array(let elements): return .array(elements)
    case .document(let document):
      if form == .lines {
        return DocumentFormat.wrapper(document) == nil ? .entries(try entries(of: value)) : nil
      }
      if let pairs = Self.exactMap(document) { return .entries(try entries(of: pairs)) }
      if Self.isReference(document) || Self.isExact(document) { return nil }
      return .entries(try entries(of: value))
    case .null, .bool, .int32, .int64, .double, .decimal128, .string, .date, .objectId, .binary,
      .other:
      return nil
    }
  }

  /// The entries of a map in its exact form, `{"kennel": "map", "value": [{"k": …, "v": …}]}`.
  private static func exactMap(_ document: Document) -> DocumentValue? {
    guard document.members.count == 2, document[MappingName.kind] == .string(MappingName.map),
      case .array? = document[MappingName.value]
    else { return nil }
    return document[MappingName.value]
  }
}

extension Document {
  /// Whether a map with these entries could be taken for something else where mixed values stand: a
  /// link, or an exact form.
  var isAmbiguousMap: Bool {
    self[MappingName.reference] != nil
      || members.count == 2 && self[MappingName.kind] != nil && self[MappingName.value] != nil
  }
}
