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
  private var observer: Observer?
  private var anchor: ContextAnchor?
  private var wakeup: RealmWakeup?
  private var isInvalidated = false

  internal init() {}

  deinit { invalidate() }

  /// Ends the notifications.
  ///
  /// The block is not called after this returns.
  public func invalidate() {
    let (observer, anchor, wakeup) = lock.withLock {
      isInvalidated = true
      defer { self.observer = nil }
      return (self.observer, self.anchor, self.wakeup)
    }
    guard let observer else { return }
    observer.stop()
    if let anchor, anchor.isHere {
      anchor.context?.notifier.dropStoppedObservers()
    } else {
      wakeup?.schedule()
    }
  }

  /// Connects what the token keeps; false where it was invalidated before.
  internal func keep(_ observer: Observer, _ context: RealmContext) -> Bool {
    lock.withLock {
      guard !isInvalidated else { return false }
      self.observer = observer
      anchor = context.anchor
      wakeup = context.wakeup
      return true
    }
  }

  internal func keeps(_ other: Observer) -> Bool {
    lock.withLock { observer === other }
  }
}

/// What is told of a realm's changes, until its token ends it.
internal class Observer {
  private let isStopped = Atomic(false)

  var isActive: Bool { !isStopped.load(ordering: .acquiring) }

  func stop() { isStopped.store(true, ordering: .releasing) }
}

/// What is told what changed from one commit to the next.
internal class ChangeObserver: Observer {
  /// The commit that was told last; `nil` if the first notification is still to come.
  var known: Snapshot?
  /// Whether all that changed since then was changed by the realm itself.
  var isOwnChange = true

  /// Tells the state that it begins with.
  func begin(_ context: RealmContext) {}

  /// Takes the state as it is for what was told last.
  func pass(_ context: RealmContext) {}

  /// Tells what changed since a commit.
  func tell(_ context: RealmContext, _ changes: ChangeSet, since known: Snapshot) {
    tell(context, changes)
  }

  /// Tells what changed.
  func tell(_ context: RealmContext, _ changes: ChangeSet) {}
}

/// What is told that a realm advanced.
internal final class RealmObserver: Observer {
  let block: (Realm.Notification, Realm) -> Void

  init(_ block: @escaping (Realm.Notification, Realm) -> Void) {
    self.block = block
  }
}
