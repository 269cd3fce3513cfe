internal import KennelCore

extension Context {
  /// Groups, or what takes space.
  static let summary = Context("summary", "groups")
}

/// A table that a job computes, such as groups, and where a person is in it.
struct SummaryView: View {
  enum Topic: Hashable {
    case groups(Grouping)
    case space
  }

  /// Tells the results of jobs which view asked for them.
  private(set) var id: Int
  private(set) var topic: Topic
  private(set) var table: SummaryTable?
  /// The order that was asked for last, which a job may still be at.
  var order: SummaryTable.Order?
  /// The generation of the data that was asked for last.
  var generation = -1
  var cursor = 0
  var top = 0
  var column = 1

  /// A copy has rows of its own, which are found again where a job is still at them.
  mutating func separate(as id: Int) {
    self.id = id
    generation = -1
  }

  /// The class whose objects are grouped, or that the cursor is on.
  var classKey: ClassKey {
    if case .groups(let grouping) = topic { return grouping.classKey }
    if case .table(let classKey)? = current?.target { return classKey }
    return ClassKey(rawValue: 0)
  }

  var rows: [SummaryTable.Row] { table?.rows ?? [] }

  var current: SummaryTable.Row? { rows.indices.contains(cursor) ? rows[cursor] : nil }

  /// Shows what a job found; the cursor stays on its row.
  mutating func show(_ found: SummaryTable) {
    let name = current?.cells.first
    table = found
    cursor = name.flatMap { name in rows.firstIndex { $0.cells.first == name } } ?? 0
  }

  /// Gives objects that a commit numbered their final keys.
  mutating func replace(_ keys: [ObjectIdentity: ObjectIdentity]) {
    if case .groups(var grouping) = topic {
      grouping.definition.replace(keys)
      topic = .groups(grouping)
    }
    // The values may be links to the objects.
    generation = -1
  }

  /// More rows are found again when the view comes back.
  private static let mostKept = 1_000

  mutating func forgetLargeResult() {
    guard rows.count > Self.mostKept else { return }
    table = nil
    generation = -1
  }

  /// The order by the column of the cursor; the other direction where it is the order already.
  var nextOrder: SummaryTable.Order? {
    guard let table else { return nil }
    let isNumber = table.columns[column].format != .value
    let last = order ?? table.order
    return (column, last.column == column ? !last.isAscending : !isNumber)
  }

  mutating func move(to index: Int) {
    cursor = min(max(0, index), max(0, rows.count - 1))
  }

  mutating func moveAcross(by distance: Int, in browser: Browser) {
    column = min(max(0, column + distance), max(0, (table?.columns.count ?? 1) - 1))
  }
}

// MARK: - What it is about

extension SummaryView {
  var context: Context { .summary }
  var content: AnyHashable { topic }
  var word: String { "groups" }
  var jobID: Int? { id }

  func name(in model: BrowserModel) -> String {
    topic == .space ? "space" : model.name(of: classKey)
  }

  var copiedText: String? {
    guard let row = current, let table else { return nil }
    return SummaryTable.text(row.cells[column], table.columns[column].format)
  }
}

// MARK: - Keys

extension SummaryView {
  mutating func move(_ movement: Movement, in browser: Browser) {
    move(to: movement.target(from: cursor, count: rows.count))
  }

  func open(in browser: Browser) { Summaries(browser).openRow(of: self) }

  func openLabel(in browser: Browser) -> String? {
    switch current?.target {
    case .group: "show the objects"
    case .table(let classKey): "open \(browser.model.name(of: classKey))"
    case nil: nil
    }
  }

  func hints(in browser: Browser) -> [String] { ["open", "sort", "group", "back", "find", "copy"] }

  func sort(in browser: Browser) { Summaries(browser).sort() }

  func renew(in browser: Browser) { Summaries(browser).renew() }

  mutating func find(_ pattern: SearchPattern, isForward: Bool, in browser: Browser) {
    guard let table else { return browser.showError(pattern.notFound) }
    let cursor = cursor
    Searching(browser).find(pattern, in: self) { _, context throws(DatabaseError) in
      guard let row = table.row(with: pattern, after: cursor, isForward, context) else {
        return nil
      }
      let hasWrapped = isForward ? row <= cursor : row >= cursor
      return FoundPlace(key: ObjectKey(rawValue: 0), index: row, hasWrapped: hasWrapped)
    }
  }

  mutating func takePlace(of former: any View, in browser: Browser) {
    guard let former = former as? Self else { return }
    (cursor, top, column) = (former.cursor, former.top, former.column)
  }

  mutating func show(_ place: FoundPlace, in browser: Browser) {
    if let index = place.index { move(to: index) }
  }

  mutating func click(row: Int, column: Int, in frame: PaneFrame) -> Click {
    let header = headerRows(in: frame)
    guard row >= header, rows.indices.contains(top + row - header) else { return .nothing }
    move(to: top + row - header)
    let starts = table.map { SummaryDrawing(pane: frame).starts(of: $0, cursor: self.column) }
    if let column = starts?.lastIndex(where: { $0 <= column }) { self.column = column }
    return .line
  }
}

// MARK: - The screen

extension SummaryView {
  func headerRows(in frame: PaneFrame) -> Int { frame.headerRows }

  mutating func scroll(linesAboveCursor count: Int, in browser: Browser) {
    top = max(0, cursor - count)
  }

  mutating func scroll(in frame: PaneFrame) {
    guard let table else { return }
    let shown = max(0, frame.rows - frame.headerRows)
    top = PaneFrame.scroll(top, cursor: cursor, count: table.rows.count, rows: shown)
  }

  func draw(_ frame: PaneFrame, on screen: inout Screen) -> Rectangle? {
    var title = "Space"
    if case .groups(let grouping) = topic {
      title = "\(grouping.definition.title(in: frame.model)) by \(grouping.path)"
    }
    SummaryDrawing(pane: frame).draw(self, title, on: &screen)
    return nil
  }
}
