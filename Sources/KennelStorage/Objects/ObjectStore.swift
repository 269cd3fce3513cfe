/// The objects of a view: which keys of each class live.
///
/// Others' share in an object's life (backlinks, owners, delete rules) is the business of the layer
/// above.
package final class ObjectStore {
  internal let clusters: ClusterStore
  /// That of the clusters, at hand without another reference to count.
  private let directory: ClusterDirectory
  /// How many objects come before each cluster of the snapshot, of classes that were asked for it.
  internal var countsByClass: [ClassKey: ClusterCounts] = [:]

  internal init(_ clusters: ClusterStore) {
    self.clusters = clusters
    directory = clusters.directory
  }

  /// The number of live objects of a class.
  package func count(of classKey: ClassKey) -> Int {
    clusters.points.count(of: classKey)
  }

  package func contains(_ object: ObjectIdentity) throws(StorageError) -> Bool {
    guard let cluster = try clusters.cluster(object.classKey, object.key.cluster) else {
      return false
    }
    return cluster.isLive(object.key.place)
  }

  // MARK: - Creating

  /// Gives a new object the next key of its class and makes it live, without values.
  package func create(_ classKey: ClassKey) throws(StorageError) -> ObjectKey {
    let key = ObjectKey(rawValue: clusters.record(of: classKey).nextKey)
    try create(classKey, key)
    return key
  }

  /// Makes a new object live under a key that no live object of the class has.
  ///
  /// The key must be below the provisional ones. Where an object had it before, its values are still
  /// there: see ``ValueStore/forget(_:_:)``.
  package func create(_ classKey: ClassKey, _ key: ObjectKey) throws(StorageError) {
    let number = Int(classKey.rawValue)
    var record = directory[record: number]
    if record.lastCluster.map({ $0 < key.cluster }) ?? true {
      addCluster(classKey, key.cluster, previous: record.lastCluster)
      record.lastCluster = key.cluster
    } else if try clusters.cluster(classKey, key.cluster) == nil {
      try fillGap(classKey, key.cluster)
    }
    record.nextKey = max(record.nextKey, key.rawValue + 1)
    directory[record: number] = record
    try occupy(classKey, key)
    if directory.table.pointee.entries[number].creation == nil {
      directory.table.pointee.entries[number].creation = clusters.schema[classKey]?.creation
    }
  }

  /// Makes a cluster whose number was skipped, before the one that follows it.
  private func fillGap(_ classKey: ClassKey, _ number: UInt64) throws(StorageError) {
    guard let next = try clusters.nextCluster(classKey, from: number) else {
      throw .damaged(in: "class record \(classKey.rawValue)", "its last cluster is missing")
    }
    addCluster(classKey, number, previous: next.header.previous)
    next.body.pointee.facts.previous = number
    next.body.pointee.isHeaderChanged = true
    directory.note(next)
  }

  /// Gives a new object of a draft a provisional key and makes it live, without values.
  package func createProvisional(_ classKey: ClassKey) throws(StorageError) -> ObjectKey {
    let used = clusters.provisionalCounts[classKey] ?? 0
    let key = ObjectKey(rawValue: ObjectKey.firstProvisional + used)
    try createProvisional(classKey, key)
    return key
  }

  /// Makes a new object of a draft live under a provisional key it had before.
  package func createProvisional(
    _ classKey: ClassKey,
    _ key: ObjectKey
  ) throws(StorageError) {
    if directory[classKey, key.cluster] == nil {
      addCluster(classKey, key.cluster, previous: nil)
    }
    reserve(key, of: classKey)
    try occupy(classKey, key)
  }

  /// Gives out no provisional key that another view gave out.
  package func reserveProvisionalKeys(of other: ObjectStore) {
    clusters.provisionalCounts.merge(other.clusters.provisionalCounts) { max($0, $1) }
  }

  /// Gives out none of these provisional keys.
  package func reserveProvisionalKeys(_ objects: [ObjectIdentity]) {
    for object in objects where object.key.isProvisional {
      reserve(object.key, of: object.classKey)
    }
  }

  private func reserve(_ key: ObjectKey, of classKey: ClassKey) {
    let count = key.rawValue - ObjectKey.firstProvisional + 1
    clusters.provisionalCounts[classKey] = max(clusters.provisionalCounts[classKey] ?? 0, count)
  }

  private func addCluster(_ classKey: ClassKey, _ number: UInt64, previous: UInt64?) {
    let schema = clusters.schema[classKey]
    let cluster = Cluster.make(
      classKey,
      number,
      ClusterFacts(previous: previous),
      properties: Int(schema?.nextColumn ?? 0),
      backlinks: schema?.backlinkColumnCount ?? 0
    )
    directory.insert(cluster, last: nil)
    directory.note(cluster)
    clusters.noteNew(classKey, number)
    clusters.changedByteCount += 512
  }

  private func occupy(_ classKey: ClassKey, _ key: ObjectKey) throws(StorageError) {
    guard let cluster = try clusters.cluster(classKey, key.cluster) else {
      throw .damaged(in: "class record \(classKey.rawValue)", "its last cluster is missing")
    }
    if cluster.body.pointee.facts.count <= key.place {
      cluster.body.pointee.facts.count = key.place + 1
    }
    setLive(cluster, key.place, true)
  }

  // MARK: - Deleting

  /// Makes a live object dead, or a dead one live again with the values it had.
  ///
  /// The values of a dead object stay where they are until its column is stored again.
  package func setLive(_ object: ObjectIdentity, _ isLive: Bool) throws(StorageError) {
    guard let cluster = try clusters.cluster(object.classKey, object.key.cluster) else { return }
    setLive(cluster, object.key.place, isLive)
  }

  private func setLive(_ cluster: Cluster, _ place: Int, _ isLive: Bool) {
    guard cluster.isLive(place) != isLive else { return }
    cluster.body.pointee.facts.live[place] = isLive
    cluster.body.pointee.isHeaderChanged = true
    directory.note(cluster)
    let number = Int(cluster.classKey.rawValue)
    var record = directory[record: number]
    record.count = isLive ? record.count &+ 1 : record.count &- 1
    directory[record: number] = record
  }

  /// Marks a live object as one that a deletion under way takes; false where it was marked before.
  package func mark(_ object: ObjectIdentity) throws(StorageError) -> Bool {
    guard let cluster = try clusters.cluster(object.classKey, object.key.cluster),
      !cluster.body.pointee.marked[object.key.place]
    else { return false }
    cluster.body.pointee.marked[object.key.place] = true
    return true
  }

  /// Whether a deletion under way takes an object.
  package func isMarked(_ object: ObjectIdentity) throws(StorageError) -> Bool {
    guard let cluster = try clusters.cluster(object.classKey, object.key.cluster) else {
      return false
    }
    return cluster.body.pointee.marked[object.key.place]
  }

  /// Takes the mark away.
  package func unmark(_ object: ObjectIdentity) throws(StorageError) {
    guard let cluster = try clusters.cluster(object.classKey, object.key.cluster) else { return }
    cluster.body.pointee.marked[object.key.place] = false
  }
}

extension ClassSchema {
  /// The work of making an object without values.
  fileprivate var creation: ClassClusters.Creation {
    let isBlank = properties.allSatisfy { property in
      let isAbsent =
        property.isCollection && property.defaultValue.isNull
        || property.defaultValue == property.absentValue
      return property.isPrimaryKey || isAbsent && !property.isIndexed
    }
    guard isBlank else { return .full }
    guard let primaryKey else { return isEmbedded ? .owner : .place }
    return primaryKey.kind == .int && primaryKey.type.bitWidth == 64 ? .key : .full
  }
}
