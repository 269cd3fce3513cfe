import KennelCore

extension Value {
  /// The value without links to other objects than these.
  ///
  /// A link on its own is null, as one inside a mixed value is; a collection property lacks it.
  func linking(to targets: ObjectSet, isMany: Bool) -> Value {
    func kept(_ value: Value) -> Value? {
      if case .link(let target) = value { return targets.contains(target) ? value : nil }
      return value.isCollection ? value.linking(to: targets, isMany: false) : value
    }
    func element(_ value: Value) -> Value? { kept(value) ?? (isMany ? nil : .null) }
    switch shape {
    case .link: return kept(self) ?? .null
    case .list(let values): return .list(values.compactMap(element))
    case .set(let values): return .set(values.compactMap(element))
    case .map(let entries):
      return .map(
        entries.compactMap { entry in element(entry.value).map { MapEntry(entry.key, $0) } }
      )
    case .null, .scalar: return self
    }
  }
}
