internal import KennelCore

/// Objects as rows, properties as columns; only what is on the screen is read.
///
/// The row of the cursor begins with `>`, the property of the cursor stands in brackets in the
/// header; `+` and `~` mark what the draft creates and changes, `*` what is marked.
struct TableView {
  let pane: PaneView
  let title: String
  let counts: String

  /// Before the key: the cursor, the mark, the change.
  private static let signs = 3

  /// Where the cell of the cursor is.
  private(set) var cursorCell: Rectangle?

  init(pane: PaneView, title: String, counts: String) {
    self.pane = pane
    self.title = title
    self.counts = counts
  }

  /// A pane that is too low shows its objects rather than the names of their properties.
  static func headerRows(in pane: PaneView) -> Int { pane.rows >= 2 ? 1 : 0 }

  /// A column on the screen.
  private struct Placed {
    let column: Column
    let width: Int
    let start: Int
  }

  mutating func draw(_ table: inout TableState, on screen: inout Screen) {
    pane.drawTitle(title, counts: counts, on: &screen)
    let header = Self.headerRows(in: pane)
    let rows = max(0, pane.rows - header)
    let keys = table.visibleKeys(in: pane.model, count: rows)
    let columns = table.columns(in: pane.model.schema)
    var texts: [Column: [ShownValue]] = [:]
    let view = ValueView(model: pane.model, theme: pane.theme)
    let objects = keys.map { ObjectIdentity(table.classKey, $0) }
    let exists = objects.map { pane.model.contains($0) }
    func values(_ column: Column) -> [ShownValue] {
      if let known = texts[column] { return known }
      let values = zip(objects, exists).map { object, exists in
        exists ? column.show(object, view) : ShownValue(text: "", style: pane.theme.null)
      }
      texts[column] = values
      return values
    }
    let keyWidth = keys.map { pane.model.text($0).count }.max() ?? 1
    let width = max(keyWidth, Column.key.widths.lowerBound)
    let placed = place(columns, &table, keyWidth: width, values)
    table.shownColumns = placed.map { ($0.column, $0.start) }
    if header > 0 { drawHeader(table, placed, keyWidth: width, on: &screen) }
    let first = pane.firstRow + header
    for (index, key) in keys.enumerated() {
      let isCursor = key == table.cursor
      drawRow(
        key,
        table,
        placed.map { ($0, values($0.column)[index]) },
        row: first + index,
        keyWidth: width,
        exists: exists[index],
        isCursor: isCursor,
        on: &screen
      )
    }
    if keys.isEmpty {
      let isBare = pane.model.schema.classes.isEmpty
      let nothing =
        isBare ? "no classes yet: a program or ‘kennel import’ creates some" : "no objects"
      let text = table.pending != nil ? "…" : nothing
      screen.put(
        "   \(text)",
        row: first,
        column: pane.rectangle.column,
        width: pane.rectangle.columns,
        style: pane.theme.null
      )
    }
  }

  /// Chooses the columns that are seen, with their widths, so that the cursor's is among them.
  private func place(
    _ columns: [Column],
    _ table: inout TableState,
    keyWidth: Int,
    _ values: (Column) -> [ShownValue]
  ) -> [Placed] {
    let room = pane.rectangle.columns
    let start = Self.signs + keyWidth + 2
    func width(_ column: Column) -> Int {
      if let width = table.widths[column] { return width }
      let widest = column.widths.upperBound
      let orders = table.definition.orders
      var width = TextWidth.width(of: name(of: column, table), upTo: widest)
      if orders.contains(where: { $0.column == column }) { width += orders.count > 1 ? 2 : 1 }
      for value in values(column) {
        width = max(width, TextWidth.width(of: value.text, upTo: widest))
      }
      return min(widest, max(column.widths.lowerBound, width))
    }
    let cursor = columns.firstIndex(of: table.column)
    var first = columns.firstIndex(of: table.firstColumn) ?? 0
    if cursor == nil || fit(columns, room - start, width) { first = 0 }
    if let cursor, cursor < first { first = cursor }
    while true {
      var placed: [Placed] = []
      var end = start
      for column in columns[min(first, columns.count)...] {
        let wanted = width(column)
        let left = room - end - 1
        guard left >= column.widths.lowerBound || placed.isEmpty else { break }
        placed.append(Placed(column: column, width: max(0, min(wanted, left)), start: end))
        end += wanted + 2
        if end >= room { break }
      }
      let seen = placed.last.map { last in
        last.width >= min(last.column.widths.lowerBound * 2, width(last.column))
      }
      if let cursor, first < cursor,
        first + placed.count <= cursor || (first + placed.count - 1 == cursor && seen == false)
      {
        first += 1
        continue
      }
      table.firstColumn = columns.isEmpty ? .key : columns[min(first, columns.count - 1)]
      return spread(placed, room: room, values)
    }
  }

  /// Whether all columns fit; looks at no more of them than there is room for.
  private func fit(
    _ columns: [Column],
    _ room: Int,
    _ width: (Column) -> Int
  ) -> Bool {
    var left = room
    for column in columns {
      left -= width(column) + 2
      if left < -1 { return false }
    }
    return true
  }

  /// Gives the room that is left to the columns whose values are cut.
  private func spread(
    _ columns: [Placed],
    room: Int,
    _ values: (Column) -> [ShownValue]
  ) -> [Placed] {
    guard let last = columns.last else { return columns }
    var left = room - 1 - (last.start + last.width)
    var shift = 0
    return columns.map { column in
      var width = column.width
      if left > 0 {
        let widest = values(column.column).map {
          TextWidth.width(of: $0.text, upTo: width + left)
        }
        let more = min(left, max(0, (widest.max() ?? 0) - width))
        width += more
        left -= more
      }
      defer { shift += width - column.width }
      return Placed(column: column.column, width: width, start: column.start + shift)
    }
  }

  private func name(of column: Column, _ table: TableState) -> String {
    column.name(in: table.classKey, pane.model.schema)
  }

  private func drawHeader(
    _ table: TableState,
    _ columns: [Placed],
    keyWidth: Int,
    on screen: inout Screen
  ) {
    let row = pane.firstRow
    let left = pane.rectangle.column
    screen.put(
      "",
      row: row,
      column: left,
      width: pane.rectangle.columns,
      style: pane.theme.header
    )
    let keyName = name(of: .key, table)
    let key = table.column == .key ? "[\(keyName)]" : " \(keyName)"
    screen.put(
      key,
      row: row,
      column: left + Self.signs - 1,
      width: max(5, keyWidth + 2),
      style: pane.theme.header
    )
    for column in columns {
      let isCursor = column.column == table.column
      var name = name(of: column.column, table)
      if let place = table.definition.orders.firstIndex(where: { $0.column == column.column }) {
        let order = table.definition.orders[place]
        let number = table.definition.orders.count > 1 ? "\(place + 1)" : ""
        name += order.isAscending ? "↑\(number)" : "↓\(number)"
      }
      let start = left + column.start
      let end = left + pane.rectangle.columns
      let text = isCursor ? "[\(name)]" : " \(name)"
      screen.put(
        text,
        row: row,
        column: start - 1,
        width: min(column.width + 2, end - start + 1),
        style: pane.theme.header
      )
    }
  }

  private mutating func drawRow(
    _ key: ObjectKey,
    _ table: TableState,
    _ cells: [(column: Placed, value: ShownValue)],
    row: Int,
    keyWidth: Int,
    exists: Bool,
    isCursor: Bool,
    on screen: inout Screen
  ) {
    let theme = pane.theme
    let left = pane.rectangle.column
    let change = pane.model.draft.touched[ObjectIdentity(table.classKey, key)]
    let sign =
      switch change {
      case .created?: "+"
      case .changed?: "~"
      case .deleted?, nil: exists ? " " : "-"
      }
    let mark = table.marks.contains(key) ? "*" : " "
    let rowStyle = isCursor ? (pane.hasFocus ? theme.cursor : theme.restingCursor) : .standard
    screen.put("", row: row, column: left, width: pane.rectangle.columns, style: rowStyle)
    let text = pane.model.text(key)
    let padding = String(repeating: " ", count: max(0, keyWidth - text.count))
    screen.put(
      "\(isCursor ? ">" : " ")\(mark)\(sign)\(padding)\(text)",
      row: row,
      column: left,
      width: min(Self.signs + keyWidth, pane.rectangle.columns),
      style: rowStyle
    )
    guard exists else {
      screen.put(
        "deleted",
        row: row,
        column: left + Self.signs + keyWidth + 1,
        width: max(0, pane.rectangle.columns - Self.signs - keyWidth - 1),
        style: theme.deleted.adding(rowStyle)
      )
      return
    }
    let changed =
      change == .changed
      ? pane.model.draft.changedProperties[ObjectIdentity(table.classKey, key)] ?? [] : []
    for (column, value) in cells {
      let isCell = isCursor && column.column == table.column
      var style = value.style
      if case .property(let property) = column.column, changed.contains(property) {
        style = style.adding(theme.changed)
      }
      style = style.adding(rowStyle)
      screen.put(
        value.text,
        row: row,
        column: left + column.start,
        width: column.width,
        style: isCell ? style.adding(.underlined) : style
      )
      if isCell {
        cursorCell = Rectangle(
          row: row,
          column: left + column.start,
          rows: 1,
          columns: pane.rectangle.columns - column.start
        )
      }
    }
  }
}
