internal import KennelCore

/// The rows that a job computed; the name on the left, the numbers beside it.
struct SummaryDrawing {
  let pane: PaneFrame

  /// The name is not cut to fewer columns than these.
  private static let leastName = 20

  func draw(_ state: SummaryView, _ title: String, on screen: inout Screen) {
    guard let table = state.table else {
      pane.drawTitle(title, on: &screen)
      return pane.drawLine("…", at: 0, isCursor: false, style: pane.theme.null, on: &screen)
    }
    let header = pane.headerRows
    let rows = max(0, pane.rows - header)
    let placed = place(table, cursor: state.column)
    pane.drawTitle(title, counts: table.counts, trailing: hidden(table, placed), on: &screen)
    if header > 0 { drawHeader(table, placed, state.column, on: &screen) }
    for (offset, row) in table.rows.dropFirst(state.top).prefix(rows).enumerated() {
      let isCursor = state.top + offset == state.cursor
      draw(row, table, placed, at: offset + header, isCursor, state.column, on: &screen)
    }
    if table.rows.isEmpty {
      pane.drawLine("no objects", at: header, isCursor: false, style: pane.theme.null, on: &screen)
    }
  }

  private struct Placed {
    let column: Int
    let start: Int
    let width: Int
  }

  /// Where the columns on the screen begin.
  func starts(of table: SummaryTable, cursor: Int) -> [Int] {
    place(table, cursor: cursor).map(\.start)
  }

  /// How many columns are not shown, as in `‹ 1  2 more ›`.
  private func hidden(_ table: SummaryTable, _ placed: [Placed]) -> String {
    guard placed.count > 1, let last = placed.last else { return "" }
    let (left, right) = (placed[1].column - 1, table.columns.count - 1 - last.column)
    return (left > 0 ? "‹ \(left)  " : "") + (right > 0 ? "\(right) more ›" : "")
  }

  /// The columns from left to right.
  ///
  /// Those before the cursor's go where it would not fit. A number is cut only where it is alone.
  private func place(_ table: SummaryTable, cursor: Int) -> [Placed] {
    let room = pane.rectangle.columns - 2
    let widths = table.columns.indices.map { column in
      // The arrow of the order follows the name.
      max(table.widths[column], TextWidth.width(of: table.columns[column].name) + 1)
    }
    var first = 1
    func needed(_ columns: Range<Int>) -> Int { columns.reduce(0) { $0 + widths[$1] + 2 } }
    while first < cursor, needed(first..<cursor + 1) + Self.leastName > room { first += 1 }
    let all = needed(first..<widths.count)
    let name = min(widths[0], max(Self.leastName, room - all))
    var placed = [Placed(column: 0, start: 2, width: min(name, max(0, room)))]
    var end = 2 + name
    for column in first..<max(first, widths.count) {
      let left = room - end
      guard left >= widths[column] || column == first && left > 0 else { break }
      let width = min(widths[column], left)
      placed.append(Placed(column: column, start: end + 2, width: width))
      end += width + 2
    }
    return placed
  }

  private func drawHeader(
    _ table: SummaryTable,
    _ placed: [Placed],
    _ cursor: Int,
    on screen: inout Screen
  ) {
    let line = pane.line(at: 0)
    screen.put("", in: line, style: pane.theme.header)
    for column in placed {
      let shown = table.columns[column.column]
      let isOrder = table.order.column == column.column
      pane.drawColumnName(
        shown.name,
        order: isOrder ? table.order.isAscending ? "↑" : "↓" : "",
        isCursor: column.column == cursor,
        isRight: shown.format != .value,
        in: line.dropping(column.start - 1).prefix(column.width + 2),
        on: &screen
      )
    }
  }

  private func draw(
    _ row: SummaryTable.Row,
    _ table: SummaryTable,
    _ placed: [Placed],
    at offset: Int,
    _ isCursor: Bool,
    _ cursor: Int,
    on screen: inout Screen
  ) {
    let theme = pane.theme
    let style = row.isPart || !table.hasParts ? Style.standard : theme.header
    pane.drawLine("", at: offset, isCursor: isCursor, style: .standard, on: &screen)
    for column in placed {
      let format = table.columns[column.column].format
      let shown = show(row.cells[column.column], format, row)
      let width = TextWidth.width(of: shown.text, upTo: column.width, in: screen.charset)
      let blanks = format == .value ? (row.isPart ? 2 : 0) : max(0, column.width - width)
      var cellStyle = shown.style.adding(style)
      if isCursor { cellStyle = cellStyle.adding(pane.cursorStyle) }
      if isCursor, column.column == cursor { cellStyle = cellStyle.adding(.underlined) }
      let cell = pane.line(at: offset).dropping(column.start).prefix(column.width)
      screen.put(shown.text, in: cell.dropping(blanks), style: cellStyle)
    }
  }

  private func show(
    _ cell: Value,
    _ format: SummaryTable.Format,
    _ row: SummaryTable.Row
  ) -> ShownValue {
    guard format == .value, case .group? = row.target else {
      return ShownValue(text: SummaryTable.text(cell, format), style: .standard)
    }
    return ValueFormatter(pane.model).show(cell, isEmbedded: false)
  }
}
