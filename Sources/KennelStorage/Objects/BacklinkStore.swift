import CMemory

/// The backlinks of a view's objects: for each object the keys of those that link to it, ascending.
///
/// Some wait to be noted (``BacklinkQueue``): whoever looks at backlinks, or stores them, settles these
/// first.
package final class BacklinkStore {
  internal let clusters: ClusterStore
  /// That of the clusters, at hand without another reference to count.
  private let directory: ClusterDirectory
  internal let pieces: PieceStore
  internal let objects: ObjectStore
  internal let values: ValueStore

  internal init(_ values: ValueStore) {
    self.values = values
    objects = values.objects
    clusters = values.clusters
    directory = clusters.directory
    pieces = values.pieces
  }

  // MARK: - Reading

  /// The objects that link to an object through one property of one class.
  package func origins(
    of object: ObjectIdentity,
    _ number: UInt16
  ) throws(StorageError) -> KeyListAccess {
    try settle()
    guard let cluster = try clusters.cluster(object.classKey, object.key.cluster) else {
      return .none
    }
    return try values.keyList(clusters.backlinkChunk(cluster, number), object.key.place)
  }

  /// Calls a body with the key of each object that links to an object; one that links twice comes
  /// twice.
  ///
  /// The body may change anything but these backlinks.
  package func forEachKey(
    of object: ObjectIdentity,
    _ number: UInt16,
    _ body: (UInt64) throws(StorageError) -> Void
  ) throws(StorageError) {
    try settle()
    guard let cluster = try clusters.cluster(object.classKey, object.key.cluster),
      let index = cluster.index(ofBacklinks: number)
    else { return }
    if unsafe cluster.body.chunks[index].state == .unknown {
      try clusters.loadChunk(cluster, index)
    }
    try values.forEachKey(cluster, index, object.key.place, body)
  }

  // MARK: - Changing

  /// Notes that an object links to a target; its keys stay ascending.
  package func add(
    to target: ObjectIdentity,
    _ number: UInt16,
    from origin: UInt64
  ) throws(StorageError) {
    // The order in which backlinks are noted does not matter, but room has to be made.
    if unsafe directory.table.pointee.waiting.isFull { try settle() }
    try insert(to: target, number, from: origin)
  }

  private func insert(
    to target: ObjectIdentity,
    _ number: UInt16,
    from origin: UInt64
  ) throws(StorageError) {
    guard let cluster = try clusters.cluster(target.classKey, target.key.cluster) else { return }
    let place = target.key.place
    let column = try unsafe clusters.backlinkColumn(cluster, number, place)
    let position = try unsafe pieces.lowerBound(origin + 1, column, place).position
    clusters.changedByteCount += 16
    try unsafe pieces.insert(origin, at: position, column, place)
  }

  /// Notes that one link of an object to a target is gone.
  package func remove(
    to target: ObjectIdentity,
    _ number: UInt16,
    from origin: UInt64
  ) throws(StorageError) {
    try settle()
    guard let cluster = try clusters.cluster(target.classKey, target.key.cluster) else { return }
    let place = target.key.place
    let column = try unsafe clusters.backlinkColumn(cluster, number, place)
    let (position, isFound) = try unsafe pieces.lowerBound(origin, column, place)
    guard isFound else {
      throw .damaged(in: "backlinks of \(target)", "the link from object \(origin) is not noted")
    }
    _ = try unsafe pieces.remove(at: position, column, place)
  }

  // MARK: - Those that wait

  /// Notes the backlinks that wait.
  ///
  /// Whoever looks at backlinks, or stores them, does this first.
  internal func settle() throws(StorageError) {
    guard unsafe !directory.table.pointee.waiting.isEmpty else { return }
    var queue = unsafe directory.table.pointee.waiting
    unsafe directory.table.pointee.waiting = BacklinkQueue()
    // Those that fail stay: whoever goes on nevertheless fails again.
    defer { unsafe directory.table.pointee.waiting = queue }
    try forEach(&queue) { (target, number, origin) throws(StorageError) in
      try insert(to: target, number, from: origin)
    }
  }

  /// Takes backlinks away, but those of objects that a deletion under way takes.
  package func remove(_ queue: inout BacklinkQueue) throws(StorageError) {
    try settle()
    try forEach(&queue) { (target, number, origin) throws(StorageError) in
      if try objects.isMarked(target) { return }
      try remove(to: target, number, from: origin)
    }
  }

  private func forEach(
    _ queue: inout BacklinkQueue,
    _ body: (ObjectIdentity, UInt16, UInt64) throws(StorageError) -> Void
  ) throws(StorageError) {
    var done = 0
    defer { queue.removeFirst(done) }
    for position in 0..<min(32, queue.count) { prefetch(queue, position) }
    while let entry = queue[done] {
      prefetch(queue, done &+ 32)
      try body(entry.target, entry.column, entry.origin)
      done &+= 1
    }
  }

  /// Has the next line fetched of each backlink that is 32, 24, 16 or 8 places from its turn, of
  /// which the first is at `position`.
  @inline(__always)
  private func prefetch(_ queue: BacklinkQueue, _ position: Int) {
    if let entry = queue[position] {
      directory.prefetchFacts(entry.target.classKey, entry.target.key.cluster)
    }
    if position >= 8, let entry = queue[position &- 8] {
      if let chunk = unsafe directory.backlinkChunk(entry.target, entry.column) {
        unsafe kennel_prefetch(chunk)
      }
    }
    if position >= 16, let entry = queue[position &- 16] {
      if let column = unsafe directory.backlinkChunk(entry.target, entry.column)?.pointee.column {
        unsafe kennel_prefetch(column)
        unsafe kennel_prefetch(UnsafeRawPointer(column) + 64)
      }
    }
    if position >= 24, let entry = queue[position &- 24] {
      if let column = unsafe directory.backlinkChunk(entry.target, entry.column)?.pointee.column {
        unsafe kennel_prefetch(column.pointee.words + 2 &* entry.target.key.place)
      }
    }
  }
}
