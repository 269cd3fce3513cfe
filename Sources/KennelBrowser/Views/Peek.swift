internal import KennelCore

/// Shows what the cursor is on without going there: in the graph, or where `K` asked for it.
struct Peek: BrowserPart {
  let browser: Browser

  func draw(_ layout: Layout, on screen: inout Screen) {
    if let preview = layout.preview {
      drawPreview(preview, on: &screen)
    } else if browser.isPeeking {
      drawPeek(layout, on: &screen)
    }
  }

  /// How many rows the graph needs to show what the cursor is on; as many as there are for a long text.
  var wantedRows: Int {
    guard LinkWalking(browser).isGraph else { return 0 }
    if let spot = peekedText, isLong(spot) { return .max }
    guard let target = browser.peekTarget, target != entry.subject else { return 1 }
    // A pane of less than three rows has no title.
    return max(3, ObjectView(object: target).lines(in: model).count + 1)
  }

  /// Draws the object behind the link under the cursor of the graph, or a whole text.
  private func drawPreview(_ rectangle: Rectangle, on screen: inout Screen) {
    let pane = PaneFrame(browser: browser, rectangle: rectangle, hasFocus: false)
    if let spot = peekedText, isLong(spot) { return drawText(spot, pane, on: &screen) }
    guard let target = browser.peekTarget, target != entry.subject else {
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

  private func drawObject(_ target: ObjectIdentity, _ pane: PaneFrame, on screen: inout Screen) {
    let title = "Peek at \(model.label(target))"
    _ = ObjectView(object: target).draw(pane, title: title, showsCursor: false, on: &screen)
  }

  /// The target of the link under the cursor, in the lower half of the main pane.
  private func drawPeek(_ layout: Layout, on screen: inout Screen) {
    guard let target = browser.peekTarget,
      var rectangle = layout.panes[.main] ?? layout.panes[entry.focus], rectangle.rows >= 4
    else { return }
    let height = rectangle.rows / 2
    rectangle.row = rectangle.endRow - height
    rectangle.rows = height
    screen.fill(rectangle)
    let pane = PaneFrame(browser: browser, rectangle: rectangle, hasFocus: false)
    if let spot = peekedText { return drawText(spot, pane, on: &screen) }
    drawObject(target, pane, on: &screen)
  }

  /// The text under the cursor, where the peek shows that rather than an object.
  private var peekedText: Spot? {
    guard entry.focus == .main, let spot, linkTarget(spot) == nil, spot.element == nil,
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
  private func drawText(_ spot: Spot, _ pane: PaneFrame, on screen: inout Screen) {
    let width = max(1, pane.rectangle.columns - 2)
    let preview = model.preview(of: spot.object, spot.property, limit: width * pane.rows * 4 + 16)
    var (text, size) = ("", "")
    if case .string(let string)? = preview?.value {
      text = string
      size = "  \(preview?.count ?? 0) bytes"
    } else if let value = preview?.value, value.isCollection {
      text = ValueFormatter(model).nested.lines(value).joined(separator: "\n")
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
}
