import KennelPages

extension DatabaseFile {
  /// Puts a copy without free pages in the place of a file that nobody has open.
  ///
  /// The copy is written beside the file, synchronized and checked before it takes the file's name, so
  /// that there is the one or the other whenever the process ends. Who opens the file meanwhile waits.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - key: What it is opened with if it is encrypted.
  ///   - encryption: What it is encrypted with then.
  ///   - isWanted: Asked, with nobody having the file open, with its size and how much of it is in use,
  ///     in bytes.
  /// - Returns: Whether it was done: not where somebody has the file open, it has several names, it
  ///   may not be written, or it was not wanted.
  /// - Throws: `StorageError` if there is no such file, it is damaged or none of Kennel's, or the disk
  ///   is full; the file is as it was then.
  package static func compact(
    _ path: String,
    key: DatabaseKey? = nil,
    _ encryption: DatabaseEncryption = .unchanged,
    if isWanted: (_ totalByteCount: Int, _ usedByteCount: Int) -> Bool
  ) throws(StorageError) -> Bool {
    let opened = try inPages { () throws(PageStoreError) in
      try PageStore.openAlone(path, key: key?.pageKey)
    }
    guard let pages = opened else { return false }
    defer { pages.close() }
    let store = try DatabaseFile(pages, isReadOnly: false)
    guard try store.isCompactingWanted(isWanted) else { return false }
    try store.clearDeadPlaces()
    return try inPages { () throws(PageStoreError) in
      try pages.replaceWithCopy(encryption.ofCopy)
      return true
    }
  }

  /// Asks with the size of the file, and the room of its pages that are not free.
  private func isCompactingWanted(_ isWanted: (Int, Int) -> Bool) throws(StorageError) -> Bool {
    try inPages { () throws(PageStoreError) in
      let snapshot = try pages.snapshot()
      let free = try PageUsage.freePageCount(snapshot)
      let total = pages.fileByteCount
      return isWanted(total, min(total, (snapshot.pageCount - free) * snapshot.pageSize))
    }
  }

  /// Stores what living objects have without what dead ones among them have left.
  private func clearDeadPlaces() throws(StorageError) {
    let writer = try beginWrite()
    do throws(StorageError) {
      for classSchema in writer.view.schema.classes {
        var next = writer.view.clusters.record(of: classSchema.key).lastCluster
        while let number = next {
          next = try writer.view.clusters.markDeadPlaces(of: classSchema, number)
          try writer.spill()
        }
      }
      if writer.view.clusters.isChanged { _ = try writer.commit() } else { writer.rollback() }
    } catch {
      writer.rollback()
      throw error
    }
  }
}

extension ClusterStore {
  /// Marks the chunks of a cluster with dead places as changed; gives the number of the one before.
  fileprivate func markDeadPlaces(
    of classSchema: ClassSchema,
    _ number: UInt64
  ) throws(StorageError) -> UInt64? {
    guard let cluster = try cluster(classSchema.key, number) else { return nil }
    let facts = cluster.header
    guard facts.live.count < facts.count else { return facts.previous }
    let chunks = cluster.body.chunks
    for property in classSchema.properties {
      if let index = cluster.index(of: property.key), chunks[index].isStored {
        _ = try column(cluster, property, 0)
      }
    }
    for backlinks in classSchema.backlinkColumns {
      if let index = cluster.index(ofBacklinks: backlinks.number), chunks[index].isStored {
        _ = try backlinkColumn(cluster, backlinks.number, 0)
      }
    }
    return facts.previous
  }
}
