import Foundation
import KennelCore
import Synchronization

/// Notifications that end when the token is invalidated or deallocated.
///
/// ```swift
/// let token = realm.objects(Ship.self).observe { change in
///   if case .update(let ships, _, let insertions, _) = change { print(ships.count, insertions) }
/// }
/// token.invalidate()
/// ```
///
/// A token may be deallocated on any thread.
public class NotificationToken: @unchecked Sendable {
  private let lock = NSLock()
  /// Guarded by the lock, as the others are.
  private var observer: AnyObserver?
  private var anchor: ContextAnchor?
  private var wakeup: RealmWakeup?
  private var isInvalidated = false

  internal init() {}

  deinit { invalidate() }

  /// Ends the notifications.
  ///
  /// On the thread, queue or actor of the realm, the block is not called after this returns;
  /// elsewhere, a call that has begun may still finish.
  ///
  /// - Returns: Whether the token was valid: true the first time, false from then on.
  @discardableResult
  public func invalidate() -> Bool {
    let (wasValid, observer, anchor, wakeup) = lock.withLock {
      defer {
        isInvalidated = true
        self.observer = nil
      }
      return (!isInvalidated, self.observer, self.anchor, self.wakeup)
    }
    guard let observer else { return wasValid }
    observer.stop()
    if let anchor, anchor.isHere {
      anchor.context?.notifier.dropStoppedObservers()
    } else {
      wakeup?.schedule()
    }
    return wasValid
  }

  /// Connects what the token keeps; false where it was invalidated before.
  internal func keep(_ observer: AnyObserver, _ context: RealmContext) -> Bool {
    lock.withLock {
      guard !isInvalidated else { return false }
      self.observer = observer
      anchor = context.anchor
      wakeup = context.wakeup
      return true
    }
  }

  internal func keeps(_ other: AnyObserver) -> Bool {
    lock.withLock { observer === other }
  }
}

/// An observer of a realm, which its token stops.
internal class AnyObserver {
  private let isStopped = Atomic(false)

  var isActive: Bool { !isStopped.load(ordering: .acquiring) }

  func stop() { isStopped.store(true, ordering: .releasing) }
}

/// An observer of an object or collection.
internal class ChangeObserver: AnyObserver {
  /// The commit of the last notification; `nil` before the initial one.
  var known: Snapshot?
  /// Whether only the realm itself changed anything since then.
  var isOwnChange = true
  /// Where the writes are that it is told of; it has them kept for as long as it lives.
  var log: WriteLog? {
    didSet { log?.addObserver() }
  }

  deinit { log?.removeObserver() }

  /// Delivers the initial notification.
  func deliverInitial(_ context: RealmContext) {}

  /// Records the current state without a notification.
  func recordState(_ context: RealmContext) {}

  /// Delivers what changed since a commit.
  func deliver(_ context: RealmContext, _ changes: ChangeSet, since known: Snapshot) {
    deliver(context, changes)
  }

  /// Delivers what changed.
  func deliver(_ context: RealmContext, _ changes: ChangeSet) {}
}

/// An observer of a realm.
internal final class RealmObserver: AnyObserver {
  let block: (Realm.Notification, Realm) -> Void

  init(_ block: @escaping (Realm.Notification, Realm) -> Void) {
    self.block = block
  }
}
