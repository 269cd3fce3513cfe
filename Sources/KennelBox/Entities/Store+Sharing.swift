import Synchronization

extension Store {
  /// A weak reference to a store.
  private struct WeakStore: Sendable {
    let identifier: ObjectIdentifier
    weak var store: Store?
  }

  /// The stores that are open in this process, by what is the same for all paths of a database.
  private static let open = Mutex<[String: [WeakStore]]>([:])

  func enlist() {
    let entry = WeakStore(identifier: ObjectIdentifier(self), store: self)
    Self.open.withLock { $0[StoreLocation.key(directoryPath), default: []].append(entry) }
  }

  /// Removes this store.
  func delist() {
    let key = StoreLocation.key(directoryPath)
    let identifier = ObjectIdentifier(self)
    Self.open.withLock { open in
      let others = open[key]?.filter { $0.identifier != identifier } ?? []
      open[key] = others.isEmpty ? nil : others
    }
  }

  private static func openStore(_ directory: String) -> Store? {
    // Strong references leave the lock, because `deinit` takes it again.
    let stores = open.withLock { open in
      open[StoreLocation.key(directory)]?.compactMap(\.store) ?? []
    }
    return stores.first
  }

  /// Returns whether a store of this process has a database open.
  ///
  /// - Parameter directory: The path with which it was opened.
  /// - Returns: Whether there is one.
  /// - Throws: Nothing; it is as in ObjectBox.
  public static func isOpen(directory: String) throws -> Bool { openStore(directory) != nil }

  /// Returns another store of a database that a store of this process has open.
  ///
  /// - Parameter directory: The path with which it was opened.
  /// - Returns: The store, which is closed by itself.
  /// - Throws: ``ObjectBoxError/illegalState(message:)`` if no store has it open.
  public static func attachTo(directory: String) throws -> Store {
    guard let store = openStore(directory) else {
      throw ObjectBoxError.illegalState(
        message: "No store of this process is open at \(directory); open one"
      )
    }
    return try store.clone()
  }

  /// Returns another store of the same database, which is closed by itself.
  ///
  /// - Throws: ``ObjectBoxError/illegalState(message:)`` if this store is closed.
  public func clone() throws -> Store {
    try requireOpen()
    return Store(sharing: self)
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
