public import KennelStorage

/// The outcome of committing a draft.
///
/// ```swift
/// switch try draft.commit() {
/// case .committed(let number, _): print("commit \(number)")
/// case .conflicts(let conflicts): print("\(conflicts.count) conflicts")
/// case .deletionsGrew(let radius): print("deletes \(radius.deletionCount) objects")
/// }
/// ```
public enum CommitOutcome: Sendable {
  /// Everything is stored.
  ///
  /// `identities` maps each provisional object of the draft to its real one.
  case committed(number: UInt64, identities: [ObjectIdentity: ObjectIdentity])
  /// Operations conflict with other commits.
  ///
  /// Nothing is stored.
  case conflicts([Conflict])
  /// Deletions would delete more than was confirmed.
  ///
  /// Nothing is stored.
  case deletionsGrew(BlastRadius)
}

extension Draft {
  /// Rebases the draft onto the newest commit.
  ///
  /// Operations that other commits contradict stay in ``conflicts`` until they are resolved.
  ///
  /// Replays the draft's operations. The cost does not depend on the size of the other commits.
  /// ``Database/changes(from:to:)`` returns the changes between the old and the new ``base``.
  ///
  /// - Returns: Whether there was a newer commit.
  /// - Throws: `DatabaseError` if the file is damaged or was replaced. The draft is unchanged then.
  @discardableResult
  public func refresh() throws(DatabaseError) -> Bool {
    guard database.commitNumber != base.commitNumber else { return false }
    let newest = try database.snapshot()
    guard newest.commitNumber != base.commitNumber else { return false }
    try replay(entries, onto: newest)
    return true
  }

  /// Resolves a conflict.
  ///
  /// - Parameters:
  ///   - id: The conflict's id.
  ///   - resolution: Which value to keep. If the object was deleted, only `theirs` resolves the
  ///     conflict; `mine` leaves it open.
  /// - Throws: `DatabaseError` if the file is damaged.
  public func resolve(_ id: Conflict.ID, with resolution: Conflict.Resolution) throws(DatabaseError)
  {
    guard conflicts.contains(where: { $0.id == id }) else { return }
    let group = groups.first { $0.first?.id == id || $0.contains { $0.id == id } } ?? []
    let held = Set(group.filter(\.isHeld).map(\.id))
    var decided = entries
    if resolution == .mine, group.last?.isHeld ?? false {
      for index in decided.indices where held.contains(decided[index].id) {
        decided[index].isForced = true
      }
      try replay(decided, onto: base)
      return
    }
    let dropped = held.union(entriesBuilding(on: held))
    let before = entries
    decided.removeAll { dropped.contains($0.id) }
    try replay(decided, onto: base)
    undoSteps.append(.drop(before: before, ids: dropped))
    redoSteps = []
  }

  /// The entries that build on an object that some others would make, to any depth.
  private func entriesBuilding(on ids: Set<Int>) -> Set<Int> {
    var lost: Set<ObjectIdentity> = []
    var found: Set<Int> = []
    for entry in entries {
      if ids.contains(entry.id) || !lost.isEmpty && entry.operation.builds(on: lost) {
        found.insert(entry.id)
        if let created = entry.created { lost.insert(created) }
      }
    }
    return found
  }

  /// Commits all operations, or none.
  ///
  /// If the outcome is `committed`, the draft is empty and based on the new commit. Otherwise the
  /// draft keeps its operations.
  ///
  /// - Parameter confirming: The blast radius that a person confirmed; `nil` for the one
  ///   computed when the deletions were made.
  /// - Returns: The outcome.
  /// - Throws: `DatabaseError` if the file is read-only, damaged or was replaced, or the disk is
  ///   full. Nothing is stored then.
  public func commit(confirming: BlastRadius? = nil) throws(DatabaseError) -> CommitOutcome {
    if !conflicts.isEmpty { return .conflicts(conflicts) }
    if entries.isEmpty { return .committed(number: base.commitNumber, identities: [:]) }
    return try commit(confirming: confirming, in: try database.beginWrite())
  }

  /// Commits all operations, or none, through a transaction that already holds the writer's lock.
  ///
  /// - Parameters:
  ///   - confirming: The blast radius that a person confirmed; `nil` for the one computed when the
  ///     deletions were made.
  ///   - transaction: A new transaction of the draft's database. The call ends the transaction.
  /// - Returns: The outcome, as in ``commit(confirming:)``.
  /// - Throws: `DatabaseError` if the disk is full, or the file is damaged or was replaced. Nothing
  ///   is stored then.
  public func commit(
    confirming: BlastRadius? = nil,
    in transaction: WriteTransaction
  ) throws(DatabaseError) -> CommitOutcome {
    defer { transaction.rollback() }
    if !conflicts.isEmpty { return .conflicts(conflicts) }
    if entries.isEmpty { return .committed(number: base.commitNumber, identities: [:]) }
    if transaction.commitNumber != base.commitNumber {
      try replay(entries, onto: try database.snapshot())
      if !conflicts.isEmpty { return .conflicts(conflicts) }
    }
    if let grown = grownDeletions(confirming) { return .deletionsGrew(grown) }
    let identities = try transaction.perform(entries)
    let number = transaction.commitNumber + 1
    try transaction.commit()
    // What is stored is stored: a file that cannot be read from here on is refresh's to report.
    if let newest = try? database.snapshot() { base = newest }
    discard()
    return .committed(number: number, identities: identities)
  }

  /// The union of all plans, if one of them takes more than a person has seen.
  private func grownDeletions(_ confirming: BlastRadius?) -> BlastRadius? {
    if let confirming {
      return deletionPlan.flatMap { $0.isContained(in: confirming) ? nil : $0 }
    }
    let hasGrown = entries.contains { !$0.plan.isContained(in: $0.confirmed) }
    return hasGrown ? deletionPlan : nil
  }
}

extension WriteTransaction {
  /// Performs the operations of a draft that are in force.
  ///
  /// - Parameter entries: The operations.
  /// - Returns: The objects that the provisional ones became.
  /// - Throws: `DatabaseError` if an operation cannot be performed.
  internal func perform(
    _ entries: [DraftEntry]
  ) throws(DatabaseError) -> [ObjectIdentity: ObjectIdentity] {
    var identities: [ObjectIdentity: ObjectIdentity] = [:]
    for entry in entries {
      guard let operation = entry.performed else { continue }
      let made = try perform(operation.mapped(identities)).created
      if let provisional = entry.created, let made { identities[provisional] = made }
    }
    return identities
  }
}

extension Database {
  /// Returns an empty draft based on the newest commit.
  ///
  /// - Returns: The draft.
  /// - Throws: `DatabaseError` if the file is damaged or read-only.
  public func makeDraft() throws(DatabaseError) -> Draft {
    try Draft(self)
  }
}
