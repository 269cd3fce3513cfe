internal import KennelCore

/// Draws the lines of an object.
struct ObjectDrawing {
  let pane: PaneFrame
  let title: String

  private static let widestName = 24
  private static let widestNote = 18
  /// From so many columns on, names and types have more room, and targets show what they hold.
  private static let wide = 90
  private static let widestWideName = 40
  private static let widestWideNote = 36

  private var isWide: Bool { pane.rectangle.columns >= Self.wide }

  /// Where the value of the cursor's line is.
  private(set) var cursorCell: Rectangle?

  init(pane: PaneFrame, title: String) {
    self.pane = pane
    self.title = title
  }

  mutating func draw(
    _ object: ObjectView,
    showsCursor: Bool = true,
    on screen: inout Screen
  ) {
    let lines = object.lines(in: pane.model)
    guard !lines.isEmpty else {
      pane.drawTitle(title, on: &screen)
      let exists = pane.model.contains(object.object)
      let text = exists ? "no properties" : "\(pane.model.text(object.object)) was deleted"
      return pane.drawLine(text, at: 0, isCursor: false, style: pane.theme.deleted, on: &screen)
    }
    let cursor = object.cursorIndex(in: lines)
    let place = showsCursor ? cursor : nil
    let counts = pane.place(of: place, count: lines.count, top: object.top)
    pane.drawTitle(title, counts: counts, on: &screen)
    let widestName = isWide ? Self.widestWideName : Self.widestName
    let widestNote = isWide ? Self.widestWideNote : Self.widestNote
    let nameWidth = min(widestName, lines.map { TextWidth.width(of: $0.name) }.max() ?? 0)
    let hasNotes = pane.rectangle.columns >= 50
    let notes = lines.map { TextWidth.width(of: $0.note) }.max() ?? 0
    let noteWidth = hasNotes ? min(widestNote, notes) : 0
    for (offset, line) in lines.dropFirst(object.top).prefix(pane.rows).enumerated() {
      let isCursor = showsCursor && object.top + offset == cursor
      draw(line, at: offset, isCursor, nameWidth, noteWidth, on: &screen)
    }
  }

  private mutating func draw(
    _ line: ObjectLine,
    at offset: Int,
    _ isCursor: Bool,
    _ nameWidth: Int,
    _ noteWidth: Int,
    on screen: inout Screen
  ) {
    let theme = pane.theme
    let row = pane.firstRow + offset
    let left = pane.rectangle.column
    let width = pane.rectangle.columns
    let cursorStyle = pane.hasFocus ? theme.cursor : theme.restingCursor
    let rowStyle = isCursor ? cursorStyle : .standard
    screen.put("", row: row, column: left, width: width, style: rowStyle)
    screen.put(isCursor ? ">" : " ", row: row, column: left, width: min(1, width), style: rowStyle)
    if line.isChanged {
      screen.put("~", row: row, column: left + 1, style: theme.changed.adding(rowStyle))
    }
    screen.put(
      line.name,
      row: row,
      column: left + 2,
      width: max(0, min(nameWidth, width - 2)),
      style: rowStyle
    )
    var column = 2 + nameWidth + 2
    if noteWidth > 0 {
      screen.put(
        line.note,
        row: row,
        column: left + column,
        width: max(0, min(noteWidth, width - column)),
        style: theme.note.adding(rowStyle)
      )
      column += noteWidth + 2
    }
    let room = max(0, width - column)
    var text = line.value.text
    if isWide, let target = line.target, line.value.text.hasPrefix("→") {
      text += "  " + ValueFormatter(pane.model).summary(of: target)
    }
    screen.put(
      text,
      row: row,
      column: left + column,
      width: room,
      style: line.value.style.adding(rowStyle)
    )
    pane.markMatches(in: line.name, row: row, column: left + 2, width: nameWidth, on: &screen)
    pane.markMatches(in: line.value.text, row: row, column: left + column, width: room, on: &screen)
    if isCursor {
      cursorCell = Rectangle(row: row, column: left + column, rows: 1, columns: room)
    }
  }
}
