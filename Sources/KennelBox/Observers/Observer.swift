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
    let notifier = ChangeNotifier(store.database, classKey, notify)
    if flags.contains(.sendInitial) { notifier.notifyInitially() }
    if flags.contains(.dontSubscribe) {
      observation = Mutex(nil)
      return
    }
    // Each commit of this store is told before its transaction returns; the others, soon.
    let number = store.onCommit { notifier.notify() }
    let others = try? store.database.observe { result in
      switch result {
      case .success: notifier.notify()
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

/// Calls a handler when there is a new commit that changes an object of a class.
private final class ChangeNotifier: Sendable {
  private let database: Database
  private let classKey: ClassKey
  private let handler: @Sendable (Snapshot?) -> Void
  /// The snapshot that the handler knows; `nil` after a failure.
  private let known: Mutex<Snapshot?>

  init(
    _ database: Database,
    _ classKey: ClassKey,
    _ handler: @escaping @Sendable (Snapshot?) -> Void
  ) {
    self.database = database
    self.classKey = classKey
    self.handler = handler
    known = Mutex(try? database.snapshot())
  }

  func notifyInitially() { known.withLock { handler($0) } }

  /// Reports the commits since the last call, in their order.
  func notify() {
    known.withLock { known in
      let old = known
      known = try? database.snapshot()
      if let old, let new = known {
        if old.commitNumber == new.commitNumber { return }
        if let changes = try? database.changes(from: old, to: new), !changes.concerns(classKey) {
          return
        }
      }
      handler(known)
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
    observer(on: dispatchQueue, flags, resultHandler) { try self.all() }
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

  /// Calls a handler with what is read of each snapshot, or of the newest commit.
  func observer(
    on queue: DispatchQueue,
    _ flags: Observer.Flags,
    _ handler: @escaping ([E], ObjectBoxError?) -> Void,
    _ read: @escaping () throws -> [E]
  ) -> Observer {
    observer(on: queue, flags) { snapshot in
      do {
        handler(try snapshot.map { try self.store.read(from: $0, read) } ?? read(), nil)
      } catch {
        handler([], error as? ObjectBoxError ?? .unexpected(error: error))
      }
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
    box.observer(on: dispatchQueue, flags, resultHandler) { try self.find() }
  }

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

/// How many calls of a handler wait in its queue.
private final class WaitingCount: Sendable {
  let count = Atomic(0)
}
