import Foundation
@_spi(Faces) import KennelCore

extension Realm {
  /// Runs a block in a write transaction; commits when it returns, rolls back when it throws.
  ///
  /// - Parameters:
  ///   - tokens: The tokens that are not notified of the changes.
  ///   - block: Performs the changes.
  /// - Returns: What the block returned.
  /// - Throws: What the block throws, or ``Realm/Error`` if the commit fails or a `deny` rule
  ///   prevented a deletion. Nothing is changed then.
  @discardableResult
  public func write<Result>(
    withoutNotifying tokens: [NotificationToken] = [],
    _ block: (() throws -> Result)
  ) throws -> Result {
    beginWrite()
    return try finishWrite(block, withoutNotifying: tokens)
  }

  /// Runs a body in the transaction that has begun, and commits it.
  internal func finishWrite<Result>(
    _ block: (() throws -> Result),
    withoutNotifying tokens: [NotificationToken]
  ) throws -> Result {
    let result: Result
    do {
      result = try block()
    } catch {
      if isInWriteTransaction { cancelWrite() }
      throw error
    }
    if isInWriteTransaction { try commitWrite(withoutNotifying: tokens) }
    return result
  }

  /// Waits for other writers, refreshes, and begins a write transaction.
  public func beginWrite() { context.beginWrite() }

  /// Commits the write transaction.
  ///
  /// - Parameter tokens: The tokens that are not notified of the changes.
  /// - Throws: ``Realm/Error`` if the disk is full, or a `deny` rule prevented a deletion. Nothing
  ///   is changed then.
  public func commitWrite(withoutNotifying tokens: [NotificationToken] = []) throws {
    try context.commitWrite(withoutNotifying: tokens)
  }

  /// Rolls back the write transaction.
  ///
  /// Objects that it added are invalidated. Objects that it deleted exist again, but instances read
  /// before the deletion may stay invalidated.
  public func cancelWrite() { context.cancelWrite() }

  /// Whether the realm is in a write transaction.
  public var isInWriteTransaction: Bool {
    context.requireConfinement()
    return context.transaction != nil
  }

  /// Whether the realm refreshes automatically.
  public var autorefresh: Bool {
    get {
      context.requireConfinement()
      return context.autorefresh
    }
    nonmutating set {
      context.requireConfinement()
      if newValue, context.isFrozen {
        throwRealmException("Auto-refresh cannot be enabled for frozen Realms.")
      }
      context.autorefresh = newValue
    }
  }

  /// Refreshes the realm to the newest commit.
  ///
  /// - Returns: Whether there was a newer commit; false in a frozen realm and in a write
  ///   transaction, where it does nothing.
  @discardableResult
  public func refresh() -> Bool { context.refresh() }

  /// Invalidates all objects and collections of the realm, cancels its write transaction, and
  /// continues with the newest commit.
  public func invalidate() { context.invalidate() }
}

extension RealmContext {
  internal func beginWrite() {
    requireWriting()
    requireFewVersions()
    if transaction != nil {
      throwRealmException(
        "The Realm is already in a write transaction; commit or cancel it before beginning another"
      )
    }
    begin(attempt { try asyncWriter.awaitRequestedLock() ?? file.database.beginWrite() })
  }

  internal func requireWriting() {
    requireConfinement()
    if isFrozen {
      throwRealmException("Can't perform transactions on a frozen Realm. Call thaw() on it first")
    }
    if configuration.readOnly {
      throwRealmException(
        "Can't perform transactions on read-only Realms. Open it without readOnly to write"
      )
    }
  }

  /// Sees that no more commits are kept than the configuration allows.
  internal func requireFewVersions() {
    guard let most = configuration.maximumNumberOfActiveVersions else { return }
    let count = file.database.keptCommitCount
    if UInt(count) <= most { return }
    throwRealmException(
      "Number of active versions (\(count)) in the Realm exceeded the limit of \(most). Let go of "
        + "frozen objects, and refresh or let go of realms on other threads"
    )
  }

  /// Goes on in a write transaction that holds the lock.
  internal func begin(_ begun: WriteTransaction) {
    let known = view.commitNumber
    transaction = begun
    // A queue or an actor may go on on another thread.
    if home == nil { begun.stayOnThread() }
    failure = nil
    show(begun)
    notifier.deliverBeforeWriting(after: known)
  }

  internal func commitWrite(withoutNotifying tokens: [NotificationToken]) throws {
    requireConfinement()
    guard let transaction else {
      throwRealmException("Can't commit a non-existing write transaction; call beginWrite first")
    }
    if let failure {
      cancelWrite()
      if let error = failure as? DatabaseError { throw Realm.Error(error, path: file.path) }
      throw failure
    }
    defer { asyncWriter.requestLock() }
    let base = transaction.commitNumber
    file.writeLog.note(writes, after: base)
    do {
      try transaction.commit()
    } catch {
      file.writeLog.note(nil, after: base)
      self.transaction = nil
      noteEnding(nil)
      show(attempt { try file.database.snapshot() })
      throw Realm.Error(error, path: file.path)
    }
    self.transaction = nil
    show(attempt { try file.database.snapshot() })
    notifier.postOwnCommit(except: tokens)
  }

  internal func cancelWrite() {
    requireConfinement()
    guard let transaction else {
      throwRealmException("Can't cancel a non-existing write transaction; call beginWrite first")
    }
    // The lock is still held: what is committed now is what the transaction began with.
    let firstKeys = firstKeysOfFile()
    transaction.rollback()
    self.transaction = nil
    failure = nil
    noteEnding(firstKeys)
    show(attempt { try file.database.snapshot() })
    wakeup?.schedule()
    asyncWriter.requestLock()
  }

  private func firstKeysOfFile() -> [ClassKey: ObjectKey] {
    let committed = attempt { try file.database.snapshot() }
    var keys: [ClassKey: ObjectKey] = [:]
    for schema in committed.schema.classes {
      keys[schema.key] = committed.firstUnusedKey(of: schema.key)
    }
    return keys
  }

  internal func refresh() -> Bool {
    requireConfinement()
    if transaction != nil || isFrozen { return false }
    guard file.database.commitNumber != view.commitNumber else { return false }
    show(attempt { try file.database.snapshot() })
    notifier.postForeignCommits()
    notifier.deliverChanges()
    return true
  }

  internal func invalidate() {
    requireConfinement()
    if transaction != nil { cancelWrite() }
    noteEnding(nil)
    show(attempt { try file.database.snapshot() })
  }
}
