import Foundation
import Synchronization

/// How often a random test is repeated: ten times with `KENNEL_LONG=1`, more with a greater number.
let repetitions =
  ProcessInfo.processInfo.environment["KENNEL_LONG"].map { 10 * (Int($0) ?? 1) } ?? 1

/// What the random tests have tried; the long form prints it when its process ends.
enum Tally: String, CaseIterable {
  case images = "disks after a power failure"
  case failedImages = "… where a synchronization had failed before"
  case nested = "disks after a power failure in the commit that followed"
  case damages = "damaged files"
  case refusals = "… which were refused, with the place"
  case failures = "writes and synchronizations that failed"
  case kills = "killed writers and readers"
  case forks = "children of processes that were killed"

  private static let counts = Mutex<[Tally: Int]>([:])

  static func count(_ what: Tally) {
    counts.withLock { counts in
      if counts.isEmpty, repetitions > 1 { atexit { Tally.report() } }
      counts[what, default: 0] += 1
    }
  }

  private static func report() {
    let counts = counts.withLock { $0 }
    for what in allCases {
      let number = String(counts[what] ?? 0)
      print(String(repeating: " ", count: max(0, 9 - number.count)) + number, what.rawValue)
    }
  }
}
