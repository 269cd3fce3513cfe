/// The id of an asynchronous write or commit, for cancelling it.
public typealias AsyncTransactionId = UInt32

/// The writes that wait for the writer's lock while the realm's queue goes on.
internal struct AsyncWrites {
  enum Work {
    /// A block to run in a write transaction.
    case block(() -> Void)
    /// A task that resumes when the lock is there.
    case turn(AsyncStream<Void>.Continuation)
  }

  var waiting: [(id: AsyncTransactionId, work: Work)] = []
  /// The lock that was asked for; there is one as long as somebody waits and no transaction is open.
  var request: LockRequest?
  /// The completions of commits, to be called soon.
  var completions: [AsyncTransactionId: ((any Error)?) -> Void] = [:]
  /// How many tasks write, or wait for it.
  var turns = 0
  var isRunningBlock = false
  private var lastID: AsyncTransactionId = 0

  var isIdle: Bool { waiting.isEmpty && completions.isEmpty && turns == 0 && !isRunningBlock }

  mutating func nextID() -> AsyncTransactionId {
    lastID &+= 1
    return lastID
  }
}

/// Writes of a realm that do not wait for the writer's lock.
internal struct AsyncWriter {
  let context: RealmContext
}
