internal import KennelCore

extension Context {
  static let elements = Context("elements", "a list")
}

/// The elements of a list, set or map, a line each; only those on the screen are read.
struct ElementsView: View {
  let object: ObjectIdentity
  let property: PropertyKey
  /// The element that the cursor is on: its place and what was there.
  var cursor: Element?
  var top = 0

  func count(in model: BrowserModel) -> Int { model.elementCount(of: object, property) }

  func schema(in model: BrowserModel) -> PropertySchema? {
    model.schema.property(property, of: object.classKey)
  }

  func elements(in model: BrowserModel, _ range: Range<Int>) -> [Element] {
    guard let schema = schema(in: model) else { return [] }
    return model.elements(of: object, schema, in: range)
  }

  mutating func move(to index: Int, in model: BrowserModel) {
    let index = min(max(0, index), count(in: model) - 1)
    cursor = index < 0 ? nil : elements(in: model, index..<index + 1).first
  }

  /// How far an element that moved is looked for.
  private static let reach = 1_000

  /// Finds the cursor's element again after something changed; whether it is gone.
  private mutating func findCursor(in model: BrowserModel) -> Bool {
    let count = count(in: model)
    guard let cursor else {
      move(to: 0, in: model)
      return false
    }
    let near = max(0, cursor.index - Self.reach)..<min(count, cursor.index + Self.reach)
    guard near.lowerBound < near.upperBound else {
      move(to: cursor.index, in: model)
      return true
    }
    let same = elements(in: model, near).filter {
      $0.value == cursor.value && $0.key == cursor.key
    }
    let distance = { (element: Element) in abs(element.index - cursor.index) }
    if let found = same.min(by: { distance($0) < distance($1) }) {
      self.cursor = found
      return false
    }
    move(to: cursor.index, in: model)
    return true
  }
}

// MARK: - What it is about

extension ElementsView {
  var context: Context { .elements }
  var content: AnyHashable { Spot(object, property) }
  var word: String { "list" }
  var classKey: ClassKey { object.classKey }
  var subject: ObjectIdentity? { cursor?.target ?? object }
  var shownObject: ObjectIdentity? { object }

  func name(in model: BrowserModel) -> String {
    "\(model.text(object)).\(model.name(of: property, in: object.classKey))"
  }

  func spot(in model: BrowserModel) -> Spot? { Spot(object, property, element: cursor) }
}

// MARK: - Keys

extension ElementsView {
  mutating func move(_ movement: Movement, in browser: Browser) {
    let count = count(in: browser.model)
    move(to: movement.target(from: cursor?.index ?? -1, count: count), in: browser.model)
  }

  func open(in browser: Browser) {
    guard let cursor else { return }
    if let target = cursor.target {
      Navigation(browser).goToObject(target, step: cursor.key ?? "\(cursor.index)")
    } else if !ValueReading(browser).open(Spot(object, property, element: cursor)) {
      browser.say("This element is a value" + ValueEditing(browser).hint)
    }
  }

  func openLabel(in browser: Browser) -> String? {
    guard let target = cursor?.target else {
      return cursor.flatMap {
        ValueReading(browser).label(of: Spot(object, property, element: $0))
      }
    }
    let isEmbedded = schema(in: browser.model)?.isEmbedded == true
    return "\(isEmbedded ? "into" : "follow to") \(browser.model.text(target))"
  }

  func hints(in browser: Browser) -> [String] {
    [
      "open", "back", "create", "unlink", "edit", "element-down", "element-up", "references",
      "peek", "find",
    ]
  }

  mutating func find(_ pattern: SearchPattern, isForward: Bool, in browser: Browser) {
    guard let schema = schema(in: browser.model) else { return }
    let search = ElementSearch(
      pattern: pattern,
      object: object,
      property: schema,
      start: cursor?.index ?? 0,
      isForward: isForward
    )
    Searching(browser).find(pattern, in: self, search.run, counting: search.matches)
  }

  mutating func takePlace(of former: any View, in browser: Browser) {
    guard let former = former as? Self else { return }
    (cursor, top) = (former.cursor, former.top)
  }

  mutating func show(_ place: FoundPlace, in browser: Browser) {
    if let index = place.index { move(to: index, in: browser.model) }
  }

  mutating func click(row: Int, column: Int, in frame: PaneFrame) -> Click {
    guard top + row < count(in: frame.model) else { return .nothing }
    move(to: top + row, in: frame.model)
    return .line
  }

  mutating func select(_ element: Element, of spot: Spot) {
    if spot.object == object, spot.property == property { cursor = element }
  }

  mutating func repairCursor(in browser: Browser) {
    if findCursor(in: browser.model), count(in: browser.model) > 0 {
      browser.showError("The element under the cursor is gone")
    }
  }

  mutating func replace(_ keys: [ObjectIdentity: ObjectIdentity]) {
    var copy = ElementsView(object: keys[object] ?? object, property: property)
    copy.cursor = cursor
    if let target = cursor?.target, let identity = keys[target] {
      copy.cursor?.value = .link(identity)
    }
    copy.top = top
    self = copy
  }
}

// MARK: - The screen

extension ElementsView {
  mutating func scroll(linesAboveCursor count: Int, in browser: Browser) {
    top = max(0, (cursor?.index ?? 0) - count)
  }

  mutating func scroll(in frame: PaneFrame) {
    let count = count(in: frame.model)
    top = PaneFrame.scroll(top, cursor: cursor?.index, count: count, rows: frame.rows)
  }

  private static let widestKey = 24

  func draw(_ frame: PaneFrame, on screen: inout Screen) -> Rectangle? {
    let (model, theme) = (frame.model, frame.theme)
    let count = count(in: model)
    let name = frame.browser.name(of: Spot(object, self.property))
    frame.drawTitle("\(name) [\(count)]", on: &screen)
    guard let property = schema(in: model), model.contains(object) else {
      let text = "\(model.text(object)) was deleted"
      frame.drawLine(text, at: 0, isCursor: false, style: theme.deleted, on: &screen)
      return nil
    }
    let elements = elements(in: model, top..<max(top, min(count, top + frame.rows)))
    if elements.isEmpty {
      let what = property.type.collection == .map ? "an entry" : "an element"
      let text = "empty; \(frame.browser.key(of: "create")) adds \(what)"
      frame.drawLine(text, at: 0, isCursor: false, style: theme.null, on: &screen)
      return nil
    }
    let view = ValueFormatter(model)
    let names = elements.map { TextWidth.width(of: $0.name, upTo: Self.widestKey) }
    let widths = (name: min(Self.widestKey, names.max() ?? 0), note: 0)
    var cell: Rectangle?
    for (offset, element) in elements.enumerated() {
      var value = view.show(element.value, of: property)
      if let target = element.target, !property.isEmbedded {
        value.text += "  " + view.summary(of: target)
      }
      let entry = PaneEntry(name: element.name, nameStyle: theme.note, value: value)
      let isCursor = element.index == cursor?.index
      let drawn = frame.draw(entry, at: offset, isCursor: isCursor, widths: widths, on: &screen)
      if isCursor { cell = drawn }
    }
    return cell
  }
}
