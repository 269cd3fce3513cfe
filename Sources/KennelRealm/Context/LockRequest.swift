import Foundation
import KennelCore

/// Waits for the writer's lock on a thread of its own, so that a realm's queue need not.
internal final class LockRequest: @unchecked Sendable {
  private enum State {
    case waiting
    case granted(WriteTransaction)
    case failed(any Error)
    /// The transaction was taken, or nobody wants it any more.
    case over
  }

  private let condition = NSCondition()
  /// Guarded by the condition's lock.
  private var state = State.waiting

  /// - Parameters:
  ///   - begin: Begins the transaction; called on the thread that waits.
  ///   - whenReady: Called on any thread once there is something to take.
  init(
    _ begin: @escaping @Sendable () throws -> WriteTransaction,
    whenReady: @escaping @Sendable () -> Void
  ) {
    DispatchQueue.global().async {
      do {
        self.finish(.granted(try begin()))
      } catch {
        self.finish(.failed(error))
      }
      whenReady()
    }
  }

  private func finish(_ result: State) {
    condition.withLock {
      if case .over = state {
        if case .granted(let transaction) = result { transaction.rollback() }
      } else {
        state = result
      }
      condition.broadcast()
    }
  }

  /// The transaction, if the lock was granted; it is the caller's then.
  func granted() throws -> WriteTransaction? {
    try condition.withLock { try result() }
  }

  /// Waits for the lock.
  func wait() throws -> WriteTransaction? {
    try condition.withLock {
      while case .waiting = state { condition.wait() }
      return try result()
    }
  }

  private func result() throws -> WriteTransaction? {
    switch state {
    case .waiting, .over: return nil
    case .granted(let transaction):
      state = .over
      return transaction
    case .failed(let error):
      state = .over
      throw error
    }
  }

  /// Gives the lock back, now or when it is granted.
  func giveUp() {
    condition.withLock {
      if case .granted(let transaction) = state { transaction.rollback() }
      state = .over
    }
  }
}
