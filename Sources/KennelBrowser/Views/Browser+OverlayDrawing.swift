internal import KennelCore

extension Browser {
  func drawOverlay(_ layout: Layout, _ cell: Rectangle?, on screen: inout Screen) {
    switch overlay {
    case .editor(let editor): draw(editor, layout, cell, on: &screen)
    case .menu(let menu): draw(menu, layout, on: &screen)
    case .picker(let picker): draw(picker, layout, on: &screen)
    case .palette(let palette): draw(palette, layout, on: &screen)
    case .help(let help): draw(help, layout, on: &screen)
    case .deletion(let dialog): draw(dialog, layout, on: &screen)
    case .quitting: drawQuitting(layout, on: &screen)
    case .kept(let dialog): draw(dialog, layout, on: &screen)
    case .text(let dialog):
      let lines = dialog.lines.dropFirst(dialog.top).map { ($0, Style.standard) }
      drawBox(dialog.title, Array(lines), layout, on: &screen)
    case .prompt, .waiting, .committing, .planning, nil: break
    }
  }

  /// The editor in the cell, as far to the right as the pane goes.
  private func draw(
    _ editor: CellEditor,
    _ layout: Layout,
    _ cell: Rectangle?,
    on screen: inout Screen
  ) {
    let isInCell = editor.purpose == .replace
    guard isInCell, let cell, cell.columns >= 12 else {
      let row = layout.status?.row ?? 0
      let width = screen.size.columns
      let line = max(0, row - 1)
      drawEditorLine(editor, Rectangle(row: line, column: 0, rows: 1, columns: width), on: &screen)
      return
    }
    drawEditorLine(editor, widened(cell, for: editor, layout, screen.charset), on: &screen)
  }

  /// The cell, reaching as far to the left as the text needs and the pane allows.
  private func widened(
    _ cell: Rectangle,
    for editor: CellEditor,
    _ layout: Layout,
    _ charset: Charset
  ) -> Rectangle {
    guard let pane = layout.panes[.main] else { return cell }
    let left = pane.column + 2
    let room = cell.endColumn - left
    let needed = TextWidth.width(of: editor.line.text, upTo: room, in: charset) + 1
    var wide = cell
    wide.columns = min(room, max(cell.columns, needed))
    wide.column = cell.endColumn - wide.columns
    return wide
  }

  private func drawEditorLine(
    _ editor: CellEditor,
    _ cell: Rectangle,
    on screen: inout Screen
  ) {
    if editor.isNull {
      screen.put(
        ValueView.null,
        row: cell.row,
        column: cell.column,
        width: cell.columns,
        style: theme.null.adding(.underlined)
      )
      screen.showCursor(row: cell.row, column: cell.column)
      return
    }
    editor.line.draw(
      on: &screen,
      row: cell.row,
      column: cell.column,
      width: cell.columns,
      style: .underlined
    )
  }

  // MARK: - Boxes

  /// Draws lines in a frame at the bottom of the body, as high as they need.
  private func drawBox(
    _ title: String,
    _ lines: [(text: String, style: Style)],
    _ layout: Layout,
    on screen: inout Screen
  ) {
    let body = layout.body
    let hasFrame = body.rows >= 4 && body.columns >= 8
    let height = min(body.rows, lines.count + (hasFrame ? 2 : 1))
    let top = body.endRow - height
    screen.fill(Rectangle(row: top, column: 0, rows: height, columns: body.columns))
    let titleText = hasFrame ? "── \(title) " : title
    screen.put(titleText, row: top, column: 0, width: body.columns, style: theme.header)
    if hasFrame {
      let used = TextWidth.width(of: titleText, upTo: body.columns, in: screen.charset)
      screen.fill(
        Rectangle(row: top, column: used, rows: 1, columns: max(0, body.columns - used)),
        with: "─",
        style: theme.separator
      )
      screen.fill(
        Rectangle(row: body.endRow - 1, column: 0, rows: 1, columns: body.columns),
        with: "─",
        style: theme.separator
      )
    }
    let inner = height - (hasFrame ? 2 : 1)
    for (offset, line) in lines.prefix(max(0, inner)).enumerated() {
      screen.put(
        line.text,
        row: top + 1 + offset,
        column: 0,
        width: body.columns,
        style: line.style
      )
    }
  }

  /// How many lines a box has inside.
  private func boxRows(_ layout: Layout) -> Int { max(1, layout.body.rows - 2) }

  private func marked(_ text: String, _ isCursor: Bool) -> (text: String, style: Style) {
    ((isCursor ? "> " : "  ") + text, isCursor ? theme.cursor : .standard)
  }

  private func draw(_ menu: Menu, _ layout: Layout, on screen: inout Screen) {
    let lines = menu.choices.enumerated().map { index, choice in
      marked("\(choice.letter)  \(choice.label)", index == menu.index)
    }
    let top = PaneView.scroll(0, cursor: menu.index, count: lines.count, rows: boxRows(layout))
    drawBox(menu.title, Array(lines.dropFirst(top)), layout, on: &screen)
  }

  private func draw(_ help: HelpList, _ layout: Layout, on screen: inout Screen) {
    let lines = help.commands.enumerated().map { index, command in
      let keys = TextWidth.pad(command.keys.joined(separator: " "), to: 18)
      return marked("\(keys) \(command.summary)", index == help.index)
    }
    let top = PaneView.scroll(0, cursor: help.index, count: lines.count, rows: boxRows(layout))
    drawBox(help.title, Array(lines.dropFirst(top)), layout, on: &screen)
  }

  private func draw(_ picker: Picker, _ layout: Layout, on screen: inout Screen) {
    let view = ValueView(model: model, theme: theme)
    let rows = min(boxRows(layout), max(4, layout.body.rows * 2 / 3)) - 1
    let index = picker.found.firstIndex { $0 == picker.cursor } ?? 0
    let top = PaneView.scroll(0, cursor: index, count: picker.found.count, rows: max(1, rows))
    var lines: [(text: String, style: Style)] = [(searchLine(picker.line), theme.standard)]
    for (offset, key) in picker.found.dropFirst(top).prefix(max(1, rows)).enumerated() {
      let object = ObjectIdentity(picker.target, key)
      lines.append(
        marked("\(model.label(object))  \(view.summary(of: object))", top + offset == index)
      )
    }
    if picker.found.isEmpty { lines.append(("  nothing is found", theme.null)) }
    drawBox(picker.title, lines, layout, on: &screen)
    showSearchCursor(picker.line, lines.count, layout, on: &screen)
  }

  private func draw(_ palette: Palette, _ layout: Layout, on screen: inout Screen) {
    let rows = min(boxRows(layout), max(4, layout.body.rows * 2 / 3)) - 1
    let top = PaneView.scroll(
      0,
      cursor: palette.index,
      count: palette.shown.count,
      rows: max(1, rows)
    )
    var lines: [(text: String, style: Style)] = [(searchLine(palette.line), theme.standard)]
    for (offset, entry) in palette.shown.dropFirst(top).prefix(max(1, rows)).enumerated() {
      let name = TextWidth.pad(entry.name, to: 18, in: screen.charset)
      lines.append(marked("\(name) \(entry.note)", top + offset == palette.index))
    }
    if palette.shown.isEmpty { lines.append(("  nothing is named so", theme.null)) }
    drawBox("Go to a class, Class/key or command", lines, layout, on: &screen)
    showSearchCursor(palette.line, lines.count, layout, on: &screen)
  }

  private func searchLine(_ line: LineEditor) -> String { ": \(line.text)" }

  private func showSearchCursor(
    _ line: LineEditor,
    _ count: Int,
    _ layout: Layout,
    on screen: inout Screen
  ) {
    let body = layout.body
    let hasFrame = body.rows >= 4 && body.columns >= 8
    let height = min(body.rows, count + (hasFrame ? 2 : 1))
    line.draw(
      on: &screen,
      row: body.endRow - height + 1,
      column: 2,
      width: max(0, body.columns - 2),
      style: .standard
    )
  }

  private func draw(_ dialog: DeletionDialog, _ layout: Layout, on screen: inout Screen) {
    var lines = dialog.lines.dropFirst(dialog.top).map { (text: $0.text, style: $0.style) }
    let rows = boxRows(layout)
    if lines.count > rows - 1 {
      lines = Array(lines.prefix(max(0, rows - 2))) + [("  …", theme.note)]
    }
    let last: String
    if let refusal = dialog.refusal {
      last = "It cannot be done: \(refusal)"
    } else if let count = dialog.wantedCount {
      last = "Type \(count) and then D: \(dialog.typedCount.text)"
    } else {
      last = "D does it, Esc leaves everything as it is"
    }
    lines.append((last, theme.key))
    drawBox(dialog.title, lines, layout, on: &screen)
  }

  private func draw(_ dialog: KeptDialog, _ layout: Layout, on screen: inout Screen) {
    let text = text(of: dialog)
    let choices = choices(of: dialog).map { ("\($0.key)  \($0.label)", Style.standard) }
    drawBox(text.title, text.lines.map { ($0, theme.note) } + choices, layout, on: &screen)
  }

  private func drawQuitting(_ layout: Layout, on screen: inout Screen) {
    var lines: [(text: String, style: Style)] = [
      ("r  review them, and commit with w", .standard),
      ("D  throw them away and quit", .standard),
      ("Esc  stay", .standard),
    ]
    if canKeep { lines.insert(("k  keep them for the next time, and quit", .standard), at: 1) }
    let title = "\(count(model.changeCount, "change")) not committed"
    drawBox(title, lines, layout, on: &screen)
  }
}
