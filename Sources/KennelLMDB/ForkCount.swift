import Glibc
import Synchronization

/// The number of forks between this process and the first that used the module.
///
/// A forked child must not use the slots and locks that it shares with its parent. Asking the
/// system for the process id at each snapshot would cost more than the rest of the snapshot.
enum ForkCount {
  private static let count = Atomic<Int>(0)
  private static let isWatching: Bool = pthread_atfork(nil, nil, { ForkCount.hasForked() }) == 0

  static var current: Int {
    _ = isWatching
    return count.load(ordering: .relaxed)
  }

  private static func hasForked() {
    count.add(1, ordering: .relaxed)
  }
}
