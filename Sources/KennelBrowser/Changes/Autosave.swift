internal import KennelCore

/// Saves the draft in a journal, beyond the end of the program.
///
/// After each event that has changed the draft, a job writes what is new of it into the journal, one job
/// at a time: no key waits for the disk, and what changes meanwhile goes with the next job.
struct Autosave {
  /// `nil` where nothing saves the draft.
  let journal: DraftJournal?
  /// Whether a job is writing.
  private(set) var isWriting = false
  /// The generation of the draft that was handed to a job last.
  private var handedOn: Int?
  /// Whether the journal has something.
  private var hasChanges = false
  /// Grows with each job, so that none writes what is older than what is written.
  private var number = 0
  /// Why the draft could not be saved last, which is said once.
  private(set) var problem: String?

  init(journal: DraftJournal?) {
    self.journal = journal
  }

  /// Whether the draft is there again when the program starts the next time.
  var isWorking: Bool { journal != nil && problem == nil }

  /// The work that saves the draft, and returns why it could not; `nil` if there is nothing to save.
  mutating func work(on draft: DraftOwner) -> (@Sendable () -> String?)? {
    guard let journal, handedOn != draft.generation else { return nil }
    handedOn = draft.generation
    let records = draft.records
    if records.isEmpty, !hasChanges { return nil }
    hasChanges = !records.isEmpty
    isWriting = true
    let number = newNumber()
    return { Self.problem(saving: records, number, in: journal) }
  }

  /// Takes what became of the work; what is to be told, if anything is.
  mutating func finish(_ new: String?) -> String? {
    defer { problem = new }
    isWriting = false
    return problem == nil ? new : nil
  }

  /// Saves the draft on the spot; why it could not, if so.
  mutating func saveNow(_ draft: DraftOwner, isBeingCommitted: Bool) -> String? {
    guard let journal else { return "there is no folder to keep them in" }
    // The journal has what is being committed, and says that it is.
    if isBeingCommitted { return problem }
    return Self.problem(saving: draft.records, newNumber(), in: journal)
  }

  /// Takes over the journal of a draft that was restored.
  mutating func adopt(_ recovered: RecoveredDraft) {
    journal?.adopt(recovered)
    hasChanges = true
  }

  /// Prepares the note in the journal that the draft is being committed.
  mutating func announcement(of draft: DraftOwner) -> CommitAnnouncement {
    guard let journal else { return CommitAnnouncement(journal: nil, records: [], number: 0) }
    // Whatever becomes of the commit, the journal is written anew.
    handedOn = nil
    hasChanges = true
    return CommitAnnouncement(journal: journal, records: draft.records, number: newNumber())
  }

  fileprivate static func problem(
    saving records: [DraftRecord],
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

  private mutating func newNumber() -> Int {
    number += 1
    return number
  }
}

/// Notes in the journal that a draft is being committed.
///
/// Where that fails the commit goes on: then a crash in this moment has the draft offered again without
/// a hint that it may be committed.
struct CommitAnnouncement: Sendable {
  fileprivate let journal: DraftJournal?
  fileprivate let records: [DraftRecord]
  fileprivate let number: Int

  /// Saves the draft, once the writer's lock is here.
  func save() {
    guard let journal else { return }
    _ = Autosave.problem(saving: records, number, in: journal)
  }

  /// Says that the commit is coming, and what it leaves in the draft.
  func mark(onto commit: Int, leaving rest: [DraftRecord]) {
    let steps = Dictionary(uniqueKeysWithValues: records.map { ($0.number, $0.step) })
    let rest = rest.map { record in
      var record = record
      record.step = steps[record.number] ?? record.step
      return record
    }
    try? journal?.markCommitting(onto: commit, leaving: rest)
  }
}
