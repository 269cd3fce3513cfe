import KennelCore

/// Applies the filters and descriptors of results to their elements.
internal struct ResultsOrder {
  let source: ResultsSource

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
    let columns = try keys.map { try column(found, $0.path.steps) }
    let order = (0..<found.count).sorted { left, right in
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
    return found.at(order)
  }

  /// Keeps the first of elements with equal values; drops those with a null link on a path.
  private func distinct(
    _ found: ResultsSource.Found,
    _ paths: [StoredPredicate.Path]
  ) throws -> ResultsSource.Found {
    let columns = try paths.map { try column(found, $0.steps) }
    var seen: Set<[StoredValue]> = []
    let order = (0..<found.count).filter { position in
      let values = columns.compactMap { $0[position] }
      return values.count == columns.count && seen.insert(values).inserted
    }
    return found.at(order)
  }

  /// The values at the end of a path from objects; values themselves.
  private func column(
    _ found: ResultsSource.Found,
    _ steps: [StoredPredicate.Step]
  ) throws -> [StoredValue?] {
    switch found {
    case .objects(let classKey, let keys):
      try keys.map { try value(of: ObjectIdentity(classKey, $0), steps) }
    case .values(let values): values
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
