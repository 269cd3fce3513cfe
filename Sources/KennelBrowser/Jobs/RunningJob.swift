internal import KennelCore
internal import Synchronization

/// A job that runs beside the screen, and what its result is for.
struct RunningJob {
  enum Purpose {
    /// The rows of a table.
    case rows(table: Int, TableDefinition)
    /// The next place in a view where a text is found.
    case find(text: String, in: SearchedView)
    /// The objects that a link may point at.
    case pick
    /// How many objects a filter that is being typed leaves.
    case count(text: String)
    /// The writer's lock, to commit with.
    case commit
    /// What a deletion of many takes with it.
    case plan(Deletion)
    /// A deletion of many; the job has the draft.
    case delete(Deletion)
    /// Another change of the draft that takes long; what is done with its result, first of all with the
    /// draft.
    case step(finish: (Browser, any Sendable) -> Void)
    /// The commit itself; the job has the draft.
    case store
    /// A copy of the file.
    case copy(CopyOutcome)
  }

  let id: JobID
  let title: String
  let purpose: Purpose
  var progress: Double?

  /// Whether it has the draft.
  var hasDraft: Bool {
    switch purpose {
    case .delete, .step, .store: true
    default: false
    }
  }

  /// Whether only its last event tells what it did, though somebody has stopped it.
  var endsLater: Bool {
    if case .copy = purpose { true } else { hasDraft }
  }

  /// Whether a person can stop it.
  var canStop: Bool {
    switch purpose {
    case .step, .store: false
    default: true
    }
  }

  /// Why nothing can be changed while it has the draft.
  var refusal: String { "\(title) is under way" + (canStop ? "; Esc stops it" : "") }

  /// The job for the status line.
  var text: String {
    let percent = progress.map { " \(Int(max(0, min(1, $0)) * 100)) %" } ?? ""
    return "\(title)…\(percent)" + (canStop ? "  Esc stops it" : "")
  }
}

/// What became of a copy, which may be complete before its job hears that it is stopped.
final class CopyOutcome: Sendable {
  let path: String
  private let written = Atomic(false)

  init(path: String) {
    self.path = path
  }

  var isWritten: Bool { written.load(ordering: .acquiring) }

  func note() {
    written.store(true, ordering: .releasing)
  }
}

/// Where a text is looked for; what was found is of no use in another view.
enum SearchedView: Hashable {
  case table(Int)
  case elements(ObjectIdentity, PropertyKey)

  init?(_ main: View.Main) {
    switch main {
    case .table(let table): self = .table(table.id)
    case .elements(let elements): self = .elements(elements.object, elements.property)
    case .object: return nil
    }
  }
}

/// What a job found.
enum JobResult: Sendable {
  case keys([ObjectKey], generation: Int)
  case place(FoundPlace?)
  case count(Int)
  case transaction(WriteTransaction)
  case radius(BlastRadius)
  /// A deletion that would take more with it than was shown, and was not done.
  case grown(BlastRadius)
  /// What a change of the draft found out or did.
  case step(any Sendable)
  case outcome(CommitOutcome)
  case done
  case failure(String)
}

/// Where a text was found.
struct FoundPlace: Hashable, Sendable {
  var key: ObjectKey
  var property: PropertyKey?
  /// The place of the element, in a collection.
  var index: Int?
  /// Whether the search went past the end and began again.
  var hasWrapped: Bool
}
