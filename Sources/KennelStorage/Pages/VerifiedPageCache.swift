package import KennelLMDB
import Synchronization

/// What was found out about one snapshot, for all who read it.
///
/// A program that opens a snapshot for each request would check the same pages again and again: a
/// third of the time of looking a thousand objects up. While the newest commit stays the same so do
/// its pages, pinned or not.
///
/// May be used by many threads at once.
///
/// Safe to use: it owns its memory.
@safe package final class VerifiedPageCache: @unchecked Sendable {
  /// The commit that is known.
  let transactionID: UInt64
  /// Which pages were checked.
  let checks: PageMarks
  /// Where numbers were found in the index tree; valid as long as this object.
  let numbers: UnsafeMutablePointer<NumberKnowledge>

  package convenience init(_ pin: ReadPin) {
    self.init(pin.transactionID, PageMarks(pageCount: pin.pageCount))
  }

  fileprivate init(_ transactionID: UInt64, _ checks: PageMarks) {
    self.transactionID = transactionID
    self.checks = checks
    unsafe numbers = .allocate(capacity: 1)
    unsafe numbers.initialize(to: NumberKnowledge())
  }

  deinit {
    unsafe numbers.deinitialize(count: 1)
    unsafe numbers.deallocate()
  }
}

/// What look-ups of numbers in the index tree have left for later ones.
struct NumberKnowledge: ~Copyable {
  /// How the leaf was filled that a number was looked up in last.
  let leafShape = Atomic<UInt64>(LeafShape.initial.bits)
  /// Where the leaves with numbers begin, once enough of them were looked up; see
  /// ``NumberDirectory``.
  let directory = Atomic<UInt>(0)
  /// The objects of a primary key by number, once most of them were looked up; see ``NumberTable``.
  let table = Atomic<UInt>(0)
  /// How many numbers were looked up in the tree; a few that get lost do not matter.
  private let lookupCount = Atomic<UInt64>(0)

  deinit {
    if let made = unsafe NumberDirectory.pointer(directory.load(ordering: .acquiring)) {
      unsafe made.pointee.deallocate()
      unsafe made.deallocate()
    }
    if let made = unsafe NumberTable.pointer(table.load(ordering: .acquiring)) {
      unsafe made.pointee.deallocate()
      unsafe made.deallocate()
    }
  }

  /// Counts a look-up; how many there were with it.
  @inline(__always)
  func countLookup() -> UInt64 {
    let count = lookupCount.load(ordering: .relaxed) &+ 1
    lookupCount.store(count, ordering: .relaxed)
    return count
  }
}

/// What is known of the newest commit that was read.
package final class NewestPageCache: Sendable {
  private let newest = Mutex<VerifiedPageCache?>(nil)

  package init() {}

  /// What is known of a pinned snapshot; nothing as yet if it is another than the last.
  package func knowledge(of pin: ReadPin) -> VerifiedPageCache {
    newest.withLock { newest in
      if let newest, newest.transactionID == pin.transactionID,
        newest.checks.pageCount >= pin.pageCount
      {
        return newest
      }
      let made = VerifiedPageCache(pin)
      // Whoever was slow to begin may come with an older commit.
      if newest.map({ $0.transactionID < pin.transactionID }) ?? true { newest = made }
      return made
    }
  }

  /// Goes on with what is known of a snapshot when this process has committed the next one.
  ///
  /// A page that was checked is the same in the next snapshot, or LMDB wrote it here and now, which
  /// needs no check, or it is not in use. So a small commit does not have the pages checked anew that
  /// it reads: a seventh of its processor time.
  ///
  /// `written` are the pages that the commit wrote.
  package func advance(
    _ known: VerifiedPageCache,
    to transactionID: UInt64,
    written: [PageRun]
  ) {
    guard known.transactionID &+ 1 == transactionID else { return }
    for run in written {
      for offset in 0..<UInt64(run.count) { known.checks.forgetKeys(of: run.first + offset) }
    }
    newest.withLock { newest in
      // Another process may have committed since, and another thread have read that.
      if newest.map({ $0.transactionID <= transactionID }) ?? true {
        newest = VerifiedPageCache(transactionID, known.checks)
      }
    }
  }
}
