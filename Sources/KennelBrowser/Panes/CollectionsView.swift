internal import KennelCore

/// Which class the cursor of the collections is on.
struct CollectionsState {
  private(set) var cursor: ClassKey?
  var top = 0
  /// The table of the class under the cursor, where the main pane shows something else.
  var preview: TableState?

  init(cursor: ClassKey?) { self.cursor = cursor }

  /// Puts the cursor on the class that the main pane shows.
  mutating func show(_ classKey: ClassKey) {
    cursor = classKey
    preview = nil
  }

  /// Puts the cursor on a class, whose table is shown as long as the cursor stays.
  mutating func preview(_ table: TableState) {
    cursor = table.classKey
    preview = table
  }
}

/// The classes of the file with the number of their objects.
struct CollectionsView {
  let pane: PaneView

  static func width(of schema: Schema) -> Int {
    let names = schema.classes.map { TextWidth.width(of: $0.name, upTo: 40) + 10 }
    return min(32, max(18, names.max() ?? 0))
  }

  func draw(_ state: inout CollectionsState, on screen: inout Screen) {
    pane.drawTitle("1 Collections", on: &screen)
    let classes = pane.model.schema.classes
    let cursor = classes.firstIndex { $0.key == state.cursor }
    state.top = PaneView.scroll(
      state.top,
      cursor: cursor,
      count: classes.count,
      rows: pane.rows
    )
    for (offset, schema) in classes.dropFirst(state.top).prefix(pane.rows).enumerated() {
      let count = "\(pane.model.count(of: schema.key))"
      let mark = schema.isEmbedded ? " {}" : ""
      let width = pane.rectangle.columns - 1
      let name = TextWidth.pad(
        schema.name + mark,
        to: max(0, width - count.count - 1),
        in: screen.charset
      )
      pane.drawLine(
        "\(name) \(count)",
        at: offset,
        isCursor: state.top + offset == cursor,
        style: schema.isEmbedded ? pane.theme.embedded : pane.theme.standard,
        on: &screen
      )
    }
    if classes.isEmpty {
      pane.drawLine("no classes", at: 0, isCursor: false, style: pane.theme.null, on: &screen)
    }
  }
}
