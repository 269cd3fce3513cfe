@_spi(Faces) import KennelCore
import KennelTestSupport
import Testing

/// Every kind of operation of a draft against every kind of change that another commit makes.
///
/// The table itself is `ConflictRow.all`; a row names only the changes that matter to it.
@Suite struct ConflictTableTests {
  @Test(arguments: ForeignChange.allCases)
  func `each operation of a draft meets each foreign change as the table says`(
    _ change: ForeignChange
  ) throws {
    try withTemporaryDatabase { database in
      let worlds = try database.write { transaction in
        try transaction.define(ConflictWorld.classes)
        return try ConflictRow.all.indices.map { try ConflictWorld($0, in: transaction) }
      }
      let trials = try zip(ConflictRow.all, worlds).map { row, world in
        try ConflictTrial(row, world, change, database)
      }
      try database.write { transaction in
        try change.define(in: transaction)
        for world in worlds { try change.apply(world, in: transaction) }
      }
      for trial in trials { try trial.run() }
    }
  }
}

/// One cell of the table: two drafts with the same operation, one to keep mine, one to take
/// theirs.
private struct ConflictTrial {
  let row: ConflictRow
  let world: ConflictWorld
  let cell: Comment
  let outcome: ConflictRow.Outcome
  /// Whether the operation is committed in the end: what no foreign change touches is once.
  let isCommitted: Bool
  let database: Database
  let draft: Draft
  let other: Draft
  let made: ObjectIdentity?
  /// Where the draft is kept, as by a process that ends before the foreign change.
  let folder: TemporaryFolder

  init(
    _ row: ConflictRow,
    _ world: ConflictWorld,
    _ change: ForeignChange,
    _ database: Database
  ) throws {
    self.row = row
    self.world = world
    self.database = database
    cell = "\(row.name), while \(change.rawValue)"
    outcome = row.changes[change] ?? .gives(row.gives)
    isCommitted = change == .nothing || row.changes[change] != nil
    draft = try database.makeDraft()
    other = try database.makeDraft()
    made = try row.perform(world, draft)
    _ = try row.perform(world, other)
    folder = try TemporaryFolder()
    let journal = DraftJournal(for: database, in: folder.path)
    try journal.keep(draft.records, number: 1)
    try expect(row.gives, in: draft.reader)
  }

  func run() throws {
    _ = try draft.refresh()
    _ = try other.refresh()
    try expectRestored()
    let theirs = try shown(draft.base)
    switch outcome {
    case .gives(let text), .asks(let text):
      #expect(draft.conflicts.isEmpty, cell)
      try expect(text, in: draft.reader)
      try stepBackAndForth(text, theirs)
      guard isCommitted else { return }
      if case .asks = outcome {
        try commitAsked(text)
      } else {
        try commit(text)
      }
    case .conflict(let kind, let base, let mine, let changed, let keeping, let taking):
      #expect(theirs == taking, cell)
      for draft in [draft, other] {
        try expectConflict(draft, kind, base, mine, changed, keeping != nil)
      }
      try takeTheirs(kind, taking)
      try keepMine(keeping)
    }
  }

  private func shown(_ snapshot: DatabaseReader, _ object: ObjectIdentity? = nil) throws -> String {
    try world.show(row.looksAt, of: object ?? made, snapshot)
  }

  private func expect(
    _ text: String,
    in snapshot: DatabaseReader,
    _ object: ObjectIdentity? = nil
  ) throws {
    let shown = try shown(snapshot, object)
    #expect(shown == text, cell)
  }

  /// Undo and redo, drop and its undo, over the commit that came in between.
  private func stepBackAndForth(_ mine: String, _ theirs: String) throws {
    try draft.undo()
    try expect(theirs, in: draft.reader)
    try draft.redo()
    try expect(mine, in: draft.reader)
    try draft.drop(draft.changes.flatMap(\.items).map(\.id))
    #expect(draft.isEmpty, cell)
    try expect(theirs, in: draft.reader)
    try draft.undo()
    try expect(mine, in: draft.reader)
  }

  private func expectConflict(
    _ draft: Draft,
    _ kind: Conflict.Kind,
    _ base: String,
    _ mine: String,
    _ theirs: String,
    _ canKeepMine: Bool
  ) throws {
    #expect(draft.conflicts.count == 1, cell)
    guard let conflict = draft.conflicts.first else { return }
    func show(_ value: Value?) -> String { value.map { world.show($0, draft.reader) } ?? "null" }
    #expect(conflict.kind == kind, cell)
    #expect(show(conflict.base) == base, cell)
    #expect(show(conflict.mine) == mine, cell)
    #expect(show(conflict.theirs) == theirs, cell)
    #expect(conflict.canKeepMine == canKeepMine, cell)
    guard case .conflicts(let found) = try draft.commit(), found == draft.conflicts else {
      Issue.record(cell)
      return
    }
  }

  /// A draft that is restored after the foreign change is the one that lived through it.
  private func expectRestored() throws {
    let kept = DraftJournal(for: database, in: folder.path).findKept()
    #expect(kept.count == 1, cell)
    let restored = try database.makeDraft()
    try restored.restore(kept.first?.records ?? [])
    #expect(restored.conflicts == draft.conflicts, cell)
    #expect(restored.changes == draft.changes, cell)
    try expect(shown(draft.reader), in: restored.reader)
    guard case .asks = outcome else { return }
    guard case .deletionsGrew = try restored.commit() else {
      Issue.record(cell)
      return
    }
  }

  private func takeTheirs(_ kind: Conflict.Kind, _ taking: String) throws {
    try other.undo()
    #expect(other.conflicts.isEmpty, cell)
    try expect(taking, in: other.reader)
    try other.redo()
    #expect(other.conflicts.map(\.kind) == [kind], cell)
    guard let conflict = other.conflicts.first else { return }
    try other.resolve(conflict.id, with: .theirs)
    #expect(other.conflicts.isEmpty && other.isEmpty, cell)
    try expect(taking, in: other.reader)
    try other.undo()
    #expect(other.conflicts.map(\.kind) == [kind], cell)
  }

  private func keepMine(_ keeping: String?) throws {
    let conflicts = draft.conflicts
    guard let conflict = conflicts.first else { return }
    let steps = draft.undoStepCount
    try draft.resolve(conflict.id, with: .mine)
    guard let keeping else {
      #expect(draft.conflicts.count == 1 && draft.undoStepCount == steps, cell)
      return
    }
    #expect(draft.conflicts.isEmpty, cell)
    try draft.undo()
    #expect(draft.conflicts == conflicts && draft.undoStepCount == steps, cell)
    try draft.redo()
    #expect(draft.conflicts.isEmpty, cell)
    try expect(keeping, in: draft.reader)
    if case .deletionsGrew(let radius) = try draft.commit() {
      try expectCommitted(draft.commit(confirming: radius), keeping)
    } else {
      try expect(keeping, in: database.snapshot())
    }
  }

  private func commit(_ text: String) throws {
    try expectCommitted(draft.commit(), text)
  }

  private func commitAsked(_ text: String) throws {
    guard case .deletionsGrew(let radius) = try draft.commit() else {
      Issue.record(cell)
      return
    }
    try expectCommitted(draft.commit(confirming: radius), text)
  }

  private func expectCommitted(_ outcome: CommitOutcome, _ text: String) throws {
    guard case .committed(_, let identities) = outcome else {
      Issue.record("\(cell): \(outcome)")
      return
    }
    try expect(text, in: database.snapshot(), made.flatMap { identities[$0] })
  }
}
