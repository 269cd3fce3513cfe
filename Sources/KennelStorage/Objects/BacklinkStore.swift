/// The backlinks of a view's objects: for each object the keys of those that link to it, ascending.
///
/// Some wait to be noted (``WaitingBacklinks``): whoever looks at backlinks, or commits them, settles these
/// first.
package final class BacklinkStore {
  internal let clusters: ClusterStore
  /// That of the clusters, at hand without another reference to count.
  private let directory: ClusterDirectory
  internal let pieces: PieceStore
  internal let objects: ObjectStore
  internal let values: ValueStore
  /// The cluster to which the last link of each column of backlinks led.
  private var recentClusters: [UInt32: UInt64] = [:]

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

  /// Notes that an object links to a target: at once where the column is at hand, or where the last
  /// link of the property led to a neighbour; else later, with others.
  package func add(
    to target: ObjectIdentity,
    _ number: UInt16,
    from origin: UInt64
  ) throws(StorageError) {
    let cluster = target.key.cluster
    let column = UInt32(target.classKey.rawValue) << 16 | UInt32(number)
    let isNear = recentClusters.updateValue(cluster, forKey: column) == cluster
    if isNear || directory.hasDecodedBacklinks(of: target, number) {
      try insert(to: target, number, from: origin)
    } else {
      directory.wait(target, number, from: origin)
    }
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
  /// Whoever looks at backlinks, or commits them, does this first.
  internal func settle() throws(StorageError) { try settle(growingBy: .max) }

  /// Notes backlinks that wait, until the changed columns take so many bytes more.
  internal func settle(growingBy byteCount: Int) throws(StorageError) {
    guard unsafe !directory.table.pointee.waiting.isEmpty else { return }
    var waiting = unsafe directory.table.pointee.waiting
    unsafe directory.table.pointee.waiting = WaitingBacklinks()
    // Those that fail stay: whoever goes on nevertheless fails again.
    defer { unsafe directory.table.pointee.waiting = waiting }
    let start = clusters.changedByteCount
    try waiting.drain { (entry) throws(StorageError) in
      try insert(to: entry.target, entry.column, from: entry.origin)
      return clusters.changedByteCount - start < byteCount
    }
  }

  /// Takes backlinks away, but those of objects that a deletion under way takes.
  package func remove(_ backlinks: inout WaitingBacklinks) throws(StorageError) {
    try backlinks.drain { (entry) throws(StorageError) in
      if try !objects.isMarked(entry.target) {
        try remove(to: entry.target, entry.column, from: entry.origin)
      }
      return true
    }
  }
}
