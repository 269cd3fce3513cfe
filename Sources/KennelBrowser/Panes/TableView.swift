internal import KennelCore

/// Objects as rows, properties as columns; only what is on the screen is read.
///
/// The row of the cursor begins with `>`, the property of the cursor stands in brackets in the
/// header; `+` and `~` mark what the draft creates and changes, `~` the cells that it changes, and `*`
/// what is marked.
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

  /// So many objects at both ends of the class are looked at for the widths of the columns; more places
  /// would be more of the file to read before the first screen.
  private static let measuredObjects = 64

  mutating func draw(_ table: inout TableState, on screen: inout Screen) {
    let header = Self.headerRows(in: pane)
    let rows = max(0, pane.rows - header)
    let keys = table.visibleKeys(in: pane.model, count: rows)
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
    let width = keyWidth(table.classKey, keys)
    let placement = place(table, keyWidth: width, values, view)
    table.firstColumn = placement.firstColumn
    table.shownColumns = placement.columns.map { ($0.column, $0.start) }
    pane.drawTitle(title, counts: counts, trailing: placement.trailing, on: &screen)
    if header > 0 { drawHeader(table, placement.columns, keyWidth: width, on: &screen) }
    let first = pane.firstRow + header
    for (index, key) in keys.enumerated() {
      let isCursor = key == table.cursor
      drawRow(
        key,
        table,
        placement.columns.map { ($0, values($0.column)[index]) },
        row: first + index,
        keyWidth: width,
        exists: exists[index],
        isCursor: isCursor,
        on: &screen
      )
    }
    if keys.isEmpty { drawNothing(table, row: first, on: &screen) }
  }

  private func drawNothing(_ table: TableState, row: Int, on screen: inout Screen) {
    let isBare = pane.model.schema.classes.isEmpty
    let nothing =
      isBare ? "no classes yet: a program or ‘kennel import’ creates some" : "no objects"
    screen.put(
      "   \(table.pending != nil ? "…" : nothing)",
      row: row,
      column: pane.rectangle.column,
      width: pane.rectangle.columns,
      style: pane.theme.null
    )
  }

  /// Wide enough for the last key of the class, so that paging moves nothing.
  private func keyWidth(_ classKey: ClassKey, _ keys: [ObjectKey]) -> Int {
    let last = pane.model.keys(of: classKey, before: nil, limit: 1)
    let widest = (keys + last).map { pane.model.text($0).count }.max() ?? 1
    return max(widest, Column.key.widths.lowerBound)
  }

  /// The first and the last objects of a class.
  private func sample(of classKey: ClassKey) -> [ObjectIdentity] {
    let first = pane.model.keys(of: classKey, from: nil, limit: Self.measuredObjects)
    let last = pane.model.keys(of: classKey, before: nil, limit: Self.measuredObjects)
    return (first + last).map { ObjectIdentity(classKey, $0) }
  }

  private func place(
    _ table: TableState,
    keyWidth: Int,
    _ values: (Column) -> [ShownValue],
    _ view: ValueView
  ) -> ColumnPlacement {
    let model = pane.model
    var look = model.looks[table.classKey] ?? TableLook()
    let columns = look.columns(of: table.classKey, in: model.schema)
    var sample: [ObjectIdentity]?
    func measure(_ column: Column, _ most: Int) -> (full: Int, usual: Int) {
      let objects = sample ?? self.sample(of: table.classKey)
      sample = objects
      // The arrow of an order and its number follow the name.
      let name = TextWidth.width(of: column.name(in: table.classKey, model.schema), upTo: most) + 2
      let shown = values(column) + objects.map { column.show($0, view) }
      let full = shown.map { TextWidth.width(of: $0.text, upTo: most) }.max() ?? 0
      let usual = isNumeric(column, table) ? max(name, Column.usualNumber) : most
      return (min(most, max(name, full)), usual)
    }
    let placement = ColumnPlacement(
      of: columns,
      pinned: columns.prefix(while: look.pinned.contains).count,
      cursor: table.column,
      first: table.firstColumn,
      start: Self.signs + keyWidth + 2,
      room: pane.rectangle.columns
    ) { column in
      look.width(column, generation: model.generation) { measure(column, $0) }
    }
    model.looks[table.classKey] = look
    return placement
  }

  private func isNumeric(_ column: Column, _ table: TableState) -> Bool {
    column.isNumeric(in: table.classKey, pane.model)
  }

  private func name(of column: Column, _ table: TableState) -> String {
    column.name(in: table.classKey, pane.model.schema)
  }

  private func drawHeader(
    _ table: TableState,
    _ columns: [ColumnPlacement.Placed],
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
      let text = isCursor ? "[\(name)]" : " \(name) "
      let width = min(column.width + 2, end - start + 1)
      let blanks =
        isNumeric(column.column, table) ? width - TextWidth.width(of: text, in: screen.charset) : 0
      screen.put(
        text,
        row: row,
        column: start - 1 + max(0, blanks),
        width: width - max(0, blanks),
        style: pane.theme.header
      )
    }
  }

  private mutating func drawRow(
    _ key: ObjectKey,
    _ table: TableState,
    _ cells: [(column: ColumnPlacement.Placed, value: ShownValue)],
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
    let object = ObjectIdentity(table.classKey, key)
    for (column, value) in cells {
      let (sign, signStyle, valueStyle) = cellChange(of: column, object)
      let isRight = isNumeric(column.column, table)
      let isCell = isCursor && column.column == table.column
      let style = value.style.adding(valueStyle).adding(rowStyle)
      var cell = Rectangle(row: row, column: left + column.start, rows: 1, columns: column.width)
      draw(
        value.text,
        isRight: isRight,
        in: cell,
        style: isCell ? style.adding(.underlined) : style,
        on: &screen
      )
      if let sign {
        let used = TextWidth.width(of: value.text, upTo: column.width, in: screen.charset)
        let place = left + column.start - 1 + (isRight ? max(0, column.width - used) : 0)
        screen.put(sign, row: row, column: place, style: signStyle.adding(rowStyle))
      }
      if isCell {
        cell.columns = min(column.width, pane.rectangle.columns - column.start)
        cursorCell = cell
      }
    }
  }

  /// What became of a cell: the sign before it, the style of the sign, and that of the value.
  private func cellChange(
    of column: ColumnPlacement.Placed,
    _ object: ObjectIdentity
  ) -> (sign: String?, signStyle: Style, valueStyle: Style) {
    guard case .property(let property) = column.column else { return (nil, .standard, .standard) }
    let draft = pane.model.draft
    let theme = pane.theme
    let fresh = pane.model.isFresh(object, property) ? theme.fresh : .standard
    if draft.conflictingProperties[object]?.contains(property) == true {
      return ("!", theme.error, theme.error.adding(fresh))
    }
    if draft.touched[object] == .changed,
      draft.changedProperties[object]?.contains(property) == true
    {
      return ("~", theme.changed, theme.changed.adding(fresh))
    }
    return (nil, .standard, fresh)
  }

  /// Draws the text of a cell, at its right end where that is asked for.
  private func draw(
    _ text: String,
    isRight: Bool,
    in cell: Rectangle,
    style: Style,
    on screen: inout Screen
  ) {
    let used = TextWidth.width(of: text, upTo: cell.columns, in: screen.charset)
    let blanks = isRight ? max(0, cell.columns - used) : 0
    screen.put(
      String(repeating: " ", count: blanks) + text,
      row: cell.row,
      column: cell.column,
      width: cell.columns,
      style: style
    )
    pane.markMatches(
      in: text,
      row: cell.row,
      column: cell.column + blanks,
      width: cell.columns - blanks,
      on: &screen
    )
  }
}
