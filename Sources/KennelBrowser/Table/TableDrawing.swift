internal import KennelCore

/// Draws a table; only what is on the screen is read.
///
/// The row of the cursor begins with `>`, the property of the cursor stands in brackets in the
/// header; `+` and `~` mark what the draft creates and changes, `~` the cells that it changes, and `*`
/// what is marked.
struct TableDrawing {
  let pane: PaneFrame
  /// Before the key: the cursor, the mark, the change.
  private static let signs = 3

  /// Where the cell of the cursor is.
  private(set) var cursorCell: Rectangle?

  /// So many objects at both ends of the class are looked at for the widths of the columns; more places
  /// would be more of the file to read before the first screen.
  private static let measuredObjects = 64

  mutating func draw(_ table: TableView, on screen: inout Screen) {
    let keys = table.visibleKeys(in: pane)
    let width = keyWidth(table, keys)
    guard let placement = table.placement else { return }
    let look = pane.model.looks[table.classKey] ?? TableLook()
    pane.drawTitle(
      "\(table.definition.title(in: pane.model))",
      counts: table.counts(in: pane.model),
      trailing: placement.trailing,
      on: &screen
    )
    if pane.headerRows > 0 {
      drawHeader(table, placement.columns, keyWidth: width, on: &screen)
    }
    for (index, key) in keys.enumerated() {
      let object = ObjectIdentity(table.classKey, key)
      let exists = pane.model.contains(object)
      drawRow(
        key,
        table,
        exists
          ? placement.columns.map {
            ($0, shown($0.column, of: object, isWide: look.isWide($0.column)))
          } : [],
        at: pane.line(at: pane.headerRows + index),
        keyWidth: width,
        exists: exists,
        isCursor: key == table.cursor,
        on: &screen
      )
    }
    if keys.isEmpty { drawNothing(table, on: &screen) }
  }

  private func drawNothing(_ table: TableView, on screen: inout Screen) {
    let isBare = pane.model.schema.classes.isEmpty
    let nothing =
      isBare ? "no classes yet: a program or ‘kennel import’ creates some" : "no objects"
    let text = "   \(table.pending != nil ? "…" : nothing)"
    screen.put(text, in: pane.line(at: pane.headerRows), style: pane.theme.null)
  }

  /// Wide enough for the last key of the class, so that paging moves nothing.
  private func keyWidth(_ table: TableView, _ keys: [ObjectKey]) -> Int {
    if pane.model.schema[table.classKey]?.primaryKey != nil {
      return width(of: .key, table, keys).usual
    }
    let last = pane.model.keys(of: table.classKey, before: nil, limit: 1)
    let widest = (keys + last).map { pane.model.text($0).count }.max() ?? 1
    return max(widest, Column.key.widths.lowerBound)
  }

  /// The first and the last objects of a class.
  private func sample(of classKey: ClassKey) -> [ObjectIdentity] {
    let first = pane.model.keys(of: classKey, from: nil, limit: Self.measuredObjects)
    let last = pane.model.keys(of: classKey, before: nil, limit: Self.measuredObjects)
    return (first + last).map { ObjectIdentity(classKey, $0) }
  }

  /// A cell; where the column is not widened, dates to the second.
  private func shown(_ column: Column, of object: ObjectIdentity, isWide: Bool) -> ShownValue {
    var view = ValueFormatter(pane.model)
    view.showsFractions = isWide
    return column.show(object, view)
  }

  /// Where the first column beside the keys begins.
  private func start(_ table: TableView, _ keys: [ObjectKey]) -> Int {
    Self.signs + keyWidth(table, keys) + 2
  }

  /// Places the columns beside the keys of the rows on the screen.
  func place(_ table: TableView, _ keys: [ObjectKey]) -> ColumnPlacement {
    let columns = table.columns(in: pane.model)
    let pinned = pane.model.looks[table.classKey]?.pinned ?? []
    return ColumnPlacement(
      of: columns,
      pinned: columns.prefix(while: pinned.contains).count,
      cursor: table.column,
      revealed: table.revealed,
      first: table.firstColumn,
      start: start(table, keys),
      room: pane.rectangle.columns
    ) { width(of: $0, table, keys) }
  }

  /// How wide the table of the main pane is with all of its columns, as far as a screen is; `nil` where
  /// no table is shown.
  static func neededWidth(in browser: Browser) -> Int? {
    guard let table = browser.preview ?? browser.table else { return nil }
    let screen = browser.size.bounds
    let drawing = TableDrawing(
      pane: PaneFrame(browser: browser, rectangle: screen, hasFocus: false)
    )
    let keys = table.visibleKeys(in: drawing.pane)
    var width = drawing.start(table, keys)
    for column in table.columns(in: browser.model) where width < screen.columns {
      width += drawing.width(of: column, table, keys).usual + 2
    }
    return min(width, screen.columns)
  }

  /// How wide a column is; the rows are measured once for each generation of the data.
  private func width(
    of column: Column,
    _ table: TableView,
    _ keys: [ObjectKey]
  ) -> (usual: Int, full: Int) {
    let model = pane.model
    var look = model.looks[table.classKey] ?? TableLook()
    let isWide = look.isWide(column)
    let width = look.width(column, generation: model.generation) { most in
      let shown = keys.map { ObjectIdentity(table.classKey, $0) }.filter(model.contains)
      let objects = shown + sample(of: table.classKey)
      // The arrow of an order and its number follow the name.
      let name = TextWidth.width(of: self.name(of: column, table), upTo: most) + 2
      let texts = objects.lazy.map { self.shown(column, of: $0, isWide: isWide).text }
      let full = texts.map { TextWidth.width(of: $0, upTo: most) }.max() ?? 0
      let number = column == .key ? Column.longestNumber : Column.usualNumber
      let usual = isNumeric(column, table) ? max(name, number) : most
      return (min(most, max(name, full)), usual)
    }
    model.looks[table.classKey] = look
    return width
  }

  private func isNumeric(_ column: Column, _ table: TableView) -> Bool {
    column.isNumeric(in: table.classKey, pane.model)
  }

  private func name(of column: Column, _ table: TableView) -> String {
    column.name(in: table.classKey, pane.model.schema)
  }

  private func drawHeader(
    _ table: TableView,
    _ columns: [ColumnPlacement.Placed],
    keyWidth: Int,
    on screen: inout Screen
  ) {
    let line = pane.line(at: 0)
    screen.put("", in: line, style: pane.theme.header)
    func draw(_ column: Column, _ place: Rectangle) {
      var mark = ""
      if let place = table.definition.orders.firstIndex(where: { $0.column == column }) {
        let number = table.definition.orders.count > 1 ? "\(place + 1)" : ""
        mark = (table.definition.orders[place].isAscending ? "↑" : "↓") + number
      }
      pane.drawColumnName(
        name(of: column, table),
        order: mark,
        isCursor: column == table.column,
        isRight: isNumeric(column, table),
        in: place,
        on: &screen
      )
    }
    draw(.key, line.dropping(Self.signs - 1).prefix(max(5, keyWidth + 2)))
    for column in columns {
      draw(column.column, line.dropping(column.start - 1).prefix(column.width + 2))
    }
  }

  private mutating func drawRow(
    _ key: ObjectKey,
    _ table: TableView,
    _ cells: [(column: ColumnPlacement.Placed, value: ShownValue)],
    at line: Rectangle,
    keyWidth: Int,
    exists: Bool,
    isCursor: Bool,
    on screen: inout Screen
  ) {
    let theme = pane.theme
    let change = pane.model.draftOwner.touched[ObjectIdentity(table.classKey, key)]
    let sign =
      switch change {
      case .created?: "+"
      case .changed?: "~"
      case .deleted?, nil: exists ? " " : "-"
      }
    let mark = table.marks.contains(key) ? "*" : " "
    let rowStyle = isCursor ? pane.cursorStyle : .standard
    let object = ObjectIdentity(table.classKey, key)
    screen.put("\(isCursor ? ">" : " ")\(mark)\(sign)", in: line, style: rowStyle)
    let place = line.dropping(Self.signs)
    guard exists else {
      let used = screen.put(pane.model.text(object), in: place, style: theme.note.adding(rowStyle))
      let rest = place.dropping(used + 1)
      screen.put("deleted", in: rest, style: theme.deleted.adding(rowStyle))
      return
    }
    let name = shown(.key, of: object, isWide: false)
    let isRight = isNumeric(.key, table)
    var nameStyle = name.style.adding(rowStyle)
    let nameCell = place.prefix(keyWidth)
    if isCursor, table.column == .key, pane.model.schema[table.classKey]?.primaryKey != nil {
      nameStyle = nameStyle.adding(.underlined)
      cursorCell = nameCell
    }
    draw(name.text, isRight: isRight, in: nameCell, style: nameStyle, on: &screen)
    for (column, value) in cells {
      let (sign, signStyle, valueStyle) = cellChange(of: column, object)
      let isRight = isNumeric(column.column, table)
      let isCell = isCursor && column.column == table.column
      let style = value.style.adding(valueStyle).adding(rowStyle)
      let cell = line.dropping(column.start).prefix(column.width)
      draw(
        value.text,
        isRight: isRight,
        in: cell,
        style: isCell ? style.adding(.underlined) : style,
        on: &screen
      )
      if let sign {
        let used = TextWidth.width(of: value.text, upTo: column.width, in: screen.charset)
        let place = cell.column - 1 + (isRight ? max(0, column.width - used) : 0)
        screen.put(sign, row: line.row, column: place, style: signStyle.adding(rowStyle))
      }
      if isCell { cursorCell = cell }
    }
  }

  /// The marks of a changed cell: the sign before it, the style of the sign, and that of the value.
  private func cellChange(
    of column: ColumnPlacement.Placed,
    _ object: ObjectIdentity
  ) -> (sign: String?, signStyle: Style, valueStyle: Style) {
    guard case .property(let property) = column.column else { return (nil, .standard, .standard) }
    let draft = pane.model.draftOwner
    let theme = pane.theme
    let fresh = pane.model.isFresh(object, property) ? theme.fresh : .standard
    if draft.conflictingProperties.contains(Slot(object, property)) {
      return ("!", theme.error, theme.error.adding(fresh))
    }
    if draft.touched[object] == .changed,
      draft.summary.hasChanged(property, of: object)
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
    screen.put(String(repeating: " ", count: blanks) + text, in: cell, style: style)
    pane.markMatches(in: text, at: cell.dropping(blanks), on: &screen)
  }
}
