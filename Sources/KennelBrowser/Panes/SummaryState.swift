internal import KennelCore

/// What a person sees of a table that a job computes, and where they are in it.
struct SummaryState {
  /// What is computed.
  enum Subject: Hashable {
    case groups(Grouping)
    case space
  }

  /// Tells the results of jobs which view asked for them.
  private(set) var id: Int
  private(set) var subject: Subject
  private(set) var table: SummaryTable?
  /// The order that was asked for last, which a job may still be at.
  var order: SummaryTable.Order?
  /// The generation of the data that was asked for last.
  var generation = -1
  var cursor = 0
  var top = 0
  var column = 1
  /// Where the columns on the screen begin.
  var starts: [Int] = []

  init(id: Int, _ subject: Subject) {
    self.id = id
    self.subject = subject
  }

  /// A copy with rows of its own, which are found again where a job is still at them.
  func separated(as id: Int) -> SummaryState {
    var copy = self
    copy.id = id
    copy.generation = -1
    return copy
  }

  /// The class whose objects are grouped, or that the cursor is on.
  var classKey: ClassKey {
    if case .groups(let grouping) = subject { return grouping.classKey }
    if case .table(let classKey)? = current?.target { return classKey }
    return ClassKey(rawValue: 0)
  }

  var rows: [SummaryTable.Row] { table?.rows ?? [] }

  var current: SummaryTable.Row? { rows.indices.contains(cursor) ? rows[cursor] : nil }

  /// Shows what a job found; the cursor stays on its row.
  mutating func take(_ found: SummaryTable) {
    let name = current?.cells.first
    table = found
    cursor = name.flatMap { name in rows.firstIndex { $0.cells.first == name } } ?? 0
  }

  /// Gives objects that a commit numbered their final keys.
  mutating func replace(_ keys: [ObjectIdentity: ObjectIdentity]) {
    if case .groups(var grouping) = subject {
      grouping.definition.replace(keys)
      subject = .groups(grouping)
    }
    // The values may be links to the objects.
    generation = -1
  }

  /// Forgets the rows, which are found again when the view comes back.
  mutating func forget() {
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

  mutating func moveColumn(by distance: Int) {
    column = min(max(0, column + distance), max(0, (table?.columns.count ?? 1) - 1))
  }
}
