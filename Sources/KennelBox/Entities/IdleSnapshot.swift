import Foundation
import KennelCore
import Synchronization

/// The snapshot that nobody reads at the moment, kept for the next read.
///
/// It is dropped when nobody read for a while: the file grows if others write while an old state is
/// kept. It is an object of its own, because the timer refers to it: a weak reference to the store would
/// make each of the relations' references to the store slower.
final class IdleSnapshot: Sendable {
  private struct State {
    var snapshot: Snapshot?
    /// How often a snapshot became idle.
    var count = 0
    /// Whether a timer runs.
    var isExpiring = false
  }

  private let state = Mutex(State())

  /// Takes the snapshot out, if there is one of a commit.
  func take(of commit: Int) -> Snapshot? {
    let found = state.withLock { state in
      defer { state.snapshot = nil }
      return state.snapshot
    }
    return found?.commitNumber == commit ? found : nil
  }

  /// Keeps a snapshot for the next read.
  func keep(_ snapshot: Snapshot) {
    let mustStart = state.withLock { state in
      state.snapshot = snapshot
      state.count &+= 1
      defer { state.isExpiring = true }
      return !state.isExpiring
    }
    if mustStart { expire(after: 0) }
  }

  func drop() { _ = state.withLock { state in state.snapshot.take() } }

  private func expire(after count: Int) {
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + 0.2) {
      let next = self.state.withLock { state -> Int? in
        if state.snapshot != nil, state.count != count { return state.count }
        state.snapshot = nil
        state.isExpiring = false
        return nil
      }
      if let next { self.expire(after: next) }
    }
  }
}
