internal import KennelCore
internal import KennelReports

extension Context {
  static let diagram = Context("diagram", "the diagram")
}

/// The diagram of the schema: each class with its links and with those that lead to it.
struct DiagramView: LineView {
  enum LineID: Hashable {
    case title(ClassKey)
    case link(SchemaGraph.Line.Kind, in: ClassKey, origin: ClassKey, PropertyKey)
  }

  var cursor: LineID?
  var top = 0
  /// The lines from which the cursor went to another class, the newest last.
  private var trail: [LineID] = []

  init(classKey: ClassKey) {
    cursor = .title(classKey)
  }

  var context: Context { .diagram }

  /// The class that the cursor is at.
  var classKey: ClassKey {
    switch cursor {
    case .title(let classKey), .link(_, in: let classKey, origin: _, _): classKey
    case nil: ClassKey(rawValue: 0)
    }
  }

  /// The classes and their links, with a blank line between two classes.
  func lines(in browser: Browser) -> [SchemaGraph.Line] {
    let schema = browser.model.schema
    let graph = SchemaGraph(schema)
    return schema.classes.flatMap { classSchema in
      graph.lines(of: classSchema, count: browser.model.count(of: classSchema.key), .names) + [
        SchemaGraph.Line(kind: .values, classKey: classSchema.key, text: "")
      ]
    }
  }

  mutating func cursorMoved(in browser: Browser) { browser.collections.show(classKey) }

  /// To the class at the other end of the link, or back along the link that was followed.
  mutating func moveAcross(by distance: Int, in browser: Browser) {
    guard let line = line(in: browser), let place = line.place else { return }
    if distance < 0 {
      cursor = trail.popLast() ?? .title(line.classKey)
    } else if let other = line.other {
      trail.append(place)
      cursor = .title(other)
    } else {
      let (open, down) = (browser.key(of: "open"), browser.key(of: "down"))
      browser.say("This is a class: \(open) shows its objects, \(down) goes to its links")
    }
    cursorMoved(in: browser)
  }

  /// The objects of a class, or the class at the other end of a link.
  func open(in browser: Browser) {
    guard let line = line(in: browser) else { return }
    if line.other != nil { return browser.update(.main) { $0.moveAcross(by: 1, in: browser) } }
    Navigation(browser).goToTable(TableDefinition(classKey: line.classKey))
  }

  func openLabel(in browser: Browser) -> String? {
    line(in: browser).map { line in
      line.other.map { "go to \(browser.model.name(of: $0))" }
        ?? "open \(browser.model.name(of: line.classKey))"
    }
  }

  func hints(in browser: Browser) -> [String] {
    line(in: browser) == nil ? [] : ["open", "left", "schema", "find", "back"]
  }

  // MARK: - Drawing

  /// A class that the cursor comes to is shown with as many of its links as there is room for.
  mutating func scroll(in frame: PaneFrame) {
    let lines = lines(in: frame.browser)
    let cursor = cursorIndex(in: lines)
    if let cursor, lines[cursor].kind == .title {
      let classKey = lines[cursor].classKey
      let end = lines[cursor...].prefix { $0.classKey == classKey }.endIndex - 1
      let last = min(end, cursor + frame.rows - 1)
      top = PaneFrame.scroll(top, cursor: last, count: lines.count, rows: frame.rows)
    }
    top = PaneFrame.scroll(top, cursor: cursor, count: lines.count, rows: frame.rows)
  }

  func draw(_ frame: PaneFrame, on screen: inout Screen) -> Rectangle? {
    let lines = lines(in: frame.browser)
    let links = counted(lines.count { $0.kind == .backlink }, "link")
    let counts = "  \(frame.model.schema.classes.count) classes, \(links)"
    frame.drawTitle("Diagram of the schema", counts: counts, on: &screen)
    let theme = frame.theme
    draw(lines, frame, on: &screen) { line in
      switch line.kind {
      case .title: (line.text, theme.header)
      case .values: (line.text, theme.note)
      case .link: (line.text, theme.link)
      case .backlink: (line.text, theme.standard)
      }
    }
    return nil
  }
}

extension SchemaGraph.Line: ViewLine {
  var place: DiagramView.LineID? {
    if kind == .title { return .title(classKey) }
    return edge.map { .link(kind, in: classKey, origin: $0.origin, $0.property) }
  }

  func has(_ pattern: SearchPattern, in browser: Browser) -> Bool { pattern.isFound(in: text) }
}
