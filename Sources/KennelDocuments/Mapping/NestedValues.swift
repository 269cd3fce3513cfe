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
    func requireRoom() throws(ValueProblem) {
      guard depth < Value.deepestNesting else {
        throw ValueProblem(
          "lists and maps in a mixed value may be nested \(Value.deepestNesting) deep, not deeper"
        )
      }
    }
    switch form == .lines ? try parsed(value) : value {
    case .array(let elements):
      try requireRoom()
      return .list(
        try list(elements) { (value) throws(ValueProblem) in
          try mixed(value, depth: depth + 1, resolve)
        }
      )
    case .document(let document):
      guard let entries = try nestedEntries(of: document) else { return nil }
      try requireRoom()
      return .map(
        try map(entries) { (value) throws(ValueProblem) in
          try mixed(value, depth: depth + 1, resolve)
        }
      )
    case .null, .bool, .int32, .int64, .double, .decimal128, .string, .date, .objectId, .binary,
      .other:
      return nil
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

  /// The entries of the map that a document is; `nil` for a single value that is written as a
  /// document: a link or an exact form.
  private func nestedEntries(
    of document: Document
  ) throws(ValueProblem) -> [Document.Member]? {
    if form == .lines, DocumentFormat.wrapper(document) != nil { return nil }
    if form != .lines {
      if let pairs = Self.exactMap(document) { return try entries(of: pairs) }
      if Self.reference(document) != nil || Self.exactForm(document) != nil { return nil }
    }
    return try entries(of: .document(document))
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
