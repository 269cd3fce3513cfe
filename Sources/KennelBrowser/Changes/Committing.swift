internal import KennelCore
internal import KennelReports

/// The commit: the only thing that writes.
struct Committing: BrowserPart {
  let browser: Browser

  /// `:w`: commits from the review; from elsewhere, it shows the review first.
  func write() {
    guard model.changeCount > 0 else {
      say("Nothing has changed")
      return
    }
    guard entry.focus == .changes else {
      entry.focus = .changes
      say("These are the changes; \(browser.key(of: "commit")) commits them")
      return
    }
    askToCommit()
  }

  /// `w` in the review: says what will be written, and commits after `y`.
  func askToCommit() {
    if let reason = browser.readOnlyReason { return showError(reason) }
    guard model.changeCount > 0 else {
      say("Nothing has changed")
      return
    }
    FileActions(browser).look()
    if let sentence = model.fileSentence {
      showError(sentence)
      return
    }
    let conflicts = model.draft.conflicts
    if !conflicts.isEmpty {
      return showError("Resolve the conflicts first: \(advice(on: conflicts))")
    }
    if let name = browser.settings.proposedName {
      guard browser.changes.excluded.isEmpty else {
        return showError(
          "A new file has all changes or none: \(browser.key(of: "leave-out")) takes them in again"
        )
      }
      return FileActions(browser).askForNewFile(name)
    }
    guard !browser.changes.excluded.isEmpty else { return ask() }
    // What is left out may be undone since, and something new may depend on it.
    Reviewing(browser).renewExcluded { Committing($0).ask() }
  }

  /// The keys that resolve conflicts, of which mine is not always possible.
  private func advice(on conflicts: [Conflict]) -> String {
    let theirs = "\(browser.key(of: "take-theirs")) takes theirs"
    guard conflicts.contains(where: \.canKeepMine) else { return theirs }
    return "\(browser.key(of: "keep-mine")) keeps my value, \(theirs)"
  }

  private func ask() {
    let excluded = browser.changes.excluded
    let counts = ReviewLines(model: model, excluded: excluded).counts()
    if !excluded.isEmpty, counts.isEmpty {
      return showError("Every change is left out; \(browser.key(of: "leave-out")) takes one in")
    }
    var lines = counts.lines(in: model.schema)
    if excluded.isEmpty, let plan = model.draft.deletionPlan,
      let effects = DeletionFormatter(model: model).effects(of: plan)
    {
      lines.append("        \(effects)")
    }
    open(ConfirmCommitDialog(lines, leftOut: excluded.count))
  }

  /// Commits on another thread, in one go: waits for the writer's lock, which another program may hold for
  /// long, and then commits unless the person has taken it back meanwhile.
  func commit() {
    if let reason = browser.readOnlyReason { return showError(reason) }
    let left = Array(browser.changes.excluded)
    let announcement = browser.autosave.announcement(of: model.draft)
    guard let draft = model.draft.lend() else { return showError(browser.readOnlyReason ?? "") }
    let database = model.database
    let confirmed = browser.confirmedDeletions
    let turn = CommitTurn()
    Jobs(browser).launch("Committing", .commit(turn)) {
      context throws(DatabaseError) -> CommitOutcome? in
      let transaction = try database.beginWrite()
      guard !context.isCancelled, turn.begin() else {
        transaction.rollback()
        return nil
      }
      context.report(progress: nil)
      announcement.save()
      let newest = transaction.commitNumber
      return try draft.commit(confirming: confirmed, leaving: left, in: transaction) { rest in
        announcement.mark(onto: newest, leaving: rest)
      }
    } finish: { browser, outcome in
      Committing(browser).finish(outcome)
    } abandon: { browser in
      Committing(browser).finish(nil)
    }
    open(CommitDialog(turn: turn))
  }

  /// The job is over; there is no outcome where nothing was committed.
  private func finish(_ outcome: CommitOutcome?) {
    if browser.dialog is CommitDialog { browser.dialog = nil }
    switch outcome {
    case .committed(let number, let keys)?:
      Commits(browser).noteOwn(number)
      browser.confirmedDeletions = nil
      browser.changes.excluded = []
      model.draft.takeBack(as: .committed(keys))
      let left = model.changeCount
      if left == 0, entry.focus == .changes { entry.focus = .main }
      let rest = left == 0 ? "" : "; \(counted(left, "change")) left in the draft"
      say("Committed as number \(number)" + rest)
    case .conflicts(let conflicts)?:
      model.draft.takeBack(as: .noStep)
      browser.changes.cursor = conflicts.first.map { .conflict($0.id) }
      showError("\(counted(conflicts.count, "conflict")): \(advice(on: conflicts))")
    case .deletionsGrew(let radius)?:
      model.draft.takeBack(as: .noStep)
      // The commit itself looks again, and asks again.
      let renewed: () -> BlastRadius? = { radius }
      let title = "The deletions now take more with them. Commit?"
      Deleting(browser).confirm(radius, title: title, renewed: renewed) { browser in
        browser.confirmedDeletions = radius
        Committing(browser).commit()
      }
    case .nothingIncluded?:
      model.draft.takeBack(as: .noStep)
      showError(
        "Every change is left out or depends on one that is; \(browser.key(of: "leave-out")) "
          + "takes one in"
      )
    case nil:
      model.draft.takeBack(as: .noStep)
    }
  }
}
