internal import KennelCore

/// How the draft is kept beyond the end of the program.
///
/// After each event that changed the draft, a job writes what is new of it into the journal, one job
/// at a time: no key waits for the disk, and what changes meanwhile goes with the next.
struct Autosave {
  /// `nil` where nothing keeps the draft.
  let journal: DraftJournal?
  /// The job that writes.
  var job: JobID?
  /// The generation of the model that was handed to a job last.
  var handedOn: Int?
  /// Whether the journal has something.
  var hasChanges = false
  /// What grows with each job, so that none writes what is older than what is written.
  var number = 0
  /// Why the draft could not be kept last, which is said once.
  var problem: String?

  init(journal: DraftJournal?) {
    self.journal = journal
  }
}

/// What became of keeping the draft.
private struct KeepingOutcome: Sendable {
  var problem: String?
}

extension Browser {
  /// Whether the draft is kept when the program ends.
  var canKeep: Bool { keeping.journal != nil && keeping.problem == nil }

  /// Hands the draft to a job that keeps it, if it has changed and no other job is at it.
  ///
  /// - Parameter atOnce: whether no job will come after it, as when the terminal goes away.
  func keepDraft(atOnce: Bool = false) {
    guard let journal = keeping.journal, keeping.handedOn != model.generation, !isStoring,
      atOnce || keeping.job == nil && !isCommitting
    else { return }
    keeping.handedOn = model.generation
    let records = model.records
    if records.isEmpty, !keeping.hasChanges { return }
    keeping.hasChanges = !records.isEmpty
    let number = newKeepingNumber()
    let id = JobID(newNumber())
    keeping.job = id
    let job = Job(id: id, title: "Autosave the draft", isUrgent: true) { _ in
      KeepingOutcome(problem: Self.problem(keeping: records, number, in: journal))
    }
    ask(.run(job))
  }

  /// Keeps the draft as it is when the program ends; why it could not be, if so.
  package func keepFinally() -> String? {
    guard let journal = keeping.journal else { return "there is no folder to keep them in" }
    // The journal has what is being stored, and says that it is.
    if isStoring { return keeping.problem }
    return Self.problem(keeping: model.records, newKeepingNumber(), in: journal)
  }

  private static func problem(
    keeping records: [DraftRecord],
    _ number: Int,
    in journal: DraftJournal
  ) -> String? {
    do throws(DatabaseError) {
      try journal.keep(records, number: number)
      return nil
    } catch {
      return error.message
    }
  }

  func finishKeeping(_ event: JobEvent) {
    if case .progress = event { return }
    keeping.job = nil
    guard case .finished(_, let result) = event, let outcome = result as? KeepingOutcome else {
      return
    }
    if let problem = outcome.problem, keeping.problem == nil { showError(problem) }
    keeping.problem = outcome.problem
  }

  private func newKeepingNumber() -> Int {
    keeping.number += 1
    return keeping.number
  }

  // MARK: - Committing

  /// Whether a commit waits for the writer's lock or has it.
  var isCommitting: Bool {
    isStoring || jobs.contains { if case .commit = $0.purpose { true } else { false } }
  }

  /// Whether a commit has the writer's lock and the draft.
  private var isStoring: Bool {
    jobs.contains { if case .store = $0.purpose { true } else { false } }
  }

  /// What notes in the journal, once the writer's lock is here, that the draft is being committed.
  ///
  /// Where that fails the commit goes on: then a crash in this moment has the draft offered again
  /// without a hint that it may be committed.
  func announcement() -> @Sendable (UInt64) -> Void {
    guard let journal = keeping.journal else { return { _ in } }
    let records = model.records
    let number = newKeepingNumber()
    // Whatever becomes of the commit, the journal is written anew.
    keeping.handedOn = nil
    keeping.hasChanges = true
    return { commit in
      _ = Self.problem(keeping: records, number, in: journal)
      try? journal.markCommitting(onto: commit)
    }
  }
}
