import KennelStorage

/// The working copy of a draft: a workspace over a commit in which operations are performed one
/// after the other; those that another commit has overtaken are held back.
internal struct DraftReplay {
  let workspace: Workspace
  /// The conflicts that hold operations back, in the order of the operations.
  private(set) var conflicts: [Conflict] = []
  /// The objects that operations would make that are held back.
  private var lost: Set<ObjectIdentity> = []
  /// The conflict of each place that held operations set as a whole, its index, which shrinks where
  /// others are released, and the number of these operations.
  private var conflictOfPlace: [Slot: (id: Conflict.ID, index: Int, heldCount: Int)] = [:]

  /// The classes and properties that operations would make that are held back, and those that another
  /// commit has overtaken, so that they got other numbers.
  private var parts = SchemaParts()

  var reader: DatabaseReader { workspace.reader }

  /// An empty workspace over a commit.
  ///
  /// - Parameters:
  ///   - base: The commit.
  ///   - earlier: A reader whose provisional keys are not given out again.
  ///   - operations: What is to be performed.
  init(
    over base: Snapshot,
    reserving earlier: DatabaseReader? = nil,
    for operations: [DraftEntry] = []
  ) {
    parts.reserve(operations)
    let view = StoreView(copying: base.view)
    if let earlier { view.objects.reserveProvisionalKeys(of: earlier.view.objects) }
    workspace = Workspace(DatabaseReader(base.database, view), keeper: view, isDraft: true)
  }

  /// Performs an operation again, or holds it back.
  ///
  /// - Throws: `DatabaseError` if the file is damaged.
  mutating func take(_ given: DraftEntry) throws(DatabaseError) -> DraftEntry {
    var entry = given
    entry.forgetEffect()
    try parts.renumber(&entry, reader)
    let check = ConflictCheck(reader: reader, entry: entry)
    do throws(DatabaseError) {
      let lacksPart = parts.lacksPart(of: entry.operation)
      if lacksPart || !lost.isEmpty && entry.operation.builds(on: lost) {
        hold(&entry, check.dependence(on: lacksPart ? "a class or property" : "an object"))
        entry.isForced = false
        return entry
      }
      switch try check.outcome() {
      case .conflict(let conflict, let insisting):
        if let insisting { try probe(insisting, entry) }
        hold(&entry, conflict)
      case .nothingToDo: break
      case .perform(let operation): try perform(operation, &entry)
      }
    } catch {
      if error.isFatal { throw error }
      hold(&entry, check.conflict(error))
    }
    // The decision was made on what is there now; the next commit is another matter.
    entry.isForced = false
    return entry
  }

  private func perform(
    _ operation: Draft.Operation,
    _ entry: inout DraftEntry
  ) throws(DatabaseError) {
    let seen = entry.isForced ? try reader.currentPrecondition(of: operation) : entry.seen
    let outcome = try workspace.record(operation, key: entry.created?.key)
    let hasMoved = operation.positions != entry.operation.positions
    if entry.isForced || hasMoved {
      entry.take(entry.request.changed(operation: hasMoved ? operation : nil, seen: seen))
    }
    entry.take(operation, outcome)
  }

  /// Makes sure that a person who insists on an operation can have it.
  private func probe(_ operation: Draft.Operation, _ entry: DraftEntry) throws(DatabaseError) {
    let outcome = try workspace.record(operation, key: entry.created?.key)
    try workspace.undo(outcome.edits)
  }

  private mutating func hold(_ entry: inout DraftEntry, _ conflict: Conflict) {
    entry.isHeld = true
    if let created = entry.created { lost.insert(created) }
    parts.lose(entry.operation, reader.schema)
    if let place = entry.operation.settingSlot {
      if let (id, index, heldCount) = conflictOfPlace[place],
        let first = conflicts.prefix(index + 1).lastIndex(where: { $0.id == id })
      {
        conflictOfPlace[place]?.heldCount = heldCount + 1
        conflicts[first].operation = conflict.operation
        conflicts[first].mine = conflict.mine
        return
      }
      conflictOfPlace[place] = (conflict.id, conflicts.count, 1)
    }
    conflicts.append(conflict)
  }

  /// Whether other operations are held back at the places of some that are.
  func holdsOthers(atPlacesOf held: [DraftEntry]) -> Bool {
    let places = held.compactMap(\.operation.settingSlot)
    let heldCount = Set(places).reduce(0) { $0 + (conflictOfPlace[$1]?.heldCount ?? 0) }
    return heldCount != places.count
  }

  /// Lets go of operations that are held back, and of their conflicts; nothing of them is in the
  /// workspace.
  ///
  /// - Parameter held: All operations that are held back at each of their places.
  mutating func release(_ held: [DraftEntry]) {
    for entry in held {
      parts.release(entry.operation, reader.schema)
      if let created = entry.created { lost.remove(created) }
      if let place = entry.operation.settingSlot { conflictOfPlace[place] = nil }
    }
    let ids = Set(held.map(\.id))
    conflicts.removeAll { ids.contains($0.id) }
  }
}

extension Draft.Operation {
  /// The place that the operation sets as a whole, if it does.
  internal var settingSlot: Slot? {
    guard case .change(let slot, let change) = self else { return nil }
    switch (slot.position, change) {
    case (.value, .set), (.key, .set), (.key, .remove): return slot
    case (.value, _), (.key, _), (.index, _), (.member, _): return nil
    }
  }

  /// Where in a list it works, which is all that performing it again may change of it.
  fileprivate var positions: [Int] {
    guard case .change(let slot, let change) = self, case .index(let index) = slot.position else {
      return []
    }
    if case .move(let destination) = change { return [index, destination] }
    return [index]
  }

  /// Whether the operation cannot be without one of these objects.
  internal func builds(on objects: Set<ObjectIdentity>) -> Bool {
    switch self {
    case .schema: return false
    case .create(_, let values):
      return values.values.contains { $0.links.contains(where: objects.contains) }
    case .delete(let deleted): return deleted.allSatisfy(objects.contains)
    case .change(let slot, _):
      if objects.contains(slot.object) { return true }
      if case .member(.link(let member)) = slot.position, objects.contains(member) { return true }
      return shownValue?.links.contains(where: objects.contains) ?? false
    }
  }
}
