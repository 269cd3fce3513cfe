import KennelCore

/// Drafts beside the transactions, which are other programs' commits to them.
extension TwinRun {
  func beginDraft() throws {
    guard draft == nil else { return }
    note("begin a draft")
    draft = try DraftTwin(database.makeDraft(), committed)
    try compareDraft()
  }

  func draftStep(_ random: inout SplitMix64) throws {
    switch random.below(100) {
    case 0..<55: try draftOperation(&random)
    case 55..<67: try undo()
    case 67..<77: try redo()
    case 77..<82: try drop(&random)
    case 82..<90: try refresh()
    case 90..<95: try commitDraft()
    case 95:
      note("draft: discard")
      draft?.draft.discard()
      draft?.entries = []
      draft?.undo = []
      draft?.redo = []
      try compareDraft()
    default:
      note("draft: look")
      try compareDraft()
    }
  }

  private func change(_ body: (inout DraftTwin) throws -> Void) throws {
    guard var changed = draft else { return }
    try body(&changed)
    draft = changed
  }

  private func draftOperation(_ random: inout SplitMix64) throws {
    try change { draft in
      let before = draft.outcome().twin
      guard let operation = RandomOperations(twin: before).next(&random) else { return }
      note("draft: " + describe(operation, before))
      let seen = operation.slot.flatMap { before.objects[$0.object]?[$0.property] } ?? .null
      let (actual, message) = try KennelCoreTests.perform(operation, on: draft.draft)
      var made: ObjectIdentity?
      if case .made(let object) = actual { made = object }
      if let made, !made.key.isProvisional || before.objects[made] != nil {
        throw Difference("\(made) is no new object")
      }
      var after = before
      let key = made?.key.rawValue ?? ObjectKey.firstProvisional + 9999
      let expected = after.perform(operation, key: key)
      if actual != expected {
        throw Difference("expected \(expected), but \(actual) \(message)")
      }
      if case .refused = actual { return remark("\(actual)") }
      guard draft.draft.operationCount > draft.entries.count else {
        if after.objects != before.objects { throw Difference("the draft noted nothing") }
        return
      }
      draft.undo.append((draft.entries, false))
      draft.redo = []
      draft.entries.append(
        DraftTwin.Entry(
          id: draft.nextID,
          operation: operation,
          created: made,
          seen: seen,
          died: Set(before.objects.keys).subtracting(after.objects.keys)
        )
      )
      draft.nextID += 1
    }
  }

  private func undo() throws {
    note("draft: undo")
    try change { draft in
      let didUndo = try draft.draft.undo() != nil
      guard let step = draft.undo.popLast() else {
        if didUndo { throw Difference("there was nothing to undo") }
        return
      }
      draft.redo.append((draft.entries, step.isDrop))
      draft.entries = step.before
    }
    try compareDraft()
  }

  private func redo() throws {
    note("draft: redo")
    try change { draft in
      let didRedo = try draft.draft.redo() != nil
      guard let step = draft.redo.popLast() else {
        if didRedo { throw Difference("there was nothing to redo") }
        return
      }
      if !didRedo { throw Difference("a step was not redone") }
      draft.undo.append((draft.entries, step.isDrop))
      if step.isDrop {
        let kept = Set(step.after.map(\.id))
        draft.entries.removeAll { !kept.contains($0.id) }
      } else if let entry = step.after.last {
        draft.entries.append(entry)
      }
    }
    try compareDraft()
  }

  private func drop(_ random: inout SplitMix64) throws {
    try change { draft in
      let items = draft.draft.changes.flatMap(\.items)
      guard !items.isEmpty else { return }
      let item = random.pick(items)
      note("draft: drop \(item.id)")
      let dependents = try draft.draft.dependents(of: [item.id])
      let dropped = draft.operations(of: [item.id])
      if let fallen = draft.dependents(of: dropped)?.subtracting(dropped) {
        let expected = draft.groups.map { $0[0].id }.filter(fallen.contains)
        if dependents.sorted() != expected.sorted() {
          throw Difference("\(dependents) depend on \(item.id), not \(expected)")
        }
      }
      try draft.draft.drop([item.id])
      draft.undo.append((draft.entries, true))
      draft.redo = []
      let all = draft.operations(of: [item.id] + dependents)
      draft.entries.removeAll { all.contains($0.id) }
    }
    try compareDraft()
  }

  private func refresh() throws {
    note("draft: refresh")
    try change { draft in
      try draft.draft.refresh()
      draft.base = committed
    }
    try compareDraft()
  }

  /// Compares the draft with its twin; one whose lists changed is made an end of.
  private func compareDraft() throws {
    guard let draft else { return }
    try draft.journal.compare(draft.draft)
    if draft.nextID % 8 == 1 {
      try Self.compare(draft.draft.base, draft.base, "the base of the draft")
    }
    let outcome = draft.outcome()
    let snapshot = draft.draft.reader
    if outcome.isFuzzy { return try endFuzzy(draft.draft) }
    let held = Set(draft.draft.conflicts.map(\.id))
    if held != outcome.conflicts {
      throw Difference("conflicts are \(draft.draft.conflicts), not \(outcome.conflicts)")
    }
    try Self.compare(snapshot, outcome.twin, "in the draft")
    if draft.nextID % 8 == 3 {
      try Self.compare(draft.draft.reader.copy(), outcome.twin, "in a copy of the draft")
    }
  }

  /// A draft that moved its operations within lists need only be consistent.
  private func endFuzzy(_ draft: Draft) throws {
    note("draft: consistent after its lists changed?")
    try Self.compare(draft.reader, twin(reading: draft.reader), "in the rebased draft")
    while let conflict = draft.conflicts.first { try draft.resolve(conflict.id, with: .theirs) }
    try Self.compare(draft.reader, twin(reading: draft.reader), "in the resolved draft")
    self.draft = nil
    if transaction != nil { try commit() }
    // The commit before may overtake it once more.
    _ = try draft.refresh()
    while let conflict = draft.conflicts.first { try draft.resolve(conflict.id, with: .theirs) }
    let shown = try twin(reading: draft.reader)
    let outcome = try draft.commit(confirming: draft.deletionPlan)
    guard case .committed(_, let identities) = outcome else { throw Difference("\(outcome)") }
    try accept(shown.mapped(identities))
  }

  private func twin(reading snapshot: DatabaseReader) throws -> Twin {
    var read = committed
    read.objects = [:]
    for var schema in read.classes.values {
      // The draft may lie over a commit that lacks properties that came later.
      let known = snapshot.schema[schema.key]
      schema.properties.removeAll { known?[$0.key] == nil }
      read.classes[schema.key] = schema
      for object in try snapshot.objects(of: schema.key) {
        var values: [PropertyKey: Value] = [:]
        for property in schema.properties {
          values[property.key] = try snapshot.value(of: object, property: property.key)
        }
        read.objects[object] = values
      }
    }
    return read
  }

  /// Takes what a draft committed for the newest state.
  private func accept(_ newest: Twin) throws {
    twin = newest
    let probe = try database.beginWrite()
    for key in twin.classes.keys {
      twin.classes[key]?.nextKey = probe.firstUnusedKey(of: key).rawValue
    }
    probe.rollback()
    committed = twin
    try compare(try database.snapshot(), "after the draft's commit")
    try compareHeld()
  }

  func commitDraft() throws {
    if transaction != nil { try commit() }
    guard var draft else { return }
    note("draft: commit")
    if draft.entries.isEmpty {
      guard case .committed = try draft.draft.commit() else {
        throw Difference("nothing cannot be committed")
      }
      self.draft = nil
      return
    }
    if draft.outcome().held.isEmpty { draft.base = committed }
    let expected = draft.outcome()
    if expected.isFuzzy {
      _ = try draft.draft.refresh()
      return try endFuzzy(draft.draft)
    }
    self.draft = draft
    var outcome = try draft.draft.commit()
    remark("\(outcome)")
    if case .deletionsGrew(let radius) = outcome {
      outcome = try draft.draft.commit(confirming: radius)
    } else if expected.hasGrown, expected.held.isEmpty {
      throw Difference("a deletion takes more along, but \(outcome)")
    }
    guard case .committed(_, let identities) = outcome else {
      if expected.held.isEmpty { throw Difference("\(outcome) though nothing is in the way") }
      return try compareDraft()
    }
    if !expected.held.isEmpty { throw Difference("committed in spite of \(expected.held)") }
    var next = committed.classes.mapValues(\.nextKey)
    for created in expected.created {
      let key = ObjectKey(rawValue: next[created.classKey] ?? 0)
      next[created.classKey]? += 1
      if identities[created] != ObjectIdentity(created.classKey, key) {
        throw Difference("\(created) became \(identities[created] as Any), not \(key)")
      }
    }
    self.draft = nil
    try accept(expected.twin.mapped(identities))
    for (key, number) in next where twin.classes[key]?.nextKey != number {
      throw Difference("the next key of class \(key) is not \(number)")
    }
    if !draft.draft.isEmpty { throw Difference("the draft is not empty after its commit") }
    try Self.compare(draft.draft.reader, twin, "in the draft after its commit")
  }
}
