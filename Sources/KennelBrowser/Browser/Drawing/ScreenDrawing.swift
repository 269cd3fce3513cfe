internal import KennelCore
internal import KennelReports

extension Browser {
  func layout(_ size: Size) -> Layout {
    let isTable = if case .table = view.main { true } else { preview != nil }
    return Layout(
      size,
      Layout.Wishes(
        focus: view.focus,
        isZoomed: isZoomed,
        hasChanges: model.changeCount > 0,
        showsLinks: !isTable && view.subject != nil,
        hasLinks: view.subject != nil || isTable,
        collectionsWidth: CollectionsView.width(of: model.schema),
        isGraph: linkWalking.isGraph,
        previewRows: drawing.previewRows
      )
    )
  }
}

/// Draws the panes and what is around them, and the dialog above all.
struct ScreenDrawing: BrowserPart {
  let browser: Browser

  func draw(on screen: inout Screen) {
    let layout = browser.layout(screen.size)
    for separator in layout.separators {
      screen.fill(separator, with: "│", style: theme.separator)
    }
    var cursorCell: Rectangle?
    for (pane, rectangle) in layout.panes.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      let view = PaneView(
        model: model,
        theme: theme,
        rectangle: rectangle,
        hasFocus: self.view.focus == pane && browser.dialog == nil,
        matches: [.main, self.view.focus].contains(pane) && browser.showsMatches
          ? browser.search : nil
      )
      switch pane {
      case .collections: CollectionsView(pane: view).draw(&browser.collections, on: &screen)
      case .main: cursorCell = drawMain(view, on: &screen)
      case .links, .referrers: drawLinks(pane, view, on: &screen)
      case .changes: drawChanges(view, on: &screen)
      }
    }
    if let preview = layout.preview {
      drawPreview(preview, on: &screen)
    } else if browser.isPeeking {
      drawPeek(layout, on: &screen)
    }
    drawFrame(layout, on: &screen)
    let frame = DialogFrame(browser: browser, layout: layout, cell: cursorCell)
    browser.dialog?.draw(frame, on: &screen)
  }

  /// Draws the main pane and says where the cell of the cursor is.
  private func drawMain(_ pane: PaneView, on screen: inout Screen) -> Rectangle? {
    if var preview = browser.preview {
      draw(&preview, pane, on: &screen)
      browser.collections.preview = preview
      return nil
    }
    switch view.main {
    case .table(var table):
      let cursorCell = draw(&table, pane, on: &screen)
      view.main = .table(table)
      return cursorCell
    case .object(var object):
      let title = "2 \(model.label(object.object))"
      var objectView = ObjectView(pane: pane, title: title)
      objectView.draw(&object, on: &screen)
      view.main = .object(object)
      return objectView.cursorCell
    case .elements(var elements):
      let name = name(of: Spot(elements.object, elements.property))
      let title = "2 \(name) [\(elements.count(in: model))]"
      var elementsView = ElementsView(pane: pane, title: title)
      elementsView.draw(&elements, on: &screen)
      view.main = .elements(elements)
      return elementsView.cursorCell
    case .summary(var summary):
      SummaryView(pane: pane, title: "2 \(summaryTitle(summary))").draw(&summary, on: &screen)
      view.main = .summary(summary)
      return nil
    case .diagram(var diagram):
      DiagramView(pane: pane).draw(&diagram, on: &screen)
      view.main = .diagram(diagram)
      return nil
    }
  }

  @discardableResult
  private func draw(
    _ table: inout TableState,
    _ pane: PaneView,
    on screen: inout Screen
  ) -> Rectangle? {
    let title = "2 \(tableTitle(table.definition))"
    var tableView = TableView(pane: pane, title: title, counts: tableCounts(&table))
    tableView.draw(&table, on: &screen)
    return tableView.cursorCell
  }

  private func tableTitle(_ definition: TableDefinition) -> String {
    var title = model.schema[definition.classKey]?.name ?? "?"
    if case .origins(let property, let target) = definition.base {
      let name = model.schema.property(property, of: definition.classKey)?.name ?? "?"
      title += ".\(name) → \(model.label(target))"
    }
    if let filter = definition.filter { title += " where \(filter)" }
    return title
  }

  private func summaryTitle(_ summary: SummaryState) -> String {
    switch summary.subject {
    case .space: return "Space"
    case .groups(let grouping):
      return "\(tableTitle(grouping.definition)) by \(grouping.path)"
    }
  }

  /// Where the cursor is, how many rows there are, how many are marked.
  private func tableCounts(_ table: inout TableState) -> String {
    let definition = table.definition
    var title = ""
    let rows = table.rows(in: model)
    if definition.isPlain || table.result != nil {
      title += table.position(in: model).map { "  \($0 + 1) of \(rows.count)" } ?? "  \(rows.count)"
    }
    if !table.marks.isEmpty { title += "  *\(table.marks.count)" }
    if !table.hiddenMarks.isEmpty { title += "  \(table.hiddenMarks.count) marked are hidden" }
    return title
  }

  private func drawChanges(_ pane: PaneView, on screen: inout Screen) {
    let lines = browser.reviewing.lines()
    pane.drawTitle("4 Changes (\(model.changeCount))", on: &screen)
    let cursor = browser.changes.cursorIndex(in: lines)
    // Where the cursor cannot go further, what follows is seen, too: how many changes are not listed.
    let isLast = cursor != nil && cursor == lines.lastIndex(where: \.isSelectable)
    for place in isLast ? [lines.count - 1, cursor] : [cursor] {
      browser.changes.top = PaneView.scroll(
        browser.changes.top,
        cursor: place,
        count: lines.count,
        rows: pane.rows
      )
    }
    for (offset, line) in lines.dropFirst(browser.changes.top).prefix(pane.rows).enumerated() {
      pane.drawLine(
        line.text,
        at: offset,
        isCursor: pane.hasFocus && browser.changes.top + offset == cursor,
        style: line.style,
        on: &screen
      )
    }
  }

  private func drawLinks(_ kind: Pane, _ pane: PaneView, on screen: inout Screen) {
    let title =
      kind == .referrers ? "← to" : browser.linkWalking.isGraph ? "3 → from" : "3 Links of"
    let lines = browser.linkWalking.lines(in: kind)
    let view = LinksView(pane: pane, subject: self.view.subject, title: title, lines: lines)
    var links = self.view.linkCursors(of: kind)
    view.draw(&links, on: &screen)
    self.view.setLinkCursors(of: kind, links)
  }

  /// How many rows the graph needs to show what the cursor is on; as many as there are for a long text.
  var previewRows: Int {
    guard browser.linkWalking.isGraph else { return 0 }
    if let spot = peekedText, isLong(spot) { return .max }
    guard let target = browser.peekTarget, target != view.subject else { return 1 }
    // A pane of less than three rows has no title.
    return max(3, ObjectState(object: target).lines(in: model, theme: theme).count + 1)
  }

  /// What the cursor of the graph is on: the object behind a link, or a whole text.
  private func drawPreview(_ rectangle: Rectangle, on screen: inout Screen) {
    let pane = PaneView(model: model, theme: theme, rectangle: rectangle, hasFocus: false)
    if let spot = peekedText, isLong(spot) { return drawText(spot, pane, on: &screen) }
    guard let target = browser.peekTarget, target != view.subject else {
      let text = "No link under the cursor"
      return pane.drawLine(text, at: 0, isCursor: false, style: theme.note, on: &screen)
    }
    drawObject(target, pane, on: &screen)
  }

  /// Whether a text is longer than the line that shows it.
  private func isLong(_ spot: Spot) -> Bool {
    let longest = 40
    let preview = model.preview(of: spot.object, spot.property, limit: longest + 1)
    return preview.map { $0.count > longest || isNested($0.value, spot) } ?? false
  }

  private func drawObject(_ target: ObjectIdentity, _ pane: PaneView, on screen: inout Screen) {
    var object = ObjectState(object: target)
    var view = ObjectView(pane: pane, title: "Peek at \(model.label(target))")
    view.draw(&object, showsCursor: false, on: &screen)
  }

  /// The target of the link under the cursor, in the lower half of the main pane.
  private func drawPeek(_ layout: Layout, on screen: inout Screen) {
    guard let target = browser.peekTarget,
      var rectangle = layout.panes[.main] ?? layout.panes[view.focus], rectangle.rows >= 4
    else { return }
    let height = rectangle.rows / 2
    rectangle.row = rectangle.endRow - height
    rectangle.rows = height
    screen.fill(rectangle)
    let pane = PaneView(model: model, theme: theme, rectangle: rectangle, hasFocus: false)
    if let spot = peekedText {
      drawText(spot, pane, on: &screen)
      return
    }
    drawObject(target, pane, on: &screen)
  }

  /// The text under the cursor, where the peek shows that rather than an object.
  private var peekedText: Spot? {
    guard view.focus == .main, let spot, linkTarget(spot) == nil, spot.element == nil,
      let property = property(of: spot), !property.isCollection
    else { return nil }
    if property.type.kind == .string { return spot }
    guard property.type.kind == .mixed,
      let value = model.preview(of: spot.object, spot.property, limit: 1)?.value
    else { return nil }
    return value.isCollection ? spot : nil
  }

  /// Whether a mixed value is a list or a map, which is shown line by line.
  private func isNested(_ value: Value, _ spot: Spot) -> Bool {
    value.isCollection && property(of: spot)?.isCollection == false
  }

  /// As much of a text as the pane has room for, line by line.
  private func drawText(_ spot: Spot, _ pane: PaneView, on screen: inout Screen) {
    let width = max(1, pane.rectangle.columns - 2)
    let preview = model.preview(of: spot.object, spot.property, limit: width * pane.rows * 4 + 16)
    let text: String
    var size = ""
    switch preview?.value {
    case .string(let string)?:
      text = string
      size = "  \(preview?.count ?? 0) bytes"
    case .list?, .map?:
      let view = ValueView(model: model, theme: theme)
      text = preview.map { view.nested.lines($0.value).joined(separator: "\n") } ?? ""
    default: text = ""
    }
    pane.drawTitle("Peek at \(name(of: spot))\(size)", on: &screen)
    var lines: [String] = [""]
    var used = 0
    for character in text {
      if lines.count > pane.rows { break }
      let wide = TextWidth.width(of: character, in: screen.charset)
      if character == "\n" || used + wide > width {
        lines.append("")
        used = 0
        if character == "\n" { continue }
      }
      lines[lines.count - 1].append(character)
      used += wide
    }
    let isCut = lines.count > pane.rows
    for (index, line) in lines.prefix(pane.rows).enumerated() {
      pane.drawLine(line, at: index, isCursor: false, style: .standard, on: &screen)
    }
    if isCut, pane.rows > 0 {
      pane.drawLine("…", at: pane.rows - 1, isCursor: false, style: theme.note, on: &screen)
    }
  }

  // MARK: - Frame

  private func drawFrame(_ layout: Layout, on screen: inout Screen) {
    if let title = layout.title { drawTitle(title, on: &screen) }
    if let crumbs = layout.crumbs { CrumbLine(browser: browser).draw(crumbs, on: &screen) }
    if let status = layout.status { drawStatus(status, on: &screen) }
    if let hints = layout.hints { browser.hintLine.draw(hints, on: &screen) }
  }

  private func drawTitle(_ line: Rectangle, on screen: inout Screen) {
    let mode: String
    var style = theme.title
    if model.filePlace != .unchanged {
      let state = model.filePlace == .gone ? "FILE IS GONE" : "FILE WAS REPLACED"
      let changes = model.changeCount
      mode = changes > 0 ? "\(state)  DRAFT \(counted(changes, "change"))" : state
      style = theme.alarmBadge
    } else if !model.draft.exists {
      mode = "READ ONLY"
      style = theme.readOnlyBadge
    } else if !model.draft.conflicts.isEmpty {
      mode = "CONFLICT  DRAFT \(counted(model.changeCount, "change"))"
      style = theme.alarmBadge
    } else if model.changeCount > 0 {
      let isLost = browser.autosave.problem != nil
      mode = "DRAFT \(counted(model.changeCount, "change"))" + (isLost ? ", NOT SAVED" : "")
      style = isLost ? theme.alarmBadge : theme.draftBadge
    } else {
      mode = "NO CHANGES"
    }
    let name = model.schema[browser.preview?.classKey ?? view.classKey]?.name ?? "?"
    let room = max(0, line.columns - mode.count - 2)
    var left = " \(browser.settings.fileName)  \(name)"
    if TextWidth.width(of: left, upTo: room + 1, in: screen.charset) > room,
      let slash = browser.settings.fileName.lastIndex(of: "/")
    {
      // Of a long path, the file's own name is what tells it from others.
      left = " …\(browser.settings.fileName[slash...])  \(name)"
    }
    screen.put(left, row: line.row, column: 0, width: line.columns, style: theme.title)
    screen.put(" \(mode) ", row: line.row, column: room, width: mode.count + 2, style: style)
  }

  private func drawStatus(_ line: Rectangle, on screen: inout Screen) {
    var text = ""
    var style = theme.standard
    if !browser.pendingText.isEmpty {
      text = browser.pendingText
    } else if let message {
      text = message.shown
      style = message.isError ? theme.error : theme.standard
    } else if let problem = model.problem {
      text = "! \(problem)"
      style = theme.error
    } else if let job = browser.shownJob {
      text = job.text
    } else if let sentence = model.fileSentence {
      text = "! \(sentence)"
      style = theme.error
    } else if !model.draft.exists {
      text = browser.readOnlyReason ?? ""
    }
    if text == message?.shown, browser.dialog == nil, line.row > 0,
      let (first, rest) = broken(text, line.columns, screen)
    {
      screen.put(first, row: line.row - 1, column: 0, width: line.columns, style: style)
      text = rest
    }
    screen.put(text, row: line.row, column: 0, width: line.columns, style: style)
  }

  /// The words of a text that fit a line, and the others; `nil` where all of them do.
  private func broken(_ text: String, _ columns: Int, _ screen: Screen) -> (String, String)? {
    func fits(_ text: Substring) -> Bool {
      TextWidth.width(of: text, upTo: columns, in: screen.charset) <= columns
    }
    guard !fits(text[...]) else { return nil }
    var end = text.startIndex
    for space in text.indices where text[space] == " " {
      guard fits(text[..<space]) else { break }
      end = space
    }
    guard end > text.startIndex else { return nil }
    return (String(text[..<end]), String(text[text.index(after: end)...]))
  }
}
