package import KennelPages
import Synchronization

/// The fate of a file and its name while the file is open.
///
/// ```swift
/// if database.filePlace == .replaced { print("Another file is at \(database.path)") }
/// ```
public enum FilePlace: Hashable, Sendable {
  /// The name leads to the file.
  case unchanged
  /// The name leads to another file.
  case replaced
  /// The name leads nowhere: the file was deleted, moved or renamed.
  case gone
  /// Another program has overwritten the file with other data. What was read before may change with it:
  /// open the file again.
  case overwritten
}

/// A Kennel file that is open: hands out views and the writer.
package final class DatabaseFile: Sendable {
  package let pages: PageStore
  /// The id that the file has for its life, whatever its name.
  package let fileID: UUIDValue
  /// Whether whoever opened the file asked for reading only; others of this process may write.
  private let isReadOnly: Bool
  /// The schema read last, so that the views of one schema version share one.
  private let knownSchema: Mutex<(version: UInt64, schema: Schema)>
  /// Tables of the primary keys of the newest commit.
  internal let numbers = NumberTables()

  /// Opens a file; a missing or empty one is made a Kennel file if `create` says so, with a random
  /// id if none is given.
  ///
  /// - Throws: `StorageError` if the file cannot be opened, is damaged, is not one of Kennel's or
  ///   of a newer format. The file is left as it was.
  package convenience init(
    path: String,
    isReadOnly: Bool,
    create: Bool,
    id: UUIDValue? = nil,
    key: DatabaseKey? = nil
  ) throws(StorageError) {
    let id = id ?? .random
    let pages = try inPages { () throws(PageStoreError) in
      try PageStore.open(
        path: path,
        access: isReadOnly ? .readOnly : .readWrite,
        create: create,
        fileID: FileID(high: id.high, low: id.low),
        note: FileHeader().encoded,
        key: key?.pageKey
      )
    }
    do throws(StorageError) {
      try self.init(pages, isReadOnly: isReadOnly)
    } catch {
      pages.close()
      throw error
    }
  }

  /// A store of a file that is open already, which `close` closes.
  ///
  /// - Throws: `StorageError` if it is damaged, is not one of Kennel's or of a newer format.
  internal init(_ pages: PageStore, isReadOnly: Bool) throws(StorageError) {
    self.pages = pages
    self.isReadOnly = isReadOnly
    fileID = UUIDValue(high: pages.fileID.high, low: pages.fileID.low)
    knownSchema = Mutex((.max, Schema()))
    _ = try header(TreeSource(pinning: pages))
  }

  package func close() {
    pages.close()
  }

  package var path: String { pages.path }

  package var isEncrypted: Bool { pages.isEncrypted }

  /// The number of the newest commit, from whatever process.
  package var latestTransactionID: UInt64 { pages.newestCommit }

  /// The commit that opening the file has undone.
  package var undoneCommit: UInt64? { pages.undoneCommit }

  /// How many commits there are from the oldest that is pinned, in whatever process, to the newest.
  package var keptCommitCount: Int {
    let newest = latestTransactionID
    let oldest = pages.oldestPinned ?? newest
    return Int(newest - min(oldest, newest)) + 1
  }

  /// Why the file may only be read, as the end of a sentence; `nil` if it may be written.
  package var readOnlyReason: String? {
    let reason: String? =
      switch isReadOnly ? .requested : pages.readOnlyReason {
      case nil: nil
      case .requested?: "it was opened read-only"
      case .permissions?: "its permissions allow reading only"
      case .readOnlyFileSystem?: "its file system is mounted read-only"
      case .lockFile?: "its lock file cannot be written"
      }
    return reason.map { pages.isPinned ? $0 + "; new commits are not seen" : $0 }
  }

  /// Whether commits of other processes are seen.
  package var seesNewCommits: Bool { !pages.isPinned }

  internal func header(_ source: TreeSource) throws(StorageError) -> FileHeader {
    try FileHeader(decoding: source.snapshot?.note ?? [], path: path)
  }

  /// Whether the path leads to this file, to another, or to none, and whether it was overwritten.
  package var place: FilePlace {
    switch pages.displacement {
    case nil: .unchanged
    case .gone: .gone
    case .replaced: .replaced
    case .overwritten: .overwritten
    }
  }

  // MARK: - Views

  /// A view of the newest snapshot.
  package func view() throws(StorageError) -> StoreView {
    try requireSameFile()
    return try view(of: TreeSource(pinning: pages, numbers))
  }

  internal func view(of source: TreeSource) throws(StorageError) -> StoreView {
    let header = try header(source)
    return try view(of: source, header, try schema(of: header, source))
  }

  internal func view(
    of source: TreeSource,
    _ header: FileHeader,
    _ schema: Schema
  ) throws(StorageError) -> StoreView {
    var records: [ClassRecord] = []
    for classSchema in schema.classes {
      let number = Int(classSchema.key.rawValue)
      while records.count < number { records.append(ClassRecord()) }
      guard let bytes = try source.get(.meta, ClassRecord.key(of: classSchema.key)) else {
        throw .damaged(in: "class record of \(classSchema.name)", "it is missing")
      }
      records.append(try ClassRecord(decoding: bytes, for: classSchema.key))
    }
    return StoreView(store: self, source: source, header: header, schema: schema, records: records)
  }

  internal func schema(
    of header: FileHeader,
    _ source: TreeSource
  ) throws(StorageError) -> Schema {
    let known = knownSchema.withLock { $0.version == header.schemaVersion ? $0.schema : nil }
    if let known { return known }
    guard header.schemaVersion > 0 else { return Schema() }
    guard let bytes = try source.get(.meta, FileHeader.schemaKey) else {
      throw .damaged(in: "the schema", "it is missing")
    }
    let schema = try SchemaCodec.decode(bytes)
    knownSchema.withLock { $0 = (header.schemaVersion, schema) }
    return schema
  }

  /// Makes sure that the file that is open is still the one at its path.
  ///
  /// - Throws: `StorageError.file` if another file is there now, or none.
  package func requireSameFile() throws(StorageError) {
    if let displacement = pages.displacement {
      throw .file(PageStoreError(displacement.problem, .beginRead, path: path))
    }
  }

  // MARK: - Writing

  /// Whether the running thread has the file's writer and keeps it, as it said.
  package var isWritingHere: Bool { pages.isWritingHere }

  /// Notes that the running thread keeps the file's writer, or does not any more.
  package func noteWritingHere(_ isWriting: Bool) { pages.noteWritingHere(isWriting) }

  /// Takes the writer's lock and hands out a writer over the newest snapshot.
  ///
  /// - Parameters:
  ///   - limit: How many milliseconds to wait for other writers; `nil` for as long as it takes.
  ///   - isCancelled: Asked before the wait, now and then during it, and after it.
  /// - Returns: The writer.
  /// - Throws: `StorageError` if the file cannot be written, or the wait was given up.
  package func beginWrite(
    waitingAtMost limit: Int? = nil,
    isCancelled: (() -> Bool)? = nil
  ) throws(StorageError) -> StoreWriter {
    if isReadOnly { throw .file(PageStoreError(.readOnly(.requested), .beginWrite, path: path)) }
    let writer = try inPages { () throws(PageStoreError) in
      try pages.beginWrite(timeoutInMilliseconds: limit, isCancelled: isCancelled)
    }
    do throws(StorageError) {
      // That the file is still the one at its path was seen when the writer began.
      return StoreWriter(writer, try view(of: TreeSource(pinning: pages, numbers)))
    } catch {
      writer.abort()
      throw error
    }
  }
}

extension UUIDValue {
  /// A random id of version 4.
  fileprivate static var random: UUIDValue {
    var random = SystemRandomNumberGenerator()
    return UUIDValue(
      high: random.next() & ~0xF000 | 0x4000,
      low: random.next() & ~(0b11 << 62) | 0b10 << 62
    )
  }
}
