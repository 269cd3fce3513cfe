/// The backlinks of a view's objects: for each object the keys of those that link to it, ascending.
///
/// Changes wait (``WaitingBacklinks``) until somebody looks at backlinks, or they are stored.
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
    try flush()
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
    try flush()
    guard let cluster = try clusters.cluster(object.classKey, object.key.cluster),
      let index = cluster.index(ofBacklinks: number)
    else { return }
    if cluster.body.chunks[index].state == .unknown {
      try clusters.loadChunk(cluster, index)
    }
    try values.forEachKey(cluster, index, object.key.place, body)
  }

  // MARK: - Changing

  /// Notes that an object got or lost a link to a target.
  package func note(
    from origin: UInt64,
    to target: ObjectIdentity,
    _ column: UInt16,
    isAdded: Bool
  ) {
    directory.table.pointee.noteLink(from: origin, to: target, column, isAdded: isAdded)
  }

  // MARK: - Those that wait

  /// Makes the changes that wait.
  package func flush() throws(StorageError) { try flush(growingBy: .max) }

  /// Makes the changes that gain nothing by waiting on.
  internal func flushDue() throws(StorageError) {
    guard directory.table.pointee.waiting.areDue else { return }
    try flush(growingBy: .max, onlyDue: true)
  }

  /// Makes changes that wait, until the changed columns take so many bytes more.
  internal func flush(growingBy byteCount: Int, onlyDue: Bool = false) throws(StorageError) {
    guard !directory.table.pointee.waiting.isEmpty else { return }
    var waiting = directory.table.pointee.waiting
    directory.table.pointee.waiting = WaitingBacklinks()
    // Those that fail stay: whoever goes on nevertheless fails again.
    defer { directory.table.pointee.waiting = waiting }
    let start = clusters.changedByteCount
    try waiting.drain(onlyDue: onlyDue) { (changes, count) throws(StorageError) in
      try make(changes, &count)
      return clusters.changedByteCount - start < byteCount
    }
  }

  /// Makes changes of one column, and counts them.
  private func make(
    _ changes: ArraySlice<WaitingBacklinks.Entry>,
    _ count: inout Int
  ) throws(StorageError) {
    guard let last = changes.last,
      let cluster = try clusters.cluster(last.target.classKey, last.target.key.cluster)
    else {
      count += changes.count
      return
    }
    let column = try clusters.backlinkColumn(cluster, last.column, last.target.key.place)
    for change in changes {
      // What a deletion under way takes may keep its backlinks.
      if change.isAdded || !cluster.body.pointee.marked[change.target.key.place] {
        try make(change, column)
      }
      count += 1
    }
  }

  private func make(
    _ change: WaitingBacklinks.Entry,
    _ column: ViewHandle<ColumnStorage>
  ) throws(StorageError) {
    let (target, origin) = (change.target, change.origin)
    let place = target.key.place
    if change.isAdded {
      let position = try pieces.lowerBound(origin + 1, column, place).position
      clusters.changedByteCount += 16
      try pieces.insert(origin, at: position, column, place)
      return
    }
    let (position, isFound) = try pieces.lowerBound(origin, column, place)
    guard isFound else {
      throw .damaged(in: "backlinks of \(target)", "the link from object \(origin) is not noted")
    }
    _ = try pieces.remove(at: position, column, place)
  }
}
