/// The objects of a class by their position in the order of the keys.
extension ObjectStore {
  /// How many objects of its class come before an object that lives.
  ///
  /// Constant where the class never lost an object. Else the first call in a snapshot is linear in
  /// the number of clusters and later ones logarithmic; with changes each is linear.
  package func position(of object: ObjectIdentity) throws(StorageError) -> Int {
    let key = object.key
    if isDense(object.classKey) { return Int(key.rawValue) - 1 }
    if let counts = try clusterCounts(object.classKey) {
      let before = counts.before(cluster: key.cluster)
      let cluster = try clusters.cluster(object.classKey, key.cluster)
      return before + (cluster?.header.live.count(before: key.place) ?? 0)
    }
    var position = 0
    var number: UInt64 = 0
    while let cluster = try clusters.nextCluster(object.classKey, from: number),
      cluster.number <= key.cluster
    {
      let live = cluster.header.live
      position += cluster.number == key.cluster ? live.count(before: key.place) : live.count
      number = cluster.number + 1
    }
    return position
  }

  /// The object at a position of its class, which must be below the class's count.
  ///
  /// As fast as ``position(of:)``.
  package func key(of classKey: ClassKey, at position: Int) throws(StorageError) -> ObjectKey? {
    if isDense(classKey) { return ObjectKey(rawValue: UInt64(position) + 1) }
    var number: UInt64 = 0
    var rest = position
    if let counts = try clusterCounts(classKey), let start = counts.start(of: position) {
      number = start.cluster
      rest = position - start.before
    }
    while let cluster = try clusters.nextCluster(classKey, from: number) {
      let live = cluster.header.live
      if rest < live.count {
        var place = live.next(from: 0)
        for _ in 0..<rest { place = place.flatMap { live.next(from: $0 + 1) } }
        return place.map { ObjectKey(cluster: cluster.number, place: $0) }
      }
      rest -= live.count
      number = cluster.number + 1
    }
    return nil
  }

  /// Whether the objects of a class are those with the keys from 1 up to their count.
  private func isDense(_ classKey: ClassKey) -> Bool {
    let record = clusters.record(of: classKey)
    return record.count &+ 1 == record.nextKey && clusters.provisionalCounts[classKey] == nil
  }

  /// How many objects come before each cluster; `nil` where that may change.
  private func clusterCounts(_ classKey: ClassKey) throws(StorageError) -> ClusterCounts? {
    guard clusters.source.isSnapshot, !clusters.isChanged else { return nil }
    if let known = countsByClass[classKey] { return known }
    var counts = ClusterCounts()
    var number: UInt64 = 0
    while let cluster = try clusters.nextCluster(classKey, from: number) {
      counts.append(cluster.number, cluster.header.live.count)
      number = cluster.number + 1
    }
    countsByClass[classKey] = counts
    return counts
  }
}

/// The clusters of a class, and how many objects come before each: 16 bytes for 256 objects.
struct ClusterCounts {
  private var clusters: [UInt64] = []
  private var counts: [Int] = [0]

  init() {}

  mutating func append(_ cluster: UInt64, _ count: Int) {
    clusters.append(cluster)
    counts.append((counts.last ?? 0) + count)
  }

  func before(cluster: UInt64) -> Int {
    counts[clusters.partitioningIndex { $0 >= cluster }]
  }

  /// The cluster that holds a position, and how many objects come before it.
  func start(of position: Int) -> (cluster: UInt64, before: Int)? {
    let next = counts.partitioningIndex { $0 > position }
    guard next > 0, next <= clusters.count else { return nil }
    return (clusters[next - 1], counts[next - 1])
  }
}
