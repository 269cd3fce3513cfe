import KennelPages

/// Encoding changes and handing them to the page store, each tree in the order of its keys.
extension ClusterStore {
  /// The clusters that have changes, in the order of their keys.
  internal var changed: [Cluster] {
    directory.changed.sorted {
      $0.classKey == $1.classKey ? $0.number < $1.number : $0.classKey < $1.classKey
    }
  }

  /// Stores changed clusters, whose long values are in pieces already.
  internal func store(
    _ changed: [Cluster],
    into transaction: Writer
  ) throws(PageStoreError) {
    for cluster in changed { try storeHeader(cluster, transaction) }
    for cluster in changed { try storeChunks(cluster, .chunks, transaction) }
    for cluster in changed { try storeChunks(cluster, .backlinks, transaction) }
  }

  /// Stores the records of the classes that changed.
  internal func storeRecords(into transaction: Writer) throws(PageStoreError) {
    for (number, record) in directory.records.enumerated()
    where number >= storedRecords.count || record != storedRecords[number] {
      let classKey = ClassKey(rawValue: UInt16(number))
      try transaction.put(.meta, ClassRecord.key(of: classKey), record.encoded)
    }
  }

  /// Forgets all clusters, whose changes are stored; backlinks that wait go on waiting.
  internal func removeAll() {
    let heldByteCount = changedByteCount
    directory.removeAll()
    // What a large transaction held goes back to the system, not only to the next one.
    if heldByteCount > 32 << 20 { Memory.giveBack() }
    storedRecords = directory.records
    changedByteCount = directory.table.pointee.waiting.byteCount
  }

  // MARK: - Headers and chunks

  /// Finds out which of the changed columns have a chunk, and stores the header that says so.
  ///
  /// A cluster without objects has none, whatever its dead ones have left.
  private func storeHeader(
    _ cluster: Cluster,
    _ transaction: Writer
  ) throws(PageStoreError) {
    let body = cluster.body
    let properties = body.pointee.propertyCount
    let isDead = cluster.header.live.isEmpty
    for index in 0..<body.pointee.chunkCount
    where isDead || body.chunks[index].isChanged {
      let isProperty = index < properties
      let number = UInt16(isProperty ? index : index - properties)
      var isStored = false
      if !isDead {
        guard let owner = unsafe body.chunks[index].owner else { continue }
        isStored = unsafe ChunkCodec.isStored(
          owner.takeUnretainedValue(),
          live: cluster.header.live,
          keepsNulls: isProperty && keepsNulls(cluster.classKey, number)
        )
      }
      guard isStored != body.chunks[index].isStored else { continue }
      body.chunks[index].isStored = isStored
      body.pointee.isHeaderChanged = true
      if !isStored {
        let key = ChunkKey(cluster.classKey, cluster: cluster.number, column: number + 1)
        try transaction.delete(isProperty ? .chunks : .backlinks, key.rawValue)
      }
    }
    guard body.pointee.isHeaderChanged else { return }
    let key = ChunkKey(cluster.classKey, cluster: cluster.number, column: 0)
    try transaction.put(.clusters, key.rawValue, cluster.encodedHeader.encoded)
  }

  /// Encodes the changed columns of properties, or of backlinks, in the order of their columns.
  private func storeChunks(
    _ cluster: Cluster,
    _ tree: Tree,
    _ transaction: Writer
  ) throws(PageStoreError) {
    let body = cluster.body
    let properties = body.pointee.propertyCount
    let range = tree == .chunks ? 0..<properties : properties..<body.pointee.chunkCount
    for index in range
    where body.chunks[index].isChanged && body.chunks[index].isStored {
      guard let owner = unsafe body.chunks[index].owner else { continue }
      let number = UInt16(index - range.lowerBound)
      let key = ChunkKey(cluster.classKey, cluster: cluster.number, column: number + 1)
      chunkBytes.removeAll(keepingCapacity: true)
      _ = unsafe ChunkCodec.encode(
        owner.takeUnretainedValue(),
        live: cluster.header.live,
        keepsNulls: tree == .chunks && keepsNulls(cluster.classKey, number),
        into: &chunkBytes
      )
      try transaction.put(tree, key.rawValue, chunkBytes)
    }
  }

  /// Whether places past a chunk's end read as something else than null or empty.
  private func keepsNulls(_ classKey: ClassKey, _ number: UInt16) -> Bool {
    guard let property = schema[classKey]?[PropertyKey(rawValue: number)] else { return false }
    return !property.isCollection && !property.fillValue.isNull
  }

  // MARK: - Values outside their chunks

  /// Moves what is too large for a chunk out of the changed columns of a cluster.
  internal func storeExternals(
    _ cluster: Cluster,
    _ pending: inout PendingPieces
  ) throws(StorageError) {
    for index in 0..<cluster.body.pointee.chunkCount {
      guard case .decoded(let column, true) = cluster.state(index) else { continue }
      switch column.type.form {
      case .words, .pairs: continue
      case .cells where column.body.pointee.longest <= ExternalBytes.longestInlineCell:
        continue
      case .keys
      where column.body.pointee.longest <= ExternalBytes.longestInlineKeyList
        && !column.body.pointee.hasExternals:
        continue
      case .cells:
        for place in 0..<column.count where cluster.isLive(place) {
          let bytes = column.body.pointee.cell(at: place)
          guard bytes.count > ExternalBytes.longestInlineCell else { continue }
          let location = pieces.add(Array(bytes), &pending)
          column.body.pointee.setExternal(location, at: place)
        }
      case .keys:
        for place in 0..<column.count where cluster.isLive(place) {
          try storeKeys(column, place)
        }
      case .collections:
        for place in 0..<column.count where cluster.isLive(place) {
          storeCollection(column, place, &pending)
        }
      }
    }
    try inPages { () throws(PageStoreError) in try pending.flushIfLarge() }
  }

  private func storeKeys(_ column: MutableColumn, _ place: Int) throws(StorageError) {
    if let location = column.body.pointee.external(at: place) {
      // A long list that got short comes back into the chunk.
      if let keys = try pieces.takeShortList(location) { column.keys[place] = .inline(keys) }
      return
    }
    let keys = unsafe column.body.pointee.keys(at: place)
    guard keys.count > ExternalBytes.longestInlineKeyList else { return }
    unsafe column.body.pointee.setExternal(pieces.add(keys: Array(keys)), at: place)
  }

  private func storeCollection(
    _ column: MutableColumn,
    _ place: Int,
    _ pending: inout PendingPieces
  ) {
    guard case .inline(let value) = column.collections[place],
      value.roughByteCount > ExternalBytes.largestInlineCollection
    else { return }
    column.collections[place] = .external(pieces.add(MixedCodec.encode(value), &pending))
  }
}
