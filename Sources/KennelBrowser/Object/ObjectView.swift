internal import KennelCore

extension Context {
  static let object = Context("object", "an object")
}

/// Every property of one object, a line each, and the first elements of its collections.
struct ObjectView: LineView {
  enum LineID: Hashable {
    case owner
    case property(PropertyKey)
    case element(PropertyKey, Element)
    /// The elements of a collection that are not listed here.
    case more(PropertyKey)
    /// A declared backlink, by its place in the schema.
    case backlink(Int)
  }

  let object: ObjectIdentity
  var cursor: LineID?
  var top = 0

  /// How many elements of a collection are listed in the object itself.
  static let listedElements = 5

  func lines(in browser: Browser) -> [ObjectLine] { lines(in: browser.model) }

  func currentLine(in model: BrowserModel) -> ObjectLine? {
    let lines = lines(in: model)
    return cursorIndex(in: lines).map { lines[$0] }
  }

  /// The line of the cursor; the first one where its line is gone.
  func cursorIndex(in lines: [ObjectLine]) -> Int? {
    guard !lines.isEmpty else { return nil }
    guard let cursor else {
      // The owner is a line of its own above the properties; one begins at the properties.
      return lines.count > 1 && lines.first?.id == .owner ? 1 : 0
    }
    if let index = lines.firstIndex(where: { $0.id == cursor }) { return index }
    // An element that moved or went: its neighbors, or else its property.
    if case .element(let property, let element) = cursor {
      let places = lines.indices.filter {
        if case .element(property, _) = lines[$0].id { true } else { false }
      }
      if let same = places.first(where: { lines[$0].spot?.element?.value == element.value }) {
        return same
      }
      if let near = places.dropFirst(element.index).first ?? places.last { return near }
      return lines.firstIndex { $0.id == .property(property) } ?? 0
    }
    return 0
  }
}

// MARK: - What it is about

extension ObjectView {
  var context: Context { .object }
  var content: AnyHashable { object }
  var classKey: ClassKey { object.classKey }
  var subject: ObjectIdentity? { object }
  var shownObject: ObjectIdentity? { object }

  func name(in model: BrowserModel) -> String { model.label(object) }

  func spot(in model: BrowserModel) -> Spot? { currentLine(in: model)?.spot }
}

// MARK: - Keys

extension ObjectView {
  func open(in browser: Browser) {
    guard let line = line(in: browser) else { return }
    let (model, navigation) = (browser.model, Navigation(browser))
    switch line.id {
    case .more(let property): navigation.goToElements(object, property)
    case .backlink(let index):
      guard let backlinks = model.schema[object.classKey]?.backlinks,
        backlinks.indices.contains(index)
      else { return }
      let backlink = backlinks[index]
      navigation.showOrigins(backlink.origin, backlink.property, of: object, step: backlink.name)
    case .owner: navigation.goToOwner()
    case .element, .property:
      if let target = line.target {
        navigation.goToObject(target, step: line.name.trimmed)
      } else if let spot = line.spot, isCollection(spot, model) {
        navigation.goToElements(spot.object, spot.property)
      } else if line.spot.map(ValueReading(browser).open) != true {
        browser.say("\(line.name.trimmed) has no link" + ValueEditing(browser).hint)
      }
    }
  }

  private func isCollection(_ spot: Spot, _ model: BrowserModel) -> Bool {
    spot.element == nil && model.property(of: spot)?.isCollection == true
  }

  func openLabel(in browser: Browser) -> String? {
    let model = browser.model
    guard let line = line(in: browser) else { return nil }
    if let target = line.target {
      let isEmbedded = line.spot.flatMap(model.property)?.isEmbedded == true
      let verb = line.id == .owner ? "owner" : isEmbedded ? "into" : "follow to"
      return "\(verb) \(model.text(target))"
    }
    if let spot = line.spot, isCollection(spot, model) {
      return "open \(model.property(of: spot)?.name ?? "")"
    }
    if case .backlink = line.id { return "list them" }
    return line.spot.flatMap(ValueReading(browser).label)
  }

  func hints(in browser: Browser) -> [String] {
    guard browser.model.contains(object) else { return ["back"] }
    let isGraph = LinkWalking(browser).isGraph
    var isElement = false
    if case .element? = line(in: browser)?.id { isElement = true }
    return ["open"] + (isGraph ? ["walk-left", "walk-right", "graph"] : ["references"])
      + ["owner", "back"]
      + (isElement
        ? ["edit", "create", "unlink", "element-down", "value"]
        : ["create", "edit", "value", "unlink"])
      + ["delete"] + (isGraph ? [] : ["graph"]) + ["peek", "find"]
  }

  mutating func select(_ element: Element, of spot: Spot) {
    guard spot.object == object, spot.element != nil, element.index < Self.listedElements else {
      return
    }
    cursor = .element(spot.property, element)
  }

  mutating func repairCursor(in browser: Browser) {
    if !browser.model.contains(object) {
      browser.showError("\(browser.model.text(object)) was deleted")
    }
  }

  mutating func replace(_ keys: [ObjectIdentity: ObjectIdentity]) {
    guard let identity = keys[object] else { return }
    var isOfProperty = false
    if case .property? = cursor { isOfProperty = true }
    self = ObjectView(object: identity, cursor: isOfProperty ? cursor : nil)
  }
}

// MARK: - The screen

extension ObjectView {
  func draw(_ frame: PaneFrame, on screen: inout Screen) -> Rectangle? {
    draw(frame, title: frame.model.label(object), showsCursor: true, on: &screen)
  }

  private static let widestName = 24
  private static let widestNote = 18
  /// From so many columns on, names and types have more room, and targets show what they hold.
  private static let wide = 90
  private static let widestWideName = 40
  private static let widestWideNote = 36

  /// Draws the lines that there is room for; where the value of the cursor's line is.
  func draw(
    _ pane: PaneFrame,
    title: String,
    trailing: String = "",
    showsCursor: Bool,
    on screen: inout Screen
  ) -> Rectangle? {
    let lines = lines(in: pane.model)
    guard !lines.isEmpty else {
      pane.drawTitle(title, on: &screen)
      let exists = pane.model.contains(object)
      let text = exists ? "no properties" : "\(pane.model.text(object)) was deleted"
      pane.drawLine(text, at: 0, isCursor: false, style: pane.theme.deleted, on: &screen)
      return nil
    }
    let cursor = showsCursor ? cursorIndex(in: lines) : nil
    let place = pane.place(of: cursor, count: lines.count, top: top)
    pane.drawTitle(title, counts: place, trailing: trailing, on: &screen)
    let isWide = pane.rectangle.columns >= Self.wide
    let names = lines.map { TextWidth.width(of: $0.name) }.max() ?? 0
    let notes = lines.map { TextWidth.width(of: $0.note) }.max() ?? 0
    let widths = (
      name: min(isWide ? Self.widestWideName : Self.widestName, names),
      note: pane.rectangle.columns >= 50
        ? min(isWide ? Self.widestWideNote : Self.widestNote, notes) : 0
    )
    var cell: Rectangle?
    for (offset, line) in lines.dropFirst(top).prefix(pane.rows).enumerated() {
      var entry = PaneEntry(name: line.name, note: line.note, value: line.value)
      entry.isChanged = line.isChanged
      if isWide, let target = line.target, line.value.text.hasPrefix("→") {
        entry.summary = "  " + ValueFormatter(pane.model).summary(of: target)
      }
      let isCursor = top + offset == cursor
      let value = pane.draw(entry, at: offset, isCursor: isCursor, widths: widths, on: &screen)
      if isCursor { cell = value }
    }
    return cell
  }
}
