public import KennelStorage

/// What a draft does to one object.
public struct DraftChange: Hashable, Sendable, Identifiable {
  /// What becomes of the object.
  public enum Kind: Hashable, Sendable {
    /// The draft makes it.
    case created
    /// The draft changes it.
    case changed
    /// The draft deletes it because it was asked to.
    case deleted
  }

  /// The object.
  public let object: ObjectIdentity
  /// What becomes of it.
  public let kind: Kind
  /// The single changes, in the order they were made.
  public let items: [DraftItem]
  /// The object.
  public var id: ObjectIdentity { object }
}

/// A part of a draft that can be dropped on its own.
public struct DraftItem: Hashable, Sendable, Identifiable {
  /// The kinds of change.
  public enum Kind: Hashable, Sendable {
    /// The object is made.
    case created
    /// The object is deleted; `old` and `new` are null.
    case deleted
    /// A property, or an entry of a map, gets another value.
    case value
    /// An element comes into a list.
    case inserted(at: Int)
    /// An element of a list is replaced.
    case replaced(at: Int)
    /// An element goes out of a list.
    case removed(at: Int)
    /// An element moves within its list.
    case moved(from: Int, to: Int)
    /// A member comes into a set.
    case memberInserted
    /// A member goes out of a set.
    case memberRemoved
  }

  /// The number of its first operation.
  public let id: Int
  /// The object.
  public let object: ObjectIdentity
  /// The property; `nil` where the object is made or deleted.
  public let property: PropertyKey?
  /// The key of the map's entry, where one is changed.
  public let mapKey: String?
  /// The kind of change.
  public let kind: Kind
  /// The value before the draft.
  public let old: Value
  /// The value in the draft.
  public let new: Value
  /// Whether the change is held back because another commit has overtaken it.
  public let isConflicting: Bool
}

extension Draft {
  /// What the draft changes, object by object, in the order they were first touched.
  ///
  /// Several values set for one property are one item, from the value before the draft to the last.
  public var changes: [DraftChange] { changes(limit: .max) }

  /// What the draft changes of the first few objects, in the order they were first touched.
  ///
  /// - Parameter limit: The most objects.
  /// - Returns: What ``changes`` begins with.
  public func changes(limit: Int) -> [DraftChange] {
    var order: [ObjectIdentity] = []
    var items: [ObjectIdentity: [DraftItem]] = [:]
    for group in groups {
      for item in draftItems(group, limit: limit) {
        if items[item.object] == nil {
          guard order.count < limit else { continue }
          order.append(item.object)
        }
        items[item.object, default: []].append(item)
      }
    }
    return order.map { object in
      let list = items[object] ?? []
      let kind: DraftChange.Kind =
        list.contains { $0.kind == .deleted }
        ? .deleted : list.contains { $0.kind == .created } ? .created : .changed
      return DraftChange(object: object, kind: kind, items: list)
    }
  }

  /// What becomes of each object that the draft changes, without what deletions take along; sooner than
  /// ``changes`` tells it.
  public var kinds: [ObjectIdentity: DraftChange.Kind] {
    var kinds: [ObjectIdentity: DraftChange.Kind] = [:]
    for entry in entries {
      switch entry.operation {
      case .delete(let objects):
        kinds.reserveCapacity(kinds.count + objects.count)
        for object in objects { kinds[object] = .deleted }
      case .create:
        if let object = entry.created, kinds[object] == nil { kinds[object] = .created }
      default:
        if let slot = entry.operation.slot, kinds[slot.object] == nil {
          kinds[slot.object] = .changed
        }
      }
    }
    return kinds
  }

  /// How many items ``changes`` has.
  public var changeCount: Int { entries.map(DraftRecord.init).changeCount }

  /// The items that would have to go too if some were dropped, because they build on them.
  ///
  /// Linear in the size of the draft: the rest is tried without them.
  ///
  /// - Parameter items: The items to drop.
  /// - Returns: The others that cannot stay.
  /// - Throws: `DatabaseError` if the file is damaged.
  public func dependents(of items: [DraftItem.ID]) throws(DatabaseError) -> [DraftItem.ID] {
    let dropped = operationIDs(of: items)
    var trial = DraftReplay(over: base, reserving: snapshot)
    var fallen: Set<Int> = []
    for entry in entries where !dropped.contains(entry.id) {
      if try trial.take(entry).isHeld, !entry.isHeld { fallen.insert(entry.id) }
    }
    return groups.filter { group in group.contains { fallen.contains($0.id) } }
      .compactMap { $0.first?.id }
  }

  /// Drops items and what builds on them; undo brings them back.
  ///
  /// - Parameter items: The items.
  /// - Throws: `DatabaseError` if the file is damaged; the draft is as it was.
  public func drop(_ items: [DraftItem.ID]) throws(DatabaseError) {
    let dependents = try dependents(of: items)
    let dropped = operationIDs(of: items + dependents)
    guard !dropped.isEmpty else { return }
    let before = entries
    try replay(before.filter { !dropped.contains($0.id) }, onto: base)
    undoSteps.append(.drop(before: before, ids: dropped))
    redoSteps = []
  }

  // MARK: - Items

  /// The operations by item: all that set one property, or one entry of a map, are one.
  internal var groups: [[DraftEntry]] {
    var groups: [[DraftEntry]] = []
    var places: [Slot: Int] = [:]
    for entry in entries {
      if let place = entry.operation.settingSlot {
        if let index = places[place] {
          groups[index].append(entry)
          continue
        }
        places[place] = groups.count
      }
      groups.append([entry])
    }
    return groups
  }

  private func operationIDs(of items: [DraftItem.ID]) -> Set<Int> {
    let wanted = Set(items)
    return Set(
      groups.filter { group in group.first.map { wanted.contains($0.id) } ?? false }
        .flatMap { $0.map(\.id) }
    )
  }

  private func draftItems(_ group: [DraftEntry], limit: Int) -> [DraftItem] {
    guard let first = group.first, let last = group.last else { return [] }
    func item(
      _ object: ObjectIdentity,
      _ kind: DraftItem.Kind,
      old: Value = .null,
      new: Value = .null
    ) -> DraftItem {
      var mapKey: String?
      if case .key(let key)? = first.operation.slot?.position { mapKey = key }
      return DraftItem(
        id: first.id,
        object: object,
        property: first.operation.slot?.property,
        mapKey: mapKey,
        kind: kind,
        old: old,
        new: new,
        isConflicting: group.contains(where: \.isHeld)
      )
    }
    let old = first.seen.shownValue
    switch first.operation {
    case .create: return first.created.map { [item($0, .created)] } ?? []
    case .delete(let objects): return objects.prefix(limit).map { item($0, .deleted) }
    case .set(let object, _, _), .setEntry(_, _, let object, _):
      return [item(object, .value, old: old, new: last.operation.shownValue)]
    case .createEmbedded(let slot):
      let new = first.created.map(Value.link) ?? .null
      if case .index(let index) = slot.position {
        return [item(slot.object, .inserted(at: index), new: new)]
      }
      return [item(slot.object, .value, old: old, new: new)]
    case .insert(let value, let index, let object, _):
      return [item(object, .inserted(at: index), new: value)]
    case .replace(let index, let value, let object, _):
      return [item(object, .replaced(at: index), old: old, new: value)]
    case .remove(let index, let object, _): return [item(object, .removed(at: index), old: old)]
    case .move(let source, let destination, let object, _):
      return [item(object, .moved(from: source, to: destination), old: old, new: old)]
    case .insertMember(let value, let object, _):
      return [item(object, .memberInserted, new: value)]
    case .removeMember(let value, let object, _):
      return [item(object, .memberRemoved, old: value)]
    }
  }

  /// A step as a sentence.
  internal func describe(_ step: DraftStep) -> String {
    switch step {
    case .drop(_, let ids): return "drop \(ids.count) \(ids.count == 1 ? "change" : "changes")"
    case .perform(let entry): return entry.operation.sentence(snapshot, entry.created)
    }
  }
}

extension Operation {
  /// What the operation does, in words.
  internal func sentence(_ snapshot: Snapshot, _ created: ObjectIdentity?) -> String {
    func place(_ object: ObjectIdentity, _ property: PropertyKey) -> String {
      let name = snapshot.schema.property(property, of: object.classKey)?.name ?? "?"
      return "\(snapshot.describe(object)).\(name)"
    }
    switch self {
    case .create: return "create \(created.map(snapshot.describe) ?? "an object")"
    case .createEmbedded(let slot): return "create \(place(slot.object, slot.property))"
    case .set(let object, let property, _): return "set \(place(object, property))"
    case .insert(_, let index, let object, let property):
      return "insert \(place(object, property))[\(index)]"
    case .replace(let index, _, let object, let property):
      return "replace \(place(object, property))[\(index)]"
    case .remove(let index, let object, let property):
      return "remove \(place(object, property))[\(index)]"
    case .move(let source, let destination, let object, let property):
      return "move \(place(object, property))[\(source)] to [\(destination)]"
    case .insertMember(_, let object, let property):
      return "add a member to \(place(object, property))"
    case .removeMember(_, let object, let property):
      return "remove a member of \(place(object, property))"
    case .setEntry(let key, let value, let object, let property):
      return "\(value == nil ? "remove" : "set") \(place(object, property))['\(key)']"
    case .delete(let objects):
      return objects.count == 1
        ? "delete \(snapshot.describe(objects[0]))" : "delete \(objects.count) objects"
    }
  }
}
