internal import KennelCore
internal import Synchronization

/// What a job is for: what follows from that is said here, and nowhere else.
enum JobKind {
  /// The rows of a table.
  case rows(table: Int)
  /// The next place where a text is found.
  case find
  /// The objects that a link may point at.
  case pick
  /// How many objects a filter that is being typed leaves.
  case count
  /// The frequent values of a property, for the line of a filter.
  case values
  /// What the values of a column are like.
  case statistics
  /// A summary, such as groups.
  case summary(Int)
  /// What is wrong in the file, or what differs from another one.
  case report
  /// What other programs have committed.
  case commits
  /// What a large change does, or takes with it.
  case plan
  /// A change of the draft that takes long; the job has the draft.
  case change(canStop: Bool)
  /// The commit; the job has the draft, and its turn says whether it has begun.
  case commit(CommitTurn)
  /// A copy of the file.
  case copy
  /// The draft's way into its journal.
  case autosave

  /// Whether the job has the draft.
  var hasDraft: Bool {
    switch self {
    case .change, .commit: true
    case .rows, .find, .pick, .count, .values, .statistics, .summary, .report, .commits, .plan,
      .copy,
      .autosave:
      false
    }
  }

  /// Whether only the last event tells what the job did, though somebody has stopped it.
  var endsLater: Bool {
    switch self {
    case .change, .commit, .copy, .autosave: true
    case .rows, .find, .pick, .count, .values, .statistics, .summary, .report, .commits, .plan:
      false
    }
  }

  /// Whether a person can stop it.
  var canStop: Bool {
    switch self {
    case .rows, .find, .pick, .count, .values, .statistics, .summary, .report, .commits, .plan,
      .copy:
      true
    case .change(let canStop): canStop
    case .commit(let turn): !turn.hasBegun
    case .autosave: false
    }
  }

  /// Whether the screen says nothing of it, and no other job is waited for.
  var isUrgent: Bool {
    if case .autosave = self { true } else { false }
  }

  /// Whether it computes a summary.
  func isSummary(_ id: Int) -> Bool {
    if case .summary(id) = self { true } else { false }
  }

  /// Whether a job takes the place of another one.
  func replaces(_ other: JobKind) -> Bool {
    switch (self, other) {
    case (.rows(let table), .rows(let other)): table == other
    case (.summary(let table), .summary(let other)): table == other
    case (.find, .find), (.pick, .pick), (.count, .count), (.values, .values),
      (.statistics, .statistics),
      (.report, .report), (.plan, .plan):
      true
    case (.rows, _), (.find, _), (.pick, _), (.count, _), (.values, _), (.statistics, _),
      (.summary, _),
      (.report, _), (.commits, _), (.plan, _), (.change, _),
      (.commit, _),
      (.copy, _), (.autosave, _):
      false
    }
  }
}

/// A job that runs beside the screen, and what is done when it is over.
struct RunningJob {
  let id: JobID
  let title: String
  let kind: JobKind
  var progress: Double?
  /// Finishes what the job was for; with what it found, unless it was stopped.
  let end: (Browser, _ isStopped: Bool) -> Void

  /// Why nothing can be changed while it has the draft.
  var refusal: String { "\(title) is under way" + (kind.canStop ? "; Esc stops it" : "") }

  /// The job for the status line.
  var text: String {
    let percent = progress.map { " \(Int(max(0, min(1, $0)) * 100)) %" } ?? ""
    return "\(title)…\(percent)" + (kind.canStop ? "  Esc stops it" : "")
  }
}

/// What a job's work has found, until it is taken.
final class JobResult<Found: Sendable>: Sendable {
  private let state = Mutex<Result<Found, DatabaseError>?>(nil)

  func put(_ result: Result<Found, DatabaseError>) {
    state.withLock { $0 = result }
  }

  /// `nil` where the work did not begin, or ended because it was stopped.
  func take() -> Result<Found, DatabaseError>? {
    state.withLock { $0 }
  }
}

/// Decides once whether a commit is made: either it begins, on the job's thread, or the person takes it
/// back before that.
final class CommitTurn: Sendable {
  private enum State {
    case waiting
    case begun
    case withdrawn
  }

  private let state = Mutex(State.waiting)

  var hasBegun: Bool { state.withLock { $0 == .begun } }

  /// The writer's lock is here; false where the person has taken the commit back.
  func begin() -> Bool { move(to: .begun) }

  /// False where the commit has begun.
  func withdraw() -> Bool { move(to: .withdrawn) }

  private func move(to new: State) -> Bool {
    state.withLock { state in
      guard state == .waiting else { return state == new }
      state = new
      return true
    }
  }
}
