internal import KennelCore

/// Objects as rows, properties as columns; only what is on the screen is read.
///
/// The row of the cursor begins with `>`, the property of the cursor stands in brackets in the
/// header; `+` and `~` mark what the draft creates and changes, `*` what is marked.
struct TableView {
  let pane: PaneView
  let title: String

  private static let narrowest = 5
  private static let widest = 28
  /// Before the key: the cursor, the mark, the change.
  private static let signs = 3

  /// Where the cell of the cursor is.
  private(set) var cursorCell: Rectangle?

  init(pane: PaneView, title: String) {
    self.pane = pane
    self.title = title
  }

  /// A pane that is too low shows its objects rather than the names of their properties.
  static func headerRows(in pane: PaneView) -> Int { pane.rows >= 2 ? 1 : 0 }

  private struct Column {
    let property: PropertySchema
    let width: Int
    let start: Int
  }

  mutating func draw(_ table: inout TableState, on screen: inout Screen) {
    pane.drawTitle(title, on: &screen)
    let header = Self.headerRows(in: pane)
    let rows = max(0, pane.rows - header)
    let keys = table.visibleKeys(in: pane.model, count: rows)
    let columns = table.columns(in: pane.model.schema)
    var texts: [PropertyKey: [ShownValue]] = [:]
    let view = ValueView(model: pane.model, theme: pane.theme)
    let objects = keys.map { ObjectIdentity(table.classKey, $0) }
    let exists = objects.map { pane.model.contains($0) }
    func values(_ property: PropertySchema) -> [ShownValue] {
      if let known = texts[property.key] { return known }
      let values = zip(objects, exists).map { object, exists in
        exists ? view.show(object, property) : ShownValue(text: "", style: pane.theme.null)
      }
      texts[property.key] = values
      return values
    }
    let keyWidth = keys.map { pane.model.text($0).count }.max() ?? 1
    let width = max(keyWidth, 3)
    let placed = place(columns, &table, keyWidth: width, values)
    table.shownColumns = placed.map { ($0.property.key, $0.start) }
    if header > 0 { drawHeader(table, placed, keyWidth: width, on: &screen) }
    let first = pane.firstRow + header
    for (index, key) in keys.enumerated() {
      let isCursor = key == table.cursor
      drawRow(
        key,
        table,
        placed.map { ($0, values($0.property)[index]) },
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
        isBare ? "no classes yet: a program or ‘kennel import’ makes some" : "no objects"
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
    _ columns: [PropertySchema],
    _ table: inout TableState,
    keyWidth: Int,
    _ values: (PropertySchema) -> [ShownValue]
  ) -> [Column] {
    let room = pane.rectangle.columns
    let start = Self.signs + keyWidth + 2
    func width(_ property: PropertySchema) -> Int {
      if let width = table.widths[property.key] { return width }
      let orders = table.definition.orders
      let isSorted = orders.contains { $0.property == property.key }
      var width = TextWidth.width(of: property.name, upTo: Self.widest)
      if isSorted { width += orders.count > 1 ? 2 : 1 }
      for value in values(property) {
        width = max(width, TextWidth.width(of: value.text, upTo: Self.widest))
      }
      return min(Self.widest, max(Self.narrowest, width))
    }
    let cursor = columns.firstIndex { $0.key == table.column }
    var first = columns.firstIndex { $0.key == table.firstColumn } ?? 0
    if cursor == nil || fit(columns, room - start, width) { first = 0 }
    if let cursor, cursor < first { first = cursor }
    while true {
      var placed: [Column] = []
      var column = start
      for property in columns[min(first, columns.count)...] {
        let wanted = width(property)
        let left = room - column - 1
        guard left >= Self.narrowest || placed.isEmpty else { break }
        placed.append(
          Column(property: property, width: max(0, min(wanted, left)), start: column)
        )
        column += wanted + 2
        if column >= room { break }
      }
      let seen = placed.last.map { last in
        last.width >= min(Self.narrowest * 2, width(last.property))
      }
      if let cursor, first < cursor,
        first + placed.count <= cursor || (first + placed.count - 1 == cursor && seen == false)
      {
        first += 1
        continue
      }
      table.firstColumn = columns.isEmpty ? nil : columns[min(first, columns.count - 1)].key
      return spread(placed, room: room, values)
    }
  }

  /// Whether all columns fit; looks at no more of them than there is room for.
  private func fit(
    _ columns: [PropertySchema],
    _ room: Int,
    _ width: (PropertySchema) -> Int
  ) -> Bool {
    var left = room
    for property in columns {
      left -= width(property) + 2
      if left < -1 { return false }
    }
    return true
  }

  /// Gives the room that is left to the columns whose values are cut.
  private func spread(
    _ columns: [Column],
    room: Int,
    _ values: (PropertySchema) -> [ShownValue]
  ) -> [Column] {
    guard let last = columns.last else { return columns }
    var left = room - 1 - (last.start + last.width)
    var shift = 0
    return columns.map { column in
      var width = column.width
      if left > 0 {
        let widest = values(column.property).map {
          TextWidth.width(of: $0.text, upTo: width + left)
        }
        let more = min(left, max(0, (widest.max() ?? 0) - width))
        width += more
        left -= more
      }
      defer { shift += width - column.width }
      return Column(property: column.property, width: width, start: column.start + shift)
    }
  }

  private func drawHeader(
    _ table: TableState,
    _ columns: [Column],
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
    let key = table.column == nil ? "[key]" : " key"
    screen.put(
      key,
      row: row,
      column: left + Self.signs - 1,
      width: max(5, keyWidth + 2),
      style: pane.theme.header
    )
    for column in columns {
      let isCursor = column.property.key == table.column
      var name = column.property.name
      if let place = table.definition.orders.firstIndex(where: {
        $0.property == column.property.key
      }) {
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
    _ cells: [(column: Column, value: ShownValue)],
    row: Int,
    keyWidth: Int,
    exists: Bool,
    isCursor: Bool,
    on screen: inout Screen
  ) {
    let theme = pane.theme
    let left = pane.rectangle.column
    let change = pane.model.touched[ObjectIdentity(table.classKey, key)]
    let sign =
      switch change {
      case .created?: "+"
      case .changed?: "~"
      default: exists ? " " : "-"
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
    for (column, value) in cells {
      let isCell = isCursor && column.property.key == table.column
      let style = value.style.adding(rowStyle)
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
