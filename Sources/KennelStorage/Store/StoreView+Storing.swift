import KennelLMDB

/// Encoding changes and handing them to LMDB, each tree in the order of its keys.
extension StoreView {
  /// Stores every change.
  ///
  /// After this nothing of the view is changed, and values stored by it are
  /// read from the transaction.
  internal func store(into transaction: WriteTransaction) throws(StorageError) {
    let changed = directory.all.filter(\.isChanged).sorted {
      $0.classKey == $1.classKey ? $0.number < $1.number : $0.classKey < $1.classKey
    }
    var puts = TreePuts(transaction)
    for cluster in changed { try storeExternals(cluster, &puts) }
    do throws(LMDBError) {
      try puts.flush(.pieces)
      try storeLongLists(transaction)
      for cluster in changed { try storeChunks(cluster, &puts) }
      try puts.flush(.chunks)
      for cluster in changed { try storeBacklinkChunks(cluster, &puts) }
      try puts.flush(.backlinks)
      for cluster in changed where cluster.isHeaderChanged {
        let key = ChunkKey(cluster.classKey, cluster: cluster.number, slot: 0)
        puts.put(key.rawValue, cluster.header.encoded(for: key))
      }
      try puts.flush(.clusters)
      try storeIndexChanges(transaction)
      for (number, record) in records.enumerated() {
        let classKey = ClassKey(rawValue: UInt16(number))
        puts.put(ClassRecord.key(of: classKey), record.encoded(for: classKey))
      }
      puts.put(FileHeader.key, header.encoded)
      try puts.flush(.meta)
    } catch {
      throw .lmdb(error)
    }
    directory = ClusterDirectory()
    longLists = [:]
    storedRecords = records
    changedByteCount = 0
  }

  // MARK: - Chunks

  private func storeChunks(_ cluster: Cluster, _ puts: inout TreePuts) throws(LMDBError) {
    guard let classSchema = schema[cluster.classKey] else { return }
    for slot in cluster.chunks.indices {
      guard case .decoded(let column, true) = cluster.chunks[slot],
        let property = classSchema[PropertyKey(rawValue: UInt16(slot))]
      else { continue }
      let key = ChunkKey(cluster.classKey, cluster: cluster.number, slot: UInt16(slot) + 1)
      let bytes = ChunkCodec.encode(
        column,
        key: key,
        live: cluster.header.live.bits,
        keepsNulls: !property.isCollection && !property.fillValue.isNull
      )
      let isThere = cluster.header.slots.setSorted(UInt16(slot), !bytes.isEmpty)
      if isThere == bytes.isEmpty { cluster.isHeaderChanged = true }
      if bytes.isEmpty {
        if isThere { try puts.transaction.delete(.chunks, key.rawValue) }
      } else {
        puts.put(key.rawValue, bytes)
      }
    }
    try puts.flushIfLarge(.chunks)
  }

  private func storeBacklinkChunks(
    _ cluster: Cluster,
    _ puts: inout TreePuts
  ) throws(LMDBError) {
    for slot in cluster.backlinkChunks.indices {
      guard case .decoded(let column, true) = cluster.backlinkChunks[slot] else { continue }
      let key = ChunkKey(cluster.classKey, cluster: cluster.number, slot: UInt16(slot) + 1)
      let bytes = ChunkCodec.encode(column, key: key, live: cluster.header.live.bits)
      let isThere = cluster.header.backlinkSlots.setSorted(UInt16(slot), !bytes.isEmpty)
      if isThere == bytes.isEmpty { cluster.isHeaderChanged = true }
      if bytes.isEmpty {
        if isThere { try puts.transaction.delete(.backlinks, key.rawValue) }
      } else {
        puts.put(key.rawValue, bytes)
      }
    }
    try puts.flushIfLarge(.backlinks)
  }

  // MARK: - Values outside their chunks

  /// Moves what is too large for a chunk out of the changed columns of a cluster.
  private func storeExternals(
    _ cluster: Cluster,
    _ puts: inout TreePuts
  ) throws(StorageError) {
    for state in cluster.chunks + cluster.backlinkChunks {
      guard case .decoded(let column, true) = state else { continue }
      switch column.type.form {
      case .words, .pairs: continue
      case .cells:
        for place in 0..<column.count where cluster.isLive(place) {
          if case .inline(let bytes) = column.cells[place],
            bytes.count > ExternalBytes.longestInlineCell
          {
            column.cells[place] = .external(storeBytes(bytes, count: bytes.count, &puts))
          }
        }
      case .keys:
        for place in 0..<column.count where cluster.isLive(place) {
          try storeKeys(column, place)
        }
      case .collections:
        for place in 0..<column.count where cluster.isLive(place) {
          storeCollection(column, place, &puts)
        }
      }
    }
    do throws(LMDBError) {
      try puts.flushIfLarge(.pieces)
    } catch {
      throw .lmdb(error)
    }
  }

  private func storeBytes(
    _ bytes: [UInt8],
    count: Int,
    id given: UInt64? = nil,
    _ puts: inout TreePuts
  ) -> ExternalLocation {
    let id = given ?? takePieceID()
    var piece: UInt32 = 0
    var start = 0
    repeat {
      let end = min(start + ExternalBytes.pieceByteCount, bytes.count)
      var writer = ByteWriter()
      writer.append(bytes: bytes[start..<end])
      let key = PieceKey.of(id, piece)
      writer.appendChecksum(for: key)
      puts.put(key, writer.bytes)
      start = end
      piece += 1
    } while start < bytes.count
    return ExternalLocation(id: id, count: UInt64(count), revision: 0)
  }

  private func storeKeys(_ column: MutableColumn, _ place: Int) throws(StorageError) {
    switch column.keys[place] {
    case .inline(let keys):
      guard keys.count > ExternalBytes.longestInlineKeyList else { return }
      let list = LongKeyList(keys, id: takePieceID())
      longLists[list.id] = list
      column.keys[place] = .external(
        ExternalLocation(id: list.id, count: UInt64(keys.count), revision: 0)
      )
    case .external(let location):
      // A long list that got short comes back into the chunk.
      guard let list = longLists[location.id], list.isChanged, list.count <= 64 else { return }
      column.keys[place] = .inline(try list.allKeys(self))
      droppedPieces.append(location)
    }
  }

  private func storeCollection(
    _ column: MutableColumn,
    _ place: Int,
    _ puts: inout TreePuts
  ) {
    guard case .inline(let value) = column.collections[place],
      value.roughByteCount > ExternalBytes.largestInlineCollection
    else { return }
    let id = takePieceID()
    let bytes = MixedCodec.encode(value)
    column.collections[place] = .external(storeBytes(bytes, count: bytes.count, id: id, &puts))
  }

  private func takePieceID() -> UInt64 {
    defer { header.nextPieceID += 1 }
    return header.nextPieceID
  }

  private func storeLongLists(_ transaction: WriteTransaction) throws(LMDBError) {
    for location in droppedPieces {
      try deletePieces(of: location, transaction)
      longLists[location.id] = nil
    }
    droppedPieces = []
    for (id, list) in longLists.sorted(by: { $0.key < $1.key }) where list.isChanged {
      for piece in list.dropped { try transaction.delete(.pieces, PieceKey.of(id, piece)) }
      try transaction.put(.pieces, PieceKey.of(id, 0), list.encodedDirectory)
      for entry in list.entries where entry.isChanged {
        let key = PieceKey.of(id, entry.piece)
        try transaction.put(
          .pieces,
          key,
          ElementPieces.encode(keys: entry.keys ?? [], key: key)
        )
      }
      list.markStored()
    }
  }

  private func deletePieces(
    of location: ExternalLocation,
    _ transaction: WriteTransaction
  ) throws(LMDBError) {
    try transaction.deleteRange(
      .pieces,
      PieceKey.of(location.id, 0)...PieceKey.of(location.id, PieceKey.limit - 1)
    )
  }
}

/// Values on their way into one tree, handed over in the order of their keys.
private struct TreePuts {
  let transaction: WriteTransaction
  private var pending: [(key: UInt64, bytes: [UInt8])] = []
  private var byteCount = 0

  init(_ transaction: WriteTransaction) {
    self.transaction = transaction
  }

  mutating func put(_ key: UInt64, _ bytes: [UInt8]) {
    pending.append((key, bytes))
    byteCount += bytes.count
  }

  /// Encoded chunks need not all wait: clusters come in order already.
  mutating func flushIfLarge(_ tree: Tree) throws(LMDBError) {
    if byteCount > 4 << 20 { try flush(tree) }
  }

  mutating func flush(_ tree: Tree) throws(LMDBError) {
    pending.sort { $0.key < $1.key }
    for (key, bytes) in pending { try transaction.put(tree, key, bytes) }
    pending.removeAll(keepingCapacity: true)
    byteCount = 0
  }
}

extension [UInt16] {
  /// Puts a number into an ascending array or takes it out; whether it was there before.
  fileprivate mutating func setSorted(_ number: UInt16, _ isIn: Bool) -> Bool {
    let index = partitioningIndex { $0 >= number }
    let isThere = index < count && self[index] == number
    if isIn, !isThere { insert(number, at: index) }
    if !isIn, isThere { remove(at: index) }
    return isThere
  }
}
