import Synchronization

extension Store {
  /// The state of the open stores of this process, by their databases.
  ///
  /// It holds no store: one that is not closed ends when nothing else refers to it.
  private static let open = Mutex<[String: [ObjectIdentifier: Shared]]>([:])

  func enlist() {
    let (identifier, shared) = (ObjectIdentifier(self), shared)
    Self.open.withLock { $0[shared.key, default: [:]][identifier] = shared }
  }

  /// Removes this store.
  func delist() {
    let (identifier, key) = (ObjectIdentifier(self), shared.key)
    let ended = Self.open.withLock { open in
      let ended = open[key]?.removeValue(forKey: identifier)
      if open[key]?.isEmpty == true { open[key] = nil }
      return ended
    }
    // The database may end here, outside the lock.
    _ = ended
  }

  private static func shared(_ directory: String) -> Shared? {
    let key = StoreLocation.key(directory)
    return open.withLock { $0[key]?.values.first }
  }

  /// Returns whether a store of this process has a database open.
  ///
  /// - Parameter directory: The path with which the database was opened.
  /// - Returns: Whether there is one.
  /// - Throws: Nothing; `throws` is there because ObjectBox has it.
  public static func isOpen(directory: String) throws -> Bool { shared(directory) != nil }

  /// Returns another store of a database that a store of this process has open.
  ///
  /// - Parameter directory: The path with which the database was opened.
  /// - Returns: The store; close it separately.
  /// - Throws: ``ObjectBoxError/illegalState(message:)`` if no store has the database
  ///   open.
  public static func attachTo(directory: String) throws -> Store {
    guard let shared = shared(directory) else {
      throw ObjectBoxError.illegalState(
        message: "No store of this process is open at \(directory); open one"
      )
    }
    return Store(shared)
  }

  /// Returns another store of the same database; close it separately.
  ///
  /// - Throws: ``ObjectBoxError/illegalState(message:)`` if this store is closed.
  public func clone() throws -> Store {
    try requireOpen()
    return Store(shared)
  }

  // MARK: - Commits

  /// Registers what is done after each commit of this store; returns its number.
  func onCommit(_ handler: @escaping @Sendable () -> Void) -> Int {
    state.withLock { state in
      state.lastHandler += 1
      state.commitHandlers[state.lastHandler] = handler
      return state.lastHandler
    }
  }

  func removeCommitHandler(_ number: Int) {
    state.withLock { $0.commitHandlers[number] = nil }
  }
}
