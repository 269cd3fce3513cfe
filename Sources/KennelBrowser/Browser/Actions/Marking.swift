internal import KennelCore

/// The marks of a table, for what is done with many objects at once.
struct Marking: BrowserPart {
  let browser: Browser

  var hasMarks: Bool {
    if case .table(let table) = view.main { !table.marks.isEmpty } else { false }
  }

  func toggle() {
    guard case .table(var table) = view.main, let cursor = table.cursor else { return }
    if table.marks.remove(cursor) == nil { table.marks.insert(cursor) }
    table.lastMark = cursor
    table.move(by: 1, in: model)
    view.main = .table(table)
    tell()
  }

  private func tell() {
    guard case .table(let table) = view.main else { return }
    say("\(counted(table.marks.count, "object")) marked; Esc clears the marks")
  }

  /// More than these are better deleted by a program than by hand.
  private static let mostMarked = 100_000

  /// `v`: everything between the last mark and the cursor, both included.
  func markRange() {
    guard case .table(var table) = view.main, isFound(table), let cursor = table.cursor else {
      return
    }
    let rows = table.rows(in: model)
    guard let start = table.lastMark, rows.contains(start),
      let one = rows.position(of: start), let other = rows.position(of: cursor)
    else {
      toggle()
      return
    }
    let count = abs(one - other) + 1
    guard count <= Self.mostMarked else {
      showError("\(count) objects are too many to mark")
      return
    }
    let first = one < other ? start : cursor
    table.marks.formUnion(rows.window(from: first, limit: count, hint: min(one, other)))
    table.lastMark = cursor
    view.main = .table(table)
    tell()
  }

  /// The keys of all rows, where they are few enough to be marked.
  private func allKeys(_ table: TableState) -> [ObjectKey]? {
    let rows = table.rows(in: model)
    guard rows.count <= Self.mostMarked else {
      showError("\(rows.count) objects are too many to mark; f filters them")
      return nil
    }
    return rows.window(from: nil, limit: rows.count)
  }

  func markAll() {
    guard case .table(var table) = view.main, isFound(table), let keys = allKeys(table) else {
      return
    }
    table.marks.formUnion(keys)
    view.main = .table(table)
    tell()
  }

  /// Whether the table shows what was asked for last; who typed ahead means what is not there yet.
  private func isFound(_ table: TableState) -> Bool {
    guard let pending = table.pending, pending != table.definition else { return true }
    showError(Self.notFoundYet)
    return false
  }

  static let notFoundYet = "Nothing is marked: the objects that were asked for are not found yet"

  func invert() {
    guard case .table(var table) = view.main, isFound(table), let keys = allKeys(table) else {
      return
    }
    table.marks = Set(keys).subtracting(table.marks)
    view.main = .table(table)
    tell()
  }
}
