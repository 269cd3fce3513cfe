public import KennelStorage

/// The outcome of committing a draft.
///
/// ```swift
/// switch try draft.commit() {
/// case .committed(let number, _): print("commit \(number)")
/// case .conflicts(let conflicts): print("\(conflicts.count) conflicts")
/// case .deletionsGrew(let radius): print("deletes \(radius.deletionCount) objects")
/// case .nothingIncluded: print("every change was left out")
/// }
/// ```
public enum CommitOutcome: Sendable {
  /// Everything that the commit includes is stored.
  ///
  /// `identities` maps each provisional object of the draft to its real one.
  case committed(number: Int, identities: [ObjectIdentity: ObjectIdentity])
  /// Operations conflict with other commits.
  ///
  /// Nothing is stored.
  case conflicts([Conflict])
  /// Deletions would delete more than was confirmed.
  ///
  /// Nothing is stored.
  case deletionsGrew(BlastRadius)
  /// Every item was left out, or depends on one that was.
  ///
  /// Nothing is stored.
  case nothingIncluded
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
  ///   - items: The items to leave in the draft. Items that depend on them, and later insertions
  ///     into a list that one of them replaced, stay, too.
  ///   - transaction: A new transaction of the draft's database. The call ends the transaction.
  ///   - announce: Called before anything is stored, with the operations that stay in the draft.
  ///     They refer to new objects by the keys that the commit gives them.
  ///   - mirror: Called after `announce` with what the commit changes, to store it elsewhere first.
  ///     If it throws, nothing is stored.
  /// - Returns: The outcome, as in ``commit(confirming:)``. The draft keeps what was left out.
  /// - Throws: `DatabaseError` if the disk is full, or the file is damaged or was replaced. Nothing
  ///   is stored then.
  public func commit(
    confirming: BlastRadius? = nil,
    leaving items: [DraftItem.ID] = [],
    in transaction: WriteTransaction,
    announcing announce: (_ rest: [DraftRecord]) -> Void = { _ in },
    mirroring mirror: (_ commit: DraftCommit) throws(DatabaseError) -> Void = { _ in }
  ) throws(DatabaseError) -> CommitOutcome {
    defer { transaction.rollback() }
    if !conflicts.isEmpty { return .conflicts(conflicts) }
    if entries.isEmpty { return .committed(number: base.commitNumber, identities: [:]) }
    if transaction.commitNumber != base.commitNumber {
      try replay(entries, onto: try database.snapshot())
      if !conflicts.isEmpty { return .conflicts(conflicts) }
    }
    let (included, left) = try divided(without: operationIDs(of: items), areKept: true)
    if included.isEmpty { return .nothingIncluded }
    if let grown = Self.grownDeletions(of: included, confirming) { return .deletionsGrew(grown) }
    let identities = try transaction.perform(included)
    let rest = entries.filter { left.contains($0.id) }.map { $0.mapped(identities) }
    announce(rest.map(DraftRecord.init))
    try mirror(.init(before: base, after: transaction, entries: included, identities: identities))
    let number = transaction.commitNumber + 1
    try transaction.commit()
    // What is stored is stored: a file that cannot be read from here on is refresh's to report.
    goOn(with: rest)
    return .committed(number: number, identities: identities)
  }

  /// The union of all plans, if one of them takes more than a person has seen.
  private static func grownDeletions(
    of entries: [DraftEntry],
    _ confirming: BlastRadius?
  ) -> BlastRadius? {
    if let confirming {
      return plan(of: entries).flatMap { $0.isContained(in: confirming) ? nil : $0 }
    }
    let hasGrown = entries.contains { !$0.plan.isContained(in: $0.confirmed) }
    return hasGrown ? plan(of: entries) : nil
  }

  /// Empties the draft after a commit, but for what was left out.
  ///
  /// Between the check for conflicts and the commit nobody else could write. What contradicts the
  /// rest now is therefore the person's own commit, and the rest goes on top of it.
  private func goOn(with rest: [DraftEntry]) {
    let newest = try? database.snapshot()
    if rest.isEmpty, let newest { base = newest }
    discard()
    guard !rest.isEmpty else { return }
    entries = rest
    if let newest {
      do throws(DatabaseError) {
        try replay(rest, onto: newest)
        if !conflicts.isEmpty {
          var forced = entries
          for index in forced.indices where forced[index].isHeld { forced[index].isForced = true }
          try replay(forced, onto: newest)
        }
      } catch {
        // The base is still the old one, so that the next refresh or commit performs them again.
      }
    }
    undoSteps = entries.map(DraftStep.perform)
  }
}

extension DraftEntry {
  /// The same entry on the objects that provisional ones became.
  fileprivate func mapped(_ keys: [ObjectIdentity: ObjectIdentity]) -> DraftEntry {
    var entry = self
    entry.take(
      request.changed(
        operation: operation.mapped(keys),
        seen: seen.mapped(keys),
        confirmed: confirmed.mapped(keys)
      )
    )
    entry.forgetEffect()
    return entry
  }
}

extension BlastRadius {
  /// The objects and cuts by which a confirmation is compared, on the objects that provisional ones became.
  fileprivate func mapped(_ keys: [ObjectIdentity: ObjectIdentity]) -> BlastRadius {
    func map(_ object: ObjectIdentity) -> ObjectIdentity { keys[object] ?? object }
    var radius = BlastRadius()
    radius.deletions = deletions.map { Deletion(object: map($0.object), reason: .asked, depth: 0) }
    radius.nulled = (nulled + removed).map { Edge(map($0.object), $0.property) }
    return radius
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
