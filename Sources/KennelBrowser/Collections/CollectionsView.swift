internal import KennelCore

extension Context {
  static let collections = Context("collections", "the collections")
}

/// The classes of the file with the number of their objects.
struct CollectionsView: LineView {
  var cursor: ClassKey?
  var top = 0
  /// The table of the class under the cursor, where the main pane shows something else.
  var preview: TableView?

  var context: Context { .collections }

  /// Puts the cursor on the class that the main pane shows.
  mutating func show(_ classKey: ClassKey) {
    cursor = classKey
    preview = nil
  }

  func lines(in browser: Browser) -> [ClassSchema] { browser.model.schema.classes }

  /// The main pane shows the objects of the class under the cursor as long as it stays.
  mutating func cursorMoved(in browser: Browser) {
    guard let cursor, cursor != preview?.classKey else { return }
    guard cursor != browser.entry.classKey else { return show(cursor) }
    preview = TableView(of: TableDefinition(classKey: cursor), in: browser)
  }

  func sentence(notFound pattern: SearchPattern) -> String { "No class is named \(pattern.name)" }

  func open(in browser: Browser) {
    guard let cursor else { return }
    if browser.preview != nil { return Navigation(browser).focus(on: .main) }
    let definition = TableDefinition(classKey: cursor)
    if browser.table?.definition == definition {
      browser.entry.focus = .main
    } else {
      Navigation(browser).goToTable(definition)
    }
  }

  func openLabel(in browser: Browser) -> String? {
    "open \(cursor.flatMap { browser.model.schema[$0]?.name } ?? "")"
  }

  func hints(in browser: Browser) -> [String] { ["open", "next-pane"] }

  // MARK: - Drawing

  static func width(of schema: Schema) -> Int {
    let names = schema.classes.map { TextWidth.width(of: $0.name, upTo: 40) + 10 }
    return min(32, max(18, names.max() ?? 0))
  }

  func draw(_ frame: PaneFrame, on screen: inout Screen) -> Rectangle? {
    frame.drawTitle("Collections", on: &screen)
    let classes = lines(in: frame.browser)
    let (model, theme, charset) = (frame.model, frame.theme, screen.charset)
    draw(classes, frame, on: &screen) { schema in
      let count = "\(model.count(of: schema.key))"
      let width = max(0, frame.rectangle.columns - 1 - count.count - 1)
      let name = TextWidth.pad(
        schema.name + (schema.isEmbedded ? " {}" : ""),
        to: width,
        in: charset
      )
      return ("\(name) \(count)", schema.isEmbedded ? theme.embedded : theme.standard)
    }
    if classes.isEmpty {
      frame.drawLine("no classes", at: 0, isCursor: false, style: theme.null, on: &screen)
    }
    return nil
  }
}

extension ClassSchema: ViewLine {
  var place: ClassKey? { key }

  func has(_ pattern: SearchPattern, in browser: Browser) -> Bool { pattern.isFound(in: name) }
}
