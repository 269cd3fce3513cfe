internal import KennelCore

/// Shows what the cursor is on without going there: in the graph, or where `K` asked for it.
struct Peek: BrowserPart {
  let browser: Browser

  /// A whole value or an object.
  enum Contents: Hashable {
    case value(Spot)
    case object(ObjectIdentity)
  }

  /// The state of the peek, which the browser keeps.
  struct State {
    /// Whether it was asked for; the graph has one in any case.
    var isOpen = false
    /// How far it was scrolled, and in what: other contents begin at their first line.
    var place: (contents: Contents, top: Int)?
  }

  // MARK: - Keys

  /// `K`: shows what the cursor is on, then the next lines of it, and nothing after the last ones.
  func turnPage() {
    let layout = browser.layout
    guard browser.peek.isOpen || layout.preview != nil else {
      guard contents(inGraph: false) != nil else {
        return say("There is no object under the cursor")
      }
      browser.peek.isOpen = true
      return
    }
    let contents = contents(inGraph: layout.preview != nil)
    guard let contents, let rectangle = rectangle(layout) else { return close() }
    let pane = PaneFrame(browser: browser, rectangle: rectangle, hasFocus: false)
    let next = top(of: contents) + pane.rows
    let count = count(of: contents, pane, upTo: next + pane.rows)
    if next < count {
      browser.peek.place = (contents, min(next, count - pane.rows))
    } else {
      close()
    }
  }

  func close() {
    browser.peek = State()
  }

  // MARK: - What is shown

  private func contents(inGraph: Bool) -> Contents? {
    if let spot = peekedValue, !inGraph || ValueReading(browser).isLong(spot) {
      return .value(spot)
    }
    guard let target = browser.peekTarget, !inGraph || target != entry.subject else { return nil }
    return .object(target)
  }

  /// The value under the cursor, where the peek shows that rather than an object.
  private var peekedValue: Spot? {
    guard entry.focus == .main, let spot, linkTarget(spot) == nil, spot.element == nil,
      let property = property(of: spot), !property.isCollection
    else { return nil }
    if property.type.kind == .string { return spot }
    guard property.type.kind == .mixed,
      let value = model.preview(of: spot.object, spot.property, limit: 1)?.value
    else { return nil }
    if case .string = value { return spot }
    return value.isCollection ? spot : nil
  }

  /// The first line of the contents on the screen.
  private func top(of contents: Contents) -> Int {
    browser.peek.place.map { $0.contents == contents ? $0.top : 0 } ?? 0
  }

  /// How many lines there are, of which no more are counted than are asked for.
  private func count(of contents: Contents, _ pane: PaneFrame, upTo most: Int) -> Int {
    switch contents {
    case .value(let spot): wrapped(spot, pane, upTo: most).text.rows.count
    case .object(let object): ObjectView(object: object).lines(in: model).count
    }
  }

  /// The first lines of a value, and its size where it is a text.
  private func wrapped(
    _ spot: Spot,
    _ pane: PaneFrame,
    upTo most: Int
  ) -> (text: WrappedText, size: String) {
    let width = max(1, pane.rectangle.columns - 2)
    let preview = model.preview(of: spot.object, spot.property, limit: width * most * 4 + 16)
    var (text, size) = ("", "")
    if case .string(let string)? = preview?.value {
      text = string
      size = "  \(DataKind.size(preview?.count ?? 0))"
    } else if let value = preview?.value, value.isCollection {
      text = ValueFormatter(model).nested.lines(value).joined(separator: "\n")
    }
    let charset = browser.settings.charset
    return (WrappedText(text, width: width, upTo: most, in: charset), size)
  }

  // MARK: - The screen

  /// Where the peek is: where the graph has a place for it, else in the lower half of the main pane.
  private func rectangle(_ layout: Layout) -> Rectangle? {
    if let preview = layout.preview { return preview }
    guard var rectangle = layout.panes[pane(layout)], rectangle.rows >= 4 else { return nil }
    let height = rectangle.rows / 2
    rectangle.row = rectangle.endRow - height
    rectangle.rows = height
    return rectangle
  }

  /// The pane that the peek takes rows of, where the graph has no place for it.
  private func pane(_ layout: Layout) -> Pane {
    layout.panes[.main] == nil ? entry.focus : .main
  }

  /// What the peek leaves of a pane, which has its cursor there; `nil` where the pane is not shown.
  func room(of pane: Pane, in layout: Layout) -> Rectangle? {
    guard var room = layout.panes[pane] else { return nil }
    if layout.preview == nil, browser.peek.isOpen, self.pane(layout) == pane,
      contents(inGraph: false) != nil
    {
      room.rows -= rectangle(layout)?.rows ?? 0
    }
    return room
  }

  /// How many rows the graph needs to show what the cursor is on; as many as there are for a long text.
  var wantedRows: Int {
    guard LinkWalking(browser).isGraph else { return 0 }
    switch contents(inGraph: true) {
    case nil: return 1
    case .value?: return .max
    // A pane of less than three rows has no title.
    case .object(let target)?:
      return max(3, ObjectView(object: target).lines(in: model).count + 1)
    }
  }

  func draw(_ layout: Layout, on screen: inout Screen) {
    let isGraph = layout.preview != nil
    guard isGraph || browser.peek.isOpen, let rectangle = rectangle(layout) else { return }
    let pane = PaneFrame(browser: browser, rectangle: rectangle, hasFocus: false)
    guard let contents = contents(inGraph: isGraph) else {
      let text = "No link under the cursor"
      if isGraph { pane.drawLine(text, at: 0, isCursor: false, style: theme.note, on: &screen) }
      return
    }
    let top = top(of: contents)
    let isCut = top + pane.rows < count(of: contents, pane, upTo: top + pane.rows + 1)
    let more = isCut ? "\(key(of: "peek")) more" : isGraph ? "" : "\(key(of: "peek")) closes it"
    switch contents {
    case .value(let spot): drawValue(spot, from: top, more, pane, on: &screen)
    case .object(let target):
      var view = ObjectView(object: target)
      view.top = top
      let title = "Peek at \(model.label(target))"
      _ = view.draw(pane, title: title, trailing: more, showsCursor: false, on: &screen)
    }
  }

  /// As much of a value as the pane has room for, line by line.
  private func drawValue(
    _ spot: Spot,
    from top: Int,
    _ more: String,
    _ pane: PaneFrame,
    on screen: inout Screen
  ) {
    let (text, size) = wrapped(spot, pane, upTo: top + pane.rows)
    pane.drawTitle("Peek at \(name(of: spot))", counts: size, trailing: more, on: &screen)
    for (offset, row) in text.rows.dropFirst(top).prefix(pane.rows).enumerated() {
      let line = String(text.text(in: row))
      pane.drawLine(line, at: offset, isCursor: false, style: .standard, on: &screen)
    }
  }
}
