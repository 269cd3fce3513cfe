import CRealmSupport
import Synchronization

/// A reference to a realm's context that does not keep it alive.
internal final class ContextAnchor: @unchecked Sendable {
  /// As ``RealmContext/thread``.
  let thread: UInt64
  let home: RealmHome?
  /// The context, while it is there; set once, by itself.
  private(set) weak var context: RealmContext?
  private let hasEnded = Atomic(false)
  /// Called when the context goes; set once, as the context.
  private var whenGone: (@Sendable () -> Void)?

  init(thread: UInt64, home: RealmHome?) {
    self.thread = thread
    self.home = home
  }

  func attach(_ context: RealmContext) { self.context = context }

  /// Has a body called when the context goes, on whichever thread.
  func whenGone(_ body: @escaping @Sendable () -> Void) { whenGone = body }

  /// Called by a context that goes.
  func end() {
    hasEnded.store(true, ordering: .releasing)
    whenGone?()
  }

  /// Whether the context is there; a moment later it may not be.
  ///
  /// It does not retain the context, whose last reference must not go under a lock.
  var isAlive: Bool { !hasEnded.load(ordering: .acquiring) }

  /// Whether this is the thread, queue or actor that the realm belongs to.
  var isHere: Bool {
    thread == kennel_this_thread() || home?.isHere == true
  }
}
