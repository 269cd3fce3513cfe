import Foundation
import KennelCore

extension AsyncWriter {
  /// The queue or actor that asynchronous writes run on.
  private func requireScheduler(_ message: String) -> RealmHome {
    context.requireWriting()
    guard let home = context.home else { throwRealmException(message) }
    return home
  }

  internal func begin(_ block: @escaping () -> Void) -> AsyncTransactionId {
    _ = requireScheduler(
      "Can't schedule async transaction: nothing can call a block on this thread. Write on the main "
        + "thread, or open the realm with Realm(queue:)"
    )
    context.requireFewVersions()
    let id = context.asyncWrites.nextID()
    context.asyncWrites.waiting.append((id, .block(block)))
    requestLock()
    return id
  }

  internal func commit(
    _ onComplete: (((any Error)?) -> Void)?
  ) -> AsyncTransactionId {
    let scheduler = requireScheduler(
      "Can't commit a transaction asynchronously: nothing can call a block on this thread"
    )
    let id = context.asyncWrites.nextID()
    var failure: (any Error)?
    do {
      try context.commitWrite(withoutNotifying: [])
    } catch {
      failure = error
    }
    guard let onComplete else { return id }
    context.asyncWrites.completions[id] = onComplete
    let handover = Handover(content: (context, failure))
    scheduler.run {
      let (context, failure) = handover.content
      context.asyncWrites.completions.removeValue(forKey: id)?(failure)
    }
    return id
  }

  internal func cancel(_ id: AsyncTransactionId) {
    context.requireConfinement()
    context.asyncWrites.waiting.removeAll { $0.id == id }
    context.asyncWrites.completions[id] = nil
    releaseUnwantedLock()
  }

  private func releaseUnwantedLock() {
    guard context.asyncWrites.waiting.isEmpty else { return }
    context.asyncWrites.request?.giveUp()
    context.asyncWrites.request = nil
  }

  /// Asks for the lock where somebody waits for it.
  internal func requestLock() {
    guard !context.asyncWrites.waiting.isEmpty, context.asyncWrites.request == nil,
      context.transaction == nil,
      let scheduler = context.home
    else { return }
    // The realm stays open until its writes are done.
    let handover = Handover(content: context)
    let database = context.file.database
    context.asyncWrites.request = LockRequest(
      { try database.beginWrite() },
      whenReady: { scheduler.run { handover.content.asyncWriter.runWrite() } }
    )
  }

  /// Runs the write whose turn it is, if the lock is there.
  private func runWrite() {
    guard context.transaction == nil, let next = context.asyncWrites.waiting.first else { return }
    switch next.work {
    case .turn(let turn): turn.yield()
    case .block(let block):
      guard let request = context.asyncWrites.request,
        let begun = context.attempt({ try request.granted() })
      else {
        requestLock()
        return
      }
      context.asyncWrites.request = nil
      context.asyncWrites.waiting.removeFirst()
      context.begin(begun)
      context.asyncWrites.isRunningBlock = true
      if context.transaction != nil { block() }
      context.asyncWrites.isRunningBlock = false
      // What the block did not commit it did not want.
      if context.transaction != nil { context.cancelWrite() }
      requestLock()
    }
  }

  /// The lock that an asynchronous write waits for is taken by one that does not wait.
  internal func awaitRequestedLock() throws -> WriteTransaction? {
    guard let request = context.asyncWrites.request else { return nil }
    context.asyncWrites.request = nil
    return try request.wait()
  }

  // MARK: - Tasks

  /// Begins a write transaction when it is the task's turn.
  ///
  /// - Throws: `CancellationError` if the task was cancelled first.
  internal func begin(on actor: isolated (any Actor)?) async throws {
    context.requireFewVersions()
    let (turns, turn) = AsyncStream.makeStream(of: Void.self)
    let id = context.asyncWrites.nextID()
    context.asyncWrites.waiting.append((id, .turn(turn)))
    requestLock()
    for await _ in turns where !_Concurrency.Task.isCancelled {
      // Somebody who did not wait may have been faster.
      if context.transaction == nil, let begun = try context.asyncWrites.request?.granted() {
        context.asyncWrites.request = nil
        context.asyncWrites.waiting.removeAll { $0.id == id }
        context.begin(begun)
        return
      }
      requestLock()
    }
    context.asyncWrites.waiting.removeAll { $0.id == id }
    releaseUnwantedLock()
    if context.asyncWrites.request != nil { runWrite() }
    throw CancellationError()
  }
}

extension Realm {
  /// Performs a write transaction without waiting for the lock.
  ///
  /// It returns at once. The block runs on the realm's queue when the lock is available. Writes run
  /// in the order of the calls.
  ///
  /// - Parameters:
  ///   - block: Performs the changes, in a write transaction.
  ///   - onComplete: Called on the realm's queue after the commit, with the error if it failed.
  /// - Returns: An id for cancelling it.
  @discardableResult
  public func writeAsync(
    _ block: @escaping () -> Void,
    onComplete: (((any Swift.Error)?) -> Void)? = nil
  ) -> AsyncTransactionId {
    let context = context
    return context.asyncWriter.begin {
      block()
      if context.transaction != nil { _ = context.asyncWriter.commit(onComplete) }
    }
  }

  /// Begins a write transaction without waiting for the lock.
  ///
  /// It returns at once. The block runs on the realm's queue when the lock is available. Changes
  /// that it does not commit are rolled back.
  ///
  /// - Parameter asyncWriteBlock: Performs the changes, in a write transaction.
  /// - Returns: An id for cancelling it.
  @discardableResult
  public func beginAsyncWrite(_ asyncWriteBlock: @escaping () -> Void) -> AsyncTransactionId {
    context.asyncWriter.begin(asyncWriteBlock)
  }

  /// Commits the write transaction.
  ///
  /// - Parameters:
  ///   - allowGrouping: Ignored: each commit is performed at once.
  ///   - onComplete: Called on the realm's queue after the commit, with the error if it failed.
  /// - Returns: An id for cancelling the call of `onComplete`.
  @discardableResult
  public func commitAsyncWrite(
    allowGrouping: Bool = false,
    _ onComplete: (((any Swift.Error)?) -> Void)? = nil
  ) -> AsyncTransactionId {
    context.asyncWriter.commit(onComplete)
  }

  /// Cancels a write that has not begun, or the pending call of `onComplete` after a commit.
  ///
  /// - Parameter asyncTransactionId: The id.
  /// - Throws: Never; it is declared as in Realm Swift.
  public func cancelAsyncWrite(_ asyncTransactionId: AsyncTransactionId) throws {
    context.asyncWriter.cancel(asyncTransactionId)
  }

  /// Whether asynchronous writes are waiting or running, or their completions are pending.
  public var isPerformingAsynchronousWriteOperations: Bool {
    context.requireConfinement()
    return !context.asyncWrites.isIdle
  }
}
