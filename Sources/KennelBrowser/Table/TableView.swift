internal import KennelCore

extension Context {
  static let table = Context("table", "a table")
}

/// Objects as rows, properties as columns, and where a person is in them; all of it comes back with
/// the history.
struct TableView: View {
  /// Tells the results of jobs which table asked for them.
  private(set) var id: Int
  var definition: TableDefinition { didSet { place = nil } }
  /// The rows that a job found; `nil` where the table is plain, or where nothing was found yet.
  var result: ResultKeys? { didSet { place = nil } }
  /// The definition that a job is at, which replaces ``definition`` when the job is done.
  var pending: TableDefinition?

  /// The object that the cursor is on.
  var cursor: ObjectKey?
  /// The column that the cursor is on.
  var column = Column.key { didSet { revealed = nil } }
  /// The last of the columns that were just added, which is seen until the cursor goes elsewhere.
  var revealed: Column?
  /// The object of the first row on the screen.
  var top: ObjectKey?
  /// The first column on the screen after the key, or the key where that is the first one.
  var firstColumn = Column.key
  /// The columns on the screen.
  private(set) var placement: ColumnPlacement?
  /// How many rows come before the cursor, for the title.
  private(set) var position: Int?
  /// The marked objects among the rows: what keys act on.
  var marks: Set<ObjectKey> = []
  /// The marked objects that the filter hides; no key acts on them before they are shown again.
  var hiddenMarks: Set<ObjectKey> = []
  /// The range that is being marked.
  var range: MarkedRange?
  /// Where the cursor was at the last look: a hint for finding it, and a place to stay near when
  /// its object is gone.
  var cursorHint = 0
  var topHint = 0
  /// How many rows come before the cursor, where that is known.
  private var place: Place?

  private struct Place {
    var key: ObjectKey
    var index: Int
    var generation: Int
  }

  init(id: Int, definition: TableDefinition) {
    self.id = id
    self.definition = definition
  }

  /// A table whose cursor is on its first row, where the rows need not be found.
  init(of definition: TableDefinition, in browser: Browser) {
    self.init(id: browser.newNumber(), definition: definition)
    if definition.isPlain { moveToStart(in: browser.model) }
  }

  /// A copy has rows of its own: those that were asked for last, found or still to be found.
  mutating func separate(as id: Int) {
    self.id = id
    if let pending, pending != definition {
      definition = pending
      result = nil
    }
    pending = nil
  }

  /// Results longer than this are found again when their view comes back, rather than kept.
  private static let largestKeptResult = 100_000

  mutating func forgetLargeResult() {
    if result?.keys.count ?? 0 > Self.largestKeptResult { result = nil }
  }

  var classKey: ClassKey { definition.classKey }

  /// The definition that was asked for last.
  var wanted: TableDefinition { pending ?? definition }

  var object: ObjectIdentity? { cursor.map { ObjectIdentity(classKey, $0) } }

  func rows(in model: BrowserModel) -> Rows {
    // A table that is not plain shows nothing until something was found.
    let shown = definition.isPlain ? nil : result ?? ResultKeys([], generation: -1)
    return Rows(model: model, classKey: classKey, result: shown)
  }

  /// The rows that keys act on: all of the class, or some.
  enum Selection {
    case all
    case keys([ObjectKey])

    /// `nil` where they are all of the class.
    var keys: [ObjectKey]? {
      if case .keys(let keys) = self { keys } else { nil }
    }
  }

  /// The rows that are shown; `nil` where the person, who typed ahead, means others.
  var selection: Selection? {
    if let pending, pending != definition { return nil }
    if definition.isPlain { return .all }
    return result.map { .keys($0.keys) }
  }

  static let notFoundYet = "The objects that were asked for are not found yet; nothing is done"

  /// The columns after the key.
  func columns(in model: BrowserModel) -> [Column] {
    (model.looks[classKey] ?? TableLook()).columns(of: classKey, in: model.schema)
  }
}

// MARK: - Moving

extension TableView {
  mutating func move(by distance: Int, in model: BrowserModel) {
    let rows = rows(in: model)
    guard let cursor else {
      self.cursor = rows.window(from: nil, limit: 1).first
      return
    }
    guard let (key, moved) = rows.step(distance, from: cursor, hint: cursorHint) else { return }
    self.cursor = key
    cursorHint = max(0, cursorHint + moved)
    if let place, place.key == cursor, place.generation == model.generation {
      self.place = Place(key: key, index: place.index + moved, generation: place.generation)
    }
  }

  mutating func moveToStart(in model: BrowserModel) {
    cursor = rows(in: model).window(from: nil, limit: 1).first
    cursorHint = 0
    top = cursor
    topHint = 0
    place = cursor.map { Place(key: $0, index: 0, generation: model.generation) }
  }

  mutating func moveToEnd(in model: BrowserModel) {
    let rows = rows(in: model)
    cursor = rows.before(nil, limit: 1).first
    cursorHint = max(0, rows.count - 1)
    place = cursor.map { Place(key: $0, index: cursorHint, generation: model.generation) }
  }

  /// Scrolls so that so many rows are above the cursor, as far as there are.
  mutating func scroll(linesAboveCursor count: Int, in browser: Browser) {
    guard let cursor else { return }
    let above = rows(in: browser.model).before(cursor, limit: count, hint: cursorHint)
    top = above.last ?? cursor
    topHint = max(0, cursorHint - above.count)
  }

  /// In a draft of a class that lost objects, counting up to an object costs a look at each cluster
  /// before it; beyond so many objects, only a position that is known from moving is shown.
  private static let mostCounted = 20_000_000

  /// How many rows come before the cursor; `nil` where finding out would take too long.
  private mutating func findPosition(in model: BrowserModel) -> Int? {
    guard let cursor else { return nil }
    if let place, place.key == cursor, place.generation == model.generation { return place.index }
    let rows = rows(in: model)
    guard !definition.isPlain || rows.count <= Self.mostCounted else { return nil }
    guard let index = rows.position(of: cursor, hint: cursorHint) else { return nil }
    place = Place(key: cursor, index: index, generation: model.generation)
    return index
  }

  /// Puts the cursor on an object that exists, near where it was; what happened to its object.
  mutating func findCursor(in model: BrowserModel) -> ObjectKey? {
    let rows = rows(in: model)
    guard let cursor else {
      self.cursor = rows.window(from: nil, limit: 1).first
      cursorHint = 0
      return nil
    }
    if rows.contains(cursor, hint: cursorHint), model.contains(ObjectIdentity(classKey, cursor)) {
      return nil
    }
    if definition.isPlain {
      self.cursor =
        rows.window(from: cursor, limit: 1).first ?? rows.before(cursor, limit: 1).first
    } else if let keys = result?.keys {
      // The result is renewed beside the screen; until then the row stays and says that it is gone.
      if rows.contains(cursor, hint: cursorHint) { return nil }
      self.cursor = keys.isEmpty ? nil : keys[min(cursorHint, keys.count - 1)]
    }
    return model.contains(ObjectIdentity(classKey, cursor)) ? nil : cursor
  }

  /// The keys of the rows on the screen.
  func visibleKeys(in frame: PaneFrame) -> [ObjectKey] {
    let count = frame.rows - frame.headerRows
    return count > 0 ? rows(in: frame.model).window(from: top, limit: count, hint: topHint) : []
  }

  mutating func scroll(in frame: PaneFrame) {
    let model = frame.model
    position = definition.isPlain || result != nil ? findPosition(in: model) : nil
    let keys = scrollRows(in: model, count: frame.rows - frame.headerRows)
    let placement = TableDrawing(pane: frame).place(self, keys)
    firstColumn = placement.firstColumn
    self.placement = placement
  }

  /// Scrolls so that the cursor is among the rows on the screen; the keys of those.
  private mutating func scrollRows(in model: BrowserModel, count: Int) -> [ObjectKey] {
    let rows = rows(in: model)
    guard count > 0 else { return [] }
    var keys = rows.window(from: top, limit: count, hint: topHint)
    if let cursor, !keys.contains(cursor) {
      keys = scrolled(to: cursor, rows, count: count, shown: keys)
    }
    if keys.count < count, let first = keys.first {
      let missing = rows.before(first, limit: count - keys.count, hint: topHint)
      keys = missing.reversed() + keys
    }
    top = keys.first
    if let cursor, let index = keys.firstIndex(of: cursor) {
      if definition.isPlain {
        topHint = 0
      } else {
        cursorHint = rows.position(of: cursor, hint: cursorHint) ?? cursorHint
        topHint = max(0, cursorHint - index)
      }
    }
    return keys
  }

  /// The least scrolling that shows the cursor.
  private func scrolled(
    to cursor: ObjectKey,
    _ rows: Rows,
    count: Int,
    shown: [ObjectKey]
  ) -> [ObjectKey] {
    // Near below the last row: scroll so that the cursor is the last one.
    let above = rows.before(cursor, limit: count - 1, hint: cursorHint)
    if let last = shown.last, above.contains(last) || isAfter(last, cursor, rows) {
      return above.reversed() + [cursor]
    }
    return rows.window(from: cursor, limit: count, hint: cursorHint)
  }

  private func isAfter(_ last: ObjectKey, _ cursor: ObjectKey, _ rows: Rows) -> Bool {
    if definition.isPlain { return cursor > last }
    guard let one = rows.position(of: last, hint: topHint),
      let other = rows.position(of: cursor, hint: cursorHint)
    else { return false }
    return other > one
  }
}

// MARK: - Marks

/// A range that is being marked: from where it began to the cursor.
struct MarkedRange {
  var start: ObjectKey
  /// The marks from before.
  var others: Set<ObjectKey>
}

extension TableView {
  /// More than these are better changed by a program than by hand.
  static let mostMarked = 100_000

  /// Takes the marks off every object.
  mutating func clearMarks() {
    marks = []
    hiddenMarks = []
    range = nil
  }

  /// Tells the marked objects that are shown from those that a filter hides.
  ///
  /// - Parameter keys: The rows; `nil` where every object is shown.
  mutating func sortMarks(among keys: [ObjectKey]?) {
    let all = marks.union(hiddenMarks)
    guard !all.isEmpty else { return }
    marks = keys.map { all.intersection($0) } ?? all
    hiddenMarks = all.subtracting(marks)
    range = nil
  }

  /// Marks from the start of the range to the cursor, both included; `nil` if all is well, else how
  /// many objects were too many.
  mutating func extendRange(in model: BrowserModel) -> Int? {
    guard let range, let cursor else { return nil }
    let rows = rows(in: model)
    guard let one = rows.position(of: range.start), let other = rows.position(of: cursor) else {
      self.range = nil
      return nil
    }
    let count = abs(one - other) + 1
    guard count <= Self.mostMarked else { return count }
    let first = one < other ? range.start : cursor
    marks = range.others.union(rows.window(from: first, limit: count, hint: min(one, other)))
    return nil
  }
}

// MARK: - Results

extension TableView {
  /// Shows what a job found.
  mutating func show(_ result: ResultKeys, for definition: TableDefinition, in model: BrowserModel)
  {
    pending = nil
    let isOther = definition != self.definition
    self.definition = definition
    self.result = result
    sortMarks(among: result.keys)
    guard let cursor else {
      self.cursor = result.keys.first
      return
    }
    let rows = rows(in: model)
    if rows.contains(cursor, hint: cursorHint) {
      cursorHint = rows.position(of: cursor, hint: cursorHint) ?? 0
    } else if isOther {
      self.cursor = result.keys.first
      cursorHint = 0
    }
    if let top, !rows.contains(top, hint: topHint) { self.top = nil }
  }
}
