import KennelCore

/// What wants to know when a realm advances to a later commit.
internal protocol RealmObserver: AnyObject {
  /// The token that the program holds; the observer ends with it.
  var token: NotificationToken? { get }

  /// Called on the realm's thread, queue or actor.
  ///
  /// - Parameters:
  ///   - context: The realm, which sees the later commit.
  ///   - changes: What differs from the commit that the observer was last told of.
  func realm(_ context: RealmContext, advancedBy changes: ChangeSet)
}

/// Keeps a notification coming; it ends when the token is let go or invalidated.
public class NotificationToken {
  internal var observer: (any RealmObserver)?
  internal weak var context: RealmContext?

  internal init() {}

  deinit { invalidate() }

  /// Ends the notifications.
  public func invalidate() {
    if let observer { context?.observers.removeAll { $0 === observer } }
    observer = nil
  }
}

extension RealmContext {
  /// Tells an observer from now on.
  internal func add(_ observer: any RealmObserver, _ token: NotificationToken) {
    if observers.isEmpty { observed = attempt { try file.database.snapshot() } }
    observers.append(observer)
    token.observer = observer
    token.context = self
  }

  /// Tells the observers what happened since they were told last.
  internal func notifyObservers(except tokens: [NotificationToken] = []) {
    guard !observers.isEmpty, let known = observed, transaction == nil else { return }
    let changes = attempt { try file.database.changes(from: known, to: view) }
    observed = view
    for observer in observers {
      if let token = observer.token, tokens.contains(where: { $0 === token }) { continue }
      observer.realm(self, advancedBy: changes)
    }
  }
}
