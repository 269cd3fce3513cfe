public import Foundation
import KennelCore
import Synchronization

/// A subscription to the changes of a box or a query; it ends when it is deallocated.
///
/// ```swift
/// let observer = box.subscribe { notes, error in print(notes.count) }
/// observer.unsubscribe()
/// ```
///
/// The handler is called for each commit of the observer's store that changes an object of the
/// entity. Commits of other stores and processes count too; several in quick succession may be one
/// call. The handler gets the objects as of the commit. If more than 32 calls wait, the handler
/// gets the current objects.
public final class Observer: Sendable {
  private let store: Store
  private let observation: Mutex<(number: Int, others: Database.Observation?)?>

  /// How a subscription begins.
  ///
  /// ```swift
  /// let observer = box.subscribe(flags: []) { (notes, error) in print(notes.count) }
  /// ```
  public struct Flags: OptionSet, Sendable {
    /// The bits of the flags.
    public let rawValue: Int

    /// Creates flags from their bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The handler is called as soon as its queue is free, with the current objects.
    public static let sendInitial = Flags(rawValue: 1)
    /// The handler is not called for changes; with ``sendInitial`` it is called once.
    public static let dontSubscribe = Flags(rawValue: 2)
  }

  init(
    _ store: Store,
    _ classKey: ClassKey,
    _ flags: Flags,
    _ notify: @escaping @Sendable (Snapshot?) -> Void
  ) {
    self.store = store
    let look = CommitLook(store.database, classKey, notify)
    if flags.contains(.sendInitial) { look.notifyInitially() }
    if flags.contains(.dontSubscribe) {
      observation = Mutex(nil)
      return
    }
    // Each commit of this store is told before its transaction returns; the others, soon.
    let number = store.onCommit { look.run() }
    let others = try? store.database.observe { result in
      switch result {
      case .success: look.run()
      case .failure: notify(nil)
      }
    }
    observation = Mutex((number, others))
  }

  deinit { unsubscribe() }

  /// Ends the subscription.
  public func unsubscribe() {
    let ended = observation.withLock { observation in
      defer { observation = nil }
      return observation
    }
    guard let ended else { return }
    store.removeCommitHandler(ended.number)
    ended.others?.stop()
  }
}

/// What an observer does whenever there may be a new commit.
private final class CommitLook: Sendable {
  private let database: Database
  private let classKey: ClassKey
  private let notify: @Sendable (Snapshot?) -> Void
  /// What the handler knows; `nil` after a failure.
  private let known: Mutex<Snapshot?>

  init(
    _ database: Database,
    _ classKey: ClassKey,
    _ notify: @escaping @Sendable (Snapshot?) -> Void
  ) {
    self.database = database
    self.classKey = classKey
    self.notify = notify
    known = Mutex(try? database.snapshot())
  }

  func notifyInitially() { known.withLock { notify($0) } }

  /// Tells of the commits since the last look, in their order.
  func run() {
    known.withLock { known in
      let old = known
      known = try? database.snapshot()
      if let old, let new = known {
        if old.commitNumber == new.commitNumber { return }
        if let changes = try? database.changes(from: old, to: new), !changes.concerns(classKey) {
          return
        }
      }
      notify(known)
    }
  }
}

extension Box {
  /// Calls a function when an object of the box changes.
  ///
  /// - Parameters:
  ///   - dispatchQueue: The queue on which the function is called.
  ///   - flags: How the subscription begins.
  ///   - changeHandler: The function.
  /// - Returns: The subscription; keep it.
  public func subscribe(
    dispatchQueue: DispatchQueue = .main,
    flags: Observer.Flags = [.sendInitial],
    changeHandler: @escaping () -> Void
  ) -> Observer {
    observer(on: dispatchQueue, flags) { _ in changeHandler() }
  }

  /// Calls a function with all objects when an object of the box changes.
  ///
  /// - Parameters:
  ///   - dispatchQueue: The queue on which the function is called.
  ///   - flags: How the subscription begins.
  ///   - resultHandler: The function; gets the objects, or the error if they cannot be read.
  /// - Returns: The subscription; keep it.
  public func subscribe(
    dispatchQueue: DispatchQueue = .main,
    flags: Observer.Flags = [.sendInitial],
    resultHandler: @escaping ([E], ObjectBoxError?) -> Void
  ) -> Observer {
    observer(on: dispatchQueue, flags) { snapshot in
      report(resultHandler, self.store, snapshot) { try self.all() }
    }
  }

  /// Calls a function with all objects when an object of the box changes.
  ///
  /// - Parameters:
  ///   - dispatchQueue: The queue on which the function is called.
  ///   - flags: How the subscription begins.
  ///   - resultHandler: The function; gets the objects, or the error if they cannot be read.
  /// - Returns: The subscription; keep it.
  public func subscribeContiguous(
    dispatchQueue: DispatchQueue = .main,
    flags: Observer.Flags = [.sendInitial],
    resultHandler: @escaping (ContiguousArray<E>, ObjectBoxError?) -> Void
  ) -> Observer {
    subscribe(dispatchQueue: dispatchQueue, flags: flags) { (objects: [E], error) in
      resultHandler(ContiguousArray(objects), error)
    }
  }

  func observer(
    on queue: DispatchQueue,
    _ flags: Observer.Flags,
    _ handler: @escaping (Snapshot?) -> Void
  ) -> Observer {
    // Safe: it runs on the queue alone.
    let call = QueuedHandler(run: handler)
    let waiting = WaitingCount()
    return Observer(store, map.classKey, flags) { snapshot in
      // What waits must not keep many states of the file.
      let isLate = waiting.count.add(1, ordering: .relaxed).newValue > 32
      let state = isLate ? nil : snapshot
      queue.async {
        waiting.count.subtract(1, ordering: .relaxed)
        call.run(state)
      }
    }
  }
}

extension Query {
  /// Calls a function when an object of the box changes.
  ///
  /// - Parameters:
  ///   - dispatchQueue: The queue on which the function is called.
  ///   - flags: How the subscription begins.
  ///   - changeHandler: The function.
  /// - Returns: The subscription; keep it.
  public func subscribe(
    dispatchQueue: DispatchQueue = .main,
    flags: Observer.Flags = [.sendInitial],
    changeHandler: @escaping () -> Void
  ) -> Observer {
    box.observer(on: dispatchQueue, flags) { _ in changeHandler() }
  }

  /// Calls a function with the matching objects when an object of the box changes.
  ///
  /// - Parameters:
  ///   - dispatchQueue: The queue on which the function is called.
  ///   - flags: How the subscription begins.
  ///   - resultHandler: The function; gets the objects, or the error if they cannot be read.
  /// - Returns: The subscription; keep it.
  public func subscribe(
    dispatchQueue: DispatchQueue = .main,
    flags: Observer.Flags = [.sendInitial],
    resultHandler: @escaping ([E], ObjectBoxError?) -> Void
  ) -> Observer {
    box.observer(on: dispatchQueue, flags) { snapshot in
      report(resultHandler, self.box.store, snapshot) { try self.find() }
    }
  }
}

extension Query {
  /// Calls a function with the matching objects when an object of the box changes.
  ///
  /// - Parameters:
  ///   - dispatchQueue: The queue on which the function is called.
  ///   - flags: How the subscription begins.
  ///   - resultHandler: The function; gets the objects, or the error if they cannot be read.
  /// - Returns: The subscription; keep it.
  public func subscribeContiguous(
    dispatchQueue: DispatchQueue = .main,
    flags: Observer.Flags = [.sendInitial],
    resultHandler: @escaping (ContiguousArray<E>, ObjectBoxError?) -> Void
  ) -> Observer {
    subscribe(dispatchQueue: dispatchQueue, flags: flags) { (objects: [E], error) in
      resultHandler(ContiguousArray(objects), error)
    }
  }
}

extension ChangeSet {
  /// Whether an object of a class changed.
  fileprivate func concerns(_ classKey: ClassKey) -> Bool {
    created.contains { $0.classKey == classKey } || deleted.contains { $0.classKey == classKey }
      || changed.contains { $0.object.classKey == classKey }
  }
}

/// A handler that runs on one queue only.
private struct QueuedHandler: @unchecked Sendable {
  let run: (Snapshot?) -> Void
}

/// Calls a handler with what is read of a snapshot, or of the newest commit.
private func report<E>(
  _ handler: ([E], ObjectBoxError?) -> Void,
  _ store: Store,
  _ snapshot: Snapshot?,
  _ read: () throws -> [E]
) {
  let result: Result<[E], any Error> = Result {
    if let snapshot { return try store.read(from: snapshot, read) }
    return try read()
  }
  switch result {
  case .success(let objects): handler(objects, nil)
  case .failure(let error as ObjectBoxError): handler([], error)
  case .failure(let error): handler([], .unexpected(error: error))
  }
}

/// How many calls of a handler wait in its queue.
private final class WaitingCount: Sendable {
  let count = Atomic(0)
}
