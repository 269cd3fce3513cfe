import KennelCore

extension Realm {
  /// A notification of a realm.
  ///
  /// ```swift
  /// let token = realm.observe { notification, realm in
  ///   if notification == .refreshRequired { realm.refresh() }
  /// }
  /// token.invalidate()
  /// ```
  public enum Notification: String, Sendable {
    /// The realm was refreshed or committed.
    case didChange = "RLMRealmDidChangeNotification"
    /// There is a new commit, and the realm does not refresh automatically.
    case refreshRequired = "RLMRealmRefreshRequiredNotification"
  }
}

/// Who observes a realm.
internal struct RealmObservers {
  /// What is told of changes, and what of the realm's advancing.
  var changes: [ChangeObserver] = []
  var advances: [RealmObserver] = []
  /// The newest commit that was told to be there, while the realm does not advance by itself.
  var announcedCommit: UInt64 = 0
}

/// Tells those who observe a realm what changed, and lets the realm advance for them.
internal struct Notifier {
  let context: RealmContext

  private var observers: [ChangeObserver] { context.observers.changes }

  /// Tells an observer from now on.
  func add(_ observer: ChangeObserver, _ token: NotificationToken) {
    guard token.keep(observer, context) else { return }
    context.observers.changes.append(observer)
    context.wakeup?.schedule()
  }

  /// Tells an observer of the realm from now on.
  func add(_ observer: RealmObserver, _ token: NotificationToken) {
    if token.keep(observer, context) { context.observers.advances.append(observer) }
  }

  func dropStoppedObservers() {
    context.observers.changes.removeAll { !$0.isActive }
    context.observers.advances.removeAll { !$0.isActive }
  }

  // MARK: - Advancing

  /// Called on the realm's queue after a commit, and when something is to be told.
  func wake() {
    dropStoppedObservers()
    // The end of the transaction wakes the realm again.
    guard context.transaction == nil, !context.isFrozen else { return }
    let newest = context.file.database.commitNumber
    if newest != context.view.commitNumber {
      if context.autorefresh {
        guard let snapshot = try? context.file.database.snapshot() else { return }
        // A commit has its number a moment before it can be seen.
        if snapshot.commitNumber < newest { context.wakeup?.schedule(isLater: true) }
        if snapshot.commitNumber == context.view.commitNumber { return deliverChanges() }
        context.show(snapshot)
        tellOfForeignCommits()
      } else if context.observers.announcedCommit != newest {
        context.observers.announcedCommit = newest
        tell(.refreshRequired)
      }
    }
    deliverChanges()
  }

  /// Tells that the realm advanced to what others committed.
  func tellOfForeignCommits() {
    for observer in observers { observer.isOwnChange = false }
    tell(.didChange)
  }

  func tell(_ notification: Realm.Notification, except tokens: [NotificationToken] = []) {
    for observer in context.observers.advances
    where observer.isActive && !tokens.contains(where: { $0.keeps(observer) }) {
      observer.block(notification, Realm(context))
    }
  }

  /// Tells each observer what changed since it was told last.
  func deliverChanges() {
    guard !observers.isEmpty, let snapshot = context.snapshot else { return }
    deliver(upTo: snapshot)
  }

  private func deliver(upTo committed: Snapshot) {
    var sets: [UInt64: ChangeSet] = [:]
    for observer in observers where observer.isActive {
      guard let known = observer.known else {
        observer.known = committed
        observer.begin(context)
        continue
      }
      guard known.commitNumber < committed.commitNumber else { continue }
      let set =
        sets[known.commitNumber]
        ?? context.attempt { try context.file.database.changes(from: known, to: committed) }
      sets[known.commitNumber] = set
      observer.known = committed
      observer.tell(context, set, since: known)
      observer.isOwnChange = true
    }
  }

  /// Tells what is still to be told when a transaction begins, which advanced the realm; also what
  /// observers begin with, as Realm does.
  func tellBeforeWriting(after known: UInt64) {
    guard let transaction = context.transaction,
      !observers.isEmpty || !context.observers.advances.isEmpty
    else { return }
    let committed = context.attempt { try context.file.database.snapshot() }
    if committed.commitNumber != known {
      tellOfForeignCommits()
    }
    guard context.transaction === transaction else { return }
    deliver(upTo: committed)
  }

  /// Tells of a commit of the realm itself: at once that it advanced, and what changed when its
  /// queue comes to it.
  func tellOfOwnCommit(except tokens: [NotificationToken]) {
    for observer in observers where tokens.contains(where: { $0.keeps(observer) }) {
      // What changed before was told when the transaction began.
      if observer.known != nil {
        observer.known = context.snapshot
        observer.pass(context)
      }
    }
    tell(.didChange, except: tokens)
    if !observers.isEmpty { context.wakeup?.schedule() }
  }
}
