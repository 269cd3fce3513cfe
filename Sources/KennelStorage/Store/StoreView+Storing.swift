import KennelLMDB

/// Encoding changes and handing them to LMDB, each tree in the order of its keys.
extension StoreView {
  /// Stores every change.
  ///
  /// After this nothing of the view is changed, and values stored by it are
  /// read from the transaction.
  internal func store(into transaction: WriteTransaction) throws(StorageError) {
    try settleBacklinks()
    let changed = directory.changed.sorted {
      $0.classKey == $1.classKey ? $0.number < $1.number : $0.classKey < $1.classKey
    }
    var puts = TreePuts(transaction)
    for cluster in changed { try storeExternals(cluster, &puts) }
    do throws(LMDBError) {
      try puts.flush(.pieces)
      try storeLongLists(transaction)
      // Headers come first. They change most often, and LMDB takes the lowest free page first:
      // what later commits leave of them is a run of neighbours below all chunks, which the pages
      // that each small commit writes share, and so they go to the disk in one piece.
      for cluster in changed { try storeHeader(cluster, transaction) }
      for cluster in changed { try storeChunks(cluster, .chunks, transaction) }
      for cluster in changed { try storeChunks(cluster, .backlinks, transaction) }
      try storeIndexChanges(transaction)
      for (number, record) in records.enumerated()
      where number >= storedRecords.count || record != storedRecords[number] {
        let classKey = ClassKey(rawValue: UInt16(number))
        puts.put(ClassRecord.key(of: classKey), record.encoded(for: classKey))
      }
      try puts.flush(.meta)
    } catch {
      throw .lmdb(error)
    }
    let heldByteCount = changedByteCount
    directory.removeAll()
    // What a large transaction held goes back to the system, not only to the next one.
    if heldByteCount > 32 << 20 { Memory.giveBack() }
    longLists = [:]
    storedRecords = records
    changedByteCount = 0
  }

  // MARK: - Headers and chunks

  /// Finds out which of the changed columns have a chunk, and stores the header that says so.
  ///
  /// A cluster without objects has none, whatever its dead ones have left.
  private func storeHeader(
    _ cluster: Cluster,
    _ transaction: WriteTransaction
  ) throws(LMDBError) {
    let body = cluster.body
    let properties = body.pointee.propertyCount
    let isDead = cluster.header.live.isEmpty
    for index in 0..<body.pointee.slotCount where isDead || body.slots[index].isChanged {
      let isProperty = index < properties
      let slot = UInt16(isProperty ? index : index - properties)
      var isStored = false
      if !isDead {
        guard let owner = body.slots[index].owner else { continue }
        isStored = ChunkCodec.isStored(
          owner.takeUnretainedValue(),
          live: cluster.header.live.bits,
          keepsNulls: isProperty && keepsNulls(cluster.classKey, slot)
        )
      }
      guard isStored != body.slots[index].isStored else { continue }
      body.slots[index].isStored = isStored
      body.pointee.isHeaderChanged = true
      if !isStored {
        let key = ChunkKey(cluster.classKey, cluster: cluster.number, slot: slot + 1)
        try transaction.delete(isProperty ? .chunks : .backlinks, key.rawValue)
      }
    }
    guard body.pointee.isHeaderChanged else { return }
    let key = ChunkKey(cluster.classKey, cluster: cluster.number, slot: 0)
    try transaction.put(.clusters, key.rawValue, cluster.encodedHeader.encoded(for: key))
  }

  /// Encodes the changed columns of properties, or of backlinks, in the order of their slots.
  private func storeChunks(
    _ cluster: Cluster,
    _ tree: Tree,
    _ transaction: WriteTransaction
  ) throws(LMDBError) {
    let body = cluster.body
    let properties = body.pointee.propertyCount
    let range = tree == .chunks ? 0..<properties : properties..<body.pointee.slotCount
    for index in range
    where body.slots[index].isChanged && body.slots[index].isStored {
      guard let owner = body.slots[index].owner else { continue }
      let slot = UInt16(index - range.lowerBound)
      let key = ChunkKey(cluster.classKey, cluster: cluster.number, slot: slot + 1)
      chunkBytes.removeAll(keepingCapacity: true)
      _ = ChunkCodec.encode(
        owner.takeUnretainedValue(),
        key: key,
        live: cluster.header.live.bits,
        keepsNulls: tree == .chunks && keepsNulls(cluster.classKey, slot),
        into: &chunkBytes
      )
      try transaction.put(tree, key.rawValue, chunkBytes)
    }
  }

  /// Whether places past a chunk's end read as something else than null or empty.
  private func keepsNulls(_ classKey: ClassKey, _ slot: UInt16) -> Bool {
    guard let property = schema[classKey]?[PropertyKey(rawValue: slot)] else { return false }
    return !property.isCollection && !property.fillValue.isNull
  }

  // MARK: - Values outside their chunks

  /// Moves what is too large for a chunk out of the changed columns of a cluster.
  private func storeExternals(
    _ cluster: Cluster,
    _ puts: inout TreePuts
  ) throws(StorageError) {
    for index in 0..<cluster.body.pointee.slotCount {
      guard case .decoded(let column, true) = cluster.state(index) else { continue }
      switch column.type.form {
      case .words, .pairs: continue
      case .cells where column.body.pointee.longest <= ExternalBytes.longestInlineCell: continue
      case .keys
      where column.body.pointee.longest <= ExternalBytes.longestInlineKeyList
        && !column.body.pointee.hasExternals:
        continue
      case .cells:
        for place in 0..<column.count where cluster.isLive(place) {
          let bytes = column.body.pointee.cell(at: place)
          guard bytes.count > ExternalBytes.longestInlineCell else { continue }
          let location = storeBytes(Array(bytes), count: bytes.count, &puts)
          column.body.pointee.setExternal(location, at: place)
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
    guard let location = column.body.pointee.external(at: place) else {
      let keys = column.body.pointee.keys(at: place)
      guard keys.count > ExternalBytes.longestInlineKeyList else { return }
      let list = LongKeyList(Array(keys), id: takePieceID())
      longLists[list.id] = list
      column.body.pointee.setExternal(
        ExternalLocation(id: list.id, count: UInt64(keys.count), revision: 0),
        at: place
      )
      return
    }
    // A long list that got short comes back into the chunk.
    guard let list = longLists[location.id], list.isChanged, list.count <= 64 else { return }
    column.keys[place] = .inline(try list.allKeys(self))
    droppedPieces.append(location)
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
