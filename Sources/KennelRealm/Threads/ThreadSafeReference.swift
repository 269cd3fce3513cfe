import Foundation
import KennelCore
import Synchronization

/// A reference that passes an object or collection to another thread, queue or actor.
///
/// ```swift
/// let reference = ThreadSafeReference(to: ship)
/// queue.async {
///   guard let realm = try? Realm(configuration: configuration, queue: queue) else { return }
///   if let ship = realm.resolve(reference) { print(ship.name) }
/// }
/// ```
///
/// It can be resolved once. As long as the reference exists, the file keeps the commit that the
/// realm showed when the reference was made. A reference made in a write transaction keeps none.
public final class ThreadSafeReference<Confined: ThreadConfined>: Sendable {
  private let recipe: Recipe
  private let isResolved = Atomic(false)
  /// The realm's file.
  private let file: (id: UUIDValue, path: String)
  /// The commit in which it is there.
  private let commit: Int
  /// A look at that commit; `nil` if it was made in a write transaction.
  private let snapshot: Snapshot?

  private struct Recipe: @unchecked Sendable {
    let make: (RealmContext) -> Any?
  }

  /// Creates a reference, on the thread of the object or collection.
  ///
  /// - Parameter threadConfined: A managed object or collection.
  public init(to threadConfined: Confined) {
    guard let context = threadConfined.realm?.context,
      let source = threadConfined as? any ReferableConfined
    else {
      throwRealmException(
        "Cannot construct reference to unmanaged object, which can be passed across threads directly"
      )
    }
    context.requireConfinement()
    if context.isFrozen {
      throwRealmException(
        "Cannot construct reference to frozen object, which can be passed across threads directly"
      )
    }
    if threadConfined.isInvalidated {
      throwRealmException("Cannot construct reference to invalidated object")
    }
    file = (context.file.database.fileID, context.file.path)
    let isWriting = context.transaction != nil
    commit = context.view.commitNumber + (isWriting ? 1 : 0)
    snapshot = isWriting ? nil : context.view.copy()
    recipe = Recipe(make: source.recipe())
  }

  /// Whether the reference was resolved and cannot be used again.
  public var isInvalidated: Bool { isResolved.load(ordering: .acquiring) }

  internal func resolve(in context: RealmContext) -> Confined? {
    if isResolved.exchange(true, ordering: .acquiringAndReleasing) {
      throwRealmException("Can only resolve a thread safe reference once.")
    }
    if context.isFrozen {
      throwRealmException("Cannot resolve a thread safe reference in a frozen Realm. Thaw it first")
    }
    guard file.id == context.file.database.fileID, file.path == context.file.path else {
      return nil
    }
    if context.transaction == nil {
      if context.view.commitNumber < commit {
        _ = context.refresh()
      } else if !context.isRead, let snapshot, context.view.commitNumber > commit {
        // A realm that has shown nothing yet begins where the reference was made.
        context.show(snapshot.copy())
        context.wakeup?.schedule()
      }
    }
    context.isRead = true
    return recipe.make(context) as? Confined
  }
}

extension Realm {
  /// Returns the object or collection of a reference, in this realm.
  ///
  /// The realm is refreshed if its snapshot is older than the reference. A realm from which nothing
  /// was read yet moves to the commit of the reference, even if that is older than its snapshot.
  ///
  /// - Parameter reference: A reference of a realm of the same file.
  /// - Returns: The object or collection; `nil` if it was deleted.
  public func resolve<Confined: ThreadConfined>(
    _ reference: ThreadSafeReference<Confined>
  ) -> Confined? {
    context.requireConfinement()
    return reference.resolve(in: context)
  }
}
