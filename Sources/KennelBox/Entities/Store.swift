import Foundation
@_spi(Faces) public import KennelCore
import Synchronization

/// A database of entities.
///
/// ```swift
/// let store = try Store(directoryPath: path)
/// let box = store.box(for: Note.self)
/// try box.put(Note(title: "Buy milk"))
/// print(try box.all().count)
/// ```
///
/// Generated code has the initializer `Store(directoryPath:)`, which knows the entities of a
/// module. The database is the file `data.kennel` in the directory; other programs, Kennel's
/// terminal browser, `KennelCore` and `KennelRealm` can have it open at the same time. Any thread
/// may use a store.
public final class Store: Sendable {
  @usableFromInline let shared: Shared
  private let idleSnapshot = IdleSnapshot()
  let state = Mutex(State())

  /// A weak reference to a box, which holds its store strongly.
  struct WeakBox {
    weak var box: (any AnyObject & Sendable)?
  }

  /// State that threads share.
  struct State {
    /// The transaction that each thread is in; few are at a time.
    private var transactions: [(thread: UInt, transaction: StoreTransaction)] = []
    var boxes: [ObjectIdentifier: WeakBox] = [:]
    var isClosed = false
    /// Called after each commit of this store.
    var commitHandlers: [Int: @Sendable () -> Void] = [:]
    var lastHandler = 0
    /// How many objects are put before the size of the file is read again.
    var putsUntilSizeCheck = 0

    /// The transaction that a thread is in.
    subscript(thread: UInt) -> StoreTransaction? {
      get { transactions.first { $0.thread == thread }?.transaction }
      set {
        transactions.removeAll { $0.thread == thread }
        if let newValue { transactions.append((thread, newValue)) }
      }
    }
  }

  /// Opens or creates a database of entities; generated code calls it.
  ///
  /// - Parameters:
  ///   - entities: The entities.
  ///   - directory: The path of the directory, which is created unless `readOnly` is true; or of a
  ///     file whose name ends in `.kennel`; or `memory:` and a name, for a database that is deleted
  ///     with its last store.
  ///   - maxDbSizeInKByte: The size above which puts are refused; it is compared with the size of
  ///     the file from time to time.
  ///   - fileMode: The permissions of a new file.
  ///   - maxReaders: Not used: the number of readers is not configured.
  ///   - readOnly: Whether nothing can be put or removed.
  /// - Throws: ``ObjectBoxError`` if the file cannot be opened or contradicts the entities. The
  ///   file is unchanged then.
  public convenience init(
    entities: [EntityInfo],
    directory: String,
    maxDbSizeInKByte: UInt64 = 1024 * 1024,
    fileMode: UInt32 = 0o644,
    maxReaders: UInt32 = 0,
    readOnly: Bool = false
  ) throws {
    let classes = try StoreSchema(entities)
    let location = try StoreLocation(directory, isReadOnly: readOnly)
    let positions = Dictionary(
      entities.enumerated().map { ($1.name, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    let (database, maps) = try throwingBoxErrors {
      let isNew = !FileManager.default.fileExists(atPath: location.file)
      let database = try Database.open(
        location.file,
        configuration: Database.Configuration(access: readOnly ? .readOnly : .readWrite)
      )
      let schema = try classes.establish(in: database)
      if isNew {
        let mode: [FileAttributeKey: Any] = [.posixPermissions: Int(fileMode)]
        try FileManager.default.setAttributes(mode, ofItemAtPath: location.file)
      }
      return (database, try entities.map { try EntityMap($0, positions, in: schema) })
    }
    self.init(
      Shared(
        directoryPath: directory,
        key: StoreLocation.key(directory),
        location: location,
        database: database,
        largestSizeInBytes: maxDbSizeInKByte.multipliedReportingOverflow(by: 1024).partialValue,
        maps: maps,
        positions: positions
      )
    )
  }

  /// Makes a store of an open database.
  init(_ shared: Shared) {
    self.shared = shared
    enlist()
  }

  /// State that all stores of an open database share.
  @usableFromInline
  struct Shared: Sendable {
    let directoryPath: String
    /// The key of ``StoreLocation``.
    let key: String
    let location: StoreLocation
    let database: Database
    let largestSizeInBytes: UInt64
    /// The entities.
    @usableFromInline let maps: [EntityMap]
    let positions: [String: Int]
  }

  /// The path of the directory, or of the file, that the store was opened with.
  public var directoryPath: String { shared.directoryPath }
  /// The path of the database file.
  public var filePath: String { shared.location.file }
  var database: Database { shared.database }
  @inlinable var maps: [EntityMap] { shared.maps }

  deinit {
    delist()
    idleSnapshot.drop()
  }

  // MARK: - Boxes

  /// The map of an entity.
  ///
  /// An entity of another module is the caller's mistake, as it is in ObjectBox.
  @usableFromInline
  func map(of info: EntityInfo) -> EntityMap {
    guard let position = shared.positions[info.name] else {
      callerMistake(
        "The store does not know the entity \(info.name): it was opened with "
          + "\(shared.positions.keys.sorted().joined(separator: ", ")). Open it with the entities of the module "
          + "that declares \(info.name)"
      )
    }
    return maps[position]
  }

  // MARK: - Transactions

  /// Runs a block in a write transaction, which commits all changes of the block, or none if the
  /// block throws.
  ///
  /// Inside another write transaction, the block is a part of the outer transaction. Inside a
  /// read-only transaction, it is refused.
  ///
  /// - Parameter block: What to do.
  /// - Returns: What the block returned.
  /// - Throws: What the block throws, or ``ObjectBoxError`` if the commit fails.
  public func runInTransaction<T>(_ block: () throws -> T) throws -> T {
    try write { _ in try block() }
  }

  /// Runs a block that sees one state of the database, whatever others commit meanwhile.
  ///
  /// - Parameter block: What to do.
  /// - Returns: What the block returned.
  /// - Throws: What the block throws, or ``ObjectBoxError`` if the file is damaged or the
  ///   store is closed.
  public func runInReadOnlyTransaction<T>(_ block: () throws -> T) throws -> T {
    try read { _ in try block() }
  }

  /// Runs a body with the reader of the transaction that the thread is in, or of a new one.
  @inlinable
  func read<T>(_ body: (DatabaseReader) throws -> T) throws -> T {
    guard let open = openTransaction else { return try readAlone(body) }
    return try throwingBoxErrors { try body(open.reader) }
  }

  @usableFromInline
  func readAlone<T>(_ body: (DatabaseReader) throws -> T) throws -> T {
    let thread = currentThread
    return try throwingBoxErrors {
      let snapshot = try takeSnapshot(for: thread)
      defer { putBack(snapshot, from: thread) }
      return try body(snapshot)
    }
  }

  /// Runs a body in the write transaction that the thread is in, or in a new one.
  @inlinable
  func write<T>(_ body: (StoreTransaction) throws -> T) throws -> T {
    guard let open = openTransaction else { return try writeAlone(body) }
    try open.requireWriter()
    let changes = open.changeCount
    do {
      return try body(open)
    } catch {
      open.noteFailure(since: changes)
      throw boxError(error)
    }
  }

  @usableFromInline
  func writeAlone<T>(_ body: (StoreTransaction) throws -> T) throws -> T {
    let thread = currentThread
    defer { for handler in state.withLock({ $0.commitHandlers.values }) { handler() } }
    return try throwingBoxErrors {
      try requireOpen()
      return try database.write { writer in
        let transaction = StoreTransaction(self, writer)
        state.withLock { $0[thread] = transaction }
        defer {
          state.withLock { $0[thread] = nil }
          idleSnapshot.drop()
        }
        let result = try body(transaction)
        try transaction.requireSuccess()
        try requireRoom(for: transaction.putCount)
        return result
      }
    }
  }

  /// Runs a body that sees the state of a snapshot, where no transaction is open.
  func read<T>(from snapshot: Snapshot, _ body: () throws -> T) throws -> T {
    let thread = currentThread
    try requireOpen()
    let isNested = state.withLock { state in
      if state[thread] != nil { return true }
      state[thread] = StoreTransaction(self, snapshot)
      return false
    }
    defer { if !isNested { state.withLock { $0[thread] = nil } } }
    return try throwingBoxErrors(body)
  }

  private func takeSnapshot(for thread: UInt) throws -> Snapshot {
    try requireOpen()
    let snapshot = try idleSnapshot.take(of: database.commitNumber) ?? database.snapshot()
    state.withLock { $0[thread] = StoreTransaction(self, snapshot) }
    return snapshot
  }

  private func putBack(_ snapshot: Snapshot, from thread: UInt) {
    let isClosed = state.withLock { state in
      state[thread] = nil
      return state.isClosed
    }
    if !isClosed { idleSnapshot.keep(snapshot) }
  }

  var isClosed: Bool { state.withLock(\.isClosed) }

  func requireOpen() throws {
    guard !isClosed else {
      throw ObjectBoxError.illegalState(message: "The store is closed; open another")
    }
  }

  /// Makes sure that the file has not reached its largest size.
  ///
  /// The size is read every 256 puts, and at each put above three quarters.
  private func requireRoom(for putCount: Int) throws {
    let isDue = state.withLock { state in
      state.putsUntilSizeCheck -= putCount
      return putCount > 0 && state.putsUntilSizeCheck <= 0
    }
    guard isDue else { return }
    let attributes = try? FileManager.default.attributesOfItem(atPath: filePath)
    let size = attributes?[.size] as? UInt64 ?? 0
    state.withLock { $0.putsUntilSizeCheck = size > shared.largestSizeInBytes / 4 * 3 ? 0 : 256 }
    guard size <= shared.largestSizeInBytes else {
      throw ObjectBoxError.dbFull(
        message: "The database has reached its largest size of "
          + "\(shared.largestSizeInBytes / 1024) kB; open the store with a larger maxDbSizeInKByte, or remove objects"
      )
    }
  }

  /// The transaction that the thread is in.
  @usableFromInline var openTransaction: StoreTransaction? {
    let thread = currentThread
    return state.withLock { $0[thread] }
  }

  private var currentThread: UInt { UInt(pthread_self()) }

  // MARK: - Closing

  /// Closes the store: its boxes cannot be used any more.
  ///
  /// A store that is not closed closes itself when nothing refers to it.
  public func close() {
    state.withLock { state in
      state.isClosed = true
      state.boxes = [:]
      state.commitHandlers = [:]
    }
    idleSnapshot.drop()
    delist()
  }

  /// Closes the store and deletes the file, and the directory if nothing else is in it; may be called
  /// again.
  ///
  /// - Throws: The error of the file system.
  public func closeAndDeleteAllFiles() throws {
    close()
    try shared.location.delete()
  }
}

extension Store: CustomDebugStringConvertible {
  /// The path.
  public var debugDescription: String { "<KennelBox.Store \"\(directoryPath)\">" }
}
