public import KennelStorage

/// The changes of a draft to one object.
///
/// ```swift
/// for change in draft.changes {
///   print(draft.reader.describe(change.object), change.kind, change.items.count)
/// }
/// ```
public struct DraftChange: Hashable, Sendable, Identifiable {
  /// The kind of change to the object.
  ///
  /// ```swift
  /// try draft.set(rex, property: age.key, to: .int(4))
  /// let changed = draft.changes.filter { $0.kind == .changed }
  /// print(changed.map { draft.reader.describe($0.object) })
  /// ```
  public enum Kind: Hashable, Sendable {
    /// The draft creates the object.
    case created
    /// The draft changes the object.
    case changed
    /// The draft deletes the object itself, not through a rule.
    case deleted
  }

  /// The object.
  public let object: ObjectIdentity
  /// The kind of change to the object.
  public let kind: Kind
  /// The single changes, in order.
  public let items: [DraftItem]
  /// The object.
  public var id: ObjectIdentity { object }
}

/// A part of a draft that can be dropped.
///
/// ```swift
/// for item in draft.changes.flatMap(\.items) where item.isConflicting {
///   print(item.old ?? "absent", item.new ?? "absent")
///   try draft.drop([item.id])
/// }
/// ```
public struct DraftItem: Hashable, Sendable, Identifiable {
  /// The kinds of change.
  ///
  /// ```swift
  /// try draft.moveElement(from: 0, to: 1, of: ada, property: dogs.key)
  /// for item in draft.changes.flatMap(\.items) {
  ///   if case .moved(let from, let to) = item.kind { print("moved from \(from) to \(to)") }
  /// }
  /// ```
  public enum Kind: Hashable, Sendable {
    /// The object is created.
    case created
    /// The object is deleted; `old` and `new` are `nil`.
    case deleted
    /// A property or an entry of a map is set.
    case value
    /// An element is inserted into a list.
    case inserted(at: Int)
    /// An element of a list is replaced.
    case replaced(at: Int)
    /// An element is removed from a list.
    case removed(at: Int)
    /// An element is moved within its list.
    case moved(from: Int, to: Int)
    /// A member is inserted into a set.
    case memberInserted
    /// A member is removed from a set.
    case memberRemoved
  }

  /// The number of the part's first operation.
  public let id: Int
  /// The object.
  public let object: ObjectIdentity
  /// The property; `nil` if the object is created or deleted.
  public let property: PropertyKey?
  /// The key of the map entry; `nil` for other changes.
  public let mapKey: String?
  /// The kind of change.
  public let kind: Kind
  /// The value before the draft; `nil` if there was none.
  public let old: Value?
  /// The value in the draft; `nil` if there is none.
  public let new: Value?
  /// Whether the change conflicts with another commit.
  public let isConflicting: Bool
}

extension Draft {
  /// The changes of the draft by object, in the order of the first change.
  ///
  /// Several values set for one property are one item, from the value before the draft to the last.
  public var changes: [DraftChange] { changes(limit: .max) }

  /// Returns the changes of the first objects, in the order of the first change.
  ///
  /// - Parameter limit: The maximum number of objects.
  /// - Returns: The beginning of ``changes``.
  public func changes(limit: Int) -> [DraftChange] {
    var order: [ObjectIdentity] = []
    var items: [ObjectIdentity: [DraftItem]] = [:]
    // What is about other objects is not looked at any further.
    let entries = limit < entries.count ? entries(ofFirst: limit) : entries
    for group in Self.groups(of: entries) {
      for item in draftItems(group, limit: limit) {
        if items[item.object] == nil {
          guard order.count < limit else { continue }
          order.append(item.object)
        }
        items[item.object, default: []].append(item)
      }
    }
    let kinds = DraftSummary(entries.map(\.request)).kinds
    return order.map { object in
      DraftChange(object: object, kind: kinds[object] ?? .changed, items: items[object] ?? [])
    }
  }

  /// The operations that are about the first objects.
  private func entries(ofFirst limit: Int) -> [DraftEntry] {
    var objects: Set<ObjectIdentity> = []
    return entries.filter { entry in
      let object: ObjectIdentity?
      switch entry.operation {
      case .delete(let deleted):
        objects.formUnion(deleted.prefix(limit))
        return true
      case .create: object = entry.created
      case .change(let slot, _): object = slot.object
      case .schema: return true
      }
      guard let object, !objects.contains(object) else { return true }
      guard objects.count < limit else { return false }
      objects.insert(object)
      return true
    }
  }

  /// Returns the items that depend on the given items and would be dropped with them.
  ///
  /// An item depends on others if it fails, deletes less or has no effect without them. The draft
  /// is replayed without the items and their dependents until no further dependents appear; each
  /// replay is linear in the size of the draft.
  ///
  /// - Parameter items: The items to drop.
  /// - Returns: The items that depend on them.
  /// - Throws: `DatabaseError` if the file is damaged.
  public func dependents(of items: [DraftItem.ID]) throws(DatabaseError) -> [DraftItem.ID] {
    let dropped = operationIDs(of: items)
    let dependent = try divided(without: dropped, areKept: false).left.subtracting(dropped)
    return groups.compactMap { $0.first?.id }.filter(dependent.contains)
  }

  /// Returns the further items that stay in the draft if a commit leaves out the given ones.
  ///
  /// These are the items that depend on the given ones, and later insertions into a list that one
  /// of the given items replaced. Takes as long as ``dependents(of:)``.
  ///
  /// - Parameter items: The items to leave.
  /// - Returns: The others that stay.
  /// - Throws: `DatabaseError` if the file is damaged.
  @_spi(Faces)
  public func remaining(leaving items: [DraftItem.ID]) throws(DatabaseError) -> [DraftItem.ID] {
    let left = operationIDs(of: items)
    let others = try divided(without: left, areKept: true).left.subtracting(left)
    return groups.compactMap { $0.first?.id }.filter(others.contains)
  }

  /// Drops items and the items that depend on them; undo restores them.
  ///
  /// - Parameter items: The items.
  /// - Throws: `DatabaseError` if the file is damaged. The draft is unchanged then.
  public func drop(_ items: [DraftItem.ID]) throws(DatabaseError) {
    let dependents = try dependents(of: items)
    let dropped = operationIDs(of: items + dependents)
    guard !dropped.isEmpty else { return }
    undoSteps.append(try takeOut(dropped))
    redoSteps = []
  }

  /// Performs the operations without some of them.
  ///
  /// - Parameters:
  ///   - ids: The operations to do without.
  ///   - areKept: Whether they are performed later, on top of the others.
  /// - Returns: The operations that do the same without those, performed; and those, with what depends
  ///   on them.
  /// - Throws: `DatabaseError` if the file is damaged.
  internal func divided(
    without ids: Set<Int>,
    areKept: Bool
  ) throws(DatabaseError) -> (included: [DraftEntry], left: Set<Int>) {
    if ids.isEmpty { return (entries, []) }
    let groups = groups
    var left = ids
    while true {
      var trial = DraftReplay(over: base, reserving: reader)
      var included: [DraftEntry] = []
      var fallen: Set<Int> = []
      var taken: Set<Slot> = []
      for entry in entries {
        if left.contains(entry.id) {
          if let slot = entry.operation.insertedSlot { taken.insert(slot) }
          if areKept, let slot = entry.operation.overwrittenSlot { taken.insert(slot) }
          continue
        }
        let tried = try trial.take(entry)
        included.append(tried)
        // What is held back already does not depend on them alone.
        if entry.isHeld { continue }
        if tried.doesLess(than: entry) || entry.worksIn(taken) { fallen.insert(entry.id) }
      }
      if fallen.isEmpty { return (included, left) }
      for group in groups where group.contains(where: { fallen.contains($0.id) }) {
        left.formUnion(group.map(\.id))
      }
    }
  }

  // MARK: - Items

  /// The operations by item: all that set one property, or one entry of a map, are one.
  internal var groups: [[DraftEntry]] { Self.groups(of: entries) }

  private static func groups(of entries: [DraftEntry]) -> [[DraftEntry]] {
    var groups: [[DraftEntry]] = []
    var places: [Slot: Int] = [:]
    places.reserveCapacity(entries.count)
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

  internal func operationIDs(of items: [DraftItem.ID]) -> Set<Int> {
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
      old: Value? = nil,
      new: Value? = nil
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
    case .schema: return []
    case .change(let slot, let change):
      let created = first.created.map(Value.link)
      let new = change == .create ? created : last.operation.shownValue
      let kind = Self.kind(of: change, at: slot.position)
      switch kind {
      case .inserted, .memberInserted: return [item(slot.object, kind, new: new)]
      case .moved: return [item(slot.object, kind, old: old, new: old)]
      case .memberRemoved:
        guard case .member(let member) = slot.position else { return [] }
        return [item(slot.object, kind, old: member)]
      case .removed: return [item(slot.object, kind, old: old)]
      case .created, .deleted, .value, .replaced:
        return [item(slot.object, kind, old: old, new: new)]
      }
    }
  }

  private static func kind(
    of change: Operation.Change,
    at position: Slot.Position
  ) -> DraftItem.Kind {
    switch (position, change) {
    case (.index(let index), .insert), (.index(let index), .create): .inserted(at: index)
    case (.index(let index), .remove): .removed(at: index)
    case (.index(let index), .move(let destination)): .moved(from: index, to: destination)
    case (.index(let index), _): .replaced(at: index)
    case (.member, .remove): .memberRemoved
    case (.member, _): .memberInserted
    case (.value, _), (.key, _): .value
    }
  }

  private func dropping(_ count: Int) -> String {
    "drop \(count) \(count == 1 ? "change" : "changes")"
  }

  /// A step as a sentence.
  internal func describe(_ step: DraftStep) -> String {
    switch step {
    case .drop(_, let ids): return dropping(ids.count)
    case .release(let held): return dropping(held.count)
    case .insist(let held): return "keep \(held.count == 1 ? "mine" : "my \(held.count) changes")"
    case .perform(let entry): return entry.operation.sentence(reader, entry.created)
    }
  }
}

extension DraftEntry {
  /// Whether it does less than before it was performed again without other operations.
  fileprivate func doesLess(than before: DraftEntry) -> Bool {
    isHeld || edits.isEmpty && !before.edits.isEmpty
      || plan.deletionCount < before.plan.deletionCount
  }

  /// Whether it changes one of these places, or a part of one.
  fileprivate func worksIn(_ slots: Set<Slot>) -> Bool {
    guard !slots.isEmpty, let slot = operation.slot else { return false }
    if slots.contains(slot) || slots.contains(Slot(slot.object, slot.property)) { return true }
    guard let element = seen.listElement else { return false }
    return slots.contains(Slot(slot.object, slot.property, .member(element)))
  }
}

extension Draft.Operation {
  /// The place that it leaves with one value, whatever was done there before: a whole property or a
  /// member of a set.
  fileprivate var overwrittenSlot: Slot? {
    guard case .change(let slot, let change) = self else { return nil }
    switch (slot.position, change) {
    case (.value, .set), (.member, _): return slot
    case (.value, _), (.key, _), (.index, _): return nil
    }
  }

  /// The element that it puts into a list, wherever: what changes that element later must not meet
  /// an equal one instead.
  fileprivate var insertedSlot: Slot? {
    guard case .change(let slot, let change) = self, case .index = slot.position else { return nil }
    switch change {
    case .insert(let value), .set(let value):
      return Slot(slot.object, slot.property, .member(value))
    case .add, .remove, .move, .create: return nil
    }
  }
}

extension Draft.Operation {
  /// Describes the operation in words.
  internal func sentence(_ reader: DatabaseReader, _ created: ObjectIdentity?) -> String {
    switch self {
    case .create: return "create \(created.map(reader.describe) ?? "an object")"
    case .delete(let objects):
      return objects.count == 1
        ? "delete \(reader.describe(objects[0]))" : "delete \(objects.count) objects"
    case .change(let slot, let change):
      let name = reader.schema.property(slot.property, of: slot.object.classKey)?.name ?? "?"
      return change.sentence(at: slot.position, of: "\(reader.describe(slot.object)).\(name)")
    case .schema(let change, _): return "\(change)"
    }
  }
}

extension Draft.Operation.Change {
  fileprivate func sentence(at position: Slot.Position, of property: String) -> String {
    switch (position, self) {
    case (_, .create): "create \(property)"
    case (.index(let index), .insert): "insert \(property)[\(index)]"
    case (.index(let index), .remove): "remove \(property)[\(index)]"
    case (.index(let index), .move(let destination)):
      "move \(property)[\(index)] to [\(destination)]"
    case (.index(let index), _): "replace \(property)[\(index)]"
    case (.member, .remove): "remove a member of \(property)"
    case (.member, _): "add a member to \(property)"
    case (.key(let key), .remove): "remove \(property)['\(key)']"
    case (.key(let key), _): "set \(property)['\(key)']"
    case (.value, _): "set \(property)"
    }
  }
}
