import CRealmSupport

/// What refers to a realm's context without keeping it alive.
internal final class ContextAnchor: @unchecked Sendable {
  /// As ``RealmContext/thread``.
  let thread: UInt64
  let home: RealmHome?
  private let reference = BackReference<RealmContext>()
  /// The context, while it is there.
  var context: RealmContext? { reference.target }
  /// Called when the context goes; set once, as the context.
  private var whenGone: (@Sendable () -> Void)?

  init(thread: UInt64, home: RealmHome?) {
    self.thread = thread
    self.home = home
  }

  func attach(_ context: RealmContext) { reference.set(context) }

  /// Has a body called when the context goes, on whichever thread.
  func whenGone(_ body: @escaping @Sendable () -> Void) { whenGone = body }

  /// Called by a context that goes.
  func end() {
    reference.end()
    whenGone?()
  }

  /// Whether the context is there; a moment later it may not be.
  var isAlive: Bool { reference.isSet }

  /// Whether this is the thread, queue or actor that the realm belongs to.
  var isHere: Bool {
    thread == kennel_this_thread() || home?.isHere == true
  }
}
