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
  private(set) var changeCount = 0
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

  /// Runs the body of a transaction in this one; if it fails in the middle of its changes, nothing of
  /// this one is committed.
  func nested<T>(_ body: () throws -> T) throws -> T {
    let before = changeCount
    do {
      return try body()
    } catch {
      if changeCount != before { hasFailed = true }
      throw error
    }
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
