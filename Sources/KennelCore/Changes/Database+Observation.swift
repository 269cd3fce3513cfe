import KennelStorage
import Synchronization

extension Database {
  /// Calls a handler after each commit until stopped or deallocated.
  ///
  /// ```swift
  /// let observation = try database.observe { result in
  ///   if case .success(let changes) = result { print(changes.created.count) }
  /// }
  /// observation.stop()
  /// ```
  ///
  /// Commits that arrive faster than the handler runs are reported together. The newest commit is
  /// never missed.
  public final class Observation: Sendable {
    private let watcher: CommitWatcher
    private let isStopped = Atomic(false)

    fileprivate init(_ watcher: CommitWatcher) {
      self.watcher = watcher
    }

    deinit { stop() }

    /// Stops the observation; may be called again.
    ///
    /// After this returns, the handler is not running and is not called again. If the handler
    /// itself calls this, the running call of the handler is the last.
    public func stop() {
      if !isStopped.exchange(true, ordering: .acquiringAndReleasing) { watcher.stop() }
    }
  }
}

extension Database {
  /// Calls a handler after each commit of this process and of others.
  ///
  /// - Parameter handler: Gets the changes since the last call, or since the observation began, on a
  ///   thread of the observation. A failure is reported once, and again only after another commit.
  /// - Returns: The observation, which stops when it is deallocated.
  /// - Throws: `DatabaseError` if the file is damaged or was replaced.
  public func observe(
    _ handler: @escaping @Sendable (Result<ChangeSet, DatabaseError>) -> Void
  ) throws(DatabaseError) -> Observation {
    let look = CommitLook(self, try snapshot(), handler)
    return try watch { look.run() }
  }
}

extension Database {
  /// Calls a handler after commits, without computing their changes.
  ///
  /// - Parameter handler: Called on a thread of the observation after commits of this process and of
  ///   others; commits that arrive fast are reported together.
  /// - Returns: The observation, which stops when it is deallocated.
  /// - Throws: `DatabaseError` if no thread can be created.
  public func observeCommits(
    _ handler: @escaping @Sendable () -> Void
  ) throws(DatabaseError) -> Observation {
    let seen = Atomic(commitNumber)
    return try watch { [self] in
      let newest = commitNumber
      if seen.exchange(newest, ordering: .relaxed) != newest { handler() }
    }
  }

  /// Observes the file: looks at it on a thread after each commit.
  private func watch(_ look: @escaping @Sendable () -> Void) throws(DatabaseError) -> Observation {
    guard let watcher = CommitWatcher(look) else {
      throw DatabaseError(
        .busy,
        "Cannot observe \(path): the system cannot create another thread",
        path: path
      )
    }
    return Observation(watcher)
  }
}

/// Compares commits whenever there may be a new one; runs on the observation's thread only.
private final class CommitLook: @unchecked Sendable {
  private let database: Database
  private let handler: @Sendable (Result<ChangeSet, DatabaseError>) -> Void
  /// The last snapshot that the handler was told of; it stays pinned, so that the next difference can be told.
  private var known: Snapshot
  /// The newest commit that was looked at, known or failed.
  private var seen: Int
  private var looksSinceFileCheck = 0
  private var isReplaced = false

  init(
    _ database: Database,
    _ snapshot: Snapshot,
    _ handler: @escaping @Sendable (Result<ChangeSet, DatabaseError>) -> Void
  ) {
    self.database = database
    self.handler = handler
    known = snapshot
    seen = snapshot.commitNumber
  }

  func run() {
    let newest = database.commitNumber
    if newest == seen {
      lookAtFile()
      return
    }
    do throws(DatabaseError) {
      let snapshot = try database.snapshot()
      seen = snapshot.commitNumber
      if seen == known.commitNumber { return }
      let changes = try database.changes(from: known, to: snapshot)
      known = snapshot
      handler(.success(changes))
    } catch {
      seen = newest
      isReplaced = error.code == .fileReplaced
      handler(.failure(error))
    }
  }

  /// No commit ever comes from a file that is no longer at its path: about once a second it is
  /// looked whether it is.
  private func lookAtFile() {
    looksSinceFileCheck += 1
    guard looksSinceFileCheck >= 20, !isReplaced else { return }
    looksSinceFileCheck = 0
    do throws(DatabaseError) {
      try storing(database.store.requireSameFile())
    } catch {
      isReplaced = true
      handler(.failure(error))
    }
  }
}
