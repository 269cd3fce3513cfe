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
/// It is told of the commits of every process. Commits that follow each other fast are told together.
public final class Observer: Sendable {
  private let observation: Mutex<Database.Observation?>

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

    /// The handler is called at once, with the objects of now.
    public static let sendInitial = Flags(rawValue: 1)
    /// The handler is called once, and not of changes.
    public static let dontSubscribe = Flags(rawValue: 2)
  }

  init(
    _ database: Database,
    _ classKey: ClassKey,
    _ flags: Flags,
    _ notify: @escaping @Sendable () -> Void
  ) {
    if flags.contains(.sendInitial) { notify() }
    if flags.contains(.dontSubscribe) {
      observation = Mutex(nil)
      return
    }
    let started = try? database.observe { result in
      switch result {
      case .success(let changes): if changes.concerns(classKey) { notify() }
      case .failure: notify()
      }
    }
    observation = Mutex(started)
  }

  /// Ends the subscription.
  public func unsubscribe() {
    observation.withLock { observation in
      observation?.stop()
      observation = nil
    }
  }
}

extension Box {
  /// Calls a function when an object of the box changes.
  ///
  /// - Parameters:
  ///   - dispatchQueue: The queue on which it is called.
  ///   - flags: How the subscription begins.
  ///   - changeHandler: The function.
  /// - Returns: The subscription; keep it.
  public func subscribe(
    dispatchQueue: DispatchQueue = .main,
    flags: Observer.Flags = [.sendInitial],
    changeHandler: @escaping () -> Void
  ) -> Observer {
    observer(on: dispatchQueue, flags, changeHandler)
  }

  /// Calls a function with all objects when one of the box changes.
  ///
  /// - Parameters:
  ///   - dispatchQueue: The queue on which it is called.
  ///   - flags: How the subscription begins.
  ///   - resultHandler: The function; gets the objects, or why they cannot be read.
  /// - Returns: The subscription; keep it.
  public func subscribe(
    dispatchQueue: DispatchQueue = .main,
    flags: Observer.Flags = [.sendInitial],
    resultHandler: @escaping ([E], ObjectBoxError?) -> Void
  ) -> Observer {
    observer(on: dispatchQueue, flags) { report(resultHandler) { try self.all() } }
  }

  func observer(
    on queue: DispatchQueue,
    _ flags: Observer.Flags,
    _ handler: @escaping () -> Void
  ) -> Observer {
    // Safe: it runs on the queue alone.
    let call = QueuedHandler(run: handler)
    return Observer(store.database, map.classKey, flags) { queue.async { call.run() } }
  }
}

extension Query {
  /// Calls a function when an object of the box changes.
  ///
  /// - Parameters:
  ///   - dispatchQueue: The queue on which it is called.
  ///   - flags: How the subscription begins.
  ///   - changeHandler: The function.
  /// - Returns: The subscription; keep it.
  public func subscribe(
    dispatchQueue: DispatchQueue = .main,
    flags: Observer.Flags = [.sendInitial],
    changeHandler: @escaping () -> Void
  ) -> Observer {
    box.observer(on: dispatchQueue, flags, changeHandler)
  }

  /// Calls a function with the objects that match when one of the box changes.
  ///
  /// - Parameters:
  ///   - dispatchQueue: The queue on which it is called.
  ///   - flags: How the subscription begins.
  ///   - resultHandler: The function; gets the objects, or why they cannot be read.
  /// - Returns: The subscription; keep it.
  public func subscribe(
    dispatchQueue: DispatchQueue = .main,
    flags: Observer.Flags = [.sendInitial],
    resultHandler: @escaping ([E], ObjectBoxError?) -> Void
  ) -> Observer {
    box.observer(on: dispatchQueue, flags) { report(resultHandler) { try self.find() } }
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
  let run: () -> Void
}

private func report<E>(
  _ handler: ([E], ObjectBoxError?) -> Void,
  _ read: () throws -> [E]
) {
  do {
    handler(try read(), nil)
  } catch let error as ObjectBoxError {
    handler([], error)
  } catch {
    handler([], .unexpected(error: error))
  }
}
