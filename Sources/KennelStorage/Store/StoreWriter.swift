import KennelPages

/// The one writer of a file: a view whose changes are stored.
package final class StoreWriter {
  package let view: StoreView
  internal let transaction: Writer
  private var isSchemaChanged = false
  /// More memory than this is not held by changes: they are handed to the page store early.
  package static let memoryBudgetInBytes = ClusterTable.memoryBudgetInBytes

  internal init(_ transaction: Writer, _ view: StoreView) {
    self.transaction = transaction
    self.view = view
  }

  /// Makes the backlinks that are due, and hands the changes to the page store if they hold more memory
  /// than they should.
  package func spill(beyond budget: Int = memoryBudgetInBytes) throws(StorageError) {
    try view.backlinks.flushDue()
    if view.clusters.changedByteCount > budget { try flush(keeping: budget / 2) }
  }

  /// Hands the changes to the page store, which is read from then on.
  ///
  /// Backlinks that wait go on waiting unless they take more than `byteCount` bytes: the longer they
  /// wait, the more of them are noted in one column.
  internal func flush(keeping byteCount: Int = 0) throws(StorageError) {
    let areFew = view.clusters.directory.table.pointee.waiting.byteCount <= byteCount
    if areFew { try store() } else { try storeAll() }
    view.source = TreeSource(transaction)
  }

  /// Hands every change to the page store, those of backlinks that wait in portions.
  private func storeAll() throws(StorageError) {
    while true {
      let room = Self.memoryBudgetInBytes - view.clusters.changedByteCount
      try view.backlinks.flush(growingBy: max(room, Self.memoryBudgetInBytes / 4))
      try store()
      if !view.clusters.isChanged { return }
      view.source = TreeSource(transaction)
    }
  }

  /// Hands every changed column to the page store, each tree in the order of its keys.
  ///
  /// After this no column of the view is changed, and the values are read from the transaction.
  private func store() throws(StorageError) {
    let changed = view.clusters.changed
    var pending = PendingPieces(transaction)
    for cluster in changed { try view.clusters.storeExternals(cluster, &pending) }
    try inPages { () throws(PageStoreError) in
      try pending.flush()
      try view.pieces.storeLists(into: transaction)
      try view.clusters.store(changed, into: transaction)
      try view.indexes.store(into: transaction)
      try view.clusters.storeRecords(into: transaction)
    }
    view.clusters.removeAll()
    view.pieces.closeLists()
  }

  /// Makes index entries for the objects of a class that are there, of a property that had none.
  ///
  /// n log n in their number.
  ///
  /// - Throws: `StorageError` if the file is damaged, or the disk is full.
  package func buildIndex(
    _ classKey: ClassKey,
    _ property: PropertySchema,
    memoryBudgetInBytes: Int = memoryBudgetInBytes
  ) throws(StorageError) {
    try view.addEntries(classKey, property) { () throws(StorageError) in
      try spill(beyond: memoryBudgetInBytes)
    }
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
    view.header.schemaVersion = max(1, view.header.schemaVersion &+ 1)
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
      try storeAll()
      view.header.nextPieceID = view.pieces.nextID
      try inPages { () throws(PageStoreError) in
        if isSchemaChanged {
          try transaction.put(.meta, FileHeader.schemaKey, SchemaCodec.encode(view.schema))
        }
        try transaction.setNote(view.header.encoded)
        view.clusters.closePoints()
        try transaction.commit()
      }
      CommitSignal.shared.post()
      return transaction.commitNumber
    } catch {
      rollback()
      throw error
    }
  }

  /// Gives every change up; may be called again.
  package func rollback() {
    view.clusters.closePoints()
    transaction.abort()
    view.source.release()
  }
}
