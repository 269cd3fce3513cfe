public import KennelStorage

/// A write transaction: it holds the writer's lock, sees its own changes, and commits or rolls back as
/// a whole.
///
/// ```swift
/// let transaction = try database.beginWrite()
/// try transaction.set(rex, property: age.key, to: .int(6))
/// try transaction.commit()
/// ```
///
/// ``Database/write(_:)`` commits or rolls back by itself. A change that fails because of an
/// invalid argument leaves everything unchanged. After a change that fails because the file is
/// damaged or the disk is full, the transaction can only be rolled back.
public final class WriteTransaction: DatabaseReader, @unchecked Sendable {
  private let writer: StoreWriter
  /// Where objects are changed without going through the workspace.
  @usableFromInline internal let pointWriter: PointWriter
  private var workspace: Workspace?
  /// The failure after which nothing can be changed or committed.
  private var failure: DatabaseError?
  /// Whether the transaction is open: neither committed nor rolled back.
  public private(set) var isActive = true
  /// Whether it stays on the thread that began it.
  private var isBound = false

  internal init(_ database: Database, _ writer: StoreWriter) {
    self.writer = writer
    pointWriter = writer.view.clusters.pointWriter
    super.init(database, writer.view)
    // A reader of its own: a workspace that kept the transaction would keep the writer's lock too.
    workspace = Workspace(
      DatabaseReader(database, writer.view),
      keeper: writer,
      isDraft: false
    )
  }

  deinit { rollback() }

  /// Writes the changes so far to the file if they take more memory than the limit; others do not
  /// see them before the commit.
  ///
  /// A transaction does so by itself beyond 48 MB. Doing it earlier takes less memory; later
  /// changes to the same data read it again.
  ///
  /// - Parameter byteCount: The memory that changes may take.
  /// - Throws: `DatabaseError` if the disk is full, an earlier change failed, or the transaction has
  ///   ended.
  /// - Complexity: Linear in the changes that are written; constant if there are none.
  public func storeChanges(beyond byteCount: Int) throws(DatabaseError) {
    try change { _ throws(DatabaseError) in
      try storing(writer.spill(beyond: byteCount))
    }
  }

  /// Commits: when it returns, the changes are on disk and survive a crash.
  ///
  /// - Throws: `DatabaseError` if the disk is full, the file was replaced, or a change failed
  ///   because of the disk or of damage. The file is unchanged then, and the transaction has ended.
  public func commit() throws(DatabaseError) {
    try requireActive()
    end()
    if let failure {
      writer.rollback()
      throw failure
    }
    _ = try storing(writer.commit())
  }

  /// Discards every change; does nothing after a commit or rollback.
  public func rollback() {
    guard isActive else { return }
    end()
    writer.rollback()
  }

  /// Notes that only the running thread uses the transaction until it ends: another write transaction
  /// of the file on this thread is an error then, instead of waiting forever.
  @_spi(Faces)
  public func stayOnThread() {
    isBound = true
    database.store.noteWritingHere(true)
  }

  private func end() {
    // While the lock is held: afterwards it may be another's.
    if isBound { database.store.noteWritingHere(false) }
    isActive = false
    workspace = nil
  }

  private func requireActive() throws(DatabaseError) {
    guard isActive else {
      throw DatabaseError(.closed, "The write transaction has ended; begin another")
    }
  }

  /// Runs a change; a failure of the storage ends the transaction.
  internal func change<Result>(
    _ body: (Workspace) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    try requireActive()
    if let failure { throw failure }
    guard let workspace else { throw DatabaseError(.closed, "The write transaction has ended") }
    do throws(DatabaseError) {
      let result = try body(workspace)
      try storing(writer.spill())
      return result
    } catch {
      if error.isFatal { failure = error }
      throw error
    }
  }

  // MARK: - The schema

  /// Adds definitions to the schema.
  ///
  /// Missing classes, properties, indexes and declared backlinks are added, properties become unique,
  /// and defaults are updated. Other classes and properties stay. A change that would lose or reinterpret data
  /// throws, unless a migration step requests it.
  ///
  /// - Parameters:
  ///   - classes: The classes.
  ///   - migration: Steps to perform first, in order.
  /// - Throws: `DatabaseError` with code `schemaMismatch`, or `duplicateValue` if two objects have the
  ///   same value of a property that is to be unique. The schema is unchanged then.
  public func define(
    _ classes: [ClassDefinition],
    migration: [MigrationStep] = []
  ) throws(DatabaseError) {
    try changeSchema { (workspace) throws(DatabaseError) in
      try workspace.define(classes, migration: migration)
    }
  }

  /// Goes on with another schema.
  internal func adopt(_ schema: Schema) throws(DatabaseError) {
    try changeSchema { (workspace) throws(DatabaseError) in try workspace.adopt(schema) }
  }

  /// Changes the schema, and goes on with the new one.
  internal func changeSchema(
    _ body: (Workspace) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    try change { (workspace) throws(DatabaseError) in
      defer { links = workspace.reader.links }
      try body(workspace)
    }
  }
}

extension WriteTransaction: Editing {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  @discardableResult
  public func perform(
    _ operation: Draft.Operation
  ) throws(DatabaseError) -> Draft.Operation.Outcome {
    try change { (workspace) throws(DatabaseError) in
      defer { if case .schema = operation { links = workspace.reader.links } }
      return try workspace.perform(operation)
    }
  }

  /// Creates an object with a given key, for imports and for programs that assign their own keys.
  ///
  /// - Parameters:
  ///   - classKey: A class that is not embedded.
  ///   - key: An unused key of the class. It may exceed the highest key assigned so far by up to
  ///     2^40. The key of a deleted object may be reused; programs and drafts that kept the key
  ///     then find the new object.
  ///   - values: The values by property; the others get their defaults.
  /// - Returns: The object.
  /// - Throws: `DatabaseError` if an object has the key, the key is too large, or as
  ///   ``create(_:_:)`` does.
  @discardableResult
  public func create(
    _ classKey: ClassKey,
    key: ObjectKey,
    _ values: [PropertyKey: Value]
  ) throws(DatabaseError) -> ObjectIdentity {
    try change { (workspace) throws(DatabaseError) in
      try requireFreeKey(classKey, key, from: 1)
      return try workspace.create(classKey, key: key, values)
    }
  }

  private func requireFreeKey(
    _ classKey: ClassKey,
    _ key: ObjectKey,
    from start: UInt64
  ) throws(DatabaseError) {
    let schema = try classSchema(classKey)
    let end = min(ObjectKey.firstProvisional, firstUnusedKey(of: classKey).rawValue + 1 << 40)
    let isFree = try !contains(ObjectIdentity(classKey, key))
    guard isFree, (start..<end).contains(key.rawValue) else {
      throw DatabaseError(
        .outOfRange,
        "\(schema.name) cannot assign key \(key.rawValue): "
          + (isFree ? "it must be from \(start) to \(end - 1)" : "an object has it"),
        className: schema.name
      )
    }
  }

  /// Creates an embedded object with a given key in a slot, for importing.
  ///
  /// - Parameters:
  ///   - slot: The slot that owns the new object.
  ///   - key: A key greater than every key that the embedded class ever assigned.
  /// - Returns: The object.
  /// - Throws: `DatabaseError` if the key was assigned, or as ``createEmbedded(at:)`` does.
  @discardableResult
  public func createEmbedded(
    at slot: Slot,
    key: ObjectKey
  ) throws(DatabaseError) -> ObjectIdentity {
    try change { (workspace) throws(DatabaseError) in
      if let target = try property(slot.property, of: slot.object.classKey).target {
        try requireFreeKey(target, key, from: firstUnusedKey(of: target).rawValue)
      }
      return try workspace.createEmbedded(at: slot, key: key)
    }
  }
}

extension DatabaseError {
  /// Whether a transaction cannot go on after it.
  internal var isFatal: Bool {
    let fatal: [Code] = [
      .damaged, .diskFull, .fileReplaced, .closed, .cannotOpen, .notADatabase, .busy,
    ]
    return fatal.contains(code)
  }
}
