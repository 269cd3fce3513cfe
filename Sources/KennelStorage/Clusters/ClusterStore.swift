import KennelPages

/// The clusters of a view: their headers, their chunks, and the columns that were decoded to be changed.
///
/// A cluster is loaded when it is first asked for, a chunk when its first value is; both stay until the
/// view goes. ``store(_:into:)`` encodes what changed.
package final class ClusterStore {
  // Without checks for exclusive access is what every look-up or chunk takes. Safe to use: a store
  // belongs to one thread, and no access contains another.

  /// Which properties and backlinks a cluster has.
  @safe @exclusivity(unchecked) internal var schema: Schema
  /// Where stored clusters and chunks are read.
  @safe @exclusivity(unchecked) internal var source: TreeSource
  /// The records of the classes as they are stored.
  @safe @exclusivity(unchecked) internal var storedRecords: [ClassRecord]
  /// How many provisional keys of each class were given out.
  internal var provisionalCounts: [ClassKey: UInt64] = [:]
  /// The numbers of the clusters that were made since the snapshot, ascending.
  private var newClusters: [ClassKey: [UInt64]] = [:]
  internal let directory = ClusterDirectory()
  internal let pieces: PieceStore
  /// The chunk that is being encoded.
  @safe @exclusivity(unchecked) internal var chunkBytes: [UInt8] = []

  internal init(
    _ source: TreeSource,
    _ schema: Schema,
    _ records: [ClassRecord],
    _ pieces: PieceStore
  ) {
    self.source = source
    self.schema = schema
    self.pieces = pieces
    storedRecords = records
    directory.records = records
  }

  /// A store of the same snapshot with its own copy of the changes.
  internal init(copying other: ClusterStore, _ pieces: PieceStore) {
    source = other.source
    schema = other.schema
    storedRecords = other.storedRecords
    provisionalCounts = other.provisionalCounts
    newClusters = other.newClusters
    self.pieces = pieces
    directory.records = other.directory.records
    for cluster in other.directory.changed {
      let copied = cluster.copied()
      directory.insert(copied, last: nil)
      directory.note(copied)
    }
    directory.table.pointee.waiting = other.directory.table.pointee.waiting
  }

  /// Goes on with another schema; what is changed stays in memory.
  ///
  /// Clusters that were met have room for the columns of the old schema only.
  internal func adopt(_ schema: Schema) {
    let changed = directory.changed.map { cluster in
      let found = schema[cluster.classKey]
      return cluster.copied(
        properties: Int(found?.nextColumn ?? 0),
        backlinks: found?.backlinkColumnCount ?? 0
      )
    }
    self.schema = schema
    directory.removeAll()
    directory.forgetSchema()
    directory.growRecords(to: schema.classes.last.map { Int($0.key.rawValue) + 1 } ?? 0)
    for cluster in changed {
      directory.insert(cluster, last: nil)
      directory.note(cluster)
    }
  }

  /// The first cluster number of provisional keys.
  internal static let provisional = ObjectKey.firstProvisional >> 8

  /// Whether anything differs from the snapshot.
  internal var isChanged: Bool {
    !directory.changed.isEmpty || !directory.table.pointee.waiting.isEmpty
  }

  /// A rough count of the memory that changes hold, in bytes.
  internal var changedByteCount: Int {
    get { directory.table.pointee.changedByteCount }
    set { directory.table.pointee.changedByteCount = newValue }
  }

  /// Reads what was loaded without going through the store; valid as long as the view.
  package var points: PointReader { PointReader(directory) }

  /// Changes what was loaded without going through the store.
  package var pointWriter: PointWriter { PointWriter(directory) }

  /// Nothing is read or written in place any more.
  package func closePoints() { directory.close() }

  /// Whether the snapshot has objects of a class.
  internal func hasStored(_ classKey: ClassKey) -> Bool {
    let number = Int(classKey.rawValue)
    return number < storedRecords.count && storedRecords[number].count > 0
  }

  // MARK: - Classes and clusters

  package func record(of classKey: ClassKey) -> ClassRecord {
    directory[record: Int(classKey.rawValue)]
  }

  /// A cluster; `nil` where the class has none of that number.
  package func cluster(
    _ classKey: ClassKey,
    _ number: UInt64
  ) throws(StorageError) -> Cluster? {
    if let known = directory[classKey, number] { return known }
    return try loadCluster(classKey, number)
  }

  /// Has a cluster of those that were met before fetched from memory, for a scan that comes to it soon.
  package func prefetch(_ classKey: ClassKey, _ number: UInt64) {
    directory.prefetch(classKey, number)
  }

  /// Has a property of a cluster of those that were met before fetched from memory, for a scan that
  /// comes to it sooner.
  package func prefetch(_ classKey: ClassKey, _ number: UInt64, _ property: PropertyKey) {
    directory.prefetchChunk(classKey, number, property)
  }

  private func loadCluster(
    _ classKey: ClassKey,
    _ number: UInt64
  ) throws(StorageError) -> Cluster? {
    let stored = Int(classKey.rawValue)
    guard stored < storedRecords.count, let last = storedRecords[stored].lastCluster,
      number <= last, let position = schema.position(of: classKey)
    else { return nil }
    let key = ChunkKey(classKey, cluster: number, column: 0)
    guard let bytes = try source.get(.clusters, key.rawValue) else {
      try expectGap(at: key, last: last)
      return nil
    }
    let cluster = try Cluster.load(
      bytes,
      key,
      properties: Int(schema.classes[position].nextColumn),
      backlinks: schema.classes[position].backlinkColumnCount
    )
    directory.insert(cluster, last: last)
    // Links to objects at random load clusters that nothing changes.
    changedByteCount += 1024
    return cluster
  }

  /// A header may be missing only where the next one says that it follows an earlier one.
  private func expectGap(at key: ChunkKey, last: UInt64) throws(StorageError) {
    let damage = StorageError.damaged(in: "cluster header \(key.rawValue)", "it is missing")
    guard key.cluster < last, let next = try source.first(.clusters, from: key.rawValue)
    else {
      throw damage
    }
    let nextKey = ChunkKey(rawValue: next.key)
    guard nextKey.classKey == key.classKey else { throw damage }
    let header = try ClusterHeader(decoding: next.bytes, for: nextKey)
    guard header.previous.map({ $0 < key.cluster }) ?? true else { throw damage }
  }

  /// The first cluster of a class at or past a number.
  package func nextCluster(
    _ classKey: ClassKey,
    from number: UInt64
  ) throws(StorageError) -> Cluster? {
    if let last = record(of: classKey).lastCluster, number <= last {
      if let cluster = try cluster(classKey, number) { return cluster }
      let made = newClusters[classKey] ?? []
      let position = made.partitioningIndex { $0 >= number }
      let new = position < made.count ? made[position] : last
      let key = ChunkKey(classKey, cluster: number, column: 0)
      guard let next = try source.first(.clusters, from: key.rawValue) else {
        return try cluster(classKey, new)
      }
      let stored = ChunkKey(rawValue: next.key)
      return try cluster(
        classKey,
        stored.classKey == classKey ? min(stored.cluster, new) : new
      )
    }
    // Past the numbered ones there are only those of a draft.
    var candidate = max(number, Self.provisional)
    while candidate < provisionalEnd(classKey) {
      if let cluster = directory[classKey, candidate] { return cluster }
      candidate += 1
    }
    return nil
  }

  /// Notes that a cluster was made: until it is stored, no tree has its number.
  func noteNew(_ classKey: ClassKey, _ number: UInt64) {
    let position = newClusters[classKey]?.partitioningIndex { $0 >= number } ?? 0
    newClusters[classKey, default: []].insert(number, at: position)
  }

  /// The last cluster of a class before a number.
  package func previousCluster(
    _ classKey: ClassKey,
    before number: UInt64
  ) throws(StorageError) -> Cluster? {
    var candidate = min(number, provisionalEnd(classKey))
    while candidate > Self.provisional {
      candidate -= 1
      if let cluster = directory[classKey, candidate] { return cluster }
    }
    guard let last = record(of: classKey).lastCluster else { return nil }
    if candidate > last { return try cluster(classKey, last) }
    guard let next = try nextCluster(classKey, from: candidate) else { return nil }
    guard let previous = next.number >= candidate ? next.header.previous : next.number else {
      return nil
    }
    return try cluster(classKey, previous)
  }

  /// One past the last provisional cluster of a class.
  private func provisionalEnd(_ classKey: ClassKey) -> UInt64 {
    provisionalCounts[classKey].map { Self.provisional + ($0 + 255) >> 8 }
      ?? Self.provisional
  }

  // MARK: - Chunks

  /// Finds a property's chunk in a cluster.
  package func chunk(
    _ cluster: Cluster,
    _ property: PropertySchema
  ) throws(StorageError) -> ChunkState {
    guard let index = cluster.index(of: property.key) else { return .absent }
    if cluster.body.chunks[index].state == .unknown {
      try load(.chunks, cluster, index, property.key.rawValue + 1, property.columnType)
    }
    return cluster.state(index)
  }

  /// Finds a chunk of backlinks in a cluster.
  internal func backlinkChunk(
    _ cluster: Cluster,
    _ number: UInt16
  ) throws(StorageError) -> ChunkState {
    guard let index = cluster.index(ofBacklinks: number) else { return .absent }
    try loadBacklinks(cluster, number, index)
    return cluster.state(index)
  }

  internal func loadBacklinks(
    _ cluster: Cluster,
    _ number: UInt16,
    _ index: Int
  ) throws(StorageError) {
    if cluster.body.chunks[index].state == .unknown {
      try load(.backlinks, cluster, index, number + 1, .backlinks)
    }
  }

  private func load(
    _ tree: Tree,
    _ cluster: Cluster,
    _ index: Int,
    _ number: UInt16,
    _ type: ColumnType
  ) throws(StorageError) {
    let key = ChunkKey(cluster.classKey, cluster: cluster.number, column: number)
    guard let bytes = try source.get(tree, key.rawValue) else {
      throw .damaged(in: "chunk \(key.rawValue)", "it is missing")
    }
    cluster.setStored(try ChunkView(bytes, type: type, key: key), index)
  }

  /// Loads the chunk of a column, of a property or of backlinks.
  internal func loadChunk(_ cluster: Cluster, _ index: Int) throws(StorageError) {
    let properties = cluster.body.pointee.propertyCount
    if index >= properties {
      try loadBacklinks(cluster, UInt16(index - properties), index)
    } else if let property = schema[cluster.classKey]?[PropertyKey(rawValue: UInt16(index))] {
      _ = try chunk(cluster, property)
    }
  }
}
