@_spi(Faces) internal import KennelCore

/// Owns the draft.
///
/// Every change of the draft goes through a method of this class, and each of them ends in
/// ``changed(_:)``, which tells whoever shows or keeps the draft. Nobody else can forget to.
///
/// A job that changes the draft borrows it: ``lend()`` hands it out, ``takeBack(as:)`` takes it back.
/// Meanwhile everybody sees the draft as it was.
final class DraftOwner {
  private let database: Database
  /// `nil` where nothing can be changed.
  private let own: Draft?
  private var lent: LentDraft?
  /// The snapshot to show without a draft.
  private var newest: Snapshot?
  private var steps = DraftSteps()
  /// Grows with each change of what is shown.
  private(set) var generation = 0
  /// What the draft does.
  private(set) var summary = DraftSummary()
  /// The properties that another commit has changed, too, as slots of the whole property.
  private(set) var conflictingProperties: Set<Slot> = []
  private(set) var changeCount = 0
  /// Called after each change, with the final keys of the objects that a commit has numbered.
  var listener: ([ObjectIdentity: ObjectIdentity]) -> Void = { _ in }

  init(_ database: Database, isReadOnly: Bool) throws(DatabaseError) {
    self.database = database
    own = database.canWrite && !isReadOnly ? try database.makeDraft() : nil
    newest = own == nil ? try database.snapshot() : nil
    countChanges()
  }

  private func changed(_ renumbered: [ObjectIdentity: ObjectIdentity] = [:]) {
    generation += 1
    if lent == nil { countChanges() }
    listener(renumbered)
  }

  private func countChanges() {
    summary = own?.summary ?? DraftSummary()
    let conflicts = own?.conflicts ?? []
    conflictingProperties = Set(minimumCapacity: conflicts.count)
    for slot in conflicts.lazy.compactMap(\.operation.slot) {
      conflictingProperties.insert(Slot(slot.object, slot.property))
    }
    // A value set back is still to be decided on where another program has changed it.
    changeCount = max(summary.changeCount, conflicts.count)
  }
}

// MARK: - Reading

extension DraftOwner {
  /// The objects that the draft creates or changes.
  var touched: [ObjectIdentity: DraftChange.Kind] { summary.kinds }

  /// The draft, while no job has it.
  private var current: Draft? { lent == nil ? own : nil }

  /// Whether the file can be changed, now or when a job is done with the draft.
  var exists: Bool { own != nil }
  var isLent: Bool { lent != nil }
  /// Whether the draft can be changed now.
  var isAvailable: Bool { current != nil }

  /// The reader of all views: the draft, what it was when a job took it, or the newest snapshot.
  var reader: DatabaseReader? { lent?.snapshot ?? own?.reader ?? newest }

  /// A snapshot of its own for a job on another thread.
  func detached() -> Snapshot? {
    lent?.snapshot.copy() ?? own?.reader.copy() ?? newest?.copy()
  }

  /// The number of the newest commit that is shown.
  var commitNumber: Int? { current?.base.commitNumber ?? newest?.commitNumber }

  /// The newest commit without the draft's changes.
  var base: Snapshot? { current?.base }
  /// The newest commit that is shown, without changes; `nil` while a job has the draft.
  var committed: Snapshot? { current?.base ?? newest }
  /// Those that it had while a job has it.
  var conflicts: [Conflict] { lent?.conflicts ?? own?.conflicts ?? [] }
  var deletionPlan: BlastRadius? { current?.deletionPlan }
  var deletionCount: Int { current?.deletionCount ?? 0 }
  var operationCount: Int { current?.operationCount ?? 0 }

  /// The changes of the draft, an object at a time; no more than so many.
  func changes(limit: Int) -> [DraftChange] { current?.changes(limit: limit) ?? [] }

  /// The changes of the schema.
  var schemaChanges: [DraftSchemaChange] { current?.schemaChanges ?? [] }
  /// The number of objects that changes of the schema look at each time when they are performed.
  var schemaWork: Int { current?.schemaWork ?? 0 }

  /// A copy of the file with the changes committed; `nil` without a draft.
  var copy: DraftCopy? { current?.copy }

  /// How many objects the next undo and the next redo delete or bring back, at most.
  var undoDeletionCount: Int { steps.undoCount > 0 ? current?.undoDeletionCount ?? 0 : 0 }
  var redoDeletionCount: Int { steps.redoCount > 0 ? current?.redoDeletionCount ?? 0 : 0 }
  /// How many steps of the draft the next undo and the next redo take.
  var undoCount: Int { steps.undoCount }
  var redoCount: Int { steps.redoCount }

  /// The operations of the draft, to be saved; those of one change have one step.
  var records: [DraftRecord] {
    if let lent { return lent.isDiscarded ? [] : lent.records }
    // Changes that cancel each other out are nothing to be offered again.
    guard changeCount > 0 else { return [] }
    return steps.numbered(own?.records ?? [])
  }

  /// How many objects some operations of the draft were asked to delete.
  func objectCount(deletedBy items: [DraftItem.ID]) -> Int {
    let wanted = Set(items)
    return (current?.records ?? []).reduce(0) { count, record in
      guard wanted.contains(record.number), case .delete(let objects) = record.operation else {
        return count
      }
      return count + objects.count
    }
  }
}

// MARK: - Changing

extension DraftOwner {
  /// Does something with the draft while the person waits.
  ///
  /// - Parameters:
  ///   - use: What is done with it.
  ///   - work: Does it.
  /// - Returns: What the work has found, and whether it has changed the draft; `nil` where there is no
  ///   draft, or a job has it.
  /// - Throws: What the work throws.
  func perform<Found>(
    as use: Use,
    _ work: (Draft) throws(DatabaseError) -> Found
  ) throws(DatabaseError) -> (found: Found, hasChanged: Bool)? {
    guard let draft = current else { return nil }
    let mark = DraftSteps.Mark(draft)
    let found: Found
    do throws(DatabaseError) {
      found = try work(draft)
    } catch {
      if draft.nextNumber > mark.nextNumber { steps.forgetRedo() }
      throw error
    }
    if case .reading = use { return (found, false) }
    let (hasChanged, renumbered) = note(use, on: draft, since: mark)
    changed(renumbered)
    return (found, hasChanged)
  }

  /// Looks at what the draft would be after some changes, and takes them back.
  ///
  /// - Parameter body: Makes the changes, and looks.
  /// - Returns: What was seen; `nil` where the draft cannot be changed.
  /// - Throws: What `body` throws, or `DatabaseError` if the file is damaged.
  func probe<Result>(
    _ body: (Draft) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result? {
    try current?.probe(body)
  }

  /// Takes in what others have committed.
  func refresh() throws(DatabaseError) {
    defer { changed() }
    if let own {
      try own.refresh()
    } else {
      newest = try database.snapshot()
    }
  }

  /// Has everything read anew.
  func reread() {
    changed()
  }

  /// Throws every change away; those of a draft that a job has, when it is back.
  func discard() {
    if lent == nil {
      own?.discard()
    } else {
      lent?.isDiscarded = true
    }
    steps = DraftSteps()
    changed()
  }
}

// MARK: - Lending

/// The state of a draft when a job got it.
private struct LentDraft {
  let snapshot: Snapshot
  let conflicts: [Conflict]
  let records: [DraftRecord]
  let mark: DraftSteps.Mark
  /// Whether it is to be thrown away when it is back.
  var isDiscarded = false
}

extension DraftOwner {
  /// The purpose of a use of the draft, for the steps of undo.
  enum Use {
    /// Nothing is changed.
    case reading
    /// One change of the person.
    case step
    case undone
    case redone
    case restored([DraftRecord])
    /// A commit, which gave new objects their keys.
    case committed([ObjectIdentity: ObjectIdentity])
    /// Nothing that can be undone.
    case noStep
  }

  /// Gives the draft to a job, which alone may touch it until ``takeBack(as:)``.
  func lend() -> Draft? {
    guard let draft = current else { return nil }
    lent = LentDraft(
      snapshot: draft.reader.copy(),
      conflicts: draft.conflicts,
      records: records,
      mark: DraftSteps.Mark(draft)
    )
    return draft
  }

  /// Takes the draft back; whether the job has changed it.
  @discardableResult
  func takeBack(as use: Use) -> Bool {
    guard let lent, let own else { return false }
    self.lent = nil
    var hasChanged = false
    var renumbered: [ObjectIdentity: ObjectIdentity] = [:]
    if lent.isDiscarded {
      own.discard()
      steps = DraftSteps()
    } else {
      (hasChanged, renumbered) = note(use, on: own, since: lent.mark)
    }
    changed(renumbered)
    return hasChanged
  }

  /// Notes for undo and redo what was done with the draft.
  private func note(
    _ use: Use,
    on draft: Draft,
    since mark: DraftSteps.Mark
  ) -> (hasChanged: Bool, renumbered: [ObjectIdentity: ObjectIdentity]) {
    switch use {
    case .step: return (steps.note(draft, since: mark), [:])
    case .undone: steps.noteUndo()
    case .redone: steps.noteRedo()
    case .restored(let records):
      // What is done already is no operation of the draft.
      let left = Set(draft.records.map(\.number))
      steps.noteRestored(records.filter { left.contains($0.number) })
    case .committed(let keys):
      // What the commit left out is still to be undone in the steps that it was made in.
      let left = steps.numbered(draft.records)
      steps = DraftSteps()
      steps.noteRestored(left)
      return (false, keys)
    case .reading, .noStep: break
    }
    return (false, [:])
  }
}
