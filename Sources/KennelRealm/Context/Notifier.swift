@_spi(Faces) import KennelCore

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
    /// The realm was refreshed, or committed a write.
    case didChange = "RLMRealmDidChangeNotification"
    /// There is a new commit, and the realm does not refresh automatically.
    case refreshRequired = "RLMRealmRefreshRequiredNotification"
  }
}

/// The observers of a realm.
internal struct RealmObservers {
  /// Observers of objects and collections, and of the realm.
  var changes: [ChangeObserver] = []
  var advances: [RealmObserver] = []
  /// The newest commit that `refreshRequired` was posted for.
  var announcedCommit = 0
}

/// Delivers notifications to the observers of a realm, and refreshes it first.
internal struct Notifier {
  let context: RealmContext

  private var observers: [ChangeObserver] { context.observers.changes }

  /// Adds an observer of an object or collection.
  func add(_ observer: ChangeObserver, _ token: NotificationToken) {
    guard token.keep(observer, context) else { return }
    observer.log = context.file.writeLog
    context.observers.changes.append(observer)
    context.wakeup?.schedule()
  }

  /// Adds an observer of the realm.
  func add(_ observer: RealmObserver, _ token: NotificationToken) {
    if token.keep(observer, context) { context.observers.advances.append(observer) }
  }

  func dropStoppedObservers() {
    context.observers.changes.removeAll { !$0.isActive }
    context.observers.advances.removeAll { !$0.isActive }
  }

  // MARK: - Advancing

  /// Called on the realm's queue after a commit, and when notifications are due.
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
        postForeignCommits()
      } else if context.observers.announcedCommit != newest {
        context.observers.announcedCommit = newest
        post(.refreshRequired)
      }
    }
    deliverChanges()
  }

  /// Posts that the realm advanced to a commit of another.
  func postForeignCommits() {
    for observer in observers { observer.isOwnChange = false }
    post(.didChange)
  }

  func post(_ notification: Realm.Notification, except tokens: [NotificationToken] = []) {
    for observer in context.observers.advances
    where observer.isActive && !tokens.contains(where: { $0.keeps(observer) }) {
      observer.block(notification, Realm(context))
    }
  }

  /// Delivers to each observer what changed since its last notification.
  func deliverChanges() {
    guard !observers.isEmpty, let snapshot = context.snapshot else { return }
    deliver(upTo: snapshot)
  }

  private func deliver(upTo committed: Snapshot) {
    var sets: [Int: ChangeSet] = [:]
    for observer in observers where observer.isActive {
      guard let known = observer.known else {
        observer.known = committed
        observer.deliverInitial(context)
        continue
      }
      guard known.commitNumber < committed.commitNumber else { continue }
      let set = sets[known.commitNumber] ?? context.attempt { try changes(known, committed) }
      sets[known.commitNumber] = set
      observer.known = committed
      observer.deliver(context, set, since: known)
      observer.isOwnChange = true
    }
  }

  /// The differences between two commits, with the properties that were assigned equal values.
  private func changes(_ known: Snapshot, _ committed: Snapshot) throws -> ChangeSet {
    var changes = try context.file.database.changes(from: known, to: committed)
    let (old, new) = (known.commitNumber, committed.commitNumber)
    try changes.add(context.file.writeLog.written(from: old, to: new), in: committed)
    return changes
  }

  /// Delivers what is due when a transaction begins, which advanced the realm; initial notifications
  /// too, as in Realm.
  func deliverBeforeWriting(after known: Int) {
    guard let transaction = context.transaction,
      !observers.isEmpty || !context.observers.advances.isEmpty
    else { return }
    let committed = context.attempt { try context.file.database.snapshot() }
    if committed.commitNumber != known {
      postForeignCommits()
    }
    guard context.transaction === transaction else { return }
    deliver(upTo: committed)
  }

  /// Posts a commit of the realm itself at once; what changed is delivered by its queue.
  func postOwnCommit(except tokens: [NotificationToken]) {
    for observer in observers where tokens.contains(where: { $0.keeps(observer) }) {
      // Earlier changes were delivered when the transaction began.
      if observer.known != nil {
        observer.known = context.snapshot
        observer.recordState(context)
      }
    }
    post(.didChange, except: tokens)
    if !observers.isEmpty { context.wakeup?.schedule() }
  }
}
