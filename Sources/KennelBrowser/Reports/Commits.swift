internal import KennelCore
internal import KennelReports

/// Lists what other programs commit.
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
    browser.dialog = ReportDialog(report)
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

  /// Remembers a commit of this program, which is not listed.
  func noteOwn(_ number: Int) {
    browser.commitLog?.own.insert(number)
  }

  /// Compares the commits that were not looked at, beside the screen.
  func follow() {
    guard let log = browser.commitLog, !log.isReading, let committed = model.draftOwner.committed,
      committed.commitNumber > log.seen.commitNumber
    else { return }
    let (old, new) = (log.seen.copy(), committed.copy())
    let numbers = old.commitNumber + 1...new.commitNumber
    let own = numbers.filter(log.own.contains)
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
      try Self.lines(from: old, to: new, title + note, context)
    } finish: { browser, lines in
      Commits(browser).receive(lines, new)
    } abandon: { browser in
      Commits(browser).receive([ReportLine("\(title): not read", .heading)], new)
    }
  }

  private static func lines(
    from old: Snapshot,
    to new: Snapshot,
    _ title: String,
    _ context: JobContext
  ) throws(DatabaseError) -> [ReportLine] {
    var lines: [ReportLine] = []
    var counts = ChangeCounts()
    let progress = QueryProgress(of: context)
    try CommitChanges.report(from: old, to: new, progress: progress) { change in
      counts.add(change)
      if counts.total <= CommitLog.mostObjects { lines += change.lines }
    }
    let rest = counts.total - CommitLog.mostObjects
    if rest > 0 { lines.append(ReportLine("  … and \(rest) more objects", .note)) }
    return [ReportLine("\(title): \(counts.text)", .heading)] + lines
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
