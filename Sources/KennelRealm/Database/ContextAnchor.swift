import CRealmSupport
import Synchronization

/// What refers to a realm's context without keeping it alive.
///
/// A weak reference would do, but makes every count of references to a context four times as slow,
/// and each accessor counts two.
internal final class ContextAnchor: @unchecked Sendable {
  /// As ``RealmContext/thread``.
  let thread: UInt64
  let home: RealmHome?
  private let isThere = Atomic(true)
  /// Touched where the realm belongs only.
  private var reference: Unmanaged<RealmContext>?

  init(thread: UInt64, home: RealmHome?) {
    self.thread = thread
    self.home = home
  }

  func attach(_ context: RealmContext) { reference = Unmanaged.passUnretained(context) }

  /// Called by a context that goes.
  func end() { isThere.store(false, ordering: .releasing) }

  /// Whether the context is there.
  var isAlive: Bool { isThere.load(ordering: .acquiring) }

  /// Whether this is the thread, queue or actor that the realm belongs to.
  var isHere: Bool {
    thread == kennel_this_thread() || home?.isHere == true
  }

  /// The context, while it is there; to be asked where the realm belongs only.
  var context: RealmContext? { isAlive ? reference?.takeUnretainedValue() : nil }
}
