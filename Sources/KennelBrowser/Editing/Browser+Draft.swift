internal import KennelCore

// Undo and redo, the review, and the commit: the only thing that writes.

extension Browser {
  func undo() {
    if undoMany() { return }
    step("Undid", "There is nothing to undo") { draft throws(DatabaseError) in
      try model.undo(draft)
    }
  }

  func redo() {
    if redoMany() { return }
    step("Did again", "There is nothing to redo") { draft throws(DatabaseError) in
      try model.redo(draft)
    }
  }

  private func step(
    _ verb: String,
    _ nothing: String,
    _ body: (Draft) throws(DatabaseError) -> String?
  ) {
    guard let draft = model.draft else { return }
    do {
      guard let what = try body(draft) else {
        say(nothing)
        return
      }
      worldChanged()
      say("\(verb): \(what)")
    } catch {
      showError(error.message)
    }
  }

  // MARK: - Review

  /// The lines of the review, made anew only after something has changed.
  func changeLines() -> [ChangeLine] {
    if let shown = shownChanges, shown.generation == model.generation { return shown.lines }
    let lines = ChangesView(model: model, theme: theme).lines()
    shownChanges = (model.generation, lines)
    return lines
  }

  func moveInChanges(_ movement: Movement) {
    let distance =
      switch movement {
      case .lines(let distance): distance
      case .start: -1_000_000
      case .end: 1_000_000
      }
    changes.move(by: distance, in: changeLines())
  }

  func openReview() {
    if let reason = readOnlyReason {
      showError(reason)
      return
    }
    view.focus = .changes
    if model.changeCount == 0 { say("Nothing has changed; e edits a value") }
  }

  private var changeLine: ChangeLine? {
    let lines = changeLines()
    return changes.cursorIndex(in: lines).map { lines[$0] }
  }

  /// Enter in the review: the object that changed.
  func openChange() {
    guard let object = changeLine?.object else { return }
    guard model.contains(object) else {
      say("\(model.text(object)) is deleted; x drops that")
      return
    }
    goToObject(object, step: "change")
  }

  /// Space or `x`: the change is no longer one, and what depends on it goes too.
  func dropChange() {
    guard let draft = model.draft, let line = changeLine, !line.items.isEmpty else {
      showError("There is no change under the cursor")
      return
    }
    let items = line.items
    if isDraftLarge {
      changeBeside("Finding out what depends on it") { draft throws(DatabaseError) in
        try draft.dependents(of: items)
      } finish: { browser, dependents in
        browser.model.returnDraft()
        browser.drop(items, with: dependents)
      }
    } else if let dependents = model.attempt({ () throws(DatabaseError) in
      try draft.dependents(of: items)
    }) {
      drop(items, with: dependents)
    }
  }

  /// Drops what was asked for, and asks where more would go.
  private func drop(_ items: [DraftItem.ID], with dependents: [DraftItem.ID]) {
    let wanted = Set(items)
    let others = Set(dependents).subtracting(wanted)
    let all = items + dependents.filter { !wanted.contains($0) }
    guard !others.isEmpty, let draft = model.draft else {
      let together = model.objectCount(deletedBy: items)
      if together < 2 { return drop(all) }
      let menu = Menu(
        title: "\(together) objects were deleted together",
        choices: [
          Menu.Choice(letter: "n", label: "keep them deleted") { _ in },
          Menu.Choice(letter: "y", label: "drop the deletion of all \(together)") { $0.drop(all) },
        ]
      )
      overlay = .menu(menu)
      return
    }
    let view = ChangesView(model: model, theme: theme)
    let texts = draft.changes.lazy.flatMap { change in
      change.items.lazy.filter { others.contains($0.id) }
        .map { "\(self.model.text(change.object)): \(view.text(of: $0))" }
    }
    let menu = Menu(
      title: "\(others.count) more depend on it and go too: "
        + texts.prefix(3).joined(separator: "; "),
      choices: [
        Menu.Choice(letter: "n", label: "keep them all") { _ in },
        Menu.Choice(letter: "y", label: "drop all \(all.count)") { $0.drop(all) },
      ]
    )
    overlay = .menu(menu)
  }

  private func drop(_ items: [DraftItem.ID]) {
    let together = model.objectCount(deletedBy: items)
    let what =
      items.count > 1
      ? "\(items.count) changes"
      : together > 1 ? "the deletion of \(together) objects" : "the change"
    let done = "Dropped \(what)"
    let lines = changeLines()
    let index = changes.cursorIndex(in: lines) ?? 0
    if isDraftLarge {
      changeBeside("Dropping it") { draft throws(DatabaseError) in
        try draft.drop(items)
      } finish: { browser, _ in
        _ = browser.model.takeBack()
        browser.worldChanged()
        browser.say(done + "; u undoes")
        browser.changes.stay(at: index, in: browser.changeLines())
      }
    } else if change(done, { draft throws(DatabaseError) in try draft.drop(items) }) {
      changes.stay(at: index, in: changeLines())
    }
  }

  func rollback() {
    guard model.changeCount > 0 else {
      say("Nothing has changed")
      return
    }
    let menu = Menu(
      title: "Throw \(count(model.changeCount, "change")) away?",
      choices: [
        Menu.Choice(letter: "n", label: "keep them") { _ in },
        Menu.Choice(letter: "D", label: "throw them away") { browser in
          browser.throwAway()
          browser.say("Everything is as it was committed")
        },
      ]
    )
    overlay = .menu(menu)
  }

  func throwAway() {
    model.discard()
    confirmedDeletions = nil
    worldChanged()
  }

  // MARK: - Commit

  /// `:w`: commits from the review; from elsewhere, it shows the review first.
  func write() {
    guard model.changeCount > 0 else {
      say("Nothing has changed")
      return
    }
    guard view.focus == .changes else {
      openReview()
      say("These are the changes; w commits them")
      return
    }
    commit()
  }

  func commit() {
    if let reason = readOnlyReason { return showError(reason) }
    guard let draft = model.draft, model.changeCount > 0 else {
      say("Nothing has changed")
      return
    }
    lookAtFile()
    if let sentence = model.fileSentence {
      showError(sentence)
      return
    }
    if !draft.conflicts.isEmpty {
      showError("First solve the conflicts: m keeps my value, t takes theirs")
      return
    }
    // Another program may hold the writer's lock for long: the screen does not wait for it.
    let database = model.database
    let announce = announcement()
    let job = launch("Committing", .commit) { context throws(DatabaseError) in
      let transaction = try database.beginWrite()
      if !context.isCancelled { announce(transaction.commitNumber) }
      return .transaction(transaction)
    }
    overlay = .waiting(job)
  }

  /// The writer's lock is here: another job, which nobody stops, has the draft and commits it.
  func store(in transaction: WriteTransaction) {
    if isEnding { return transaction.rollback() }
    guard let draft = model.lend() else {
      transaction.rollback()
      return showError(readOnlyReason ?? "")
    }
    let confirmed = confirmedDeletions
    let job = launch("Committing", .store) { _ throws(DatabaseError) in
      .outcome(try draft.commit(confirming: confirmed, in: transaction))
    }
    overlay = .committing(job)
  }

  func finishCommit(_ outcome: CommitOutcome) {
    switch outcome {
    case .committed(let number, let identities):
      finishCommit(number, identities)
    case .conflicts(let conflicts):
      worldChanged()
      changes.cursor = conflicts.first.map { .conflict($0.id) }
      showError("\(count(conflicts.count, "conflict")): m keeps my value, t takes theirs")
    case .deletionsGrew(let radius):
      worldChanged()
      let title = "Meanwhile the deletions take more with them. Commit?"
      // The commit itself looks again, and asks again.
      let renewed: () -> BlastRadius? = { radius }
      confirm(radius, title: title, renewed: renewed) { browser in
        browser.confirmedDeletions = radius
        browser.commit()
      }
    }
  }

  private func finishCommit(_ number: UInt64, _ keys: [ObjectIdentity: ObjectIdentity]) {
    confirmedDeletions = nil
    model.forgetSteps()
    history.replace(keys)
    for (letter, object) in bookmarks { bookmarks[letter] = keys[object] ?? object }
    worldChanged()
    if view.focus == .changes { view.focus = .main }
    say("Committed as number \(number)")
  }

  func resolve(_ choice: Conflict.Resolution) {
    guard let draft = model.draft, let conflict = changeLine?.conflict else {
      showError("There is no conflict under the cursor")
      return
    }
    guard choice == .theirs || conflict.canKeepMine else {
      showError("\(conflict.message): only t, theirs, is possible")
      return
    }
    let id = conflict.id
    if isDraftLarge {
      changeBeside("Solving the conflict") { draft throws(DatabaseError) in
        try draft.resolve(id, with: choice)
      } finish: { browser, _ in
        _ = browser.model.takeBack()
        browser.finishResolving()
      }
      return
    }
    do {
      try model.change(draft) { draft throws(DatabaseError) in
        try draft.resolve(id, with: choice)
      }
      finishResolving()
    } catch {
      showError(error.message)
    }
  }

  private func finishResolving() {
    worldChanged()
    let left = model.draft?.conflicts.count ?? 0
    if left > 0 {
      say("\(count(left, "conflict")) left")
    } else {
      say("No conflict is left" + (model.changeCount > 0 ? "; w commits" : " and no change"))
    }
  }

  /// A number with its word, as in `1 change` or `3 changes`.
  func count(_ number: Int, _ word: String) -> String {
    "\(number) \(word)\(number == 1 ? "" : "s")"
  }
}
