private import Dispatch

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
  /// - Parameter body: What to change.
  /// - Returns: What the body returned.
  /// - Throws: What the body throws, or `DatabaseError` if the commit fails; nothing is changed then.
  @discardableResult
  public func write<Result: Sendable>(
    _ body: @escaping @Sendable (Transaction) throws -> Result
  ) async throws -> Result {
    try await onThread(writes) { try self.write(body) }
  }

  /// Runs a body on a snapshot of the newest commit, on another thread.
  ///
  /// - Parameter body: What to read.
  /// - Returns: What the body returned.
  /// - Throws: What the body throws, or `DatabaseError` if the file is damaged or was replaced.
  public func read<Result: Sendable>(
    _ body: @escaping @Sendable (Snapshot) throws -> Result
  ) async throws -> Result {
    try await onThread(reads) { try self.read(body) }
  }

  private func onThread<Result: Sendable>(
    _ queue: DispatchQueue,
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Swift.Result(catching: body)) }
    }
  }
}

private let reads = DispatchQueue(label: "kennel.reads", attributes: .concurrent)
