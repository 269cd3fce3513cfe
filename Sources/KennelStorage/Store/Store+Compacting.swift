import Glibc
import KennelLMDB

extension Store {
  /// Puts a copy without free pages in the place of a file that nobody has open.
  ///
  /// The copy is written beside the file, synchronized and checked before it takes the file's name, so
  /// that there is the one or the other whenever the process ends. Who opens the file meanwhile waits.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - isWanted: Asked, with nobody having the file open, with its size and how much of it is in use,
  ///     in bytes.
  /// - Returns: Whether it was done: not where somebody has the file open, it has several names, it
  ///   may not be written, or it was not wanted.
  /// - Throws: `StorageError` if there is no such file, it is damaged or none of Kennel's, or the disk
  ///   is full; the file is as it was then.
  package static func compact(
    _ path: String,
    if isWanted: (_ totalByteCount: Int, _ usedByteCount: Int) -> Bool
  ) throws(StorageError) -> Bool {
    let opened = try lmdb { () throws(LMDBError) in try Environment.openAlone(path: path) }
    guard let environment = opened else { return false }
    do throws(StorageError) {
      let usage = try usage(of: environment)
      guard isWanted(usage.total, usage.used) else {
        environment.close()
        return false
      }
      try Store(environment, fileID: usage.id).clearDeadPlaces()
    } catch {
      environment.close()
      throw error
    }
    let copy = environment.path + "-compacting"
    for leftover in [copy, copy + "-lock"] { unsafe unlink(leftover) }
    do throws(StorageError) {
      let report = try check(environment)
      try lmdb { () throws(LMDBError) in try environment.copy(to: copy) }
      try requireSame(report, in: copy)
      try renumberCommits(copy)
    } catch {
      unsafe unlink(copy)
      environment.close()
      throw error
    }
    try lmdb { () throws(LMDBError) in try environment.replace(with: copy) }
    return true
  }

  /// The size of a file of Kennel's, the room of its pages that are not free, and its id.
  private static func usage(
    of environment: Environment
  ) throws(StorageError) -> (total: Int, used: Int, id: UUIDValue) {
    let source = try TreeSource(pinning: environment)
    defer { source.release() }
    guard let header = try header(source, environment.path), let pin = source.pin else {
      throw .notKennel(path: environment.path)
    }
    let total = environment.fileSizeInBytes
    let usedPages = pin.pageCount - (try WholeFileCheck.countFreePages(pin))
    return (total, min(total, usedPages * pin.pageSize), header.id)
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

  private static func check(
    _ environment: Environment
  ) throws(StorageError) -> WholeFileCheck.Report {
    let pin = try lmdb { () throws(LMDBError) in try environment.beginRead() }
    defer { pin.release() }
    return try WholeFileCheck.run(pin)
  }

  /// A copy must have every entry of the original.
  private static func requireSame(
    _ report: WholeFileCheck.Report,
    in path: String
  ) throws(StorageError) {
    let copy = try lmdb { () throws(LMDBError) in try Environment.openCopy(path) }
    defer {
      copy.close()
      unsafe unlink(path + "-lock")
    }
    let found = try check(copy)
    guard found.entries == report.entries, found.trees == report.trees else {
      throw .damaged(
        in: "the copy",
        "it has \(found.entries) entries, the file \(report.entries)"
      )
    }
  }

  private static func lmdb<Result>(
    _ body: () throws(LMDBError) -> Result
  ) throws(StorageError) -> Result {
    do throws(LMDBError) {
      return try body()
    } catch {
      throw .lmdb(error)
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
    let chunks = unsafe cluster.body.chunks
    for property in classSchema.properties {
      if let index = cluster.index(of: property.key), unsafe chunks[index].isStored {
        _ = try column(cluster, property, 0)
      }
    }
    for backlinks in classSchema.backlinkColumns {
      if let index = cluster.index(ofBacklinks: backlinks.number), unsafe chunks[index].isStored {
        _ = try unsafe backlinkColumn(cluster, backlinks.number, 0)
      }
    }
    return facts.previous
  }
}
