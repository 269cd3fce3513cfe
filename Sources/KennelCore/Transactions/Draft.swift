public import KennelStorage

/// Changes that a person is still thinking about.
///
/// A draft takes no lock. Its operations lie over the newest known commit, and ``snapshot`` shows the
/// changed world, backlinks included. ``refresh()`` moves them onto a newer commit; ``commit(confirming:)``
/// takes the writer's lock for as long as it takes to compare what each operation saw with the newest
/// commit, by value, and to apply all of them, or none.
///
/// Undo and redo step over single operations; a review lists what the draft changes and can drop
/// parts of it, which can be undone too. A draft belongs to one thread at a time.
public final class Draft: @unchecked Sendable {
  /// The database.
  public let database: Database
  /// The newest commit that the draft knows, without its changes.
  public internal(set) var base: Snapshot
  /// The world as the draft changes it.
  public internal(set) var snapshot: Snapshot
  /// The operations that another commit has overtaken, in the order they were made.
  public internal(set) var conflicts: [Conflict] = []

  internal var workspace: Workspace
  /// Every operation in force, in the order they were made.
  internal var entries: [DraftEntry] = []
  internal var undoSteps: [DraftStep] = []
  internal var redoSteps: [DraftStep] = []
  internal var nextID = 1

  internal init(_ database: Database) throws(DatabaseError) {
    self.database = database
    base = try database.snapshot()
    snapshot = Snapshot(database, base.view.copy())
    workspace = Workspace(snapshot, isDraft: true)
  }

  /// Whether there is nothing to commit.
  public var isEmpty: Bool { entries.isEmpty }
  /// How many operations the draft has.
  public var operationCount: Int { entries.count }
  /// Whether there is a step to undo.
  public var canUndo: Bool { !undoSteps.isEmpty }
  /// Whether there is a step to redo.
  public var canRedo: Bool { !redoSteps.isEmpty }

  /// A copy of the changed world of its own, for work on another thread.
  ///
  /// - Returns: A snapshot that later changes of the draft do not touch.
  public func detachedSnapshot() -> Snapshot {
    Snapshot(database, snapshot.view.copy())
  }

  /// What all deletions of the draft take with them: the union of their plans, each death with its
  /// first cause; `nil` if nothing dies.
  public var deletions: BlastRadius? {
    let plans = entries.map(\.plan).filter { !$0.deaths.isEmpty }
    guard var union = plans.first else { return nil }
    for plan in plans.dropFirst() { union.merge(plan) }
    return union
  }

  // MARK: - Performing

  /// Performs an operation.
  ///
  /// - Parameter operation: The operation.
  /// - Returns: The object that it made, if it makes one.
  /// - Throws: `DatabaseError` if it cannot be performed; the draft is as it was.
  @discardableResult
  public func perform(_ operation: Operation) throws(DatabaseError) -> ObjectIdentity? {
    let seen = try sighting(operation)
    let outcome = try workspace.perform(operation)
    if outcome.edits.isEmpty { return outcome.created }
    var entry = DraftEntry(id: nextID, operation: operation, seen: seen)
    entry.take(outcome)
    entry.confirmed = outcome.plan
    nextID += 1
    entries.append(entry)
    undoSteps.append(.perform(entry))
    redoSteps = []
    return outcome.created
  }

  /// A place that does not exist is not seen; performing says what is wrong.
  private func sighting(_ operation: Operation) throws(DatabaseError) -> Sighting {
    do throws(DatabaseError) {
      return try snapshot.sighting(of: operation)
    } catch {
      if error.isFatal { throw error }
      return .nothing
    }
  }

  /// Takes the last step back.
  ///
  /// - Returns: What was undone, as a sentence; `nil` if there was nothing to undo.
  /// - Throws: `DatabaseError` if the file is damaged.
  @discardableResult
  public func undo() throws(DatabaseError) -> String? {
    guard let step = undoSteps.last else { return nil }
    let sentence = describe(step)
    switch step {
    case .perform(let entry):
      if let index = entries.lastIndex(where: { $0.id == entry.id }) {
        // Conflicting operations are not applied; a later entry never stands above the last step.
        if !entries[index].isHeld { try workspace.undo(entries[index].edits) }
        entries.remove(at: index)
        conflicts.removeAll { $0.id == entry.id }
      }
    case .drop(let before, _):
      entries = before
      try replay()
    }
    undoSteps.removeLast()
    redoSteps.append(step)
    return sentence
  }

  /// Takes the last undone step again.
  ///
  /// - Returns: What was redone, as a sentence; `nil` if there was nothing to redo.
  /// - Throws: `DatabaseError` if another commit made it impossible; the step is forgotten then.
  @discardableResult
  public func redo() throws(DatabaseError) -> String? {
    guard let step = redoSteps.popLast() else { return nil }
    switch step {
    case .perform(var entry):
      let outcome = try workspace.perform(entry.operation, key: entry.created?.key)
      entry.take(outcome)
      entries.append(entry)
      undoSteps.append(.perform(entry))
    case .drop(_, let ids):
      undoSteps.append(.drop(before: entries, ids: ids))
      entries.removeAll { ids.contains($0.id) }
      try replay()
    }
    return describe(step)
  }

  /// Throws every change away.
  public func discard() {
    entries = []
    conflicts = []
    undoSteps = []
    redoSteps = []
    reset()
  }

  /// Lays an empty workspace over the base.
  internal func reset() {
    snapshot = Snapshot(database, base.view.copy())
    workspace = Workspace(snapshot, isDraft: true)
  }

  /// Performs every operation anew over the base; those that another commit has overtaken are held
  /// back as conflicts.
  internal func replay() throws(DatabaseError) {
    reset()
    conflicts = []
    var lost: Set<ObjectIdentity> = []
    for index in entries.indices {
      var entry = entries[index]
      entry.isHeld = false
      do throws(ConflictOrError) {
        try replay(&entry, lost)
      } catch {
        switch error {
        case .error(let error): throw error
        case .conflict(let conflict):
          entry.isHeld = true
          entry.edits = []
          entry.plan = BlastRadius()
          if let created = entry.created { lost.insert(created) }
          conflicts.append(conflict)
        }
      }
      entries[index] = entry
    }
  }

  private func replay(
    _ entry: inout DraftEntry,
    _ lost: Set<ObjectIdentity>
  ) throws(ConflictOrError) {
    let check = ConflictCheck(snapshot: snapshot)
    if !lost.isEmpty, entry.operation.objects.contains(where: lost.contains) {
      throw .conflict(
        Conflict(
          id: entry.id,
          operation: entry.operation,
          kind: .dependsOnConflict,
          base: .null,
          mine: entry.operation.shownValue,
          theirs: .null,
          message: "It builds on an object that cannot be made"
        )
      )
    }
    var operation = entry.operation
    if !entry.isForced {
      operation = try check.adjusted(operation, id: entry.id, seen: entry.seen)
    }
    do throws(DatabaseError) {
      if entry.isForced { entry.seen = try snapshot.sighting(of: operation) }
      let outcome = try workspace.perform(operation, key: entry.created?.key)
      entry.operation = operation
      entry.take(outcome)
    } catch {
      if error.isFatal { throw .error(error) }
      throw .conflict(check.conflict(operation, entry.id, error: error, seen: entry.seen))
    }
  }
}

/// An operation of a draft with what it saw and did.
internal struct DraftEntry {
  let id: Int
  var operation: Operation
  var seen: Sighting
  var edits: [Edit] = []
  /// What it took with it when it was performed last.
  var plan = BlastRadius()
  /// What a person saw that it takes with it.
  var confirmed = BlastRadius()
  var created: ObjectIdentity?
  /// Whether it is not in force because it conflicts.
  var isHeld = false
  /// Whether a person decided that it goes on top of what another commit did.
  var isForced = false

  init(id: Int, operation: Operation, seen: Sighting) {
    self.id = id
    self.operation = operation
    self.seen = seen
  }

  mutating func take(_ outcome: Workspace.Outcome) {
    edits = outcome.edits
    plan = outcome.plan
    created = outcome.created ?? created
  }
}

/// What undo takes back at once.
internal enum DraftStep {
  case perform(DraftEntry)
  case drop(before: [DraftEntry], ids: Set<Int>)
}

extension Operation {
  /// The objects that the operation names.
  internal var objects: [ObjectIdentity] {
    let named: [ObjectIdentity] =
      switch self {
      case .create(_, let values): values.values.flatMap(\.links)
      case .delete(let objects): objects
      default: []
      }
    return named + [slot?.object].compactMap(\.self) + shownValue.links
  }
}

extension BlastRadius {
  /// Adds what another plan takes with it, each death with its first cause.
  internal mutating func merge(_ other: BlastRadius) {
    let known = dead
    for death in other.deaths where !known.contains(death.object) {
      deaths.append(death)
      counts[death.object.classKey, default: 0] += 1
    }
    let edges = Set(nulled + removed)
    nulled += other.nulled.filter { !edges.contains($0) }
    removed += other.removed.filter { !edges.contains($0) }
    let allDead = dead
    nulled.removeAll { allDead.contains($0.object) }
    removed.removeAll { allDead.contains($0.object) }
    let lonely = Set(orphaned)
    orphaned += other.orphaned.filter { !lonely.contains($0) }
    orphaned.removeAll { allDead.contains($0) }
    isComplete = isComplete && other.isComplete
  }
}
