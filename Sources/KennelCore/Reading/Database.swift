public import KennelStorage
import Synchronization

/// A database: one file of objects.
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
/// A process has each file open once, however often it asks. Looking at a file never changes it.
public final class Database: Sendable {
  internal let store: Store
  /// The links of the newest schema that was met, and its version.
  private let knownLinks = Mutex<(version: UInt64, links: LinkIndex)?>(nil)

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - configuration: How to open it.
  /// - Returns: The database.
  /// - Throws: `DatabaseError` if the file cannot be opened, is none of Kennel's, of a newer format or
  ///   damaged; it is left as it was.
  public static func open(
    _ path: String,
    configuration: Configuration = Configuration()
  ) throws(DatabaseError) -> Database {
    let store = try storing { () throws(StorageError) in
      try Store(
        path: path,
        isReadOnly: configuration.access == .readOnly,
        create: configuration.createsIfMissing && configuration.access == .readWrite
      )
    }
    return Database(store)
  }

  private init(_ store: Store) {
    self.store = store
  }

  deinit { store.close() }

  /// What changing objects has to know of a view's schema.
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

  /// The id of the file, random, kept by copies.
  public var fileID: UUIDValue { store.fileID }

  /// Whether the file may be written.
  public var canWrite: Bool { store.readOnlyReason == nil }

  /// Why the file may not be written, as the end of a sentence; `nil` if it may.
  public var readOnlyReason: String? { store.readOnlyReason }

  /// Whether the path still leads to the file, at the cost of asking the system.
  ///
  /// Snapshots and drafts go on showing a file that was deleted or replaced, and ``writeCopy(to:)``
  /// rescues what it holds; nothing can be committed to it.
  public var filePlace: FilePlace { store.place }

  /// The number of the newest commit, from whatever process; costs nothing to ask.
  public var commitNumber: UInt64 { store.latestTransactionID }

  /// The number of the commit that was undone when this process opened the file; `nil` as a rule.
  ///
  /// The machine stopped, or the writing process was killed, before all of the commit was on the disk:
  /// nobody was told that it had been made. Its number is given out again.
  public var undoneCommitNumber: UInt64? { store.undoneCommit }

  /// A look at the newest commit.
  ///
  /// - Returns: The snapshot.
  /// - Throws: `DatabaseError` if the file is damaged or was replaced.
  public func snapshot() throws(DatabaseError) -> Snapshot {
    Snapshot(self, try storing { () throws(StorageError) in try store.view() })
  }
}
