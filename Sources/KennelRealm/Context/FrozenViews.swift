import CRealmSupport
import KennelCore
import Synchronization

/// The looks of a frozen realm at its commit: one for each thread, since a snapshot serves one thread
/// at a time.
internal final class FrozenViews: Sendable {
  /// Threads come and go; those that are left look anew.
  private static let limit = 128

  private let original: Snapshot
  private let views = Mutex<[UInt64: Snapshot]>([:])

  /// - Parameter original: A look at the commit that is copied and not used otherwise.
  init(_ original: Snapshot) {
    self.original = original
  }

  /// The view of this thread.
  var view: Snapshot {
    let thread = kennel_this_thread()
    return views.withLock { views in
      if let view = views[thread] { return view }
      if views.count == Self.limit { views.removeAll() }
      let view = original.copy()
      views[thread] = view
      return view
    }
  }
}
