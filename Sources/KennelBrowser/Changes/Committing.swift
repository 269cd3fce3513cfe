internal import KennelCore
internal import KennelReports

/// The commit: the only thing that writes.
struct Committing: BrowserPart {
  let browser: Browser

  /// `:w`: commits from the review; from elsewhere, it shows the review first.
  func write() {
    guard model.changeCount > 0 else { return say("Nothing has changed") }
    guard entry.focus == .changes else {
      entry.focus = .changes
      return say("These are the changes; \(key(of: "commit")) commits them")
    }
    askToCommit()
  }

  /// `:wq`: shows the review, says what will be written, commits after `y`, and ends the program.
  func writeAndQuit() {
    guard model.changeCount > 0 else { return ProgramActions(browser).quit() }
    entry.focus = .changes
    askToCommit(thenQuits: true)
  }

  /// `w` in the review: says what will be written, and commits after `y`.
  ///
  /// - Parameter quits: Whether the program ends when all changes are committed.
  func askToCommit(thenQuits quits: Bool = false) {
    if let reason = browser.readOnlyReason { return showError(reason) }
    guard model.changeCount > 0 else { return say("Nothing has changed") }
    FileActions(browser).checkPlace()
    if let sentence = model.fileSentence { return showError(sentence) }
    let conflicts = model.draftOwner.conflicts
    if !conflicts.isEmpty {
      return showError("Resolve the conflicts first: \(advice(on: conflicts))")
    }
    if let name = browser.settings.proposedName {
      guard browser.changes.excluded.isEmpty else {
        return showError(
          "A new file has all changes or none: \(key(of: "leave-out")) takes them in again"
        )
      }
      return FileActions(browser).askForNewFile(name, isProposal: true)
    }
    guard !browser.changes.excluded.isEmpty else { return ask(thenQuits: quits) }
    // What is left out may be undone since, and something new may depend on it.
    Reviewing(browser).renewExcluded { Committing($0).ask(thenQuits: quits) }
  }

  /// The keys that resolve conflicts, of which mine is not always possible.
  private func advice(on conflicts: [Conflict]) -> String {
    let theirs = "\(key(of: "take-theirs")) takes theirs"
    guard conflicts.contains(where: \.canKeepMine) else { return theirs }
    return "\(key(of: "keep-mine")) keeps my value, \(theirs)"
  }

  private func ask(thenQuits quits: Bool) {
    let excluded = browser.changes.excluded
    let counts = ReviewLines(browser: browser, excluded: excluded).counts()
    if !excluded.isEmpty, counts.isEmpty {
      return showError("Every change is left out; \(key(of: "leave-out")) takes one in")
    }
    var lines = counts.lines(in: model)
    if excluded.isEmpty, let plan = model.draftOwner.deletionPlan,
      let effects = DeletionFormatter(model: model).effects(of: plan)
    {
      lines.append("        \(effects)")
    }
    let ofSchema = model.draftOwner.schemaChanges.filter { !excluded.contains($0.id) }
    if ofSchema.contains(where: \.change.isFinal) {
      lines.append("        What goes with classes and properties cannot be taken back afterwards")
    }
    open(ConfirmCommitDialog(lines, leftOut: excluded.count, quits: quits))
  }

  /// Commits on another thread, in one go: waits for the writer's lock, which another program may hold for
  /// long, and then commits unless the person has taken it back meanwhile.
  ///
  /// - Parameter quits: Whether the program ends when all changes are committed.
  func commit(thenQuits quits: Bool = false) {
    if let reason = browser.readOnlyReason { return showError(reason) }
    let left = Array(browser.changes.excluded)
    let counts = ReviewLines(browser: browser, excluded: browser.changes.excluded).counts()
    let announcement = browser.autosave.announcement(of: model.draftOwner)
    guard let draft = model.draftOwner.lend() else {
      return showError(browser.readOnlyReason ?? "")
    }
    let database = model.database
    let confirmed = browser.confirmedDeletions
    let original = browser.settings.original
    let turn = CommitTurn()
    Jobs(browser).launch("Committing", .commit(turn)) {
      context throws(DatabaseError) -> CommitResult? in
      let transaction = try database.beginWrite()
      guard !context.isCancelled, turn.begin() else {
        transaction.rollback()
        return nil
      }
      context.report(progress: nil)
      announcement.save()
      let newest = transaction.commitNumber
      let before = try database.snapshot()
      let outcome = try draft.commit(confirming: confirmed, leaving: left, in: transaction) {
        rest in
        announcement.mark(onto: newest, leaving: rest)
      } mirroring: { (commit) throws(DatabaseError) in
        try original?.store(commit)
      }
      return CommitResult(outcome: outcome, before: before, after: try? database.snapshot())
    } finish: { browser, result in
      Committing(browser).finish(result, counts, thenQuits: quits)
    } abandon: { browser in
      Committing(browser).finish(nil, counts, thenQuits: false)
    }
    open(CommitDialog(turn: turn))
  }

  /// The job is over; there is no outcome where nothing was committed.
  private func finish(_ result: CommitResult?, _ counts: DraftCounts, thenQuits quits: Bool) {
    if browser.dialog is CommitDialog { browser.dialog = nil }
    switch result?.outcome {
    case .committed(let number, let keys)?:
      let text = counts.lines(in: model).joined(separator: "; ")
      Commits(browser).noteOwn(number, text, before: result?.before, after: result?.after)
      browser.confirmedDeletions = nil
      browser.changes.excluded = []
      model.draftOwner.takeBack(as: .committed(keys))
      let left = model.changeCount
      if left == 0, entry.focus == .changes { entry.focus = .main }
      let rest = left == 0 ? "" : "; \(counted(left, "change")) left in the draft"
      let place =
        browser.settings.original == nil ? "as number \(number)" : "to \(browser.settings.fileName)"
      say("Committed \(place)" + rest)
      if quits, left == 0 { ProgramActions(browser).end() }
    case .conflicts(let conflicts)?:
      model.draftOwner.takeBack(as: .noStep)
      browser.changes.cursor = conflicts.first.map { .conflict($0.id) }
      showError("\(counted(conflicts.count, "conflict")): \(advice(on: conflicts))")
    case .deletionsGrew(let radius)?:
      model.draftOwner.takeBack(as: .noStep)
      // The commit itself looks again, and asks again.
      let renewed: () -> BlastRadius? = { radius }
      let title = "The deletions now take more with them. Commit?"
      let question = DeletionDialog.Question(title: title, renewed: renewed) { browser in
        browser.confirmedDeletions = radius
        Committing(browser).commit(thenQuits: quits)
      }
      open(DeletionDialog(question, radius, in: model))
    case .nothingIncluded?:
      model.draftOwner.takeBack(as: .noStep)
      showError(
        "Every change is left out or depends on one that is; \(key(of: "leave-out")) takes one in"
      )
    case nil:
      model.draftOwner.takeBack(as: .noStep)
    }
  }
}

/// What became of a commit.
private struct CommitResult: Sendable {
  let outcome: CommitOutcome
  /// The newest commit before it.
  let before: Snapshot
  /// The newest commit behind it; `nil` where the file could not be read.
  let after: Snapshot?
}
