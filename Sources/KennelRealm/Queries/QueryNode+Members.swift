import KennelCore

/// Compares values of custom types that are stored as embedded objects, property by property.
extension QueryNode {
  /// A comparison with such a value as comparisons of its properties; `nil` for any other.
  internal func memberwise(
    _ comparator: StoredPredicate.Comparator,
    _ left: QueryNode,
    _ right: QueryNode
  ) -> QueryNode? {
    guard case .path(let path) = left, case .constant(let value) = right,
      comparator == .equal || comparator == .notEqual,
      let embedded = Self.storedObject(value)
    else { return nil }
    let equal = Self.isEqual(path, embedded)
    let condition = comparator == .equal ? equal : .not(equal)
    // In a collection, one element must satisfy all of them.
    return path.isMany
      ? .comparison(.greater, .subqueryCount(condition), .constant(0), []) : condition
  }

  /// The embedded object that a value of a custom type is stored as.
  private static func storedObject(_ value: Any?) -> EmbeddedObject? {
    guard let value = value.flatMap(unwrapped), !(value is ObjectBase) else { return nil }
    return (value as? any RealmCollectionValue)?._embedded
  }

  private static func isEqual(_ path: QueryPath, _ embedded: EmbeddedObject) -> QueryNode {
    let model = ModelClass.of(type(of: embedded))
    var condition = QueryNode.comparison(.notEqual, .path(path), .constant(nil), [])
    for property in model.storedProperties {
      let problem: String? =
        if property.shape.collection != .none {
          "equality on collections is not implemented."
        } else if property.shape.isLink {
          "object links are not implemented."
        } else {
          nil
        }
      if let problem {
        throwRealmException(
          "Unsupported property '\(model.name).\(property.name)' for memberwise equality query: "
            + problem
        )
      }
      let member = path.adding(.property(property.name))
      let value = property.read(of: embedded)
      condition = .and(condition, .comparison(.equal, .path(member), .constant(value), []))
    }
    return condition
  }
}
