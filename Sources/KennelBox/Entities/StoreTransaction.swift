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
  /// What takes the new ids away from targets that were put with what leads to them.
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

  @usableFromInline var newTargetCount: Int { newTargets.count }

  /// Notes that a target was put with what leads to it, and how its id is taken away again.
  @usableFromInline
  func noteNewTarget(_ takeIdAway: @escaping () -> Void) { newTargets.append(takeIdAway) }

  /// Takes the ids of new targets away, because they are not committed.
  ///
  /// Otherwise a later put would link whatever object has such an id by then.
  @usableFromInline
  func takeBackNewTargets(since count: Int) {
    while newTargets.count > count { newTargets.removeLast()() }
  }

  /// What writes.
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
