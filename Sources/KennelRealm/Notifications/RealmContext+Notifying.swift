import Foundation
import KennelCore

extension Realm {
  /// Calls a block when the realm was refreshed or has committed, and when a refresh is required.
  ///
  /// - Parameter block: Called on the realm's thread, queue or actor.
  /// - Returns: A token that keeps the notifications coming.
  public func observe(
    _ block: @escaping (_ notification: Notification, _ realm: Realm) -> Void
  ) -> NotificationToken {
    context.requireNotifications()
    let token = NotificationToken()
    let observer = RealmObserver(block)
    context.notifier.add(observer, token)
    return token
  }
}

extension RealmContext {
  /// Stops the program if notifications cannot be delivered.
  internal func requireNotifications() {
    requireConfinement()
    isRead = true
    if isFrozen {
      throwRealmException("Frozen Realms do not change and do not have change notifications.")
    }
    if configuration.readOnly {
      throwRealmException("Read-only Realms do not change and do not have change notifications")
    }
    if transaction != nil {
      throwRealmException(
        "Cannot register notification blocks from within write transactions: register them before"
      )
    }
    if wakeup == nil {
      throwRealmException(
        "Can only add notification blocks from within runloops: nothing can call a block on this "
          + "thread. Observe on the main thread, open the realm with Realm(queue:), or pass "
          + "observe(on:) a serial queue"
      )
    }
  }
}

// MARK: - Observing on a queue

/// Returns a block that calls another on an actor; it must itself run on that actor.
internal func handing<A: Actor, Change>(
  to actor: A,
  _ block: @Sendable @escaping (isolated A, Change) -> Void
) -> (Change) -> Void {
  { [weak actor] change in
    let handover = Handover(content: change)
    actor?.assumeIsolated { block($0, handover.content) }
  }
}

extension RealmContext {
  /// Adds an observer to this realm, or to one on a queue or actor.
  ///
  /// - Parameters:
  ///   - home: The queue or actor; `nil` for that of this realm.
  ///   - known: The commit that it knows; `nil` to begin with an initial notification.
  ///   - make: Creates the observer for a realm; `nil` if the observed object was deleted.
  ///   - failed: Receives the error if the realm there cannot be opened.
  /// - Returns: The token that keeps the observer.
  internal func observe(
    on home: RealmHome?,
    known: Snapshot?,
    make: @escaping (RealmContext) -> ChangeObserver?,
    failed: @escaping (any Error) -> Void
  ) -> NotificationToken {
    let token = NotificationToken()
    guard let home, home.identifier != self.home?.identifier else {
      requireNotifications()
      if let observer = make(self) {
        observer.known = known
        notifier.add(observer, token)
      }
      return token
    }
    requireConfinement()
    if isFrozen || configuration.readOnly || transaction != nil { requireNotifications() }
    let handover = Handover(content: (configuration, known, make, failed, WeakToken(token)))
    home.run {
      let (configuration, known, make, failed, token) = handover.content
      guard let token = token.token else { return }
      do {
        let context = try RealmOpening.open(configuration, on: home)
        guard let observer = make(context) else { return }
        observer.known = known
        observer.isOwnChange = false
        context.notifier.add(observer, token)
      } catch {
        failed(error)
      }
    }
    return token
  }

  /// Holds a token weakly: a capture list with a weak variable, beside the content of a handover, makes
  /// Swift 6.3 release that content once too often.
  private struct WeakToken {
    weak var token: NotificationToken?

    init(_ token: NotificationToken) {
      self.token = token
    }
  }
}
