package import KennelLMDB

/// The one writer of a file: a view whose changes are stored.
package final class StoreWriter {
  package let view: StoreView
  internal let transaction: WriteTransaction
  private var isSchemaChanged = false
  /// More memory than this is not held by changes: they are handed to LMDB early.
  package static let memoryBudgetInBytes = PointWriter.memoryBudgetInBytes

  internal init(_ transaction: WriteTransaction, _ view: StoreView) {
    self.transaction = transaction
    self.view = view
  }

  /// Hands the changes to LMDB if they hold more memory than they should.
  package func spill(beyond budget: Int = memoryBudgetInBytes) throws(StorageError) {
    if view.clusters.changedByteCount > budget { try flush() }
  }

  /// Hands the changes to LMDB, which is read from then on.
  internal func flush() throws(StorageError) {
    try store()
    view.source = TreeSource(transaction)
  }

  /// Hands every change to LMDB, each tree in the order of its keys.
  ///
  /// After this nothing of the view is changed, and the values are read from the transaction.
  private func store() throws(StorageError) {
    try view.backlinks.settle()
    let changed = view.clusters.changed
    var pending = PendingPieces(transaction)
    for cluster in changed { try view.clusters.storeExternals(cluster, &pending) }
    do throws(LMDBError) {
      try pending.flush()
      try view.pieces.storeLists(into: transaction)
      try view.clusters.store(changed, into: transaction)
      try view.indexes.store(into: transaction)
      try view.clusters.storeRecords(into: transaction)
    } catch {
      throw .lmdb(error)
    }
    view.clusters.removeAll()
    view.pieces.closeLists()
  }

  /// Replaces the schema, and removes what is stored of classes, which have no objects, and properties
  /// that it lacks.
  package func setSchema(_ schema: Schema) throws(StorageError) {
    let lost = LostParts(from: view.schema, to: schema)
    // Clusters that were met have room for the columns of the old schema only.
    if view.clusters.isChanged || !lost.isEmpty { try flush() }
    try remove(lost)
    let records = view.records
    view.schema = schema
    unsafe view.header.schemaVersion += 1
    isSchemaChanged = true
    view.clusters.directory.close()
    view.clusters.directory.records = records
    view.clusters.directory.growRecords(
      to: schema.classes.map { Int($0.key.rawValue) + 1 }.max() ?? 0
    )
  }

  /// Makes every change last; the writer is over whatever happens.
  package func commit() throws(StorageError) -> UInt64 {
    do throws(StorageError) {
      try storeHeader()
      if isSchemaChanged {
        var writer = ByteWriter()
        writer.append(bytes: SchemaCodec.encode(view.schema))
        writer.appendChecksum(for: FileHeader.schemaKey)
        do throws(LMDBError) {
          try transaction.put(.meta, FileHeader.schemaKey, writer.bytes)
        } catch {
          throw .lmdb(error)
        }
      }
      try store()
      if unsafe view.pieces.nextID != view.header.nextPieceID { try storeHeader() }
      view.clusters.closePoints()
      do throws(LMDBError) {
        try transaction.commit()
      } catch {
        throw .lmdb(error)
      }
      if let knowledge = view.source.knowledge, let written = transaction.writtenPages {
        view.store.known.advance(knowledge, to: transaction.transactionID, written: written)
      }
      CommitSignal.shared.post()
      return transaction.transactionID
    } catch {
      rollback()
      throw error
    }
  }

  /// Stores the header: before all else, so that its page is the first that the commit takes.
  ///
  /// With the branches of the tree of chunks it then lies in pages next to each other that small
  /// commits hand to one another; what is stored last takes pages that older commits have left
  /// anywhere, and each piece costs a wait of its own.
  private func storeHeader() throws(StorageError) {
    unsafe view.header.nextPieceID = view.pieces.nextID
    do throws(LMDBError) {
      try unsafe transaction.put(&view.header)
    } catch {
      throw .lmdb(error)
    }
  }

  /// Ends a transaction that another thread was to end and could not.
  package func settle() { transaction.abort() }

  /// Gives every change up; may be called again.
  package func rollback() {
    view.clusters.closePoints()
    transaction.abort()
    view.source.release()
  }
}

extension WriteTransaction {
  /// The header's bytes, and whether they are in `meta` as yet.
  internal func storedHeader() throws(LMDBError)
    -> (bytes: UnsafeRawBufferPointer, isInMeta: Bool)?
  {
    if let bytes = try unsafe headerInMainTree() { return unsafe (bytes, false) }
    return try unsafe get(.meta, FileHeader.key).map { unsafe ($0, true) }
  }

  /// Stores the header as this commit writes it, and removes it from where older files have it.
  package func put(_ header: inout FileHeader) throws(LMDBError) {
    header.commitNumber = transactionID
    try unsafe header.encoded.withRawBytes { (raw) throws(LMDBError) in
      try unsafe putHeaderInMainTree(raw)
    }
    if header.isInMeta {
      try delete(.meta, FileHeader.key)
      header.isInMeta = false
    }
  }
}
