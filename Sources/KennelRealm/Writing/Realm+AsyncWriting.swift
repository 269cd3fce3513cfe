import Foundation
import KennelCore

extension RealmContext {
  /// The queue or actor that asynchronous writes run on.
  private func requireScheduler(_ message: String) -> RealmHome {
    requireWriting()
    guard let scheduler else { throwRealmException(message) }
    return scheduler
  }

  internal func beginAsyncWrite(_ block: @escaping () -> Void) -> AsyncTransactionId {
    _ = requireScheduler(
      "Can't schedule async transaction: nothing can call a block on this thread. Write on the main "
        + "thread, or open the realm with Realm(queue:)"
    )
    requireFewVersions()
    let id = asyncWrites.nextID()
    asyncWrites.waiting.append((id, .block(block)))
    requestLock()
    return id
  }

  internal func commitAsyncWrite(
    _ onComplete: (((any Error)?) -> Void)?
  ) -> AsyncTransactionId {
    let scheduler = requireScheduler(
      "Can't commit a transaction asynchronously: nothing can call a block on this thread"
    )
    let id = asyncWrites.nextID()
    var failure: (any Error)?
    do {
      try commitWrite(withoutNotifying: [])
    } catch {
      failure = error
    }
    guard let onComplete else { return id }
    asyncWrites.completions[id] = onComplete
    let handover = Handover(content: (self, failure))
    scheduler.run {
      let (context, failure) = handover.content
      context.asyncWrites.completions.removeValue(forKey: id)?(failure)
    }
    return id
  }

  internal func cancelAsyncWrite(_ id: AsyncTransactionId) {
    requireConfinement()
    asyncWrites.waiting.removeAll { $0.id == id }
    asyncWrites.completions[id] = nil
    releaseUnwantedLock()
  }

  private func releaseUnwantedLock() {
    guard asyncWrites.waiting.isEmpty else { return }
    asyncWrites.request?.giveUp()
    asyncWrites.request = nil
  }

  /// Asks for the lock where somebody waits for it.
  internal func requestLock() {
    guard !asyncWrites.waiting.isEmpty, asyncWrites.request == nil, transaction == nil,
      let scheduler
    else { return }
    // The realm stays open until its writes are done.
    let handover = Handover(content: self)
    let database = file.database
    asyncWrites.request = LockRequest(
      { try database.beginWrite() },
      whenReady: { scheduler.run { handover.content.runAsyncWrite() } }
    )
  }

  /// Runs the write whose turn it is, if the lock is there.
  private func runAsyncWrite() {
    guard transaction == nil, let next = asyncWrites.waiting.first else { return }
    switch next.work {
    case .turn(let turn): turn.grant()
    case .block(let block):
      guard let request = asyncWrites.request, let begun = attempt({ try request.take() }) else {
        requestLock()
        return
      }
      asyncWrites.request = nil
      asyncWrites.waiting.removeFirst()
      begin(begun)
      asyncWrites.isRunningBlock = true
      if transaction != nil { block() }
      asyncWrites.isRunningBlock = false
      // What the block did not commit it did not want.
      if transaction != nil { cancelWrite() }
      requestLock()
    }
  }

  /// The lock that an asynchronous write waits for is taken by one that does not wait.
  internal func takeRequestedLock() throws -> WriteTransaction? {
    guard let request = asyncWrites.request else { return nil }
    asyncWrites.request = nil
    return try request.wait()
  }

  // MARK: - Tasks

  /// Begins a write transaction when it is the task's turn.
  ///
  /// - Throws: `CancellationError` if the task was cancelled first.
  internal func beginWrite(on actor: isolated (any Actor)?) async throws {
    requireFewVersions()
    let turn = WriteTurn()
    asyncWrites.waiting.append((asyncWrites.nextID(), .turn(turn)))
    requestLock()
    while await turn.wait() {
      // Somebody who did not wait may have been faster.
      if transaction == nil, let begun = try asyncWrites.request?.take() {
        asyncWrites.request = nil
        forget(turn)
        begin(begun)
        return
      }
      requestLock()
    }
    forget(turn)
    releaseUnwantedLock()
    if asyncWrites.request != nil { runAsyncWrite() }
    throw CancellationError()
  }

  private func forget(_ turn: WriteTurn) {
    asyncWrites.waiting.removeAll {
      if case .turn(let other) = $0.work { other === turn } else { false }
    }
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
    return context.beginAsyncWrite {
      block()
      if context.transaction != nil { _ = context.commitAsyncWrite(onComplete) }
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
    context.beginAsyncWrite(asyncWriteBlock)
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
    context.commitAsyncWrite(onComplete)
  }

  /// Cancels a write that has not begun, or the call after a commit.
  ///
  /// - Parameter asyncTransactionId: The id.
  /// - Throws: Nothing. It is declared as in Realm.
  public func cancelAsyncWrite(_ asyncTransactionId: AsyncTransactionId) throws {
    context.cancelAsyncWrite(asyncTransactionId)
  }

  /// Whether asynchronous writes are waiting or running, or their completions are pending.
  public var isPerformingAsynchronousWriteOperations: Bool {
    context.requireConfinement()
    return !context.asyncWrites.isIdle
  }
}
