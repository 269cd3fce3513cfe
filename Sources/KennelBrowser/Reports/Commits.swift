@_spi(Faces) internal import KennelCore
internal import KennelReports

/// Lists what this run and other programs commit, and takes back what this run has committed.
struct Commits: BrowserPart {
  let browser: Browser

  /// `gb`: begins to list commits, or shows the list.
  func open() {
    guard let log = browser.commitLog else { return begin() }
    guard !log.lines.isEmpty else {
      return say("No other program has committed since commit \(log.baseline)")
    }
    var report = Report(kind: .commits, heading: log.heading, lines: log.lines)
    if let last = browser.report, last.kind == .commits {
      report.index = min(last.index, log.lines.count - 1)
    }
    browser.dialog = ReportDialog(report: report)
  }

  /// Lists the commits from now on.
  func begin() {
    guard let snapshot = model.draftOwner.committed else {
      return showError(browser.readOnlyReason ?? "A change is under way")
    }
    browser.commitLog = CommitLog(snapshot.copy())
    browser.report = nil
    let key = key(of: "baseline")
    say("From commit \(snapshot.commitNumber) on, \(key) lists what other programs commit")
  }

  /// Compares the commits that were not looked at, beside the screen.
  func follow() {
    guard let log = browser.commitLog, !log.isReading, let committed = model.draftOwner.committed,
      committed.commitNumber > log.seen.commitNumber
    else { return }
    let (old, new) = (log.seen.copy(), committed.copy())
    let numbers = old.commitNumber + 1...new.commitNumber
    let own = numbers.filter { browser.changes.committed[$0] != nil }
    if own.count == numbers.count {
      browser.commitLog?.seen = new
      return
    }
    browser.commitLog?.isReading = true
    let title =
      numbers.count == 1
      ? "Commit \(new.commitNumber)" : "Commits \(numbers.lowerBound) to \(numbers.upperBound)"
    let note = own.isEmpty ? "" : ", with your \(own.map { "\($0)" }.joined(separator: ", "))"
    Jobs(browser).launch("Reading what was committed", .commits) { context throws(DatabaseError) in
      let (text, lines) = try Self.changes(from: old, to: new, context)
      return [ReportLine("\(title)\(note): \(text)", .heading)] + lines
    } finish: { browser, lines in
      Commits(browser).receive(lines, new)
    } abandon: { browser in
      Commits(browser).receive([ReportLine("\(title): not read", .heading)], new)
    }
  }

  /// The changes between two commits, counted and listed.
  private static func changes(
    from old: Snapshot,
    to new: Snapshot,
    _ context: JobContext
  ) throws(DatabaseError) -> (text: String, lines: [ReportLine]) {
    var lines: [ReportLine] = []
    var counts = ChangeCounts()
    let progress = QueryProgress(of: context)
    try CommitChanges.report(from: old, to: new, progress: progress) { change in
      counts.add(change)
      if counts.total <= CommitLog.mostObjects { lines += change.lines }
    }
    let rest = counts.total - CommitLog.mostObjects
    if rest > 0 { lines.append(ReportLine("  … and \(rest) more objects", .note)) }
    return (counts.text, lines)
  }

  private func receive(_ lines: [ReportLine], _ snapshot: Snapshot) {
    browser.commitLog?.isReading = false
    browser.commitLog?.seen = snapshot
    browser.commitLog?.add(lines)
    guard let log = browser.commitLog else { return }
    browser.updateDialog(ReportDialog.self) { dialog in
      if dialog.report.kind == .commits { dialog.update(log.lines, heading: log.heading) }
    }
    if browser.dialog == nil, message?.isError != true, let text = lines.first?.text {
      say("\(text); \(key(of: "baseline")) lists it")
    }
    follow()
  }
}

// MARK: - Of this run

extension Commits {
  /// Remembers a commit of this run.
  func noteOwn(_ number: Int, _ text: String, before: Snapshot?, after: Snapshot?) {
    var states: (before: Snapshot, after: Snapshot)?
    // Where somebody has committed since, the state behind it is gone.
    if let before, let after, after.commitNumber == number { states = (before, after) }
    browser.changes.committed.add(
      OwnCommits.Commit(
        number: number,
        time: browser.settings.clockTime(),
        text: text,
        states: states
      )
    )
  }

  /// Lets go of the states of commits that too many have followed.
  func forgetOld() {
    guard let newest = model.draftOwner.committed else { return }
    browser.changes.committed.forget(before: newest.commitNumber)
  }

  /// `:commits`: lists the commits of this run, with the cursor on the newest one or that of a number.
  func openOwn(at number: Int? = nil) {
    guard !browser.changes.committed.all.isEmpty else {
      return say("Nothing was committed in this run")
    }
    open(CommitsDialog(at: number, in: browser))
  }

  /// A commit that can be looked at and taken back; says why another one cannot.
  private func own(_ number: Int?) -> (number: Int, before: Snapshot, after: Snapshot)? {
    guard let last = browser.changes.committed.all.last else {
      showError("Nothing was committed in this run")
      return nil
    }
    guard let commit = number.map({ browser.changes.committed[$0] }) ?? last else {
      showError("Commit \(number ?? 0) is none of this run; \(key(of: "commits")) lists them")
      return nil
    }
    guard let states = commit.states else {
      showError("Commit \(commit.number) can no longer be taken back: other commits have followed")
      return nil
    }
    return (commit.number, states.before.copy(), states.after.copy())
  }

  /// Shows what a commit of this run has changed.
  func showChanges(of number: Int) {
    guard let (number, before, after) = own(number) else { return }
    Jobs(browser).launch("Reading commit \(number)", .reading(.report)) {
      context throws(DatabaseError) in
      try Self.changes(from: before, to: after, context)
    } finish: { browser, found in
      let heading = "Commit \(number): \(found.text)"
      var report = Report(kind: .difference, heading: heading, lines: found.lines)
      report.commit = number
      Reports(browser).show(report)
    }
  }

  /// `:take-back`: makes a draft that undoes a commit of this run, the last one without a number.
  func takeBack(_ number: Int? = nil) {
    guard let (number, before, after) = own(number) else { return }
    if let reason = browser.readOnlyReason { return showError(reason) }
    guard model.changeCount == 0 else {
      return showError("There are changes already; commit them or discard them first")
    }
    // Operations that cancel each other out are no change.
    if model.draftOwner.operationCount > 0 { model.draftOwner.discard() }
    guard let draft = model.draftOwner.lend() else { return }
    let database = model.database
    let title = "Taking back commit \(number)"
    Jobs(browser).launch(title, .change(canStop: true)) { context throws(DatabaseError) in
      let progress = QueryProgress(of: context)
      let records = try database.recordsTakingBack(from: before, to: after, progress: progress)
      try draft.restore(records, progress: progress)
      draft.leaveOutWhatIsDone()
      return records
    } finish: { browser, records in
      browser.model.draftOwner.takeBack(as: .restored(records))
      Commits(browser).sayTakenBack(number)
    } abandon: { browser in
      browser.model.draftOwner.takeBack(as: .noStep)
      browser.say("Commit \(number) was not taken back")
    }
  }

  private func sayTakenBack(_ number: Int) {
    let conflicts = model.draftOwner.conflicts.count
    let review = key(of: "review")
    if model.draftOwner.operationCount == 0 {
      return say("Nothing of commit \(number) is left to take back")
    }
    if conflicts > 0 {
      return showError(
        "Taken back in a draft, \(counted(conflicts, "conflict")); \(review) shows them"
      )
    }
    say(
      "The draft takes commit \(number) back; \(review) shows it, and \(key(of: "commit")) commits it"
    )
  }
}
