private import Dispatch
import Synchronization

extension Database {
  /// Runs a body in a write transaction on another thread and commits, or rolls back if the body
  /// throws.
  ///
  /// The caller waits without blocking its actor or a thread of the concurrency pool.
  ///
  /// ```swift
  /// func rename(_ dog: Object<Dog>) async throws {
  ///   try await database.write { db in try db.edit(dog) { $0.name = "Max" } }
  /// }
  /// try await rename(rex)
  /// ```
  ///
  /// If the task is cancelled before the body runs, while other writers are waited for, nothing is written
  /// and the call returns at once. A body that runs goes on.
  ///
  /// - Parameters:
  ///   - limit: How long to wait; `nil` for as long as it takes.
  ///   - body: What to change. A write in it, through whichever database of the same file, would wait for
  ///     itself: it throws an error with code `nestedWrite`.
  /// - Returns: What the body returned.
  /// - Throws: What the body throws, `DatabaseError` if the commit fails, or with code `busy` if the wait
  ///   took too long, or `CancellationError`; nothing is changed then.
  @discardableResult
  public func write<Result: Sendable>(
    waitingAtMost limit: Duration? = nil,
    _ body: @escaping @Sendable (Transaction) throws -> Result
  ) async throws -> Result {
    let turn = WriteTurn<Result>()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        guard turn.wait(continuation) else { return }
        // Who has a limit does not wait for those who have none.
        (limit == nil ? writes : reads).async {
          turn.end(
            Swift.Result {
              try self.write(limit, unless: { turn.isCancelled }) { transaction in
                try turn.begin()
                return try body(transaction)
              }
            }
          )
        }
      }
    } onCancel: {
      turn.cancel()
    }
  }

  /// Runs a body on a snapshot of the newest commit, on another thread.
  ///
  /// - Parameter body: What to read.
  /// - Returns: What the body returned.
  /// - Throws: What the body throws, or `DatabaseError` if the file is damaged or was replaced.
  public func read<Result: Sendable>(
    _ body: @escaping @Sendable (Snapshot) throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      reads.async { continuation.resume(with: Swift.Result { try self.read(body) }) }
    }
  }
}

private let reads = DispatchQueue(label: "kennel.reads", attributes: .concurrent)

/// An asynchronous write, which can be cancelled until its body runs.
private final class WriteTurn<Result: Sendable>: Sendable {
  private enum State {
    case new
    case waiting(CheckedContinuation<Result, any Error>)
    case running(CheckedContinuation<Result, any Error>)
    case over
  }

  private let state = Mutex(State.new)

  /// Takes what is resumed at the end; false if the task was cancelled before, and it is resumed now.
  func wait(_ continuation: CheckedContinuation<Result, any Error>) -> Bool {
    let isWanted = state.withLock { state in
      guard case .new = state else { return false }
      state = .waiting(continuation)
      return true
    }
    if !isWanted { continuation.resume(throwing: CancellationError()) }
    return isWanted
  }

  var isCancelled: Bool { state.withLock { if case .over = $0 { true } else { false } } }

  /// Lets the body run, unless the task was cancelled.
  func begin() throws {
    try state.withLock { state in
      guard case .waiting(let continuation) = state else { throw CancellationError() }
      state = .running(continuation)
    }
  }

  func cancel() {
    resume(with: .failure(CancellationError())) { state in
      if case .running = state { false } else { true }
    }
  }

  func end(_ result: Swift.Result<Result, any Error>) { resume(with: result) { _ in true } }

  private func resume(
    with result: Swift.Result<Result, any Error>,
    if canEnd: (State) -> Bool
  ) {
    let waiting: CheckedContinuation<Result, any Error>? = state.withLock { state in
      guard canEnd(state) else { return nil }
      defer { state = .over }
      switch state {
      case .new, .over: return nil
      case .waiting(let continuation), .running(let continuation): return continuation
      }
    }
    waiting?.resume(with: result)
  }
}
