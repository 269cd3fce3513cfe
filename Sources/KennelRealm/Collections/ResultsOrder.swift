import KennelCore

/// Filters, sorts and makes distinct what a source starts with.
internal struct ResultsOrder {
  let source: ResultsSource

  init(_ source: ResultsSource) {
    self.source = source
  }

  private var view: Snapshot { source.context.view }

  /// Does all that is asked for to elements in the order of their collection.
  func apply(to found: ResultsSource.Found) throws -> ResultsSource.Found {
    switch found {
    case .objects(let classKey, let keys):
      return try distinct(.objects(classKey, try ordered(classKey, keys)))
    case .values(let values):
      return try distinct(.values(ordered(values)))
    }
  }

  private func ordered(_ classKey: ClassKey, _ keys: [ObjectKey]) throws -> [ObjectKey] {
    if source.filters.isEmpty, source.sorts.isEmpty { return keys }
    let matching = try view.query(classKey, source.predicate, sort: source.sorts)
    if source.sorts.isEmpty {
      let wanted = Set(matching)
      return keys.filter(wanted.contains)
    }
    let ranks = Dictionary(
      matching.enumerated().map { ($0.element, $0.offset) },
      uniquingKeysWith: { first, _ in first }
    )
    return keys.filter { ranks[$0] != nil }
      .sorted { (ranks[$0] ?? 0) < (ranks[$1] ?? 0) }
  }

  private func ordered(_ values: [KennelCore.Value]) -> [KennelCore.Value] {
    guard let sort = source.sorts.first else { return values }
    return sort.isAscending
      ? values.sorted { $0.isOrdered(before: $1) }
      : values.sorted { $1.isOrdered(before: $0) }
  }

  /// The first of those that are alike in every path.
  func distinct(_ found: ResultsSource.Found) throws -> ResultsSource.Found {
    guard !source.distinct.isEmpty else { return found }
    var seen: Set<[KennelCore.Value]> = []
    switch found {
    case .objects(let classKey, let keys):
      let kept = try keys.filter { key in
        let object = ObjectIdentity(classKey, key)
        return try seen.insert(source.distinct.map { try value(of: object, $0.steps) }).inserted
      }
      return .objects(classKey, kept)
    case .values(let values):
      return .values(values.filter { seen.insert([$0]).inserted })
    }
  }

  /// The value at the end of a path over to-one links.
  private func value(
    of object: ObjectIdentity,
    _ steps: [KennelCore.Predicate.Step]
  ) throws -> KennelCore.Value {
    var current = KennelCore.Value.link(object)
    for step in steps {
      guard case .link(let link) = current, case .property(let name) = step,
        let property = view.schema[link.classKey]?[name]
      else { return .null }
      current = try view.value(of: link, property.key)
    }
    return current
  }
}
