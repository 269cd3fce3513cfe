internal import KennelCore
internal import KennelReports

/// The commits of other programs since a person asked for them.
///
/// Commits are compared one by one as they come, so that no snapshot older than the one on the
/// screen is kept, which would make the file grow.
struct CommitLog {
  /// So many lines are kept; the oldest are dropped.
  static let mostLines = 20_000
  /// So many objects of one commit are listed.
  static let mostObjects = 1_000

  /// The commit before the first one that is listed.
  let baseline: Int
  /// The newest commit that was looked at.
  var seen: Snapshot
  /// The commits of this program.
  var own: Set<Int> = []
  /// Whether a job compares commits.
  var isReading = false
  private(set) var lines: [ReportLine] = []
  private(set) var commitCount = 0

  init(_ seen: Snapshot) {
    self.seen = seen
    baseline = seen.commitNumber
  }

  /// Adds what a job has found.
  mutating func add(_ found: [ReportLine]) {
    commitCount += 1
    lines += found
    if lines.count > Self.mostLines { lines.removeFirst(lines.count - Self.mostLines) }
  }

  var heading: String {
    "Commits of other programs since commit \(baseline): \(commitCount)"
  }
}
