import KennelCore

/// A draft and what it should show: its operations, performed anew over a twin of its base.
struct DraftTwin {
  /// An operation with what it saw and did when it was made.
  struct Entry {
    let id: Int
    let operation: Draft.Operation
    let created: ObjectIdentity?
    /// The value of the place that it changes, before it did.
    let seen: Value
    let died: Set<ObjectIdentity>
  }

  /// What performing the entries anew gives.
  struct Outcome {
    var twin: Twin
    /// The entries that another commit has overtaken.
    var held: Set<Int> = []
    /// What they are called: by the first of several that set one place.
    var conflicts: Set<Int> = []
    /// The objects that were made, in order.
    var created: [ObjectIdentity] = []
    /// How many objects die with each entry, and whether it changes anything.
    var effects: [Int: (deathCount: Int, changes: Bool)] = [:]
    /// Whether a deletion takes more along than it did when it was made.
    var hasGrown = false
    /// Whether a list changed under an operation: then only consistency is asked for.
    var isFuzzy = false
  }

  let draft: Draft
  let journal: JournalTwin
  var base: Twin
  var entries: [Entry] = []
  var undo: [(before: [Entry], isDrop: Bool)] = []
  var redo: [(after: [Entry], isDrop: Bool)] = []
  var nextID = 1

  init(_ draft: Draft, _ base: Twin) throws {
    self.draft = draft
    journal = try JournalTwin(draft.database)
    self.base = base
  }

  func outcome(without dropped: Set<Int> = []) -> Outcome {
    var outcome = Outcome(twin: base)
    var lost: Set<ObjectIdentity> = []
    var overtakenPlaces: Set<Slot> = []
    for entry in entries where !dropped.contains(entry.id) {
      let before = outcome.twin
      var isHeld = entry.builds(on: lost)
      if !isHeld {
        switch check(entry, before) {
        case .same: break
        case .overtaken: isHeld = true
        case .listChanged: outcome.isFuzzy = true
        }
      }
      if !isHeld {
        let key = entry.created?.key.rawValue
        let result = outcome.twin.perform(entry.operationOnWhatLives(before), key: key)
        if case .refused = result { isHeld = true }
      }
      if isHeld {
        outcome.held.insert(entry.id)
        if let created = entry.created { lost.insert(created) }
        let isFirst = entry.settingSlot.map { overtakenPlaces.insert($0).inserted } ?? true
        if isFirst { outcome.conflicts.insert(entry.id) }
      } else {
        outcome.created += [entry.created].compactMap(\.self)
        let died = Set(before.objects.keys).subtracting(outcome.twin.objects.keys)
        outcome.effects[entry.id] = (died.count, before.objects != outcome.twin.objects)
        if !died.isSubset(of: entry.died) { outcome.hasGrown = true }
      }
    }
    return outcome
  }

  /// The entries that some others cannot be without, those included; `nil` where a list changed.
  func dependents(of ids: Set<Int>) -> Set<Int>? {
    let all = outcome()
    var dropped = ids
    while true {
      let rest = outcome(without: dropped)
      if rest.isFuzzy { return nil }
      let fallen = entries.filter { entry in
        if dropped.contains(entry.id) || all.held.contains(entry.id) { return false }
        guard let before = all.effects[entry.id], let after = rest.effects[entry.id] else {
          return true
        }
        return after.deathCount < before.deathCount || before.changes && !after.changes
      }
      if fallen.isEmpty { return dropped }
      let groups = groups
      for entry in fallen {
        let group = groups.first { $0.contains { $0.id == entry.id } } ?? []
        dropped.formUnion(group.map(\.id))
      }
    }
  }

  private enum Check {
    case same, overtaken, listChanged
  }

  /// Whether the place of an operation still has the value that it saw.
  private func check(_ entry: Entry, _ twin: Twin) -> Check {
    guard let slot = entry.operation.slot else { return .same }
    guard let now = twin.objects[slot.object]?[slot.property] else { return .overtaken }
    func entryValue(_ value: Value, _ key: String) -> Value? {
      guard case .map(let entries) = value else { return nil }
      return entries.first { $0.key.hasSameBytes(as: key) }?.value
    }
    guard case .change(let slot, let change) = entry.operation else { return .same }
    switch (slot.position, change) {
    case (.member, _): return .same
    case (.value, .set(let value)):
      return now == entry.seen || now == twin.normal(value) ? .same : .overtaken
    case (.value, _): return now == entry.seen ? .same : .overtaken
    case (.key(let key), _):
      let current = entryValue(now, key)
      if current == entryValue(entry.seen, key) { return .same }
      switch change {
      case .set(let value): return current == value ? .same : .overtaken
      case .remove: return current == nil ? .same : .overtaken
      default: return .overtaken
      }
    case (.index, _): return now == entry.seen ? .same : .listChanged
    }
  }

  /// The entries by item of the review: all that set one property, or one entry of a map, are one.
  var groups: [[Entry]] {
    var groups: [[Entry]] = []
    for entry in entries {
      if let place = entry.settingSlot,
        let index = groups.firstIndex(where: { $0[0].settingSlot == place })
      {
        groups[index].append(entry)
      } else {
        groups.append([entry])
      }
    }
    return groups
  }

  func operations(of items: [Int]) -> Set<Int> {
    Set(groups.filter { items.contains($0[0].id) }.flatMap { $0.map(\.id) })
  }
}

extension DraftTwin.Entry {
  var settingSlot: Slot? {
    guard case .change(let slot, let change) = operation else { return nil }
    switch (slot.position, change) {
    case (.value, .set), (.key, .set), (.key, .remove): return slot
    default: return nil
    }
  }

  /// The operation; of a deletion what is still there.
  func operationOnWhatLives(_ twin: Twin) -> Draft.Operation {
    guard case .delete(let objects) = operation else { return operation }
    return .delete(objects.filter { twin.objects[$0] != nil })
  }

  /// Whether the operation cannot be without one of these objects.
  func builds(on lost: Set<ObjectIdentity>) -> Bool {
    if lost.isEmpty { return false }
    var values: [Value] = []
    switch operation {
    case .create(_, let initial): values = Array(initial.values)
    case .delete(let marked): return lost.isSuperset(of: marked)
    case .change(_, .set(let value)), .change(_, .insert(let value)): values = [value]
    case .change(let slot, .add), .change(let slot, .remove):
      if case .member(let member) = slot.position { values = [member] }
    case .change, .schema: break
    }
    let named =
      values.flatMap { Twin().targets(in: $0) } + [operation.slot?.object].compactMap(\.self)
    return !lost.isDisjoint(with: named)
  }
}
