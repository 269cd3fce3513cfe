public import KennelStorage
import Synchronization

/// A database in one file.
///
/// ```swift
/// let database = try Database.open(path)
/// try database.write { transaction in
///   try transaction.define([
///     ClassDefinition("Dog", properties: [PropertyDefinition("name", .string)])
///   ])
///   let dog = try transaction.schema.require("Dog")
///   try transaction.create(dog.key, [dog.require("name").key: .string("Rex")])
/// }
/// ```
///
/// A process opens each file once; further calls share it. Reading never changes the file.
public final class Database: Sendable {
  internal let store: DatabaseFile
  private let isClosed = Atomic(false)
  /// The file of a database in memory.
  private let memory: MemoryFile?
  /// The links of the newest schema that was met, and its version.
  private let knownLinks = Mutex<(version: UInt64, links: LinkIndex)?>(nil)

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - configuration: The options.
  /// - Returns: The database. It is read-only (``readOnlyReason``) if the file, or its lock file, may
  ///   not be written.
  /// - Throws: `DatabaseError` if the file cannot be opened, is not a Kennel file, has a newer
  ///   format, is damaged, or is encrypted with another key. The file is unchanged then.
  public static func open(
    _ path: String,
    configuration: Configuration = Configuration()
  ) throws(DatabaseError) -> Database {
    try open(path, configuration, nil)
  }

  internal static func open(
    _ path: String,
    _ configuration: Configuration,
    _ memory: MemoryFile?
  ) throws(DatabaseError) -> Database {
    let store = try storing(
      DatabaseFile(
        path: path,
        isReadOnly: configuration.access == .readOnly,
        create: configuration.createsIfMissing && configuration.access == .readWrite,
        key: configuration.key
      )
    )
    return Database(store, memory)
  }

  private init(_ store: DatabaseFile, _ memory: MemoryFile?) {
    self.store = store
    self.memory = memory
  }

  deinit { close() }

  /// Closes the file, as far as this database is concerned.
  ///
  /// Nothing can be read or written through it any more. Snapshots and write transactions that it has
  /// handed out go on; the process lets go of the file when the last of them has ended, and every
  /// other database of the process that has the file open is closed. A database that nothing refers to
  /// any more closes itself.
  public func close() {
    if !isClosed.exchange(true, ordering: .acquiringAndReleasing) { store.close() }
  }

  /// Makes sure that the database is not closed.
  internal func requireOpen() throws(DatabaseError) {
    if isClosed.load(ordering: .relaxed) {
      throw DatabaseError(.closed, "The database \(path) is closed; open it again", path: path)
    }
  }

  /// The links of a view's schema.
  internal func links(for view: StoreView) -> LinkIndex {
    let version = view.header.schemaVersion
    return knownLinks.withLock { known in
      if let known, known.version == version { return known.links }
      let links = LinkIndex(view.schema)
      known = (version, links)
      return links
    }
  }

  /// The path that the file was opened with.
  public var path: String { store.path }

  /// The random id of the file, which copies keep.
  public var fileID: UUIDValue { store.fileID }

  /// Whether the file is writable.
  public var canWrite: Bool { store.readOnlyReason == nil }

  /// Why the file is read-only, as the end of a sentence; `nil` if it is writable.
  public var readOnlyReason: String? { store.readOnlyReason }

  /// Whether commits of other processes are seen.
  ///
  /// To see them, a process needs the lock file beside the file, which it must be allowed to write or
  /// to create. A file whose lock file it cannot use is read as it was when the process opened it, as
  /// long as the process has it open. Nothing is copied; others can write to it meanwhile.
  public var seesNewCommits: Bool { store.seesNewCommits }

  /// Says whether the path still leads to the file; makes a system call.
  ///
  /// Snapshots of a file that was deleted or replaced can still be read, and the file can be copied
  /// with ``writeCopy(to:)``. Commits to it fail. A file that another program overwrote must be
  /// opened again.
  public var filePlace: FilePlace { store.place }

  /// The number of the newest commit of any process.
  public var commitNumber: Int { Int(truncatingIfNeeded: store.latestTransactionID) }

  /// The number of the commit that was rolled back when this process opened the file; usually
  /// `nil`.
  ///
  /// The commit had reached the disk only in part when the system or the writing process stopped.
  /// It was never acknowledged. Its number is used again.
  public var undoneCommitNumber: Int? { store.undoneCommit.map { Int(truncatingIfNeeded: $0) } }

  /// Returns a snapshot of the newest commit.
  ///
  /// - Returns: The snapshot.
  /// - Throws: `DatabaseError` if the file is damaged or was replaced.
  public func snapshot() throws(DatabaseError) -> Snapshot {
    try requireOpen()
    return Snapshot(self, try storing(store.view()))
  }
}
