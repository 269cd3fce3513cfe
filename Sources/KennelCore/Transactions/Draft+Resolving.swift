import KennelStorage

extension Draft {
  /// Resolves a conflict.
  ///
  /// - Parameters:
  ///   - id: The conflict's id.
  ///   - resolution: Which value to keep. If the object was deleted, only `theirs` resolves the
  ///     conflict; `mine` leaves it open.
  /// - Throws: `DatabaseError` if the file is damaged.
  public func resolve(_ id: Conflict.ID, with resolution: Conflict.Resolution) throws(DatabaseError)
  {
    try resolve([id], with: resolution)
  }

  /// Resolves several conflicts in the same way.
  ///
  /// Operations that are dropped are one step of undo, and those that are kept another one before it.
  ///
  /// - Parameters:
  ///   - ids: The ids of the conflicts; others are ignored.
  ///   - resolution: Which value to keep. `mine` leaves those open that only `theirs` resolves.
  /// - Throws: `DatabaseError` if the file is damaged.
  public func resolve(
    _ ids: [Conflict.ID],
    with resolution: Conflict.Resolution
  ) throws(DatabaseError) {
    let (held, overtaken) = heldOperations(of: Set(ids))
    if held.isEmpty { return }
    let dropped = resolution == .theirs ? held : overtaken
    if let step = try insist(on: held.subtracting(dropped)) {
      undoSteps.append(step)
      redoSteps = []
    }
    if dropped.isEmpty { return }
    undoSteps.append(try takeOut(dropped.union(entriesBuilding(on: dropped))))
    redoSteps = []
  }

  /// The operations that conflicts hold back, and those of them at places whose last operation is in
  /// force.
  private func heldOperations(
    of conflicts: Set<Conflict.ID>
  ) -> (held: Set<Int>, overtaken: Set<Int>) {
    var held: Set<Int> = []
    var places: [Slot: (held: [Int], isInForce: Bool)] = [:]
    for conflict in self.conflicts where conflicts.contains(conflict.id) {
      if let place = conflict.operation.settingSlot {
        places[place] = ([], false)
      } else {
        held.insert(conflict.id)
      }
    }
    guard !places.isEmpty else { return (held, []) }
    for entry in entries {
      guard let place = entry.operation.settingSlot, places[place] != nil else { continue }
      places[place]?.isInForce = !entry.isHeld
      if entry.isHeld { places[place]?.held.append(entry.id) }
    }
    for place in places.values { held.formUnion(place.held) }
    return (held, Set(places.values.lazy.filter(\.isInForce).flatMap(\.held)))
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

  // MARK: - Theirs

  /// Takes operations out of the draft.
  ///
  /// The working copy has nothing of those that are held back. Where no other one is held back for
  /// their sake, it stays, whatever the size of the draft.
  ///
  /// - Returns: The step of undo.
  /// - Throws: `DatabaseError` if the file is damaged; the draft is as it was.
  internal func takeOut(_ ids: Set<Int>) throws(DatabaseError) -> DraftStep {
    let indices = entries.indices.filter { ids.contains(entries[$0].id) }
    let held = indices.map { HeldEntry(index: $0, entry: entries[$0]) }
    guard isIndependent(held.map(\.entry), ids) else {
      let before = entries
      try replay(before.filter { !ids.contains($0.id) }, onto: base)
      return .drop(before: before, ids: ids)
    }
    workingCopy.release(held.map(\.entry))
    if held.count == 1 {
      entries.remove(at: held[0].index)
    } else {
      entries.removeAll { ids.contains($0.id) }
    }
    return .release(held)
  }

  /// Whether operations are held back, and no other one is for their sake or at the same place.
  private func isIndependent(_ held: [DraftEntry], _ ids: Set<Int>) -> Bool {
    guard held.allSatisfy(\.isHeld), !workingCopy.holdsOthers(atPlacesOf: held) else {
      return false
    }
    let made = Set(held.compactMap(\.created))
    return made.isEmpty
      || !entries.contains {
        $0.isHeld && !ids.contains($0.id) && $0.operation.builds(on: made)
      }
  }

  /// The operations together with those that went, each at its place.
  internal func entries(with held: [HeldEntry]) -> [DraftEntry] {
    var all: [DraftEntry] = []
    all.reserveCapacity(entries.count + held.count)
    var rest = entries[...]
    for gone in held {
      let count = max(0, gone.index - all.count)
      all += rest.prefix(count)
      rest = rest.dropFirst(count)
      all.append(gone.entry)
    }
    return all + rest
  }

  // MARK: - Mine

  /// Puts operations on top of what another commit did.
  ///
  /// - Returns: The step of undo; `nil` if all are still held back.
  /// - Throws: `DatabaseError` if the file is damaged; the draft is as it was.
  internal func insist(on ids: Set<Int>) throws(DatabaseError) -> DraftStep? {
    let before = entries.filter { ids.contains($0.id) }
    if before.isEmpty { return nil }
    try rebuilding { () throws(DatabaseError) in
      if try insistAlone(on: ids) { return }
      var decided = entries
      for index in decided.indices where ids.contains(decided[index].id) {
        decided[index].isForced = true
      }
      try replay(decided, onto: base)
    }
    let open = Set(entries.lazy.filter { $0.isHeld && ids.contains($0.id) }.map(\.id))
    let kept = before.filter { !open.contains($0.id) }
    return kept.isEmpty ? nil : .insist(kept)
  }

  /// Performs the operations of one place on the working copy, whatever the size of the draft.
  ///
  /// They are performed after all others, which is the same as at their place where no other one changes
  /// their property. What links or is unique depends on other properties, too.
  ///
  /// - Returns: Whether that was possible. If not, the working copy is to be made anew.
  /// - Throws: `DatabaseError` if the file is damaged.
  private func insistAlone(on ids: Set<Int>) throws(DatabaseError) -> Bool {
    let indices = entries.indices.filter { ids.contains(entries[$0].id) }
    guard let slot = indices.first.flatMap({ entries[$0].operation.slot }),
      let property = reader.schema.property(slot.property, of: slot.object.classKey),
      !property.isUnique, !property.isPrimaryKey, !property.canLink,
      entries.allSatisfy({ entry in
        let other = entry.operation.slot
        let isThere = other?.object == slot.object && other?.property == slot.property
        return isThere == ids.contains(entry.id)
      })
    else { return false }
    workingCopy.release(indices.map { entries[$0] })
    var performed: [DraftEntry] = []
    for index in indices {
      var entry = entries[index]
      entry.isForced = true
      performed.append(try workingCopy.take(entry))
    }
    if performed.contains(where: \.isHeld) { return false }
    for (index, entry) in zip(indices, performed) { entries[index] = entry }
    return true
  }
}
