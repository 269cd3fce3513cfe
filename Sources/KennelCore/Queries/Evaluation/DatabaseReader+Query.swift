public import KennelStorage

/// Finding objects.
extension DatabaseReader {
  /// Returns the objects of a class that match a predicate, sorted.
  ///
  /// Linear in the number of objects of the class unless an index applies. A comparison takes a few
  /// nanoseconds per object, sorting some tens of nanoseconds per match.
  ///
  /// - Parameters:
  ///   - classKey: The class.
  ///   - predicate: The predicate; `nil` for all objects.
  ///   - sort: The sort keys, the most significant first. Objects that compare equal are in the
  ///     order of their keys.
  ///   - limit: The maximum number of objects to return; `nil` for all.
  ///   - progress: Receives progress and can cancel.
  /// - Returns: The objects.
  /// - Throws: `DatabaseError` if the predicate or a sort key does not fit the class or is not
  ///   supported, the query was cancelled, or the file is damaged.
  public final func objects(
    of classKey: ClassKey,
    where predicate: Predicate? = nil,
    sort: [SortKey] = [],
    limit: Int? = nil,
    progress: QueryProgress? = nil
  ) throws(DatabaseError) -> Objects {
    // A predicate costs about as much as an order; without one, what costs is the order.
    let found = sort.isEmpty ? 1 : predicate == nil ? 0.1 : 0.5
    let scan = try makeScan(classKey, predicate, progress?.part(0...found))
    let sorter = try ObjectSorter(self, classKey, sort, progress?.part(found...1))
    var keys: [ObjectKey] = []
    let enough = sort.isEmpty ? limit ?? .max : .max
    guard enough > 0, limit ?? 1 > 0 else { return Objects(classKey, []) }
    if predicate == nil { keys.reserveCapacity(min(enough, count(of: classKey))) }
    try scan.run { cluster, places in
      places.appendKeys(of: cluster, to: &keys)
      return keys.count < enough
    }
    keys = try sorter.sorted(keys)
    progress?.report(1)
    if let limit, keys.count > limit { keys.removeLast(keys.count - limit) }
    return Objects(classKey, keys)
  }

  /// Returns those of the given objects that match a predicate, sorted.
  ///
  /// Linear in the number of given objects.
  ///
  /// - Parameters:
  ///   - among: The objects, in any order. Missing objects are omitted and duplicates returned
  ///     once.
  ///   - predicate: The predicate; `nil` for all of them.
  ///   - sort: The sort keys, the most significant first. Objects that compare equal are in the
  ///     order of their keys.
  /// - Returns: The objects.
  /// - Throws: `DatabaseError` as ``objects(of:where:sort:limit:progress:)`` does.
  public final func objects(
    among: Objects,
    where predicate: Predicate? = nil,
    sort: [SortKey] = []
  ) throws(DatabaseError) -> Objects {
    let classKey = among.classKey
    let scan = try makeScan(classKey, predicate, nil)
    let sorter = try ObjectSorter(self, classKey, sort, nil)
    var keys: [ObjectKey] = []
    try scan.run(over: among.keys.sorted()) { cluster, places in
      places.appendKeys(of: cluster, to: &keys)
      return true
    }
    return Objects(classKey, try sorter.sorted(keys))
  }

  /// Returns the number of objects of a class that match a predicate.
  ///
  /// - Parameters:
  ///   - classKey: The class.
  ///   - predicate: The predicate; `nil` for all objects.
  ///   - progress: Receives progress and can cancel.
  /// - Returns: The number of objects.
  /// - Throws: `DatabaseError` as ``objects(of:where:sort:limit:progress:)`` does.
  public final func count(
    of classKey: ClassKey,
    where predicate: Predicate?,
    progress: QueryProgress? = nil
  ) throws(DatabaseError) -> Int {
    let scan = try makeScan(classKey, predicate, progress)
    guard predicate != nil else { return count(of: classKey) }
    var count = 0
    try scan.run { _, places in
      count += places.count
      return true
    }
    return count
  }

  /// Returns whether an object matches a predicate.
  ///
  /// - Parameters:
  ///   - predicate: The predicate.
  ///   - object: The object.
  /// - Returns: Whether it matches; false if the object does not exist.
  /// - Throws: `DatabaseError` as ``objects(of:where:sort:limit:progress:)`` does.
  public final func holds(
    _ predicate: Predicate,
    for object: ObjectIdentity
  ) throws(DatabaseError) -> Bool {
    let node = try node(object.classKey, predicate).node
    return try storing { () throws(StorageError) in
      guard let cluster = try view.clusters.cluster(object.classKey, object.key.cluster),
        cluster.isLive(object.key.place)
      else { return false }
      var one = PlaceSet()
      one[object.key.place] = true
      return try !node.places(cluster, one).isEmpty
    }
  }

  private func node(
    _ classKey: ClassKey,
    _ predicate: Predicate
  ) throws(DatabaseError) -> (node: ScanNode, condition: ResolvedPredicate) {
    let condition: ResolvedPredicate
    do throws(PredicateError) {
      condition = try PredicateChecker(schema, classKey).condition(predicate)
    } catch {
      throw DatabaseError(error, schema[classKey])
    }
    let compiler = ScanCompiler(view: view, links: links)
    return (try compiler.node(condition, classKey), condition)
  }

  private func makeScan(
    _ classKey: ClassKey,
    _ predicate: Predicate?,
    _ progress: QueryProgress?
  ) throws(DatabaseError) -> ClassScan {
    let schema = try classSchema(classKey)
    let question = try predicate.map { (predicate) throws(DatabaseError) in
      try node(classKey, predicate)
    }
    return ClassScan(view, schema, question?.node, question?.condition, progress)
  }
}

/// A walk over the clusters of a class, or over those of them that an index leads to.
final class ClassScan {
  private let view: StoreView
  private let clusters: ClusterStore
  private let schema: ClassSchema
  private let progress: QueryProgress?
  /// The question; `nil` for every object.
  private let node: ScanNode?
  /// Where an index is looked for that leads to the objects.
  private let condition: ResolvedPredicate?

  init(
    _ view: StoreView,
    _ schema: ClassSchema,
    _ node: ScanNode?,
    _ condition: ResolvedPredicate?,
    _ progress: QueryProgress?
  ) {
    self.view = view
    clusters = view.clusters
    self.schema = schema
    self.node = node
    self.condition = condition
    self.progress = progress
  }

  /// Hands over the number of each cluster that has objects as asked, and their places, until the
  /// body returns false.
  func run(_ body: (UInt64, PlaceSet) -> Bool) throws(DatabaseError) {
    try checkCancellation()
    let found = try storing { () throws(StorageError) in
      try condition.flatMap { (condition) throws(StorageError) in
        try IndexPlan(view: view, schema: schema).candidates(condition)
      }
    }
    if let found {
      try run(over: found, body)
    } else {
      try runOverClass(body)
    }
  }

  private func runOverClass(_ body: (UInt64, PlaceSet) -> Bool) throws(DatabaseError) {
    let total = Double(Swift.max(view.objects.count(of: schema.key), 1))
    var number: UInt64 = 0
    var seen = 0
    var scanned = 0
    while let cluster = try storing(clusters.nextCluster(schema.key, from: number)) {
      clusters.prefetch(schema.key, cluster.number + 4)
      node?.prefetch(schema.key, cluster.number + 2)
      if !body(cluster.number, try places(cluster, among: cluster.header.live)) { return }
      seen += cluster.header.live.count
      scanned += 1
      if scanned % 16 == 0 {
        try checkCancellation()
        progress?.report(Double(seen) / total)
      }
      number = cluster.number + 1
    }
  }

  private func places(
    _ cluster: Cluster,
    among wanted: PlaceSet
  ) throws(DatabaseError) -> PlaceSet {
    guard let node else { return wanted }
    return try storing(node.places(cluster, wanted))
  }

  /// Asks objects, whose keys ascend, in full.
  func run(
    over keys: [ObjectKey],
    _ body: (UInt64, PlaceSet) -> Bool
  ) throws(DatabaseError) {
    var index = 0
    while index < keys.count {
      let number = keys[index].cluster
      var wanted = PlaceSet()
      while index < keys.count, keys[index].cluster == number {
        wanted[keys[index].place] = true
        index += 1
      }
      guard let cluster = try storing(clusters.cluster(schema.key, number)) else { continue }
      let live = wanted.intersection(cluster.header.live)
      if !body(number, try places(cluster, among: live)) { return }
      try checkCancellation()
    }
  }

  private func checkCancellation() throws(DatabaseError) {
    if progress?.isCancelled() == true { throw .cancelledQuery }
  }
}

extension DatabaseError {
  static var cancelledQuery: DatabaseError {
    DatabaseError(.cancelled, "The query was cancelled")
  }

  init(_ error: PredicateError, _ schema: ClassSchema?) {
    self.init(.invalidPredicate, error.description, className: schema?.name)
  }
}
