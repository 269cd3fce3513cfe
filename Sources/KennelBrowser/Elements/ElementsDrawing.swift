internal import KennelCore

/// The elements of a list, set or map, a line each; only those on the screen are read.
struct ElementsDrawing {
  let pane: PaneFrame
  let title: String

  private static let widestKey = 24

  /// Where the element of the cursor is.
  private(set) var cursorCell: Rectangle?

  init(pane: PaneFrame, title: String) {
    self.pane = pane
    self.title = title
  }

  mutating func draw(_ state: ElementsView, on screen: inout Screen) {
    pane.drawTitle(title, on: &screen)
    guard let property = state.schema(in: pane.model), pane.model.contains(state.object) else {
      let text = "\(pane.model.text(state.object)) was deleted"
      return pane.drawLine(text, at: 0, isCursor: false, style: pane.theme.deleted, on: &screen)
    }
    let count = state.count(in: pane.model)
    let shown = state.top..<max(state.top, min(count, state.top + pane.rows))
    let elements = state.elements(in: pane.model, shown)
    if elements.isEmpty {
      let what = property.type.collection == .map ? "an entry" : "an element"
      let text = "empty; \(pane.browser.key(of: "create")) adds \(what)"
      return pane.drawLine(text, at: 0, isCursor: false, style: pane.theme.null, on: &screen)
    }
    let view = ValueFormatter(pane.model)
    let names = elements.map(\.name)
    let widths = names.map { TextWidth.width(of: $0, upTo: Self.widestKey) }
    let nameWidth = min(Self.widestKey, widths.max() ?? 0)
    for (offset, element) in elements.enumerated() {
      let isCursor = element.index == state.cursor?.index
      var value = view.show(
        element.value,
        isEmbedded: property.isEmbedded,
        isMixed: property.type.kind == .mixed
      )
      if let target = element.target, !property.isEmbedded {
        value.text += "  " + view.summary(of: target)
      }
      draw(names[offset], value, at: offset, isCursor, nameWidth, on: &screen)
    }
  }

  private mutating func draw(
    _ name: String,
    _ value: ShownValue,
    at offset: Int,
    _ isCursor: Bool,
    _ nameWidth: Int,
    on screen: inout Screen
  ) {
    let row = pane.firstRow + offset
    let left = pane.rectangle.column
    let width = pane.rectangle.columns
    let cursorStyle = pane.hasFocus ? pane.theme.cursor : pane.theme.restingCursor
    let rowStyle = isCursor ? cursorStyle : .standard
    screen.put("", row: row, column: left, width: width, style: rowStyle)
    screen.put(isCursor ? ">" : " ", row: row, column: left, width: min(1, width), style: rowStyle)
    screen.put(
      name,
      row: row,
      column: left + 2,
      width: max(0, min(nameWidth, width - 2)),
      style: pane.theme.note.adding(rowStyle)
    )
    let column = 2 + nameWidth + 2
    screen.put(
      value.text,
      row: row,
      column: left + column,
      width: max(0, width - column),
      style: value.style.adding(rowStyle)
    )
    let room = max(0, width - column)
    pane.markMatches(in: name, row: row, column: left + 2, width: nameWidth, on: &screen)
    pane.markMatches(in: value.text, row: row, column: left + column, width: room, on: &screen)
    if isCursor {
      cursorCell = Rectangle(row: row, column: left + column, rows: 1, columns: room)
    }
  }
}
