internal import KennelCore
internal import KennelReports

/// The review: conflicts first, then per object what is old and what is new.
struct ReviewLines {
  let browser: Browser
  private var model: BrowserModel { browser.model }
  private var theme: Theme { model.theme }
  /// The changes that the next commit leaves in the draft.
  var excluded: Set<DraftItem.ID> = []
  /// So many conflicts and so many objects are listed.
  var room = ChangesView.firstRoom

  private static let mostDeletions = 200
  /// So many changed objects are looked into where all might take too long.
  static let mostCompared = 2_000

  func lines() -> [ChangeLine] {
    let draft = model.draftOwner
    guard draft.isAvailable else {
      let text = draft.exists ? "A change is under way" : "This file is read only"
      return [ChangeLine(.note(0), text, theme.null)]
    }
    var lines = conflictLines(draft.conflicts) + schemaLines(draft.schemaChanges)
    for change in draft.changes(limit: room) { lines += self.lines(of: change) }
    let rest = draft.touched.count - room
    if rest > 0 { lines.append(more(.moreObjects, "… and \(counted(rest, "more object"))")) }
    if lines.isEmpty {
      lines.append(ChangeLine(.note(0), "Nothing has changed", theme.null))
    }
    lines += deletionLines()
    return lines
  }

  /// The line at which more are listed.
  private func more(_ id: ChangesView.LineID, _ text: String) -> ChangeLine {
    ChangeLine(id, "\(text): \(browser.key(of: "open")) lists more", theme.note)
  }

  /// A line for each change of the schema, with what becomes of the objects below it.
  private func schemaLines(_ changes: [DraftSchemaChange]) -> [ChangeLine] {
    changes.flatMap { change -> [ChangeLine] in
      let isOut = excluded.contains(change.id)
      let sign = change.isConflicting ? "!" : change.change.sign
      let note = isOut ? "  (left out)" : ""
      let styles = ["+": theme.added, "-": theme.deleted, "!": theme.error]
      let style = styles[sign] ?? theme.changed
      let text = "\(sign) Schema: \(change.change)\(note)"
      var line = ChangeLine(.item(change.id), text, isOut ? theme.null : style)
      line.items = [change.id]
      line.schemaClass = change.change.className
      guard let effect = change.plan.flatMap({ self.effect(of: change, $0) }) else { return [line] }
      let below = ChangeLine(.note(30_000 + change.id), "    \(effect)", theme.note)
      return [line, below]
    }
  }

  /// What becomes of the objects; `nil` if nothing does.
  private func effect(of change: DraftSchemaChange, _ plan: SchemaPlan) -> String? {
    switch change.change {
    case .retypeProperty:
      let lost = plan.misfitCount
      let cleared = lost == 0 ? "" : ", \(counted(lost, "value")) lost"
      return "was \(change.former): \(counted(plan.valueCount - lost, "value")) converted\(cleared)"
    case .deleteProperty:
      guard plan.valueCount > 0 else { return "no object has a value" }
      return "\(SchemaPlanDialog.loss(plan)) deleted, of \(counted(plan.objectCount, "object"))"
    case .addProperty:
      return plan.objectCount == 0
        ? nil
        : "\(counted(plan.objectCount, "object")) \(plan.objectCount == 1 ? "gets" : "get") it"
    case .setIndexed, .setUnique, .setPrimaryKey:
      return plan.valueCount == 0 ? nil : "an index of \(counted(plan.valueCount, "value")) is made"
    case .addClass, .renameClass, .deleteClass, .renameProperty, .setDeleteRule, .setTargetRule:
      return nil
    }
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
    let left = change.items.filter { excluded.contains($0.id) }
    let isLeftOut = left.count == change.items.count
    let note = left.isEmpty ? "" : isLeftOut ? "  (left out)" : "  (left out in part)"
    let object = change.object
    var line = ChangeLine(.object(object), isLeftOut ? theme.null : style) {
      "\(sign) \($0.model.label(object))\(note)"
    }
    line.object = object
    line.items = change.items.map(\.id)
    var lines = [line]
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
      lines.append(line(.item(item.id), object, [item.id]) { "\(sign)\($0.text(of: item))" })
    }
    return lines
  }

  private func line(
    _ id: ChangesView.LineID,
    _ object: ObjectIdentity,
    _ items: [DraftItem.ID],
    _ text: @escaping (ReviewLines) -> String
  ) -> ChangeLine {
    let isOut = excluded.isSuperset(of: items)
    let note = isOut ? "  (left out)" : ""
    var line = ChangeLine(id, isOut ? theme.null : theme.standard) { "    \(text($0))\(note)" }
    line.object = object
    line.items = items
    return line
  }

  /// The joint effect of several edits of a list or set; `nil` where there is one edit, or where they are
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
      return [line(.item(ids[0]), object, ids) { _ in "\(property.name): as before" }]
    }
    let owners = ElementChange.owners(of: differences, among: items)
    return differences.prefix(Self.mostDifferences).enumerated().map { index, difference in
      let text = { (lines: ReviewLines) in lines.text(of: difference, property, property.name) }
      guard let owners else { return line(.difference(object, key, index), object, ids, text) }
      return line(.item(owners[index]), object, [owners[index]], text)
    } + tail(differences.count - Self.mostDifferences, property, ids[0])
  }

  /// So many differences of one list are listed.
  private static let mostDifferences = 200

  private func tail(_ count: Int, _ property: PropertySchema, _ id: Int) -> [ChangeLine] {
    guard count > 0 else { return [] }
    let text = "    \(property.name): … and \(count) more"
    return [ChangeLine(.note(20_000 + id), text, theme.note)]
  }

  /// Counts the objects that the next commit creates, changes and deletes.
  func counts() -> DraftCounts {
    var kinds = model.draftOwner.touched
    // What is left out may take changes with it that are not listed.
    let changes = model.draftOwner.changes(limit: excluded.isEmpty ? Self.mostCompared : .max)
    for (index, change) in changes.enumerated() {
      let isLeftOut = change.items.allSatisfy { excluded.contains($0.id) }
      let isChange = change.kind == .changed
      let isNothing = isChange && index < Self.mostCompared && lines(of: change).isEmpty
      if isLeftOut || isNothing { kinds[change.object] = nil }
    }
    var counts = DraftCounts(kinds)
    counts.schemaChangeCount = model.draftOwner.schemaChanges.count { !excluded.contains($0.id) }
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
      let text = "    \(property.name): \(value.text)"
      return ChangeLine(.value(object, property.key), text, isLeftOut ? theme.null : .standard)
    }
  }

  /// A value, or that there is none.
  private func text(_ value: Value?, _ property: PropertySchema?) -> String {
    value.map { ValueFormatter(model).text($0, of: property) } ?? "absent"
  }

  /// A change as text, as old → new where it has both.
  func text(of item: DraftItem) -> String {
    let property = item.property.flatMap { model.schema.property($0, of: item.object.classKey) }
    let place = item.mapKey.map { "[\"\($0)\"]" } ?? ""
    let change = ElementChange(kind: item.kind, old: item.old, new: item.new)
    return text(of: change, property, (property?.name ?? "?") + place)
  }

  private func text(
    of change: ElementChange,
    _ property: PropertySchema?,
    _ name: String
  ) -> String {
    let (old, new) = (text(change.old, property), text(change.new, property))
    switch change.kind {
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

  /// The conflicts by class, each class with a line at which all of its conflicts are resolved.
  private func conflictLines(_ conflicts: [Conflict]) -> [ChangeLine] {
    guard !conflicts.isEmpty else { return [] }
    let (mine, theirs) = (browser.key(of: "keep-mine"), browser.key(of: "take-theirs"))
    let canKeepMine = conflicts.contains(where: \.canKeepMine)
    var keys = canKeepMine ? "\(mine) mine, \(theirs) theirs" : "\(theirs) takes theirs"
    if conflicts.count > 1 {
      let all = canKeepMine ? ["keep-all-mine", "take-all-theirs"] : ["take-all-theirs"]
      keys += "; \(all.map(browser.key(of:)).joined(separator: ", ")) all"
    }
    let heading = "Changed by another program too: \(keys)"
    var lines = [ChangeLine(.note(1), heading, theme.error)]
    var room = room
    for (classKey, indices) in Dictionary(
      grouping: conflicts.indices,
      by: { conflicts[$0].object?.classKey }
    ).sorted(by: { $0.value[0] < $1.value[0] }) {
      let name = classKey.map(model.name(of:)) ?? "?"
      if indices.count > 1 {
        let text = "! \(name): \(indices.count) conflicts, resolved together here"
        var line = ChangeLine(.conflicts(classKey), text, theme.error)
        line.conflicts = indices.map { conflicts[$0].id }
        lines.append(line)
      }
      for index in indices.prefix(room) { append(conflicts[index], to: &lines) }
      let rest = indices.count - room
      room = max(0, -rest)
      if rest > 0 {
        let text = "  … and \(counted(rest, "more conflict")) of \(name)"
        lines.append(more(.moreConflicts(classKey), text))
      }
    }
    return lines
  }

  private func append(_ conflict: Conflict, to lines: inout [ChangeLine]) {
    var line = ChangeLine(.conflict(conflict.id), theme.error) { $0.title(of: conflict) }
    line.conflicts = [conflict.id]
    lines.append(line)
    if case .schema = conflict.operation { return }
    for (name, value) in [
      ("base  ", conflict.base), ("mine  ", conflict.mine), ("theirs", conflict.theirs),
    ] {
      lines.append(
        ChangeLine(.note(1_000 + lines.count), theme.standard) {
          "    \(name)  \($0.text(value, nil))"
        }
      )
    }
  }

  private func title(of conflict: Conflict) -> String {
    let only = " (only \(browser.key(of: "take-theirs")) is possible)"
    let note = conflict.canKeepMine ? "" : only
    guard let slot = conflict.operation.slot else { return "! \(conflict.message)\(note)" }
    let name = model.name(of: slot.property, in: slot.object.classKey)
    return "! \(model.text(slot.object)).\(name): \(conflict.message)\(note)"
  }

  /// The effects of all deletions of the draft, counted.
  private func deletionLines() -> [ChangeLine] {
    guard let radius = model.draftOwner.deletionPlan, radius.deletionCount > 0 else { return [] }
    let view = DeletionFormatter(model: model)
    return view.lines(of: radius, most: Self.mostDeletions).enumerated().map { offset, line in
      var shown = ChangeLine(.note(10_000 + offset), line.text, line.style)
      shown.isPlan = true
      return shown
    }
  }
}

extension SchemaChange {
  /// Whether something is added or deleted, as a sign.
  fileprivate var sign: String {
    switch self {
    case .addClass, .addProperty: "+"
    case .deleteClass, .deleteProperty: "-"
    case .renameClass, .renameProperty, .retypeProperty, .setPrimaryKey, .setUnique, .setIndexed,
      .setDeleteRule, .setTargetRule:
      "~"
    }
  }
}
