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

/// The commits of this run, the oldest first.
struct OwnCommits {
  struct Commit {
    let number: Int
    let time: String
    /// How many objects of which classes it created, changed and deleted.
    let text: String
    /// The states before and after it; `nil` where it can no longer be taken back.
    fileprivate(set) var states: (before: Snapshot, after: Snapshot)?
  }

  private(set) var all: [Commit] = []

  /// More commits than these are not listed; the oldest go.
  private static let most = 1_000
  /// The pages of older commits are used again only when nobody looks at them any more.
  static let mostLater = 100

  mutating func add(_ commit: Commit) {
    all.append(commit)
    if all.count > Self.most { all.removeFirst() }
  }

  subscript(number: Int) -> Commit? { all.last { $0.number == number } }

  /// Lets go of the states of commits that too many have followed.
  mutating func forget(before newest: Int) {
    for index in all.indices where newest - all[index].number > Self.mostLater {
      all[index].states = nil
    }
  }
}
