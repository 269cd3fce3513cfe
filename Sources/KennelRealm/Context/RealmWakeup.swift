import Foundation
import KennelCore
import Synchronization

/// Asks the queue or actor that a realm belongs to, to let it advance and tell of changes.
///
/// It is asked from any thread, and what it asks for is asked once at a time.
internal final class RealmWakeup: Sendable {
  private let anchor: ContextAnchor
  private let home: RealmHome
  private let isScheduled = Atomic(false)

  init(_ context: RealmContext, _ home: RealmHome) {
    anchor = context.anchor
    self.home = home
  }

  /// Whether there is still somebody to wake.
  var isAlive: Bool { anchor.isAlive }

  /// Asks for it; later where there is a commit that cannot be seen yet.
  func schedule(isLater: Bool = false) {
    guard !isScheduled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    home.run(isLater: isLater) {
      self.isScheduled.store(false, ordering: .releasing)
      self.anchor.context?.notifier.wake()
    }
  }
}

/// Wakes the realms of a file after each commit, of whatever process.
internal final class CommitBroadcast: @unchecked Sendable {
  private let lock = NSLock()
  /// Guarded by the lock, as ``observation`` is.
  private var wakeups: [RealmWakeup] = []
  private var observation: Database.Observation?

  /// Wakes a realm from now on.
  ///
  /// - Parameters:
  ///   - wakeup: What wakes it.
  ///   - database: The file.
  func add(_ wakeup: RealmWakeup, _ database: Database) {
    lock.withLock {
      wakeups.removeAll { !$0.isAlive }
      wakeups.append(wakeup)
      guard observation == nil else { return }
      // Without a thread, realms advance when they are refreshed and when they write.
      observation = try? database.observeCommits { [weak self] in self?.send() }
    }
  }

  private func send() {
    let wakeups = lock.withLock { self.wakeups }
    for wakeup in wakeups { wakeup.schedule() }
  }
}
