internal import KennelCore
internal import Synchronization

/// The kind of a job, with everything that follows from it.
struct JobKind {
  /// A job takes the place of another one with the same purpose.
  enum Purpose: Hashable {
    /// The rows of a table.
    case rows(table: Int)
    /// The next place where a text is found.
    case find
    /// All places where a text is found.
    case matches
    /// The objects that a link may point at.
    case pick
    /// How many objects a filter that is being typed leaves.
    case count
    /// The frequent values of a property, for the line of a filter.
    case values
    /// The statistics of a column.
    case statistics
    /// A summary, such as groups.
    case summary(Int)
    /// The findings in the file, or its differences from another one.
    case report
    /// The effects of a large change.
    case plan
  }

  /// `nil` where no job takes the place of another.
  var purpose: Purpose?
  /// Whether the job has the draft.
  var hasDraft = false
  /// Whether only the last event tells what the job did, though somebody has stopped it.
  var endsLater = false
  /// Whether the screen says nothing of it, and no other job is waited for.
  var isUrgent = false
  /// Says whether a commit has begun.
  var turn: CommitTurn?
  private var isStoppable = true

  /// Whether a person can stop it.
  var canStop: Bool { turn.map { !$0.hasBegun } ?? isStoppable }

  static func reading(_ purpose: Purpose) -> JobKind { JobKind(purpose: purpose) }
  /// Reads the commits of other programs.
  static let commits = JobKind()
  /// A command of a person's own.
  static let command = JobKind()
  /// The reading of a database of which the first rows are shown.
  static let wholeReading = JobKind(isStoppable: false)
  /// A copy of the file.
  static let copy = JobKind(endsLater: true)
  /// A question to the database of another program, before the draft changes.
  static let question = JobKind(hasDraft: true)
  /// The draft's way into its journal.
  static let autosave = JobKind(endsLater: true, isUrgent: true, isStoppable: false)
  /// A change of the draft that takes long.
  static func change(canStop: Bool) -> JobKind {
    JobKind(hasDraft: true, endsLater: true, isStoppable: canStop)
  }
  static func commit(_ turn: CommitTurn) -> JobKind {
    JobKind(hasDraft: true, endsLater: true, turn: turn)
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
  func refusal(in browser: Browser) -> String {
    "\(title) is under way" + (kind.canStop ? "; \(browser.key(of: "cancel")) stops it" : "")
  }

  /// The job for the status line.
  func text(in browser: Browser) -> String {
    let percent = progress.map { " \(Int(max(0, min(1, $0)) * 100)) %" } ?? ""
    return "\(title)…\(percent)" + (kind.canStop ? "  \(browser.key(of: "cancel")) stops it" : "")
  }
}

/// The result of a job's work.
final class JobResult<Found: Sendable>: Sendable {
  private let state = Mutex<Result<Found, DatabaseError>?>(nil)

  func put(_ result: Result<Found, DatabaseError>) {
    state.withLock { $0 = result }
  }

  /// `nil` where the work did not begin, or ended because it was stopped.
  var value: Result<Found, DatabaseError>? {
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
