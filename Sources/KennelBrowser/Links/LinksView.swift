internal import KennelCore

extension Context {
  static let links = Context("links", "the links")
}

/// Who points at the object of the main pane, and where it points; or one of the two, in the graph.
struct LinksView: LineView {
  enum LineID: Hashable {
    case heading(String)
    case owner(ObjectIdentity)
    case group(ClassKey, PropertyKey)
    case origin(ClassKey, PropertyKey, ObjectIdentity, occurrence: Int)
    case outgoing(PropertyKey)
    case target(PropertyKey, Element)
    case none(String)
  }

  /// The pane that it is in: that of the links, or that of the referrers in the graph.
  let pane: Pane
  var cursor: LineID?
  var top = 0

  /// How many origins or elements are listed below the name of their property.
  static let listed = 5

  var context: Context { .links }

  func lines(in browser: Browser) -> [LinkLine] {
    guard let subject = browser.entry.subject, browser.model.contains(subject) else { return [] }
    let model = browser.model
    // The title of a pane that has one side alone is heading enough.
    if pane == .referrers { return Self.incoming(subject, model) }
    if LinkWalking(browser).isGraph { return Self.outgoing(subject, model) }
    let style = model.theme.header
    return [LinkLine(.heading("in"), "← who points here", style)] + Self.incoming(subject, model)
      + [LinkLine(.heading("out"), "→ where it points", style)] + Self.outgoing(subject, model)
  }

  /// The line of the cursor, which begins on an object in the graph, whose sides have no headings of
  /// their own: a property with many links leads away from it, to a table.
  func cursorIndex(in lines: [LinkLine]) -> Int? {
    if let current = cursor.flatMap({ place in lines.firstIndex { $0.place == place } }) {
      return current
    }
    let first = lines.firstIndex { $0.place != nil }
    if case .heading? = lines.first?.id { return first }
    return lines.firstIndex { $0.object != nil } ?? first
  }

  func open(in browser: Browser) {
    guard let subject = browser.entry.subject else { return }
    guard let line = line(in: browser) else {
      return browser.say("\(browser.model.text(subject)) has no links")
    }
    // The cursor is found on this line again when the person comes back.
    var stayed = self
    stayed.cursor = line.id
    browser[pane] = stayed
    switch line.target {
    case .object(let target, let step)?: Navigation(browser).goToObject(target, step: step)
    case .origins(let group)?: Navigation(browser).showOrigins(of: group, to: subject)
    case .collection(let spot)?: Navigation(browser).goToElements(spot.object, spot.property)
    case nil: break
    }
  }

  func openLabel(in browser: Browser) -> String? {
    line(in: browser).map { line in
      line.object.map { "go to \(browser.model.text($0))" } ?? "list them"
    }
  }

  func hints(in browser: Browser) -> [String] {
    guard browser.entry.subject != nil else { return [] }
    let graph = LinkWalking(browser).isGraph ? ["walk-left", "walk-right", "graph"] : []
    return ["open"] + graph + ["owner", "back", "peek", "main"]
  }

  // MARK: - Drawing

  mutating func scroll(in frame: PaneFrame) {
    let lines = lines(in: frame.browser)
    let cursor = cursorIndex(in: lines)
    // The heading above the first line that can be chosen stays in sight.
    let first = cursor.map { $0 <= 2 ? 0 : top } ?? 0
    // The last row says how many lines there are below, where there are any.
    let rows = max(1, frame.rows - 1)
    top = PaneFrame.scroll(first, cursor: cursor, count: lines.count, rows: rows)
    top = min(top, max(0, lines.count - frame.rows))
  }

  func draw(_ frame: PaneFrame, on screen: inout Screen) -> Rectangle? {
    let title =
      pane == .referrers ? "← to" : LinkWalking(frame.browser).isGraph ? "→ from" : "Links of"
    guard let subject = frame.browser.entry.subject else {
      frame.drawTitle(title, on: &screen)
      return nil
    }
    frame.drawTitle("\(title) \(frame.model.label(subject))", on: &screen)
    let lines = lines(in: frame.browser)
    let cursor = frame.hasFocus ? cursorIndex(in: lines) : nil
    let isCut = top + frame.rows < lines.count && frame.rows > 1
    let rows = isCut ? frame.rows - 1 : frame.rows
    if isCut {
      let text = "… \(lines.count - top - rows) more"
      frame.drawLine(text, at: rows, isCursor: false, style: frame.theme.note, on: &screen)
    }
    for (offset, line) in lines.dropFirst(top).prefix(rows).enumerated() {
      let isCursor = top + offset == cursor
      frame.drawLine(line.text, at: offset, isCursor: isCursor, style: line.style, on: &screen)
      let place = frame.line(at: offset).dropping(1)
      frame.markMatches(in: line.text, at: place, on: &screen)
      if let target = line.object {
        drawSummary(of: target, line, at: offset, isCursor, frame, on: &screen)
      }
    }
    return nil
  }

  /// From so many columns on, objects show what they hold.
  private static let wide = 70

  private func drawSummary(
    of target: ObjectIdentity,
    _ line: LinkLine,
    at offset: Int,
    _ isCursor: Bool,
    _ frame: PaneFrame,
    on screen: inout Screen
  ) {
    let width = frame.rectangle.columns
    let used = TextWidth.width(of: line.text, upTo: width, in: screen.charset) + 3
    guard width >= Self.wide, used < width else { return }
    let (note, cursor) = (frame.theme.note, frame.theme.cursor)
    screen.put(
      ValueFormatter(frame.model).summary(of: target),
      in: frame.line(at: offset).dropping(used),
      style: isCursor ? note.adding(cursor) : note
    )
  }
}
