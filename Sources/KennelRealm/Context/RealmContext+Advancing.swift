import KennelCore

extension Realm {
  /// A notification of a realm.
  public enum Notification: String, Sendable {
    /// The realm was refreshed or committed.
    case didChange = "RLMRealmDidChangeNotification"
    /// There is a new commit, and the realm does not refresh automatically.
    case refreshRequired = "RLMRealmRefreshRequiredNotification"
  }
}

extension RealmContext {
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
