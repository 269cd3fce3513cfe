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
