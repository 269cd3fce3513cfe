internal import KennelCore

/// The review: conflicts first, then per object what is old and what is new.
struct ReviewLines {
  let browser: Browser
  private var model: BrowserModel { browser.model }
  private var theme: Theme { model.theme }
  /// The changes that the next commit leaves in the draft.
  var excluded: Set<DraftItem.ID> = []

  private static let mostDeletions = 200
  /// So many objects are listed; nobody reviews more by eye.
  static let mostChanges = 2_000

  func lines() -> [ChangeLine] {
    let draft = model.draftOwner
    guard draft.isAvailable else {
      let text = draft.exists ? "A change is under way" : "This file is read only"
      return [ChangeLine(id: .note(0), text: text, style: theme.null)]
    }
    var lines = conflictLines(draft.conflicts)
    for change in draft.changes(limit: Self.mostChanges) { lines += self.lines(of: change) }
    let count = draft.touched.count
    if count > Self.mostChanges {
      let text = "… and \(count - Self.mostChanges) more objects"
      lines.append(ChangeLine(id: .note(2), text: text, style: theme.note))
    }
    if lines.isEmpty {
      lines.append(ChangeLine(id: .note(0), text: "Nothing has changed", style: theme.null))
    }
    lines += deletionLines()
    return lines
  }

  /// The lines of one object: what it is after all changes, not how it came to be so.
  private func lines(of change: DraftChange) -> [ChangeLine] {
    let isCreated = change.kind == .created
    // What an object that is new owns is shown where its owner has it.
    if isCreated, model.schema[change.object.classKey]?.isEmbedded == true { return [] }
    let items = change.items.filter { item in
      switch item.kind {
      case .created: false
      case .value: item.isConflicting || !isCreated && item.old != item.new
      // The sign before the name says already that it is deleted.
      case .deleted: change.items.count > 1
      case .inserted, .removed, .replaced, .moved, .memberInserted, .memberRemoved: !isCreated
      }
    }
    if items.isEmpty, change.kind == .changed { return [] }
    let (sign, style) =
      switch change.kind {
      case .created: ("+", theme.added)
      case .changed: ("~", theme.changed)
      case .deleted: ("-", theme.deleted)
      }
    let name = model.label(change.object)
    let left = change.items.filter { excluded.contains($0.id) }
    let isLeftOut = left.count == change.items.count
    let note = left.isEmpty ? "" : isLeftOut ? "  (left out)" : "  (left out in part)"
    var lines = [
      ChangeLine(
        id: .object(change.object),
        text: "\(sign) \(name)\(note)",
        style: isLeftOut ? theme.null : style,
        object: change.object,
        items: change.items.map(\.id)
      )
    ]
    if isCreated { lines += valueLines(of: change.object, isLeftOut: isLeftOut) }
    return lines + itemLines(of: change.object, items)
  }

  /// A line for each change of a value, and for each difference of a list or set.
  private func itemLines(of object: ObjectIdentity, _ items: [DraftItem]) -> [ChangeLine] {
    let edited = Dictionary(grouping: items, by: \.property)
    var lines: [ChangeLine] = []
    var told: Set<PropertyKey> = []
    for item in items {
      if let key = item.property, told.contains(key) { continue }
      if let key = item.property, let same = edited[key],
        let differences = differences(of: object, key, same)
      {
        told.insert(key)
        lines += differences
        continue
      }
      let sign = item.isConflicting ? "! " : ""
      lines.append(line(.item(item.id), "\(sign)\(text(of: item))", object, [item.id]))
    }
    return lines
  }

  private func line(
    _ id: ChangesView.LineID,
    _ text: String,
    _ object: ObjectIdentity,
    _ items: [DraftItem.ID]
  ) -> ChangeLine {
    let isOut = excluded.isSuperset(of: items)
    return ChangeLine(
      id: id,
      text: "    \(text)\(isOut ? "  (left out)" : "")",
      style: isOut ? theme.null : theme.standard,
      object: object,
      items: items
    )
  }

  /// What several edits of a list or set did together; `nil` where there is one edit, or where they are
  /// better told one by one.
  ///
  /// A difference that one edit made is dropped and left out with that alone, as long as each has one.
  private func differences(
    of object: ObjectIdentity,
    _ key: PropertyKey,
    _ items: [DraftItem]
  ) -> [ChangeLine]? {
    guard items.count > 1, !items.contains(where: \.isConflicting),
      let property = model.schema.property(key, of: object.classKey),
      let differences = model.differences(of: object, property)
    else { return nil }
    let ids = items.map(\.id)
    guard !differences.isEmpty else {
      return [line(.item(ids[0]), "\(property.name): as before", object, ids)]
    }
    let owners = ElementChange.owners(of: differences, among: items)
    return differences.prefix(Self.mostDifferences).enumerated().map { index, difference in
      let text = text(of: difference, property)
      guard let owners else { return line(.difference(object, key, index), text, object, ids) }
      return line(.item(owners[index]), text, object, [owners[index]])
    } + tail(differences.count - Self.mostDifferences, property, ids[0])
  }

  /// So many differences of one list are listed.
  private static let mostDifferences = 200

  private func tail(_ count: Int, _ property: PropertySchema, _ id: Int) -> [ChangeLine] {
    guard count > 0 else { return [] }
    let text = "    \(property.name): … and \(count) more"
    return [ChangeLine(id: .note(20_000 + id), text: text, style: theme.note)]
  }

  /// What the next commit does, in numbers of objects.
  func counts() -> DraftCounts {
    var kinds = model.draftOwner.touched
    // What is left out may take changes with it that are not listed.
    let changes = model.draftOwner.changes(limit: excluded.isEmpty ? Self.mostChanges : .max)
    for (index, change) in changes.enumerated() {
      let isLeftOut = change.items.allSatisfy { excluded.contains($0.id) }
      let isNothing = index < Self.mostChanges && lines(of: change).isEmpty
      if isLeftOut || isNothing { kinds[change.object] = nil }
    }
    var counts = DraftCounts(kinds)
    if excluded.isEmpty, let radius = model.draftOwner.deletionPlan {
      counts.deleted = radius.counts
    }
    return counts
  }

  /// The values of an object that is new, but for those that it has none of.
  private func valueLines(of object: ObjectIdentity, isLeftOut: Bool) -> [ChangeLine] {
    let view = ValueFormatter(model)
    let properties = model.schema[object.classKey]?.properties ?? []
    return properties.compactMap { property in
      let value = view.show(object, property)
      guard value.style != theme.null else { return nil }
      return ChangeLine(
        id: .value(object, property.key),
        text: "    \(property.name): \(value.text)",
        style: isLeftOut ? theme.null : theme.standard
      )
    }
  }

  /// A value, or that there is none.
  private func text(_ value: Value?, isEmbedded: Bool, isMixed: Bool = false) -> String {
    guard let value else { return "absent" }
    let view = ValueFormatter(model)
    return view.show(value, isEmbedded: isEmbedded, isMixed: isMixed).text
  }

  /// A difference of a list or set.
  private func text(of difference: ElementChange, _ property: PropertySchema) -> String {
    func shown(_ value: Value) -> String {
      let isMixed = property.type.kind == .mixed
      return text(value, isEmbedded: property.isEmbedded, isMixed: isMixed)
    }
    let name = property.name
    func place(_ index: Int?) -> String { index.map { "\(name)[\($0)]" } ?? name }
    switch difference {
    case .inserted(let index, let new): return "\(place(index)): + \(shown(new))"
    case .removed(let index, let old): return "\(place(index)): - \(shown(old))"
    case .moved(let from, let to, let value):
      return "\(name)[\(from)] moved to [\(to)]: \(shown(value))"
    case .replaced(let index, let old, let new):
      return "\(name)[\(index)]: \(shown(old)) → \(shown(new))"
    }
  }

  /// What a change does, as old → new where it has both.
  func text(of item: DraftItem) -> String {
    let property = item.property.flatMap { model.schema.property($0, of: item.object.classKey) }
    let isEmbedded = property?.isEmbedded ?? false
    let isMixed = property?.type.kind == .mixed
    let old = text(item.old, isEmbedded: isEmbedded, isMixed: isMixed)
    let new = text(item.new, isEmbedded: isEmbedded, isMixed: isMixed)
    let name = (property?.name ?? "?") + (item.mapKey.map { "[\"\($0)\"]" } ?? "")
    switch item.kind {
    case .created: return "created"
    case .deleted: return "deleted"
    case .value: return "\(name): \(old) → \(new)"
    case .replaced(let index): return "\(name)[\(index)]: \(old) → \(new)"
    case .inserted(let index): return "\(name)[\(index)]: + \(new)"
    case .removed(let index): return "\(name)[\(index)]: - \(old)"
    case .moved(let from, let to): return "\(name)[\(from)] moved to [\(to)]: \(new)"
    case .memberInserted: return "\(name): + \(new)"
    case .memberRemoved: return "\(name): - \(old)"
    }
  }

  private func conflictLines(_ conflicts: [Conflict]) -> [ChangeLine] {
    guard !conflicts.isEmpty else { return [] }
    let (mine, theirs) = (browser.key(of: "keep-mine"), browser.key(of: "take-theirs"))
    let canKeepMine = conflicts.contains(where: \.canKeepMine)
    let keys = canKeepMine ? "\(mine) mine, \(theirs) theirs" : "\(theirs) takes theirs"
    let heading = "Changed by another program too: \(keys)"
    var lines = [ChangeLine(id: .note(1), text: heading, style: theme.error)]
    for conflict in conflicts {
      lines.append(
        ChangeLine(
          id: .conflict(conflict.id),
          text:
            "! \(title(of: conflict))\(conflict.canKeepMine ? "" : " (only \(theirs) is possible)")",
          style: theme.error,
          conflict: conflict
        )
      )
      let values = [
        ("base", conflict.base), ("mine", conflict.mine), ("theirs", conflict.theirs),
      ]
      for (offset, (name, value)) in values.enumerated() {
        let padding = String(repeating: " ", count: 6 - name.count)
        lines.append(
          ChangeLine(
            id: .note(1_000 + lines.count * 4 + offset),
            text: "    \(name)\(padding)  \(text(value, isEmbedded: false))",
            style: theme.standard
          )
        )
      }
    }
    return lines
  }

  private func title(of conflict: Conflict) -> String {
    guard let slot = conflict.operation.slot else { return conflict.message }
    let name = model.name(of: slot.property, in: slot.object.classKey)
    return "\(model.text(slot.object)).\(name): \(conflict.message)"
  }

  /// What all deletions of the draft take with them, counted.
  private func deletionLines() -> [ChangeLine] {
    guard let radius = model.draftOwner.deletionPlan, radius.deletionCount > 0 else { return [] }
    let view = DeletionFormatter(model: model)
    return view.lines(of: radius, most: Self.mostDeletions).enumerated().map { offset, line in
      ChangeLine(id: .note(10_000 + offset), text: line.text, style: line.style, isPlan: true)
    }
  }
}
