public import KennelCore

/// The transaction that a thread is in.
@usableFromInline
final class StoreTransaction: @unchecked Sendable {
  @usableFromInline let store: Store
  @usableFromInline let reader: DatabaseReader
  /// `nil` in a read-only transaction.
  @usableFromInline let writer: WriteTransaction?
  /// How many objects were put.
  private(set) var putCount = 0
  /// How many changes began.
  @usableFromInline private(set) var changeCount = 0
  private var hasFailed = false
  /// How many puts are under way: of an object, of its new target, and so on.
  private var putDepth = 0
  /// What removes the ids of the new targets that were put with the object that is being put, or with a
  /// relation.
  private var newTargets: [() -> Void] = []

  init(_ store: Store, _ snapshot: Snapshot) {
    self.store = store
    reader = snapshot
    writer = nil
  }

  init(_ store: Store, _ writer: WriteTransaction) {
    self.store = store
    reader = writer
    self.writer = writer
  }

  /// Notes that a change begins, after everything that it needs was checked.
  @usableFromInline
  func beginChange() { changeCount &+= 1 }

  /// Notes that an object is put.
  func beginPut() {
    changeCount &+= 1
    putCount &+= 1
  }

  /// Notes that a transaction in this one failed: in the middle of its changes, nothing of this one is
  /// committed.
  @usableFromInline
  func noteFailure(since count: Int) { if changeCount != count { hasFailed = true } }

  // MARK: - New targets

  // If a put fails, its new targets lose the ids that they got: a later put would link whatever objects
  // have these ids by then.

  /// Begins to put an object or the changes of a relation; returns how many new targets there are.
  @usableFromInline
  func beginTargets() -> Int {
    putDepth += 1
    return newTargets.count
  }

  @usableFromInline
  func noteNewTarget(removingId: @escaping () -> Void) { newTargets.append(removingId) }

  /// Ends what began with so many new targets; if it failed, the later ones lose their ids.
  ///
  /// - Returns: What removes the ids of the new targets, if nothing else is under way.
  @usableFromInline
  @discardableResult
  func endTargets(since count: Int, hasFailed: Bool) -> [() -> Void] {
    putDepth -= 1
    if hasFailed { while newTargets.count > count { newTargets.removeLast()() } }
    guard putDepth == 0, !newTargets.isEmpty else { return [] }
    defer { newTargets = [] }
    return newTargets
  }

  /// The transaction that writes.
  ///
  /// - Throws: ``ObjectBoxError/cannotWriteWhileReading(message:)`` in a read-only transaction.
  @usableFromInline
  @discardableResult
  func requireWriter() throws -> WriteTransaction {
    guard let writer else {
      throw ObjectBoxError.cannotWriteWhileReading(
        message: "A read-only transaction cannot write; use runInTransaction"
      )
    }
    return writer
  }

  func requireSuccess() throws {
    guard !hasFailed else {
      throw ObjectBoxError.illegalState(
        message:
          "Nothing is committed, because a transaction in this one failed; let its error pass"
      )
    }
  }
}
