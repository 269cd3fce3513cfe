import KennelCore

/// Applies the filters and descriptors of results to their elements.
internal struct ResultsOrder {
  let source: ResultsSource

  init(_ source: ResultsSource) {
    self.source = source
  }

  private var view: DatabaseReader { source.context.view }

  /// Applies the filters and all descriptors, to elements in the order of their collection.
  func apply(to found: ResultsSource.Found) throws -> ResultsSource.Found {
    try apply(source.descriptors[...], to: try filtered(found))
  }

  /// Applies descriptors in order.
  func apply(
    _ descriptors: ArraySlice<ResultsSource.Descriptor>,
    to found: ResultsSource.Found
  ) throws -> ResultsSource.Found {
    try descriptors.reduce(found) { found, descriptor in
      switch descriptor {
      case .sort(let keys): try sorted(found, keys)
      case .distinct(let paths): try distinct(found, paths)
      }
    }
  }

  private func filtered(_ found: ResultsSource.Found) throws -> ResultsSource.Found {
    guard let predicate = source.predicate else { return found }
    switch found {
    case .objects(let classKey, let keys):
      let matching = Set(try view.objects(among: Objects(classKey, keys), where: predicate).keys)
      return .objects(classKey, keys.filter(matching.contains))
    case .values(let values):
      return .values(try values.filter { try predicate.holds(for: $0) })
    }
  }

  /// Sorts stably.
  private func sorted(
    _ found: ResultsSource.Found,
    _ keys: [SortKey]
  ) throws -> ResultsSource.Found {
    switch found {
    case .objects(let classKey, let objects):
      let columns = try keys.map { key in
        try objects.map { try value(of: ObjectIdentity(classKey, $0), key.path.steps) }
      }
      let order = objects.indices.sorted { left, right in
        for (key, column) in zip(keys, columns) {
          switch (column[left], column[right]) {
          case (nil, nil): break
          case (nil, _): return !key.isAscending
          case (_, nil): return key.isAscending
          case (let first?, let second?):
            if first.isOrdered(before: second) { return key.isAscending }
            if second.isOrdered(before: first) { return !key.isAscending }
          }
        }
        return left < right
      }
      return .objects(classKey, order.map { objects[$0] })
    case .values(let values):
      let isAscending = keys.first?.isAscending ?? true
      let order = values.indices.sorted { left, right in
        if values[left].isOrdered(before: values[right]) { return isAscending }
        if values[right].isOrdered(before: values[left]) { return !isAscending }
        return left < right
      }
      return .values(order.map { values[$0] })
    }
  }

  /// Keeps the first of elements with equal values; drops those with a null link on a path.
  private func distinct(
    _ found: ResultsSource.Found,
    _ paths: [StoredPredicate.Path]
  ) throws -> ResultsSource.Found {
    var seen: Set<[StoredValue]> = []
    switch found {
    case .objects(let classKey, let keys):
      let kept = try keys.filter { key in
        let object = ObjectIdentity(classKey, key)
        let values = try paths.compactMap { try value(of: object, $0.steps) }
        return values.count == paths.count && seen.insert(values).inserted
      }
      return .objects(classKey, kept)
    case .values(let values):
      return .values(values.filter { seen.insert([$0]).inserted })
    }
  }

  /// The value at the end of a path over to-one links; `nil` behind a null link.
  private func value(
    of object: ObjectIdentity,
    _ steps: [StoredPredicate.Step]
  ) throws -> StoredValue? {
    var current = StoredValue.link(object)
    for step in steps {
      guard case .link(let link) = current, case .property(let name) = step,
        let property = view.schema[link.classKey]?[name]
      else { return nil }
      current = try view.value(of: link, property: property.key)
    }
    return current
  }
}
