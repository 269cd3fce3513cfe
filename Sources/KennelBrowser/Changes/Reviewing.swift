@_spi(Faces) internal import KennelCore
internal import KennelReports

/// Undo, redo, and the review of what is not committed.
struct Reviewing: BrowserPart {
  let browser: Browser

  func undo() {
    let (draft, count) = (model.draftOwner, model.draftOwner.undoCount)
    step("Undo", "Undid", count, draft.undoDeletionCount, as: .undone) {
      draft throws(DatabaseError) in try draft.undo(count)
    }
  }

  func redo() {
    let (draft, count) = (model.draftOwner, model.draftOwner.redoCount)
    step("Redo", "Redid", count, draft.redoDeletionCount, as: .redone) {
      draft throws(DatabaseError) in try draft.redo(count)
    }
  }

  private func step(
    _ verb: String,
    _ past: String,
    _ count: Int,
    _ deletionCount: Int,
    as use: DraftOwner.Use,
    _ work: @escaping @Sendable (Draft) throws(DatabaseError) -> String?
  ) {
    guard count > 0 else { return say("There is nothing to \(verb.lowercased())") }
    let before = model.draftOwner.touched
    let isReviewed = browser.context == .changes
    let place = isReviewed ? browser.changes.changesBeforeCursor(in: browser) : nil
    let known = isReviewed ? Set(model.draftOwner.conflicts.map(\.id)) : []
    let isLarge = max(count, deletionCount) > LargeChanges.mostAtOnce
    LargeChanges(browser).perform("\(verb)ing", as: use, isLarge: isLarge) {
      draft,
      _ throws(DatabaseError) in
      try work(draft)
    } finish: { browser, what, _ in
      Reviewing(browser).follow(since: before)
      if let place {
        browser.changes.stay(behind: place, in: browser)
        let back = browser.model.draftOwner.conflicts.first { !known.contains($0.id) }
        if let back { browser.changes.cursor = .conflict(back.id) }
      }
      browser.say("\(past): \(what ?? "")")
    }
  }

  /// Puts the cursor on what is back.
  private func follow(since before: [ObjectIdentity: DraftChange.Kind]) {
    let now = model.draftOwner.touched
    let back =
      before.keys.filter { before[$0] == .deleted && now[$0] != .deleted }
      + now.keys.filter { now[$0] == .created && before[$0] == nil }
    let isReviewed = browser.context == .changes
    SchemaEditing(browser).leaveDeleted()
    Navigation(browser).follow(back)
    // What is shown behind the review may have gone, but the review stays.
    if isReviewed { Navigation(browser).focus(on: .changes) }
  }

  // MARK: - Review

  func open() {
    if browser.context == .changes { goToConflict() }
    Navigation(browser).focus(on: .changes)
    if model.changeCount == 0 { say("Nothing has changed; \(key(of: "edit")) edits a value") }
  }

  /// Puts the cursor on the first conflict, unless it is on one.
  func goToConflict() {
    guard !model.draftOwner.conflicts.isEmpty, changeLine?.conflicts.isEmpty ?? true else { return }
    browser.changes.cursor = nil
  }

  private var changeLine: ChangeLine? { browser.changes.line(in: browser) }

  /// Space: the next commit leaves the change in the draft, and what depends on it, or takes it again.
  func toggle() {
    guard let items = changeLine?.items, !items.isEmpty else {
      return showError("There is no change under the cursor")
    }
    let before = browser.changes.excluded
    let isExcluding = !before.isSuperset(of: items)
    let excluded = isExcluding ? before.union(items) : before.subtracting(items)
    find(remainingBeside: excluded) { browser, dependents in
      if !isExcluding, let item = items.first(where: dependents.contains) {
        return Reviewing(browser).refuse(item, among: before)
      }
      let all = excluded.union(dependents)
      browser.changes.excluded = all
      let others = all.subtracting(before).subtracting(items).count
      let more =
        isExcluding && others > 0
        ? ", with \(others) that \(others == 1 ? "depends" : "depend") on it" : ""
      browser.say(
        isExcluding
          ? "Left out\(more): it stays in the draft when \(key(of: "commit")) commits the others"
          : "\(key(of: "commit")) commits it, too"
      )
    }
  }

  /// Leaves out what is left out still, and what depends on it now.
  func renewExcluded(then next: @escaping (Browser) -> Void) {
    let ofSchema = model.draftOwner.schemaChanges.map(\.id)
    let existing = Set(
      model.draftOwner.changes(limit: .max).lazy.flatMap(\.items).map(\.id) + ofSchema
    )
    let excluded = browser.changes.excluded.intersection(existing)
    find(remainingBeside: excluded) { browser, dependents in
      browser.changes.excluded = excluded.union(dependents)
      next(browser)
    }
  }

  /// A change cannot be committed without what it depends on.
  private func refuse(_ item: DraftItem.ID, among excluded: Set<DraftItem.ID>) {
    let ofSchema = model.draftOwner.schemaChanges.first {
      excluded.contains($0.id) && $0.id != item
    }
    let created = model.draftOwner.changes(limit: ReviewLines.mostCompared).first { change in
      change.kind == .created && change.items.contains { excluded.contains($0.id) && $0.id != item }
    }
    let what =
      created.map { model.label($0.object) } ?? ofSchema.map { "‘\($0.change)’" }
      ?? "another change"
    showError(
      "It depends on \(what), which is left out; \(key(of: "leave-out")) there takes that in"
    )
  }

  /// Asks the draft; beside the screen where it is large.
  private func find(
    _ items: @escaping @Sendable (Draft) throws(DatabaseError) -> [DraftItem.ID],
    then next: @escaping (Browser, [DraftItem.ID]) -> Void
  ) {
    let changes = LargeChanges(browser)
    let isLarge = changes.isDraftLarge
    changes.perform("Finding out what depends on it", as: .reading, isLarge: isLarge) {
      draft,
      _ throws(DatabaseError) in
      try items(draft)
    } finish: { browser, found, _ in
      next(browser, found)
    }
  }

  /// Finds out which changes stay in the draft where a commit leaves some.
  private func find(
    remainingBeside items: Set<DraftItem.ID>,
    then next: @escaping (Browser, [DraftItem.ID]) -> Void
  ) {
    let items = Array(items)
    find({ draft throws(DatabaseError) in try draft.remaining(leaving: items) }, then: next)
  }

  /// `x`: the change is no longer one, and what depends on it goes too.
  func drop() {
    guard let line = changeLine, !line.items.isEmpty else {
      return showError("There is no change under the cursor")
    }
    let items = line.items
    find { draft throws(DatabaseError) in
      try draft.dependents(of: items)
    } then: {
      Reviewing($0).drop(items, with: $1)
    }
  }

  /// Drops what was asked for, and asks where more would go.
  private func drop(_ items: [DraftItem.ID], with dependents: [DraftItem.ID]) {
    let wanted = Set(items)
    let others = Set(dependents).subtracting(wanted)
    let all = items + dependents.filter { !wanted.contains($0) }
    if others.isEmpty {
      let together = model.draftOwner.objectCount(deletedBy: items)
      guard together > 1 else { return drop(all) }
      let title = "\(together) objects were deleted together"
      let yes = "drop the deletion of all \(together)"
      return ask(title, no: "keep them deleted", .init("y", yes) { Reviewing($0).drop(all) })
    }
    let changes = ReviewLines(browser: browser)
    let texts = model.draftOwner.changes(limit: .max).lazy.flatMap { change in
      change.items.lazy.filter { others.contains($0.id) }
        .map { "\(self.model.text(change.object)): \(changes.text(of: $0))" }
    }
    let ofSchema = model.draftOwner.schemaChanges.filter { others.contains($0.id) }
      .map { "\($0.change)" }
    let title =
      "\(others.count) more depend on it and are dropped too: "
      + (ofSchema + texts.prefix(3)).prefix(3).joined(separator: "; ")
    let yes = "drop all \(all.count)"
    ask(title, no: "keep them all", .init("y", yes) { Reviewing($0).drop(all) })
  }

  /// Asks before something that is not easily brought back.
  private func ask(_ title: String, no: String, _ yes: MenuDialog.Choice) {
    browser.dialog = MenuDialog(title, [.init("n", no) { _ in }, yes])
  }

  private func drop(_ items: [DraftItem.ID]) {
    let together = model.draftOwner.objectCount(deletedBy: items)
    let what =
      items.count > 1
      ? "\(items.count) changes"
      : together > 1 ? "the deletion of \(together) objects" : "the change"
    let done = "Dropped \(what)"
    let count = browser.changes.changesBeforeCursor(in: browser)
    let changes = LargeChanges(browser)
    changes.perform("Dropping it", isLarge: changes.isDraftLarge) {
      draft,
      _ throws(DatabaseError) in
      try draft.changeAsWhole { draft throws(DatabaseError) in try draft.drop(items) }
    } finish: { browser, _, hasChanged in
      browser.say(done, hasChanged: hasChanged)
      browser.changes.stay(behind: count, in: browser)
    }
  }

  func rollback() {
    guard model.changeCount > 0 else { return say("Nothing has changed") }
    let discard = MenuDialog.Choice("D", "discard them") { browser in
      Reviewing(browser).discard()
      browser.say("All changes are discarded")
    }
    ask("Discard \(counted(model.changeCount, "change"))?", no: "keep them", discard)
  }

  func discard() {
    browser.confirmedDeletions = nil
    model.draftOwner.discard()
  }

  // MARK: - Conflicts

  /// Whether a conflict can be resolved with the person's value.
  var canKeepMine: Bool { model.draftOwner.conflicts.contains(where: \.canKeepMine) }
  var hasSeveralConflicts: Bool { model.draftOwner.conflicts.count > 1 }

  /// Resolves the conflict under the cursor, or all of a class on the line of the class.
  func resolve(_ choice: Conflict.Resolution) {
    resolve(changeLine?.conflicts ?? [], choice, none: "There is no conflict under the cursor")
  }

  func resolveAll(_ choice: Conflict.Resolution) {
    resolve(model.draftOwner.conflicts.map(\.id), choice, none: "There is no conflict")
  }

  private func resolve(_ ids: [Conflict.ID], _ choice: Conflict.Resolution, none: String) {
    let wanted = Set(ids)
    let conflicts = model.draftOwner.conflicts.filter { wanted.contains($0.id) }
    guard let first = conflicts.first else { return showError(none) }
    guard choice == .theirs || conflicts.contains(where: \.canKeepMine) else {
      return showError("\(first.message): only \(key(of: "take-theirs")), theirs, is possible")
    }
    let title = conflicts.count == 1 ? "the conflict" : counted(conflicts.count, "conflict")
    let count = browser.changes.changesBeforeCursor(in: browser)
    let changes = LargeChanges(browser)
    changes.perform("Resolving \(title)", isLarge: changes.isDraftLarge) {
      draft,
      _ throws(DatabaseError) in
      try draft.resolve(ids, with: choice)
    } finish: { browser, _, _ in
      browser.changes.stay(behind: count, in: browser)
      Reviewing(browser).sayConflictsLeft()
    }
  }

  private func sayConflictsLeft() {
    let conflicts = model.draftOwner.conflicts
    if !conflicts.isEmpty {
      let only = "only \(key(of: "take-theirs")), theirs, is possible"
      let note = conflicts.contains(where: \.canKeepMine) ? "" : ": \(only)"
      say("\(counted(conflicts.count, "conflict")) left\(note)")
    } else {
      say(
        "No conflict is left"
          + (model.changeCount > 0 ? "; \(key(of: "commit")) commits" : " and no change")
      )
    }
  }
}
