import Foundation
import KennelCore

extension Realm {
  /// Calls a block after each refresh of the realm, by its own commits or those of others.
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
  /// Stops the program where notifications could never come.
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

/// What an actor is told, by whoever runs on it already.
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
  /// Whether a queue or actor is the one that the realm's blocks run on anyway.
  private func runs(on other: RealmHome) -> Bool {
    if let home { return home.identifier == other.identifier }
    return other.identifier == ObjectIdentifier(DispatchQueue.main) && Thread.isMainThread
  }

  /// Begins to tell an observer, here or on a queue or actor.
  ///
  /// - Parameters:
  ///   - home: Where it is told; `nil` for where the realm is.
  ///   - known: What it knows already.
  ///   - make: Makes the observer for a realm; `nil` if what it observes is gone.
  ///   - failed: Is told why the realm there could not be opened.
  /// - Returns: The token that keeps it coming.
  internal func observe(
    on home: RealmHome?,
    known: Snapshot?,
    make: @escaping (RealmContext) -> ChangeObserver?,
    failed: @escaping (any Error) -> Void
  ) -> NotificationToken {
    let token = NotificationToken()
    guard let home, !runs(on: home) else {
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

  private struct WeakToken {
    weak var token: NotificationToken?

    init(_ token: NotificationToken) {
      self.token = token
    }
  }
}
