import KennelStorage

extension Value {
  /// The elements of the value of a property, each with its position there; of a property that is no
  /// collection, the value itself.
  internal func elements(
    of property: PropertySchema
  ) -> [(position: Slot.Position, value: Value)] {
    property.isCollection ? elements : [(.value, self)]
  }

  /// The elements of a collection, each with its position in it; of any other value, the value itself.
  internal var elements: [(position: Slot.Position, value: Value)] {
    switch shape {
    case .list(let values): values.enumerated().map { (.index($0.offset), $0.element) }
    case .set(let values): values.map { (.member($0), $0) }
    case .map(let entries): entries.map { (.key($0.key), $0.value) }
    case .null, .scalar, .link: [(.value, self)]
    }
  }

  /// The entries of a map; none of another value.
  internal var entries: [MapEntry] { if case .map(let entries) = self { entries } else { [] } }

  /// The same value with each of its ``elements`` replaced by another one.
  internal func mapElements(_ transform: (Value) -> Value) -> Value {
    switch shape {
    case .list(let values): .list(values.map(transform))
    case .set(let values): .set(values.map(transform))
    case .map(let entries): .map(entries.map { MapEntry($0.key, transform($0.value)) })
    case .null, .scalar, .link: transform(self)
    }
  }

  /// The object that the value links to, where it is a link.
  internal var link: ObjectIdentity? { if case .link(let object) = self { object } else { nil } }

  /// Cuts the links to some objects from an element of a collection, or from a single value.
  ///
  /// - Returns: The same collection with null for these links; `nil` if the element is such a link.
  internal func cut(_ isCut: (ObjectIdentity) -> Bool) -> Value? {
    if let link { return isCut(link) ? nil : self }
    guard isCollection else { return self }
    return mapSingleValues { value in value.link.map(isCut) == true ? .null : value }
  }
}
