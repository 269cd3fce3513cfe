import Glibc
import Synchronization

/// How many forks lie between this process and the first that used the module.
///
/// A child after a fork must not touch the places and locks that it shares with its parent.
/// Asking the system for the process id at each snapshot would cost more than the rest of it.
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
