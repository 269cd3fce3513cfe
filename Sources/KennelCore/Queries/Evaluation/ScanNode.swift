internal import KennelStorage

/// A condition that whole clusters are asked at once.
struct ScanNode {
  /// How long an answer takes, roughly, compared with others; cheap ones are asked first.
  let cost: Int
  /// Has what the answer for a cluster will take fetched from memory.
  var prefetch: (ClassKey, UInt64) -> Void = { _, _ in }
  /// The places, of those of living objects of a cluster, for which the condition holds.
  let places: (Cluster, PlaceSet) throws(StorageError) -> PlaceSet
}

extension ScanNode {
  static func constant(_ holds: Bool) -> ScanNode {
    ScanNode(cost: 0) { _, wanted in holds ? wanted : PlaceSet() }
  }

  /// A condition that holds where all the others do, which are asked from the cheapest on.
  static func all(_ parts: [ScanNode]) -> ScanNode {
    balanced(parts.sorted { $0.cost < $1.cost }[...])
  }

  /// In halves, so that thousands of conditions are a tree of a dozen levels and not a chain that
  /// overflows the stack.
  private static func balanced(_ parts: ArraySlice<ScanNode>) -> ScanNode {
    guard let first = parts.first else { return .constant(true) }
    if parts.count == 1 { return first }
    let middle = parts.startIndex + (parts.count + 1) / 2
    return both(balanced(parts[..<middle]), balanced(parts[middle...]))
  }

  /// Two and not an array: what an array hands out is counted for every cluster.
  private static func both(_ first: ScanNode, _ second: ScanNode) -> ScanNode {
    let prefetch = { (classKey: ClassKey, number: UInt64) in
      first.prefetch(classKey, number)
      second.prefetch(classKey, number)
    }
    return ScanNode(cost: first.cost + second.cost, prefetch: prefetch) {
      (cluster, wanted) throws(StorageError) in
      let rest = try first.places(cluster, wanted)
      return rest.isEmpty ? rest : try second.places(cluster, rest)
    }
  }

  /// A condition that holds where any of the others does.
  static func any(_ parts: [ScanNode]) -> ScanNode {
    let parts = parts.sorted { $0.cost < $1.cost }
    return ScanNode(cost: parts.reduce(0) { $0 + $1.cost }) {
      (cluster, wanted) throws(StorageError) in
      var found = PlaceSet()
      var rest = wanted
      for part in parts {
        if rest.isEmpty { break }
        let places = try part.places(cluster, rest)
        found = found.union(places)
        rest = rest.subtracting(places)
      }
      return found
    }
  }

  static func not(_ part: ScanNode) -> ScanNode {
    ScanNode(cost: part.cost) { (cluster, wanted) throws(StorageError) in
      wanted.subtracting(try part.places(cluster, wanted))
    }
  }

  /// A property whose column is asked as a whole.
  static func column(
    _ view: StoreView,
    _ property: PropertySchema,
    _ test: some ColumnTest,
    cost: Int
  ) -> ScanNode {
    let scanner = view.scanner
    let prefetch = { (classKey: ClassKey, number: UInt64) in
      scanner.clusters.prefetch(classKey, number, property.key)
    }
    return ScanNode(cost: cost, prefetch: prefetch) { (cluster, wanted) throws(StorageError) in
      try scanner.places(in: cluster, property, among: wanted, where: test)
    }
  }

  /// Any property that leads to its values in one step: mixed values, decimals, the elements of a
  /// collection, all of which the test has to hold for, or any.
  static func values(
    _ view: StoreView,
    _ property: PropertySchema,
    _ test: ValueTest,
    isAll: Bool
  ) -> ScanNode {
    ScanNode(cost: 20) { (cluster, wanted) throws(StorageError) in
      try wanted.places { (place) throws(StorageError) in
        let elements = try view.values.value(in: cluster, place, property).elements(of: property)
        for element in elements where try test.holds(element.value) != isAll { return !isAll }
        return isAll
      }
    }
  }

  /// Any condition, asked of each object alone, which `variable` is for, if it has one.
  static func objects(
    _ interpreter: Interpreter,
    _ condition: ResolvedPredicate,
    variable: String?
  ) -> ScanNode {
    ScanNode(cost: 50) { (cluster, wanted) throws(StorageError) in
      try wanted.places { (place) throws(StorageError) in
        let object = cluster.object(place)
        var scope = Interpreter.Scope(object: object)
        if let variable { scope.variables[variable] = .link(object) }
        return try interpreter.holds(condition, scope)
      }
    }
  }
}
