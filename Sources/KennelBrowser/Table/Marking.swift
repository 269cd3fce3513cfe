internal import KennelCore
internal import KennelReports

/// The marks of a table, for what is done with many objects at once.
///
/// A key that acts on an object acts on all marked ones where some are marked. Objects that a filter
/// hides are not among them.
struct Marking: BrowserPart {
  let browser: Browser

  var hasMarks: Bool {
    guard let table = browser.table else { return false }
    return !table.marks.isEmpty || !table.hiddenMarks.isEmpty
  }

  func toggle() {
    guard let cursor = browser.table?.cursor else { return }
    mark { table in
      if table.marks.remove(cursor) == nil { table.marks.insert(cursor) }
      table.move(by: 1, in: model)
    }
  }

  /// Changes the marks, ends the range, and says how many are marked.
  private func mark(_ change: (inout TableView) -> Void) {
    updateTable { table in
      change(&table)
      table.range = nil
    }
    sayMarkCount()
  }

  private func sayMarkCount() {
    guard let table = browser.table else { return }
    if table.marks.isEmpty { return say("Nothing is marked") }
    say("\(counted(table.marks.count, "object")) marked; \(key(of: "cancel")) clears the marks")
  }

  func clear() {
    updateTable { $0.clearMarks() }
    say("Nothing is marked")
  }

  // MARK: - Ranges

  /// `v`: begins a range, which grows with the cursor; ends it, where one was begun.
  func markRange() {
    guard var table = browser.table, isFound(table), let cursor = table.cursor else { return }
    if table.range != nil {
      table.range = nil
      entry.main = table
      return sayMarkCount()
    }
    table.range = MarkedRange(start: cursor, others: table.marks)
    entry.main = table
    browser.update(.main) { $0.move(.lines(0), in: browser) }
  }

  fileprivate func showTooMany(_ count: Int) {
    showError(
      "\(count) objects are too many to mark, up to \(TableView.mostMarked) can be; "
        + "\(key(of: "filter")) filters them"
    )
  }

  // MARK: - Many

  /// The keys of all rows, where they are found and few enough to be marked.
  private var allKeys: [ObjectKey]? {
    guard let table = browser.table, isFound(table) else { return nil }
    let rows = table.rows(in: model)
    guard rows.count <= TableView.mostMarked else {
      showTooMany(rows.count)
      return nil
    }
    return rows.window(from: nil, limit: rows.count)
  }

  func markAll() {
    guard let keys = allKeys else { return }
    mark { $0.marks.formUnion(keys) }
  }

  func invert() {
    guard let keys = allKeys else { return }
    mark { $0.marks = Set(keys).subtracting($0.marks) }
  }

  /// Whether the table shows what was asked for last; who typed ahead means what is not there yet.
  private func isFound(_ table: TableView) -> Bool {
    if table.selection != nil { return true }
    showError(TableView.notFoundYet)
    return false
  }

  // MARK: - Hidden marks

  /// Asks what becomes of marks that a filter has just hidden.
  func askAboutHidden() {
    guard let table = browser.table, !table.hiddenMarks.isEmpty else { return }
    let (hidden, all) = (table.hiddenMarks.count, table.marks.count + table.hiddenMarks.count)
    guard browser.dialog == nil else {
      return say("\(hidden) of \(counted(all, "marked object")) are hidden; no key acts on them")
    }
    open(
      MenuDialog(
        "The filter hides \(hidden) of \(counted(all, "marked object"))",
        [
          .init("u", "unmark them") { browser in
            browser.updateMain { (table: inout TableView) in table.hiddenMarks = [] }
          },
          .init("m", "leave them marked; no key acts on them until they are shown") {
            _ in
          },
        ]
      )
    )
  }
}

extension TableView {
  /// Marks what the cursor has come past.
  mutating func extendRange(in browser: Browser) {
    if let tooMany = extendRange(in: browser.model) { return Marking(browser).showTooMany(tooMany) }
    browser.say(
      "\(counted(marks.count, "object")) marked; \(browser.key(of: "mark-range")) ends the "
        + "range, \(browser.key(of: "cancel")) clears the marks"
    )
  }
}

extension Browser {
  /// The marked objects that the table of the main pane shows, in the order of their keys; empty where
  /// nothing is marked or the focus is elsewhere.
  var markedObjects: [ObjectIdentity] {
    guard entry.focus == .main, let table else { return [] }
    return table.marks.sorted().map { ObjectIdentity(table.classKey, $0) }.filter(model.contains)
  }

  /// The place that a key edits: the property of the marked objects, else that of the cursor.
  var editedSpot: Spot? {
    guard var spot else { return nil }
    let marked = markedObjects
    guard spot.element == nil, let first = marked.first else { return spot }
    if !marked.contains(spot.object) { spot.object = first }
    spot.marked = marked
    return spot
  }
}
