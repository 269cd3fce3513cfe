public import KennelStorage

/// Uncommitted changes that hold no lock, to be reviewed, undone and committed.
///
/// ```swift
/// let draft = try database.makeDraft()
/// try draft.set(rex, property: name.key, to: .string("Max"))
/// try draft.undo()
/// try draft.set(rex, property: age.key, to: .int(5))
/// print(draft.changeCount, try draft.commit())
/// ```
///
/// A draft is a list of operations on top of the newest known commit. ``reader`` shows the result,
/// backlinks included. ``refresh()`` moves the operations onto a newer commit. ``commit(confirming:)``
/// takes the writer's lock, compares the values that each operation was based on with the newest
/// commit, and stores all operations or none.
///
/// Undo reverts the last operation, or the last drop as a whole; redo repeats it. ``changes`` lists
/// what the draft changes, and ``drop(_:)`` removes parts of it. A draft belongs to one thread at a
/// time.
public final class Draft: Editing, @unchecked Sendable {
  /// The database.
  public let database: Database
  /// The commit that the draft is based on, without its changes.
  public internal(set) var base: Snapshot
  /// The objects as the operations change them, and the operations that are held back.
  internal var workingCopy: DraftReplay
  /// Every operation, in the order they were made.
  internal var entries: [DraftEntry] = []
  internal var undoSteps: [DraftStep] = []
  internal var redoSteps: [DraftStep] = []
  internal var nextID = 1

  /// - Parameters:
  ///   - database: The database.
  ///   - base: The commit that it is based on; the newest without one.
  /// - Throws: `DatabaseError` if the database is read-only, or the file is damaged.
  internal init(_ database: Database, base: Snapshot? = nil) throws(DatabaseError) {
    if let reason = database.readOnlyReason {
      throw DatabaseError(
        .readOnly,
        "Cannot change \(database.path): \(reason)",
        path: database.path
      )
    }
    self.database = database
    self.base = if let base { base } else { try database.snapshot() }
    workingCopy = DraftReplay(over: self.base)
  }

  /// The objects as the draft changes them.
  ///
  /// Rebasing, discarding and dropping replace the reader; undo and redo may replace it, too. Do
  /// not keep it.
  public var reader: DatabaseReader { workingCopy.reader }
  /// The operations that other commits contradict, in the order they were made.
  public var conflicts: [Conflict] { workingCopy.conflicts }

  /// Whether the draft has no operations.
  public var isEmpty: Bool { entries.isEmpty }
  /// The number of operations.
  public var operationCount: Int { entries.count }
  /// Whether there is an operation or a decision on conflicts to undo.
  public var canUndo: Bool { !undoSteps.isEmpty }
  /// Whether there is an operation or a decision on conflicts to redo.
  public var canRedo: Bool { !redoSteps.isEmpty }
  /// The number of operations and decisions that can be undone one after the other.
  @_spi(Faces) public var undoStepCount: Int { undoSteps.count }

  /// The blast radius of all deletions of the draft, each deletion with its first reason; `nil` if
  /// nothing is deleted.
  public var deletionPlan: BlastRadius? { Self.plan(of: entries) }

  /// The blast radius of all deletions among some operations; `nil` if nothing is deleted.
  internal static func plan(of entries: [DraftEntry]) -> BlastRadius? {
    let plans = entries.map(\.plan).filter { !$0.deletions.isEmpty }
    // Most drafts have one, which may be large.
    return plans.count > 1 ? BlastRadius(union: plans) : plans.first
  }

  /// The number of objects that the draft deletes; one that two operations delete counts twice.
  ///
  /// The cost of a rebase grows with it.
  public var deletionCount: Int { entries.reduce(0) { $0 + $1.plan.deletionCount } }
  /// The number of objects that changes of the schema look at each time when they are performed.
  ///
  /// The cost of a rebase grows with it, too.
  public var schemaWork: Int { entries.reduce(0) { $0 + ($1.schemaPlan?.objectCount ?? 0) } }
  /// The maximum number of objects that the next undo restores or deletes, and of the operations that it
  /// performs again.
  public var undoDeletionCount: Int { undoSteps.last.map(deletionCount) ?? 0 }
  /// The same of the next redo.
  public var redoDeletionCount: Int { redoSteps.last.map(deletionCount) ?? 0 }

  private func deletionCount(of step: DraftStep) -> Int {
    switch step {
    case .perform(let entry):
      entry.isHeld || entry.operation.isOfSchema
        ? deletionCount + schemaWork : entry.plan.deletionCount
    case .drop(let before, _):
      deletionCount + operationCount + before.reduce(0) { $0 + $1.plan.deletionCount }
    case .release, .insist: deletionCount + operationCount
    }
  }

  // MARK: - Performing

  /// Performs an operation.
  ///
  /// - Parameter operation: The operation.
  /// - Returns: The outcome.
  /// - Throws: `DatabaseError` if the operation cannot be performed. The draft is unchanged then.
  @discardableResult
  public func perform(_ operation: Operation) throws(DatabaseError) -> Operation.Outcome {
    let operation = try numbered(operation)
    let seen = try currentPrecondition(operation)
    let outcome: Workspace.Outcome
    do throws(DatabaseError) {
      outcome = try workingCopy.workspace.record(operation, seen: seen)
    } catch {
      if error.isFatal { rebuild() }
      throw error
    }
    if outcome.edits.isEmpty { return outcome.result }
    let request = DraftRequest(
      operation,
      seen: seen,
      created: outcome.result.created,
      confirmed: outcome.plan,
      commit: base.commitNumber
    )
    var entry = DraftEntry(id: nextID, request)
    entry.take(operation, outcome)
    nextID += 1
    entries.append(entry)
    undoSteps.append(.perform(entry))
    redoSteps = []
    return outcome.result
  }

  /// The operation with the number of the class or property that it makes.
  private func numbered(_ operation: Operation) throws(DatabaseError) -> Operation {
    guard case .schema(let change, nil) = operation else { return operation }
    return .schema(change, number: try reader.nextNumber(for: change))
  }

  /// Deletes objects and applies delete and target rules, and reports progress.
  ///
  /// - Parameters:
  ///   - objects: The objects, deleted as one operation.
  ///   - progress: Receives progress and can cancel.
  /// - Returns: The blast radius.
  /// - Throws: `DatabaseError` if an object does not exist, a `deny` rule prevents the
  ///   deletion, `progress` cancelled it, or the file is damaged. The draft is unchanged then.
  @discardableResult
  public func delete(
    _ objects: [ObjectIdentity],
    progress: QueryProgress
  ) throws(DatabaseError) -> BlastRadius {
    let workspace = workingCopy.workspace
    workspace.progress = progress
    defer { workspace.progress = nil }
    let count = entries.count
    try perform(.delete(objects))
    return entries.count > count ? entries.last?.plan ?? BlastRadius() : BlastRadius()
  }

  /// A place that does not exist is not seen; performing says what is wrong.
  private func currentPrecondition(_ operation: Operation) throws(DatabaseError) -> Precondition {
    do throws(DatabaseError) {
      return try reader.currentPrecondition(of: operation)
    } catch {
      if error.isFatal { throw error }
      return .nothing
    }
  }

  /// Undoes the last operation, or the last decision on conflicts.
  ///
  /// - Returns: A description of what was undone; `nil` if there was nothing to undo.
  /// - Throws: `DatabaseError` if the file is damaged.
  @discardableResult
  public func undo() throws(DatabaseError) -> String? {
    guard let step = undoSteps.last else { return nil }
    let sentence = describe(step)
    switch step {
    case .perform(let performed):
      guard let index = entries.lastIndex(where: { $0.id == performed.id }) else { break }
      let entry = entries[index]
      if entry.isHeld || entry.operation.isOfSchema {
        var rest = entries
        rest.remove(at: index)
        try replay(rest, onto: base)
      } else {
        try rebuilding { () throws(DatabaseError) in
          try workingCopy.workspace.undo(entry.edits)
        }
        entries.remove(at: index)
      }
      redoSteps.append(.perform(entry))
    case .drop(let before, let ids):
      try replay(before, onto: base)
      redoSteps.append(.drop(before: [], ids: ids))
    case .release(let held):
      try replay(entries(with: held), onto: base)
      redoSteps.append(.drop(before: [], ids: Set(held.map(\.entry.id))))
    case .insist(let held):
      let held = Dictionary(uniqueKeysWithValues: held.map { ($0.id, $0) })
      try replay(entries.map { held[$0.id] ?? $0 }, onto: base)
      redoSteps.append(step)
    }
    undoSteps.removeLast()
    return sentence
  }

  /// Redoes the last undone operation or decision.
  ///
  /// If another commit contradicts the operation, it becomes a conflict.
  ///
  /// - Returns: A description of what was redone; `nil` if there was nothing to redo.
  /// - Throws: `DatabaseError` if the file is damaged.
  @discardableResult
  public func redo() throws(DatabaseError) -> String? {
    guard let step = redoSteps.last else { return nil }
    switch step {
    case .perform(let undone):
      let entry = try rebuilding { () throws(DatabaseError) in try workingCopy.take(undone) }
      entries.append(entry)
      undoSteps.append(.perform(entry))
    case .drop(_, let ids):
      undoSteps.append(try takeOut(ids))
    case .insist(let held):
      // Each redo is a step of undo, also where another commit leaves nothing to decide any more.
      undoSteps.append(try insist(on: Set(held.map(\.id))) ?? step)
    case .release: break
    }
    redoSteps.removeLast()
    return describe(step)
  }

  /// Discards all changes.
  public func discard() {
    entries = []
    undoSteps = []
    redoSteps = []
    // Whoever still knows an object that is gone must not meet another one.
    workingCopy = DraftReplay(over: base, reserving: reader)
  }

  // MARK: - Replaying

  /// Performs operations anew over a commit and makes them the draft's; those that another commit
  /// has overtaken are held back as conflicts.
  ///
  /// - Throws: `DatabaseError` if the file is damaged or the work was cancelled; the draft is as it was.
  internal func replay(
    _ operations: [DraftEntry],
    onto newest: Snapshot,
    progress: QueryProgress? = nil
  ) throws(DatabaseError) {
    var replay = DraftReplay(over: newest, reserving: reader, for: operations)
    var performed: [DraftEntry] = []
    performed.reserveCapacity(operations.count)
    let steps = StepProgress(progress, count: operations.count)
    for operation in operations {
      try steps.next()
      performed.append(try replay.take(operation))
    }
    base = newest
    workingCopy = replay
    entries = performed
  }

  /// Changes the working copy, which is created anew if that fails.
  internal func rebuilding<Result>(
    _ change: () throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    do throws(DatabaseError) {
      return try change()
    } catch {
      rebuild()
      throw error
    }
  }

  /// Creates the working copy anew after the file failed in the middle of a change.
  ///
  /// If that fails too, the next attempt to read says so.
  internal func rebuild() {
    do throws(DatabaseError) {
      try replay(entries, onto: base)
    } catch {
      workingCopy = DraftReplay(over: base, reserving: reader)
    }
  }
}

/// A step of undo.
internal enum DraftStep {
  case perform(DraftEntry)
  case drop(before: [DraftEntry], ids: Set<Int>)
  /// A drop of operations that were all held back; the others stayed as they were.
  case release([HeldEntry])
  /// A decision for operations that were held back, as they were then.
  case insist([DraftEntry])
}

/// An operation that is held back, with its place among all operations.
internal struct HeldEntry {
  let index: Int
  let entry: DraftEntry
}

extension BlastRadius {
  /// Joins the plans of one draft.
  internal init(union plans: some Sequence<BlastRadius>) {
    self.init()
    for plan in plans {
      // What one plan takes is gone for the next, which may take what had lost a link.
      let cut = Self.common((nulled + removed).map(\.object), plan.deletions.map(\.object))
      if !cut.isEmpty {
        nulled.removeAll { cut.contains($0.object) }
        removed.removeAll { cut.contains($0.object) }
      }
      let lonely = Self.common(orphaned, plan.deletions.map(\.object))
      if !lonely.isEmpty { orphaned.removeAll(where: lonely.contains) }
      deletions += plan.deletions
      counts.merge(plan.counts, uniquingKeysWith: +)
      nulled += Self.new(plan.nulled, since: nulled)
      removed += Self.new(plan.removed, since: removed)
      orphaned += Self.new(plan.orphaned, since: orphaned)
      isComplete = isComplete && plan.isComplete
    }
  }

  private static func new<Element: Hashable>(
    _ elements: [Element],
    since known: [Element]
  ) -> [Element] {
    let old = common(elements, known)
    return old.isEmpty ? elements : elements.filter { !old.contains($0) }
  }

  /// The common elements of two arrays, at most one of which is large.
  private static func common<Element: Hashable>(
    _ one: [Element],
    _ other: [Element]
  ) -> Set<Element> {
    let (few, many) = one.count < other.count ? (one, other) : (other, one)
    if few.isEmpty { return [] }
    let wanted = Set(few)
    return Set(many.lazy.filter(wanted.contains))
  }
}
