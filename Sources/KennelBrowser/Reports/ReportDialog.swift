internal import KennelCore
internal import KennelReports

/// A report: Enter opens what the line of the cursor is about.
struct ReportDialog: Dialog {
  static let title = "Reading statistics, findings, differences and commits"
  static let keys = [
    Hint("Enter", "open"), Hint("j", "down"), Hint("k", "up"),
    Hint("b", "begin again, where commits are listed"), Hint("Esc", "back"),
  ]

  private(set) var report: Report

  func hints(in browser: Browser) -> [Hint] {
    var hints = [Hint("j", "down"), Hint("k", "up"), Hint("Esc", "back")]
    if let label = label(in: browser) { hints.insert(Hint("Enter", label), at: 0) }
    if report.kind == .commits { hints.insert(Hint("b", "begin again"), at: hints.count - 1) }
    return hints
  }

  private func label(in browser: Browser) -> String? {
    switch report.line?.target {
    case .query(let classKey, _)?:
      "show these \(browser.model.name(of: classKey)) objects"
    case .object(let object)?: "open \(browser.model.text(object))"
    case nil: nil
    }
  }

  /// Shows more lines; a cursor on the last one stays on the last one.
  mutating func update(_ lines: [ReportLine], heading: String) {
    let isAtEnd = report.index >= report.lines.count - 1
    report.lines = lines
    report.heading = heading
    report.index = isAtEnd ? max(0, lines.count - 1) : min(report.index, max(0, lines.count - 1))
  }

  mutating func handle(_ key: Key, in browser: Browser) -> DialogState {
    if key.code == .enter { return open(in: browser) }
    if key.typed == "q" { return cancel(in: browser) }
    if report.kind == .commits, key.typed == "b" {
      Commits(browser).begin()
      return .closed
    }
    if !Self.move(&report.index, among: report.lines.count, by: key, in: browser) {
      browser.showError("Enter opens the line, Esc goes back")
    }
    return .open
  }

  mutating func cancel(in browser: Browser) -> DialogState {
    browser.report = report
    if let commit = report.commit { Commits(browser).openOwn(at: commit) }
    return .closed
  }

  private func open(in browser: Browser) -> DialogState {
    guard let target = report.line?.target else {
      browser.showError(
        report.line?.role == .deleted
          ? "The object does not exist here" : "This line opens nothing; j goes on"
      )
      return .open
    }
    Reports(browser).open(target, of: report)
    return .closed
  }

  func draw(_ frame: DialogFrame, on screen: inout Screen) {
    let count = report.lines.count
    let top = PaneFrame.scroll(0, cursor: report.index, count: count, rows: frame.rows)
    let lines = report.lines.indices.dropFirst(top).prefix(frame.rows).map { index in
      frame.line(
        report.lines[index].text,
        style: frame.theme.style(of: report.lines[index].role),
        isCursor: index == report.index
      )
    }
    frame.drawBox(report.heading, lines, on: &screen)
  }
}
