package import KennelLMDB
import Synchronization

/// What became of a file's name while the file is open.
///
/// ```swift
/// if database.filePlace == .replaced { print("Another file is at \(database.path)") }
/// ```
public enum FilePlace: Hashable, Sendable {
  /// It still leads to the file.
  case unchanged
  /// It leads to another file.
  case replaced
  /// It leads nowhere: the file was deleted, moved or renamed.
  case gone
}

/// A Kennel file that is open: hands out views and the writer.
package final class Store: Sendable {
  package let environment: Environment
  /// The id that the file had when it was opened.
  package let fileID: UUIDValue
  /// Whether whoever opened the file asked for reading only; others of this process may write.
  private let isReadOnly: Bool
  /// The schema read last, so that the views of one schema version share one.
  private let knownSchema: Mutex<(version: UInt64, schema: Schema)>

  /// What was found out about the pages of the newest snapshot.
  internal let known = NewestPageCache()

  /// Opens a file; a missing or empty one is made a Kennel file if `create` says so, with a random
  /// id if none is given.
  ///
  /// - Throws: `StorageError` if the file cannot be opened, is damaged, is not one of Kennel's or
  ///   of a newer format. The file is left as it was.
  package init(
    path: String,
    isReadOnly: Bool,
    create: Bool,
    id: UUIDValue? = nil
  ) throws(StorageError) {
    let access: Environment.Access = isReadOnly ? .readOnly : .readWrite
    let environment: Environment
    do throws(LMDBError) {
      environment = try Environment.open(path: path, access: access, create: create)
    } catch {
      throw .lmdb(error)
    }
    do throws(StorageError) {
      let trees = try TreeSource(pinning: environment)
      var header = try Self.header(trees, path)
      if header == nil, create, !isReadOnly, trees.isEmpty {
        try Self.initialize(environment, id ?? .random)
        header = try Self.header(TreeSource(pinning: environment), path)
      }
      guard let header else {
        // Nothing was committed yet: a power failure may leave a file that is only begun.
        throw trees.transactionID == 0
          ? .lmdb(LMDBError(.empty, .open, path: path)) : .notKennel(path: path)
      }
      self.environment = environment
      self.isReadOnly = isReadOnly
      fileID = header.id
      knownSchema = Mutex((.max, Schema()))
    } catch {
      environment.close()
      throw error
    }
  }

  /// A store on an environment that is open already; whoever opened it closes it.
  internal init(_ environment: Environment, fileID: UUIDValue) {
    self.environment = environment
    self.fileID = fileID
    isReadOnly = false
    knownSchema = Mutex((.max, Schema()))
  }

  package func close() {
    environment.close()
  }

  package var path: String { environment.path }

  /// The number of the newest commit, from whatever process.
  package var latestTransactionID: UInt64 { environment.latestTransactionID() }

  /// The commit that opening the file has undone.
  package var undoneCommit: UInt64? { environment.undoneCommit }

  /// How many commits there are from the oldest that is pinned, in whatever process, to the newest.
  package var keptCommitCount: Int {
    environment.clearDeadReaders()
    let newest = latestTransactionID
    let oldest = environment.oldestPinnedTransactionID() ?? newest
    return Int(newest - min(oldest, newest)) + 1
  }

  /// Why the file may only be read, as the end of a sentence; `nil` if it may be written.
  package var readOnlyReason: String? {
    switch isReadOnly ? .requested : environment.readOnlyReason {
    case nil: nil
    case .requested?: "it was opened read-only"
    case .permissions?: "its permissions allow reading only"
    case .readOnlyFileSystem?: "its file system is mounted read-only"
    }
  }

  static func header(
    _ trees: TreeSource,
    _ path: String
  ) throws(StorageError) -> FileHeader? {
    var found = try unsafe trees.headerInMainTree()
    let isInMeta = unsafe found == nil
    if isInMeta { unsafe found = try unsafe trees.get(.meta, FileHeader.key) }
    guard let found = unsafe found else { return nil }
    var header = try unsafe FileHeader(decoding: found, path: path)
    header.isInMeta = isInMeta
    // A meta page that was damaged back into the one before last leads to an old, intact root.
    guard header.commitNumber == trees.transactionID else {
      throw .damaged(
        in: "the file header",
        "it belongs to commit \(header.commitNumber), not \(trees.transactionID)"
      )
    }
    return header
  }

  /// Makes an empty LMDB file one of Kennel's.
  private static func initialize(
    _ environment: Environment,
    _ id: UUIDValue
  ) throws(StorageError) {
    let transaction = try environment.beginCheckedWrite()
    do throws(LMDBError) {
      // Another process may have been faster.
      if try unsafe transaction.storedHeader() == nil {
        var header = FileHeader(id: id)
        try transaction.put(&header)
        try transaction.commit()
      } else {
        transaction.abort()
      }
    } catch {
      throw .lmdb(error)
    }
  }

  /// Whether the path leads to this file, to another, or to none.
  package var place: FilePlace {
    guard let displacement = environment.displacement else { return .unchanged }
    return if case .goneFromDisk = displacement { .gone } else { .replaced }
  }

  // MARK: - Views

  /// A view of the newest snapshot.
  package func view() throws(StorageError) -> StoreView {
    try requireSameFile()
    return try view(of: TreeSource(pinning: environment, known))
  }

  internal func view(of source: TreeSource) throws(StorageError) -> StoreView {
    guard let header = try Self.header(source, environment.path) else {
      throw .notKennel(path: environment.path)
    }
    guard header.id == fileID else {
      throw .lmdb(LMDBError(.replacedOnDisk, .beginRead, path: environment.path))
    }
    let schema = try schema(of: header, source)
    var records: [ClassRecord] = []
    for classSchema in schema.classes {
      let number = Int(classSchema.key.rawValue)
      while records.count < number { records.append(ClassRecord()) }
      guard let bytes = try unsafe source.get(.meta, ClassRecord.key(of: classSchema.key)) else {
        throw .damaged(in: "class record of \(classSchema.name)", "it is missing")
      }
      unsafe records.append(try ClassRecord(decoding: bytes, for: classSchema.key))
    }
    return StoreView(store: self, source: source, header: header, schema: schema, records: records)
  }

  private func schema(
    of header: FileHeader,
    _ source: TreeSource
  ) throws(StorageError) -> Schema {
    let known = knownSchema.withLock { $0.version == header.schemaVersion ? $0.schema : nil }
    if let known { return known }
    guard header.schemaVersion > 0 else { return Schema() }
    guard let bytes = try unsafe source.get(.meta, FileHeader.schemaKey) else {
      throw .damaged(in: "the schema", "it is missing")
    }
    var reader = try unsafe ByteReader(checked: bytes, for: FileHeader.schemaKey, what: "schema")
    let schema = try unsafe SchemaCodec.decode(try reader.readBytes(bytes.count - 4))
    knownSchema.withLock { $0 = (header.schemaVersion, schema) }
    return schema
  }

  /// Makes sure that the file that is open is still the one at its path.
  ///
  /// - Throws: `StorageError.lmdb` if another file is there now, or none.
  package func requireSameFile() throws(StorageError) {
    if let displacement = environment.displacement {
      throw .lmdb(LMDBError(displacement, .beginRead, path: environment.path))
    }
  }

  // MARK: - Writing

  /// Takes the writer's lock and hands out a writer over the newest snapshot.
  ///
  /// Before the first write of a process the whole file's structure is checked.
  package func beginWrite(endsOnThisThread: Bool = false) throws(StorageError) -> StoreWriter {
    if isReadOnly {
      throw .lmdb(LMDBError(.readOnly(.requested), .beginWrite, path: environment.path))
    }
    let transaction = try environment.beginCheckedWrite(endsOnThisThread: endsOnThisThread)
    do throws(StorageError) {
      // That the file is still the one at its path was seen when the transaction began.
      return StoreWriter(transaction, try view(of: TreeSource(pinning: environment, known)))
    } catch {
      transaction.abort()
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
