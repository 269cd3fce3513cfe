internal import KennelCore
internal import KennelReports

/// Looks for what is wrong in the file, and compares it with another one.
struct Reports: BrowserPart {
  let browser: Browser

  /// So many objects of one finding are listed.
  private static let mostObjects = 20
  /// So many differences are listed.
  private static let mostChanges = 10_000

  // MARK: - The doctor

  /// `:doctor`: looks for objects that a program probably did not mean.
  func examine() {
    Jobs(browser).launch("Examining the file", .reading(.report)) {
      (snapshot: Snapshot, context) throws(DatabaseError) -> (count: Int, lines: [ReportLine]) in
      var count = 0
      var lines: [ReportLine] = []
      let progress = QueryProgress(of: context)
      try Doctor.examine(snapshot, progress: progress) { finding throws(DatabaseError) in
        count += 1
        lines += Self.lines(of: finding, in: snapshot)
      }
      return (count, lines)
    } finish: { browser, found in
      let (count, lines) = found
      guard count > 0 else {
        return browser.say("Nothing found: no orphans, islands, duplicates or wrong backlinks")
      }
      let heading = "The doctor has \(counted(count, "finding"))"
      Reports(browser).show(Report(kind: .doctor, heading: heading, lines: lines))
    }
  }

  private static func lines(of finding: DoctorFinding, in snapshot: Snapshot) -> [ReportLine] {
    let query = finding.query.map { ReportLine.Target.query(finding.classKey, $0) }
    var lines = [ReportLine(finding.message, .heading, opening: query)]
    let texts = SnapshotTexts(snapshot) { snapshot, object in
      (try? snapshot.shownPath(of: object)) ?? snapshot.describe(object)
    }
    for object in finding.objects.prefix(mostObjects) {
      lines.append(ReportLine("    \(texts.label(object))", opening: .object(object)))
    }
    let rest = finding.count - mostObjects
    if rest > 0 { lines.append(ReportLine("    … and \(rest) more", .note, opening: query)) }
    return lines
  }

  // MARK: - Differences

  /// Compares an older file with what is shown.
  func compare(with path: String) {
    Jobs(browser).launch("Comparing with \(path)", .reading(.report)) {
      (snapshot: Snapshot, context) throws(DatabaseError) -> (ChangeCounts, [ReportLine]) in
      let other = try Database.open(
        path,
        configuration: .init(access: .readOnly, createsIfMissing: false)
      )
      var counts = ChangeCounts()
      var lines: [ReportLine] = []
      let progress = QueryProgress(of: context)
      try FileDifference.compare(other.snapshot(), snapshot, progress: progress) { change in
        counts.add(change)
        if counts.total <= Self.mostChanges { lines += change.lines }
      }
      let rest = counts.total - Self.mostChanges
      if rest > 0 { lines.append(ReportLine("  … and \(rest) more", .note)) }
      return (counts, lines)
    } finish: { browser, found in
      let (counts, lines) = found
      guard counts.total > 0 else { return browser.say("No difference from \(path)") }
      let heading = "\(counts.text), from \(path) to this file"
      Reports(browser).show(Report(kind: .difference, heading: heading, lines: lines))
    }
  }

  // MARK: - Showing

  /// Shows a report, unless the person is typing into something else.
  func show(_ report: Report) {
    guard browser.dialog == nil else {
      browser.report = report
      return say("\(report.heading); \(key(of: "report")) shows it")
    }
    browser.dialog = ReportDialog(report: report)
  }

  /// `:report`: shows the last report again.
  func showLast() {
    guard let report = browser.report else {
      return say(
        "There is no report yet; \(key(of: "doctor")), \(key(of: "diff")) FILE, \(key(of: "statistics")) and "
          + "\(key(of: "baseline")) make one"
      )
    }
    reopen(report)
  }

  /// Shows the report again from which a person came to the view that was left.
  func showLeft() {
    guard let report = entry.report else { return }
    entry.report = nil
    reopen(report)
  }

  /// Commits have gone on meanwhile.
  private func reopen(_ report: Report) {
    if report.kind == .commits {
      Commits(browser).open()
    } else {
      browser.dialog = ReportDialog(report: report)
    }
  }

  /// Opens what the line of the cursor is about; going back shows the report again.
  func open(_ target: ReportLine.Target, of report: Report) {
    browser.report = report
    switch target {
    case .query(let classKey, let query):
      if report.kind == .statistics, browser.table?.classKey == classKey {
        return TableActions(browser).addFilter(query)
      }
      entry.report = report
      Navigation(browser).goToTable(TableDefinition(classKey: classKey, filter: query))
    case .object(let object):
      guard model.contains(object) else {
        return showError("\(model.text(object)) no longer exists")
      }
      entry.report = report
      Navigation(browser).goToObject(object, step: "report")
    }
  }
}
