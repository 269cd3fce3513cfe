import KennelPages

/// The headers of clusters, and the chunks that they name.
extension FileCheck {
  /// The sums over the headers of one class.
  private struct ClassTotals {
    var count: UInt64 = 0
    var last: UInt64?
    var highestKey: UInt64 = 0
    /// Whether a header of the class could not be read.
    var isPartial = false
  }

  /// The headers by themselves: the chain, the counts, the keys.
  ///
  /// Notes which places live.
  func checkHeaders() throws(StorageError) {
    var totals: [ClassKey: ClassTotals] = [:]
    try forEachEntry(of: .clusters) { (cursor) throws(StorageError) in
      let key = ChunkKey(rawValue: cursor.number)
      if key.column != 0 || schema[key.classKey] == nil {
        add(.strayEntry, "The entry \(key.rawValue) of clusters belongs to no class")
      } else {
        let bytes = try cursor.value()
        check(header: bytes, key, &totals[key.classKey, default: ClassTotals()])
      }
    }
    for classSchema in schema.classes where !isStopped {
      check(totals[classSchema.key] ?? ClassTotals(), of: classSchema)
    }
  }

  private func check(header bytes: StoredBytes, _ key: ChunkKey, _ totals: inout ClassTotals) {
    let header: ClusterHeader
    do throws(StorageError) {
      header = try ClusterHeader(decoding: bytes, for: key)
    } catch {
      add(.clusterHeader, "The header of \(name(clusterOf: key)): \(error.place)")
      totals.isPartial = true
      totals.last = key.cluster
      unreadClusters.insert(key.rawValue)
      isPartial = true
      return
    }
    if header.previous != totals.last, !totals.isPartial {
      let said = header.previous.map { "cluster \($0)" } ?? "none"
      let found = totals.last.map { "cluster \($0)" } ?? "none"
      add(
        .clusterChain,
        "The header of \(name(clusterOf: key)) says that \(said) comes before it, not \(found)"
      )
    }
    if key.cluster == 0, header.live[0] {
      add(.clusterHeader, "The header of \(name(clusterOf: key)) has an object 0")
    }
    totals.last = key.cluster
    totals.count += UInt64(header.live.count)
    totals.highestKey = key.cluster << 8 + UInt64(header.count - 1)
    live[key.rawValue] = header.live
    if schema[key.classKey]?.isEmbedded == true {
      owners[key.rawValue] = Array(repeating: 0, count: 256)
    }
  }

  private func check(_ totals: ClassTotals, of classSchema: ClassSchema) {
    guard !totals.isPartial else { return }
    let record = view.clusters.record(of: classSchema.key)
    let className = classSchema.name
    if record.count != totals.count {
      add(
        .objectCount,
        "\(className) says that it has \(record.count) objects, but has \(totals.count)"
      )
    }
    if record.lastCluster != totals.last {
      let said = record.lastCluster.map { "cluster \($0)" } ?? "none"
      let found = totals.last.map { "cluster \($0)" } ?? "none"
      add(.clusterChain, "\(className) says that its last cluster is \(said), but it is \(found)")
    }
    if totals.last != nil, record.nextKey <= totals.highestKey {
      add(
        .nextKey,
        "\(className) would give out the key \(record.nextKey) again: it has \(totals.highestKey)"
      )
    }
  }

  // MARK: - Chunks

  /// Every cluster with its chunks, which lie in the same order.
  func checkClusters() throws(StorageError) {
    var headers = try source.cursor(.clusters)
    var values = try source.cursor(.chunks)
    var links = try source.cursor(.backlinks)
    var hasHeader = try headers.first()
    _ = try values.first()
    _ = try links.first()
    while hasHeader, advance() {
      let key = ChunkKey(rawValue: headers.number)
      let bytes = try headers.value()
      if let places = live[key.rawValue],
        let header = try? ClusterHeader(decoding: bytes, for: key),
        let classSchema = schema[key.classKey]
      {
        let cluster = ClusterPlaces(key: key, live: places, classSchema: classSchema)
        try reportStray(&values, before: key, "chunks")
        try reportStray(&links, before: key, "backlinks")
        try checkChunks(cluster, header, &values)
        try checkBacklinkChunks(cluster, header, &links)
      } else {
        try skip(&values, past: key)
        try skip(&links, past: key)
      }
      hasHeader = try headers.next()
    }
    let end = ChunkKey(rawValue: .max)
    try reportStray(&values, before: end, "chunks")
    try reportStray(&links, before: end, "backlinks")
  }

  /// Chunks before a cluster belong to none.
  private func reportStray(
    _ cursor: inout TreeCursor,
    before key: ChunkKey,
    _ tree: String
  ) throws(StorageError) {
    while cursor.isValid, cursor.number < key.rawValue, advance() {
      let stray = ChunkKey(rawValue: cursor.number)
      add(
        .strayChunk,
        "Chunk \(stray.column) in \(tree) is there without \(name(clusterOf: stray))"
      )
      _ = try cursor.next()
    }
  }

  /// Steps over the chunks of a cluster whose header says nothing.
  private func skip(_ cursor: inout TreeCursor, past key: ChunkKey) throws(StorageError) {
    while cursor.isValid, cursor.number < key.nextCluster, advance() { _ = try cursor.next() }
  }

  private func checkChunks(
    _ cluster: ClusterPlaces,
    _ header: ClusterHeader,
    _ cursor: inout TreeCursor
  ) throws(StorageError) {
    var named = header.columns[...]
    for property in cluster.classSchema.properties.sorted(by: { $0.key < $1.key }) {
      let column = property.key.rawValue
      let bytes = try chunk(column, cluster, &named, &cursor, "chunks")
      var chunk: ChunkView?
      if let bytes {
        do throws(StorageError) {
          let key = cluster.key(ofColumn: column)
          chunk = try ChunkView(bytes, type: ColumnType(property.type), key: key)
        } catch {
          add(
            .damagedChunk,
            "The values of \(cluster.classSchema.name).\(property.name) in "
              + "\(name(clusterOf: cluster.key)): \(error.place)"
          )
          unread.insert(PropertyIdentity(cluster.classKey, property.key))
          continue
        }
      } else if header.columns.containsSorted(column) {
        unread.insert(PropertyIdentity(cluster.classKey, property.key))
        continue
      }
      checkValues(cluster, property, chunk)
    }
    try finish(cluster, named, &cursor, "chunks")
  }

  private func checkBacklinkChunks(
    _ cluster: ClusterPlaces,
    _ header: ClusterHeader,
    _ cursor: inout TreeCursor
  ) throws(StorageError) {
    var named = header.backlinkColumns[...]
    for column in cluster.classSchema.backlinkColumns.sorted(by: { $0.number < $1.number }) {
      guard let bytes = try chunk(column.number, cluster, &named, &cursor, "backlinks")
      else {
        if header.backlinkColumns.containsSorted(column.number) {
          unread.insert(PropertyIdentity(column.origin, column.property))
        }
        continue
      }
      do throws(StorageError) {
        let key = cluster.key(ofColumn: column.number)
        noteBacklinks(cluster, column, try ChunkView(bytes, type: .backlinks, key: key))
      } catch {
        add(
          .damagedChunk,
          "The backlinks from \(name(of: column)) in \(name(clusterOf: cluster.key)): \(error.place)"
        )
        unread.insert(PropertyIdentity(column.origin, column.property))
      }
    }
    try finish(cluster, named, &cursor, "backlinks")
  }

  /// The property whose backlinks lie in a column.
  func name(of column: BacklinkColumn) -> String {
    "\(name(column.origin)).\(schema.property(column.property, of: column.origin)?.name ?? "?")"
  }

  /// The bytes of the chunk in a column; `nil` where there is none.
  ///
  /// Chunks before it have no place in the schema.
  private func chunk(
    _ column: UInt16,
    _ cluster: ClusterPlaces,
    _ named: inout ArraySlice<UInt16>,
    _ cursor: inout TreeCursor,
    _ tree: String
  ) throws(StorageError) -> StoredBytes? {
    let wanted = cluster.key(ofColumn: column).rawValue
    while let first = named.first, first < column {
      reportUnknown(named.removeFirst(), cluster, tree)
    }
    while cursor.isValid, cursor.number < wanted, advance() {
      reportUnnamed(ChunkKey(rawValue: cursor.number), cluster, tree)
      _ = try cursor.next()
    }
    let isNamed = named.first == column
    if isNamed { named.removeFirst() }
    guard cursor.isValid, cursor.number == wanted else {
      if isNamed {
        add(
          .missingChunk,
          "Chunk \(column + 1) in \(tree) is missing, which the header of "
            + "\(name(clusterOf: cluster.key)) names\(suffix(column, cluster, tree))"
        )
      }
      return nil
    }
    _ = advance()
    let bytes = try cursor.value()
    if !isNamed { reportUnnamed(cluster.key(ofColumn: column), cluster, tree) }
    _ = try cursor.next()
    return isNamed ? bytes : nil
  }

  /// The rest of a cluster's chunks, past the last column of the schema.
  private func finish(
    _ cluster: ClusterPlaces,
    _ named: ArraySlice<UInt16>,
    _ cursor: inout TreeCursor,
    _ tree: String
  ) throws(StorageError) {
    for column in named { reportUnknown(column, cluster, tree) }
    while cursor.isValid, cursor.number < cluster.key.nextCluster, advance() {
      reportUnnamed(ChunkKey(rawValue: cursor.number), cluster, tree)
      _ = try cursor.next()
    }
  }

  private func reportUnknown(_ column: UInt16, _ cluster: ClusterPlaces, _ tree: String) {
    add(
      .clusterHeader,
      "The header of \(name(clusterOf: cluster.key)) names chunk \(column + 1) in \(tree), "
        + "which the schema does not have"
    )
  }

  private func reportUnnamed(_ key: ChunkKey, _ cluster: ClusterPlaces, _ tree: String) {
    let what = key.column > 0 ? suffix(key.column - 1, cluster, tree) : ""
    add(
      .strayChunk,
      "Chunk \(key.column) in \(tree) is there, which the header of \(name(clusterOf: cluster.key)) "
        + "does not name\(what)"
    )
  }

  /// The purpose of a column, as the end of a sentence.
  private func suffix(_ column: UInt16, _ cluster: ClusterPlaces, _ tree: String) -> String {
    if tree == "chunks" {
      guard let property = cluster.classSchema[PropertyKey(rawValue: column)] else { return "" }
      return ": the values of \(cluster.classSchema.name).\(property.name)"
    }
    guard let found = cluster.classSchema.backlinkColumns.first(where: { $0.number == column })
    else {
      return ""
    }
    return ": the backlinks from \(name(of: found))"
  }
}

/// A cluster as the check walks it.
struct ClusterPlaces {
  /// The key of its header.
  let key: ChunkKey
  let live: PlaceSet
  let classSchema: ClassSchema

  var classKey: ClassKey { key.classKey }

  func key(ofColumn column: UInt16) -> ChunkKey {
    ChunkKey(key.classKey, cluster: key.cluster, column: column + 1)
  }

  func object(_ place: Int) -> ObjectIdentity {
    ObjectIdentity(key.classKey, ObjectKey(cluster: key.cluster, place: place))
  }
}

extension ChunkKey {
  /// The first key after those of the same cluster.
  var nextCluster: UInt64 {
    let first = rawValue & ~4095
    return first > .max - 4096 ? .max : first + 4096
  }
}
