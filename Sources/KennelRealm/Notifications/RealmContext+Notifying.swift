import Foundation
import KennelCore

extension Realm {
  /// A notification of a realm.
  public enum Notification: String, Sendable {
    /// The realm was refreshed or committed.
    case didChange = "RLMRealmDidChangeNotification"
    /// There is a new commit, and the realm does not refresh automatically.
    case refreshRequired = "RLMRealmRefreshRequiredNotification"
  }

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
    if token.keep(observer, context) { context.realmObservers.append(observer) }
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

  /// Tells an observer from now on.
  internal func add(_ observer: ChangeObserver, _ token: NotificationToken) {
    guard token.keep(observer, self) else { return }
    observers.append(observer)
    wakeup?.schedule()
  }

  internal func dropStoppedObservers() {
    observers.removeAll { !$0.isActive }
    realmObservers.removeAll { !$0.isActive }
  }

  // MARK: - Advancing

  /// Called on the realm's queue after a commit, and when something is to be told.
  internal func wake() {
    dropStoppedObservers()
    // The end of the transaction wakes the realm again.
    guard transaction == nil, !isFrozen else { return }
    let newest = file.database.commitNumber
    if newest != view.commitNumber {
      if autorefresh {
        guard let snapshot = try? file.database.snapshot() else { return }
        // A commit has its number a moment before it can be seen.
        if snapshot.commitNumber < newest { wakeup?.schedule(isLater: true) }
        if snapshot.commitNumber == view.commitNumber { return deliverChanges() }
        show(snapshot)
        tellOfForeignCommits()
      } else if announcedCommit != newest {
        announcedCommit = newest
        tell(.refreshRequired)
      }
    }
    deliverChanges()
  }

  /// Tells that the realm advanced to what others committed.
  internal func tellOfForeignCommits() {
    for observer in observers { observer.isOwnChange = false }
    tell(.didChange)
  }

  internal func tell(_ notification: Realm.Notification, except tokens: [NotificationToken] = []) {
    for observer in realmObservers
    where observer.isActive && !tokens.contains(where: { $0.keeps(observer) }) {
      observer.block(notification, Realm(self))
    }
  }

  /// Tells each observer what changed since it was told last.
  internal func deliverChanges() {
    guard !observers.isEmpty, let snapshot else { return }
    deliver(upTo: snapshot)
  }

  private func deliver(upTo committed: Snapshot) {
    var sets: [UInt64: ChangeSet] = [:]
    for observer in observers where observer.isActive {
      guard let known = observer.known else {
        observer.known = committed
        observer.begin(self)
        continue
      }
      guard known.commitNumber < committed.commitNumber else { continue }
      let set =
        sets[known.commitNumber]
        ?? attempt { try file.database.changes(from: known, to: committed) }
      sets[known.commitNumber] = set
      observer.known = committed
      observer.tell(self, set)
      observer.isOwnChange = true
    }
  }

  /// Tells what is still to be told when a transaction begins, which advanced the realm; also what
  /// observers begin with, as Realm does.
  internal func tellBeforeWriting(after known: UInt64) {
    guard let transaction, !observers.isEmpty || !realmObservers.isEmpty else { return }
    let committed = attempt { try file.database.snapshot() }
    if committed.commitNumber != known {
      tellOfForeignCommits()
    }
    guard self.transaction === transaction else { return }
    deliver(upTo: committed)
  }

  /// Tells of a commit of the realm itself: at once that it advanced, and what changed when its
  /// queue comes to it.
  internal func tellOfOwnCommit(except tokens: [NotificationToken]) {
    for observer in observers where tokens.contains(where: { $0.keeps(observer) }) {
      // What changed before was told when the transaction began.
      if observer.known != nil {
        observer.known = snapshot
        observer.pass(self)
      }
    }
    tell(.didChange, except: tokens)
    if !observers.isEmpty { wakeup?.schedule() }
  }
}

// MARK: - Observing on a queue

/// What is handed from a realm to one on a queue.
internal struct Handover<Content>: @unchecked Sendable {
  let content: Content
}

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
        add(observer, token)
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
        context.add(observer, token)
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
