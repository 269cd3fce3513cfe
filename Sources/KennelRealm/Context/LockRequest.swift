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
  func take() throws -> WriteTransaction? {
    try condition.withLock { try taken() }
  }

  /// Waits for the lock.
  func wait() throws -> WriteTransaction? {
    try condition.withLock {
      while case .waiting = state { condition.wait() }
      return try taken()
    }
  }

  private func taken() throws -> WriteTransaction? {
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

/// A task's turn to write, which it waits for.
internal final class WriteTurn: @unchecked Sendable {
  private let lock = NSLock()
  /// Guarded by the lock, as the others are.
  private var continuation: CheckedContinuation<Bool, Never>?
  private var isGranted = false
  private var isCancelled = false

  /// Waits until it is the task's turn; false where the task was cancelled first.
  func wait() async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let known: Bool? = lock.withLock {
          if isCancelled { return false }
          if isGranted {
            isGranted = false
            return true
          }
          self.continuation = continuation
          return nil
        }
        if let known { continuation.resume(returning: known) }
      }
    } onCancel: {
      end(false)
    }
  }

  /// Tells the task that it is its turn.
  func grant() { end(true) }

  private func end(_ isTurn: Bool) {
    let waiting = lock.withLock {
      defer { continuation = nil }
      if !isTurn {
        isCancelled = true
      } else if continuation == nil {
        isGranted = true
      }
      return continuation
    }
    waiting?.resume(returning: isTurn)
  }
}
